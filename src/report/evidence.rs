//! One run's evidence as Markdown, to paste into a report or an issue.

use super::numbers;
use super::text::printable;
use super::why::{rule_text, why};
use super::words;
use crate::damage::{Evidence, JudgedDelta};
use crate::model::{CallStatus, Delta, Op, RunRecord, Transcript, Verdict, python};
use crate::study::RunView;

/// Not-allowed edits listed one by one; more are counted.
const MOST_EDITS: usize = 40;

/// The evidence of a run: what was allowed, said and done, why, the calls, the checks, where it is from. All
/// text from the archive is made printable, and nothing in it can end a quote or a code span.
#[must_use]
pub fn markdown(view: &RunView) -> String {
    let mut page = Page::default();
    let address = &view.address;
    page.line(&format!(
        "## {} × {} · {}",
        escaped(&address.model),
        escaped(&address.task),
        escaped(&address.run)
    ));
    page.blank();
    page.line(&headline(view));
    page.blank();
    allowed(view, &mut page);
    said(view, &mut page);
    did(view, &mut page);
    if let Some(record) = &view.record {
        calls(view, record, &mut page);
        checks(record, &mut page);
    }
    provenance(view, &mut page);
    page.out
}

#[derive(Default)]
struct Page {
    out: String,
}

impl Page {
    fn line(&mut self, line: &str) {
        self.out += line.trim_end();
        self.out.push('\n');
    }

    fn blank(&mut self) {
        self.out.push('\n');
    }

    fn section(&mut self, title: &str) {
        self.line(&format!("### {title}"));
        self.blank();
    }
}

/// Text that Markdown shows as it is.
fn escaped(text: &str) -> String {
    let mut shown = String::new();
    for c in printable(text).chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '!' | '&') {
            shown.push('\\');
        }
        shown.push(c);
    }
    shown
}

