//! What the labeler finds wrong with its input.

use crate::model::{Code, State, Text};

/// Something wrong or odd in two states, a spec or their fit. This module knows no paths; the study turns a
/// finding into a [`crate::model::Problem`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Its name.
    pub code: Code,
    /// The table.
    pub table: Option<String>,
    /// The row's key, or its number from 1 where it has none.
    pub row: Option<String>,
    /// The column.
    pub column: Option<String>,
    /// One sentence for people, without a full stop.
    pub detail: String,
}

impl Finding {
    /// A finding about a table.
    #[must_use]
    pub fn in_table(code: Code, table: &Text, detail: impl Into<String>) -> Self {
        Self { code, table: Some(table.to_string()), row: None, column: None, detail: detail.into() }
    }

    /// The same finding at a row.
    #[must_use]
    pub fn at_row(mut self, row: impl Into<String>) -> Self {
        self.row = Some(row.into());
        self
    }

    /// The same finding at a column.
    #[must_use]
    pub fn at_column(mut self, column: &Text) -> Self {
        self.column = Some(column.to_string());
        self
    }
}

/// The names of all tables of either state, sorted, without the bookkeeping ones (`sqlite_*`).
pub(super) fn tables_of<'a>(before: &'a State, after: &'a State) -> Vec<&'a Text> {
    let mut names: Vec<&Text> = before.tables.keys().chain(after.tables.keys()).collect();
    names.retain(|name| !name.as_bytes().starts_with(b"sqlite_"));
    names.sort_unstable();
    names.dedup();
    names
}
