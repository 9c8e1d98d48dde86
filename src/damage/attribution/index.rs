//! Which calls may name a row, without asking each: the effort for a delta is in proportion to the calls that have
//! something in common with it.

use std::collections::HashMap;

use super::super::names::{Haystack, Words, spelled};
use super::arguments::Arguments;
use crate::model::{Text, Value};

/// Calls by what they hold; a call is meant by its place among those that may have written.
#[derive(Default)]
pub(super) struct Index<'a> {
    calls: usize,
    /// The words of arguments and results.
    words: Words,
    /// Arguments by name and value, and by name and spelling: tools take `"34"` for `34`.
    values: HashMap<(&'a Text, &'a Value), Vec<usize>>,
    spellings: HashMap<(&'a Text, String), Vec<usize>>,
}

impl<'a> Index<'a> {
    /// Of the arguments and results of calls.
    pub fn new<'w>(calls: impl Iterator<Item = (&'w Arguments<'a>, Option<&'w Haystack>)>) -> Self
    where
        'a: 'w,
    {
        let mut index = Self::default();
        for (place, (arguments, result)) in calls.enumerate() {
            index.calls += 1;
            arguments.spellings().for_each(|spelled| index.words.note(spelled, |_| place));
            result.into_iter().for_each(|result| index.words.note(result.as_str(), |_| place));
            for (name, value) in arguments.values() {
                index.values.entry((name, value)).or_default().push(place);
                if let Some(spelled) = spelled(value) {
                    index.spellings.entry((name, spelled)).or_default().push(place);
                }
            }
        }
        index
    }

    /// The calls that may name all of these values, in an argument or in the result.
    pub fn naming_all(&self, values: &[Value]) -> Vec<usize> {
        let each = values.iter().map(|value| spelled(value).map_or_else(Vec::new, |name| self.naming(&name)));
        each.min_by_key(Vec::len).unwrap_or_default()
    }

    /// The calls that may name this.
    pub fn naming(&self, needle: &str) -> Vec<usize> {
        match self.words.rarest(needle) {
            Some((_, places)) => places.to_vec(),
            None => (0..self.calls).collect(),
        }
    }

    /// The calls with an argument of this name and value.
    pub fn having(&self, name: &Text, value: &Value) -> Vec<usize> {
        let alike = spelled(value).and_then(|spelled| self.spellings.get(&(name, spelled)));
        let equal = self.values.get(&(name, value));
        alike.into_iter().chain(equal).flatten().copied().collect()
    }
}
