//! Expectations on the shape of JSON: what is not as expected becomes a `WRONG_TYPE` problem.

use std::path::Path;

use crate::model::{Code, Object, Place, Problem, Text, Value};

static NULL: Value = Value::Null;

/// A value is not of the type it should be.
pub(super) fn wrong_type(path: &Path, what: &str, wanted: &str, found: &Value) -> Problem {
    Problem::new(Code::WrongType, path, format!("{what} is not {wanted} but {}", found.type_name()))
}

/// A word is not one of those known.
pub(super) fn unknown_word(path: &Path, what: &str, word: &Value) -> Problem {
    let shown = super::json::write(word);
    Problem::new(Code::UnknownWord, path, format!("{what} is none of the known words: {shown}"))
}

/// The object at the top of a file, or at `what` in it.
pub(super) fn object<'a>(value: &'a Value, path: &Path, what: &str) -> Result<&'a Object, Problem> {
    value.as_object().ok_or_else(|| wrong_type(path, what, "an object", value))
}

/// A member, absent as `null`.
pub(super) fn member<'a>(object: &'a Object, name: &str) -> &'a Value {
    object.get(name).unwrap_or(&NULL)
}

/// A member that is an array; absent and `null` are empty.
pub(super) fn list<'a>(object: &'a Object, name: &str, path: &Path) -> Result<&'a [Value], Problem> {
    match member(object, name) {
        Value::Null => Ok(&[]),
        Value::Array(items) => Ok(items),
        other => Err(wrong_type(path, &format!("`{name}`"), "an array", other)),
    }
}

/// A member that is a string.
pub(super) fn text(object: &Object, name: &str, path: &Path) -> Result<Text, Problem> {
    let value = member(object, name);
    value.as_text().cloned().ok_or_else(|| wrong_type(path, &format!("`{name}`"), "a string", value))
}

/// A member that is a string, a number or absent, as a `String` for people.
pub(super) fn optional_string(object: &Object, name: &str) -> Option<String> {
    object.get(name).and_then(Value::as_text).map(|text| text.display().into_owned())
}

/// A member that is a small non-negative integer.
pub(super) fn optional_u32(object: &Object, name: &str) -> Option<u32> {
    object.get(name).and_then(Value::as_i64).and_then(|int| u32::try_from(int).ok())
}

/// Strings in an array.
pub(super) fn texts(items: &[Value], path: &Path, what: &str) -> Result<Vec<Text>, Problem> {
    items
        .iter()
        .map(|item| item.as_text().cloned().ok_or_else(|| wrong_type(path, what, "a list of strings", item)))
        .collect()
}

/// A line of a file, from 1.
pub(super) fn line(number: usize) -> Place {
    Place { position: Some(format!("line {number}")), ..Place::default() }
}
