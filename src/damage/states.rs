//! The two states of a run, as far as somebody asks.

use std::fmt;

use crate::model::{State, Text};

/// Gives the states of a run on demand. The verdict needs none of this, it rests on the [`Diff`](super::Diff);
/// only the search for what names a row does, so a reader may parse them when they are asked for.
pub trait States: fmt::Debug {
    /// The key a dump itself declares for a table.
    fn declared_key(&self, table: &Text) -> Option<&[Text]>;

    /// The whole database before the agent acts.
    fn post_seed(&self) -> &State;

    /// The database afterwards: at least every table in which it differs, with all rows.
    fn final_state(&self) -> &State;
}

/// Both states at hand: post-seed, final.
impl States for [&State; 2] {
    fn declared_key(&self, table: &Text) -> Option<&[Text]> {
        let declared = self.iter().filter_map(|state| state.tables.get(table)?.declared_key.as_deref());
        declared.into_iter().find(|columns| !columns.is_empty())
    }

    fn post_seed(&self) -> &State {
        self[0]
    }

    fn final_state(&self) -> &State {
        self[1]
    }
}
