//! A batch of run directories.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::artifacts::Bounds;
use super::{Batch, BatchKind, ModelSource, Recorded, RunFiles};
use crate::archive::listing::{Entry, directories, entries};
use crate::archive::manifest::{self, Manifest, ManifestRun};
use crate::archive::{Kind, Limits, results, verdicts};
use crate::model::{Code, Place, Problem};

/// The number of a run directory, `run_<n>`.
fn number(name: &str) -> Option<u32> {
    name.strip_prefix("run_")?.parse().ok()
}

/// True for folders that may be a task's: `_` marks what is none, `.` what is hidden.
pub(super) fn may_be_task(entry: &Entry) -> bool {
    entry.is_dir && !entry.name.starts_with(['_', '.'])
}

/// True if a directory holds run directories of tasks.
pub(super) fn holds_runs(batch: &Path) -> bool {
    let is_run = |entry: Entry| number(&entry.name).is_some();
    directories(batch)
        .iter()
        .filter(|task| may_be_task(task))
        .any(|task| directories(&task.path).into_iter().any(is_run))
}

/// Lists a batch without opening a dump.
pub(super) fn read(path: &Path, given: &Path, problems: &mut Vec<Problem>) -> Batch {
    let mut found = Vec::new();
    let bounds = Bounds::of(path, given);
    let manifest = read_manifest(path, &bounds, &mut found);
    let runs = list_runs(path, manifest.as_ref(), &bounds, &mut found);
    let folder = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let id = manifest.as_ref().and_then(|manifest| manifest.batch_id.clone()).unwrap_or(folder);
    let (model_full, model_from) = model(manifest.as_ref(), &runs, &id);
    let recorded = bounds.own("verdicts.jsonl", &mut found).map(|path| {
        let (rows, bad) = verdicts::read(&path);
        found.extend(bad);
        Recorded::new(path, rows.into_iter().map(Arc::new).collect())
    });
    problems.extend(found.into_iter().map(|mut problem| {
        problem.place.batch = Some(id.clone());
        problem
    }));
    Batch {
        k: manifest.as_ref().and_then(|manifest| manifest.k),
        k_by_task: manifest.as_ref().map(|manifest| manifest.k_by_task.clone()).unwrap_or_default(),
        id,
        path: path.to_owned(),
        root: given.to_owned(),
        manifest,
        model_full,
        model_from,
        kind: BatchKind::Runs,
        runs,
        recorded,
        context: 0,
    }
}

fn read_manifest(batch: &Path, bounds: &Bounds, problems: &mut Vec<Problem>) -> Option<Manifest> {
    const NAME: &str = "manifest.json";
    let path = batch.join(NAME);
    if path.symlink_metadata().is_err() {
        let detail = "no manifest.json: the model's name is taken from the results, or is the batch's";
        problems.push(Problem::new(Code::NoManifest, path, detail));
        return None;
    }
    let (manifest, bad) = manifest::read(&bounds.own(NAME, problems)?);
    problems.extend(bad);
    manifest
}

fn model(manifest: Option<&Manifest>, runs: &[RunFiles], id: &str) -> (String, ModelSource) {
    if let Some(model) = manifest.and_then(|manifest| manifest.model.clone()) {
        return (model, ModelSource::Manifest);
    }
    let mut readable =
        runs.iter().filter_map(|run| results::read(run.results.as_deref()?, &Limits::default()).ok());
    match readable.next().and_then(|results| results.record.model) {
        Some(model) => (model.display().into_owned(), ModelSource::Results),
        None => (id.to_owned(), ModelSource::BatchName),
    }
}

/// All runs: the directories, and those that only the manifest knows but whose files are there.
fn list_runs(
    batch: &Path,
    manifest: Option<&Manifest>,
    bounds: &Bounds,
    problems: &mut Vec<Problem>,
) -> Vec<RunFiles> {
    let mut runs = Vec::new();
    let (tasks, bad) = entries(batch);
    problems.extend(bad);
    for task in tasks.iter().filter(|task| may_be_task(task)) {
        let (candidates, bad) = entries(&task.path);
        problems.extend(bad);
        for entry in candidates.iter().filter(|entry| entry.name.starts_with("run_")) {
            match number(&entry.name) {
                Some(number) if entry.is_dir => {
                    runs.push(run(&task.name, &entry.name, number, batch, manifest, bounds, problems));
                }
                found => {
                    let why = if found.is_some() {
                        "a file where a run directory is expected"
                    } else {
                        "a run directory without a number"
                    };
                    let place = Place { task: Some(task.name.clone()), ..Place::default() };
                    problems.push(Problem::new(Code::Unreadable, &entry.path, why).at(place));
                }
            }
        }
    }
    let listed: HashSet<(String, String)> =
        runs.iter().map(|run: &RunFiles| (run.task.clone(), run.name.clone())).collect();
    for key @ (task, name) in manifest.iter().flat_map(|manifest| manifest.runs.keys()) {
        if let (false, Some(number)) = (listed.contains(key), number(name)) {
            let run = run(task, name, number, batch, manifest, bounds, problems);
            if run.results.is_some() || run.post_seed.is_some() || run.final_state.is_some() {
                runs.push(run);
            }
        }
    }
    runs.sort_by(|a, b| (&a.task, a.number, &a.name).cmp(&(&b.task, b.number, &b.name)));
    runs
}

fn run(
    task: &str,
    name: &str,
    number: u32,
    batch: &Path,
    manifest: Option<&Manifest>,
    bounds: &Bounds,
    problems: &mut Vec<Problem>,
) -> RunFiles {
    let key = (task.to_owned(), name.to_owned());
    let unlisted = ManifestRun::default();
    let listed = manifest.and_then(|manifest| manifest.runs.get(&key)).unwrap_or(&unlisted);
    let dir = Path::new(task).join(name);
    let states =
        |stem: &str| Kind::ALL.iter().map(|kind| dir.join(format!("{stem}{}", kind.suffix()))).collect();
    let mut file = |named: &Option<String>, usual: Vec<PathBuf>| {
        let candidates = named.as_ref().map_or(usual, |named| vec![PathBuf::from(named)]);
        candidates.iter().find_map(|relative| {
            bounds.file(relative).unwrap_or_else(|problem| {
                let place =
                    Place { task: Some(task.to_owned()), run: Some(name.to_owned()), ..Place::default() };
                problems.push(problem.at(place));
                None
            })
        })
    };
    RunFiles {
        results: file(&listed.results, vec![dir.join(format!("results_{task}.json"))]),
        post_seed: file(&listed.post_seed, states("post_seed_state")),
        final_state: file(&listed.final_state, states("final_state")),
        task: task.to_owned(),
        number,
        name: name.to_owned(),
        dir: batch.join(&dir),
        status: listed.status.clone(),
        token_usage: listed.token_usage,
        database_id: listed.database_id.clone(),
    }
}
