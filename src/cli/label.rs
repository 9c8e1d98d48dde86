//! `gainsay label`: writes verdict files, or compares with the recorded ones.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::args::LabelArgs;
use super::interrupt::Interrupt;
use super::output::{Failure, complain, print, settle};
use crate::archive::{self, Batch, Limits, Recorded, verdicts};
use crate::model::{Code, Problem, Verdict};
use crate::report::summary_json;
use crate::report::text::printable;
use crate::study::{Options, Session, Study};

pub(super) fn run(args: &LabelArgs) -> Result<(), Failure> {
    let options = Options { verdicts_only: true, slow_path: args.slow_path, ..args.places.options(&[]) };
    let session = Session::open(&args.paths, &options);
    let interrupt = Interrupt::watch()?;
    let mut study = session.study();
    session.label(&mut |labelled| {
        study = labelled;
        !interrupt.came()
    });
    let mut problems = study.problems.clone();
    let batches = session.run_batches();
    if batches.is_empty() {
        complain("gainsay: no batch with run directories here");
        return settle(&problems).and(Err(Failure::Errors(Vec::new())));
    }
    let mut done = String::new();
    let campaign = session.campaign_file();
    // What is wrong with the campaign file is no batch's fault.
    let about_runs: Vec<&Problem> =
        study.problems.iter().filter(|problem| Some(problem.path.as_path()) != campaign).collect();
    let clashes = clashes(batches.iter().map(|(batch, _)| *batch), args.out.as_deref());
    for (batch, runs) in batches {
        if interrupt.came() {
            return Err(Failure::Errors(vec![format!(
                "{done}gainsay: interrupted; what is not listed is not written"
            )]));
        }
        let rows = rows(&study, &runs);
        let outcome = if args.check {
            check(&about_runs, batch, &rows)
        } else if let Some(clash) = clashes.get(&batch.path) {
            Err(clash.clone())
        } else if about_runs.iter().any(|problem| blocks(problem, batch, args.out.is_some())) {
            complain(&format!("{}: not written, see the problems below", batch.id));
            continue;
        } else {
            write(&target(batch, args.out.as_deref()), batch, &rows)
        };
        match outcome {
            Ok(line) => done.push_str(&format!("{}\n", printable(&line))),
            Err(problem) => problems.push(problem),
        }
    }
    problems.sort();
    problems.dedup();
    // A reader that has gone must not keep the problems from being listed.
    let printed = print(&done);
    settle(&problems).and(printed)
}

/// The verdict rows of a batch, in task then run order.
fn rows(study: &Study, runs: &[usize]) -> Vec<Verdict> {
    runs.iter().filter_map(|&run| Some((**study.runs.get(run)?.verdict()?).clone())).collect()
}

/// Errors of a batch block its file, whichever they are: a file that lacks rows would read as complete.
/// Only a recorded file that differs is no reason not to write elsewhere, nor one that lacks rows not to write
/// it anew.
fn blocks(problem: &Problem, batch: &Batch, elsewhere: bool) -> bool {
    let is_tolerated = problem.code == Code::VerdictDrift && (elsewhere || !is_recorded(problem, batch));
    is_error_of(problem, batch) && !is_tolerated
}

fn is_error_of(problem: &Problem, batch: &Batch) -> bool {
    problem.is_error() && problem.place.batch.as_deref().is_none_or(|id| id == batch.id)
}

/// True if there is a recorded verdict of the run a problem is about.
fn is_recorded(problem: &Problem, batch: &Batch) -> bool {
    let run = problem.place.task.as_deref().zip(problem.place.run.as_deref());
    let row = |recorded: &Recorded| recorded.row(run?.0, run?.1).map(drop);
    batch.recorded.as_ref().and_then(row).is_some()
}

/// Where the files of a batch go. Under `--out` that is named by the batch's folder, never by the id in its
/// manifest, which may be anything, a path out of `--out` too.
fn target(batch: &Batch, out: Option<&Path>) -> PathBuf {
    match out {
        Some(out) => out.join(batch.path.file_name().unwrap_or(OsStr::new("batch"))),
        None => batch.path.clone(),
    }
}

/// Batches that would be written to the place of another, by path: none of them is written.
fn clashes<'a>(batches: impl Iterator<Item = &'a Batch>, out: Option<&Path>) -> HashMap<PathBuf, Problem> {
    let mut by_target: HashMap<PathBuf, Vec<&Path>> = HashMap::new();
    for batch in batches {
        by_target.entry(target(batch, out)).or_default().push(&batch.path);
    }
    let shared = by_target.into_iter().filter(|(_, paths)| paths.len() > 1);
    shared
        .flat_map(|(target, paths)| {
            let detail = format!("{} batches would be written to {}: none is", paths.len(), target.display());
            paths
                .into_iter()
                .map(move |path| (path.to_owned(), Problem::new(Code::SameTarget, path, &*detail)))
        })
        .collect()
}

/// Says that the recorded files hold. Rows that differ are listed as `VERDICT_DRIFT` problems of the study.
fn check(problems: &[&Problem], batch: &Batch, rows: &[Verdict]) -> Result<String, Problem> {
    let Some(recorded) = &batch.recorded else {
        return Err(Problem::new(
            Code::NothingHere,
            &batch.path,
            "no recorded verdicts.jsonl to compare with",
        ));
    };
    let path = recorded.path.display();
    if problems.iter().any(|problem| is_error_of(problem, batch)) {
        return Ok(format!("{}: differs from {path}, or is not complete: see the problems", batch.id));
    }
    check_summary(&recorded.path.with_file_name("summary.json"), rows)?;
    Ok(format!("{}: {} rows equal to {path}", batch.id, rows.len()))
}

/// A summary need not be there; if it is, it must be that of the rows.
fn check_summary(path: &Path, rows: &[Verdict]) -> Result<(), Problem> {
    if !path.exists() {
        return Ok(());
    }
    let recorded = archive::read_json(path, &Limits::default())?;
    let recomputed = archive::json::parse(summary_json(rows).as_bytes()).ok();
    if Some(recorded) == recomputed {
        return Ok(());
    }
    Err(Problem::new(Code::VerdictDrift, path, "the recorded summary is not that of the verdicts"))
}

/// Writes both files whole or not at all. A recorded file that differs has already blocked its batch.
fn write(dir: &Path, batch: &Batch, rows: &[Verdict]) -> Result<String, Problem> {
    let failed = |error| Problem::new(Code::Unwritable, dir, format!("cannot be written: {error}"));
    let lines: String = rows.iter().map(|row| verdicts::to_line(row) + "\n").collect();
    let summary = summary_json(rows);
    fs::create_dir_all(dir).map_err(failed)?;
    let files = [(dir.join("verdicts.jsonl"), lines), (dir.join("summary.json"), summary)];
    archive::write_together(&files.each_ref().map(|(path, text)| (path.as_path(), text.as_bytes())))
        .map_err(failed)?;
    let damage = rows.iter().filter(|row| row.counts_as_damage).count();
    Ok(format!("{}: {} rows, {damage} with damage → {}", batch.id, rows.len(), dir.display()))
}
