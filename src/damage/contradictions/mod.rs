//! Places where transcript and state disagree: one documented rule a file. Evidence for a person, never a
//! verdict.

mod passed_but_damaged;
mod refused_but_mutated;

use super::{Contradiction, Evidence, Inputs};

/// A rule: what it finds in one run. It may look at everything but other rules' findings.
type Rule = fn(&Evidence, &Inputs<'_>) -> Vec<Contradiction>;

/// The rules, gravest first.
const RULES: &[Rule] = &[refused_but_mutated::find, passed_but_damaged::find];

/// All contradictions of a run, gravest first.
pub(super) fn find(evidence: &Evidence, inputs: &Inputs<'_>) -> Vec<Contradiction> {
    RULES.iter().flat_map(|rule| rule(evidence, inputs)).collect()
}

/// The first unauthorized delta, if there is one: its index, and the call it is attributed to.
fn first_damage(evidence: &Evidence) -> Option<(usize, Option<usize>)> {
    let (index, judged) = evidence.deltas.iter().enumerate().find(|(_, judged)| judged.is_damage())?;
    Some((index, judged.attribution.call))
}
