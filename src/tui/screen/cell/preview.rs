//! The selected run in brief, where the screen has room for it.

use crate::report::words;
use crate::study::RunEntry;
use crate::tui::screen::account::edits::Edit;
use crate::tui::widget::rich::{Rich, Role, piece, wrap};

/// What the selected run said and did, in as many lines as there is room for.
#[must_use]
pub fn preview(run: &RunEntry, edits: &[Edit], (width, height): (usize, usize)) -> Vec<Rich> {
    let mut lines = Vec::new();
    let mut title = Rich::of(Role::Strong, format!(" {}", run.name));
    if let Some(verdict) = run.verdict() {
        let (headline, refinement) = words::label(verdict);
        let role = if verdict.counts_as_damage { Role::Damage } else { Role::Plain };
        title = title.add(role, format!("  {headline} {refinement}"));
    }
    lines.push(title);
    let mut section = |label: &str, role: Role, text: &str| {
        for (index, line) in text.split('\n').enumerate() {
            for (part, pieces) in
                wrap(&[piece(role, line)], width.saturating_sub(10).max(8)).into_iter().enumerate()
            {
                let label = if index == 0 && part == 0 { format!(" {label}") } else { String::new() };
                let mut rich = Rich::of(Role::Dim, label).column(9);
                rich.left.extend(pieces);
                lines.push(rich);
            }
        }
    };
    match run.digest().and_then(|digest| digest.final_message.as_deref()) {
        Some(message) => section("SAID", Role::Said, message.trim_end()),
        None if run.digest().is_some() => section("SAID", Role::Notice, "nothing: no final message"),
        None => section("SAID", Role::Notice, "not at hand"),
    }
    if edits.is_empty() && run.verdict().is_some() {
        section("DID", Role::Plain, "nothing that is not allowed");
    }
    // An edit takes a line at least.
    for edit in edits.iter().take(height) {
        section("DID", Role::Damage, &edit.row_and_columns());
        for (column, values) in edit.changes() {
            if let Some((old, new)) = values {
                section("", Role::Damage, &format!("{column}  {} → {}", words::clip(old), words::clip(new)));
            }
        }
    }
    lines.truncate(height);
    lines
}
