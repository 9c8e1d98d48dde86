//! One run as plain text: verdict, why, edits, checks, transcript.

use super::numbers;
use super::text::printable;
use super::why::{rule_text, why};
use super::words;
use crate::damage::{Evidence, Facts, JudgedDelta};
use crate::model::{
    CallStatus, Delta, MessageKind, Op, Row, RunRecord, Task, Text, Transcript, Verdict, python,
};
use crate::study::RunView;

/// The run for people. Everything from the archive is made printable.
#[must_use]
pub fn run_text(view: &RunView) -> String {
    let mut lines = vec![view.address.to_string(), headline(view)];
    lines.extend(view.task.iter().flat_map(|task| allowed(task)));
    lines.extend(view.evidence.iter().flat_map(said_and_linked));
    section(&mut lines, "Edits", edits(view));
    section(&mut lines, "Checks", view.record.iter().flat_map(checks).collect());
    section(&mut lines, "Transcript", transcript(view));
    section(&mut lines, "Where it comes from", provenance(view));
    section(&mut lines, "Problems", view.problems.iter().map(super::problem_line).collect());
    let mut out: String = lines.iter().map(|line| format!("{}\n", printable(line).trim_end())).collect();
    out.truncate(out.trim_end().len());
    out + "\n"
}

fn section(lines: &mut Vec<String>, title: &str, content: Vec<String>) {
    if !content.is_empty() {
        lines.push(String::new());
        lines.push(title.to_owned());
        lines.extend(content.into_iter().map(|line| format!("  {line}")));
    }
}

fn headline(view: &RunView) -> String {
    match view.verdict() {
        None => "NO VERDICT".into(),
        Some(verdict) => {
            let mut text = verdict_words(verdict);
            if let Some(severity) = verdict.severity {
                text.push_str(&format!(" · {}", severity.as_str()));
            }
            if let Some(dollars) = verdict.dollars {
                text.push_str(&format!(" · {}", numbers::dollars(dollars)));
            }
            if view.evidence.is_none() {
                text.push_str(" · recorded verdict, dumps not in the archive");
            }
            text
        }
    }
}

