//! An opened set of archives: labels in the background, opens runs on demand.

use std::path::PathBuf;
use std::sync::Arc;

use super::{RunView, Study};

/// How to open archives.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where tasks are, instead of in the archive or its ancestors.
    pub tasks: Option<PathBuf>,
    /// Where registries are, instead of in the archive or its ancestors.
    pub registry: Option<PathBuf>,
    /// Only these batches.
    pub batches: Vec<String>,
}

/// Opened archives. Shared between threads; everything it does is read-only.
#[derive(Debug)]
pub struct Session {
    initial: Arc<Study>,
}

impl Session {
    /// Finds what there is at `paths`: directory listings and small files only, so it returns at once.
    #[must_use]
    pub fn open(_paths: &[PathBuf], _options: &Options) -> Self {
        Self { initial: Arc::default() }
    }

    /// The study before labelling: every run is listed, recorded verdicts of released files are in place.
    #[must_use]
    pub fn study(&self) -> Arc<Study> {
        Arc::clone(&self.initial)
    }

    /// Labels every run that has dumps, on as many threads as the machine has, and hands over snapshots as
    /// it goes (at most some tens a second; the last one is complete). Returns when done, or soon after
    /// `update` has returned `false`.
    pub fn label(&self, update: &mut dyn FnMut(Arc<Study>) -> bool) {
        update(self.study());
    }

    /// Opens one run of a snapshot of this session: reads its files, so call it off the UI thread.
    #[must_use]
    pub fn view(&self, _study: &Study, _run: usize) -> Option<RunView> {
        None
    }
}
