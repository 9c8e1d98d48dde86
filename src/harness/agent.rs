//! What an agent is to the harness.

use super::conversation::{Entry, ToolCall};

/// An agent's next step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// What it says; may be empty.
    pub content: String,
    /// The tools it calls. None: the message is its last.
    pub calls: Vec<ToolCall>,
}

/// Why an agent broke off: the words of whatever stands behind it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Breakdown(pub String);

/// Something that takes a conversation one step further.
pub trait Agent {
    /// The next step, from all that was said so far. `None`: nothing more comes, and the conversation
    /// ends as it stands.
    ///
    /// # Errors
    /// A [`Breakdown`] ends the run and becomes its `error`.
    fn next(&mut self, conversation: &[Entry]) -> Result<Option<Turn>, Breakdown>;
}
