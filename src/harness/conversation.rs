//! The conversation between a run's user, its agent and the tools, as it happens.

use crate::model::{Object, Text, Value};

/// One call an agent makes.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The tool's name.
    pub name: String,
    /// Its arguments.
    pub args: Object,
}

/// What a message cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens the agent read.
    pub input: u64,
    /// Tokens it wrote.
    pub output: u64,
}

/// One message.
#[derive(Clone, Debug)]
pub enum Entry {
    /// The policy.
    System(String),
    /// What is asked.
    User(String),
    /// What the agent says and which tools it calls.
    Agent {
        /// The words; may be empty.
        content: String,
        /// The calls; may be empty.
        calls: Vec<ToolCall>,
        /// What the message cost.
        usage: Usage,
    },
    /// What a call brought.
    ToolResult {
        /// The call it answers.
        call: ToolCall,
        /// The result in the shape of the Model Context Protocol, see [`super::tools`].
        result: Value,
    },
}

impl Entry {
    /// True for the result of a call that failed, be it outright or behind a success (`isError`).
    #[must_use]
    pub fn failed(&self) -> bool {
        let Self::ToolResult { result, .. } = self else { return false };
        let hidden = result.get("result").and_then(|inner| inner.get("isError"));
        result.get("success") != Some(&Value::Bool(true)) || hidden == Some(&Value::Bool(true))
    }

    /// How many characters an agent reads here; token counts are guessed from it.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::System(text) | Self::User(text) => text.len(),
            Self::Agent { content, calls, .. } => {
                content.len() + calls.iter().map(|call| call.name.len() + 24 * call.args.len()).sum::<usize>()
            }
            Self::ToolResult { result, .. } => length(result),
        }
    }
}

fn length(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.as_bytes().len(),
        Value::Array(items) => items.iter().map(length).sum(),
        Value::Object(object) => {
            object.iter().map(|(name, value)| name.as_bytes().len() + length(value)).sum()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => 4,
    }
}

/// A JSON object from names and values in the order given.
pub(super) fn object<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Object(entries.into_iter().map(|(name, value)| (Text::from(name), value)).collect())
}

/// A JSON string.
pub(super) fn text(words: impl Into<Text>) -> Value {
    Value::Text(words.into())
}

/// A count as a JSON number; what does not fit is capped.
pub(super) fn count(number: impl TryInto<i64>) -> Value {
    Value::from(number.try_into().unwrap_or(i64::MAX))
}
