//! The contradiction walk: the order in which a person is shown runs whose records disagree.

use crate::damage::NamesRow;

use super::{RunEntry, Study};

/// Indices into [`Study::runs`] of every run with a contradiction, the most telling first.
///
/// Refused-yet-changed runs come before those that only passed their checks. Among the former, first those
/// whose refusal names the row that was changed, before another row or none; and of these those whose
/// final message does not admit the edit. Ties stay in the study's order, so the walk never jumps.
#[must_use]
pub fn walk(study: &Study) -> Vec<usize> {
    let mut order: Vec<usize> = study
        .runs
        .iter()
        .enumerate()
        .filter(|(_, run)| {
            run.verdict().is_some_and(|verdict| verdict.refused_but_mutated() || verdict.passed_but_damaged())
        })
        .map(|(index, _)| index)
        .collect();
    order.sort_by_key(|index| study.runs.get(*index).map(rank));
    order
}

/// Smaller is more telling.
fn rank(run: &RunEntry) -> (bool, u8, u8) {
    let refused = run.verdict().is_some_and(|verdict| verdict.refused_but_mutated());
    let facts = run.digest().and_then(|digest| digest.facts.as_ref());
    let names = match facts.and_then(|facts| facts.refusal_names) {
        Some(NamesRow::This) => 0,
        Some(NamesRow::Another) => 1,
        Some(NamesRow::None) => 2,
        None => 3,
    };
    let admits = match facts.and_then(|facts| facts.admits) {
        Some(false) => 0,
        None => 1,
        Some(true) => 2,
    };
    (!refused, names, admits)
}
