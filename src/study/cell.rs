//! Cells: all runs of one model on one task.

use std::ops::Range;

/// One cell of the map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Its runs, as a range into [`super::Study::runs`]; empty if the pair was not run.
    pub runs: Range<usize>,
    /// What they came to.
    pub counts: Counts,
}

/// What the runs of a cell (or of any set of runs) came to. `on_disk` reconciles:
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
    /// Runs without verdict, in no rate; `invalid` of them were found broken.
    pub no_verdict: u64,
    /// Of those without verdict: readable enough to be tried, and found broken.
    pub invalid: u64,
    /// Not labelled yet.
    pub pending: u64,
}
