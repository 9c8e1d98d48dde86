//! How a run ended (DESIGN §5.4).

use super::Termination;
use crate::model::RunRecord;

/// `errored` if an error is stated, else `stalled` unless the conversation ends on an agent's message. The
/// empty string is an error: a deviation from AgentRelBench, which lets it slip to `stalled`.
#[must_use]
pub fn termination(record: &RunRecord) -> Termination {
    if record.error.as_ref().is_some_and(|error| !error.is_null()) {
        Termination::Errored
    } else if record.transcript.as_ref().is_some_and(crate::model::Transcript::ends_on_agent) {
        Termination::Completed
    } else {
        Termination::Stalled
    }
}
