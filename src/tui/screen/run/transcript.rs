//! The right pane of the Run screen: the conversation as evidence, or whole.
//!
//! ```text
//!  m1–2   prompt, policy                         (a)
//!  m3–4   find_change_by_number   ok
//!  m5–6   update_incident         ERROR no incident_id
//! ▌m7     update_change ORD_014 scheduled     ‹ DID
//! ▌m8     ok   status scheduled
//!  m9–10  update_incident ORD_008 ok          allowed
//! ▌m11    REFUSAL: the 'Bronze castings,      ‹ SAID
//!         refits' order (PO-0010448) is gated …
//! ```

use std::collections::HashSet;

use super::entries::{Entry, entries};
use crate::model::{Call, CallStatus, MessageKind, Op, Transcript, Value, python};
use crate::report::words;
use crate::tui::open_run::OpenRun;
use crate::tui::screen::account::conversation::{arguments, transcript};
use crate::tui::screen::account::said::Said;
use crate::tui::text;
use crate::tui::widget::rich::{Piece, Rich, Role, piece, wrap};

/// Where a call's status stands, counted from its tool's name, if the arguments leave room for that.
const STATUS: usize = 24;
/// Marks the line that SAID quotes.
const SAID: &str = "‹ SAID ";
/// Lines of a final message that stand without unfolding it.
const MOST_LINES: usize = 40;

/// One line of the pane.
#[derive(Clone, Debug)]
pub struct Line {
    /// Index of its entry.
    pub entry: usize,
    /// The cursor can stand here.
    pub is_stop: bool,
    /// Worded when it is drawn, unless it is part of something wrapped.
    pub text: LineText,
}

/// What a line says.
#[derive(Clone, Debug)]
pub enum LineText {
    /// the first line of its entry
    Head,
    /// a line of a wrapped text
    Ready(Rich),
}

/// The pane's content: what is listed, and what of it is unfolded.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The entries, in order.
    pub entries: Vec<Entry>,
    /// Their lines.
    pub lines: Vec<Line>,
}

impl Listing {
    /// The transcript for a width; `all` lists every message, else evidence only.
    #[must_use]
    pub fn of(view: &OpenRun, all: bool, open: &HashSet<Entry>, width: usize) -> Self {
        let entries = entries(view, all);
        let mut lines = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            lines.push(Line { entry: index, is_stop: true, text: LineText::Head });
            let ready = |rich| Line { entry: index, is_stop: false, text: LineText::Ready(rich) };
            lines.extend(below(view, entry, open.contains(entry), width).into_iter().map(ready));
        }
        Self { entries, lines }
    }

    /// The line where the entry with this message begins.
    #[must_use]
    pub fn line_of(&self, view: &OpenRun, message: usize) -> Option<usize> {
        let transcript = transcript(view)?;
        let entry = self.entries.iter().position(|entry| entry.messages(transcript).contains(&message))?;
        self.lines.iter().position(|line| line.entry == entry)
    }
}

/// What the pane says where there is no conversation.
#[must_use]
pub fn absence(view: &OpenRun) -> String {
    match &view.record {
        None => "the conversation is not in the archive".into(),
        Some(record) => match &record.error {
            Some(error) => format!("no conversation on record\nerrored: {}", python::str(error)),
            None => "the results hold no conversation".into(),
        },
    }
}

/// Where the text after a message's number begins: `m9–10` and a blank fit before it, `m101–102` too where
/// there are so many.
fn text_column(transcript: &Transcript) -> usize {
    if transcript.messages.len() < 100 { 8 } else { 11 }
}

/// The first line of an entry.
#[must_use]
pub fn head(view: &OpenRun, entry: &Entry, width: usize) -> Rich {
    let Some(transcript) = transcript(view) else { return Rich::new() };
    let (number, text) = match entry {
        Entry::Prompt { last } => {
            (label(0, *last), Rich::of(Role::Plain, "prompt, policy").tail(Role::Dim, "(a) "))
        }
        Entry::Gap { messages } => {
            (String::new(), Rich::of(Role::Dim, format!("⋯ {}", counted(messages.len(), "message"))))
        }
        Entry::Call(index) => call_head(view, transcript, *index, width),
        Entry::Result(index) => result_head(view, transcript, *index),
        Entry::Message(index) => (label(*index, *index), message_head(view, transcript, *index, width)),
        Entry::End => (String::new(), end_head(view, transcript)),
    };
    let mut line = Rich::of(Role::Dim, format!(" {number}")).column(text_column(transcript));
    line.left.extend(text.left);
    line.right = text.right;
    line
}

fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// `m7`, or `m9–10` for a call with its answer.
fn label(first: usize, last: usize) -> String {
    if last > first { format!("m{}–{}", first + 1, last + 1) } else { format!("m{}", first + 1) }
}

/// A call: its number, and its tool with what tells of its arguments and how it went.
fn call_head(view: &OpenRun, transcript: &Transcript, index: usize, width: usize) -> (String, Rich) {
    let Some(call) = transcript.calls.get(index) else { return (String::new(), Rich::new()) };
    let room = width.saturating_sub(text_column(transcript));
    if view.is_damaging(index) {
        let line =
            Rich::of(Role::Damage, call.tool.display()).add(Role::Plain, format!(" {}", arguments(call)));
        return (label(call.message, call.message), line.tail(Role::Damage, "‹ DID "));
    }
    let last = call.result.filter(|result| *result == call.message + 1).unwrap_or(call.message);
    let line = Rich::of(Role::Plain, call.tool.display());
    let line = match call.status {
        CallStatus::Failed => {
            line.column(STATUS).add(Role::Notice, format!("ERROR {}", failure(transcript, call)))
        }
        CallStatus::Unanswered => line.column(STATUS).add(Role::Notice, "no answer on record"),
        CallStatus::Ok => {
            let allowed = view.edits_of(index).is_some_and(|made| !made.allowed.is_empty());
            // How it went is not cut for the arguments' sake.
            let taken = line.left_width() + " ok".len() + usize::from(allowed) * "  allowed ".len() + 1;
            let arguments = text::cut(&arguments(call), room.saturating_sub(taken));
            let line = line.add(Role::Dim, format!(" {arguments}")).column(STATUS).add(Role::Dim, "ok");
            if allowed { line.tail(Role::Dim, "allowed ") } else { line }
        }
    };
    (label(call.message, last), line)
}

/// The answer to a call that did damage: what it says of the columns that are not allowed.
fn result_head(view: &OpenRun, transcript: &Transcript, index: usize) -> (String, Rich) {
    let Some(call) = transcript.calls.get(index) else { return (String::new(), Rich::new()) };
    let number = call.result.map(|result| label(result, result)).unwrap_or_default();
    let line = match call.status {
        CallStatus::Failed => Rich::of(Role::Notice, format!("ERROR {}", failure(transcript, call))),
        CallStatus::Unanswered => Rich::of(Role::Notice, "no answer on record"),
        CallStatus::Ok => {
            let damage = view.edits_of(index).map(|made| made.damage.as_slice()).unwrap_or_default();
            Rich::of(Role::Plain, "ok   ").add(Role::Plain, left_behind(view, damage))
        }
    };
    (number, line)
}

/// What a call left in the database: `status scheduled`, `162 rows`.
fn left_behind(view: &OpenRun, edits: &[usize]) -> String {
    let many = || counted(edits.len(), "row");
    let [only] = edits else { return many() };
    let deltas = view.evidence.as_ref().map(|evidence| evidence.deltas.as_slice()).unwrap_or_default();
    let Some(only) = deltas.get(*only) else { return many() };
    match (&only.delta.after, only.delta.op) {
        (Some(after), Op::Modified) => only
            .authorization
            .residue
            .iter()
            .map(|column| {
                format!("{} {}", column.display(), words::clip(&words::value(after.column(column))))
            })
            .collect::<Vec<_>>()
            .join(", "),
        (_, op) => format!("{} {op}", words::row_name(&only.delta.table, &only.delta.key)),
    }
}

