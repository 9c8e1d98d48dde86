//! An opened run's conversation, and its calls in short.

use crate::model::{Call, Transcript, Value};
use crate::report::words;
use crate::study::RunView;

/// The conversation, if it is in the archive.
#[must_use]
pub fn transcript(view: &RunView) -> Option<&Transcript> {
    view.record.as_ref()?.transcript.as_ref()
}

/// The arguments' values in short.
#[must_use]
pub fn arguments(call: &Call) -> String {
    let short = |value: &Value| match value {
        Value::Array(items) => format!("[{}]", items.len()),
        Value::Object(object) => format!("{{{}}}", object.len()),
        value => words::clip(&words::value(Some(value))).to_owned(),
    };
    match &call.args {
        Value::Object(object) => object.iter().map(|(_, value)| short(value)).collect::<Vec<_>>().join(" "),
        Value::Null => String::new(),
        value => short(value),
    }
}
