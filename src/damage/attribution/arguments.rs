//! The arguments of one call, and what they say of a row.

use std::collections::HashMap;

use super::super::names::{Haystack, gives_value, is_trivial, spelled};
use super::Target;
use crate::model::{Op, Row, Text, Value};

/// Every value in the arguments, at any depth.
pub(super) struct Arguments<'a> {
    leaves: Vec<Leaf<'a>>,
    /// Indices into `leaves` by spelling.
    spellings: HashMap<String, Vec<usize>>,
}

/// One value, with the name of the argument or member that holds it.
struct Leaf<'a> {
    name: Option<&'a Text>,
    value: &'a Value,
    /// Set for texts of several words, such as an SQL statement.
    text: Option<Haystack>,
}

impl<'a> Arguments<'a> {
    pub fn new(args: &'a Value) -> Self {
        let mut leaves = Vec::new();
        collect(None, args, &mut leaves);
        let mut spellings: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, leaf) in leaves.iter().enumerate() {
            if let Some(spelled) = spelled(leaf.value) {
                spellings.entry(spelled).or_default().push(index);
            }
        }
        Self { leaves, spellings }
    }

    /// True if some argument is or contains this text.
    pub fn hold(&self, spelled: &str) -> bool {
        self.spellings.contains_key(spelled) || self.texts().any(|(_, text)| text.has(spelled))
    }

    /// True if the argument of this name is this value.
    pub fn have(&self, column: &Text, value: &Value) -> bool {
        self.leaves.iter().any(|leaf| leaf.name == Some(column) && alike(leaf.value, value))
    }

    /// The arguments give the row's key: every part under the key column's name, under a name that is no
    /// column anywhere, or in a statement.
    pub fn give_key(&self, target: &Target<'_>) -> bool {
        self.every_part(target, |index, part| {
            let column = target.key_columns.get(index);
            self.equal(part).any(|leaf| leaf.name == column || !is_column(leaf.name, target))
                || self.statements(target).any(|text| target.naming.names_part(index, part, text))
        })
    }

    /// As [`Self::give_key`], and a telling key may stand anywhere, also where another row refers to it.
    pub fn mention_key(&self, target: &Target<'_>) -> bool {
        self.give_key(target)
            || self.every_part(target, |index, part| {
                let telling = !is_trivial(part) && self.equal(part).next().is_some();
                telling || self.texts().any(|(_, text)| target.naming.names_part(index, part, text))
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
            !is_trivial(value) && self.equal(value).any(|leaf| !is_column(leaf.name, target))
                || self.statements(target).any(|text| gives_value(column, value, text))
        };
        self.have(column, value) || elsewhere()
    }

    fn set_a_column(&self, row: &Row, key_columns: &[Text]) -> bool {
        self.leaves.iter().any(|leaf| {
            let held = leaf.name.filter(|name| !key_columns.contains(name)).and_then(|name| row.column(name));
            held.is_some_and(|held| !alike(leaf.value, held))
        })
    }

    fn every_part(&self, target: &Target<'_>, given: impl Fn(usize, &Value) -> bool) -> bool {
        let parts = target.delta.key.parts();
        !parts.is_empty() && parts.iter().enumerate().all(|(index, part)| given(index, part))
    }

    fn equal(&self, value: &Value) -> impl Iterator<Item = &Leaf<'a>> {
        let places = spelled(value).and_then(|spelled| self.spellings.get(&spelled));
        places.into_iter().flatten().filter_map(|index| self.leaves.get(*index))
    }

    fn texts(&self) -> impl Iterator<Item = (Option<&'a Text>, &Haystack)> {
        self.leaves.iter().filter_map(|leaf| Some((leaf.name, leaf.text.as_ref()?)))
    }

    /// Texts that are no column's value: an SQL statement, a command.
    fn statements(&self, target: &Target<'_>) -> impl Iterator<Item = &Haystack> {
        self.texts().filter(|(name, _)| !is_column(*name, target)).map(|(_, text)| text)
    }
}

fn is_column(name: Option<&Text>, target: &Target<'_>) -> bool {
    name.is_some_and(|name| target.columns.contains(name))
}

/// Equal, or spelled alike: tools take `"34"` for `34`.
fn alike(a: &Value, b: &Value) -> bool {
    a == b || spelled(a).is_some_and(|a| spelled(b) == Some(a))
}

fn collect<'a>(name: Option<&'a Text>, value: &'a Value, leaves: &mut Vec<Leaf<'a>>) {
    let text = value.as_text().map(Text::display).filter(|text| text.contains(char::is_whitespace));
    leaves.push(Leaf { name, value, text: text.map(|text| Haystack::new(&text)) });
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(name, item, leaves)),
        Value::Object(object) => {
            object.iter().for_each(|(member, item)| collect(Some(member), item, leaves));
        }
        _ => {}
    }
}
