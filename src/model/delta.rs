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

/// The rows of one key in two states, if they are not equal.
#[derive(Clone, Debug)]
pub struct RowPair {
    /// Their key, as the final row spells it if there is one.
    pub key: Key,
    /// The row before; `None` if there was none.
    pub before: Option<Row>,
    /// The row after; `None` if there is none.
    pub after: Option<Row>,
    /// The columns in which they differ, in no order; empty if there is one row only.
    pub differing: Vec<Text>,
}

impl RowPair {
    /// Of the rows of a key; `None` if they are equal.
    #[must_use]
    pub fn new(key: Key, before: Option<Row>, after: Option<Row>) -> Option<Self> {
        let both = before.as_ref().zip(after.as_ref());
        let differing = both.map(|(before, after)| before.differing(after));
        let differs = differing.as_ref().is_none_or(|columns| !columns.is_empty());
        differs.then(|| Self { key, before, after, differing: differing.unwrap_or_default() })
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
    /// The row before; `None` if added. It is whole, unless a verdict and nothing else was asked for: then it
    /// may have only the columns that rules look at.
    pub before: Option<Row>,
    /// The row after, as much of it; `None` if removed.
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
