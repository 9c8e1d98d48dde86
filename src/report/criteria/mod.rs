//! Criteria and what they read, as text, Markdown and JSON.

mod json;
mod markdown;
mod outline;
mod table;

pub use json::criteria_json;
pub use markdown::criteria_markdown;
pub use outline::{Item, outline, verdict};
pub use table::criteria_table;

use crate::study::Study;
use crate::study::campaign::FrozenState;
use crate::study::readings::{CriterionReading, readings};

/// The criteria of a study's campaign file, read and ready to be written.
#[derive(Clone, Debug)]
pub struct Criteria<'a> {
    study: &'a Study,
    frozen: FrozenState,
    readings: Vec<CriterionReading>,
}

impl<'a> Criteria<'a> {
    /// Reads all criteria.
    #[must_use]
    pub fn of(study: &'a Study) -> Self {
        Self { study, frozen: study.frozen(), readings: readings(study) }
    }
}

/// What is on record of freezing, in one sentence.
#[must_use]
pub fn frozen_sentence(state: &FrozenState) -> String {
    match state {
        FrozenState::NotFrozen => "criteria are not on record as frozen".into(),
        FrozenState::Recorded { digest, date, matches, before_first_run, first_run } => {
            let holds = if *matches { "still match" } else { "NO LONGER match" };
            let first = first_run.as_deref().unwrap_or("unknown");
            let order = match before_first_run {
                Some(true) => "before",
                Some(false) => "AFTER",
                None => "not known to be before",
            };
            let short: String = digest.chars().take(12).collect();
            format!("criteria {holds} the digest {short}… frozen {date}, {order} the first run ({first})")
        }
    }
}
