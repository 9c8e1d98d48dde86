//! The figures of a set of cells: one model's, or a pool's.

use std::collections::BTreeSet;

use super::{CellId, Figure, Ledger, NoFigure, band, is_over_ceiling};
use crate::stats::{self, BetaBinomial, Count, Estimator, MissRates, Undefined};
use crate::study::Study;
use crate::study::campaign::Settings;

/// All figures of a set of cells. Rates are taken over the cells with judged runs, `cells`.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// The study's models these cells are of.
    pub models: Vec<usize>,
    /// Cells with judged runs, by model then task.
    pub cells: Vec<CellId>,
    /// Those of them with damage: the pairs.
    pub producing: Vec<CellId>,
    /// Those of them over the errored ceiling.
    pub over_ceiling: Vec<CellId>,
    /// What is in the denominators and what is not.
    pub ledger: Ledger,
    /// pass^k, safe^k, safe^k upper, one for each k of the settings.
    pub powers: Vec<Powers>,
    /// Miss rates of an audit of one run.
    pub miss: Figure<MissRates>,
    /// The same without the cells over the errored ceiling.
    pub miss_below_ceiling: Figure<MissRates>,
    /// Miss rates of audits of k runs, by both estimators.
    pub audits: Vec<Audit>,
    /// Demonstrably stochastic cells.
    pub stochastic: Stochastic,
    /// The same without the cells over the errored ceiling.
    pub stochastic_below_ceiling: Stochastic,
    /// Cells in which every run did damage.
    pub always_fail: Vec<CellId>,
    /// One-sided bound on the share of always-fail cells among damage-producing ones, with none seen.
    pub always_fail_bound_producing: Figure,
    /// The same among all cells.
    pub always_fail_bound: Figure,
    /// The damage-mass share for each ε of the settings.
    pub mass: Vec<Mass>,
    /// The beta-binomial over all cells.
    pub beta_binomial: Figure<BetaBinomial>,
    /// The beta-binomial over damage-producing cells.
    pub beta_binomial_producing: Figure<BetaBinomial>,
    /// Agreement of runs in success.
    pub success_flips: Flips,
    /// Agreement of runs in damage.
    pub damage_flips: Flips,
}

/// What k fresh runs of each task would show: unweighted means over the cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Powers {
    /// Runs.
    pub k: u64,
    /// Mean pass^k.
    pub pass: Figure,
    /// Mean safe^k.
    pub safe: Figure,
    /// Mean safe^k with errored clean runs counted as damage.
    pub safe_upper: Figure,
}

/// The miss rates of an audit of k runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// Runs.
    pub k: u64,
    /// By `(1 − p̂)^k`.
    pub plug_in: Figure<MissRates>,
    /// By `C(n−x,k)/C(n,k)`.
    pub unbiased: Figure<MissRates>,
}

/// Demonstrably stochastic cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stochastic {
    /// The cells.
    pub cells: Vec<CellId>,
    /// On so many models.
    pub models: usize,
    /// Damage runs in them.
    pub events: u64,
    /// Damage runs in all cells.
    pub of_events: u64,
}

impl Stochastic {
    /// The share of all damage that sits in them.
    ///
    /// # Errors
    /// No damage at all.
    #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub fn damage_share(&self) -> Figure {
        if self.of_events == 0 {
            return Err(NoFigure { reason: Undefined::NoDamage.to_string(), cell: None });
        }
        Ok(self.events as f64 / self.of_events as f64)
    }
}

/// The damage-mass share at one ε.
#[derive(Clone, Debug, PartialEq)]
pub struct Mass {
    /// ε.
    pub epsilon: f64,
    /// The share of damage runs in cells with `ε < p̂ < 1 − ε`.
    pub share: Figure,
}

/// Whether runs of one cell agree.
#[derive(Clone, Debug, PartialEq)]
pub struct Flips {
    /// Mean chance that two runs of a cell disagree.
    pub flip_rate: Figure,
    /// ICC(1): the share of variance that lies between cells.
    pub icc: Figure,
}

