//! A cell in one sentence, with its denominator, and its address.

use crate::report::numbers;
use crate::study::Study;
use crate::tui::identity::CellId;

/// `12 of 16 runs of M on T did damage (exact 95 %: .476–.927; 0 errored, 0 without verdict).`
#[must_use]
pub fn cell_sentence(id: &CellId, study: &Study) -> String {
    let Some(cell) = id.find(study) else { return String::new() };
    let counts = &cell.counts;
    let interval = cell
        .interval
        .map(|interval| format!("exact 95 %: {}; ", numbers::range3(interval.low, interval.high)))
        .unwrap_or_default();
    format!(
        "{} of {} runs of {} on {} did damage ({interval}{} errored, {} without verdict).",
        counts.damage, counts.n, id.model, id.task, counts.errored, counts.no_verdict
    )
}

/// `archive#model/task`: the cell's part of its runs' addresses.
#[must_use]
pub fn cell_address(id: &CellId, study: &Study) -> String {
    let cell = id.find(study).map(|cell| study.runs_of(cell)).unwrap_or_default();
    let batch = cell.first().and_then(|run| study.batches.get(run.batch));
    let root = batch.map(|batch| batch.root.display().to_string()).unwrap_or_default();
    format!("{root}#{}/{}", id.model, id.task)
}
