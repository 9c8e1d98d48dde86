//! What must hold over a whole batch (DESIGN §6): run counts, recorded rows, one post-seed state a task.

use std::collections::{BTreeMap, BTreeSet};

use super::batch::{planned_runs, task_names};
use super::label::place;
use super::seeds::Print;
use crate::archive::{self, Batch, BatchKind, Catalog, Limits, RunFiles};
use crate::damage::{self, Finding};
use crate::model::{Code, Place, Problem};

/// Problems that show without opening a dump: run counts against the manifest, recorded rows without a
/// run.
pub(super) fn listing(batch: &Batch) -> Vec<Problem> {
    if batch.kind == BatchKind::VerdictsOnly {
        return Vec::new();
    }
    let mut on_disk: BTreeMap<&str, u32> = BTreeMap::new();
    for files in &batch.runs {
        *on_disk.entry(&files.task).or_default() += 1;
    }
    let mut problems = Vec::new();
    for task in &task_names(batch) {
        let found = on_disk.get(task.as_str()).copied().unwrap_or(0);
        if let Some(k) = planned_runs(batch, task).filter(|&k| k != found) {
            let detail = format!("the manifest plans {k} runs, {found} are on disk");
            let at = Place { batch: Some(batch.id.clone()), task: Some(task.clone()), ..Place::default() };
            problems.push(Problem::new(Code::RunCount, &batch.path, detail).at(at));
        }
    }
    problems.extend(orphaned_rows(batch));
    problems
}

fn orphaned_rows(batch: &Batch) -> Vec<Problem> {
    let Some(recorded) = &batch.recorded else { return Vec::new() };
    let runs: BTreeSet<(&str, &str)> =
        batch.runs.iter().map(|files| (files.task.as_str(), files.name.as_str())).collect();
    let orphans = recorded.rows.iter().filter_map(|row| {
        let (task, run) = (row.task_id.display(), row.run.display());
        (!runs.contains(&(&*task, &*run))).then(|| {
            let at = Place {
                batch: Some(batch.id.clone()),
                task: Some(task.into_owned()),
                run: Some(run.into_owned()),
                ..Place::default()
            };
            Problem::new(Code::VerdictDrift, &recorded.path, "a recorded verdict whose run is not on disk")
                .at(at)
        })
    });
    orphans.collect()
}

/// The post-seed states seen so far, by batch and task: the reference is the run with the lowest number,
/// whatever order runs come in.
#[derive(Default)]
pub(super) struct PostSeeds {
    seen: BTreeMap<(usize, String), BTreeMap<u32, (usize, Print)>>,
}

impl PostSeeds {
    /// Notes the post-seed state of run `run` (index into the batch's runs).
    pub(super) fn note(&mut self, batch: usize, run: usize, files: &RunFiles, print: Print) {
        let runs = self.seen.entry((batch, files.task.clone())).or_default();
        runs.insert(files.number, (run, print));
    }

    /// `POST_SEED_DRIFT` for each run that differs from its task's first. Opens the two dumps to compare what
    /// they hold, once for each that is written otherwise.
    pub(super) fn problems(&self, catalog: &Catalog, limits: &Limits) -> Vec<Problem> {
        let mut problems = Vec::new();
        for ((batch, _), runs) in &self.seen {
            let Some(batch) = catalog.batches.get(*batch) else { continue };
            let Some((_, (first, reference))) = runs.first_key_value() else { continue };
            let mut compared: Vec<(&Print, Option<Finding>)> = vec![(reference, None)];
            for (run, print) in runs.values() {
                let known = compared.iter().find(|(seen, _)| *seen == print).map(|(_, found)| found.clone());
                let found = known.unwrap_or_else(|| {
                    let found = drift(catalog, batch, *first, *run, limits);
                    compared.push((print, found.clone()));
                    found
                });
                problems.extend(found.and_then(|finding| drift_problem(batch, *first, *run, finding)));
            }
        }
        problems
    }
}

fn drift(catalog: &Catalog, batch: &Batch, first: usize, other: usize, limits: &Limits) -> Option<Finding> {
    let (first, other) = (batch.runs.get(first)?, batch.runs.get(other)?);
    let task = catalog.task(batch, &other.task)?;
    let registry = catalog.registry(batch, &task.spec.domain.display())?;
    let state = |files: &RunFiles| archive::dump::read(files.post_seed.as_ref()?, limits).ok();
    damage::drift(&state(first)?.state, &state(other)?.state, registry)
}

fn drift_problem(batch: &Batch, first: usize, other: usize, finding: Finding) -> Option<Problem> {
    let (first, other) = (batch.runs.get(first)?, batch.runs.get(other)?);
    let at = Place { table: finding.table, row: finding.row, column: finding.column, ..place(batch, other) };
    let path = other.post_seed.clone().unwrap_or_else(|| other.dir.clone());
    let detail = format!("differs from {}: {}", first.name, finding.detail);
    Some(Problem::new(Code::PostSeedDrift, path, detail).at(at))
}
