//! A cell in one sentence, with its denominator.

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
