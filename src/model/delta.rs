//! Differences between two states.

use std::fmt;

use super::{Key, Row, Text};

/// What happened to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// in the final state only
    Added,
    /// in both, with an unmasked difference
    Modified,
    /// in the post-seed state only
    Removed,
}

impl Op {
    /// The word in verdict files and specs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Modified => "modified",
            Self::Removed => "removed",
        }
    }

    /// The inverse of [`Op::as_str`].
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Added, Self::Modified, Self::Removed].into_iter().find(|op| op.as_str() == word)
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One row added, removed or modified between post-seed and final state, before any rule is applied.
#[derive(Clone, Debug)]
pub struct Delta {
    /// The table's name.
    pub table: Text,
    /// What happened.
    pub op: Op,
    /// The row's key.
    pub key: Key,
    /// The whole row before; `None` if added.
    pub before: Option<Row>,
    /// The whole row after; `None` if removed.
    pub after: Option<Row>,
    /// Columns that differ and are compared, sorted; empty unless modified.
    pub changed: Vec<Text>,
    /// Columns that differ but are volatile, sorted; empty unless modified.
    pub masked: Vec<Text>,
}

impl Delta {
    /// The row rules look at: the final one if there is one, else the initial one.
    #[must_use]
    pub fn raw_row(&self) -> Option<&Row> {
        self.after.as_ref().or(self.before.as_ref())
    }
}
