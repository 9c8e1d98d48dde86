//! `conversation_flow` to [`Transcript`], whatever orchestrator wrote it.

use std::collections::VecDeque;

use super::super::json;
use crate::model::{Call, CallStatus, Message, MessageKind, Text, Transcript, Value};

/// Reads a conversation. Every entry becomes a message, also one of an unknown type or shape.
pub(super) fn transcript(entries: &[Value]) -> Transcript {
    let mut reader = Reader::default();
    for (index, entry) in entries.iter().enumerate() {
        let kind = reader.entry(index, entry);
        reader.transcript.messages.push(Message { kind, raw: entry.clone() });
    }
    reader.transcript
}

/// The sum of `usage_metadata.total_tokens`; `None` if no message states any.
pub(super) fn tokens(transcript: &Transcript) -> Option<u64> {
    let stated = transcript.messages.iter().filter_map(|message| {
        let total = message.raw.get("usage_metadata")?.get("total_tokens")?.as_i64()?;
        u64::try_from(total).ok()
    });
    stated.fold(None, |sum: Option<u64>, total| Some(sum.unwrap_or(0).saturating_add(total)))
}

#[derive(Default)]
struct Reader {
    transcript: Transcript,
    /// Calls of the latest agent message that wait for their result, as indices into the calls.
    waiting: VecDeque<usize>,
}

impl Reader {
    fn entry(&mut self, index: usize, entry: &Value) -> MessageKind {
        let kind = entry.get("type").and_then(Value::as_text).cloned().unwrap_or_else(|| "unknown".into());
        match kind.as_str() {
            Some("system_message") => MessageKind::System(content(entry)),
            Some("user_message") => MessageKind::User(content(entry)),
            Some("ai_message") => {
                self.calls(index, entry);
                MessageKind::Agent(content(entry))
            }
            Some("tool_result") => self.tool_result(index, entry),
            _ => MessageKind::Other { kind, text: other_text(entry) },
        }
    }

    /// Calls have no ids, so they wait in order. What the message before left waiting stays unanswered.
    fn calls(&mut self, message: usize, entry: &Value) {
        self.waiting.clear();
        for call in entry.get("tool_calls").and_then(Value::as_array).unwrap_or_default() {
            self.waiting.push_back(self.transcript.calls.len());
            self.transcript.calls.push(Call {
                tool: call.get("name").and_then(Value::as_text).cloned().unwrap_or_default(),
                args: arguments(call),
                message,
                result: None,
                status: CallStatus::Unanswered,
            });
        }
    }

    fn tool_result(&mut self, index: usize, entry: &Value) -> MessageKind {
        let tool = entry.get("tool_name").and_then(Value::as_text).cloned().unwrap_or_default();
        let failed = failed(entry);
        let status = if failed { CallStatus::Failed } else { CallStatus::Ok };
        match self.answered(&tool).and_then(|call| self.transcript.calls.get_mut(call)) {
            Some(call) => {
                call.result = Some(index);
                call.status = status;
            }
            // Some orchestrators record only the result, with the call's arguments on it.
            None => self.transcript.calls.push(Call {
                tool: tool.clone(),
                args: arguments(entry),
                message: index,
                result: Some(index),
                status,
            }),
        }
        let text = entry.get("result").map_or_else(Text::default, result_text);
        MessageKind::ToolResult { tool, text, failed }
    }

    /// The waiting call a result belongs to: the next one, unless a later one has the result's tool name
    /// and the next has not (a call that was never carried out has no result).
    fn answered(&mut self, tool: &Text) -> Option<usize> {
        let calls = &self.transcript.calls;
        let same_tool = |call: &usize| calls.get(*call).is_some_and(|call| call.tool == *tool);
        let skipped = self.waiting.iter().position(same_tool).unwrap_or(0);
        self.waiting.drain(..skipped);
        self.waiting.pop_front()
    }
}

fn arguments(call: &Value) -> Value {
    call.get("args").or_else(|| call.get("arguments")).cloned().unwrap_or(Value::Null)
}

