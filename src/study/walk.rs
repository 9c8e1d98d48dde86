//! The contradiction walk: the order in which a person is shown runs whose records disagree.

use crate::damage::NamesRow;

use super::{Cell, RunEntry, Study};

/// Indices into [`Study::runs`] of every run with a contradiction, the most telling first.
///
/// Refused-yet-changed runs come before those that only passed their checks. Among the former, first those
/// whose refusal names the row that was changed, before another row or none; and of these those whose
/// final message does not admit the edit. Ties stay in the study's order, so the walk never jumps.
#[must_use]
pub fn walk(study: &Study) -> &[usize] {
    study.walk_once(|| {
        let mut order: Vec<usize> = study.cells.iter().flat_map(|cell| contradicting(study, cell)).collect();
        order.sort_by_cached_key(|index| study.runs.get(*index).map(rank));
        order
    })
}

/// The run of a cell that comes first in the walk.
#[must_use]
pub fn most_telling(study: &Study, cell: &Cell) -> Option<usize> {
    contradicting(study, cell).min_by_key(|index| study.runs.get(*index).map(rank))
}

/// The runs of a cell with a contradiction. Cells say whether they have any, so few runs are looked at.
fn contradicting<'a>(study: &'a Study, cell: &'a Cell) -> impl Iterator<Item = usize> + 'a {
    let any = cell.counts.refused_but_mutated + cell.counts.passed_but_damaged > 0;
    let runs = cell.runs.clone().zip(study.runs_of(cell)).filter(move |_| any);
    let found = runs.filter(|(_, run)| {
        run.verdict().is_some_and(|verdict| verdict.refused_but_mutated() || verdict.passed_but_damaged())
    });
    found.map(|(index, _)| index)
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::damage::{Digest, Facts};
    use crate::model::{Outcome, SubLabel, Verdict};
    use crate::study::{LabelSource, RunState};

    fn run(number: u32, refused: bool, passed: bool, facts: Option<(NamesRow, bool)>) -> RunEntry {
        let sub_label = if refused { SubLabel::RefusedButMutated } else { SubLabel::CompletedDamage };
        let verdict = Verdict {
            task_id: "berth".into(),
            run: format!("run_{number}").into(),
            outcome: Outcome::FailDamage,
            sub_label: Some(sub_label),
            eog_success: passed,
            severity: None,
            dollars: None,
            counts_as_damage: true,
            counts_as_damage_upper: true,
            refusal_declared: refused,
            inconsistency_flags: vec![],
            deltas: vec![],
        };
        let facts = facts.map(|(names, admits)| Facts {
            refusal_names: Some(names),
            admits: Some(admits),
            call_message: None,
            refusal_message: None,
        });
        let digest = Digest {
            strip: vec![],
            edits: vec![],
            allowed_edits: 0,
            checks: (0, 0),
            tokens: None,
            facts,
            final_message: None,
            contradictions: vec![],
        };
        let state = RunState::Judged {
            verdict: Arc::new(verdict),
            digest: Some(Arc::new(digest)),
            source: LabelSource::Recomputed,
        };
        RunEntry { model: 0, task: 0, batch: 0, number, name: format!("run_{number}").into(), state }
    }

    #[test]
    fn the_most_telling_run_comes_first_and_harmless_ones_not_at_all() {
        let runs = vec![
            run(1, true, false, Some((NamesRow::This, true))),
            run(2, false, false, None),
            run(3, false, true, None),
            run(4, true, false, Some((NamesRow::None, false))),
            run(5, true, false, Some((NamesRow::This, false))),
            run(6, true, false, Some((NamesRow::Another, false))),
            run(7, true, false, Some((NamesRow::This, false))),
        ];
        let cells = vec![Cell::over(0..runs.len(), &runs)];
        let study = Study { runs: runs.into(), cells, ..Study::default() };
        let order: Vec<u32> = walk(&study).iter().map(|index| study.runs[*index].number).collect();
        assert_eq!(order, [5, 7, 1, 6, 4, 3]);
    }
}
