//! The index cache: what labelling found, kept in one SQLite file in the user's cache folder, so that an
//! archive that was labelled reopens at once.
//!
//! An entry is what was found in one run, or read from one verdict file. It is kept under a key of all it
//! depends on (`key`): the contents of results and dumps, the spec and registry, and who labelled. Where a
//! file lies, and its size and time when it was read (`stamp`), only save reading it again; with
//! [`CacheFile::verify`] every file is read and its digest compared. Entries carry a checksum. Whatever does not
//! fit is labelled anew and replaced: the cache can be slow, never wrong. Archives are not written to.
//!
//! | table | holds |
//! | --- | --- |
//! | `place` | where files lie (a hash of their paths) → stamps and digests when last read |
//! | `entry` | key → all but the verdicts: call strip, facts, problems; checksum |
//! | `verdict` | one row of small integers a verdict |
//! | `detail` | deltas and dollars, of the verdicts that have any |
//! | `word` | names of tasks and runs |

mod key;
mod rows;
mod stamp;
mod store;
mod stored;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

pub(super) use key::{Key, Reader, place};
pub(super) use stamp::{STEP, Stamps, dump_files, files_of};
pub use store::Stat;

use super::label::Labelled;
use super::seeds::Print;
use super::{LabelSource, NoVerdict, RunState};
use crate::archive::verdicts::VerdictFile;
use crate::archive::{Limits, RunFiles};
use crate::damage::Digest;
use crate::model::{Code, Level, Place, Problem};
use store::{Entry, Fresh, Store};
use stored::{Source, Stored, bytes_of, record};

/// How long results may wait to be written: what is lost if the process is killed.
const WRITE_EVERY: Duration = Duration::from_secs(2);

/// How many results may wait.
const MOST_WAITING: usize = 512;

/// The most rows of a verdict file that is kept.
const MOST_ROWS: usize = 1 << 24;

/// A cache to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheFile {
    /// The file.
    pub path: PathBuf,
    /// Read every file and compare its digest, instead of trusting size and time.
    pub verify: bool,
}

impl CacheFile {
    /// The user's: `gainsay/index.sqlite` in `$XDG_CACHE_HOME`, else in `~/.cache`. `GAINSAY_CACHE` names
    /// another file. `None` where there is neither.
    #[must_use]
    pub fn of_user(verify: bool) -> Option<Self> {
        let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = || {
            let cache = named("XDG_CACHE_HOME").filter(|path| path.is_absolute());
            cache.or_else(|| Some(named("HOME")?.join(".cache")))
        };
        let path = named("GAINSAY_CACHE").or_else(|| Some(folder()?.join("gainsay/index.sqlite")))?;
        Some(Self { path, verify })
    }

    /// How much is in it.
    #[must_use]
    pub fn stat(&self) -> Stat {
        if self.path.exists() { Store::open(&self.path).stat() } else { Stat::default() }
    }

    /// Removes it.
    pub fn clear(&self) {
        store::remove(&self.path);
    }
}

/// The open cache. Shared by workers.
#[derive(Debug)]
pub(super) struct Cache {
    store: Mutex<Store>,
    waiting: Mutex<Waiting>,
    verify: bool,
    limits: Limits,
}

#[derive(Debug)]
struct Waiting {
    runs: Vec<Fresh>,
    /// Verdict files are large: they are written when all else is done.
    files: Vec<Fresh>,
    since: Instant,
}

/// A run where it lies.
pub(super) struct Seat<'a> {
    pub(super) place: i64,
    /// See [`files_of`].
    pub(super) files: &'a [PathBuf],
    pub(super) stamps: &'a Stamps,
    pub(super) rules: &'a Key,
    pub(super) run: &'a RunFiles,
    pub(super) reader: Reader,
}

/// What is known of a run: all, or what it is to be kept under.
pub(super) enum Found {
    Labelled(Labelled),
    Unknown(Vec<Option<Key>>),
}

/// Stamps and digests of files when they were last read.
struct Read {
    stamps: Vec<Option<stamp::Stamp>>,
    digests: Vec<Option<Key>>,
}

record!(Read { stamps, digests });

/// All that labelling a run found, its verdict aside.
struct RunBody {
    digest: Option<Digest>,
    no_verdict: Option<NoVerdict>,
    post_seed: Option<Print>,
    problems: Vec<Noted>,
}

record!(RunBody { digest, no_verdict, post_seed, problems });

/// All that reading a verdict file found, its rows aside.
struct FileBody {
    sha256: String,
    lines: usize,
    problems: Vec<Noted>,
}

