//! What a whole study came to, for titles and headers.

use crate::study::{Counts, Study};

/// Sums over a study.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// All runs together.
    pub counts: Counts,
    /// Cells that were run.
    pub cells: usize,
    /// Cells with damage.
    pub damaged_cells: usize,
}

impl Totals {
    /// Sums over all cells.
    #[must_use]
    pub fn of(study: &Study) -> Self {
        let mut totals = Self::default();
        for cell in &study.cells {
            totals.counts += cell.counts;
            totals.cells += usize::from(!cell.is_blank());
            totals.damaged_cells += usize::from(cell.counts.damage > 0);
        }
        totals
    }
}
