//! JSON values with Python's equality.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

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
/// takes its last value, as in Python. Clones share what they hold.
#[derive(Clone, Debug, Default)]
pub struct Object {
    entries: Arc<Vec<(Text, Value)>>,
}

impl Object {
    /// From entries in order; see the type for what a repeated name does.
    #[must_use]
    pub fn from_entries(entries: Vec<(Text, Value)>) -> Self {
        // The common case has few entries and no repeats, so a scan beats building a set.
        let repeats = |(index, (name, _)): (usize, &(Text, Value))| {
            entries.iter().take(index).any(|(seen, _)| seen == name)
        };
        if entries.len() <= 64 && !entries.iter().enumerate().any(repeats) {
            return Self::from_unique(entries);
        }
        let mut unique: Vec<(Text, Value)> = Vec::with_capacity(entries.len());
        let mut places = std::collections::HashMap::with_capacity(entries.len());
        for (name, value) in entries {
            match places.get(&name) {
                Some(&place) => {
                    let slot: &mut (Text, Value) = &mut unique[place];
                    slot.1 = value;
                }
                None => {
                    places.insert(name.clone(), unique.len());
                    unique.push((name, value));
                }
            }
        }
        Self::from_unique(unique)
    }

    /// From entries in order, of which the caller knows that no name is repeated.
    pub(crate) fn from_unique(entries: Vec<(Text, Value)>) -> Self {
        Self { entries: Arc::new(entries) }
    }

    /// The value of `name`, if there.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.entries.iter().find(|(seen, _)| *seen == *name).map(|(_, value)| value)
    }

    /// The value of a column, if there.
    #[must_use]
    pub fn column(&self, name: &Text) -> Option<&Value> {
        self.entries.iter().find(|(seen, _)| seen == name).map(|(_, value)| value)
    }

    /// As [`Object::column`]; `place` is where the name is most likely to be found.
    pub(crate) fn column_near(&self, name: &Text, place: usize) -> Option<&Value> {
        match self.entries.get(place) {
            Some((seen, value)) if seen == name => Some(value),
            _ => self.column(name),
        }
    }

    /// Names and values in written order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Text, &Value)> {
        self.entries.iter().map(|(name, value)| (name, value))
    }

    /// Names in written order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &Text> {
        self.entries.iter().map(|(name, _)| name)
    }

    /// How many entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl IntoIterator for Object {
    type Item = (Text, Value);
    type IntoIter = std::vec::IntoIter<(Text, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        Arc::unwrap_or_clone(self.entries).into_iter()
    }
}

impl FromIterator<(Text, Value)> for Object {
    fn from_iter<I: IntoIterator<Item = (Text, Value)>>(entries: I) -> Self {
        Self::from_entries(entries.into_iter().collect())
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        if Arc::ptr_eq(&self.entries, &other.entries) {
            return true;
        }
        if self.len() != other.len() {
            return false;
        }
        // Same order is the rule in dumps; look names up only where it is broken.
        self.entries.iter().zip(other.entries.iter()).all(|((name, value), (other_name, other_value))| {
            if name == other_name { value == other_value } else { other.column(name) == Some(value) }
        })
    }
}

impl Eq for Object {}

impl Hash for Object {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut sorted: Vec<&(Text, Value)> = self.entries.iter().collect();
        sorted.sort_by(|a, b| a.0.cmp(&b.0));
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
