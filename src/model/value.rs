//! JSON values with Python's equality.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use super::names::Names;
use super::{Number, Text};

/// A JSON value, kept exactly as the archive holds it.
///
/// Equality and hash are the dumping side's, Python's (DESIGN §5.1): numbers by value with
/// `true` = `1` = `1.0`, strings exactly, objects without regard to order, arrays with it.
#[derive(Clone, Debug)]
pub enum Value {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// any number
    Number(Number),
    /// a string
    Text(Text),
    /// an array
    Array(Vec<Value>),
    /// an object
    Object(Object),
}

/// One row of a table: column name to value.
pub type Row = Object;

/// A JSON object in the order it was written. Names are unique: a repeated name keeps its first place and
/// takes its last value, as in Python. Rows of a table can share their names.
#[derive(Clone, Debug, Default)]
pub struct Object {
    names: Names,
    values: Vec<Value>,
}

impl Object {
    /// From entries in order; see the type for what a repeated name does.
    #[must_use]
    pub fn from_entries(entries: Vec<(Text, Value)>) -> Self {
        let (names, values) = entries.into_iter().unzip();
        Self::from_columns(names, values)
    }

    /// From names and as many values; see the type for what a repeated name does.
    pub(crate) fn from_columns(names: Vec<Text>, values: Vec<Value>) -> Self {
        // The common case has few names and no repeats, so a scan beats building a set.
        let repeats = |(index, name)| names.iter().take(index).any(|seen| seen == name);
        if names.len() <= 64 && !names.iter().enumerate().any(repeats) {
            return Self::from_unique(Names::from_unique(names), values);
        }
        let (mut unique, mut last) = (Vec::with_capacity(names.len()), Vec::with_capacity(names.len()));
        let mut places = HashMap::with_capacity(names.len());
        for (name, value) in names.into_iter().zip(values) {
            match places.get(&name).and_then(|place: &usize| last.get_mut(*place)) {
                Some(slot) => *slot = value,
                None => {
                    places.insert(name.clone(), unique.len());
                    unique.push(name);
                    last.push(value);
                }
            }
        }
        Self::from_unique(Names::from_unique(unique), last)
    }

    /// From names and as many values.
    pub(crate) fn from_unique(names: Names, values: Vec<Value>) -> Self {
        Self { names, values }
    }

    /// The names, to be shared.
    pub(crate) fn shared_names(&self) -> &Names {
        &self.names
    }

    /// The value of `name`, if there.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(self.names.place(name.as_bytes())?)
    }

    /// The value of a column, if there.
    #[must_use]
    pub fn column(&self, name: &Text) -> Option<&Value> {
        self.values.get(self.names.place_of(name)?)
    }

    /// As [`Object::column`]; `place` is where the name is most likely to be found.
    pub(crate) fn column_near(&self, name: &Text, place: usize) -> Option<&Value> {
        if self.names.get(place) == Some(name) { self.values.get(place) } else { self.column(name) }
    }

    /// Names and values in written order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Text, &Value)> {
        self.names().zip(&self.values)
    }

    /// Names in written order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &Text> {
        self.names.iter()
    }

    /// True if both have the same names in the same order.
    pub(crate) fn same_names(&self, other: &Self) -> bool {
        self.names.alike(&other.names)
    }

    /// The names whose values differ, and those that one of the two lacks; in no order.
    pub(crate) fn differing(&self, other: &Self) -> Vec<Text> {
        let mut differing = Vec::new();
        let mut in_both = 0;
        for (place, (name, value)) in self.iter().enumerate() {
            let found = other.column_near(name, place);
            in_both += usize::from(found.is_some());
            if found != Some(value) {
                differing.push(name.clone());
            }
        }
        if in_both < other.len() {
            differing.extend(other.names().filter(|name| self.column(name).is_none()).cloned());
        }
        differing
    }

    /// How many entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// True if there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl IntoIterator for Object {
    type Item = (Text, Value);
    type IntoIter = std::iter::Zip<std::vec::IntoIter<Text>, std::vec::IntoIter<Value>>;

    fn into_iter(self) -> Self::IntoIter {
        self.names.into_list().into_iter().zip(self.values)
    }
}

