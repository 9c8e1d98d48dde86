//! ≠ All checks passed, and there is an unauthorized delta: success alone would have hidden it.

use super::super::{Contradiction, Evidence, Inputs, RuleId};
use super::first_damage;

pub(super) fn find(evidence: &Evidence, _: &Inputs<'_>) -> Vec<Contradiction> {
    let found = first_damage(evidence).filter(|_| evidence.verdict.eog_success);
    let contradiction = |(delta, call)| Contradiction {
        rule: RuleId::PassedButDamaged,
        message: None,
        call,
        delta: Some(delta),
    };
    found.map(contradiction).into_iter().collect()
}
