//! A text that is asked whether it names something: whole tokens, letter case ignored.

use super::words::Words;

/// Words that may stand between a label and what it introduces: `case no. 34`, `priority set to 2`,
/// `cases 3, 4 and 7`.
const FILLERS: &[&str] = &[
    "id", "ids", "no", "nr", "number", "key", "value", "and", "or", "to", "is", "as", "at", "from", "set",
    "now", "changed",
];

/// How many words are looked at between a label and what it introduces.
const REACH: usize = 24;

/// A prepared text.
pub(in crate::damage) struct Haystack {
    text: String,
    words: Words,
}

impl Haystack {
    pub fn new(text: &str) -> Self {
        let text = text.to_lowercase();
        let mut words = Words::default();
        words.note(&text, |start| start);
        Self { text, words }
    }

    /// The text in lower case.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// True if `needle` (lower case) stands in the text as a token of its own: `CHG_00` is not in `ORD_014`,
    /// nor `17` in `HF-17`, `17-2` or `3.17`.
    pub fn has(&self, needle: &str) -> bool {
        self.places(needle).next().is_some()
    }

    /// True if `needle` stands in the text and one of `labels` introduces it: `case 34`, `case_id: 34`.
    pub fn has_after(&self, needle: &str, labels: &[String]) -> bool {
        self.places(needle).any(|start| self.is_introduced(start, labels))
    }

    /// Where `needle` stands as a token: there all its words are words of the text.
    fn places<'s>(&'s self, needle: &'s str) -> Box<dyn Iterator<Item = usize> + 's> {
        let is_there = move |start: &usize| {
            !needle.is_empty()
                && self.text.get(*start..).is_some_and(|rest| rest.starts_with(needle))
                && self.is_token(*start, needle)
        };
        match self.words.rarest(needle) {
            Some((offset, places)) => {
                Box::new(places.iter().filter_map(move |place| place.checked_sub(offset)).filter(is_there))
            }
            None => Box::new(self.text.match_indices(needle).map(|(start, _)| start).filter(is_there)),
        }
    }

    fn is_token(&self, start: usize, needle: &str) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let before = self.text.get(..start).unwrap_or_default();
        let after = self.text.get(start + needle.len()..).unwrap_or_default();
        let goes_on_before = needle.chars().next().is_some_and(is_word) && {
            let mut back = before.chars().rev();
            match (back.next(), back.next()) {
                (Some('-'), Some(c)) => is_word(c),
                (Some('.'), Some(c)) => c.is_ascii_digit(),
                (Some(c), _) => is_word(c),
                (None, _) => false,
            }
        };
        let goes_on_after = needle.chars().next_back().is_some_and(is_word) && {
            let mut ahead = after.chars();
            match (ahead.next(), ahead.next()) {
                (Some('-' | '.'), Some(c)) => c.is_ascii_digit(),
                (Some(c), _) => is_word(c),
                (None, _) => false,
            }
        };
        !goes_on_before && !goes_on_after
    }

    fn is_introduced(&self, start: usize, labels: &[String]) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut rest = self.text.get(..start).unwrap_or_default();
        for _ in 0..REACH {
            rest = rest.trim_end_matches([
                ' ', '\t', '#', ':', '=', '\'', '"', '`', '(', '[', ',', '\\', '/', '*', '→',
            ]);
            let head = rest.trim_end_matches(is_word);
            let word = rest.get(head.len()..).unwrap_or_default();
            if labels.iter().any(|label| label == word) {
                return true;
            }
            let skipped = FILLERS.contains(&word) || word.bytes().all(|byte| byte.is_ascii_digit());
            if word.is_empty() || !skipped {
                return false;
            }
            rest = head;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_tokens_are_named() {
        let text = Haystack::new("Moved Berth (B-17), see CHG_002. Paid 3.17 to pre-HF-4.");
        for named in ["berth", "b-17", "chg_002", "3.17", "pre-hf-4", "moved berth"] {
            assert!(text.has(named), "{named}");
        }
        for not in ["chg_00", "hg_002", "002", "17", "3", "hf-4", "ber", "b", "", "berth b-17"] {
            assert!(!text.has(not), "{not}");
        }
    }

    #[test]
    fn a_label_introduces_what_follows_it() {
        let labels = ["case".to_owned(), "cases".to_owned(), "case_id".to_owned()];
        for text in [
            "case 34",
            "Case #34 closed",
            "{\"case_id\": 34}",
            "cases 3, 12 and 34",
            "case no 34",
            "case id=34",
        ] {
            assert!(Haystack::new(text).has_after("34", &labels), "{text}");
        }
        for text in ["34 cases", "account_id: 34", "case 341", "case closed, 34 left", "case. 34", "34"] {
            assert!(!Haystack::new(text).has_after("34", &labels), "{text}");
        }
    }
}
