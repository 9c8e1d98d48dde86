//! What of a conversation is listed: evidence with counted gaps, or every message.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use crate::damage::Mark;
use crate::model::{CallStatus, MessageKind, Transcript};
use crate::tui::open_run::OpenRun;
use crate::tui::screen::account::conversation::transcript;

/// One entry of the transcript pane.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// policy and prompt, messages 0 to `last`
    Prompt {
        /// index of its last message
        last: usize,
    },
    /// a call with its answer, or without it where the answer has an entry of its own
    Call(usize),
    /// the answer to a call that did damage
    Result(usize),
    /// a message
    Message(usize),
    /// messages that are left out
    Gap {
        /// their indices
        messages: Vec<usize>,
    },
    /// why the conversation ends where it does
    End,
}

impl Entry {
    /// The messages an entry stands for.
    #[must_use]
    pub fn messages(&self, transcript: &Transcript) -> RangeInclusive<usize> {
        let call = |index: &usize| transcript.calls.get(*index);
        // A message that there is not stands for none.
        let none = usize::MAX..=usize::MAX;
        match self {
            Self::Prompt { last } => 0..=*last,
            Self::Call(index) => {
                let message = call(index).map_or(0, |call| call.message);
                message..=message
            }
            Self::Result(index) => {
                let message = call(index).and_then(|call| call.result).unwrap_or(usize::MAX);
                message..=message
            }
            Self::Message(index) => *index..=*index,
            Self::Gap { messages } => match (messages.first(), messages.last()) {
                (Some(first), Some(last)) => *first..=*last,
                _ => none,
            },
            Self::End => none,
        }
    }
}

/// The entries of a run's transcript.
///
/// Evidence is the prompt, every write, every failed call, every cited message and the last one. A gap that
/// would take as much room as what it hides is not made.
#[must_use]
pub fn entries(view: &OpenRun, all: bool) -> Vec<Entry> {
    let Some(transcript) = transcript(view) else { return Vec::new() };
    let full = every(view, transcript);
    if all {
        return full;
    }
    let cited = cited(view, transcript);
    let mut kept: Vec<Entry> = Vec::new();
    let mut hidden: Vec<Entry> = Vec::new();
    for entry in full {
        if is_evidence(view, transcript, &entry, &cited) {
            close_gap(&mut kept, &mut hidden, transcript);
            kept.push(entry);
        } else {
            hidden.push(entry);
        }
    }
    close_gap(&mut kept, &mut hidden, transcript);
    kept
}

fn close_gap(kept: &mut Vec<Entry>, hidden: &mut Vec<Entry>, transcript: &Transcript) {
    if hidden.len() < 2 {
        kept.append(hidden);
        return;
    }
    let messages = hidden
        .drain(..)
        .flat_map(|entry| match entry {
            Entry::Call(index) => transcript
                .calls
                .get(index)
                .map(|call| std::iter::once(call.message).chain(call.result).collect())
                .unwrap_or_default(),
            other => other.messages(transcript).collect::<Vec<_>>(),
        })
        .collect::<std::collections::BTreeSet<usize>>();
    kept.push(Entry::Gap { messages: messages.into_iter().collect() });
}

/// Every entry, in order.
fn every(view: &OpenRun, transcript: &Transcript) -> Vec<Entry> {
    let mut entries = Vec::new();
    let is_prompt = |kind: &MessageKind| matches!(kind, MessageKind::System(_) | MessageKind::User(_));
    let prompt = transcript.messages.iter().take_while(|message| is_prompt(&message.kind)).count();
    if prompt > 0 {
        entries.push(Entry::Prompt { last: prompt - 1 });
    }
    let mut answers = HashSet::new();
    let mut calls = transcript.calls.iter().enumerate().peekable();
    for (index, message) in transcript.messages.iter().enumerate().skip(prompt) {
        let mut own_calls = Vec::new();
        while let Some((call, made)) = calls.next_if(|(_, call)| call.message <= index) {
            own_calls.push(call);
            answers.extend(made.result);
        }
        // An agent's message without words only carries its calls; an answer stands with its call.
        let wordless = message.text().trim().is_empty();
        let carried = matches!(message.kind, MessageKind::Agent(_)) && wordless && !own_calls.is_empty();
        if !carried && !answers.contains(&index) {
            entries.push(Entry::Message(index));
        }
        for call in own_calls {
            entries.push(Entry::Call(call));
            if view.is_damaging(call) {
                entries.push(Entry::Result(call));
            }
        }
    }
    let errored = view.record.as_ref().is_some_and(|record| record.error.is_some());
    if errored || !transcript.ends_on_agent() {
        entries.push(Entry::End);
    }
    entries
}

/// Messages that the facts, the refusal or a contradiction rest on, and the last one.
fn cited(view: &OpenRun, transcript: &Transcript) -> Vec<usize> {
    let mut cited: Vec<usize> = transcript.final_message().map(|(index, _)| index).into_iter().collect();
    if let Some(evidence) = &view.evidence {
        cited.extend(evidence.refusal.map(|refusal| refusal.message));
        cited.extend(evidence.contradictions.iter().filter_map(|contradiction| contradiction.message));
    }
    cited
}

fn is_evidence(view: &OpenRun, transcript: &Transcript, entry: &Entry, cited: &[usize]) -> bool {
    match entry {
        Entry::Prompt { .. } | Entry::Result(_) | Entry::End | Entry::Gap { .. } => true,
        Entry::Message(index) => {
            cited.contains(index)
                || !matches!(transcript.messages.get(*index).map(|m| &m.kind), Some(MessageKind::Agent(_)))
        }
        Entry::Call(index) => {
            let Some(call) = transcript.calls.get(*index) else { return false };
            // Without a digest it is not known which tools only read: nothing is hidden then.
            let reads = view
                .entry
                .digest()
                .and_then(|digest| digest.strip.get(*index))
                .is_some_and(|m| *m == Mark::Read);
            !reads || call.status != CallStatus::Ok || view.is_damaging(*index)
        }
    }
}
