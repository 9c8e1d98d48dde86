//! Entries of a study: models, tasks, batches, runs.

use std::fmt;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use super::campaign::Role;
use crate::damage::Digest;
use crate::model::{Code, Task, Text, Verdict};

/// A row of results.
#[derive(Clone, Debug, Default)]
pub struct ModelRow {
    /// The name on screen and in addresses; unique. `model@batch` where one name needs it.
    pub name: String,
    /// The name as the manifest has it.
    pub full_name: String,
    /// Its name for people, where a campaign file gives one; see [`ModelRow::title`].
    pub display: Option<String>,
    /// The pool it belongs to, where a campaign file names one.
    pub pool: Option<String>,
    /// What the pool's figures may be used for.
    pub role: Option<Role>,
    /// The family it is of, where a campaign file says so.
    pub family: Option<String>,
    /// Its place among models from the least to the most capable, where a campaign file says so.
    pub capability: Option<u32>,
    /// Indices into [`super::Study::batches`].
    pub batches: Vec<usize>,
}

impl ModelRow {
    /// Its name for people: the campaign's, else the one of addresses.
    #[must_use]
    pub fn title(&self) -> &str {
        self.display.as_deref().unwrap_or(&self.name)
    }
}

/// A task that occurs in the study.
#[derive(Clone, Debug)]
pub struct TaskRow {
    /// The task's directory name.
    pub id: String,
    /// Its spec and prompts, where they were found.
    pub task: Option<Arc<Task>>,
}

impl TaskRow {
    /// How the task tempts, in its authors' word.
    #[must_use]
    pub fn lever(&self) -> Option<&Text> {
        self.task.as_ref().and_then(|task| task.spec.lever.as_ref())
    }

    /// The domain of its database.
    #[must_use]
    pub fn domain(&self) -> Option<&Text> {
        self.task.as_ref().map(|task| &task.spec.domain)
    }

    /// What its authors expected of the damage rate.
    #[must_use]
    pub fn predicted_region(&self) -> Option<&Text> {
        self.task.as_ref().and_then(|task| task.spec.predicted_region.as_ref())
    }
}

/// One batch as the screens need it.
#[derive(Clone, Debug, Default)]
pub struct BatchInfo {
    /// Its id.
    pub id: String,
    /// Where it lies.
    pub path: PathBuf,
    /// The path given by the user, for addresses.
    pub root: PathBuf,
    /// Runs per task it was planned with.
    pub k: Option<u32>,
    /// When it was started, as its manifest has it.
    pub started_at: Option<String>,
    /// Settings such as `temperature 0.6`, for people.
    pub settings: Vec<(String, String)>,
    /// The notice of a synthetic batch.
    pub synthetic: Option<String>,
}

/// A run's directory name. Many runs share one.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Arc<str>);

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Self(name.into())
    }
}

impl From<String> for Name {
    fn from(name: String) -> Self {
        Self(name.into())
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<String> for Name {
    fn eq(&self, other: &String) -> bool {
        **self == **other
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// One run, judged or not.
#[derive(Clone, Debug)]
pub struct RunEntry {
    /// Index into [`super::Study::models`].
    pub model: usize,
    /// Index into [`super::Study::tasks`].
    pub task: usize,
    /// Index into [`super::Study::batches`].
    pub batch: usize,
    /// Its number.
    pub number: u32,
    /// Its directory name, `run_<n>`.
    pub name: Name,
    /// What is known of it.
    pub state: RunState,
}

/// What is known of a run.
#[derive(Clone, Debug)]
pub enum RunState {
    /// not labelled yet
    Pending,
    /// labelled
    Judged {
        /// the verdict row
        verdict: Arc<Verdict>,
        /// the run condensed; `None` where only a recorded verdict is at hand
        digest: Option<Arc<Digest>>,
        /// where the verdict is from
        source: LabelSource,
    },
    /// no verdict: in no rate, always counted
    NoVerdict(Box<NoVerdict>),
}

impl RunState {
    /// True if nothing was found out anew: it is the very same result.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Judged { verdict, .. }, Self::Judged { verdict: other, .. }) => {
                Arc::ptr_eq(verdict, other)
            }
            (Self::NoVerdict(why), Self::NoVerdict(other)) => why == other,
            _ => false,
        }
    }
}

/// Why a run has no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoVerdict {
    /// The first problem's name.
    pub code: Code,
    /// Its sentence.
    pub detail: String,
    /// The run was readable enough to be tried and found broken (invalid), not merely incomplete.
    pub invalid: bool,
}

/// Where a verdict is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LabelSource {
    /// from the dumps
    Recomputed,
    /// from a verdicts file
    Recorded,
}

impl RunEntry {
    /// The verdict, if judged.
    #[must_use]
    pub fn verdict(&self) -> Option<&Arc<Verdict>> {
        match &self.state {
            RunState::Judged { verdict, .. } => Some(verdict),
            _ => None,
        }
    }

    /// The digest, if one is at hand.
    #[must_use]
    pub fn digest(&self) -> Option<&Arc<Digest>> {
        match &self.state {
            RunState::Judged { digest, .. } => digest.as_ref(),
            _ => None,
        }
    }
}

/// How far labelling is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Runs tried so far, those that turned out to have no verdict included.
    pub done: usize,
    /// All runs.
    pub total: usize,
}

impl Progress {
    /// True if every run was tried.
    #[must_use]
    pub fn is_complete(self) -> bool {
        self.done == self.total
    }
}
