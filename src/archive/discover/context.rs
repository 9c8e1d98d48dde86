//! Tasks and registries: looked for in a path, then its ancestors, or where the options say.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Batch, BatchKind, Options, released};
use crate::archive::registry::{self, RegistryFiles};
use crate::archive::{listing, tasks};
use crate::model::{Code, Place, Problem, Registry, Task, Text};

/// The tasks and registries that one archive's batches are judged by. Different archives may define the
/// same task or domain differently, so each has its own.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Where the tasks lie, if anywhere.
    pub tasks_dir: Option<PathBuf>,
    /// Where the registries lie, if anywhere.
    pub registry_dir: Option<PathBuf>,
    /// Tasks that batches need, by directory name.
    pub tasks: BTreeMap<String, Arc<Task>>,
    /// Registries that these tasks need, by domain.
    pub registries: BTreeMap<String, Arc<Registry>>,
}

impl Context {
    /// The context of a path.
    pub(super) fn locate(path: &Path, options: &Options) -> Self {
        // What cannot be listed may hold them: to look further up would find others that are not meant.
        let is_closed = |dir: &Path| !listing::entries(dir).1.is_empty();
        let holds_tasks = |dir: &Path| is_closed(dir) || !tasks::list(dir).is_empty();
        let holds_registries = |dir: &Path| is_closed(dir) || !registry::find(dir).is_empty();
        Self {
            tasks_dir: named(options.tasks.as_deref(), "tasks", holds_tasks)
                .or_else(|| above(path, "tasks", holds_tasks)),
            registry_dir: named(options.registry.as_deref(), "data", holds_registries)
                .or_else(|| above(path, "data", holds_registries)),
            ..Self::default()
        }
    }

    /// True if both look in the same places.
    pub(super) fn same_places(&self, other: &Self) -> bool {
        self.tasks_dir == other.tasks_dir && self.registry_dir == other.registry_dir
    }

    /// Loads what the batches of this context need. What is broken is reported once; what is absent only if
    /// runs are to be judged by it.
    pub(super) fn load(&mut self, batches: &[&Batch], problems: &mut Vec<Problem>) {
        let mut judged: BTreeMap<String, bool> = BTreeMap::new();
        for batch in batches {
            let recorded = batch.recorded.iter().flat_map(released::task_ids);
            let ids: BTreeSet<String> =
                batch.runs.iter().map(|run| run.task.clone()).chain(recorded).collect();
            for id in ids {
                *judged.entry(id).or_default() |= batch.kind == BatchKind::Runs;
            }
        }
        let near = batches.first().map(|batch| batch.root.clone()).unwrap_or_default();
        let listed = self.tasks_dir.as_deref().map(tasks::list).unwrap_or_default();
        problems.extend(self.tasks_dir.iter().flat_map(|dir| tasks::unlisted(dir)));
        problems.extend(self.registry_dir.iter().flat_map(|dir| listing::entries(dir).1));
        let mut domains: BTreeMap<Text, bool> = BTreeMap::new();
        for (id, judged) in judged {
            let place = Place { task: Some(id.clone()), ..Place::default() };
            match listed.get(&id).map(Vec::as_slice).unwrap_or_default() {
                [dir] => {
                    let (task, bad) = tasks::read(dir);
                    problems.extend(bad.into_iter().map(|mut problem| {
                        problem.place.task = Some(id.clone());
                        problem
                    }));
                    if let Some(task) = task {
                        *domains.entry(task.spec.domain.clone()).or_default() |= judged;
                        self.tasks.insert(id, Arc::new(task));
                    }
                }
                [] if judged => {
                    let near = self.tasks_dir.as_ref().unwrap_or(&near);
                    let detail = format!("no task directory named {id} here");
                    problems.push(Problem::new(Code::MissingSpec, near, detail).at(place));
                }
                [] => {}
                [first, others @ ..] => {
                    let others: Vec<_> = others.iter().map(|dir| dir.display().to_string()).collect();
                    let detail = format!("{id} is also a task in {}: which one is meant?", others.join(", "));
                    problems.push(Problem::new(Code::MissingSpec, first, detail).at(place));
                }
            }
        }
        self.load_registries(domains, &near, problems);
    }

    fn load_registries(&mut self, domains: BTreeMap<Text, bool>, near: &Path, problems: &mut Vec<Problem>) {
        let files = self.registry_dir.as_deref().map(registry::find).unwrap_or_default();
        for (domain, judged) in domains {
            match files.read(&domain) {
                Ok(Some(registry)) => {
                    self.registries.insert(domain.display().into_owned(), Arc::new(registry));
                }
                Ok(None) if judged => {
                    let near = self.registry_dir.as_deref().unwrap_or(near);
                    problems.push(RegistryFiles::missing(&domain, near));
                }
                Ok(None) => {}
                Err(problem) => problems.push(problem),
            }
        }
    }
}

/// The directory an option names, or its child of the usual name (so that an archive may be named too).
fn named(dir: Option<&Path>, usual: &str, holds: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let dir = dir?;
    let child = dir.join(usual);
    Some(if !holds(dir) && holds(&child) { child } else { dir.to_owned() })
}

/// The nearest directory of that name in the path or an ancestor that holds what is looked for.
fn above(path: &Path, name: &str, holds: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let path = path.canonicalize().ok()?;
    path.ancestors().map(|dir| dir.join(name)).find(|dir| dir.is_dir() && holds(dir))
}
