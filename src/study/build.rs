//! From batches and run states to a [`Study`] snapshot.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use super::batch::{settings, task_names};
use super::campaign::Campaign;
use super::cell::Intervals;
use super::fold::fold;
use super::rows::{Row, rows};
use super::{
    BatchInfo, Cell, Derived, LabelSource, ModelRow, Name, Progress, RunEntry, RunState, Runs, Study, TaskRow,
};
use crate::archive::{Batch, BatchKind, Catalog};
use crate::model::{Problem, Text, Verdict};

/// Where a run of the study is in the catalog. Small, since there may be a million.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    batch: u32,
    run: u32,
}

impl Source {
    fn new(batch: usize, run: usize) -> Self {
        Self { batch: batch as u32, run: run as u32 }
    }

    /// Index into the catalog's batches.
    pub(super) fn batch(self) -> usize {
        self.batch as usize
    }

    /// Index into the batch's runs (or its recorded rows).
    pub(super) fn run(self) -> usize {
        self.run as usize
    }
}

/// The study before labelling, to be refreshed, and for each of its runs where it is in the catalog.
pub(super) fn build(catalog: &Catalog, title: String, campaign: Option<Campaign>) -> (Study, Vec<Source>) {
    let (rows, row_problems) = rows(&catalog.batches, campaign.as_ref());
    let tasks = task_rows(catalog);
    let task_index: BTreeMap<&str, usize> =
        tasks.iter().enumerate().map(|(index, task)| (task.id.as_str(), index)).collect();
    let (mut runs, mut sources) = (Runs::default(), Vec::new());
    let mut names = Names::default();
    for (model, row) in rows.iter().enumerate() {
        let mut listed: Vec<(RunEntry, Source)> = Vec::new();
        for &batch in &row.batches {
            if let Some(entries) = catalog.batches.get(batch) {
                list_runs(entries, batch, model, &task_index, &mut names, &mut listed);
            }
        }
        listed.sort_by(|(a, _), (b, _)| {
            (a.task, a.batch, a.number, &a.name).cmp(&(b.task, b.batch, b.number, &b.name))
        });
        sources.extend(listed.iter().map(|(_, source)| *source));
        runs.push_model(listed.into_iter().map(|(run, _)| run).collect());
    }
    let mut study = Study {
        title,
        synthetic: catalog.synthetic.clone(),
        models: rows.into_iter().map(|row| model_row(row, campaign.as_ref())).collect(),
        tasks,
        batches: catalog.batches.iter().map(batch_info).collect(),
        progress: Progress { done: 0, total: runs.len() },
        runs,
        cells: Vec::new(),
        problems: Vec::new(),
        campaign: campaign.map(Arc::new),
        opening: 0,
        derived: Derived::default(),
    };
    study.problems = catalog.problems.iter().cloned().chain(row_problems).collect();
    (study, sources)
}

/// Recounts cells, progress and problems after run states changed.
pub(super) fn refresh(study: &mut Study, problems: Vec<Problem>) {
    study.problems = fold(problems, &study.batches);
    study.progress.done = study.runs.iter().filter(|run| !matches!(run.state, RunState::Pending)).count();
    study.cells = cells(study);
}

fn cells(study: &Study) -> Vec<Cell> {
    let mut cells = vec![Cell::default(); study.models.len() * study.tasks.len()];
    let mut start = 0;
    let mut intervals = Intervals::default();
    for group in study.runs.by_model().flat_map(|runs| runs.chunk_by(|a, b| a.task == b.task)) {
        let range = start..start + group.len();
        start = range.end;
        if let Some(first) = group.first()
            && let Some(cell) = cells.get_mut(first.model * study.tasks.len() + first.task)
        {
            *cell = intervals.cell(range, group);
        }
    }
    cells
}

fn task_rows(catalog: &Catalog) -> Vec<TaskRow> {
    let mut tasks: BTreeMap<String, Option<Arc<_>>> = BTreeMap::new();
    for batch in &catalog.batches {
        for name in task_names(batch) {
            let task = catalog.task(batch, &name);
            let slot = tasks.entry(name).or_default();
            if slot.is_none() {
                *slot = task.cloned();
            }
        }
    }
    tasks.into_iter().map(|(id, task)| TaskRow { id, task }).collect()
}

