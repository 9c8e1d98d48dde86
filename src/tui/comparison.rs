//! Long values that a worker compares, so that no key waits for it.

use super::identity::RunId;
use super::widget::word_diff::{WordDiff, compare};
use crate::model::Text;

/// A changed value of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueId {
    /// The run.
    pub run: RunId,
    /// Index of the edit into the evidence's deltas.
    pub edit: usize,
    /// The column.
    pub column: Text,
}

/// Two values to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Whose values they are.
    pub value: ValueId,
    /// The value before, as people read it.
    pub old: String,
    /// The value after.
    pub new: String,
}

impl Comparison {
    /// Compares. Takes up to some 200 ms.
    #[must_use]
    pub fn made(self) -> (ValueId, WordDiff) {
        let diff = compare(&self.old, &self.new);
        (self.value, diff)
    }
}
