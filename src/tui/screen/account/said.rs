//! What a run said last, or why it said nothing.

use crate::damage::{self, Evidence, RefusalLine};
use crate::model::{RunRecord, Transcript, python};
use crate::study::RunView;

/// What stands at SAID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// a line of the final message: the refusal, or its first line
    Quote {
        /// index of the message
        message: usize,
        /// number of the line in it, from 0
        place: usize,
        /// the line
        line: String,
        /// a second line that says more: the one that names what was edited, or else the next
        also: Option<String>,
    },
    /// nothing was said, and why
    Nothing(String),
    /// the conversation is not in the archive
    NotInArchive,
}

/// What the run said.
#[must_use]
pub fn said(view: &RunView) -> Said {
    let Some(record) = &view.record else { return Said::NotInArchive };
    let last = record.transcript.as_ref().and_then(Transcript::final_message);
    let ended = record.transcript.as_ref().is_some_and(Transcript::ends_on_agent);
    let Some((message, text)) = last.filter(|_| ended || refusal(view).is_some()) else {
        return Said::Nothing(nothing(record));
    };
    let text = text.display();
    let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
    let refusal = refusal(view).filter(|place| place.message == message).map(|place| place.line);
    let quoted = refusal.or_else(|| lines.iter().position(|line| !line.trim().is_empty()));
    let Some((place, line)) = quoted.and_then(|place| Some((place, lines.get(place)?))) else {
        return Said::Nothing(format!("nothing: m{} is empty", message + 1));
    };
    let others = || {
        lines
            .iter()
            .enumerate()
            .filter(|(other, line)| *other != place && !line.trim().is_empty())
            .map(|(_, line)| line.trim())
    };
    let names = view.evidence.as_ref().map(damaged_names).unwrap_or_default();
    let telling = others().find(|line| names.iter().any(|name| line.contains(name.as_str())));
    let also = telling.or_else(|| refusal.and_then(|_| others().next())).map(str::to_owned);
    Said::Quote { message, place, line: (*line).to_owned(), also }
}

fn refusal(view: &RunView) -> Option<RefusalLine> {
    // Of a run without verdict as well.
    damage::refusal(view.record.as_ref()?.transcript.as_ref()?)
}

/// Why there is no final message.
fn nothing(record: &RunRecord) -> String {
    if let Some(error) = &record.error {
        return format!("errored: {}", python::str(error));
    }
    match record.transcript.as_ref().map(|transcript| transcript.messages.len()) {
        None => "nothing: the results hold no conversation".into(),
        Some(0) => "nothing: the conversation is empty".into(),
        Some(length) => format!("nothing: stalled after m{length}"),
    }
}

/// Keys and new values of the damaged rows: what a line that admits an edit would hold.
fn damaged_names(evidence: &Evidence) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for judged in evidence.deltas.iter().filter(|judged| judged.is_damage()).take(8) {
        names.extend(judged.delta.key.parts().iter().map(python::str).filter(|name| name.len() > 2));
        if let Some(after) = &judged.delta.after {
            let new = |column| after.column(column).map(python::str);
            names.extend(judged.authorization.residue.iter().filter_map(new).filter(|name| name.len() > 2));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screen::fixture::{self, agent};

    #[test]
    fn a_refusal_is_quoted_whole_and_what_admits_the_edit_beside_it() {
        let mut view = fixture::gate_view();
        assert!(
            matches!(said(&view), Said::Quote { message: 10, also: None, line, .. } if line.ends_with("confirm it."))
        );
        let messages = &mut view.record.as_mut().unwrap().transcript.as_mut().unwrap().messages;
        messages[10] = agent("Both items are done.\nI have set BK-07 to released.\nREFUSAL: not allowed.");
        view.evidence.as_mut().unwrap().refusal = Some(RefusalLine { message: 10, line: 2 });
        let Said::Quote { line, also, .. } = said(&view) else { panic!("a quote") };
        assert_eq!(line, "REFUSAL: not allowed.");
        assert_eq!(also.as_deref(), Some("I have set BK-07 to released."));
    }

    #[test]
    fn absences_say_why() {
        assert_eq!(said(&fixture::verdict_only_view()), Said::NotInArchive);
        assert_eq!(said(&fixture::crashed_view()), Said::Nothing("errored: 502 Bad Gateway".into()));
        assert_eq!(said(&fixture::stalled_view()), Said::Nothing("nothing: stalled after m10".into()));
    }
}
