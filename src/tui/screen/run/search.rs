//! Search on the Run screen: the rows as they stand, and the whole conversation, hidden messages too.

use super::content::Content;
use super::entries::{Entry, entries};
use super::layout::Focus;
use super::rows;
use crate::model::{Transcript, python};
use crate::tui::open_run::OpenRun;
use crate::tui::screen::Seek;
use crate::tui::screen::account::conversation::transcript;
use crate::tui::widget::rich::holds;
use crate::tui::widget::scroll::Scroll;

/// Where a hit is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// a line of the rows
    Row(usize),
    /// an entry of the transcript
    Entry(Entry),
}

/// The hit to go to, which one it is from 1, and how many there are. Rows come before the transcript.
#[must_use]
pub fn find(
    view: &OpenRun,
    content: &Content,
    (focus, rows_at, script_at): (Focus, Scroll, Scroll),
    query: &str,
    seek: Seek,
) -> Option<(Place, (usize, usize))> {
    let listed = transcript(view).map(|_| entries(view, true)).unwrap_or_default();
    let mut places: Vec<((u8, usize), Place)> = Vec::new();
    for (index, line) in content.rows.iter().enumerate() {
        let text: String = rows::worded(view, line).left.iter().map(|piece| piece.text.as_str()).collect();
        if holds(&text, query) {
            places.push(((0, index), Place::Row(index)));
        }
    }
    if let Some(transcript) = transcript(view) {
        for (index, entry) in listed.iter().enumerate() {
            if says(transcript, entry, query) {
                places.push(((1, index), Place::Entry(entry.clone())));
            }
        }
    }
    let here = match focus {
        Focus::Rows => (0, rows_at.cursor),
        Focus::Script => {
            let entry = content.entry_at(script_at.cursor);
            let index = entry.and_then(|entry| listed.iter().position(|other| other == entry));
            (1, index.unwrap_or(0))
        }
    };
    let chosen = match seek {
        Seek::Here => places.iter().position(|(at, _)| *at >= here).or(Some(0)),
        Seek::Next => places.iter().position(|(at, _)| *at > here).or(Some(0)),
        Seek::Previous => places.iter().rposition(|(at, _)| *at < here).or(places.len().checked_sub(1)),
    }?;
    let (_, place) = places.get(chosen)?;
    Some((place.clone(), (chosen + 1, places.len())))
}

/// True if the query is in what an entry says, is called with, or answers.
fn says(transcript: &Transcript, entry: &Entry, query: &str) -> bool {
    let in_message =
        |index: usize| transcript.messages.get(index).is_some_and(|message| holds(&message.text(), query));
    if let Entry::Call(index) = entry
        && let Some(call) = transcript.calls.get(*index)
    {
        return holds(&format!("{} {}", call.tool, python::str(&call.args)), query)
            || call.result.is_some_and(in_message);
    }
    entry.messages(transcript).any(in_message)
}