fn list_runs(
    entries: &Batch,
    batch: usize,
    model: usize,
    tasks: &BTreeMap<&str, usize>,
    names: &mut Names,
    listed: &mut Vec<(RunEntry, Source)>,
) {
    let mut push = |task: usize, number, name: Name, run, state| {
        listed.push((RunEntry { model, task, batch, number, name, state }, Source::new(batch, run)));
    };
    match entries.kind {
        BatchKind::Runs => {
            for (run, files) in entries.runs.iter().enumerate() {
                if let Some(&task) = tasks.get(files.task.as_str()) {
                    push(task, files.number, names.one(&files.name), run, RunState::Pending);
                }
            }
        }
        BatchKind::VerdictsOnly => {
            let rows = entries.recorded.iter().flat_map(|recorded| recorded.rows.iter());
            // Rows of a task mostly stand together.
            let mut last: Option<(&Text, Option<usize>)> = None;
            for (run, verdict) in rows.enumerate() {
                let task = match last {
                    Some((id, task)) if *id == verdict.task_id => task,
                    _ => tasks.get(&*verdict.task_id.display()).copied(),
                };
                last = Some((&verdict.task_id, task));
                if let Some(task) = task {
                    let name = names.one(&verdict.run.display());
                    push(task, run_number(&name), name, run, recorded(verdict));
                }
            }
        }
    }
}

/// Names of runs, held once each.
#[derive(Default)]
struct Names {
    seen: HashMap<String, Name>,
}

impl Names {
    fn one(&mut self, name: &str) -> Name {
        if let Some(known) = self.seen.get(name) {
            return known.clone();
        }
        let new = Name::from(name);
        self.seen.insert(name.to_owned(), new.clone());
        new
    }
}

/// The number in `run_<n>`; 0 where there is none.
fn run_number(name: &str) -> u32 {
    name.rsplit('_').next().and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

fn recorded(verdict: &Arc<Verdict>) -> RunState {
    RunState::Judged { verdict: Arc::clone(verdict), digest: None, source: LabelSource::Recorded }
}

fn model_row(row: Row, campaign: Option<&Campaign>) -> ModelRow {
    let entry = row.member.and_then(|place| campaign?.member(place));
    let member = entry.map(|(_, _, member)| member);
    ModelRow {
        name: row.name,
        full_name: row.full_name,
        display: member.and_then(|member| member.name.clone()),
        pool: entry.map(|(pool, ..)| pool.to_owned()),
        role: entry.map(|(_, role, _)| role),
        family: member.and_then(|member| member.family.clone()),
        capability: member.and_then(|member| member.capability),
        batches: row.batches,
    }
}

fn batch_info(batch: &Batch) -> BatchInfo {
    BatchInfo {
        id: batch.id.clone(),
        path: batch.path.clone(),
        root: batch.root.clone(),
        k: batch.k,
        started_at: batch.manifest.as_ref().and_then(|manifest| manifest.started_at.clone()),
        settings: settings(batch),
        synthetic: batch.manifest.as_ref().and_then(|manifest| manifest.synthetic.clone()),
    }
}

/// What stands in the title bar: the folder's name, or how many paths there are.
pub(super) fn title(paths: &[impl AsRef<Path>]) -> String {
    let name = |path: &Path| {
        let named = path.file_name().map(|name| name.to_string_lossy().into_owned());
        // `.` and `..` have no name of their own.
        named.or_else(|| {
            let whole = path.canonicalize().ok()?;
            Some(whole.file_name()?.to_string_lossy().into_owned())
        })
    };
    match paths {
        [] => String::new(),
        [only] => name(only.as_ref()).unwrap_or_else(|| only.as_ref().display().to_string()),
        several => {
            let names: BTreeSet<String> = several.iter().filter_map(|path| name(path.as_ref())).collect();
            format!("{} and {} more", names.first().cloned().unwrap_or_default(), several.len() - 1)
        }
    }
}