record!(FileBody { sha256, lines, problems });

/// A problem, with its path as one of a list: the archive may lie elsewhere next time.
struct Noted {
    level: Level,
    code: Code,
    path: usize,
    place: Place,
    detail: String,
}

record!(Noted { level, code, path, place, detail });

impl Noted {
    /// `None` if the problem is about another path, or says one.
    fn all(problems: &[Problem], paths: &[&Path]) -> Option<Vec<Self>> {
        let note = |problem: &Problem| {
            let path = paths.iter().position(|path| *path == problem.path)?;
            let says_it = paths.first().is_some_and(|dir| problem.detail.contains(&*dir.to_string_lossy()));
            (!says_it).then(|| Self {
                level: problem.level,
                code: problem.code,
                path,
                place: (*problem.place).clone(),
                detail: problem.detail.clone(),
            })
        };
        problems.iter().map(note).collect()
    }

    fn back(self, paths: &[&Path]) -> Option<Problem> {
        let Self { level, code, path, place, detail } = self;
        Some(Problem { level, code, path: paths.get(path)?.to_path_buf(), place: Box::new(place), detail })
    }
}

impl Stored for stamp::Stamp {
    fn put(&self, out: &mut Vec<u8>) {
        self.size.put(out);
        self.changed.put(out);
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        Some(Self { size: u64::take(from)?, changed: i64::take(from)? })
    }
}

impl Stored for Key {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend(self);
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        from.chunk()
    }
}

impl Cache {
    pub(super) fn open(file: &CacheFile, limits: &Limits) -> Self {
        Self {
            store: Mutex::new(Store::open(&file.path)),
            waiting: Mutex::new(Waiting { runs: Vec::new(), files: Vec::new(), since: Instant::now() }),
            verify: file.verify,
            limits: *limits,
        }
    }

    /// What was found in a run, if that was kept.
    pub(super) fn run(&self, seat: &Seat<'_>) -> Found {
        let (digests, is_known_place) = self.digests(seat.place, seat.files, seat.stamps);
        let key = seat.reader.run(seat.rules, seat.run, &digests);
        let mut store = lock(&self.store);
        let labelled = store.entry(&key).and_then(|entry| labelled(&entry, seat.run, &mut store));
        drop(store);
        match labelled {
            Some(labelled) => {
                if !is_known_place {
                    self.keep(seat, &digests, None, SystemTime::now());
                }
                Found::Labelled(labelled)
            }
            None => {
                lock(&self.store).rest();
                Found::Unknown(digests)
            }
        }
    }

    /// Keeps what was found in a run, all of whose files had their stamps at `moment`.
    pub(super) fn keep_run(
        &self,
        seat: &Seat<'_>,
        digests: &[Option<Key>],
        found: &Labelled,
        moment: SystemTime,
    ) {
        let entry = entry(found, seat.run);
        if entry.is_some() {
            self.keep(seat, digests, entry, moment);
        }
    }

    fn keep(&self, seat: &Seat<'_>, digests: &[Option<Key>], entry: Option<Entry>, moment: SystemTime) {
        if !seat.stamps.are_settled(moment) {
            return;
        }
        let read = Read { stamps: seat.stamps.0.clone(), digests: digests.to_vec() };
        let key = seat.reader.run(seat.rules, seat.run, digests);
        let fresh = Fresh { place: (seat.place, bytes_of(&read)), entry: entry.map(|entry| (key, entry)) };
        let mut waiting = lock(&self.waiting);
        waiting.runs.push(fresh);
        if waiting.runs.len() >= MOST_WAITING || waiting.since.elapsed() >= WRITE_EVERY {
            let runs = std::mem::take(&mut waiting.runs);
            waiting.since = Instant::now();
            drop(waiting);
            lock(&self.store).keep(&runs);
        }
    }

    /// Digests of files: those on record if size and time are, and whether all are.
    fn digests(&self, place: i64, files: &[PathBuf], stamps: &Stamps) -> (Vec<Option<Key>>, bool) {
        let known = {
            let mut store = lock(&self.store);
            let bytes = store.place(place);
            bytes.and_then(|bytes| Source::new(&bytes, store.words()).whole::<Read>())
        };
        match known {
            Some(known) if !self.verify && known.stamps == stamps.0 => (known.digests, true),
            known => {
                let digests = key::digests(files, &self.limits);
                let is_known =
                    known.is_some_and(|known| known.stamps == stamps.0 && known.digests == digests);
                (digests, is_known)
            }
        }
    }

