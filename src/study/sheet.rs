//! Every figure of a complete study at once, for screens: computed off the UI thread, handed over whole.

use std::cmp::Ordering;
use std::sync::Arc;

use super::audit::AuditMiss;
use super::campaign::{FrozenState, Settings};
use super::figures::{
    self, Bootstrap, CellFigures, CellId, Ledger, PoolFigures, Powers, Resample, Unit, bootstrap, cells_of,
    powers_of,
};
use super::readings::{CriterionReading, readings};
use super::{Role, Study};
use crate::stats::runs_to_detect;

/// A clean audit this likely or less is taken to say something.
pub const CLEAN_AUDIT: f64 = 0.05;

/// Curves go no further than this many runs.
const MOST_RUNS: u64 = 40;

/// The figures of a study.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Levels and limits they were computed with.
    pub settings: Settings,
    /// The pools, in the campaign's order; without a campaign file one, `all`.
    pub pools: Vec<PoolSheet>,
    /// The runs of all pools together.
    pub total: Ledger,
    /// The runs of models in no pool: in no figure.
    pub outside: Ledger,
    /// Curves of audits run from `k = 1` to this.
    pub audit_runs: u64,
    /// Criteria, read.
    pub readings: Vec<CriterionReading>,
    /// What is on record of their being frozen.
    pub frozen: FrozenState,
}

/// The figures of one pool.
#[derive(Clone, Debug)]
pub struct PoolSheet {
    /// Its figures, those of its models, and those of its cells by lower bound, largest first.
    pub of: PoolFigures,
    /// pass^k, safe^k and safe^k upper for each k from 1 to the largest of the settings.
    pub curve: Vec<Powers>,
    /// Its demonstrably stochastic cells in the same order: how a clean audit becomes unlikely.
    pub decays: Vec<Decay>,
    /// Bootstrap intervals of the pooled figures; nothing while they are computed, or where the settings
    /// ask for no resamples.
    pub bootstrap: Option<Bootstrap>,
}

/// How likely audits of k runs of a cell are to be clean.
#[derive(Clone, Debug, PartialEq)]
pub struct Decay {
    /// The cell.
    pub cell: CellFigures,
    /// For each k from 1 to [`Sheet::audit_runs`].
    pub clean: Vec<AuditMiss>,
    /// The k from which a clean audit is at most [`CLEAN_AUDIT`] likely, at the seen rate.
    pub until: u64,
    /// The same at the ends of the interval: the least and the most it may be.
    pub until_range: (u64, u64),
}

impl Sheet {
    /// Computes all figures of a complete study and hands them over: first what takes no time, then again
    /// with each pool's bootstrap intervals. Takes seconds: call it off the UI thread.
    pub fn compute(study: &Study, update: &mut dyn FnMut(Arc<Self>)) {
        let mut sheet = Self::of(study);
        update(Arc::new(sheet.clone()));
        let plan =
            Resample { unit: Unit::Task, resamples: sheet.settings.bootstrap, seed: sheet.settings.seed };
        if plan.resamples == 0 {
            return;
        }
        let Self { pools, settings, .. } = &mut sheet;
        for pool in pools {
            pool.bootstrap = Some(bootstrap(study, &pool.of.pooled, settings, plan));
        }
        update(Arc::new(sheet));
    }

    /// All but the bootstrap intervals.
    #[must_use]
    pub fn of(study: &Study) -> Self {
        let settings = study.campaign.as_ref().map(|of| of.settings.clone()).unwrap_or_default();
        let pools: Vec<PoolSheet> = figures::figures(study, &settings)
            .into_iter()
            .map(|of| PoolSheet::of(study, of, &settings))
            .collect();
        let pooled: Vec<usize> = figures::pools(study).into_iter().flat_map(|(_, _, of)| of).collect();
        let rest: Vec<usize> = (0..study.models.len()).filter(|model| !pooled.contains(model)).collect();
        let mut sheet = Self {
            total: Ledger::of(study, &cells_of(study, &pooled)),
            outside: Ledger::of(study, &cells_of(study, &rest)),
            audit_runs: 1,
            readings: readings(study),
            frozen: study.frozen(),
            pools,
            settings,
        };
        sheet.extend_decays();
        sheet
    }

