//! Warnings about tables and columns that are in one of the two states only. Nothing is hidden by them:
//! their rows and values are compared like any other.

use std::collections::BTreeSet;

use crate::damage::Finding;
use crate::model::{Code, Table, Text};

/// What came or went, by table or column name.
pub(super) fn changes(name: &Text, before: Option<&Table>, after: Option<&Table>) -> Vec<Finding> {
    let (Some(before), Some(after)) = (before, after) else {
        let (table, side) = if before.is_some() { (before, "post-seed") } else { (after, "final") };
        let rows = table.map_or(0, |table| table.rows.len());
        let detail = format!("the table is in the {side} state only, with {rows} rows");
        return vec![Finding::in_table(Code::TableAppeared, name, detail)];
    };
    if before.rows.is_empty() || after.rows.is_empty() {
        return Vec::new();
    }
    let (old, new) = (columns(before), columns(after));
    let one_sided = |column: &&Text, side: &str| {
        let detail = format!("the column is in the {side} state only");
        Finding::in_table(Code::ColumnAppeared, name, detail).at_column(column)
    };
    let went = old.difference(&new).map(|column| one_sided(column, "post-seed"));
    went.chain(new.difference(&old).map(|column| one_sided(column, "final"))).collect()
}

fn columns(table: &Table) -> BTreeSet<&Text> {
    let mut names = BTreeSet::new();
    let mut last = None;
    for row in &table.rows {
        // Rows of a table nearly always have the same columns as the row before.
        if last.is_none_or(|last: &crate::model::Row| !last.names().eq(row.names())) {
            names.extend(row.names());
        }
        last = Some(row);
    }
    names
}
