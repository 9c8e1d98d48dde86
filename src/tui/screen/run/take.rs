//! What can be taken along from the Run screen, and the run's place in its cell.

use super::entries::Entry;
use super::rows::Owner;
use crate::model::Op;
use crate::report::words;
use crate::study::{RunEntry, Study};
use crate::tui::identity::RunId;
use crate::tui::open_run::OpenRun;
use crate::tui::screen::account::conversation::transcript;
use crate::tui::screen::account::groups;
use crate::tui::screen::sentence::cell_sentence;

/// The run's place in its cell: `⚑ 2 of 12 in cell` among runs that refused, `≠ …` among those that passed,
/// else among all. Before it, where the batch is made up, that it is.
#[must_use]
pub fn place(run: &RunId, study: &Study) -> String {
    let Some(cell) = run.cell.find(study) else { return String::new() };
    let Some(index) = run.index(study) else { return String::new() };
    let runs = study.runs_of(cell);
    let Some(entry) = study.runs.get(index) else { return String::new() };
    let refused = |entry: &RunEntry| entry.verdict().is_some_and(|verdict| verdict.refused_but_mutated());
    let passed = |entry: &RunEntry| entry.verdict().is_some_and(|verdict| verdict.passed_but_damaged());
    let (mark, alike): (&str, Vec<&RunEntry>) = if refused(entry) {
        ("⚑ ", runs.iter().filter(|run| refused(run)).collect())
    } else if passed(entry) {
        ("≠ ", runs.iter().filter(|run| passed(run)).collect())
    } else {
        ("run ", runs.iter().collect())
    };
    let before = alike.iter().filter(|other| other.number < entry.number).count();
    let made_up = study.batches.get(entry.batch).is_some_and(|batch| batch.synthetic.is_some());
    let notice = if made_up { "synthetic · " } else { "" };
    format!("{notice}{mark}{} of {} in cell", before + 1, alike.len())
}

/// What the rows' cursor stands on, as text.
#[must_use]
pub fn selection(view: &OpenRun, owner: Owner) -> String {
    let evidence = view.evidence.as_ref();
    match owner {
        Owner::Delta(index) => evidence
            .and_then(|evidence| evidence.deltas.get(index))
            .map(|judged| {
                let changes: Vec<String> = groups::shown_columns(judged)
                    .iter()
                    .map(|column| {
                        let (old, new) = groups::values(judged, column);
                        format!("{column}: {old} → {new}")
                    })
                    .collect();
                let row = words::row_name(&judged.delta.table, &judged.delta.key);
                format!("{row} {} {}", judged.delta.op, changes.join(", ")).trim_end().to_owned()
            })
            .unwrap_or_default(),
        Owner::Group(first) => evidence
            .and_then(|evidence| {
                let damage = evidence.deltas.get(first)?.is_damage();
                let group = view.groups(damage).iter().find(|group| group.deltas.first() == Some(&first))?;
                Some(groups::line(evidence, group))
            })
            .unwrap_or_default(),
        Owner::Recorded(index) => view
            .verdict()
            .and_then(|verdict| verdict.deltas.get(index))
            .map(|delta| {
                let row = words::row_name(&delta.table, &delta.key);
                let columns = words::list(&delta.changed_columns);
                if delta.op == Op::Modified {
                    format!("{row} {columns}")
                } else {
                    format!("{row} {}", delta.op)
                }
            })
            .unwrap_or_default(),
        Owner::Check(index) => view
            .record
            .as_ref()
            .and_then(|record| record.checks.get(index))
            .map(|check| {
                let passed = if check.passed { "passed" } else { "failed" };
                let (expected, actual) =
                    (words::value(check.expected.as_ref()), words::value(check.actual.as_ref()));
                format!("check {} {passed}: expected {expected}, actual {actual}", check.name)
            })
            .unwrap_or_default(),
        Owner::Problem(index) => view.problems.get(index).map(ToString::to_string).unwrap_or_default(),
        Owner::None => view.address.to_string(),
    }
}

/// An entry of the transcript, as text.
#[must_use]
pub fn entry(view: &OpenRun, entry: &Entry) -> String {
    let Some(transcript) = transcript(view) else { return String::new() };
    let message =
        |index: usize| transcript.messages.get(index).map(|m| m.text().into_owned()).unwrap_or_default();
    match entry {
        Entry::Call(index) => transcript
            .calls
            .get(*index)
            .map(|call| {
                let answer = call.result.map(message).unwrap_or_default();
                let arguments = crate::model::python::str(&call.args);
                format!("m{} {} {arguments}\n{answer}", call.message + 1, call.tool)
            })
            .unwrap_or_default(),
        entry => entry.messages(transcript).map(message).collect::<Vec<_>>().join("\n\n"),
    }
}

/// One sentence on the run, with its cell's count and interval, and its address.
#[must_use]
pub fn sentence(view: &OpenRun, run: &RunId, study: &Study) -> String {
    let (model, task) = (&view.address.model, &view.address.task);
    let what = match view.verdict() {
        None => "has no verdict".to_owned(),
        Some(verdict) => {
            let (headline, refinement) = words::label(verdict);
            let label =
                if refinement.is_empty() { headline.to_owned() } else { format!("{headline}, {refinement}") };
            let edits = match &view.evidence {
                Some(evidence) => view
                    .groups(true)
                    .iter()
                    .map(|group| groups::line(evidence, group))
                    .collect::<Vec<_>>()
                    .join("; "),
                None => String::new(),
            };
            if edits.is_empty() { format!("is {label}") } else { format!("is {label}: {edits}") }
        }
    };
    let cell = cell_sentence(&run.cell, study);
    format!("{} of {model} on {task} {what}. {cell} gainsay {}", view.address.run, view.address)
}