/// Failure as the tool reports it: `success: false`, an `error`, or `isError: true`, on the entry's result
/// or on the MCP result nested in it.
fn failed(entry: &Value) -> bool {
    let layers = std::iter::successors(Some(entry), |layer| layer.get("result"));
    // Deeper than the MCP result lies the domain's own data, where these names mean other things.
    layers.take(3).any(|layer| {
        matches!(layer.get("success"), Some(Value::Bool(false)))
            || matches!(layer.get("isError"), Some(Value::Bool(true)))
            || layer.get("error").is_some_and(|error| !error.is_null())
    })
}

/// A tool's answer for people: the text of the MCP result, which may be nested in the orchestrator's own;
/// else what stands in its place, as JSON.
fn result_text(result: &Value) -> Text {
    let mut layer = result;
    loop {
        if let Some(parts @ Value::Array(_)) = layer.get("content") {
            return joined(parts);
        }
        if let Some(error) = layer.get("error").filter(|error| !error.is_null()) {
            return joined(error);
        }
        match layer.get("result") {
            Some(Value::Null) | None => return joined(layer),
            Some(inner) => layer = inner,
        }
    }
}

fn content(entry: &Value) -> Text {
    match entry.get("content") {
        None | Some(Value::Null) => Text::default(),
        Some(content) => joined(content),
    }
}

/// A string as it is; a list of parts one below the other, so that each begins a line; all else as JSON.
fn joined(content: &Value) -> Text {
    match content {
        Value::Text(text) => text.clone(),
        Value::Array(parts) => {
            let mut bytes = Vec::new();
            for (index, part) in parts.iter().enumerate() {
                if index > 0 {
                    bytes.push(b'\n');
                }
                match part.get("text").and_then(Value::as_text).or_else(|| part.as_text()) {
                    Some(text) => bytes.extend_from_slice(text.as_bytes()),
                    None => bytes.extend_from_slice(json::write_in_order(part).as_bytes()),
                }
            }
            Text::from_wtf8(&bytes)
        }
        other => json::write_in_order(other).into(),
    }
}

