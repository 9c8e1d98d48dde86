//! The k-run harness: seeds a database, lets an agent act on it through tools, records what was said and
//! what changed. It judges nothing.
//!
//! ```text
//!   seed file ──► substrate ──dump──► post-seed state ─┐
//!                     ▲                                │
//!   agent ◄─turns─► runner ──calls──► tools            ├──► recorder ──► batch
//!                     │                                │
//!                     └──dump, checks──► final state ──┘
//! ```
//!
//! | file | its one job |
//! | --- | --- |
//! | [`substrate`] | one run's own database: seeded, changed, dumped |
//! | [`tools`] | tools as data, and what their calls bring |
//! | [`agent`] | what an agent is |
//! | [`plan`] | what a scripted agent may set out to do, and what decides which |
//! | [`script`] | scripted stochastic agents, following a plan |
//! | [`conversation`] | the messages of a run as it happens |
//! | [`verifier`] | a task's own checks |
//! | [`runner`] | one run from seed to checks |
//! | [`clock`] | simulated time |
//! | [`results`] | a run as a results file |
//! | [`recorder`] | runs as a batch, files written whole or not at all |
//! | [`sample`] | the synthetic archive, made by all of the above |

pub mod agent;
pub mod clock;
pub mod conversation;
pub mod plan;
pub mod recorder;
pub mod results;
pub mod runner;
pub mod sample;
pub mod script;
pub mod substrate;
pub mod tools;
pub mod verifier;

use std::path::PathBuf;

/// Why the harness could not do its work. What an agent does wrong is no error; it is recorded.
#[derive(Debug, thiserror::Error)]
pub enum HarnessError {
    /// The directory to write to already holds something.
    #[error("{}: not empty, and nothing is overwritten", .0.display())]
    NotEmpty(PathBuf),
    /// The file system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// What it was about.
        path: PathBuf,
        /// Its reason.
        source: std::io::Error,
    },
    /// The database refused a seed, a tool's statement or a check.
    #[error("database: {0}")]
    Sql(#[from] rusqlite::Error),
    /// A data file is not what it should be.
    #[error("{file}: {reason}")]
    Data {
        /// The file.
        file: String,
        /// What is wrong, with its place.
        reason: String,
    },
}

impl HarnessError {
    pub(crate) fn data(file: &str, reason: &impl ToString) -> Self {
        Self::Data { file: file.to_owned(), reason: reason.to_string() }
    }

    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        |source| Self::Io { path, source }
    }
}
