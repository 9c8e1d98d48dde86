//! Bytes to model and back: discovery, manifests, dumps, results, verdict files, tasks, registries.
//!
//! Lenient: every reader gives what it could read, and a named [`Problem`](crate::model::Problem) for what
//! it could not. Nothing here judges a run, and nothing here writes into an archive on its own.

pub mod discover;
pub mod dump;
mod files;
pub mod gzip;
pub mod json;
mod listing;
pub mod manifest;
mod names;
pub mod pair;
pub mod registry;
pub mod results;
pub mod seed;
mod shape;
mod spec;
pub mod sqlite;
pub mod tasks;
pub mod verdicts;

pub use discover::{
    Batch, BatchKind, Catalog, Context, ModelSource, Options, Recorded, RunFiles, discover, discover_with,
};
pub use dump::{Dump, DumpReader, Kind};
pub use files::{Limits, read_bytes, read_into, read_json, sha256, write_together, write_whole};
pub use manifest::{Manifest, ManifestRun};
pub use names::model_names;
