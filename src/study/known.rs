//! What was found before: in this process, for archives that grow while they are looked at, and in the cache.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::cache::{self, Cache, CacheFile, Found, Key, Reader, Seat, Stamps};
use super::label::{Labelled, in_run};
use super::texts::Texts;
use crate::archive::verdicts::VerdictFile;
use crate::archive::{Batch, Catalog, Limits, RunFiles};
use crate::model::Problem;

/// What was found before, by where it lies. Shared between workers, and between a session and the ones that
/// follow it.
#[derive(Debug)]
pub(super) struct Known {
    reader: Reader,
    cache: Option<Cache>,
    runs: Mutex<HashMap<i64, Remembered>>,
    files: Mutex<HashMap<PathBuf, (Stamps, VerdictFile)>>,
    texts: Mutex<Texts>,
    anew: AtomicUsize,
}

#[derive(Debug)]
struct Remembered {
    stamps: Stamps,
    rules: Key,
    labelled: Labelled,
}

/// What runs are judged by, and where batches really lie: what tells whether something known still holds.
#[derive(Debug, Default)]
pub(super) struct Ground {
    /// By context and task.
    rules: BTreeMap<(usize, String), Key>,
    /// By batch, links resolved.
    folders: Vec<Option<PathBuf>>,
}

impl Known {
    pub(super) fn new(cache: Option<&CacheFile>, limits: &Limits) -> Self {
        Self {
            reader: Reader::new(limits),
            cache: cache.map(|file| Cache::open(file, limits)),
            runs: Mutex::default(),
            files: Mutex::default(),
            texts: Mutex::default(),
            anew: AtomicUsize::new(0),
        }
    }

    /// What tells whether something known of a catalog's runs still holds.
    pub(super) fn ground(&self, catalog: &Catalog) -> Ground {
        let mut rules = BTreeMap::new();
        for (index, context) in catalog.contexts.iter().enumerate() {
            let registries: HashMap<&str, Key> = context
                .registries
                .iter()
                .map(|(domain, registry)| (domain.as_str(), self.reader.registry(registry)))
                .collect();
            for (id, task) in &context.tasks {
                let registry = registries.get(&*task.spec.domain.display());
                rules.insert((index, id.clone()), self.reader.rules(Some(task), registry));
            }
        }
        let folders = catalog.batches.iter().map(|batch| batch.path.canonicalize().ok()).collect();
        Ground { rules, folders }
    }

    /// What labelling a run finds, from what is known if it may be.
    pub(super) fn labelled(
        &self,
        ground: &Ground,
        (index, batch): (usize, &Batch),
        run: &RunFiles,
        label: impl FnOnce() -> Labelled,
    ) -> Labelled {
        let moment = SystemTime::now();
        let folder = ground.folders.get(index).and_then(Option::as_ref);
        let (Some(folder), Some(files)) = (folder, cache::files_of(run)) else { return label() };
        let label = || {
            self.anew.fetch_add(1, Ordering::Relaxed);
            label()
        };
        let place =
            cache::place(folder, files.iter().map(|path| path.strip_prefix(&batch.path).unwrap_or(path)));
        let stamps = Stamps::of(&files);
        let rules = ground.rules.get(&(batch.context, run.task.clone())).copied();
        let rules = rules.unwrap_or_else(|| self.reader.rules(None, None));
        if let Some(found) = self.remembered(place, &stamps, &rules) {
            return found;
        }
        let seat = Seat { place, files: &files, stamps: &stamps, rules: &rules, run, reader: self.reader };
        let found = match self.cache.as_ref().map(|cache| (cache, cache.run(&seat))) {
            None => label(),
            Some((_, Found::Labelled(found))) => {
                let problems = found.problems.into_iter();
                Labelled { problems: problems.map(|problem| in_run(problem, batch, run)).collect(), ..found }
            }
            Some((cache, Found::Unknown(digests))) => {
                let found = label();
                if Stamps::of(&files) == stamps {
                    cache.keep_run(&seat, &digests, &found, moment);
                }
                found
            }
        };
        let found = Labelled { state: lock(&self.texts).share(found.state), ..found };
        if stamps.are_settled(moment) {
            let labelled = found.clone();
            lock(&self.runs).insert(place, Remembered { stamps, rules, labelled });
        }
        found
    }

    fn remembered(&self, place: i64, stamps: &Stamps, rules: &Key) -> Option<Labelled> {
        let runs = lock(&self.runs);
        let known = runs.get(&place)?;
        (known.stamps == *stamps && known.rules == *rules).then(|| known.labelled.clone())
    }

    /// How many runs were labelled, since nothing was known of them.
    pub(super) fn anew(&self) -> usize {
        self.anew.load(Ordering::Relaxed)
    }

    /// A verdict file's content, from what is known if it may be.
    ///
    /// # Errors
    /// As [`VerdictFile::read`].
    pub(super) fn verdict_file(&self, path: &Path) -> Result<VerdictFile, Problem> {
        let moment = SystemTime::now();
        let stamps = Stamps::of(&[path.to_owned()]);
        if let Some((known, file)) = lock(&self.files).get(path)
            && *known == stamps
        {
            return Ok(file.clone());
        }
        let file = match &self.cache {
            Some(cache) => cache.verdict_file(path, self.reader)?,
            None => VerdictFile::read(path)?,
        };
        if stamps.are_settled(moment) {
            lock(&self.files).insert(path.to_owned(), (stamps, file.clone()));
        }
        Ok(file)
    }

    /// Writes to the cache what waits to be.
    pub(super) fn flush(&self) {
        if let Some(cache) = &self.cache {
            cache.flush();
        }
    }
}

/// A worker that died has left these whole: they are only changed in single steps.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::study::{Options, Session};

    #[test]
    fn another_labeler_believes_nothing() {
        let batch = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data/runs/20260302T091500Z_bff0a2");
        let dir = tempfile::tempdir().expect("a folder");
        let cache = CacheFile { path: dir.path().join("index.sqlite"), verify: false };
        let options = Options { cache: Some(cache), ..Options::default() };
        let open = |later: u32| {
            let mut session = Session::open(std::slice::from_ref(&batch), &options);
            session.change_known(|known| known.reader = known.reader.later(later));
            let runs = session.label_all().runs.len();
            (runs, session.labelled_anew())
        };
        let (runs, anew) = open(0);
        assert_eq!(anew, Some(runs));
        assert_eq!(open(0), (runs, Some(0)));
        assert_eq!(open(1), (runs, Some(runs)));
        assert_eq!(open(1), (runs, Some(0)));
        assert_eq!(open(0), (runs, Some(0)), "the other's entries are still there");
    }

    impl Session {
        fn change_known(&mut self, change: impl FnOnce(&mut Known)) {
            let catalog = self.catalog().clone();
            let (known, ground) = self.known.as_mut().expect("a cache");
            change(Arc::get_mut(known).expect("not shared yet"));
            *ground = known.ground(&catalog);
        }
    }
}
