//! The arguments of one call, and what they say of a row.

use std::collections::{HashMap, HashSet};

use super::super::names::{Haystack, Words, gives_value, is_trivial, spelled};
use super::Target;
use crate::model::{Op, Row, Text, Value};

/// Every value in the arguments, at any depth, with the name of the argument or member that holds it. A call may
/// have very many, and is asked about very many rows: nothing is found by looking through all.
#[derive(Default)]
pub(super) struct Arguments<'a> {
    /// The values of each name.
    values: HashMap<&'a Text, HashSet<&'a Value>>,
    /// By spelling, the names under which it stands.
    spellings: HashMap<String, HashSet<Option<&'a Text>>>,
    /// Texts of several words, such as an SQL statement.
    texts: Vec<(Option<&'a Text>, Haystack)>,
    /// Where in `texts` a word stands.
    words: Words,
}

impl<'a> Arguments<'a> {
    pub fn new(args: &'a Value) -> Self {
        let mut arguments = Self::default();
        arguments.collect(None, args);
        arguments
    }

    fn collect(&mut self, name: Option<&'a Text>, value: &'a Value) {
        if let Some(name) = name {
            self.values.entry(name).or_default().insert(value);
        }
        if let Some(spelled) = spelled(value) {
            self.spellings.entry(spelled).or_default().insert(name);
        }
        let text = value.as_text().map(Text::display).filter(|text| text.contains(char::is_whitespace));
        if let Some(text) = text {
            let (place, text) = (self.texts.len(), Haystack::new(&text));
            self.words.note(text.as_str(), |_| place);
            self.texts.push((name, text));
        }
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.collect(name, item)),
            Value::Object(object) => {
                object.iter().for_each(|(member, item)| self.collect(Some(member), item));
            }
            _ => {}
        }
    }

    /// The names and values.
    pub fn values(&self) -> impl Iterator<Item = (&'a Text, &'a Value)> {
        self.values.iter().flat_map(|(name, values)| values.iter().map(move |value| (*name, *value)))
    }

    /// Every value as a text would have it; a text of several words comes whole.
    pub fn spellings(&self) -> impl Iterator<Item = &str> {
        self.spellings.keys().map(String::as_str)
    }

    /// True if some argument is or contains this text.
    pub fn hold(&self, spelled: &str) -> bool {
        self.spellings.contains_key(spelled) || self.texts(spelled).any(|(_, text)| text.has(spelled))
    }

    /// True if the argument of this name is this value.
    pub fn have(&self, column: &Text, value: &Value) -> bool {
        self.values.get(column).is_some_and(|values| values.contains(value))
            || self.names(value).any(|name| name == Some(column))
    }

    /// The arguments give the row's key: every part under the key column's name, under a name that is no
    /// column anywhere, or in a statement.
    pub fn give_key(&self, target: &Target<'_>) -> bool {
        self.every_part(target, |index, part| {
            let column = target.key_columns.get(index);
            self.names(part).any(|name| name == column || !is_column(name, target))
                || self.statements(part, target).any(|text| target.naming.names_part(index, part, text))
        })
    }

    /// As [`Self::give_key`], and a telling key may stand anywhere, also where another row refers to it.
    pub fn mention_key(&self, target: &Target<'_>) -> bool {
        self.give_key(target)
            || self.every_part(target, |index, part| {
                let Some(spelled) = spelled(part) else { return false };
                let telling = !is_trivial(part) && self.spellings.contains_key(&spelled);
                telling || self.texts(&spelled).any(|(_, text)| target.naming.names_part(index, part, text))
            })
    }

    /// The arguments give what changed: a new value of a written column; any value of an added row; for a
    /// removed row nothing, so they must not set a column of it.
    pub fn give_change(&self, target: &Target<'_>) -> bool {
        let delta = target.delta;
        let own = |row: &Row, column: &Text| {
            row.column(column).is_some_and(|value| self.give(column, value, target))
        };
        match (delta.op, &delta.before, &delta.after) {
            (Op::Modified, _, Some(row)) => target.written.iter().any(|column| own(row, column)),
            (Op::Added, _, Some(row)) => {
                row.names().any(|column| !target.key_columns.contains(column) && own(row, column))
            }
            (Op::Removed, Some(row), _) => !self.set_a_column(row, target.key_columns),
            _ => false,
        }
    }

    fn give(&self, column: &Text, value: &Value, target: &Target<'_>) -> bool {
        let elsewhere = || {
            !is_trivial(value) && self.names(value).any(|name| !is_column(name, target))
                || self.statements(value, target).any(|text| gives_value(column, value, text))
        };
        self.have(column, value) || elsewhere()
    }

    fn set_a_column(&self, row: &Row, key_columns: &[Text]) -> bool {
        row.iter().filter(|(column, _)| !key_columns.contains(column)).any(|(column, held)| {
            let set = self.values.get(column);
            set.is_some_and(|values| values.iter().any(|value| !alike(value, held)))
        })
    }

    fn every_part(&self, target: &Target<'_>, given: impl Fn(usize, &Value) -> bool) -> bool {
        let parts = target.delta.key.parts();
        !parts.is_empty() && parts.iter().enumerate().all(|(index, part)| given(index, part))
    }

    /// The names under which a value stands that is spelled like this one.
    fn names(&self, value: &Value) -> impl Iterator<Item = Option<&'a Text>> {
        let names = spelled(value).and_then(|spelled| self.spellings.get(&spelled));
        names.into_iter().flatten().copied()
    }

    /// The texts that may hold a needle.
    fn texts<'s>(
        &'s self,
        needle: &str,
    ) -> impl Iterator<Item = (Option<&'a Text>, &'s Haystack)> + use<'s, 'a> {
        let (some, all) = match self.words.rarest(needle) {
            Some((_, places)) => (places, 0..0),
            None => (&[][..], 0..self.texts.len()),
        };
        some.iter()
            .copied()
            .chain(all)
            .filter_map(|place| self.texts.get(place))
            .map(|(name, text)| (*name, text))
    }

    /// Of the texts that may hold a value those that are no column's value: an SQL statement, a command.
    fn statements<'s>(&'s self, value: &Value, target: &'s Target<'_>) -> impl Iterator<Item = &'s Haystack> {
        let spelled = spelled(value).unwrap_or_default();
        self.texts(&spelled).filter(|(name, _)| !is_column(*name, target)).map(|(_, text)| text)
    }
}

fn is_column(name: Option<&Text>, target: &Target<'_>) -> bool {
    name.is_some_and(|name| target.columns.contains(name))
}

/// Equal, or spelled alike: tools take `"34"` for `34`.
fn alike(a: &Value, b: &Value) -> bool {
    a == b || spelled(a).is_some_and(|a| spelled(b) == Some(a))
}
