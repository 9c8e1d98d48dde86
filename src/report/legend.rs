//! Which name for people stands for which name of addresses.

use super::text::printable;
use crate::study::Study;

/// `models: Tern 7B (tern-7b-instruct), …` and a line end, of those models whose two names differ; else nothing.
pub(super) fn legend(study: &Study, models: impl IntoIterator<Item = usize>) -> String {
    let mut told: Vec<String> = Vec::new();
    for row in models.into_iter().filter_map(|model| study.models.get(model)) {
        let line = format!("{} ({})", printable(row.title()), printable(&row.name));
        if row.title() != row.name && !told.contains(&line) {
            told.push(line);
        }
    }
    if told.is_empty() { String::new() } else { format!("models: {}\n", told.join(", ")) }
}
