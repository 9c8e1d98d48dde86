//! Why figures have no value, as footnotes.

use std::collections::BTreeMap;

use super::text::printable;

/// Reasons, each told once: `–a` in the table, `a: …` below it.
#[derive(Clone, Debug, Default)]
pub struct Reasons {
    known: BTreeMap<String, usize>,
}

impl Reasons {
    /// The mark of a reason; without one a plain dash.
    pub fn mark(&mut self, reason: Option<String>) -> String {
        let Some(reason) = reason else { return "–".into() };
        let next = self.known.len();
        format!("–{}", letters(*self.known.entry(reason).or_insert(next)))
    }

    /// What the marks mean, in order.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<(usize, &String)> =
            self.known.iter().map(|(reason, place)| (*place, reason)).collect();
        notes.sort();
        notes
            .into_iter()
            .map(|(place, reason)| format!("–{}: {}", letters(place), printable(reason)))
            .collect()
    }
}

/// a, b, …, z, aa, ab, …
fn letters(place: usize) -> String {
    let last = char::from(b'a' + u8::try_from(place % 26).unwrap_or(0));
    if place < 26 { last.to_string() } else { format!("{}{last}", letters(place / 26 - 1)) }
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn marks_never_run_out() {
        let marks: Vec<String> = [0, 25, 26, 27, 52, 702].map(letters).to_vec();
        assert_eq!(marks, ["a", "z", "aa", "ab", "ba", "aaa"]);
    }
}