/// What a failed call answered, in one line, without what only repeats the call.
fn failure(transcript: &Transcript, call: &Call) -> String {
    let answer = call.result.and_then(|result| transcript.messages.get(result));
    let text = answer.map(|message| message.text().into_owned()).unwrap_or_default();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default().trim_start_matches("Error: ");
    let first = words::clip(first);
    let rest = lines.take(3).map(words::clip).collect::<Vec<_>>().join(" ");
    // Validators only repeat the tool's name in their first line; the field is named below.
    if rest.is_empty() || !first.contains("validation error") { format!("{first} {rest}") } else { rest }
}

fn message_head(view: &OpenRun, transcript: &Transcript, index: usize, width: usize) -> Rich {
    let Some(message) = transcript.messages.get(index) else { return Rich::new() };
    let (role, who) = voice(&message.kind);
    let text = message.text();
    if text.trim().is_empty() {
        return Rich::of(Role::Dim, format!("{who}nothing"));
    }
    // The first line does not depend on what follows, so no more than it is wrapped.
    let start = words::clip(text.split('\n').next().unwrap_or_default());
    let said = said_line(view, index) == Some(0);
    let room = message_room(transcript, &who, said_line(view, index).is_some(), width);
    let role = if said { Role::Said } else { role };
    let mut line = Rich::of(Role::Dim, who);
    line.left.extend(wrap(&[piece(role, start)], room).into_iter().next().unwrap_or_default());
    if said { line.tail(Role::Said, SAID) } else { line }
}

/// How a message reads: its text's role, and who speaks if it is not the agent.
fn voice(kind: &MessageKind) -> (Role, String) {
    match kind {
        MessageKind::Agent(_) => (Role::Plain, String::new()),
        MessageKind::User(_) => (Role::Plain, "user  ".into()),
        MessageKind::System(_) => (Role::Dim, "policy  ".into()),
        MessageKind::ToolResult { tool, .. } => (Role::Dim, format!("{tool} answers  ")),
        MessageKind::Other { kind, .. } => (Role::Dim, format!("{kind}  ")),
    }
}

/// The line of message `index` that SAID quotes, if it quotes one.
fn said_line(view: &OpenRun, index: usize) -> Option<usize> {
    match view.said() {
        Said::Quote { message, place, .. } if *message == index => Some(*place),
        _ => None,
    }
}

/// A message's text, wrapped so that the mark of the quoted line finds room.
fn message_lines(view: &OpenRun, transcript: &Transcript, index: usize, width: usize) -> Vec<Rich> {
    let Some(message) = transcript.messages.get(index) else { return Vec::new() };
    let (role, who) = voice(&message.kind);
    let quoted = said_line(view, index);
    let room = message_room(transcript, &who, quoted.is_some(), width);
    let text = message.text();
    let mut lines = Vec::new();
    for (place, line) in text.trim_end().split('\n').enumerate() {
        let said = quoted == Some(place);
        let role = if said { Role::Said } else { role };
        for (part, left) in wrap(&[piece(role, line.trim_end_matches('\r'))], room).into_iter().enumerate() {
            let rich = Rich { left, right: Vec::new() };
            lines.push(if said && part == 0 { rich.tail(Role::Said, SAID) } else { rich });
        }
    }
    lines
}

/// Columns for a message's text: beside its number, who speaks, and the tail of its first line.
fn message_room(transcript: &Transcript, who: &str, quoted: bool, width: usize) -> usize {
    let mark = if quoted { text::width(SAID) + 1 } else { 0 };
    let taken = text_column(transcript) + mark + text::width(who).min(24);
    width.saturating_sub(taken).max(8)
}

fn end_head(view: &OpenRun, transcript: &Transcript) -> Rich {
    let error = view.record.as_ref().and_then(|record| record.error.as_ref());
    let text = match error {
        Some(error) => format!("errored: {}", python::str(error)),
        None => format!("stalled: no message after m{}", transcript.messages.len()),
    };
    Rich::of(Role::Notice, text)
}