    /// A verdict file's content, if that was kept; else it is read and kept.
    ///
    /// # Errors
    /// As [`VerdictFile::read`].
    pub(super) fn verdict_file(&self, path: &Path, reader: Reader) -> Result<VerdictFile, Problem> {
        let Ok(real) = path.canonicalize() else { return VerdictFile::read(path) };
        let files = [path.to_owned()];
        let place = key::place(&real, []);
        let moment = SystemTime::now();
        let stamps = Stamps::of(&files);
        let (digests, is_known_place) = self.digests(place, &files, &stamps);
        let [Some(digest)] = digests.as_slice() else { return VerdictFile::read(path) };
        let key = reader.file(digest);
        let mut store = lock(&self.store);
        let known = store.entry(&key).and_then(|entry| verdict_file(entry, path, &mut store));
        drop(store);
        let is_known = known.is_some();
        let file = match known {
            Some(file) => file,
            None => VerdictFile::read(path)?,
        };
        let is_same = Stamps::of(&files) == stamps && stamps.are_settled(moment);
        if is_same && !(is_known && is_known_place) && file.rows.len() < MOST_ROWS {
            let entry = (!is_known).then(|| file_entry(&file, path)).flatten();
            if is_known || entry.is_some() {
                let read = bytes_of(&Read { stamps: stamps.0, digests });
                let entry = entry.map(|entry| (key, entry));
                lock(&self.waiting).files.push(Fresh { place: (place, read), entry });
            }
        }
        Ok(file)
    }

    /// Writes what waits.
    pub(super) fn flush(&self) {
        let waiting = {
            let mut waiting = lock(&self.waiting);
            [std::mem::take(&mut waiting.runs), std::mem::take(&mut waiting.files)]
        };
        let mut store = lock(&self.store);
        store.rest();
        for all in waiting.iter().filter(|all| !all.is_empty()) {
            store.keep(all);
        }
    }
}

/// A worker that died has left these whole: the file by its transactions, the list by single steps.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The paths a run's problems may be about; the first is its folder.
fn paths_of(run: &RunFiles) -> Vec<&Path> {
    let files = [&run.results, &run.post_seed, &run.final_state];
    std::iter::once(run.dir.as_path()).chain(files.into_iter().flatten().map(PathBuf::as_path)).collect()
}

/// `None` for what is not to be kept.
fn entry(found: &Labelled, run: &RunFiles) -> Option<Entry> {
    let (verdicts, digest, no_verdict) = match &found.state {
        RunState::Judged { verdict, digest, source: LabelSource::Recomputed } => {
            (vec![Arc::clone(verdict)], digest.as_deref().cloned(), None)
        }
        RunState::NoVerdict(why) => (Vec::new(), None, Some((**why).clone())),
        _ => return None,
    };
    let problems = Noted::all(&found.problems, &paths_of(run))?;
    let body = RunBody { digest, no_verdict, post_seed: found.post_seed.clone(), problems };
    Some(Entry { body: bytes_of(&body), verdicts })
}

fn labelled(entry: &Entry, run: &RunFiles, store: &mut Store) -> Option<Labelled> {
    let RunBody { digest, no_verdict, post_seed, problems } =
        Source::new(&entry.body, store.words()).whole()?;
    let state = match (entry.verdicts.as_slice(), no_verdict) {
        ([verdict], None) => RunState::Judged {
            verdict: Arc::clone(verdict),
            digest: digest.map(Arc::new),
            source: LabelSource::Recomputed,
        },
        ([], Some(why)) => RunState::NoVerdict(Box::new(why)),
        _ => return None,
    };
    let paths = paths_of(run);
    let problems = problems.into_iter().map(|noted| noted.back(&paths)).collect::<Option<_>>()?;
    Some(Labelled { state, post_seed, problems })
}

fn file_entry(file: &VerdictFile, path: &Path) -> Option<Entry> {
    let problems = Noted::all(&file.problems, &[path])?;
    let body = FileBody { sha256: file.sha256.clone(), lines: file.lines, problems };
    Some(Entry { body: bytes_of(&body), verdicts: file.rows.to_vec() })
}

fn verdict_file(entry: Entry, path: &Path, store: &mut Store) -> Option<VerdictFile> {
    let FileBody { sha256, lines, problems } = Source::new(&entry.body, store.words()).whole()?;
    let problems = problems.into_iter().map(|noted| noted.back(&[path])).collect::<Option<_>>()?;
    Some(VerdictFile { sha256, lines, rows: entry.verdicts.into(), problems })
}
