//! Texts that many runs have in common, held once each.

use std::collections::HashSet;
use std::sync::Arc;

use super::RunState;
use crate::model::Text;

/// Final messages seen so far: k runs that end in the same words hold them once.
#[derive(Debug, Default)]
pub(super) struct Texts {
    seen: HashSet<Arc<str>>,
}

impl Texts {
    /// The same state with its final message shared.
    pub(super) fn share(&mut self, mut state: RunState) -> RunState {
        if let RunState::Judged { digest: Some(digest), .. } = &mut state
            && let Some(text) = &digest.final_message
        {
            let known = self.one(text);
            if !Arc::ptr_eq(&known, text) {
                Arc::make_mut(digest).final_message = Some(known);
            }
        }
        state
    }

    fn one(&mut self, text: &Arc<str>) -> Arc<str> {
        if let Some(known) = self.seen.get(text) {
            return Arc::clone(known);
        }
        self.seen.insert(Arc::clone(text));
        Arc::clone(text)
    }
}

/// Names seen so far, such as those of tasks, tables and columns.
#[derive(Debug, Default)]
pub(super) struct Words {
    seen: HashSet<Text>,
}

impl Words {
    /// The name with these bytes (generalized UTF-8).
    pub(super) fn text(&mut self, bytes: &[u8]) -> Text {
        if let Some(known) = self.seen.get(bytes) {
            return known.clone();
        }
        let text = Text::from_wtf8(bytes);
        self.seen.insert(text.clone());
        text
    }
}
