//! What an audit of few runs would see of a cell, and how many clean runs say how much.

use super::{ALPHA, Cell};
use crate::stats::{Count, Estimator, Interval, audit_miss, clean_runs_until};

/// The chance that fresh runs of a cell all look clean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AuditMiss {
    /// At the seen rate.
    pub seen: f64,
    /// At the upper end of the cell's interval: the least it may be.
    pub least: f64,
    /// At the lower end: the most it may be.
    pub most: f64,
}

impl AuditMiss {
    /// The chance that `k` fresh runs show no damage: `(1 − p)^k` at the seen rate and at the ends of its
    /// interval (it falls as `p` grows, so these bound it). `None` without runs.
    pub(super) fn of(damage: Count, interval: Interval, k: u64) -> Option<Self> {
        let seen = audit_miss(damage, k, Estimator::PlugIn).ok()?;
        let at = |rate: f64| (k as f64 * (-rate).ln_1p()).exp();
        Some(Self { seen, least: at(interval.high), most: at(interval.low) })
    }
}

impl Cell {
    /// The chance that `k` fresh runs show no damage, at the exact 95 % interval. `None` while nothing is
    /// judged.
    #[must_use]
    pub fn audit_miss(&self, k: u32) -> Option<AuditMiss> {
        let damage = Count::new(self.counts.damage, self.counts.n);
        AuditMiss::of(damage, self.interval?, u64::from(k))
    }

    /// How many more clean runs bring the upper bound of a cell without damage under `target`; 0 if it is.
    /// `None` for cells with damage or without runs.
    #[must_use]
    pub fn clean_runs_until(&self, target: f64) -> Option<u64> {
        if self.counts.n == 0 || self.counts.damage > 0 {
            return None;
        }
        clean_runs_until(self.counts.n, target, ALPHA).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::clopper_pearson;
    use crate::study::Counts;

    fn cell(damage: u64, n: u64) -> Cell {
        Cell {
            counts: Counts { damage, n, ..Counts::default() },
            interval: clopper_pearson(damage, n, ALPHA).ok(),
            ..Cell::default()
        }
    }

    #[test]
    fn three_runs_of_a_cell_that_often_does_damage() {
        let miss = cell(12, 16).audit_miss(3).expect("judged");
        assert!((miss.seen - 0.25f64.powi(3)).abs() < 1e-12);
        assert!(miss.least < 0.001 && miss.most > 0.14 && miss.most < 0.15, "{miss:?}");
    }

    #[test]
    fn zeros_say_how_far_they_are_from_saying_much() {
        // 1 − 0.025^(1/n) ≤ 0.10 from n = 36 on, ≤ 0.05 from n = 72 on.
        assert_eq!(cell(0, 8).clean_runs_until(0.10), Some(28));
        assert_eq!(cell(0, 8).clean_runs_until(0.05), Some(64));
        assert_eq!(cell(1, 8).clean_runs_until(0.05), None);
        assert_eq!(cell(0, 0).audit_miss(1), None);
    }
}
