//! Labels one run: reads its files, judges it, names what went wrong.

use std::sync::Arc;

use super::seeds::{Print, Seeds};
use super::states::{self, Buffers, ReadStates};
use super::{LabelSource, NoVerdict, RunState};
use crate::archive::{self, Batch, Catalog, Dump, Limits, RunFiles};
use crate::damage::{self, Diff, Digest, Evidence, Finding, Inputs};
use crate::model::{Code, Place, Problem, Registry, RunRecord, Task, Text, Verdict};

/// What came of labelling one run.
#[derive(Clone, Debug)]
pub(super) struct Labelled {
    pub(super) state: RunState,
    /// Of the post-seed state, to find drift between the runs of a task.
    pub(super) post_seed: Option<Print>,
    pub(super) problems: Vec<Problem>,
}

/// Labels runs of batches with run directories.
#[derive(Clone, Copy)]
pub(super) struct Labeler<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) limits: &'a Limits,
    pub(super) seeds: &'a Seeds,
    /// Parse every dump whole.
    pub(super) slow_path: bool,
    /// Verdicts only, no digests.
    pub(super) verdicts_only: bool,
}

impl Labeler<'_> {
    pub(super) fn label(&self, batch: &Batch, files: &RunFiles, buffers: &mut Buffers) -> Labelled {
        if let Some(problem) = missing(batch, files) {
            return Labelled {
                state: no_verdict(Some(&problem), false),
                post_seed: None,
                problems: vec![problem],
            };
        }
        let mut problems = Vec::new();
        let context = Context::find(self.catalog, batch, files, &mut problems);
        let record = self.record(files, context.task.as_deref()).unwrap_or_else(|problem| {
            problems.push(problem);
            None
        });
        let wanted = |table: &Text, column: &Text| {
            !self.verdicts_only
                || context.task.as_ref().is_none_or(|task| damage::rests_on_column(task, table, column))
        };
        let states = match &context.registry {
            Some(registry) if !self.slow_path => {
                states::read(files, registry, self.seeds, &wanted, buffers, self.limits)
            }
            _ => states::parse(files, self.limits),
        };
        let ReadStates { mut pair, print: post_seed, problems: unread } = states;
        problems.extend(unread);
        let mut problems: Vec<Problem> =
            problems.into_iter().map(|problem| in_run(problem, batch, files)).collect();
        let verdict = match (&context, &record, &mut pair) {
            (Context { task: Some(task), registry: Some(registry) }, Some(record), Some(pair)) => {
                let judged = pair.diff(registry).map(|diff| {
                    let inputs = Inputs { task, registry, states: pair, record, run: &files.name };
                    self.judge(&inputs, diff)
                });
                let (verdict, findings) = match judged {
                    Ok((verdict, digest, warnings)) => (Some((verdict, digest)), warnings),
                    Err(findings) => (None, findings),
                };
                problems.extend(findings.into_iter().map(|finding| problem(batch, files, finding)));
                verdict
            }
            _ => None,
        };
        let state = match verdict {
            Some((verdict, digest)) => {
                RunState::Judged { verdict: Arc::new(verdict), digest, source: LabelSource::Recomputed }
            }
            None => no_verdict(problems.iter().find(|problem| problem.is_error()), true),
        };
        Labelled { state, post_seed, problems }
    }

    fn judge(&self, inputs: &Inputs<'_>, diff: Diff) -> (Verdict, Option<Arc<Digest>>, Vec<Finding>) {
        if self.verdicts_only {
            let labelled = damage::label(inputs, diff);
            return (labelled.verdict, None, labelled.warnings);
        }
        let judged = damage::judge(inputs, diff);
        let digest = damage::digest(&judged.evidence, inputs.record, inputs.registry);
        (judged.evidence.verdict, Some(Arc::new(digest)), judged.warnings)
    }

    /// The results file, as much of it as is needed.
    fn record(&self, files: &RunFiles, task: Option<&Task>) -> Result<Option<RunRecord>, Problem> {
        let Some(path) = &files.results else { return Ok(None) };
        let outcome_is_enough =
            self.verdicts_only && !self.slow_path && !task.is_some_and(damage::rests_on_calls);
        if outcome_is_enough {
            return archive::results::read_outcome(path, self.limits).map(Some);
        }
        archive::results::read(path, self.limits).map(|results| Some(results.record))
    }
}

/// What a run is judged against.
#[derive(Default)]
struct Context {
    task: Option<Arc<Task>>,
    registry: Option<Arc<Registry>>,
}

impl Context {
    /// Finds spec and registry, and names what is not there.
    fn find(catalog: &Catalog, batch: &Batch, files: &RunFiles, problems: &mut Vec<Problem>) -> Self {
        let Some(task) = catalog.task(batch, &files.task).cloned() else {
            let detail = format!("no usable spec for task `{}`", files.task);
            problems.push(Problem::new(Code::MissingSpec, &files.dir, detail));
            return Self::default();
        };
        let domain = task.spec.domain.display();
        let registry = catalog.registry(batch, &domain).cloned();
        if registry.is_none() {
            let detail = format!("no usable registry for domain `{domain}`");
            problems.push(Problem::new(Code::MissingRegistry, &files.dir, detail));
        }
        Self { task: Some(Arc::clone(&task)), registry }
    }
}

