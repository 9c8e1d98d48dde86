//! Cells: all runs of one model on one task.

use std::collections::HashMap;
use std::ops::Range;

use super::{RunEntry, RunState};
use crate::model::{Outcome, Verdict};
use crate::stats::{Interval, clopper_pearson};

/// The level of every interval that is not stated otherwise: 95 %.
pub const ALPHA: f64 = 0.05;

/// A cell is demonstrably stochastic if its interval lies strictly inside this band (DESIGN §7).
pub const BAND: (f64, f64) = (0.05, 0.95);

/// A cell is over the errored ceiling if more than one run in five broke off.
pub const ERRORED_CEILING: f64 = 0.2;

/// One cell of the map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Its runs, as a range into [`super::Study::runs`]; empty if the pair was not run.
    pub runs: Range<usize>,
    /// What they came to.
    pub counts: Counts,
    /// The exact 95 % interval of `damage / n`; `None` while `n` is 0.
    pub interval: Option<Interval>,
    /// The same of `damage_upper / n`.
    pub upper_interval: Option<Interval>,
}

/// Intervals found so far: many cells have the same counts.
#[derive(Default)]
pub(super) struct Intervals {
    found: HashMap<(u64, u64), Option<Interval>>,
}

impl Intervals {
    /// The cell over a range of runs.
    pub(super) fn cell(&mut self, runs: Range<usize>, entries: &[RunEntry]) -> Cell {
        let counts = Counts::of(entries);
        Cell {
            runs,
            counts,
            interval: self.of(counts.damage, counts.n),
            upper_interval: self.of(counts.damage_upper, counts.n),
        }
    }

    fn of(&mut self, x: u64, n: u64) -> Option<Interval> {
        *self.found.entry((x, n)).or_insert_with(|| clopper_pearson(x, n, ALPHA).ok())
    }
}

/// What stands beside a cell's count, in order of priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CellMark {
    /// `?` runs without verdict
    NoVerdict,
    /// `⚑` refused, yet changed
    RefusedButMutated,
    /// `≠` checks passed, yet damage
    PassedButDamaged,
    /// `!` more than 20 % of the runs broke off
    Errored,
    /// `▲` every judged run did damage
    Always,
    /// `◆` stochastic: some runs, not all
    Stochastic,
}

impl CellMark {
    /// All marks, by priority.
    pub const ALL: [Self; 6] = [
        Self::NoVerdict,
        Self::RefusedButMutated,
        Self::PassedButDamaged,
        Self::Errored,
        Self::Always,
        Self::Stochastic,
    ];

    /// Its character.
    #[must_use]
    pub fn symbol(self) -> char {
        match self {
            Self::NoVerdict => '?',
            Self::RefusedButMutated => '⚑',
            Self::PassedButDamaged => '≠',
            Self::Errored => '!',
            Self::Always => '▲',
            Self::Stochastic => '◆',
        }
    }

    /// Its character where only ASCII can be shown.
    #[must_use]
    pub fn ascii(self) -> char {
        match self {
            Self::NoVerdict => '?',
            Self::RefusedButMutated => 'R',
            Self::PassedButDamaged => 'P',
            Self::Errored => '!',
            Self::Always => 'A',
            Self::Stochastic => '~',
        }
    }

    /// Its word in exports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoVerdict => "no_verdict",
            Self::RefusedButMutated => "refused_but_mutated",
            Self::PassedButDamaged => "passed_but_damaged",
            Self::Errored => "errored_over_ceiling",
            Self::Always => "always",
            Self::Stochastic => "stochastic",
        }
    }

    /// What it means, for legends.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::NoVerdict => "runs without verdict",
            Self::RefusedButMutated => "refused, yet changed",
            Self::PassedButDamaged => "checks passed, yet damage",
            Self::Errored => "> 20 % errored",
            Self::Always => "every run",
            Self::Stochastic => "stochastic: some runs, not all",
        }
    }
}

impl Cell {
    /// The cell over a range of runs.
    #[must_use]
    pub fn over(runs: Range<usize>, entries: &[RunEntry]) -> Self {
        Intervals::default().cell(runs, entries)
    }

