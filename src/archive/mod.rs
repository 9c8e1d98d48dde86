//! Bytes to model and back: discovery, manifests, dumps, results, verdict files, tasks, registries.
//!
//! Lenient: every reader gives what it could read, and a named [`Problem`](crate::model::Problem) for what
//! it could not. Nothing here judges a run, and nothing here writes into an archive on its own.

pub mod json;

pub mod dump;
mod files;
pub mod gzip;
#[allow(dead_code, reason = "its users land next")]
mod shape;

pub use files::{Limits, read_bytes, read_json, sha256, write_whole};