/// The outcome in the words of the screens, with the code name behind it.
fn verdict_words(verdict: &Verdict) -> String {
    let (headline, refinement) = words::label(verdict);
    let words =
        if refinement.is_empty() { headline.to_owned() } else { format!("{headline} · {refinement}") };
    let code = [Some(verdict.outcome.as_str()), verdict.sub_label.map(|label| label.as_str())];
    format!("{words} ({})", code.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

fn allowed(task: &Task) -> Vec<String> {
    let rules = task.spec.allowed.iter().enumerate();
    let mut lines: Vec<String> =
        rules.map(|(index, rule)| format!("allowed  {}", rule_text(index, rule))).collect();
    if lines.is_empty() {
        lines.push("allowed  nothing".into());
    }
    lines
}

fn said_and_linked(evidence: &Evidence) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(facts) = &evidence.facts {
        lines.push(format!("facts    {}", facts_line(facts)));
    }
    for contradiction in &evidence.contradictions {
        lines.push(format!("contradiction  {}", contradiction.rule.as_str()));
    }
    lines
}

/// `refusal names: this row · final message admits the edit: no · m7 < m11`
fn facts_line(facts: &Facts) -> String {
    let names = facts.refusal_names.map(|names| format!("refusal names: {}", words::names_row(names)));
    let admits = facts.admits.map(|admits| if admits { "yes" } else { "no" });
    let admits = admits.map(|answer| format!("final message admits the edit: {answer}"));
    names.into_iter().chain(admits).chain(words::order(facts)).collect::<Vec<_>>().join(" · ")
}

fn edits(view: &RunView) -> Vec<String> {
    match (&view.evidence, view.verdict()) {
        (Some(evidence), _) if evidence.deltas.is_empty() => vec!["none".into()],
        (Some(evidence), _) => evidence.deltas.iter().flat_map(|judged| edit(view, judged)).collect(),
        (None, Some(verdict)) => verdict
            .deltas
            .iter()
            .map(|row| {
                let columns: Vec<String> = row.changed_columns.iter().map(Text::to_string).collect();
                format!("not allowed  {}/{} {} {}", row.table, row.key.display(), row.op, columns.join(", "))
            })
            .collect(),
        (None, None) => Vec::new(),
    }
}

fn edit(view: &RunView, judged: &JudgedDelta) -> Vec<String> {
    let delta = &judged.delta;
    let word = if judged.is_damage() { "not allowed" } else { "allowed" };
    let mut lines = vec![format!("{word}  {}/{} {}", delta.table, delta.key.display(), delta.op)];
    lines.extend(changes(delta).into_iter().map(|line| format!("    {line}")));
    if let Some(task) = &view.task {
        lines.extend(why(judged, &task.spec).into_iter().map(|line| format!("    why: {line}")));
    }
    let call = judged.attribution.call.and_then(|call| {
        let call = view.record.as_ref()?.transcript.as_ref()?.calls.get(call)?;
        Some(format!("m{} {}, ", call.message + 1, call.tool))
    });
    lines.push(format!("    edit by: {}{}", call.unwrap_or_default(), judged.attribution.grade.as_str()));
    lines
}

/// Changed columns with old and new; the whole row where it came or went; columns not compared.
fn changes(delta: &Delta) -> Vec<String> {
    let value = |row: Option<&Row>, column: &Text| {
        row.and_then(|row| row.column(column)).map_or("absent".to_owned(), python::repr)
    };
    let pair = |column: &Text| {
        format!(
            "{column}: {} → {}",
            value(delta.before.as_ref(), column),
            value(delta.after.as_ref(), column)
        )
    };
    match delta.op {
        Op::Modified => {
            let mut lines: Vec<String> = delta.changed.iter().map(pair).collect();
            lines.extend(delta.masked.iter().map(|column| format!("{} (not compared)", pair(column))));
            lines
        }
        Op::Added | Op::Removed => delta
            .raw_row()
            .map(|row| {
                row.iter().map(|(column, value)| format!("{column}: {}", python::repr(value))).collect()
            })
            .unwrap_or_default(),
    }
}

fn checks(record: &RunRecord) -> Vec<String> {
    let mut lines = Vec::new();
    for check in &record.checks {
        let sign = if check.passed { "passed" } else { "failed" };
        let shown = |value: &Option<_>| value.as_ref().map_or("–".to_owned(), python::repr);
        lines.push(format!(
            "{sign}  {}  expected {}, actual {}",
            check.name,
            shown(&check.expected),
            shown(&check.actual)
        ));
    }
    lines
}

fn transcript(view: &RunView) -> Vec<String> {
    let Some(record) = &view.record else { return Vec::new() };
    let Some(transcript) = &record.transcript else {
        let error = record.error.as_ref().map(python::str).unwrap_or_default();
        return vec![format!("none: {error}")];
    };
    let mut lines: Vec<String> =
        (0..transcript.messages.len()).flat_map(|index| message(transcript, index)).collect();
    lines.extend(record.error.iter().map(|error| format!("error: {}", python::str(error))));
    lines
}

fn message(transcript: &Transcript, index: usize) -> Vec<String> {
    let Some(message) = transcript.messages.get(index) else { return Vec::new() };
    let who = match &message.kind {
        MessageKind::System(_) => "system".to_owned(),
        MessageKind::User(_) => "user".into(),
        MessageKind::Agent(_) => "agent".into(),
        MessageKind::ToolResult { tool, failed, .. } => {
            format!("{tool} {}", if *failed { "ERROR" } else { "ok" })
        }
        MessageKind::Other { kind, .. } => kind.to_string(),
    };
    let text = message.text();
    let mut shown = text.split('\n');
    let mut lines = vec![format!("m{} {who}: {}", index + 1, shown.next().unwrap_or_default())];
    lines.extend(shown.map(|line| format!("    {line}")));
    for call in transcript.calls_of(index) {
        let status = match call.status {
            CallStatus::Ok => "",
            CallStatus::Failed => " (failed)",
            CallStatus::Unanswered => " (no answer)",
        };
        lines.push(format!(
            "    → {} {}{status}",
            call.tool,
            crate::archive::json::write_in_order(&call.args)
        ));
    }
    lines
}

fn provenance(view: &RunView) -> Vec<String> {
    let facts = view.provenance.facts.iter().map(|(label, value)| format!("{label}: {value}"));
    let files = view.provenance.files.iter().map(|file| {
        let digest = file.sha256.as_ref().map(|hex| format!("  sha256 {hex}")).unwrap_or_default();
        format!("{}: {}{digest}", file.role, file.path.display())
    });
    facts.chain(files).collect()
}
