//! **gainsay** shows where an agent's database contradicts its transcript.
//!
//! The map of the house. Data flows one way: a module uses only those above it in this list, and
//! `tests/tidy.rs` checks that it stays so.
//!
//! | module | its one job |
//! | --- | --- |
//! | [`model`] | plain data: values, rows, states, transcripts, verdicts |
//! | [`archive`] | bytes to model and back: discovery, manifests, dumps, results, verdict files |

pub mod archive;
pub mod model;
