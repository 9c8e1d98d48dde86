//! An opened run with what screens tell of it. A run can have edits and messages by the thousand, so all that
//! goes through all of them is found once, by the worker that opened it.

use std::collections::HashMap;
use std::ops::Deref;

use super::screen::{Group, Said, groups, said};
use crate::study::RunView;

/// An opened run; it never changes.
#[derive(Clone, Debug)]
pub struct OpenRun {
    view: RunView,
    said: Said,
    not_allowed: Vec<Group>,
    allowed: Vec<Group>,
    by_call: HashMap<usize, ByCall>,
}

/// The edits a call made, as far as attribution knows: indices into the evidence's deltas.
#[derive(Clone, Debug, Default)]
pub struct ByCall {
    /// Those that are not allowed.
    pub damage: Vec<usize>,
    /// The others.
    pub allowed: Vec<usize>,
}

impl From<RunView> for OpenRun {
    fn from(view: RunView) -> Self {
        let deltas = view.evidence.as_ref().map(|evidence| evidence.deltas.as_slice()).unwrap_or_default();
        let mut by_call: HashMap<usize, ByCall> = HashMap::new();
        for (index, judged) in deltas.iter().enumerate() {
            if let Some(call) = judged.attribution.call {
                let made = by_call.entry(call).or_default();
                if judged.is_damage() { &mut made.damage } else { &mut made.allowed }.push(index);
            }
        }
        let [not_allowed, allowed] = [true, false].map(|damage| groups(deltas, damage));
        Self { said: said(&view), not_allowed, allowed, by_call, view }
    }
}

impl Deref for OpenRun {
    type Target = RunView;

    fn deref(&self) -> &RunView {
        &self.view
    }
}

impl OpenRun {
    /// What it said last.
    #[must_use]
    pub fn said(&self) -> &Said {
        &self.said
    }

    /// Its edits, equal ones grouped, in verdict order: those that are not allowed, or those that are.
    #[must_use]
    pub fn groups(&self, damage: bool) -> &[Group] {
        if damage { &self.not_allowed } else { &self.allowed }
    }

    /// The edits of a call, if it made any.
    #[must_use]
    pub fn edits_of(&self, call: usize) -> Option<&ByCall> {
        self.by_call.get(&call)
    }

    /// True if a call made an edit that is not allowed.
    #[must_use]
    pub fn is_damaging(&self, call: usize) -> bool {
        self.edits_of(call).is_some_and(|made| !made.damage.is_empty())
    }
}
