//! Shares equal final messages between runs, so that k runs that end in the same words hold them once.

use std::collections::HashSet;
use std::sync::Arc;

use super::RunState;
use crate::damage::Digest;

/// The texts seen so far.
#[derive(Default)]
pub(super) struct Texts {
    seen: HashSet<Arc<str>>,
}

impl Texts {
    /// The same state with its final message shared.
    pub(super) fn share(&mut self, state: RunState) -> RunState {
        let RunState::Judged { verdict, digest: Some(digest), source } = state else { return state };
        let final_message = digest.final_message.as_ref().map(|text| self.one(text));
        let digest = Arc::new(Digest { final_message, ..Arc::unwrap_or_clone(digest) });
        RunState::Judged { verdict, digest: Some(digest), source }
    }

    fn one(&mut self, text: &Arc<str>) -> Arc<str> {
        if let Some(known) = self.seen.get(text) {
            return Arc::clone(known);
        }
        self.seen.insert(Arc::clone(text));
        Arc::clone(text)
    }
}