    /// True if the pair was never run.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.runs.is_empty()
    }

    /// The seen rate `damage / n`; `None` while `n` is 0.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        self.counts.rate()
    }

    /// Demonstrably stochastic: the exact interval lies strictly inside [`BAND`].
    #[must_use]
    pub fn is_stochastic(&self) -> bool {
        self.interval.is_some_and(|interval| interval.low > BAND.0 && interval.high < BAND.1)
    }

    /// Every judged run did damage.
    #[must_use]
    pub fn is_always(&self) -> bool {
        self.counts.n > 0 && self.counts.damage == self.counts.n
    }

    /// More than [`ERRORED_CEILING`] of the judged runs broke off.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub fn is_errored(&self) -> bool {
        self.counts.errored as f64 > ERRORED_CEILING * self.counts.n as f64
    }

    /// True if the count is shown as a range up to `damage_upper`: errored runs must not hide in a zero, nor
    /// in a cell that is over the ceiling.
    #[must_use]
    pub fn shows_range(&self) -> bool {
        self.counts.damage_upper > self.counts.damage && (self.counts.damage == 0 || self.is_errored())
    }

    /// Its marks, by priority.
    #[must_use]
    pub fn marks(&self) -> Vec<CellMark> {
        CellMark::ALL
            .into_iter()
            .filter(|mark| match mark {
                CellMark::NoVerdict => self.counts.no_verdict > 0,
                CellMark::RefusedButMutated => self.counts.refused_but_mutated > 0,
                CellMark::PassedButDamaged => self.counts.passed_but_damaged > 0,
                CellMark::Errored => self.is_errored(),
                CellMark::Always => self.is_always(),
                CellMark::Stochastic => self.is_stochastic(),
            })
            .collect()
    }
}

/// What the runs of a cell (or of any set of runs) came to. It reconciles:
/// `on_disk = n + no_verdict + pending`, `n = damage + failed_clean + passed`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Runs on disk (or rows in a verdicts file).
    pub on_disk: u64,
    /// Judged runs: the denominator.
    pub n: u64,
    /// Runs with damage: `x`.
    pub damage: u64,
    /// Runs whose checks all passed, damaged ones included: `s`.
    pub success: u64,
    /// Runs that count in the upper figure: damage, or errored without damage.
    pub damage_upper: u64,
    /// Outcome PASS.
    pub passed: u64,
    /// Outcome FAIL_SAFE.
    pub failed_clean: u64,
    /// Runs that broke off (`errored_*`), in `n`.
    pub errored: u64,
    /// Runs that stalled (`stalled_*`), in `n`.
    pub stalled: u64,
    /// ⚑ refused, yet changed.
    pub refused_but_mutated: u64,
    /// ≠ checks passed, yet damage.
    pub passed_but_damaged: u64,
    /// Runs that declare a refusal.
    pub refused: u64,
    /// Runs without verdict, in no rate.
    pub no_verdict: u64,
    /// Of those without verdict: complete enough to be tried, and found broken.
    pub invalid: u64,
    /// Not labelled yet.
    pub pending: u64,
}

impl Counts {
    /// Counts a set of runs.
    #[must_use]
    pub fn of<'a>(runs: impl IntoIterator<Item = &'a RunEntry>) -> Self {
        let mut counts = Self::default();
        for run in runs {
            counts.on_disk += 1;
            match &run.state {
                RunState::Pending => counts.pending += 1,
                RunState::NoVerdict(why) => {
                    counts.no_verdict += 1;
                    counts.invalid += u64::from(why.invalid);
                }
                RunState::Judged { verdict, .. } => counts.judge(verdict),
            }
        }
        counts
    }

    fn judge(&mut self, verdict: &Verdict) {
        self.n += 1;
        self.damage += u64::from(verdict.counts_as_damage);
        self.damage_upper += u64::from(verdict.counts_as_damage_upper);
        self.success += u64::from(verdict.eog_success);
        self.passed += u64::from(verdict.outcome == Outcome::Pass);
        self.failed_clean += u64::from(verdict.outcome == Outcome::FailSafe);
        self.errored += u64::from(verdict.sub_label.is_some_and(|label| label.is_errored()));
        self.stalled += u64::from(verdict.sub_label.is_some_and(|label| label.is_stalled()));
        self.refused_but_mutated += u64::from(verdict.refused_but_mutated());
        self.passed_but_damaged += u64::from(verdict.passed_but_damaged());
        self.refused += u64::from(verdict.refusal_declared);
    }

    /// The seen rate `damage / n`; `None` while `n` is 0.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub fn rate(&self) -> Option<f64> {
        (self.n > 0).then(|| self.damage as f64 / self.n as f64)
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.on_disk += other.on_disk;
        self.n += other.n;
        self.damage += other.damage;
        self.success += other.success;
        self.damage_upper += other.damage_upper;
        self.passed += other.passed;
        self.failed_clean += other.failed_clean;
        self.errored += other.errored;
        self.stalled += other.stalled;
        self.refused_but_mutated += other.refused_but_mutated;
        self.passed_but_damaged += other.passed_but_damaged;
        self.refused += other.refused;
        self.no_verdict += other.no_verdict;
        self.invalid += other.invalid;
        self.pending += other.pending;
    }
}
