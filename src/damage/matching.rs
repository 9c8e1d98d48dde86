//! Does a rule concern a delta? The same test for `allowed` and `pricing`.

use super::Miss;
use crate::model::{Condition, Delta, Op, Text};

/// What a rule fails on; empty if it matches. Conditions are equality on the raw row (the final one, or the
/// initial one of a removed row), masked columns included, and are only looked at if the table fits; a
/// wanted `null` matches an absent column too.
pub(super) fn misses(
    table: Option<&Text>,
    op: Option<Op>,
    conditions: &[Condition],
    delta: &Delta,
) -> Vec<Miss> {
    if table.is_some_and(|name| *name != delta.table) {
        return vec![Miss::Table];
    }
    let mut misses = Vec::new();
    if op.is_some_and(|wanted| wanted != delta.op) {
        misses.push(Miss::Op);
    }
    for Condition { column, value: wanted, .. } in conditions {
        let found = delta.raw_row().and_then(|row| row.column(column));
        let holds = found.map_or(wanted.is_null(), |value| value == wanted);
        if !holds {
            misses.push(Miss::Condition {
                column: column.clone(),
                wanted: wanted.clone(),
                found: found.cloned(),
            });
        }
    }
    misses
}
