//! Tells when an archive changed while it is open, by the sizes and times of what was read. Nothing is read
//! again, and looking is so seldom that it costs nothing to speak of.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::Session;
use crate::archive::{Batch, Catalog, registry, tasks};

/// How long to wait at least between two looks.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// A look may take this share of the time: one thousandth.
const SELDOM: u32 = 1000;

/// Looks at what a session was opened from.
#[derive(Debug)]
pub struct Watch {
    /// What is looked at beside batches: roots, tasks, registries, the campaign file.
    around: Vec<PathBuf>,
    seen: Seen,
    /// Something was written while the session was being opened: it may have been read half.
    stale: bool,
    cost: Duration,
}

/// What was seen at one look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    print: u64,
    latest: Option<SystemTime>,
}

impl Watch {
    /// Watches what a session was opened from, since it was opened.
    #[must_use]
    pub fn new(session: &Session) -> Self {
        let around = around(session);
        let start = Instant::now();
        let seen = look(session.catalog(), &around);
        let opened = session.opened();
        let stale = seen.latest.is_some_and(|latest| latest >= opened && latest <= SystemTime::now());
        Self { around, seen, stale, cost: start.elapsed() }
    }

    /// How long to wait before the next look.
    #[must_use]
    pub fn pause(&self) -> Duration {
        LOOK_EVERY.max(self.cost * SELDOM)
    }

    /// Looks: true if something was added, removed or written since the session was opened.
    pub fn changed(&mut self, session: &Session) -> bool {
        let start = Instant::now();
        let seen = look(session.catalog(), &self.around);
        self.cost = start.elapsed();
        self.stale || seen != self.seen
    }
}

/// Files and folders beside the batches.
fn around(session: &Session) -> Vec<PathBuf> {
    let mut around: Vec<PathBuf> = Vec::new();
    for path in session.paths() {
        around.extend([path.clone(), path.join("runs"), path.join("campaign.toml")]);
    }
    around.extend(session.campaign_file().map(Path::to_owned));
    for context in &session.catalog().contexts {
        let listed = context.tasks_dir.as_deref().map(tasks::list).unwrap_or_default();
        let ours = listed.into_iter().filter(|(id, _)| context.tasks.contains_key(id));
        for dir in ours.flat_map(|(_, dirs)| dirs) {
            around.extend([dir.join("damage.json"), dir.join("task.json"), dir]);
        }
        around.extend(context.tasks_dir.clone());
        if let Some(dir) = &context.registry_dir {
            around.extend(registry::find(dir).paths().map(Path::to_owned));
        }
    }
    around
}

fn look(catalog: &Catalog, around: &[PathBuf]) -> Seen {
    let mut eye = Eye { print: DefaultHasher::new(), latest: None };
    around.iter().for_each(|path| eye.see(path));
    catalog.batches.iter().for_each(|batch| eye.see_batch(batch));
    Seen { print: eye.print.finish(), latest: eye.latest }
}

struct Eye {
    print: DefaultHasher,
    latest: Option<SystemTime>,
}

impl Eye {
    fn see(&mut self, path: &Path) {
        let Ok(metadata) = fs::metadata(path) else {
            0u8.hash(&mut self.print);
            return;
        };
        let changed = metadata.modified().ok();
        // How large a folder is, is the file system's matter.
        (metadata.is_file().then_some(metadata.len()), changed).hash(&mut self.print);
        self.latest = self.latest.max(changed);
    }

    fn see_batch(&mut self, batch: &Batch) {
        self.see(&batch.path);
        if batch.path.is_dir() {
            self.see(&batch.path.join("manifest.json"));
            self.see(&batch.path.join("verdicts.jsonl"));
        } else {
            self.see(&batch.path.with_extension("manifest.json"));
        }
        let mut task: Option<&Path> = None;
        for run in &batch.runs {
            if run.dir.parent() != task {
                task = run.dir.parent();
                task.into_iter().for_each(|dir| self.see(dir));
            }
            self.see(&run.dir);
            for file in [&run.results, &run.post_seed, &run.final_state].into_iter().flatten() {
                self.see(file);
            }
        }
    }
}
