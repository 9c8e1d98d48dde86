//! One run opened: all that the Run screen shows.

use std::path::PathBuf;
use std::sync::Arc;

use super::RunEntry;
use crate::damage::Evidence;
use crate::model::{Address, Problem, RunRecord, Task, Verdict};

/// One run with everything that could be read of it. What could not is `None`, with a problem that says
/// why.
#[derive(Clone, Debug)]
pub struct RunView {
    /// The entry it was opened from.
    pub entry: RunEntry,
    /// The address that opens it again.
    pub address: Address,
    /// Its task.
    pub task: Option<Arc<Task>>,
    /// Its results file.
    pub record: Option<RunRecord>,
    /// The verdict with its evidence, recomputed from the dumps.
    pub evidence: Option<Evidence>,
    /// The recorded verdict, where the archive has one.
    pub recorded: Option<Arc<Verdict>>,
    /// Where all this is from.
    pub provenance: Provenance,
    /// What went wrong.
    pub problems: Vec<Problem>,
}

/// Where a run comes from: files with their hashes, batch, settings.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// Name (`results`, `post-seed dump`, …), path and sha256 of each file read.
    pub files: Vec<(String, PathBuf, String)>,
    /// Batch id, model name in full, settings, times: label and value.
    pub facts: Vec<(String, String)>,
}

impl RunView {
    /// The verdict shown: the recomputed one if there is one, else the recorded one.
    #[must_use]
    pub fn verdict(&self) -> Option<&Verdict> {
        self.evidence.as_ref().map(|evidence| &evidence.verdict).or(self.recorded.as_deref())
    }
}
