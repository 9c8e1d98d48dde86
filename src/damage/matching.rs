//! Does a rule concern a delta? The same test for `allowed` and `pricing`.

use super::Miss;
use crate::model::{Condition, Delta, Op, Text, Value};

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
    for condition in conditions {
        if let Err(found) = holds(condition, delta) {
            misses.push(Miss::Condition {
                column: condition.column.clone(),
                wanted: condition.value.clone(),
                found: found.cloned(),
            });
        }
    }
    misses
}

/// True if a rule misses nothing.
pub(super) fn matches(table: Option<&Text>, op: Option<Op>, conditions: &[Condition], delta: &Delta) -> bool {
    table.is_none_or(|name| *name == delta.table)
        && op.is_none_or(|wanted| wanted == delta.op)
        && conditions.iter().all(|condition| holds(condition, delta).is_ok())
}

/// Does a condition hold? If not, this is what the row has instead.
fn holds<'d>(condition: &Condition, delta: &'d Delta) -> Result<(), Option<&'d Value>> {
    let found = delta.raw_row().and_then(|row| row.column(&condition.column));
    let holds = found.map_or(condition.value.is_null(), |value| *value == condition.value);
    if holds { Ok(()) } else { Err(found) }
}
