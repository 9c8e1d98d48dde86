//! Bytes to model and back: discovery, manifests, dumps, results, verdict files, tasks, registries.
//!
//! Lenient: every reader gives what it could read, and a named [`Problem`](crate::model::Problem) for what
//! it could not. Nothing here judges a run, and nothing here writes into an archive on its own.

pub mod json;