/// Text as a code span: fenced by more backticks than it holds in a row.
fn code(text: &str) -> String {
    let text = printable(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let blank = if longest > 0 { " " } else { "" };
    if text.is_empty() { String::new() } else { format!("{fence}{blank}{text}{blank}{fence}") }
}

fn headline(view: &RunView) -> String {
    let Some(verdict) = view.verdict() else {
        let problem = view.problems.first().map(|problem| format!(": {}", escaped(&problem.to_string())));
        return format!("**NO VERDICT**{}", problem.unwrap_or_default());
    };
    let mut parts = vec![label(verdict)];
    if let Some(severity) = verdict.severity {
        parts.push(severity.as_str().to_owned());
        parts.push(verdict.dollars.map_or("no price".into(), numbers::dollars));
    }
    let source =
        if view.evidence.is_some() { "recomputed from the dumps" } else { "recorded, not recomputed" };
    parts.push(source.to_owned());
    parts.join(" · ")
}

fn label(verdict: &Verdict) -> String {
    let (headline, refinement) = words::label(verdict);
    let code = verdict.sub_label.map(|label| format!(" {}", label.as_str())).unwrap_or_default();
    let refinement = if refinement.is_empty() { String::new() } else { format!(", {refinement}") };
    format!("**{headline}{refinement}** (`{}{code}`)", verdict.outcome.as_str())
}

fn allowed(view: &RunView, page: &mut Page) {
    page.section("Allowed");
    match &view.task {
        None => page.line("Not in the archive."),
        Some(task) if task.spec.allowed.is_empty() => page.line("Nothing."),
        Some(task) => {
            for (index, rule) in task.spec.allowed.iter().enumerate() {
                page.line(&format!("- {}", escaped(&rule_text(index, rule))));
            }
        }
    }
    page.blank();
}

fn said(view: &RunView, page: &mut Page) {
    page.section("Said");
    let last = view
        .record
        .as_ref()
        .and_then(|record| record.transcript.as_ref())
        .and_then(Transcript::final_message);
    match (last, &view.record) {
        (Some((index, text)), _) => {
            page.line(&format!("m{}:", index + 1));
            page.blank();
            for line in text.display().trim_end().split('\n') {
                page.line(&format!("> {}", escaped(line.trim_end_matches('\r'))));
            }
        }
        (None, None) => page.line("Not in the archive."),
        (None, Some(record)) => match &record.error {
            Some(error) => page.line(&format!("Nothing; errored: {}", escaped(&python::str(error)))),
            None => page.line("Nothing."),
        },
    }
    page.blank();
}

fn did(view: &RunView, page: &mut Page) {
    page.section("Did, not allowed");
    match (&view.evidence, view.verdict()) {
        (Some(evidence), _) => judged_edits(view, evidence, page),
        (None, Some(verdict)) => {
            for delta in &verdict.deltas {
                let row = words::row_name(&delta.table, &delta.key);
                let what = match delta.op {
                    Op::Modified => words::list(&delta.changed_columns),
                    op => op.to_string(),
                };
                page.line(&format!("- {} {}", code(&row), escaped(&what)));
            }
            page.line(if verdict.deltas.is_empty() {
                "Nothing, says the recorded verdict."
            } else {
                "  Old and new value are not in the archive."
            });
        }
        (None, None) => page.line("Not known: no verdict."),
    }
    page.blank();
}

fn judged_edits(view: &RunView, evidence: &Evidence, page: &mut Page) {
    let damage: Vec<&JudgedDelta> = evidence.deltas.iter().filter(|judged| judged.is_damage()).collect();
    if damage.is_empty() {
        page.line("Nothing.");
    }
    for judged in damage.iter().take(MOST_EDITS) {
        let delta = &judged.delta;
        let row = words::row_name(&delta.table, &delta.key);
        page.line(&format!("- {}{} {}", code(&row), names(delta), delta.op));
        for column in &judged.authorization.residue {
            let of =
                |row: &Option<crate::model::Row>| row.as_ref().and_then(|row| row.column(column)).cloned();
            let (old, new) = words::change(of(&delta.before).as_ref(), of(&delta.after).as_ref());
            page.line(&format!("  - {}: {} → {}", code(&column.display()), code(&old), code(&new)));
        }
        if let Some(task) = &view.task {
            for reason in why(judged, &task.spec) {
                page.line(&format!("  - why: {}", escaped(&reason)));
            }
        }
        let call = judged
            .attribution
            .call
            .and_then(|call| view.record.as_ref()?.transcript.as_ref()?.calls.get(call));
        if let Some(call) = call {
            let grade = judged.attribution.grade.as_str();
            page.line(&format!("  - edit by m{} {} ({grade})", call.message + 1, code(&call.tool.display())));
        }
    }
    if damage.len() > MOST_EDITS {
        page.line(&format!("- and {} more", damage.len() - MOST_EDITS));
    }
    if let Some(facts) = &evidence.facts {
        page.blank();
        if let Some(names) = facts.refusal_names {
            page.line(&format!("- refusal names: {}", words::names_row(names)));
        }
        if let Some(admits) = facts.admits {
            page.line(&format!("- final message admits the edit: {}", if admits { "yes" } else { "no" }));
        }
        if let (Some(call), Some(refusal)) = (facts.call_message, facts.refusal_message) {
            page.line(&format!("- edit at m{}, refusal at m{}", call + 1, refusal + 1));
        }
    }
}

fn names(delta: &Delta) -> String {
    let Some(row) = delta.raw_row() else { return String::new() };
    let (reference, name) = words::human_name(row, &delta.key);
    let reference = reference.map(|text| format!(" = {}", escaped(&text.display()))).unwrap_or_default();
    let name = name.map(|text| format!(" “{}”", escaped(&text.display()))).unwrap_or_default();
    reference + &name
}

/// The calls that wrote, failed, or made an edit; reads are counted.
fn calls(view: &RunView, record: &RunRecord, page: &mut Page) {
    let Some(transcript) = &record.transcript else { return };
    page.section("Calls");
    let strip = view.entry.digest().map(|digest| digest.strip.as_slice()).unwrap_or_default();
    let mut reads = 0;
    for (index, call) in transcript.calls.iter().enumerate() {
        if strip.get(index) == Some(&crate::damage::Mark::Read) && call.status == CallStatus::Ok {
            reads += 1;
            continue;
        }
        let status = match call.status {
            CallStatus::Ok => "ok",
            CallStatus::Failed => "failed",
            CallStatus::Unanswered => "no answer on record",
        };
        let arguments = python::str(&call.args);
        page.line(&format!(
            "- m{} {} {}: {status}",
            call.message + 1,
            code(&call.tool.display()),
            code(&arguments)
        ));
    }
    page.line(&format!("- {reads} further calls only read"));
    page.blank();
}

fn checks(record: &RunRecord, page: &mut Page) {
    page.section("Checks");
    if record.checks.is_empty() {
        page.line("None on record.");
    }
    for check in &record.checks {
        let passed = if check.passed { "passed" } else { "failed" };
        let value = |value: &Option<crate::model::Value>| words::value(value.as_ref());
        page.line(&format!(
            "- {} {passed}: expected {}, actual {}",
            code(&check.name.display()),
            code(&value(&check.expected)),
            code(&value(&check.actual))
        ));
    }
    page.blank();
}

fn provenance(view: &RunView, page: &mut Page) {
    page.section("Where it comes from");
    page.line(&format!("- address: {}", code(&view.address.to_string())));
    for (label, value) in &view.provenance.facts {
        page.line(&format!("- {}: {}", escaped(label), escaped(value)));
    }
    for file in &view.provenance.files {
        let hash = file.sha256.as_ref().map(|hash| format!(" sha256 {}", code(hash))).unwrap_or_default();
        page.line(&format!("- {}: {}{hash}", file.role, code(&file.path.display().to_string())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_place() {
        assert_eq!(code("a`b``c"), "``` a`b``c ```");
        assert_eq!(code("plain"), "`plain`");
        assert_eq!(escaped("*x* <b>\x1b[0m"), "\\*x\\* \\<b\\>^\\[\\[0m");
    }
}