/// What an entry of another type says: its members but for the type, one a line.
fn other_text(entry: &Value) -> Text {
    let Some(object) = entry.as_object() else { return joined(entry) };
    let mut members = object.iter().filter(|(name, _)| **name != "type").peekable();
    let mut bytes = Vec::new();
    while let Some((name, value)) = members.next() {
        if *name != "content" {
            bytes.extend_from_slice(name.as_bytes());
            bytes.extend_from_slice(b": ");
        }
        bytes.extend_from_slice(joined(value).as_bytes());
        if members.peek().is_some() {
            bytes.push(b'\n');
        }
    }
    Text::from_wtf8(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(text: &str) -> Transcript {
        let value = json::parse(text.as_bytes()).expect("JSON");
        transcript(value.as_array().expect("an array"))
    }

    fn text_of(entry: &str) -> String {
        flow(&format!("[{entry}]")).messages[0].text().into_owned()
    }

    fn calls(transcript: &Transcript) -> Vec<(String, usize, Option<usize>, CallStatus)> {
        let shown = |call: &Call| (call.tool.to_string(), call.message, call.result, call.status);
        transcript.calls.iter().map(shown).collect()
    }

    #[test]
    fn calls_pair_with_results_by_position() {
        let transcript = flow(
            r#"[{"type": "ai_message", "content": "", "tool_calls": [{"name": "find", "args": {"id": 1}},
                   {"name": "find", "arguments": {"id": 2}}, {"name": "move", "args": {}}]},
                {"type": "tool_result", "tool_name": "find", "result": {"success": true, "result": {}}},
                {"type": "tool_result", "tool_name": "find", "result": {"success": false}},
                {"type": "ai_message", "content": "on", "tool_calls": [{"name": "stop"}, {"name": "move"}]},
                {"type": "tool_result", "tool_name": "move", "result": {"success": true}},
                {"type": "tool_result", "tool_name": "dock", "arguments": {"id": 3}, "result": "fine"}]"#,
        );
        use CallStatus::{Failed, Ok, Unanswered};
        assert_eq!(
            calls(&transcript),
            [
                ("find".into(), 0, Some(1), Ok),
                ("find".into(), 0, Some(2), Failed),
                ("move".into(), 0, None, Unanswered),
                ("stop".into(), 3, None, Unanswered),
                ("move".into(), 3, Some(4), Ok),
                ("dock".into(), 5, Some(5), Ok),
            ]
        );
        assert_eq!(transcript.calls[1].args.get("id"), Some(&Value::from(2)));
        assert_eq!(transcript.calls[5].args.get("id"), Some(&Value::from(3)));
    }

    #[test]
    fn failure_is_found_however_deep_it_hides() {
        for (result, expected) in [
            (r#"{"success": true, "result": {"content": [], "isError": true}, "error": null}"#, true),
            (r#"{"success": true, "result": {"content": [], "isError": false}, "error": null}"#, false),
            (r#"{"success": true, "error": "no such berth"}"#, true),
            (r#"{"success": false}"#, true),
            (r#"{"isError": true}"#, true),
            (r#""Error: but only in words""#, false),
            ("null", false),
        ] {
            let flow = flow(&format!(r#"[{{"type": "tool_result", "tool_name": "t", "result": {result}}}]"#));
            let MessageKind::ToolResult { failed, .. } = flow.messages[0].kind else {
                panic!("a tool result")
            };
            assert_eq!(failed, expected, "{result}");
        }
    }

    #[test]
    fn what_a_tool_says_is_its_text_else_its_json() {
        for (result, text) in [
            (
                r#"{"success": true, "result": {"content": [{"type": "text", "text": "a"}, {"text": "b"}]}}"#,
                "a\nb",
            ),
            (r#"{"content": [{"type": "image"}]}"#, r#"{"type": "image"}"#),
            (r#"{"success": false, "error": "no such berth", "result": null}"#, "no such berth"),
            (r#"{"success": true, "result": {"b": 1, "a": 2}}"#, r#"{"b": 1, "a": 2}"#),
            (r#""plain""#, "plain"),
            ("7", "7"),
        ] {
            let entry = format!(r#"{{"type": "tool_result", "tool_name": "t", "result": {result}}}"#);
            assert_eq!(text_of(&entry), text);
        }
    }

    #[test]
    fn content_may_be_a_string_null_or_parts() {
        for (content, text) in [
            (r#""said""#, "said"),
            ("null", ""),
            (
                r#"[{"type": "text", "text": "I looked."}, {"type": "text", "text": "REFUSAL: no"}]"#,
                "I looked.\nREFUSAL: no",
            ),
            (r#"["a", {"type": "odd", "n": 1}]"#, "a\n{\"type\": \"odd\", \"n\": 1}"),
        ] {
            let entry = format!(r#"{{"type": "ai_message", "content": {content}, "tool_calls": null}}"#);
            assert_eq!(text_of(&entry), text);
        }
    }

    #[test]
    fn other_orchestrators_and_odd_entries_are_shown_as_they_are() {
        for (entry, kind, text) in [
            (
                r#"{"type": "meta_agent_plan", "plan": "first look", "subtasks": [{"id": 1}]}"#,
                "meta_agent_plan",
                "plan: first look\nsubtasks: {\"id\": 1}",
            ),
            (r#"{"type": "subtask_start", "title": "look"}"#, "subtask_start", "title: look"),
            (r#"{"type": "thought", "content": "hm"}"#, "thought", "hm"),
            (r#"{"content": "untyped"}"#, "unknown", "untyped"),
            ("7", "unknown", "7"),
            ("null", "unknown", "null"),
        ] {
            let flow = flow(&format!("[{entry}]"));
            let MessageKind::Other { kind: found, text: shown } = &flow.messages[0].kind else {
                panic!("{entry}")
            };
            assert_eq!((found.to_string().as_str(), shown.to_string().as_str()), (kind, text));
        }
    }

    #[test]
    fn tokens_are_summed_where_stated() {
        let flow = flow(
            r#"[{"type": "ai_message", "usage_metadata": {"total_tokens": 5}},
                {"type": "ai_message", "usage_metadata": {"total_tokens": 7}}, {"type": "ai_message"}]"#,
        );
        assert_eq!(tokens(&flow), Some(12));
        assert_eq!(tokens(&Transcript::default()), None);
    }
}
