//! Reasons in full, and where a run comes from: for `w`, `i`, and the third pane of wide screens.

use super::rows::Owner;
use crate::damage::JudgedDelta;
use crate::report::why::{rule_text, why};
use crate::report::words;
use crate::tui::open_run::OpenRun;
use crate::tui::widget::rich::{Rich, Role, piece, wrap};

/// The edit that `selected` is, or the first one of its group.
fn judged(view: &OpenRun, selected: Owner) -> Option<&JudgedDelta> {
    match selected {
        Owner::Delta(index) | Owner::Group(index) => view.evidence.as_ref()?.deltas.get(index),
        _ => None,
    }
}

/// The reasons for what is selected, label and text; without an edit the reasons for the verdict.
#[must_use]
pub fn reasons(view: &OpenRun, selected: Owner) -> Vec<(String, String)> {
    let mut lines: Vec<(String, String)> = Vec::new();
    match (judged(view, selected), &view.task) {
        (Some(judged), Some(task)) => {
            lines.push(("row".into(), words::row_name(&judged.delta.table, &judged.delta.key)));
            for (index, reason) in why(judged, &task.spec).into_iter().enumerate() {
                lines.push((if index == 0 { "why".into() } else { String::new() }, reason));
            }
            lines.push(("edit by".into(), by_call(view, judged)));
        }
        (Some(_), None) => lines.push(("why".into(), "the task's rules are not in the archive".into())),
        (None, _) => lines.push(("why".into(), "select an edit to see the rules it met".into())),
    }
    if let Some(task) = &view.task {
        let rules = task.spec.allowed.iter().enumerate();
        let mut rules: Vec<String> = rules.map(|(index, rule)| rule_text(index, rule)).collect();
        if rules.is_empty() {
            rules.push("nothing".into());
        }
        for (index, rule) in rules.into_iter().enumerate() {
            lines.push((if index == 0 { "allowed".into() } else { String::new() }, rule));
        }
    }
    lines
}

fn by_call(view: &OpenRun, judged: &JudgedDelta) -> String {
    let grade = judged.attribution.grade.as_str();
    let call =
        judged.attribution.call.and_then(|call| view.record.as_ref()?.transcript.as_ref()?.calls.get(call));
    match call {
        Some(call) => format!("m{} {}, {grade}", call.message + 1, call.tool),
        None => grade.to_owned(),
    }
}

/// Where the run comes from: address, settings, files with their hashes.
#[must_use]
pub fn provenance(view: &OpenRun) -> Vec<(String, String)> {
    let mut lines = vec![("address".to_owned(), view.address.to_string())];
    lines.extend(view.provenance.facts.iter().cloned());
    for file in &view.provenance.files {
        lines.push((file.role.to_owned(), file.path.display().to_string()));
        lines.extend(file.sha256.iter().map(|hash| ("sha256".to_owned(), hash.clone())));
    }
    if let Some(verdict) = view.verdict() {
        let from = if view.evidence.is_some() { "recomputed from the dumps" } else { "recorded" };
        lines.push(("verdict".into(), from.into()));
        let code = verdict.sub_label.map(|label| format!(" {}", label.as_str())).unwrap_or_default();
        lines.push(("label".into(), format!("{}{code}", verdict.outcome.as_str())));
    }
    lines
}

/// The third pane's lines.
#[must_use]
pub fn lines(view: &OpenRun, selected: Owner, width: usize) -> Vec<Rich> {
    let mut lines = vec![Rich::of(Role::Strong, " WHY")];
    lines.extend(table(reasons(view, selected), width));
    lines.push(Rich::new());
    lines.push(Rich::of(Role::Strong, " WHERE IT COMES FROM"));
    lines.extend(table(provenance(view), width));
    lines
}

fn table(entries: Vec<(String, String)>, width: usize) -> Vec<Rich> {
    let column = entries.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0).min(14) + 3;
    let mut lines = Vec::new();
    for (label, text) in entries {
        let wrapped = wrap(&[piece(Role::Plain, text)], width.saturating_sub(column + 1).max(8));
        for (index, pieces) in wrapped.into_iter().enumerate() {
            let mut line = Rich::of(Role::Dim, if index == 0 { format!(" {label}") } else { String::new() });
            line = line.column(column);
            line.left.extend(pieces);
            lines.push(line);
        }
    }
    lines
}
