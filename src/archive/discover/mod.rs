//! What lies at the paths given: batches with their runs, tasks, registries. Lists directories and reads
//! small JSON only; dumps are not opened, transcripts only where nothing else names the model.

mod artifacts;
mod context;
mod folders;
mod released;
mod runs;
mod sources;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

pub use context::Context;
use sources::Source;

use super::files::Limits;
use super::manifest::Manifest;
use super::verdicts::VerdictFile;
use crate::model::{Code, Problem, Registry, Task, Text, Verdict};

/// Where else to look, and how much to hold.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The directory of tasks, instead of `tasks/` in the path or an ancestor.
    pub tasks: Option<PathBuf>,
    /// The directory of registries, instead of `data/` in the path or an ancestor.
    pub registry: Option<PathBuf>,
    /// Caps on file sizes, for those who read the dumps.
    pub limits: Limits,
}

/// Everything found.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// Batches in the order of the paths, then by folder name.
    pub batches: Vec<Batch>,
    /// Tasks and registries; [`Batch::context`] points here.
    pub contexts: Vec<Context>,
    /// What could not be read, or is not as it should be.
    pub problems: Vec<Problem>,
    /// The first notice that a batch is made up.
    pub synthetic: Option<String>,
}

/// One batch: a directory of runs, or a file of verdicts.
#[derive(Clone, Debug)]
pub struct Batch {
    /// `batch_id`, else the folder's name, else the file's.
    pub id: String,
    /// The batch's directory, or the verdict file.
    pub path: PathBuf,
    /// The path given by the user that led here, for addresses.
    pub root: PathBuf,
    /// How it was made, where that is on record.
    pub manifest: Option<Manifest>,
    /// The model's full name.
    pub model_full: String,
    /// Where that name is from.
    pub model_from: ModelSource,
    /// What the batch consists of.
    pub kind: BatchKind,
    /// Its runs, by task and number; none in a verdict file.
    pub runs: Vec<RunFiles>,
    /// The verdicts recorded for it.
    pub recorded: Option<Recorded>,
    /// Runs per task it was planned with.
    pub k: Option<u32>,
    /// The same where tasks differ.
    pub k_by_task: BTreeMap<String, u32>,
    /// Index into [`Catalog::contexts`].
    pub context: usize,
}

/// Where a model's name is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelSource {
    /// the manifest or sidecar
    Manifest,
    /// `benchmark_config.model` of the first readable results
    Results,
    /// the batch's id, for want of anything else
    BatchName,
}

/// What a batch consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchKind {
    /// run directories: verdicts are recomputed
    Runs,
    /// verdicts only: no evidence behind them
    VerdictsOnly,
}

/// The files of one run. A path that is there may still not be readable.
#[derive(Clone, Debug)]
pub struct RunFiles {
    /// The task's directory name.
    pub task: String,
    /// The run's number.
    pub number: u32,
    /// The run's directory name, `run_<n>`.
    pub name: String,
    /// The run's directory.
    pub dir: PathBuf,
    /// The results file, if there.
    pub results: Option<PathBuf>,
    /// The dump before the agent acts, if there.
    pub post_seed: Option<PathBuf>,
    /// The dump after, if there.
    pub final_state: Option<PathBuf>,
    /// The manifest's `status`.
    pub status: Option<String>,
    /// The manifest's `token_usage`.
    pub token_usage: Option<u64>,
    /// The manifest's `database_id`.
    pub database_id: Option<String>,
}

/// Verdicts on record.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Their file.
    pub path: PathBuf,
    /// The rows that could be read, in file order.
    pub rows: Arc<[Arc<Verdict>]>,
    /// The tasks they are about.
    pub task_ids: BTreeSet<Text>,
    /// Places in `rows` by task and run, once somebody asks.
    by_run: OnceLock<HashMap<(Text, Text), usize>>,
}

impl Recorded {
    /// The rows of a file.
    #[must_use]
    pub fn new(path: PathBuf, rows: Arc<[Arc<Verdict>]>) -> Self {
        // Rows of a task mostly stand together.
        let mut ids: Vec<&Text> = rows.iter().map(|row| &row.task_id).collect();
        ids.dedup();
        let task_ids = ids.into_iter().cloned().collect();
        Self { path, rows, task_ids, by_run: OnceLock::new() }
    }

    /// The row of a run.
    #[must_use]
    pub fn row(&self, task: &str, run: &str) -> Option<&Arc<Verdict>> {
        let by_run = self.by_run.get_or_init(|| {
            let rows = self.rows.iter().enumerate();
            rows.map(|(place, row)| ((row.task_id.clone(), row.run.clone()), place)).collect()
        });
        self.rows.get(*by_run.get(&(task.into(), run.into()))?)
    }
}

impl Catalog {
    /// The task a batch means by an id.
    #[must_use]
    pub fn task(&self, batch: &Batch, id: &str) -> Option<&Arc<Task>> {
        self.contexts.get(batch.context)?.tasks.get(id)
    }

    /// The registry a batch means by a domain.
    #[must_use]
    pub fn registry(&self, batch: &Batch, domain: &str) -> Option<&Arc<Registry>> {
        self.contexts.get(batch.context)?.registries.get(domain)
    }
}

/// Finds everything at the paths. What two paths lead to is taken once.
#[must_use]
pub fn discover(paths: &[PathBuf], options: &Options) -> Catalog {
    discover_with(paths, options, &VerdictFile::read)
}

/// As [`discover`], with another way to come by the content of released verdict files.
#[must_use]
pub fn discover_with(
    paths: &[PathBuf],
    options: &Options,
    verdicts: &dyn Fn(&Path) -> Result<VerdictFile, Problem>,
) -> Catalog {
    let mut catalog = Catalog::default();
    let mut seen: HashSet<PathBuf> = HashSet::new();
    for dir in [&options.tasks, &options.registry].into_iter().flatten() {
        if !dir.is_dir() {
            catalog.problems.push(Problem::new(Code::NothingHere, dir, "not a directory"));
        }
    }
    for path in paths {
        let mut sources = sources::at(path, &mut catalog.problems);
        sources.retain(|source| source.is_inside(path, &mut catalog.problems));
        sources.retain(|source| seen.insert(real(source.path())));
        let context = catalog.context(path, &sources, options);
        for source in &sources {
            let batch = match source {
                Source::Runs(dir) => Some(runs::read(dir, path, &mut catalog.problems)),
                Source::Verdicts(file) => match verdicts(file) {
                    Ok(content) => Some(released::batch(file, path, content, &mut catalog.problems)),
                    Err(problem) => {
                        catalog.problems.push(problem);
                        None
                    }
                },
            };
            catalog.batches.extend(batch.map(|batch| Batch { context, ..batch }));
        }
    }
    for (index, context) in catalog.contexts.iter_mut().enumerate() {
        let batches: Vec<&Batch> = catalog.batches.iter().filter(|batch| batch.context == index).collect();
        context.load(&batches, &mut catalog.problems);
    }
    catalog.synthetic = catalog.batches.iter().find_map(|batch| batch.manifest.as_ref()?.synthetic.clone());
    catalog
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

impl Catalog {
    /// The index of a path's context; one that looks in the same places is shared.
    fn context(&mut self, path: &Path, sources: &[Source], options: &Options) -> usize {
        if sources.is_empty() {
            return 0;
        }
        let context = Context::locate(path, options);
        let known = self.contexts.iter().position(|known| known.same_places(&context));
        known.unwrap_or_else(|| {
            self.contexts.push(context);
            self.contexts.len() - 1
        })
    }
}