/// The lines below an entry's first one.
fn below(view: &OpenRun, entry: &Entry, open: bool, width: usize) -> Vec<Rich> {
    let Some(transcript) = transcript(view) else { return Vec::new() };
    let column = text_column(transcript);
    let hanging = |line: Rich| {
        let mut rich = Rich::new().column(column);
        rich.left.extend(line.left);
        rich.right = line.right;
        rich
    };
    let pieces = |left: Vec<Piece>| hanging(Rich { left, right: Vec::new() });
    match entry {
        Entry::Message(index) => {
            let last = transcript.final_message().is_some_and(|(last, _)| last == *index);
            if !open && !last {
                return Vec::new();
            }
            let lines = message_lines(view, transcript, *index, width);
            let most = if open { usize::MAX } else { MOST_LINES };
            let hidden = lines.len().saturating_sub(most);
            let mut shown: Vec<Rich> = lines.into_iter().take(most).skip(1).map(hanging).collect();
            if hidden > 0 && last {
                let more = format!("⋯ {} more  ⏎ unfolds", counted(hidden, "line"));
                shown.push(Rich::new().column(column).add(Role::Dim, more));
            }
            shown
        }
        Entry::Call(index) if open => call_below(transcript, *index, width).into_iter().map(pieces).collect(),
        Entry::Result(index) if open => {
            result_below(transcript, *index, width).into_iter().map(pieces).collect()
        }
        Entry::Prompt { last } if open => {
            (0..=*last).flat_map(|index| message_lines(view, transcript, index, width)).map(hanging).collect()
        }
        _ => Vec::new(),
    }
}

/// A call's arguments by name, and its answer unless that has an entry of its own.
fn call_below(transcript: &Transcript, index: usize, width: usize) -> Vec<Vec<Piece>> {
    let Some(call) = transcript.calls.get(index) else { return Vec::new() };
    let room = width.saturating_sub(text_column(transcript) + 2).max(8);
    let mut lines = Vec::new();
    if let Value::Object(object) = &call.args {
        for (name, value) in object.iter() {
            let pieces = [
                piece(Role::Dim, format!("{} ", name.display())),
                piece(Role::Plain, words::value(Some(value))),
            ];
            lines.extend(wrap(&pieces, room));
        }
    } else {
        lines.extend(wrap(&[piece(Role::Plain, words::value(Some(&call.args)))], room));
    }
    lines.extend(result_below(transcript, index, width));
    lines
}

fn result_below(transcript: &Transcript, index: usize, width: usize) -> Vec<Vec<Piece>> {
    let answer = transcript.calls.get(index).and_then(|call| transcript.messages.get(call.result?));
    let Some(answer) = answer else { return Vec::new() };
    let text = answer.text();
    let room = width.saturating_sub(text_column(transcript) + 2).max(8);
    text.split('\n').flat_map(|line| wrap(&[piece(Role::Dim, line)], room)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screen::fixture;

    fn shown(view: &OpenRun, all: bool, width: usize) -> String {
        let listing = Listing::of(view, all, &HashSet::new(), width);
        let word = |line: &Line| match &line.text {
            LineText::Head => head(view, &listing.entries[line.entry], width).plain(width),
            LineText::Ready(rich) => rich.plain(width),
        };
        listing.lines.iter().map(word).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn evidence_is_the_writes_the_failures_and_what_is_cited() {
        insta::assert_snapshot!(shown(&fixture::gate_view().into(), false, 52));
    }

    #[test]
    fn gaps_are_counted_and_widened() {
        let view = fixture::bulk_view().into();
        insta::assert_snapshot!(shown(&view, false, 52));
        assert_eq!(shown(&view, true, 52).lines().count(), 1 + 47 + 2 + 1 + 2 + 1);
    }

    #[test]
    fn a_stalled_run_says_where_it_ends() {
        assert!(shown(&fixture::stalled_view().into(), false, 52).ends_with("stalled: no message after m10"));
    }

    #[test]
    fn unfolded_calls_show_arguments_and_answer() {
        let view = fixture::gate_view().into();
        let listing = Listing::of(&view, false, &HashSet::from([Entry::Call(1)]), 52);
        let below: Vec<String> = listing
            .lines
            .iter()
            .filter_map(|line| match &line.text {
                LineText::Ready(rich) => Some(rich.plain(52).trim().to_owned()),
                LineText::Head => None,
            })
            .collect();
        assert_eq!(below[..3], ["status in_transit", "Error: shipment_id", "Field required"]);
    }
}
