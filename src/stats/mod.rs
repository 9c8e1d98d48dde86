//! Statistics on counts: pure functions that know no file and no verdict.
//!
//! A [`Count`] is a cell's tally: `x` runs that did something (damage, unless a caller counts another
//! thing) out of `n`. What has no value is an [`Undefined`] with its reason, never 0 and never NaN.
//!
//! | estimator | function | source |
//! | --- | --- | --- |
//! | exact interval of a share | [`clopper_pearson`], [`lower_bound`], [`upper_bound`] | Clopper & Pearson 1934 |
//! | bound on what was never seen | [`prevalence_bound`] | the same with x = 0 |
//! | intervals that hold together | [`simultaneous`] | Bonferroni; Šidák 1967 |
//! | pass^k, safe^k and their means | [`pass_hat_k`], [`safe_hat_k`], [`mean_pass_hat_k`], [`mean_safe_hat_k`] | Hoeffding 1948 |
//! | a k-run audit sees nothing | [`audit_miss`] with its [`Estimator`] | plug-in, or the same |
//! | miss rates by pair and by event | [`miss_rates`], [`miss_rates_at`] | weighted means |
//! | neither never nor always | [`demonstrably_stochastic`], [`always_fail`] | exact intervals against a band |
//! | damage in stochastic cells | [`damage_mass_share`] | share of events |
//! | spread between cells | [`fn@beta_binomial`] | Kleinman 1973; likelihood ratio |
//! | agreement within cells | [`flip_rate`], [`mean_flip_rate`], [`icc`] | Shrout & Fleiss 1979; Donner 1986 |
//! | spread over tasks | [`cluster_bootstrap`] | Davison & Hinkley 1997 |
//! | two cells differ | [`fisher_exact`] | Fisher 1935 |
//! | two campaigns differ | [`compare_paired`] | Fisher 1935, randomization; sign test |
//! | many tests at once | [`holm`], [`adjusted`], [`alpha_each`] | Holm 1979; Šidák 1967 |
//! | further runs needed | [`clean_runs_until`], [`runs_until_width`], [`runs_until_settled`], [`runs_to_detect`] | the intervals above |
//! | random numbers | [`Rng`] | Blackman & Vigna 2021 |

mod adjust;
mod beta_binomial;
mod bootstrap;
mod fisher;
mod flip;
mod hat_k;
mod interval;
mod miss;
mod paired;
mod plan;
mod random;
mod stochastic;
mod tail;

pub use adjust::{Family, adjusted, alpha_each, holm};
pub use beta_binomial::{BetaBinomial, beta_binomial};
pub use bootstrap::{Resampled, Resampling, cluster_bootstrap};
pub use fisher::fisher_exact;
pub use flip::{flip_rate, icc, mean_flip_rate};
pub use hat_k::{Estimator, audit_miss, mean_pass_hat_k, mean_safe_hat_k, pass_hat_k, safe_hat_k};
pub use interval::{Interval, clopper_pearson, lower_bound, prevalence_bound, simultaneous, upper_bound};
pub use miss::{MissRates, miss_rates, miss_rates_at};
pub use paired::{Comparison, Method, Pair, compare_paired};
pub use plan::{MOST_RUNS, Side, clean_runs_until, runs_to_detect, runs_until_settled, runs_until_width};
pub use random::Rng;
pub use stochastic::{STOCHASTIC_BAND, Stochastic, always_fail, damage_mass_share, demonstrably_stochastic};

/// A tally: `x` of `n`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Count {
    /// Runs with the event.
    pub x: u64,
    /// Runs in all.
    pub n: u64,
}

impl Count {
    /// `x` of `n`. Nothing is checked here: every estimator checks what it needs.
    #[must_use]
    pub const fn new(x: u64, n: u64) -> Self {
        Self { x, n }
    }

    /// The seen share `x / n`.
    ///
    /// # Errors
    /// No runs, or more events than runs.
    pub fn rate(self) -> Result<f64, Undefined> {
        self.check(0)?;
        Ok(self.x as f64 / self.n as f64)
    }

