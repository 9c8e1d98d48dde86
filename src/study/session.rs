//! An opened set of archives: labels in the background, opens runs on demand.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::build::{self, Source};
use super::cache::CacheFile;
use super::checks::{self, PostSeeds};
use super::known::{Ground, Known};
use super::label::{self, Labeler, Labelled};
use super::seeds::Seeds;
use super::states::Buffers;
use super::texts::Texts;
use super::{RunState, RunView, Study, campaign, view, walk};
use crate::archive::{self, Batch, BatchKind, Catalog, Limits, RunFiles};
use crate::model::{Address, Problem};

/// How long to wait at least between two snapshots: often enough to look alive.
const SNAPSHOT_EVERY: Duration = Duration::from_millis(60);

/// How long a worker gathers results before it hands them over.
const HAND_OVER_EVERY: Duration = Duration::from_millis(5);

/// How many times the time one took, so that those of large studies cost a small share as well.
const SNAPSHOT_SHARE: u32 = 20;

/// How long an archive that changed may take to be labelled before its progress is shown.
const REOPENED_WITHIN: Duration = Duration::from_secs(5);

/// How to open archives.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where tasks are, instead of in the archive or its ancestors.
    pub tasks: Option<PathBuf>,
    /// Where registries are, instead of in the archive or its ancestors.
    pub registry: Option<PathBuf>,
    /// Only these batches; all if empty.
    pub batches: Vec<String>,
    /// The campaign file; if not given, the `campaign.toml` at the archive's root holds.
    pub campaign: Option<PathBuf>,
    /// Find verdicts only: no digests, facts and contradictions.
    pub verdicts_only: bool,
    /// Parse every dump whole instead of comparing bytes first. The result is the same.
    pub slow_path: bool,
    /// How much may be held of one file.
    pub limits: Limits,
    /// Where results are kept between sessions, if anywhere.
    pub cache: Option<CacheFile>,
    /// The session will be opened again whenever something changed: results are kept in memory for that.
    pub watch: bool,
}

/// Opened archives. Shared between threads; everything it does is read-only.
#[derive(Debug)]
pub struct Session {
    catalog: Catalog,
    limits: Limits,
    seeds: Seeds,
    slow_path: bool,
    verdicts_only: bool,
    pub(super) known: Option<(Arc<Known>, Ground)>,
    /// What it was opened with.
    paths: Vec<PathBuf>,
    options: Options,
    campaign_file: Option<PathBuf>,
    opened: SystemTime,
    sources: Vec<Source>,
    initial: Arc<Study>,
    /// Problems known before labelling.
    listed: Vec<Problem>,
}

impl Session {
    /// Finds what there is at `paths`: directory listings and small files only, so it returns at once.
    #[must_use]
    pub fn open(paths: &[PathBuf], options: &Options) -> Self {
        let keeps = options.cache.is_some() || options.watch;
        let known = keeps.then(|| Arc::new(Known::new(options.cache.as_ref(), &options.limits)));
        Self::open_with(paths, options, known, 0)
    }

    /// The same once more, since something there changed. What did not is known, so this is quick.
    #[must_use]
    pub fn reopened(&self) -> Self {
        let known = self.known.as_ref().map(|(known, _)| Arc::clone(known));
        Self::open_with(&self.paths, &self.options, known, self.initial.opening + 1)
    }

    fn open_with(paths: &[PathBuf], options: &Options, known: Option<Arc<Known>>, opening: usize) -> Self {
        let opened = SystemTime::now();
        let limits = options.limits;
        let places =
            archive::Options { tasks: options.tasks.clone(), registry: options.registry.clone(), limits };
        let mut catalog = match &known {
            Some(known) => archive::discover_with(paths, &places, &|path| known.verdict_file(path)),
            None => archive::discover(paths, &places),
        };
        if !options.batches.is_empty() {
            let wanted = |batch: &Batch| {
                options.batches.iter().any(|id| batch.id == *id || batch.id.ends_with(&format!("_{id}")))
            };
            catalog.batches.retain(wanted);
        }
        let located = campaign::locate(options.campaign.as_deref(), paths);
        let campaign_file = located.as_ref().ok().cloned().flatten();
        let (campaign, faults) = match located {
            Ok(None) => (None, Vec::new()),
            Ok(Some(file)) => campaign::read(&file),
            Err(problem) => (None, vec![problem]),
        };
        let (mut study, sources) = build::build(&catalog, build::title(paths), campaign);
        let mut listed = std::mem::take(&mut study.problems);
        listed.extend(faults);
        listed.extend(catalog.batches.iter().flat_map(checks::listing));
        build::refresh(&mut study, listed.clone());
        study.opening = opening;
        Self {
            paths: paths.to_vec(),
            options: options.clone(),
            campaign_file,
            opened,
            slow_path: options.slow_path,
            verdicts_only: options.verdicts_only,
            known: known.map(|known| (Arc::clone(&known), known.ground(&catalog))),
            catalog,
            limits,
            seeds: Seeds::new(limits),
            sources,
            initial: Arc::new(study),
            listed,
        }
    }

