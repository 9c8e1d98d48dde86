//! The cluster bootstrap: how far a figure would move had other tasks been drawn.
//!
//! Cells of one task are alike, so tasks are resampled, not cells: each resample draws as many clusters as
//! there are, with replacement, and computes the statistic over all their cells (Davison & Hinkley 1997,
//! §3.8). A resample may have no value, as when it holds no damage; such are counted, never hidden. The
//! same seed gives the same values for any number of threads: resamples are made in fixed blocks, each with
//! its own stream.

use super::{Interval, Rng, Undefined, check_alpha};

/// Resamples in one block, the unit of work of a thread.
const BLOCK: usize = 256;

/// How to resample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resampling {
    /// How many resamples.
    pub resamples: usize,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Threads; 0 counts as 1. Changes the speed only.
    pub threads: usize,
}

/// The distribution of a statistic over resamples.
#[derive(Clone, Debug, PartialEq)]
pub struct Resampled {
    /// Its values, ascending, finite; at least one.
    values: Vec<f64>,
    /// Resamples in which it is undefined.
    pub undefined: usize,
}

impl Resampled {
    /// The values, ascending.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The quantile at `share` of the defined resamples, linear between neighbours (type 7 of Hyndman & Fan
    /// 1996). A share outside `[0, 1]` counts as the nearer end.
    #[must_use]
    pub fn quantile(&self, share: f64) -> f64 {
        let last = self.values.len() - 1;
        let place = share.clamp(0.0, 1.0) * last as f64;
        let below = (place as usize).min(last);
        let above = (below + 1).min(last);
        let low = self.values[below];
        low + (self.values[above] - low) * (place - below as f64)
    }

    /// The percentile interval at confidence `1 − alpha`.
    ///
    /// # Errors
    /// Alpha outside (0, 1).
    pub fn interval(&self, alpha: f64) -> Result<Interval, Undefined> {
        check_alpha(alpha)?;
        Ok(Interval { low: self.quantile(alpha / 2.0), high: self.quantile(1.0 - alpha / 2.0) })
    }
}

