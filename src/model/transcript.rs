//! Conversations between a user, an agent and its tools.

use std::borrow::Cow;

use super::{Text, Value};

/// What was said and called, in order. Messages are numbered from 1 (`m1`) everywhere.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    /// `conversation_flow`, one message an entry.
    pub messages: Vec<Message>,
    /// All tool calls in the order of their messages, paired with their results by position.
    pub calls: Vec<Call>,
}

/// One entry of `conversation_flow`.
#[derive(Clone, Debug)]
pub struct Message {
    /// What kind of entry it is, with what is read from it.
    pub kind: MessageKind,
    /// The entry as it stands in the file.
    pub raw: Value,
}

/// The kinds of entries.
#[derive(Clone, Debug)]
pub enum MessageKind {
    /// `system_message`: the policy
    System(Text),
    /// `user_message`: what is asked
    User(Text),
    /// `ai_message`: what the agent says; its calls are in [`Transcript::calls`]
    Agent(Text),
    /// `tool_result`: what a tool answers
    ToolResult {
        /// the tool's name
        tool: Text,
        /// the answer for people (the text parts of an MCP result, else the JSON)
        text: Text,
        /// the tool reports failure (`success: false`, an `error`, or `result.isError: true`)
        failed: bool,
    },
    /// anything else (plans, subtasks, unknown types), by its `type`
    Other {
        /// the entry's `type`
        kind: Text,
        /// its text for people
        text: Text,
    },
}

/// One tool call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The tool's name.
    pub tool: Text,
    /// Its arguments.
    pub args: Value,
    /// Index into [`Transcript::messages`] of the message that makes the call.
    pub message: usize,
    /// Index into [`Transcript::messages`] of its result, if one came.
    pub result: Option<usize>,
    /// How it went.
    pub status: CallStatus,
}

/// How a call went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallStatus {
    /// the tool reported success
    Ok,
    /// the tool reported failure
    Failed,
    /// no result is on record
    Unanswered,
}

impl Transcript {
    /// The last `ai_message`, with its index.
    #[must_use]
    pub fn final_message(&self) -> Option<(usize, &Text)> {
        self.messages.iter().enumerate().rev().find_map(|(index, message)| match &message.kind {
            MessageKind::Agent(text) => Some((index, text)),
            _ => None,
        })
    }

    /// True if the conversation ends on an `ai_message`.
    #[must_use]
    pub fn ends_on_agent(&self) -> bool {
        matches!(self.messages.last(), Some(Message { kind: MessageKind::Agent(_), .. }))
    }

    /// The calls made by message `index`.
    pub fn calls_of(&self, index: usize) -> impl Iterator<Item = &Call> {
        let start = self.calls.partition_point(|call| call.message < index);
        self.calls.iter().skip(start).take_while(move |call| call.message == index)
    }
}

impl Message {
    /// The message's text for people.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match &self.kind {
            MessageKind::System(text)
            | MessageKind::User(text)
            | MessageKind::Agent(text)
            | MessageKind::ToolResult { text, .. }
            | MessageKind::Other { text, .. } => text.display(),
        }
    }
}
