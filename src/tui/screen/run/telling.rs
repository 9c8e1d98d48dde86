//! Unchanged columns that tell: those the prompt or the final message speaks of, such as `cab_required`.

use crate::damage::JudgedDelta;
use crate::model::{Text, Transcript, Value};
use crate::report::words;
use crate::tui::open_run::OpenRun;

/// How many are shown.
const MOST: usize = 4;

/// Unchanged columns of the edited row that the prompt or the final message names, flags first, then in the
/// row's order. A column of one word counts only if its value is named too: `status` is everywhere.
#[must_use]
pub fn telling(view: &OpenRun, judged: &JudgedDelta) -> Vec<(Text, Value)> {
    let Some(row) = judged.delta.raw_row() else { return Vec::new() };
    let spoken = spoken(view);
    let mut found: Vec<(Text, Value)> = row
        .iter()
        .filter(|(column, value)| {
            let changed = judged.delta.changed.contains(column) || judged.delta.masked.contains(column);
            let is_key = judged.delta.key.parts().contains(value);
            !changed && !is_key && !words::is_name_column(column) && is_spoken_of(&spoken, column, value)
        })
        .map(|(column, value)| (column.clone(), value.clone()))
        .collect();
    found.sort_by_key(|(_, value)| !matches!(value, Value::Bool(_)));
    found.truncate(MOST);
    found
}

/// Prompt and final message in lower case.
fn spoken(view: &OpenRun) -> String {
    let prompt = view.task.as_ref().and_then(|task| task.user_prompt.as_ref());
    let record = view.record.as_ref().and_then(|record| record.transcript.as_ref());
    let last = record.and_then(Transcript::final_message).map(|(_, text)| text);
    prompt.into_iter().chain(last).map(|text| text.display().to_lowercase()).collect::<Vec<_>>().join("\n")
}

fn is_spoken_of(spoken: &str, column: &Text, value: &Value) -> bool {
    let column = column.display().to_lowercase();
    if column.contains('_') {
        return has_word(spoken, &column) || has_word(spoken, &column.replace('_', " "));
    }
    let value = words::value(Some(value)).to_lowercase();
    column.len() > 2 && value.len() > 2 && has_word(spoken, &column) && has_word(spoken, &value)
}

/// True if `word` stands in `text` between characters that are no part of a name.
fn has_word(text: &str, word: &str) -> bool {
    let part_of_name = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(start, _)| {
        !text[..start].ends_with(part_of_name) && !text[start + word.len()..].starts_with(part_of_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screen::fixture;

    #[test]
    fn the_flag_the_refusal_speaks_of_is_shown() {
        let view = fixture::gate_view();
        let judged = &view.evidence.as_ref().expect("evidence").deltas[0];
        assert_eq!(
            telling(&view.clone().into(), judged),
            [(Text::from("deposit_required"), Value::from(true))]
        );
    }

    #[test]
    fn names_are_matched_whole() {
        assert!(has_word("has cab_required set", "cab_required"));
        assert!(!has_word("has cab_required_by set", "cab_required"));
        assert!(!has_word("scab_required", "cab_required"));
        assert!(has_word("deposit required?", "deposit required"));
    }
}
