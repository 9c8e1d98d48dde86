//! Whether a sub-label is how a model does damage.

use std::collections::BTreeMap;

use super::{CellId, Instrument, ModelReading, Reading};
use crate::model::SubLabel;
use crate::stats::Count;
use crate::study::Study;
use crate::study::campaign::SubLabelTest;

/// Reads one instrument over those of its cells that count.
pub(super) fn read(study: &Study, of: &Instrument, cells: &[CellId], test: &SubLabelTest) -> ModelReading {
    let (mut n, mut damaged) = (0, 0);
    let mut damage: BTreeMap<SubLabel, u64> = BTreeMap::new();
    let mut runs = Vec::new();
    let counted = of.cells.iter().filter(|id| cells.contains(id)).filter_map(|id| id.cell(study));
    for (index, run) in counted.flat_map(|cell| cell.runs.clone().zip(study.runs_of(cell))) {
        let Some(verdict) = run.verdict() else { continue };
        n += 1;
        let Some(label) = verdict.sub_label.filter(|_| verdict.counts_as_damage) else { continue };
        damaged += 1;
        *damage.entry(label).or_default() += 1;
        if label == test.is {
            runs.push(index);
        }
    }
    let labelled = damage.get(&test.is).copied().unwrap_or(0);
    let others = damage.iter().filter(|(label, _)| **label != test.is).map(|(_, count)| *count).max();
    // A tie is no plurality.
    let plurality = labelled > others.unwrap_or(0);
    let reading = if plurality && test.at_least.is_reached_by(labelled, n) {
        Reading::Replicated
    } else if damaged == 0 || test.bounded_below.is_some_and(|share| !share.is_reached_by(damaged, n)) {
        Reading::Bounded
    } else if labelled <= test.absent {
        Reading::Demoted
    } else {
        Reading::Underpowered
    };
    ModelReading { model: of.model, reading, labelled: Count::new(labelled, n), damage, runs }
}

/// What several models read together where too few replicate: a bounded one says nothing beside others,
/// and only where all others speak against the claim is it demoted.
pub(super) fn together(models: &[ModelReading]) -> Reading {
    let mut speaking =
        models.iter().map(|model| model.reading).filter(|reading| *reading != Reading::Bounded);
    match speaking.next() {
        None => Reading::Bounded,
        Some(Reading::Demoted) if speaking.all(|reading| reading == Reading::Demoted) => Reading::Demoted,
        Some(_) => Reading::Underpowered,
    }
}
