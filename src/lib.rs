//! **gainsay** shows where an agent's database contradicts its transcript.
//!
//! The map of the house. Data flows one way: a module uses only those above it in this list, and
//! `tests/tidy.rs` checks that it stays so.
//!
//! | module | its one job | never |
//! | --- | --- | --- |
//! | [`model`] | plain data: values, rows, states, transcripts, verdicts | I/O, policy |
//! | [`stats`] | pure functions on counts: intervals, pass^k, miss rates | know what a file is |
//! | [`damage`] | two states + spec + transcript → verdict with its evidence | read files |
//! | [`archive`] | bytes ↔ model: discovery, dumps, results, verdict files | judge |
//! | [`study`] | joins them into one immutable read model | draw, print |
//! | [`report`] | a study → text, JSON, CSV; one file per format | |
//! | [`harness`] | seeds databases, lets agents act, records archives | judge |
//! | [`tui`] | the explorer: screens, keys, theme, threads | compute a statistic or a diff |
//! | [`cli`] | arguments, subcommands, exit codes; the only one that prints | hold logic |

pub mod archive;
pub mod cli;
pub mod damage;
pub mod harness;
pub mod model;
pub mod report;
pub mod stats;
pub mod study;
pub mod tui;
