//! Which call introduced a delta (DESIGN §5, beside the verdict).

use super::{Attribution, Grade, Inputs};
use crate::model::{Delta, RunRecord, Text};

/// Attributes the deltas of one run.
pub(super) struct Attributor;

/// The calls a delta is attributed to.
#[derive(Debug, Default)]
pub(super) struct Attributed {
    grade: Grade,
    calls: Vec<usize>,
}

impl Attributed {
    /// The one call that is shown.
    pub(super) fn attribution(&self) -> Attribution {
        Attribution { grade: self.grade, call: self.calls.first().copied() }
    }

    /// The tools of all of them.
    pub(super) fn tools<'r>(&self, record: &'r RunRecord) -> Vec<&'r Text> {
        let calls = record.transcript.as_ref().map_or(&[][..], |transcript| &transcript.calls);
        self.calls.iter().filter_map(|call| calls.get(*call)).map(|call| &call.tool).collect()
    }
}

impl Attributor {
    pub(super) fn new(_: &Inputs<'_>) -> Self {
        Self
    }

    pub(super) fn attribute(&mut self, _: &Delta, _: &[Text]) -> Attributed {
        Attributed::default()
    }
}
