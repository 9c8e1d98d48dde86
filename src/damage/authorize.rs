//! Which deltas the spec allows (DESIGN §5.2).

use super::matching::misses;
use super::{Authorization, RuleCheck};
use crate::model::{AllowRule, Delta, Op};

/// Tries every rule, also after one has matched, so that *why* can show how each fared. The matching rules'
/// columns add up; what they leave over of a modified row is the residue. For added and removed rows
/// `columns` is ignored. No rule, no authorization.
#[must_use]
pub fn authorize(delta: &Delta, rules: &[AllowRule]) -> Authorization {
    let checks: Vec<RuleCheck> =
        rules.iter().enumerate().map(|(index, rule)| check(index, rule, delta)).collect();
    let residue =
        delta.changed.iter().filter(|column| !checks.iter().any(|check| check.covers.contains(column)));
    let residue: Vec<_> = residue.cloned().collect();
    let allowed = match delta.op {
        Op::Modified => residue.is_empty(),
        Op::Added | Op::Removed => checks.iter().any(RuleCheck::matched),
    };
    Authorization { allowed, residue, rules: checks }
}

fn check(index: usize, rule: &AllowRule, delta: &Delta) -> RuleCheck {
    let misses = misses(rule.table.as_ref(), rule.op, &rule.conditions, delta);
    let covers = if misses.is_empty() {
        let covered = |column: &&_| rule.columns.as_ref().is_none_or(|columns| columns.contains(column));
        delta.changed.iter().filter(covered).cloned().collect()
    } else {
        Vec::new()
    };
    RuleCheck { rule: index, misses, covers }
}