/// Resamples clusters of cells and computes the statistic on the cells of each resample.
///
/// `T` is a cell: a [`Count`](super::Count), or whatever the statistic reads. Which clusters a seed draws goes by
/// their place in the list: give them in a fixed order.
///
/// # Errors
/// No clusters, no resamples, or every resample undefined.
pub fn cluster_bootstrap<T, F>(
    clusters: &[Vec<T>],
    statistic: F,
    plan: Resampling,
) -> Result<Resampled, Undefined>
where
    T: Clone + Sync,
    F: Fn(&[T]) -> Result<f64, Undefined> + Sync,
{
    if clusters.is_empty() {
        return Err(Undefined::NoCells);
    }
    let blocks = blocks(plan);
    let share = blocks.len().div_ceil(plan.threads.max(1)).max(1);
    let work = |blocks: &[Block]| -> Vec<Option<f64>> {
        blocks.iter().flat_map(|block| block.run(clusters, &statistic)).collect()
    };
    let outcomes: Vec<Option<f64>> = std::thread::scope(|scope| {
        let workers: Vec<_> = blocks.chunks(share).map(|part| scope.spawn(|| work(part))).collect();
        let joined = workers.into_iter().map(std::thread::ScopedJoinHandle::join);
        // A panic in the caller's statistic is the caller's.
        joined.flat_map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    let mut values: Vec<f64> = outcomes.iter().copied().flatten().collect();
    if values.is_empty() {
        return Err(Undefined::NoResample { of: outcomes.len() });
    }
    values.sort_by(f64::total_cmp);
    Ok(Resampled { undefined: outcomes.len() - values.len(), values })
}

/// A run of resamples with its own stream of random numbers.
struct Block {
    rng: Rng,
    resamples: usize,
}

impl Block {
    fn run<T: Clone>(
        &self,
        clusters: &[Vec<T>],
        statistic: impl Fn(&[T]) -> Result<f64, Undefined>,
    ) -> Vec<Option<f64>> {
        let mut rng = self.rng.clone();
        let mut cells = Vec::new();
        let mut resample = || {
            cells.clear();
            for _ in clusters {
                let drawn = rng.below(clusters.len() as u64) as usize;
                cells.extend(clusters.get(drawn).into_iter().flatten().cloned());
            }
            statistic(&cells).ok().filter(|value| value.is_finite())
        };
        (0..self.resamples).map(|_| resample()).collect()
    }
}

fn blocks(plan: Resampling) -> Vec<Block> {
    let mut rng = Rng::seed(plan.seed);
    let mut block = |first: usize| {
        let own = rng.clone();
        rng.jump();
        Block { rng: own, resamples: BLOCK.min(plan.resamples - first) }
    };
    (0..plan.resamples).step_by(BLOCK).map(&mut block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Count, miss_rates};

    fn pair(cells: &[Count]) -> Result<f64, Undefined> {
        miss_rates(cells).map(|rates| rates.pair)
    }

    const PLAN: Resampling = Resampling { resamples: 10_000, seed: 11, threads: 2 };

    #[test]
    fn any_number_of_threads_gives_the_same_values() {
        let clusters =
            [vec![Count::new(1, 8), Count::new(0, 8)], vec![Count::new(3, 16)], vec![Count::new(0, 4)]];
        let plan = Resampling { resamples: 1_000, ..PLAN };
        let one = cluster_bootstrap(&clusters, pair, Resampling { threads: 1, ..plan }).unwrap();
        for threads in [0, 2, 3, 64] {
            assert_eq!(cluster_bootstrap(&clusters, pair, Resampling { threads, ..plan }).unwrap(), one);
        }
        assert_eq!(one.values().len() + one.undefined, 1_000);
        let other = cluster_bootstrap(&clusters, pair, Resampling { seed: 12, ..plan }).unwrap();
        assert_ne!(other, one);
    }

    /// The exact distribution function of the statistic over all `mᵐ` equally likely resamples, and the
    /// share of undefined ones.
    fn enumerate(clusters: &[Vec<Count>]) -> (Vec<f64>, usize, usize) {
        let m = clusters.len();
        let all = m.pow(m as u32);
        let outcome = |mut code: usize| {
            let mut cells = Vec::new();
            for _ in 0..m {
                cells.extend_from_slice(&clusters[code % m]);
                code /= m;
            }
            pair(&cells).ok()
        };
        let mut values: Vec<f64> = (0..all).filter_map(outcome).collect();
        values.sort_by(f64::total_cmp);
        (values.clone(), all - values.len(), all)
    }

    #[test]
    fn the_distribution_is_that_of_full_enumeration() {
        let clusters = [
            vec![Count::new(1, 8), Count::new(2, 16)],
            vec![Count::new(0, 8)],
            vec![Count::new(6, 8), Count::new(0, 8), Count::new(1, 3)],
            vec![Count::new(0, 32)],
            vec![Count::new(5, 16)],
        ];
        for m in 1..=5 {
            let clusters = &clusters[..m];
            let (exact, undefined, all) = enumerate(clusters);
            let drawn = cluster_bootstrap(clusters, pair, PLAN).unwrap();
            let total = PLAN.resamples as f64;
            // A count of resamples is binomial: 4 standard errors of its share.
            let near = |seen: usize, exact: usize| {
                let p = exact as f64 / all as f64;
                (seen as f64 / total - p).abs() <= 4.0 * (p * (1.0 - p) / total).sqrt() + 1e-12
            };
            assert!(near(drawn.undefined, undefined), "{m}: {} undefined", drawn.undefined);
            let mut points = exact.clone();
            points.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
            for point in points {
                let up_to = |values: &[f64]| values.partition_point(|&value| value <= point + 1e-9);
                assert!(near(up_to(drawn.values()), up_to(&exact)), "{m}: at {point}");
            }
        }
    }

    #[test]
    fn quantiles_are_linear_between_values() {
        let drawn = Resampled { values: vec![0.0, 1.0, 2.0, 4.0], undefined: 0 };
        assert_eq!([0.0, 0.5, 1.0].map(|q| drawn.quantile(q)), [0.0, 1.5, 4.0]);
        assert!((drawn.quantile(0.9) - 3.4).abs() < 1e-12);
        assert_eq!(drawn.interval(0.0), Err(Undefined::Alpha(0.0)));
    }

    #[test]
    fn nothing_to_resample() {
        let none: [Vec<Count>; 0] = [];
        assert_eq!(cluster_bootstrap(&none, pair, PLAN), Err(Undefined::NoCells));
        let clean = [vec![Count::new(0, 8)]];
        assert_eq!(cluster_bootstrap(&clean, pair, PLAN), Err(Undefined::NoResample { of: 10_000 }));
        let no_draws = cluster_bootstrap(&clean, pair, Resampling { resamples: 0, ..PLAN });
        assert_eq!(no_draws, Err(Undefined::NoResample { of: 0 }));
    }
}