    /// The study before labelling: every run is listed, recorded verdicts of released files are in place.
    #[must_use]
    pub fn study(&self) -> Arc<Study> {
        Arc::clone(&self.initial)
    }

    /// When it was opened.
    pub(super) fn opened(&self) -> SystemTime {
        self.opened
    }

    /// The paths it was opened with.
    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// The campaign file that holds, if any.
    #[must_use]
    pub fn campaign_file(&self) -> Option<&Path> {
        self.campaign_file.as_deref()
    }

    /// What was found, file by file.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Labels every run that has dumps, on as many threads as the machine has, and hands over snapshots as
    /// it goes (at most some tens a second; the last one is complete). Returns when done, or soon after
    /// `update` has returned `false`.
    pub fn label(&self, update: &mut dyn FnMut(Arc<Study>) -> bool) {
        self.label_on(thread::available_parallelism().map_or(1, NonZero::get), update);
    }

    /// [`Session::label`] on a stated number of threads. The last snapshot does not depend on it.
    pub fn label_on(&self, threads: usize, update: &mut dyn FnMut(Arc<Study>) -> bool) {
        let jobs: Vec<usize> = self.pending();
        let next = AtomicUsize::new(0);
        let stop = AtomicBool::new(false);
        let labeler = Labeler {
            catalog: &self.catalog,
            limits: &self.limits,
            seeds: &self.seeds,
            slow_path: self.slow_path,
            verdicts_only: self.verdicts_only,
        };
        thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for _ in 0..threads.clamp(1, jobs.len().max(1)) {
                let sender = sender.clone();
                let (jobs, next, stop) = (&jobs, &next, &stop);
                scope.spawn(move || {
                    let next = || jobs.get(next.fetch_add(1, Ordering::Relaxed)).copied();
                    let runs = std::iter::from_fn(next).take_while(|_| !stop.load(Ordering::Relaxed));
                    self.work(labeler, runs, &sender);
                });
            }
            drop(sender);
            if jobs.is_empty() {
                found_ahead(&self.initial);
                update(self.study());
            } else {
                self.collect(&results, update);
            }
            stop.store(true, Ordering::Relaxed);
        });
        if let Some((known, _)) = &self.known {
            known.flush();
        }
    }

    /// Labels runs one after the other. What is done is handed over some hundred times a second, the first one
    /// at once: to wake the other side for every run takes longer than to label a small one.
    fn work(
        &self,
        labeler: Labeler<'_>,
        runs: impl Iterator<Item = usize>,
        sender: &mpsc::Sender<Vec<(usize, Labelled)>>,
    ) {
        let mut buffers = Buffers::default();
        let mut done = Vec::new();
        let mut handed_over: Option<Instant> = None;
        for run in runs {
            let Some((source, batch, files)) = self.files(run) else { continue };
            let mut label = || labeler.label(batch, files, &mut buffers);
            let mut labelled = match &self.known {
                Some((known, ground)) => known.labelled(ground, (source.batch(), batch), files, label),
                None => label(),
            };
            labelled.problems.extend(label::verdict_drift(batch, files, &labelled));
            done.push((run, labelled));
            if handed_over.is_none_or(|at| at.elapsed() >= HAND_OVER_EVERY) {
                if sender.send(std::mem::take(&mut done)).is_err() {
                    return;
                }
                handed_over = Some(Instant::now());
            }
        }
        // Nobody listens if nobody wants to know.
        let _ = sender.send(done);
    }

    /// Labels all and gives the complete study.
    #[must_use]
    pub fn label_all(&self) -> Arc<Study> {
        let mut last = self.study();
        self.label(&mut |study| {
            last = study;
            true
        });
        last
    }

    fn collect(
        &self,
        results: &mpsc::Receiver<Vec<(usize, Labelled)>>,
        update: &mut dyn FnMut(Arc<Study>) -> bool,
    ) {
        let mut study = (*self.initial).clone();
        let mut problems = self.listed.clone();
        let mut post_seeds = PostSeeds::default();
        let mut texts = Texts::default();
        // Opened again, nearly all is known: what is on screen stays until all is.
        let first = if self.initial.opening > 0 { REOPENED_WITHIN } else { SNAPSHOT_EVERY };
        let (mut shown, mut pause) = (Instant::now(), first);
        for (run, labelled) in results.iter().flatten() {
            problems.extend(labelled.problems);
            if let Some((batch, files)) = self.files(run).map(|(source, _, files)| (source, files))
                && let Some(print) = labelled.post_seed
            {
                post_seeds.note(batch.batch(), batch.run(), files, print);
            }
            if let Some(entry) = study.runs.get_mut(run) {
                entry.state = texts.share(labelled.state);
            }
            if shown.elapsed() >= pause {
                let started = Instant::now();
                build::refresh(&mut study, problems.clone());
                if !update(Arc::new(study.clone())) {
                    return;
                }
                shown = Instant::now();
                pause = SNAPSHOT_EVERY.max(SNAPSHOT_SHARE * started.elapsed());
            }
        }
        problems.extend(post_seeds.problems(&self.catalog, &self.limits));
        build::refresh(&mut study, problems);
        found_ahead(&study);
        update(Arc::new(study));
    }

    fn pending(&self) -> Vec<usize> {
        let runs = self.initial.runs.iter().enumerate();
        runs.filter_map(|(index, run)| matches!(run.state, RunState::Pending).then_some(index)).collect()
    }

    /// The files of a run that has a directory.
    fn files(&self, run: usize) -> Option<(Source, &Batch, &RunFiles)> {
        let source = *self.sources.get(run)?;
        let batch = self.catalog.batches.get(source.batch())?;
        (batch.kind == BatchKind::Runs).then_some(())?;
        Some((source, batch, batch.runs.get(source.run())?))
    }

    /// How many runs were labelled so far, since nothing was known of them. `None` for a session that does not
    /// keep results.
    #[must_use]
    pub fn labelled_anew(&self) -> Option<usize> {
        self.known.as_ref().map(|(known, _)| known.anew())
    }

    /// Opens one run of a snapshot of this session: reads its files, so call it off the UI thread. `None`
    /// if there is no such run.
    #[must_use]
    pub fn view(&self, study: &Study, run: usize) -> Option<RunView> {
        let entry = study.runs.get(run)?;
        let batch = self.catalog.batches.get(self.sources.get(run)?.batch())?;
        let files = self.files(run).map(|(_, _, files)| files);
        Some(view::open(&self.catalog, study, entry, batch, files, &self.limits))
    }

    /// The run of an address, by the names of a snapshot of this session; the model by any of its names
    /// ([`Study::models_named`]), as long as that means one run.
    #[must_use]
    pub fn find(study: &Study, address: &Address) -> Option<usize> {
        let models = study.models_named(&address.model);
        let is = |&index: &usize| {
            study.runs.get(index).is_some_and(|run| {
                run.name == address.run
                    && models.contains(&run.model)
                    && study.tasks.get(run.task).is_some_and(|task| task.id == address.task)
            })
        };
        let mut found = (0..study.runs.len()).filter(is);
        found.next().filter(|_| found.next().is_none())
    }

    /// The batches with run directories, with the places of their runs in [`Study::runs`], by task and run.
    #[must_use]
    pub fn run_batches(&self) -> Vec<(&Batch, Vec<usize>)> {
        let batches = self.catalog.batches.iter().enumerate();
        batches
            .filter(|(_, batch)| batch.kind == BatchKind::Runs)
            .map(|(index, batch)| {
                let mut runs: Vec<usize> = (0..self.sources.len())
                    .filter(|&run| self.sources.get(run).is_some_and(|source| source.batch() == index))
                    .collect();
                runs.sort_by_key(|&run| self.sources.get(run).map(|source| source.run()));
                (batch, runs)
            })
            .collect()
    }
}

/// What screens ask of a complete study is found before they do: no key waits for it.
fn found_ahead(study: &Study) {
    let _ = (walk(study), study.totals(), study.task_sum(0));
}
