//! Measuring: CPU time of the process, several times.

use std::fmt;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// CPU time of all threads so far.
pub fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The CPU time of some work, in milliseconds.
pub fn cpu_ms(work: impl FnOnce()) -> f64 {
    let start = cpu();
    work();
    (cpu() - start).as_secs_f64() * 1000.0
}

/// Several measurements of one thing.
#[derive(Clone, Debug)]
pub struct Sample(Vec<f64>);

impl Sample {
    pub fn new(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        Self(values)
    }

    /// The one in the middle.
    pub fn median(&self) -> f64 {
        self.0[self.0.len() / 2]
    }
}

/// `median (least–most)`
impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = (self.0[0], self.0[self.0.len() - 1]);
        write!(f, "{:.3} ({least:.3}–{most:.3})", self.median())
    }
}