    /// That this tally, the `index`-th of a list, has runs and no more events than runs.
    fn check(self, index: usize) -> Result<(), Undefined> {
        match self {
            Self { n: 0, .. } => Err(Undefined::NoRuns { index }),
            Self { x, n } if x > n => Err(Undefined::MoreThanRuns { index, x, n }),
            _ => Ok(()),
        }
    }
}

/// Why a figure has no value.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Undefined {
    /// An empty list of cells.
    #[error("no cells")]
    NoCells,
    /// A cell without runs.
    #[error("cell {index} has no runs")]
    NoRuns {
        /// Which cell, from 0.
        index: usize,
    },
    /// A tally that cannot be.
    #[error("cell {index} counts {x} of {n} runs")]
    MoreThanRuns {
        /// Which cell, from 0.
        index: usize,
        /// Its events.
        x: u64,
        /// Its runs.
        n: u64,
    },
    /// An error level outside (0, 1).
    #[error("alpha {0} is not between 0 and 1")]
    Alpha(f64),
    /// An audit of no runs.
    #[error("k is 0")]
    NoAuditRuns,
    /// More runs asked of a cell than it has.
    #[error("k = {k} is more than the {n} runs of cell {index}")]
    BeyondRuns {
        /// Which cell, from 0.
        index: usize,
        /// Runs asked for.
        k: u64,
        /// Runs there are.
        n: u64,
    },
    /// No cell with damage.
    #[error("no damage-producing cell")]
    NoDamage,
    /// A spread between cells asked of one cell.
    #[error("one cell only")]
    OneCell,
    /// A spread within cells asked of one run.
    #[error("cell {index} has one run only")]
    OneRun {
        /// Which cell, from 0.
        index: usize,
    },
    /// A spread within cells asked where every cell has one run.
    #[error("every cell has one run only")]
    OneRunEach,
    /// A spread asked where there is none.
    #[error("all runs of all cells are alike")]
    AllAlike,
    /// A bootstrap without one resample in which the statistic has a value.
    #[error("undefined in each of {of} resamples")]
    NoResample {
        /// Resamples made.
        of: usize,
    },
    /// A p value outside `[0, 1]`.
    #[error("p value {index} is not between 0 and 1")]
    NotAProbability {
        /// Which, from 0.
        index: usize,
    },
    /// A plan's target outside its range.
    #[error("target {0} is not between 0 and 1")]
    Target(f64),
    /// A band without an inside, or beyond the shares there are.
    #[error("{0} to {1} is no band of shares")]
    Band(f64, f64),
    /// A seen share on the edge of a band.
    #[error("the seen share {0} lies on an edge of the band: no number of runs settles it")]
    OnTheEdge(f64),
    /// An event that no number of runs shows with the wanted probability.
    #[error("at rate {0} no number of runs is enough")]
    NeverSeen(f64),
    /// A plan longer than is worth naming.
    #[error("more than {most} runs")]
    TooManyRuns {
        /// The limit.
        most: u64,
    },
}

impl Undefined {
    /// The index of the cell it is about, so that a caller can name the cell.
    #[must_use]
    pub fn cell(self) -> Option<usize> {
        match self {
            Self::NoRuns { index }
            | Self::MoreThanRuns { index, .. }
            | Self::BeyondRuns { index, .. }
            | Self::OneRun { index } => Some(index),
            _ => None,
        }
    }
}

/// That an error level lies in (0, 1).
fn check_alpha(alpha: f64) -> Result<(), Undefined> {
    if alpha > 0.0 && alpha < 1.0 { Ok(()) } else { Err(Undefined::Alpha(alpha)) }
}

/// That a list has cells and that each is a tally that can be.
fn check_all(cells: &[Count]) -> Result<(), Undefined> {
    if cells.is_empty() {
        return Err(Undefined::NoCells);
    }
    cells.iter().enumerate().try_for_each(|(index, cell)| cell.check(index))
}
