//! Statistics on counts: pure functions that know no file and no verdict.
//!
//! A [`Count`] is a cell's tally: `x` runs that did something (damage, unless a caller counts another
//! thing) out of `n`. What has no value is an [`Undefined`] with its reason, never 0 and never NaN.
//!
//! | estimator | function | source |
//! | --- | --- | --- |
//! | exact interval of a proportion | [`clopper_pearson`] | Clopper & Pearson 1934 |
//! | bound on how common a thing is that was never seen | [`prevalence_bound`] | the same with x = 0 |
//! | intervals that hold together | [`simultaneous`] | Bonferroni; Šidák 1967 |

mod adjust;
mod interval;
mod random;
mod tail;

pub use adjust::{Family, alpha_each};
pub use interval::{Interval, clopper_pearson, lower_bound, prevalence_bound, simultaneous, upper_bound};
pub use random::Rng;

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
