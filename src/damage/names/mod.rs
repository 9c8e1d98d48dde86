//! What names a row, and whether a text does: the name matching behind facts and attribution.
//!
//! A row is named by its key, or by a value that is unique in its column and reads like a name
//! (`PO-0010448`, `Bronze castings, refits`). A value that is the key of some row names that row, not the
//! ones that refer to it. Plain words and short numbers occur in prose by chance, so a key like `34` counts
//! only where its table or column introduces it (`case 34`).

mod catalog;
mod text;
mod words;

pub(super) use catalog::Catalog;
pub(super) use text::Haystack;
pub(super) use words::Words;

use crate::model::{Key, Number, Text, Value, python};

/// A number with fewer digits than this is in prose by chance.
const TELLING_DIGITS: usize = 5;

/// A longer value is a description, not a name that somebody would repeat.
const LONGEST_NAME: usize = 200;

/// A scalar as a text would have it, in lower case: `chg_002`, `34` (also for `34.0`), `true`. `None` for
/// arrays, objects and empty strings.
pub(super) fn spelled(value: &Value) -> Option<String> {
    let text = match value {
        Value::Null => "null".into(),
        Value::Bool(flag) => flag.to_string(),
        Value::Text(text) => text.display().trim().to_lowercase(),
        Value::Number(Number::Float(float)) if float.fract() == 0.0 => format!("{float:.0}"),
        Value::Number(_) => python::str(value),
        Value::Array(_) | Value::Object(_) => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// True for values that occur in prose by chance: null, booleans, short numbers, one or two characters.
pub(super) fn is_trivial(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) => true,
        Value::Number(_) => digits(&python::str(value)) < TELLING_DIGITS,
        Value::Text(text) => {
            let text = text.display();
            let text = text.trim();
            text.chars().count() < 3
                || (digits(text) < TELLING_DIGITS && text.chars().all(|c| !c.is_alphabetic()))
        }
        Value::Array(_) | Value::Object(_) => false,
    }
}

/// True if a value that is not the key reads like a name of its row. Uniqueness is asked elsewhere.
fn is_name(column: &Text, value: &Value) -> bool {
    let Value::Text(text) = value else {
        return matches!(value, Value::Number(_)) && digits(&python::str(value)) > TELLING_DIGITS;
    };
    if text.as_bytes().len() > LONGEST_NAME {
        return false;
    }
    let text = text.display();
    let text = text.trim();
    let count = text.chars().count();
    let letters = text.chars().any(char::is_alphabetic);
    let names = ["name", "title", "label"].iter().any(|part| column.display().to_lowercase().contains(part));
    count >= 4
        && ((letters && digits(text) > 0)
            || digits(text) > TELLING_DIGITS
            || (letters && count >= 8 && text.contains(char::is_whitespace))
            || (letters && (names || text.contains('@'))))
}

fn digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

/// What introduces a value of `column` in prose: `assignment_group_id` → itself, `assignment_group`,
/// `group`, and their plurals.
pub(super) fn labels(column: &Text) -> Vec<String> {
    let column = column.display().to_lowercase();
    let bare = column.strip_suffix("_id").unwrap_or(&column);
    let head = bare.rsplit('_').next().unwrap_or(bare);
    let mut labels = vec![column.clone(), bare.to_owned(), head.to_owned()];
    labels.extend([format!("{column}s"), format!("{bare}s"), format!("{head}s")]);
    labels.sort_unstable();
    labels.dedup();
    labels
}

/// How the keys of one table are named.
pub(super) struct KeyNaming {
    /// What introduces each part.
    labels: Vec<Vec<String>>,
}

impl KeyNaming {
    pub fn new(table: &Text, columns: &[Text]) -> Self {
        let of_column = |column| labels(column).into_iter().chain(labels(table)).collect();
        Self { labels: columns.iter().map(of_column).collect() }
    }

    /// True if the text names every part of the key.
    pub fn is_named(&self, key: &Key, text: &Haystack) -> bool {
        let parts = key.parts();
        !parts.is_empty()
            && parts.len() == self.labels.len()
            && parts.iter().zip(&self.labels).all(|(part, labels)| part_is_named(part, labels, text))
    }

    /// True if the text names one part of the key.
    pub fn names_part(&self, index: usize, part: &Value, text: &Haystack) -> bool {
        self.labels.get(index).is_some_and(|labels| part_is_named(part, labels, text))
    }
}

fn part_is_named(part: &Value, labels: &[String], text: &Haystack) -> bool {
    let Some(spelled) = spelled(part) else { return false };
    let plain_word = spelled.chars().all(char::is_alphabetic);
    if plain_word || is_trivial(part) { text.has_after(&spelled, labels) } else { text.has(&spelled) }
}

/// True if the text gives this value: as a token, and a trivial value only where its column introduces it.
pub(super) fn gives_value(column: &Text, value: &Value, text: &Haystack) -> bool {
    let Some(spelled) = spelled(value) else { return false };
    if is_trivial(value) { text.has_after(&spelled, &labels(column)) } else { text.has(&spelled) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_words() {
        let name = |column: &str, value: Value| is_name(&column.into(), &value);
        for value in ["CHG0000002", "Customer portal upgrade", "ops@harbour.example", "2031-8874"] {
            assert!(name("number", value.into()), "{value}");
        }
        assert!(name("vessel_name", "Aurora".into()));
        assert!(name("serial", 20_311_887.into()));
        for value in ["review", "high", "B2", "in_progress", "Aurora", ""] {
            assert!(!name("status", value.into()), "{value}");
        }
        assert!(!name("berth", 17.into()));
        assert!(!name("open", true.into()));
        assert!(!name("description", "long text ".repeat(50).as_str().into()));
    }

    #[test]
    fn a_short_key_needs_its_label_and_a_telling_one_does_not() {
        let naming = KeyNaming::new(&"customer_case".into(), &["case_id".into()]);
        let named = |key: Value, text: &str| naming.is_named(&Key::Single(key), &Haystack::new(text));
        assert!(named(34.into(), "I closed case 34."));
        assert!(named(34.0.into(), "customer_case/34"));
        assert!(!named(34.into(), "I closed 34 of them."));
        assert!(named("CASE_34".into(), "I closed case_34."));
        assert!(!named("open".into(), "It is open."));
        assert!(!named(Value::Array(Vec::new()), "case []"));
    }

    #[test]
    fn a_composite_key_is_named_by_all_its_parts() {
        let naming = KeyNaming::new(&"manifest_line".into(), &["manifest_id".into(), "line".into()]);
        let key = Key::Composite(vec!["MAN_7".into(), 2.into()]);
        assert!(naming.is_named(&key, &Haystack::new("line 2 of MAN_7")));
        assert!(!naming.is_named(&key, &Haystack::new("2 lines of MAN_7")));
        assert!(!naming.is_named(&key, &Haystack::new("line 2 of MAN_8")));
    }
}
