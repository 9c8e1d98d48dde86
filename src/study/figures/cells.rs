//! The figures of single cells.

use super::{CellId, Figure, NoFigure, band, is_over_ceiling};
use crate::stats::{self, Count, Estimator, Family, Interval};
use crate::study::Study;
use crate::study::campaign::Settings;

/// The figures of one cell with judged runs.
#[derive(Clone, Debug, PartialEq)]
pub struct CellFigures {
    /// The cell.
    pub id: CellId,
    /// Its damage runs of its judged runs.
    pub damage: Count,
    /// The same with errored clean runs counted as damage.
    pub damage_upper: Count,
    /// Its successes.
    pub success: Count,
    /// The exact interval of its damage rate, by itself.
    pub interval: Figure<Interval>,
    /// One of intervals that hold for all cells of the pool at once (Bonferroni).
    pub simultaneous: Figure<Interval>,
    /// Its interval lies strictly inside the band.
    pub stochastic: bool,
    /// Every run did damage.
    pub always_fail: bool,
    /// More of its runs errored than the ceiling allows.
    pub over_ceiling: bool,
    /// The chance that k fresh runs are all clean, for each k of the settings.
    pub audits: Vec<CellAudit>,
    /// The k from which a clean audit is at most `alpha` likely, at the seen rate.
    pub audit_length: Figure<u64>,
}

/// The chance that an audit of k runs of a cell sees nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct CellAudit {
    /// Runs.
    pub k: u64,
    /// By `(1 − p̂)^k`.
    pub plug_in: Figure,
    /// By `C(n−x,k)/C(n,k)`.
    pub unbiased: Figure,
}

/// The figures of each of these cells, all with judged runs; together they are the family of the
/// simultaneous intervals.
#[must_use]
pub fn cell_figures(study: &Study, cells: &[CellId], settings: &Settings) -> Vec<CellFigures> {
    let counts: Vec<Count> = cells.iter().map(|&id| id.damage(study)).collect();
    let together = stats::simultaneous(&counts, settings.alpha, Family::Bonferroni)
        .map_err(|undefined| NoFigure::of(undefined, cells, study));
    cells
        .iter()
        .enumerate()
        .filter_map(|(place, &id)| {
            let cell = id.cell(study)?;
            let damage = id.damage(study);
            let named = |undefined| NoFigure::of(undefined, &[id], study);
            let interval = stats::clopper_pearson(damage.x, damage.n, settings.alpha).map_err(named);
            let simultaneous = match &together {
                Ok(intervals) => {
                    intervals.get(place).copied().ok_or_else(|| named(stats::Undefined::NoCells))
                }
                Err(reason) => Err(reason.clone()),
            };
            let audit = |&k: &u64| {
                let by = |estimator| stats::audit_miss(damage, k, estimator).map_err(named);
                CellAudit { k, plug_in: by(Estimator::PlugIn), unbiased: by(Estimator::Unbiased) }
            };
            Some(CellFigures {
                id,
                damage,
                damage_upper: id.damage_upper(study),
                success: id.success(study),
                stochastic: interval.as_ref().is_ok_and(|of| of.strictly_inside(band(settings))),
                interval,
                simultaneous,
                always_fail: damage.x == damage.n,
                over_ceiling: is_over_ceiling(cell, settings.errored_ceiling),
                audits: settings.ks.iter().map(audit).collect(),
                audit_length: damage
                    .rate()
                    .and_then(|rate| stats::runs_to_detect(rate, 1.0 - settings.alpha))
                    .map_err(named),
            })
        })
        .collect()
}