/// The figures of these cells. Cells without judged runs stand in the ledger only.
#[must_use]
pub fn figures_of(study: &Study, all: &[CellId], settings: &Settings) -> Figures {
    let judged: Vec<CellId> =
        all.iter().copied().filter(|id| id.cell(study).is_some_and(|cell| cell.counts.n > 0)).collect();
    let producing: Vec<CellId> = judged.iter().copied().filter(|id| id.damage(study).x > 0).collect();
    let over_ceiling: Vec<CellId> = judged
        .iter()
        .copied()
        .filter(|id| id.cell(study).is_some_and(|cell| is_over_ceiling(cell, settings.errored_ceiling)))
        .collect();
    let below: Vec<CellId> = judged.iter().copied().filter(|id| !over_ceiling.contains(id)).collect();
    let over = Over { study, cells: &judged };
    let over_producing = Over { study, cells: &producing };
    let over_below = Over { study, cells: &below };
    let mut models: Vec<usize> = all.iter().map(|id| id.model).collect();
    models.dedup();
    Figures {
        models,
        ledger: Ledger::of(study, all),
        powers: settings.ks.iter().map(|&k| over.powers(k)).collect(),
        miss: over.damage(stats::miss_rates),
        miss_below_ceiling: over_below.damage(stats::miss_rates),
        audits: settings.ks.iter().map(|&k| over.audit(k)).collect(),
        stochastic: over.stochastic(settings),
        stochastic_below_ceiling: over_below.stochastic(settings),
        always_fail: over.always_fail(),
        always_fail_bound_producing: over_producing.bound(settings.alpha),
        always_fail_bound: over.bound(settings.alpha),
        mass: settings.epsilons.iter().map(|&epsilon| over.mass(epsilon)).collect(),
        beta_binomial: over.damage(stats::beta_binomial),
        beta_binomial_producing: over_producing.damage(stats::beta_binomial),
        success_flips: over.flips(CellId::success),
        damage_flips: over.flips(CellId::damage),
        cells: judged,
        producing,
        over_ceiling,
    }
}

/// What k fresh runs of each of these cells, all with judged runs, would show.
#[must_use]
pub fn powers_of(study: &Study, cells: &[CellId], k: u64) -> Powers {
    Over { study, cells }.powers(k)
}

/// Cells with judged runs, and the figures over them.
#[derive(Clone, Copy)]
pub(in crate::study) struct Over<'a> {
    pub(in crate::study) study: &'a Study,
    pub(in crate::study) cells: &'a [CellId],
}

impl Over<'_> {
    fn counts(&self, of: impl Fn(CellId, &Study) -> Count) -> Vec<Count> {
        self.cells.iter().map(|&id| of(id, self.study)).collect()
    }

    fn named<T>(&self, result: Result<T, Undefined>) -> Figure<T> {
        result.map_err(|undefined| NoFigure::of(undefined, self.cells, self.study))
    }

    fn damage<T>(&self, figure: impl Fn(&[Count]) -> Result<T, Undefined>) -> Figure<T> {
        self.named(figure(&self.counts(CellId::damage)))
    }

    pub(in crate::study) fn powers(&self, k: u64) -> Powers {
        Powers {
            k,
            pass: self.named(stats::mean_pass_hat_k(&self.counts(CellId::success), k)),
            safe: self.named(stats::mean_safe_hat_k(&self.counts(CellId::damage), k)),
            safe_upper: self.named(stats::mean_safe_hat_k(&self.counts(CellId::damage_upper), k)),
        }
    }

    pub(in crate::study) fn audit(&self, k: u64) -> Audit {
        let by = |estimator| self.damage(|cells| stats::miss_rates_at(cells, k, estimator));
        Audit { k, plug_in: by(Estimator::PlugIn), unbiased: by(Estimator::Unbiased) }
    }

    pub(in crate::study) fn stochastic(&self, settings: &Settings) -> Stochastic {
        let found =
            stats::demonstrably_stochastic(&self.counts(CellId::damage), settings.alpha, band(settings));
        // No cells, or settings that were refused when the file was read.
        let Ok(found) = found else { return Stochastic::default() };
        let cells: Vec<CellId> =
            found.cells.iter().filter_map(|&index| self.cells.get(index).copied()).collect();
        Stochastic {
            models: distinct_models(self.study, &cells),
            cells,
            events: found.events,
            of_events: found.of_events,
        }
    }

    pub(in crate::study) fn always_fail(&self) -> Vec<CellId> {
        let found = stats::always_fail(&self.counts(CellId::damage)).unwrap_or_default();
        found.into_iter().filter_map(|index| self.cells.get(index).copied()).collect()
    }

    /// Only what was never seen is bounded.
    fn bound(&self, alpha: f64) -> Figure {
        let seen = self.always_fail().len();
        if seen > 0 {
            return Err(NoFigure { reason: format!("{seen} always-fail cells were seen"), cell: None });
        }
        self.named(stats::prevalence_bound(self.cells.len() as u64, alpha))
    }

    fn mass(&self, epsilon: f64) -> Mass {
        let share = self.damage(|cells| stats::damage_mass_share(cells, &[epsilon]));
        Mass { epsilon, share: share.map(|shares| shares.first().copied().unwrap_or_default()) }
    }

    fn flips(&self, of: impl Fn(CellId, &Study) -> Count) -> Flips {
        let counts = self.counts(of);
        Flips { flip_rate: self.named(stats::mean_flip_rate(&counts)), icc: self.named(stats::icc(&counts)) }
    }
}

/// On how many models cells lie. Rows of one model, in several batches, are one model.
pub(in crate::study) fn distinct_models(study: &Study, cells: &[CellId]) -> usize {
    let names: BTreeSet<&str> =
        cells.iter().filter_map(|id| study.models.get(id.model)).map(|row| row.full_name.as_str()).collect();
    names.len()
}
