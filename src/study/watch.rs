//! Tells when an archive changed while it is open, by the sizes and times of what was read. Nothing is read
//! again, and looking takes at most a hundredth of the time.
//!
//! Every look is at the folders where something new would appear, at what lies beside the runs, and at the
//! runs that were written to of late: those are the ones that grow. The others are looked at in turn, some at
//! a time, so that a look at a hundred thousand runs costs no more than one at a few thousand.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use super::Session;
use super::cache::{STEP, dump_files};
use crate::archive::{Batch, RunFiles, registry, tasks};

/// How long to wait at least between two looks.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// A look may take this share of the time: one hundredth.
const SELDOM: u32 = 100;

/// And opening an archive again that keeps changing, this one: a tenth. The first look waits for that.
const REOPEN_SELDOM: u32 = 10;

/// Runs that are looked at in turn, at one look.
const IN_TURN: usize = 500;

/// How long a run that was written to is looked at every time.
const OF_LATE: Duration = Duration::from_secs(600);

/// Looks at what a session was opened from.
#[derive(Debug)]
pub struct Watch {
    session: Arc<Session>,
    /// What is looked at every time, beside runs.
    near: Vec<PathBuf>,
    near_seen: u64,
    runs: Vec<Seen>,
    /// Places in `runs`, rising, and until when they are looked at every time.
    of_late: Vec<(usize, SystemTime)>,
    /// The run whose turn it is.
    next: usize,
    /// Something was written while the session was being opened: it may have been read half.
    stale: bool,
    /// What the last look took.
    cost: Duration,
    /// What opening took, until the first look.
    reopening: Duration,
}

/// A run, and what was seen of it when the watch began.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// Index into the catalog's batches.
    batch: u32,
    /// Index into the batch's runs.
    run: u32,
    print: u64,
}

impl Watch {
    /// Watches what a session was opened from, since it was opened.
    #[must_use]
    pub fn new(session: &Arc<Session>) -> Self {
        let opened = session.opened();
        let near = near(session);
        let eye = Eye::on(&near);
        // Times are told in steps.
        let is_stale = |eye: &Eye| eye.latest.is_some_and(|written| written + STEP >= opened);
        let (mut stale, near_seen) = (is_stale(&eye), eye.print.finish());
        let (mut runs, mut of_late) = (Vec::new(), Vec::new());
        for (batch, of_batch) in session.catalog().batches.iter().enumerate() {
            for (run, files) in of_batch.runs.iter().enumerate() {
                let eye = Eye::on(&of_run(files));
                stale |= is_stale(&eye);
                of_late.extend(eye.until().map(|until| (runs.len(), until)));
                runs.push(Seen { batch: batch as u32, run: run as u32, print: eye.print.finish() });
            }
        }
        let reopening = opened.elapsed().unwrap_or_default();
        Self {
            session: Arc::clone(session),
            near,
            near_seen,
            runs,
            of_late,
            next: 0,
            stale,
            cost: Duration::ZERO,
            reopening,
        }
    }

    /// How long to wait before the next look.
    #[must_use]
    pub fn pause(&self) -> Duration {
        LOOK_EVERY.max(self.cost * SELDOM).max(self.reopening * REOPEN_SELDOM)
    }

    /// Looks: true if something was added, removed or written since the session was opened. A run that nobody
    /// wrote to for a while may have to wait for its turn.
    pub fn changed(&mut self) -> bool {
        let start = Instant::now();
        let changed = self.stale || self.near_changed() || self.runs_changed();
        self.cost = start.elapsed();
        self.reopening = Duration::ZERO;
        changed
    }

    /// How many looks it takes until every run was looked at.
    #[must_use]
    pub fn round(&self) -> usize {
        self.runs.len().div_ceil(IN_TURN).max(1)
    }

    fn near_changed(&self) -> bool {
        Eye::on(&self.near).print.finish() != self.near_seen
    }

    fn runs_changed(&mut self) -> bool {
        let now = SystemTime::now();
        self.of_late.retain(|(_, until)| *until > now);
        let turn = self.next..self.runs.len().min(self.next + IN_TURN);
        self.next = if turn.end == self.runs.len() { 0 } else { turn.end };
        let is_of_late = |run: &usize| self.of_late.binary_search_by_key(run, |(run, _)| *run).is_ok();
        let in_turn = turn.filter(|run| !is_of_late(run));
        self.of_late.iter().map(|(run, _)| *run).chain(in_turn).any(|run| self.run_changed(run))
    }

    fn run_changed(&self, run: usize) -> bool {
        let Some(seen) = self.runs.get(run) else { return false };
        let batch = self.session.catalog().batches.get(seen.batch as usize);
        let files = batch.and_then(|batch| batch.runs.get(seen.run as usize));
        files.is_some_and(|files| Eye::on(&of_run(files)).print.finish() != seen.print)
    }
}

/// Folders, and files beside the runs.
fn near(session: &Session) -> Vec<PathBuf> {
    let catalog = session.catalog();
    let mut near = catalog.folders(session.paths());
    near.extend(session.paths().iter().map(|path| path.join("campaign.toml")));
    near.extend(session.campaign_file().map(ToOwned::to_owned));
    near.extend(catalog.batches.iter().flat_map(beside));
    for context in &catalog.contexts {
        let tasks = context.tasks_dir.as_deref().map(tasks::list).unwrap_or_default();
        for dir in tasks.into_values().flatten() {
            near.extend([dir.join("damage.json"), dir.join("task.json")]);
        }
        if let Some(dir) = &context.registry_dir {
            near.extend(registry::find(dir).paths().map(ToOwned::to_owned));
            near.push(dir.clone());
        }
    }
    near
}

/// What lies beside a batch's runs.
fn beside(batch: &Batch) -> Vec<PathBuf> {
    if batch.path.is_dir() {
        vec![batch.path.clone(), batch.path.join("manifest.json"), batch.path.join("verdicts.jsonl")]
    } else {
        vec![batch.path.clone(), batch.path.with_extension("manifest.json")]
    }
}

/// A run's folder and files.
fn of_run(run: &RunFiles) -> Vec<PathBuf> {
    let mut paths = vec![run.dir.clone()];
    paths.extend(run.results.clone());
    paths.extend([&run.post_seed, &run.final_state].into_iter().flatten().flat_map(|dump| dump_files(dump)));
    paths
}

/// What is seen at one look.
#[derive(Default)]
struct Eye {
    print: DefaultHasher,
    latest: Option<SystemTime>,
}

impl Eye {
    fn on(paths: &[PathBuf]) -> Self {
        let mut eye = Self::default();
        paths.iter().for_each(|path| eye.see(path));
        eye
    }

    fn see(&mut self, path: &Path) {
        let Ok(metadata) = fs::metadata(path) else {
            0u8.hash(&mut self.print);
            return;
        };
        let changed = metadata.modified().ok();
        // How large a folder is, is the file system's matter.
        (metadata.is_file().then_some(metadata.len()), changed).hash(&mut self.print);
        // A clock that ran ahead says nothing.
        self.latest = self.latest.max(changed.filter(|changed| *changed <= SystemTime::now()));
    }

    /// Until when it is looked at every time, if it was written to of late.
    fn until(&self) -> Option<SystemTime> {
        let until = self.latest? + OF_LATE;
        (until > SystemTime::now()).then_some(until)
    }
}
