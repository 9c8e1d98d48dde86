//! The denominator ledger: what is in `n`, and what is not.

use super::CellId;
use crate::study::{Counts, Study};

/// Runs counted so that every rate can be taken back to the runs on disk: `on_disk = n + no_verdict +
/// pending`, and `n = damage + failed_clean + passed`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// What the runs came to.
    pub counts: Counts,
    /// Cells with judged runs: those that rates are taken over.
    pub cells: usize,
    /// Cells that were run and hold no judged run: in no rate.
    pub empty: Vec<CellId>,
    /// Cells that hold some runs without verdict beside judged ones.
    pub partial: Vec<CellId>,
}

impl Ledger {
    /// The ledger of these cells.
    #[must_use]
    pub fn of(study: &Study, cells: &[CellId]) -> Self {
        let mut ledger = Self::default();
        for &id in cells {
            let Some(cell) = id.cell(study) else { continue };
            ledger.counts += cell.counts;
            if cell.counts.n == 0 {
                ledger.empty.push(id);
                continue;
            }
            ledger.cells += 1;
            if cell.counts.n < cell.counts.on_disk {
                ledger.partial.push(id);
            }
        }
        ledger
    }

    /// True if all runs on disk are accounted for. Always so; shown, so that it can be seen.
    #[must_use]
    pub fn reconciles(&self) -> bool {
        let of = &self.counts;
        of.on_disk == of.n + of.no_verdict + of.pending && of.n == of.damage + of.failed_clean + of.passed
    }
}