    /// A judged cell of any pool.
    #[must_use]
    pub fn cell(&self, id: CellId) -> Option<&CellFigures> {
        self.pools.iter().flat_map(|pool| &pool.of.cells).find(|cell| cell.id == id)
    }

    /// Takes every decay as far as the slowest needs, so that all share one axis.
    fn extend_decays(&mut self) {
        let decays = || self.pools.iter().flat_map(|pool| &pool.decays);
        let longest = decays().map(|decay| decay.until).max().unwrap_or(1);
        let runs = longest.max(self.settings.ks.iter().copied().max().unwrap_or(1)).min(MOST_RUNS);
        self.audit_runs = runs;
        for decay in self.pools.iter_mut().flat_map(|pool| &mut pool.decays) {
            let Ok(interval) = decay.cell.interval else { continue };
            let damage = decay.cell.damage;
            decay.clean = (1..=runs).filter_map(|k| AuditMiss::of(damage, interval, k)).collect();
        }
    }
}

impl PoolSheet {
    fn of(study: &Study, mut of: PoolFigures, settings: &Settings) -> Self {
        let most = settings.ks.iter().copied().max().unwrap_or(1).clamp(1, MOST_RUNS);
        of.cells.sort_by(|a, b| bounds(b).partial_cmp(&bounds(a)).unwrap_or(Ordering::Equal));
        let decays = of.cells.iter().filter(|cell| cell.stochastic).filter_map(Decay::of).collect();
        Self {
            curve: (1..=most).map(|k| powers_of(study, &of.pooled.cells, k)).collect(),
            decays,
            bootstrap: None,
            of,
        }
    }

    /// Its damage-producing cells, by lower bound, largest first.
    pub fn producing(&self) -> impl Iterator<Item = &CellFigures> {
        self.of.cells.iter().filter(|cell| cell.damage.x > 0)
    }

    /// Its figures may be looked at, but are never used for a claim.
    #[must_use]
    pub fn is_exploratory(&self) -> bool {
        self.of.role == Some(Role::Exploratory)
    }
}

/// A cell's bounds, to sort by.
fn bounds(cell: &CellFigures) -> (f64, f64) {
    cell.interval.as_ref().map_or((0.0, 0.0), |interval| (interval.low, interval.high))
}

impl Decay {
    fn of(cell: &CellFigures) -> Option<Self> {
        let interval = cell.interval.as_ref().ok()?;
        let until = |rate| runs_to_detect(rate, 1.0 - CLEAN_AUDIT).ok();
        let seen = until(cell.damage.rate().ok()?)?;
        let range = (until(interval.high)?, until(interval.low)?);
        Some(Self { cell: cell.clone(), clean: Vec::new(), until: seen, until_range: range })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Count, clopper_pearson};

    #[test]
    fn a_decay_ends_where_a_clean_audit_is_unlikely() {
        let cell = CellFigures {
            id: CellId { model: 0, task: 0 },
            damage: Count::new(12, 16),
            damage_upper: Count::new(12, 16),
            success: Count::new(0, 16),
            interval: Ok(clopper_pearson(12, 16, 0.05).expect("a tally")),
            simultaneous: Ok(clopper_pearson(12, 16, 0.05).expect("a tally")),
            stochastic: true,
            always_fail: false,
            over_ceiling: false,
            audits: vec![],
            audit_length: Ok(3),
        };
        let decay = Decay::of(&cell).expect("damage");
        // .25² = .0625, .25³ = .0156; at the ends of the interval 1 − .927 and 1 − .476.
        assert_eq!((decay.until, decay.until_range), (3, (2, 5)));
    }

    #[test]
    fn nothing_at_all_has_no_figures_and_does_no_harm() {
        let mut sheets = Vec::new();
        Sheet::compute(&Study::default(), &mut |sheet| sheets.push(sheet));
        let sheet = sheets.pop().expect("is handed over");
        assert_eq!(sheets.len(), 1);
        assert!(sheet.pools.iter().all(|pool| pool.decays.is_empty() && pool.bootstrap.is_some()));
        assert!(sheet.total.reconciles() && sheet.outside.reconciles());
        assert_eq!(sheet.total.counts.n, 0);
    }
}
