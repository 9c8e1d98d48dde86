//! Pairs the rows of a key that is not unique, so that nothing collapses.
//!
//! A deviation from AgentRelBench, which keeps the last row of each key and so cannot see the others
//! change.

use std::collections::HashMap;

use super::super::order::content;
use crate::model::{Row, Text};

/// One row of a pairing, or two.
pub(super) type Pair<'a> = (Option<&'a Row>, Option<&'a Row>);

/// Rows equal in everything are pairs, then rows equal in all compared columns. If one row is left on each
/// side these two are a modification; anything else that is left is removed or added. Pairs without a
/// compared difference are not returned. Linear in the rows but for a sort, which makes the result the
/// same whatever order the dump has them in.
pub(super) fn pair<'a>(
    before: impl Iterator<Item = &'a Row>,
    after: impl Iterator<Item = &'a Row>,
    mask: &[Text],
) -> Vec<Pair<'a>> {
    let (mut before, mut after) = (sorted(before), sorted(after));
    cancel(&mut before, &mut after, Row::clone);
    if !mask.is_empty() {
        cancel(&mut before, &mut after, |row| compared(row, mask));
    }
    match (before.as_slice(), after.as_slice()) {
        ([old], [new]) => vec![(Some(old), Some(new))],
        _ => {
            let removed = before.into_iter().map(|row| (Some(row), None));
            removed.chain(after.into_iter().map(|row| (None, Some(row)))).collect()
        }
    }
}

fn sorted<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<&'a Row> {
    let mut rows: Vec<&Row> = rows.collect();
    rows.sort_by_cached_key(|row| content(Some(row)));
    rows
}

/// Takes away as many rows from both sides as are equal under `view`: a multiset difference, both ways.
fn cancel<'a>(before: &mut Vec<&'a Row>, after: &mut Vec<&'a Row>, view: impl Fn(&'a Row) -> Row) {
    let mut open: HashMap<Row, usize> = HashMap::new();
    for row in before.iter() {
        *open.entry(view(row)).or_default() += 1;
    }
    let mut paired: HashMap<Row, usize> = HashMap::new();
    after.retain(|row| {
        let seen = view(row);
        match open.get_mut(&seen) {
            Some(count) if *count > 0 => {
                *count -= 1;
                *paired.entry(seen).or_default() += 1;
                false
            }
            _ => true,
        }
    });
    before.retain(|row| match paired.get_mut(&view(row)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
}

fn compared(row: &Row, mask: &[Text]) -> Row {
    row.iter()
        .filter(|(name, _)| !mask.contains(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}
