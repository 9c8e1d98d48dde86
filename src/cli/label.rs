//! `gainsay label`: writes verdict files, or compares with the recorded ones.

use std::fs;
use std::path::{Path, PathBuf};

use super::args::LabelArgs;
use super::output::{Failure, complain, print, settle};
use crate::archive::{self, Batch, verdicts};
use crate::model::{Code, Problem, Verdict};
use crate::report::summary_json;
use crate::study::{Options, Session, Study};

pub(super) fn run(args: &LabelArgs) -> Result<(), Failure> {
    let options = Options { verdicts_only: true, slow_path: args.slow_path, ..args.places.options(&[]) };
    let session = Session::open(&args.paths, &options);
    let study = session.label_all();
    let mut problems = study.problems.clone();
    let batches = session.run_batches();
    if batches.is_empty() {
        complain("gainsay: no batch with run directories here");
        return settle(&problems).and(Err(Failure::Errors(Vec::new())));
    }
    for (batch, runs) in batches {
        let rows = rows(&study, &runs);
        let elsewhere = args.out.is_some();
        if args.check {
            problems.extend(check(&study, batch, rows.len())?);
        } else if study.problems.iter().any(|problem| blocks(problem, batch, elsewhere)) {
            complain(&format!("{}: not written, see the problems below", batch.id));
        } else {
            problems.extend(write(args.out.as_deref(), batch, &rows)?);
        }
    }
    problems.sort();
    problems.dedup();
    settle(&problems)
}

/// The verdict rows of a batch, in task then run order.
fn rows(study: &Study, runs: &[usize]) -> Vec<Verdict> {
    runs.iter().filter_map(|&run| Some((**study.runs.get(run)?.verdict()?).clone())).collect()
}

/// Errors of a batch block its file, whichever they are: a file that lacks rows would read as complete.
/// Only a recorded file that differs is no reason not to write elsewhere.
fn blocks(problem: &Problem, batch: &Batch, elsewhere: bool) -> bool {
    let about_it = problem.place.batch.as_deref().is_none_or(|id| id == batch.id);
    problem.is_error() && about_it && !(elsewhere && problem.code == Code::VerdictDrift)
}

/// Says whether the recorded file holds. Differences are listed as `VERDICT_DRIFT` problems of the study.
fn check(study: &Study, batch: &Batch, rows: usize) -> Result<Option<Problem>, Failure> {
    let Some(recorded) = &batch.recorded else {
        let nothing = "no recorded verdicts.jsonl to compare with";
        return Ok(Some(Problem::new(Code::NothingHere, &batch.path, nothing)));
    };
    if !study.problems.iter().any(|problem| blocks(problem, batch, false)) {
        print(&format!("{}: {rows} rows equal to {}\n", batch.id, recorded.path.display()))?;
    }
    Ok(None)
}

/// Writes both files whole or not at all. A recorded file that differs has already blocked its batch.
fn write(out: Option<&Path>, batch: &Batch, rows: &[Verdict]) -> Result<Option<Problem>, Failure> {
    let dir: PathBuf = match out {
        Some(out) => out.join(&batch.id),
        None => batch.path.clone(),
    };
    if out.is_some() {
        fs::create_dir_all(&dir)?;
    }
    let lines: String = rows.iter().map(|row| verdicts::to_line(row) + "\n").collect();
    let files = [("verdicts.jsonl", lines), ("summary.json", summary_json(rows))];
    for (name, content) in files {
        let path = dir.join(name);
        if let Err(error) = archive::write_whole(&path, content.as_bytes()) {
            return Ok(Some(Problem::new(Code::Unreadable, path, format!("cannot be written: {error}"))));
        }
    }
    let damage = rows.iter().filter(|row| row.counts_as_damage).count();
    print(&format!("{}: {} rows, {damage} with damage → {}\n", batch.id, rows.len(), dir.display()))?;
    Ok(None)
}
