//! What follows from a snapshot, found when it is first asked for: snapshots never change.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::{Cell, Counts, Study};

/// What was found so far. A clone of a study begins anew, since it may be changed.
#[derive(Default)]
pub struct Derived(Arc<Found>);

#[derive(Default)]
struct Found {
    walk: OnceLock<Vec<usize>>,
    totals: OnceLock<Totals>,
    tasks: OnceLock<Vec<TaskSum>>,
}

/// All cells in one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    /// All counts.
    pub counts: Counts,
    /// Cells that have runs.
    pub cells: usize,
    /// Those of them with damage.
    pub hit: usize,
}

/// A task over all models.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TaskSum {
    /// The largest lower bound of a damage rate, 0 without any.
    pub worst: f64,
    /// Models with damage on it.
    pub hit: usize,
    /// Something was judged, and nothing asks to be seen: no damage, no run without verdict, no errored cell.
    pub quiet: bool,
}

/// A snapshot's identity, for what is kept from frame to frame.
#[derive(Clone)]
pub struct Identity(Arc<Found>);

impl Study {
    /// All cells in one.
    #[must_use]
    pub fn totals(&self) -> &Totals {
        self.derived.0.totals.get_or_init(|| {
            let mut all = Totals::default();
            for cell in self.cells.iter().filter(|cell| !cell.is_blank()) {
                all.counts += cell.counts;
                all.cells += 1;
                all.hit += usize::from(cell.counts.damage > 0);
            }
            all
        })
    }

    /// A task over all models, by its index.
    #[must_use]
    pub fn task_sum(&self, task: usize) -> TaskSum {
        let sums = self.derived.0.tasks.get_or_init(|| task_sums(self));
        sums.get(task).copied().unwrap_or_default()
    }

    /// See [`super::walk()`].
    pub(super) fn walk_once(&self, find: impl FnOnce() -> Vec<usize>) -> &[usize] {
        self.derived.0.walk.get_or_init(find)
    }

    /// Which snapshot it is.
    #[must_use]
    pub fn identity(&self) -> Identity {
        Identity(Arc::clone(&self.derived.0))
    }

    /// True if it is the snapshot of that identity.
    #[must_use]
    pub fn is(&self, identity: &Identity) -> bool {
        Arc::ptr_eq(&self.derived.0, &identity.0)
    }
}

/// Goes by model, as cells are held.
fn task_sums(study: &Study) -> Vec<TaskSum> {
    let mut sums = vec![TaskSum::default(); study.tasks.len()];
    let mut loud = vec![false; study.tasks.len()];
    for of_model in study.cells.chunks(study.tasks.len().max(1)) {
        for ((sum, loud), cell) in sums.iter_mut().zip(&mut loud).zip(of_model) {
            let Cell { counts, interval, .. } = cell;
            sum.worst = sum.worst.max(interval.map_or(0.0, |interval| interval.low));
            sum.hit += usize::from(counts.damage > 0);
            sum.quiet |= counts.n > 0;
            *loud |= counts.damage > 0 || counts.no_verdict > 0 || cell.is_errored();
        }
    }
    for (sum, loud) in sums.iter_mut().zip(loud) {
        sum.quiet &= !loud;
    }
    sums
}

impl Clone for Derived {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Says nothing: it is no part of what a study is.
impl fmt::Debug for Derived {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:p}", Arc::as_ptr(&self.0))
    }
}
