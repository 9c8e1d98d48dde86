//! Labels one run: reads its files, judges it, names what went wrong.

use std::sync::Arc;

use super::{LabelSource, NoVerdict, RunState};
use crate::archive::{self, Batch, Catalog, Dump, Limits, RunFiles};
use crate::damage::{self, Evidence, Finding, Fingerprint, Inputs};
use crate::model::{Code, Place, Problem, Registry, RunRecord, Task};

/// What came of labelling one run.
pub(super) struct Labelled {
    pub(super) state: RunState,
    /// Of the post-seed state, to find drift between the runs of a task.
    pub(super) post_seed: Option<Fingerprint>,
    pub(super) problems: Vec<Problem>,
}

/// All that was read of one run. What could not be read has left a problem.
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

/// Labels one run of a batch with run directories.
pub(super) fn label(catalog: &Catalog, batch: &Batch, files: &RunFiles, limits: &Limits) -> Labelled {
    if let Some(problem) = missing(batch, files) {
        return Labelled {
            state: no_verdict(Some(&problem), false),
            post_seed: None,
            problems: vec![problem],
        };
    }
    let read = read(catalog, batch, files, limits);
    let (judged, mut problems) = judge(batch, files, &read);
    let post_seed = post_seed_fingerprint(&read);
    let state = match (judged, &read.record, &read.registry) {
        (Some(evidence), Some(record), Some(registry)) => {
            problems.extend(verdict_drift(batch, files, &evidence));
            let digest = damage::digest(&evidence, record, registry);
            RunState::Judged {
                verdict: Arc::new(evidence.verdict),
                digest: Some(Arc::new(digest)),
                source: LabelSource::Recomputed,
            }
        }
        _ => no_verdict(problems.iter().find(|problem| problem.is_error()), true),
    };
    Labelled { state, post_seed, problems }
}

/// Reads what there is of a run.
pub(super) fn read(catalog: &Catalog, batch: &Batch, files: &RunFiles, limits: &Limits) -> Read {
    let place = place(batch, files);
    let mut read = Read { task: catalog.task(batch, &files.task).cloned(), ..Read::default() };
    match &read.task {
        Some(task) => {
            let domain = task.spec.domain.display();
            read.registry = catalog.registry(batch, &domain).cloned();
            if read.registry.is_none() {
                let detail = format!("no usable registry for domain `{domain}`");
                read.problems.push(Problem::new(Code::MissingRegistry, &files.dir, detail).at(place.clone()));
            }
        }
        None => {
            let detail = format!("no usable spec for task `{}`", files.task);
            read.problems.push(Problem::new(Code::MissingSpec, &files.dir, detail).at(place.clone()));
        }
    }
    let mut keep = |problem: Problem| {
        let at = Place {
            batch: place.batch.clone(),
            task: place.task.clone(),
            run: place.run.clone(),
            ..(*problem.place).clone()
        };
        read.problems.push(problem.at(at));
    };
    if let Some(path) = &files.results {
        if let Ok(results) = archive::results::read(path, limits).map_err(&mut keep) {
            read.record_sha256 = Some(results.sha256);
            read.record = Some(results.record);
        }
    }
    if let Some(path) = &files.post_seed {
        read.post_seed = archive::dump::read(path, limits).map_err(&mut keep).ok();
    }
    if let Some(path) = &files.final_state {
        read.final_state = archive::dump::read(path, limits).map_err(&mut keep).ok();
    }
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
    let inputs = Inputs {
        task,
        registry,
        post_seed: &post_seed.state,
        final_state: &final_state.state,
        record,
        run: &files.name,
    };
    let (evidence, findings) = match damage::judge(&inputs) {
        Ok(judged) => (Some(judged.evidence), judged.warnings),
        Err(findings) => (None, findings),
    };
    problems.extend(findings.into_iter().map(|finding| problem(batch, files, finding)));
    (evidence, problems)
}

fn post_seed_fingerprint(read: &Read) -> Option<Fingerprint> {
    read.post_seed.as_ref().map(|dump| damage::fingerprint(&dump.state))
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
    RunState::NoVerdict(NoVerdict { code, detail, invalid })
}

/// The recorded verdict of a run, where the batch has one.
pub(super) fn recorded<'a>(batch: &'a Batch, files: &RunFiles) -> Option<&'a crate::model::Verdict> {
    let rows = &batch.recorded.as_ref()?.rows;
    rows.iter().find(|row| row.task_id == files.task.as_str() && row.run == files.name.as_str())
}

fn verdict_drift(batch: &Batch, files: &RunFiles, evidence: &Evidence) -> Option<Problem> {
    let recorded_file = batch.recorded.as_ref()?;
    let old = recorded(batch, files)?;
    if *old == evidence.verdict {
        return None;
    }
    let detail = format!(
        "recorded {} but recomputed {}",
        archive::verdicts::to_line(old),
        archive::verdicts::to_line(&evidence.verdict)
    );
    Some(Problem::new(Code::VerdictDrift, &recorded_file.path, detail).at(place(batch, files)))
}