impl FromIterator<(Text, Value)> for Object {
    fn from_iter<I: IntoIterator<Item = (Text, Value)>>(entries: I) -> Self {
        Self::from_entries(entries.into_iter().collect())
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        // Same order is the rule in dumps; look names up only where it is broken.
        if self.same_names(other) {
            return self.values == other.values;
        }
        self.len() == other.len()
            && self
                .iter()
                .enumerate()
                .all(|(place, (name, value))| other.column_near(name, place) == Some(value))
    }
}

impl Eq for Object {}

impl Hash for Object {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut sorted: Vec<(&Text, &Value)> = self.iter().collect();
        sorted.sort_unstable_by_key(|(name, _)| *name);
        sorted.len().hash(state);
        for (name, value) in sorted {
            name.hash(state);
            value.hash(state);
        }
    }
}

impl Value {
    /// The string, if this is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&Text> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The string as `str`, if this is one and holds no lone surrogate.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        self.as_text().and_then(Text::as_str)
    }

    /// The object, if this is one.
    #[must_use]
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The array, if this is one.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The integer, if this is one of 64 bits (booleans are not).
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Number(Number::Int(int)) => Some(*int),
            _ => None,
        }
    }

    /// True for `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Member `name` of an object; `None` for anything else.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.as_object().and_then(|object| object.get(name))
    }

    /// JSON's name for the type: `null`, `boolean`, `number`, `string`, `array`, `object`.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(_) => "number",
            Self::Text(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => a == b,
            (Self::Bool(flag), Self::Number(number)) | (Self::Number(number), Self::Bool(flag)) => {
                Number::Int(i64::from(*flag)) == *number
            }
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Array(a), Self::Array(b)) => a == b,
            (Self::Object(a), Self::Object(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Null => 0u8.hash(state),
            // A boolean hashes as the number it equals.
            Self::Bool(flag) => {
                1u8.hash(state);
                Number::Int(i64::from(*flag)).hash(state);
            }
            Self::Number(number) => {
                1u8.hash(state);
                number.hash(state);
            }
            Self::Text(text) => {
                2u8.hash(state);
                text.hash(state);
            }
            Self::Array(items) => {
                3u8.hash(state);
                items.hash(state);
            }
            Self::Object(object) => {
                4u8.hash(state);
                object.hash(state);
            }
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<i64> for Value {
    fn from(int: i64) -> Self {
        Self::Number(Number::Int(int))
    }
}

impl From<f64> for Value {
    fn from(float: f64) -> Self {
        Self::Number(Number::Float(float))
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(entries: &[(&str, Value)]) -> Value {
        Value::Object(entries.iter().map(|(name, value)| (Text::from(*name), value.clone())).collect())
    }

    #[test]
    fn equality_is_pythons() {
        assert_eq!(Value::from(1), Value::from(true));
        assert_eq!(Value::from(1.0), Value::from(true));
        assert_ne!(Value::from(1), Value::from("1"));
        assert_ne!(Value::Null, Value::from(false));
        assert_eq!(
            object(&[("a", 1.into()), ("b", Value::Null)]),
            object(&[("b", Value::Null), ("a", true.into())])
        );
        assert_ne!(object(&[("a", Value::Null)]), object(&[]));
        assert_ne!(Value::Array(vec![1.into(), 2.into()]), Value::Array(vec![2.into(), 1.into()]));
    }

    #[test]
    fn a_repeated_name_takes_its_last_value() {
        for filler in [0, 100] {
            let mut entries = vec![(Text::from("a"), Value::from(1)), (Text::from("a"), Value::from(2))];
            entries.extend((0..filler).map(|i| (Text::from(format!("c{i}")), Value::Null)));
            let object = Object::from_entries(entries);
            assert_eq!(object.len(), 1 + filler);
            assert_eq!(object.get("a"), Some(&Value::from(2)));
        }
    }
}
