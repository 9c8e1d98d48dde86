//! A run's words and edits in brief, for two runs side by side.

use super::conversation::transcript;
use super::groups;
use super::said::Said;
use crate::damage::Evidence;
use crate::model::{Op, Transcript};
use crate::report::words;
use crate::tui::open_run::OpenRun;
use crate::tui::widget::rich::{Rich, Role, piece, wrap};

/// The whole final message, or why there is none.
#[must_use]
pub fn said_words(view: &OpenRun) -> String {
    match view.said() {
        Said::Quote { .. } => {
            let last = transcript(view).and_then(Transcript::final_message);
            last.map(|(_, text)| text.display().trim_end().to_owned()).unwrap_or_default()
        }
        Said::Nothing(why) => why.clone(),
        Said::NotInArchive => "not in the archive".into(),
    }
}

/// What the run left in the database, not-allowed edits first, old and new value below each.
#[must_use]
pub fn did_lines(view: &OpenRun, width: usize) -> Vec<Rich> {
    let mut lines = Vec::new();
    let mut say = |indent: usize, role: Role, text: String| {
        for pieces in wrap(&[piece(role, text)], width.saturating_sub(indent + 1).max(4)) {
            let mut rich = Rich::new().column(indent);
            rich.left.extend(pieces);
            lines.push(rich);
        }
    };
    let Some(evidence) = &view.evidence else {
        match view.verdict() {
            None => say(3, Role::Notice, "not known: no verdict".into()),
            Some(verdict) => {
                for delta in &verdict.deltas {
                    let row = words::row_name(&delta.table, &delta.key);
                    say(3, Role::Damage, format!("{row} {}", words::list(&delta.changed_columns)));
                }
                say(3, Role::Notice, "old and new value not in the archive".into());
            }
        }
        return lines;
    };
    if view.groups(true).is_empty() {
        say(3, Role::Plain, "nothing that is not allowed".into());
    }
    for damage in [true, false] {
        for group in view.groups(damage) {
            let role = if damage { Role::Damage } else { Role::Dim };
            let word = if damage { "not allowed" } else { "allowed" };
            say(3, role, format!("{}  {word}", groups::line(evidence, group)));
            if damage && group.deltas.len() == 1 {
                for (column, old, new) in changes(evidence, group.deltas.first().copied()) {
                    say(5, Role::Damage, format!("{column}  {old} → {new}"));
                }
            }
        }
    }
    lines
}

fn changes(evidence: &Evidence, index: Option<usize>) -> Vec<(String, String, String)> {
    let Some(judged) = index.and_then(|index| evidence.deltas.get(index)) else { return Vec::new() };
    if judged.delta.op != Op::Modified {
        return Vec::new();
    }
    groups::shown_columns(judged)
        .iter()
        .map(|column| {
            let (old, new) = groups::values(judged, column);
            (column.to_string(), old, new)
        })
        .collect()
}