/// All that was read of one run to be shown. What could not be read has left a problem.
#[derive(Default)]
pub(super) struct Read {
    pub(super) task: Option<Arc<Task>>,
    pub(super) registry: Option<Arc<Registry>>,
    pub(super) record: Option<RunRecord>,
    /// The results file's sha256 in hex.
    pub(super) record_sha256: Option<String>,
    pub(super) post_seed: Option<Dump>,
    pub(super) final_state: Option<Dump>,
    pub(super) problems: Vec<Problem>,
}

/// Reads what there is of a run, whole.
pub(super) fn read(catalog: &Catalog, batch: &Batch, files: &RunFiles, limits: &Limits) -> Read {
    let mut problems = Vec::new();
    let Context { task, registry } = Context::find(catalog, batch, files, &mut problems);
    let mut read = Read { task, registry, ..Read::default() };
    let mut keep = |problem: Problem| problems.push(problem);
    if let Some(path) = &files.results
        && let Ok(results) = archive::results::read(path, limits).map_err(&mut keep)
    {
        read.record_sha256 = Some(results.sha256);
        read.record = Some(results.record);
    }
    if let Some(path) = &files.post_seed {
        read.post_seed = archive::dump::read(path, limits).map_err(&mut keep).ok();
    }
    if let Some(path) = &files.final_state {
        read.final_state = archive::dump::read(path, limits).map_err(&mut keep).ok();
    }
    read.problems = problems.into_iter().map(|problem| in_run(problem, batch, files)).collect();
    read
}

/// Judges what was read; without all parts there is no evidence, only problems.
pub(super) fn judge(batch: &Batch, files: &RunFiles, read: &Read) -> (Option<Evidence>, Vec<Problem>) {
    let mut problems = read.problems.clone();
    let (Some(task), Some(registry), Some(record), Some(post_seed), Some(final_state)) =
        (&read.task, &read.registry, &read.record, &read.post_seed, &read.final_state)
    else {
        return (None, problems);
    };
    let states = [&post_seed.state, &final_state.state];
    let inputs = Inputs { task, registry, states: &states, record, run: &files.name };
    let (evidence, findings) = match damage::diff(states[0], states[1], registry) {
        Ok(diff) => {
            let judged = damage::judge(&inputs, diff);
            (Some(judged.evidence), judged.warnings)
        }
        Err(findings) => (None, findings),
    };
    problems.extend(findings.into_iter().map(|finding| problem(batch, files, finding)));
    (evidence, problems)
}

/// A problem of one of a run's files, at its run.
pub(super) fn in_run(problem: Problem, batch: &Batch, files: &RunFiles) -> Problem {
    let Place { batch, task, run, .. } = place(batch, files);
    let at = Place { batch, task, run, ..(*problem.place).clone() };
    problem.at(at)
}

/// A finding of the labeler, at its path and place.
fn problem(batch: &Batch, files: &RunFiles, finding: Finding) -> Problem {
    let place =
        Place { table: finding.table, row: finding.row, column: finding.column, ..place(batch, files) };
    Problem::new(finding.code, &files.dir, finding.detail).at(place)
}

/// Where a run is.
pub(super) fn place(batch: &Batch, files: &RunFiles) -> Place {
    Place {
        batch: Some(batch.id.clone()),
        task: Some(files.task.clone()),
        run: Some(files.name.clone()),
        ..Place::default()
    }
}

/// `MISSING_DUMP`, if one of the three files is not there.
pub(super) fn missing(batch: &Batch, files: &RunFiles) -> Option<Problem> {
    let parts = [
        ("results file", files.results.is_none()),
        ("post-seed dump", files.post_seed.is_none()),
        ("final dump", files.final_state.is_none()),
    ];
    let names: Vec<&str> = parts.into_iter().filter_map(|(name, gone)| gone.then_some(name)).collect();
    let detail = format!("no {}", names.join(", no "));
    let problem = Problem::new(Code::MissingDump, &files.dir, detail).at(place(batch, files));
    (!names.is_empty()).then_some(problem)
}

/// Without evidence there is always a problem that says why; `Unreadable` stands in should one be missing.
fn no_verdict(problem: Option<&Problem>, invalid: bool) -> RunState {
    let code = problem.map_or(Code::Unreadable, |problem| problem.code);
    let detail = problem.map(|problem| problem.detail.clone()).unwrap_or_default();
    RunState::NoVerdict(Box::new(NoVerdict { code, detail, invalid }))
}

/// The recorded verdict of a run, where the batch has one.
pub(super) fn recorded<'a>(batch: &'a Batch, files: &RunFiles) -> Option<&'a Arc<Verdict>> {
    batch.recorded.as_ref()?.row(&files.task, &files.name)
}

/// `VERDICT_DRIFT`, if another verdict is on record for a run that was labelled, or none where others are. What
/// is on record is no part of labelling.
pub(super) fn verdict_drift(batch: &Batch, files: &RunFiles, found: &Labelled) -> Option<Problem> {
    let RunState::Judged { verdict, .. } = &found.state else { return None };
    let recorded_file = batch.recorded.as_ref()?;
    let detail = match recorded(batch, files) {
        Some(old) if old == verdict => return None,
        Some(old) => format!(
            "recorded {} but recomputed {}",
            archive::verdicts::to_line(old),
            archive::verdicts::to_line(verdict)
        ),
        None => format!("no recorded verdict, but recomputed {}", archive::verdicts::to_line(verdict)),
    };
    Some(Problem::new(Code::VerdictDrift, &recorded_file.path, detail).at(place(batch, files)))
}
