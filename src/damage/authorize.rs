//! Which deltas the spec allows (DESIGN §5.2).

use super::matching::{matches, misses};
use super::{Authorization, RuleCheck};
use crate::model::{AllowRule, Delta, Op, Text};

/// Tries every rule, also after one has matched, so that *why* can show how each fared; see `residue` for what
/// it comes to.
#[must_use]
pub fn authorize(delta: &Delta, rules: &[AllowRule]) -> Authorization {
    let residue = residue(delta, rules);
    Authorization {
        allowed: residue.is_none(),
        residue: residue.unwrap_or_default(),
        rules: rules.iter().enumerate().map(|(index, rule)| check(index, rule, delta)).collect(),
    }
}

/// `None` if the delta is allowed; else the changed columns that are not. The matching rules' columns add up; what
/// they leave over of a modified row is the residue. For added and removed rows `columns` is ignored. No rule, no
/// authorization.
pub(super) fn residue(delta: &Delta, rules: &[AllowRule]) -> Option<Vec<Text>> {
    let matches = |rule: &&AllowRule| matches(rule.table.as_ref(), rule.op, &rule.conditions, delta);
    let matching: Vec<&AllowRule> = rules.iter().filter(matches).collect();
    if delta.op != Op::Modified {
        return matching.is_empty().then(Vec::new);
    }
    let is_left = |column: &&Text| !matching.iter().any(|rule| covers(rule, column));
    // Exactly as much room as it takes: it is kept as long as the verdict is.
    let mut residue = Vec::with_capacity(delta.changed.iter().filter(is_left).count());
    residue.extend(delta.changed.iter().filter(is_left).cloned());
    (!residue.is_empty()).then_some(residue)
}

fn check(index: usize, rule: &AllowRule, delta: &Delta) -> RuleCheck {
    let misses = misses(rule.table.as_ref(), rule.op, &rule.conditions, delta);
    let covers = if misses.is_empty() {
        delta.changed.iter().filter(|column| covers(rule, column)).cloned().collect()
    } else {
        Vec::new()
    };
    RuleCheck { rule: index, misses, covers }
}

fn covers(rule: &AllowRule, column: &Text) -> bool {
    rule.columns.as_ref().is_none_or(|columns| columns.contains(column))
}
