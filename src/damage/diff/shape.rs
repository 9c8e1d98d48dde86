//! Warnings about tables and columns that are in one of the two states only. Nothing is hidden by them:
//! their rows and values are compared like any other.

use std::collections::BTreeSet;

use crate::damage::Finding;
use crate::model::{Code, Table, Text};

/// So many columns that came or went are named one by one; more are counted.
const MOST_NAMED: usize = 8;

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
    let went: Vec<&Text> = old.difference(&new).copied().collect();
    let came: Vec<&Text> = new.difference(&old).copied().collect();
    [one_sided(name, &went, "post-seed"), one_sided(name, &came, "final")].concat()
}

/// A warning for each column, or one for all where they are many.
fn one_sided(table: &Text, columns: &[&Text], side: &str) -> Vec<Finding> {
    let Some((first, rest)) = columns.split_at_checked(MOST_NAMED).filter(|(_, rest)| !rest.is_empty())
    else {
        let one = |column: &&Text| {
            let detail = format!("the column is in the {side} state only");
            Finding::in_table(Code::ColumnAppeared, table, detail).at_column(column)
        };
        return columns.iter().map(one).collect();
    };
    let names: Vec<String> = first.iter().map(ToString::to_string).collect();
    let detail = format!(
        "{} columns are in the {side} state only: {} and {} more",
        columns.len(),
        names.join(", "),
        rest.len()
    );
    vec![Finding::in_table(Code::ColumnAppeared, table, detail)]
}

fn columns(table: &Table) -> BTreeSet<&Text> {
    let mut names = BTreeSet::new();
    let mut last = None;
    for row in &table.rows {
        // Rows of a table nearly always have the same columns as the row before.
        if last.is_none_or(|last: &crate::model::Row| !last.same_names(row)) {
            names.extend(row.names());
        }
        last = Some(row);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Row, Value};

    fn table(columns: usize) -> Table {
        let entries = (0..columns).map(|index| (Text::from(format!("c{index:02}")), Value::Null));
        Table { rows: vec![entries.collect::<Row>()], declared_key: None }
    }

    #[test]
    fn many_columns_are_one_warning() {
        let found = |columns| changes(&"ship".into(), Some(&table(1)), Some(&table(columns)));
        assert_eq!(found(1 + MOST_NAMED).len(), MOST_NAMED);
        let [one] = found(91).try_into().expect("one warning");
        assert_eq!(
            one.detail,
            "90 columns are in the final state only: c01, c02, c03, c04, c05, c06, c07, c08 and 82 more"
        );
    }
}
