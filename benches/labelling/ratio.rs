//! Two things compared in one sitting: rounds taken in turn.

use std::time::Instant;

use crate::clock::Sample;

/// The wall time of some work, in milliseconds.
pub fn wall_ms(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1000.0
}

/// How many times the other, round by round.
pub fn times(ours: &[f64], theirs: &[f64]) -> Sample {
    Sample::new(ours.iter().zip(theirs).map(|(ours, theirs)| ours / theirs).collect())
}
