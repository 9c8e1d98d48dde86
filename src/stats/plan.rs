//! How many further runs settle a cell.
//!
//! A plan supposes that the seen share goes on. The seen share of `n` runs is seldom a whole number of
//! runs, so a plan holds only if the interval serves whichever way it is rounded. Intervals are the exact
//! two-sided ones that stand on the map.

use super::{Count, Interval, Undefined, check_alpha, clopper_pearson};

/// Beyond this many runs of one cell a plan is no plan.
pub const MOST_RUNS: u64 = 100_000_000;

/// How far back a shorter plan is looked for. In cells of more runs rounding hardly matters.
const LOOK_BACK: u64 = 256;

/// Where further runs would bring a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The whole interval below the band.
    Below,
    /// The whole interval strictly inside the band.
    Inside,
    /// The whole interval above the band.
    Above,
}

/// Further clean runs of a cell with `clean` clean runs and no damage, until the upper bound of its
/// interval is at most `target`.
///
/// # Errors
/// Alpha or target outside (0, 1), or more than [`MOST_RUNS`].
pub fn clean_runs_until(clean: u64, target: f64, alpha: f64) -> Result<u64, Undefined> {
    check_alpha(alpha)?;
    if !(target > 0.0 && target < 1.0) {
        return Err(Undefined::Target(target));
    }
    let bound = |n: u64| clopper_pearson(0, n, alpha).map(|interval| interval.high <= target);
    first_from(clean.max(1), bound).map(|total| total - clean)
}

/// Further runs until the interval at the seen share is at most `width` wide (high less low).
///
/// # Errors
/// A cell that is no tally, alpha or width outside (0, 1), or more than [`MOST_RUNS`].
pub fn runs_until_width(cell: Count, width: f64, alpha: f64) -> Result<u64, Undefined> {
    cell.check(0)?;
    check_alpha(alpha)?;
    if !(width > 0.0 && width < 1.0) {
        return Err(Undefined::Target(width));
    }
    until(cell, alpha, |interval| interval.width() <= width)
}

/// On which side of the band the seen share lies, and the further runs until the whole interval does.
///
/// # Errors
/// A cell that is no tally, alpha outside (0, 1), a band that is none, a seen share exactly on an edge of
/// the band (no number of runs settles it), or more than [`MOST_RUNS`].
pub fn runs_until_settled(cell: Count, band: Interval, alpha: f64) -> Result<(Side, u64), Undefined> {
    let rate = cell.rate()?;
    check_alpha(alpha)?;
    if !(0.0 <= band.low && band.low < band.high && band.high <= 1.0) {
        return Err(Undefined::Band(band.low, band.high));
    }
    let side = if rate < band.low {
        Side::Below
    } else if rate > band.high {
        Side::Above
    } else if band.low < rate && rate < band.high {
        Side::Inside
    } else {
        return Err(Undefined::OnTheEdge(rate));
    };
    let settled = |interval: Interval| match side {
        Side::Below => interval.high < band.low,
        Side::Inside => interval.strictly_inside(band),
        Side::Above => interval.low > band.high,
    };
    Ok((side, until(cell, alpha, settled)?))
}

/// Runs until an event of this rate is seen at least once with at least this probability:
/// `⌈ln(1−P)/ln(1−rate)⌉`. Also the k at which a clean audit is at most `1 − P` likely.
///
/// # Errors
/// A probability or rate outside (0, 1]; a certain sight (`P = 1`) of an uncertain event; or more than
/// `2^53` runs.
pub fn runs_to_detect(rate: f64, probability: f64) -> Result<u64, Undefined> {
    if !(probability > 0.0 && probability <= 1.0) {
        return Err(Undefined::Target(probability));
    }
    if !(rate > 0.0 && rate <= 1.0) || (probability == 1.0 && rate < 1.0) {
        return Err(Undefined::NeverSeen(rate));
    }
    if rate == 1.0 {
        return Ok(1);
    }
    let sees = |k: f64| -(k * (-rate).ln_1p()).exp_m1() >= probability;
    let runs = ((-probability).ln_1p() / (-rate).ln_1p()).ceil();
    if runs > (1_u64 << 53) as f64 {
        return Err(Undefined::TooManyRuns { most: 1 << 53 });
    }
    // The quotient can round across a whole number.
    let runs = if runs > 1.0 && sees(runs - 1.0) { runs - 1.0 } else { runs };
    Ok(if sees(runs) { runs } else { runs + 1.0 } as u64)
}

/// Further runs until the interval at the seen share, rounded down or up, is as wanted.
fn until(cell: Count, alpha: f64, wanted: impl Fn(Interval) -> bool) -> Result<u64, Undefined> {
    let will_do = |n: u64| -> Result<bool, Undefined> {
        let share = u128::from(cell.x) * u128::from(n);
        let (down, up) = (share / u128::from(cell.n), share.div_ceil(u128::from(cell.n)));
        Ok(wanted(clopper_pearson(down as u64, n, alpha)?)
            && (up == down || wanted(clopper_pearson(up as u64, n, alpha)?)))
    };
    let mut total = first_from(cell.n, will_do)?;
    // Rounding repeats every n runs, so a total that happens to be kind can lie up to that much before.
    for earlier in total.saturating_sub(cell.n.min(LOOK_BACK)).max(cell.n)..total {
        if will_do(earlier)? {
            total = earlier;
            break;
        }
    }
    Ok(total - cell.n)
}

/// An `n ≥ from` that will do while `n − 1` will not, by doubling and halving.
fn first_from(from: u64, will_do: impl Fn(u64) -> Result<bool, Undefined>) -> Result<u64, Undefined> {
    if will_do(from)? {
        return Ok(from);
    }
    let (mut too_few, mut enough) = (from, from.saturating_mul(2));
    while !will_do(enough.min(MOST_RUNS))? {
        if enough >= MOST_RUNS {
            return Err(Undefined::TooManyRuns { most: MOST_RUNS });
        }
        (too_few, enough) = (enough, enough.saturating_mul(2));
    }
    enough = enough.min(MOST_RUNS);
    while enough - too_few > 1 {
        let middle = too_few + (enough - too_few) / 2;
        if will_do(middle)? { enough = middle } else { too_few = middle }
    }
    Ok(enough)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::STOCHASTIC_BAND;

    #[test]
    fn clean_runs_bring_the_bound_under_the_target() {
        for clean in [0, 1, 8, 100] {
            for target in [0.5, 0.3, 0.05, 0.01] {
                let further = clean_runs_until(clean, target, 0.05).unwrap();
                let high = |n: u64| clopper_pearson(0, n, 0.05).unwrap().high;
                assert!(high(clean + further) <= target);
                assert!(further == 0 || clean + further == 1 || high(clean + further - 1) > target);
                // The closed form: ln(α/2)/ln(1−target).
                let closed = (0.025_f64.ln() / (-target).ln_1p()).ceil() as u64;
                assert_eq!(further, closed.saturating_sub(clean));
            }
        }
        assert_eq!(clean_runs_until(8, 0.0, 0.05), Err(Undefined::Target(0.0)));
        assert_eq!(clean_runs_until(8, 1e-12, 0.05), Err(Undefined::TooManyRuns { most: MOST_RUNS }));
    }

    /// The smallest number of further runs that will do, by trying each.
    fn brute_force(cell: Count, wanted: impl Fn(Interval) -> bool) -> u64 {
        let will_do = |n: u64| {
            let product = cell.x * n;
            let at = |x: u64| wanted(clopper_pearson(x, n, 0.05).unwrap());
            at(product / cell.n) && at(product.div_ceil(cell.n))
        };
        (cell.n..).find(|&n| will_do(n)).unwrap() - cell.n
    }

    #[test]
    fn the_plan_is_the_shortest_that_will_do() {
        let narrow = Interval { low: 0.2, high: 0.6 };
        for (x, n) in (1..=23).flat_map(|n| (0..=n).map(move |x| (x, n))) {
            let cell = Count::new(x, n);
            for width in [0.5, 0.25, 0.17] {
                let right = brute_force(cell, |interval| interval.width() <= width);
                assert_eq!(runs_until_width(cell, width, 0.05), Ok(right), "{x}/{n} {width}");
            }
            for band in [STOCHASTIC_BAND, narrow] {
                let (side, runs) = match runs_until_settled(cell, band, 0.05) {
                    Ok(settled) => settled,
                    Err(edge) => {
                        assert_eq!(edge, Undefined::OnTheEdge(x as f64 / n as f64));
                        continue;
                    }
                };
                let right = brute_force(cell, |interval| match side {
                    Side::Below => interval.high < band.low,
                    Side::Inside => interval.strictly_inside(band),
                    Side::Above => interval.low > band.high,
                });
                assert_eq!(runs, right, "{x}/{n} {side:?} {band:?}");
            }
        }
    }

    #[test]
    fn what_never_settles() {
        let cell = Count::new(1, 20);
        assert_eq!(runs_until_settled(cell, STOCHASTIC_BAND, 0.05), Err(Undefined::OnTheEdge(0.05)));
        let none = Interval { low: 0.9, high: 0.1 };
        assert_eq!(runs_until_settled(cell, none, 0.05), Err(Undefined::Band(0.9, 0.1)));
        assert_eq!(runs_until_width(cell, 1e-9, 0.05), Err(Undefined::TooManyRuns { most: MOST_RUNS }));
        assert_eq!(runs_until_width(Count::new(0, 0), 0.1, 0.05), Err(Undefined::NoRuns { index: 0 }));
    }

    #[test]
    fn detection_is_the_first_k_with_enough_chance() {
        for rate in [0.01, 0.125, 0.25, 0.5, 0.75, 0.999] {
            for probability in [0.01, 0.5, 0.75, 0.9375, 0.95, 0.999] {
                let chance = |k: u64| 1.0 - f64::powi(1.0 - rate, k as i32);
                let right = (1..).find(|&k| chance(k) >= probability - 1e-13).unwrap();
                assert_eq!(runs_to_detect(rate, probability), Ok(right), "{rate} {probability}");
            }
        }
        assert_eq!(runs_to_detect(1.0, 1.0), Ok(1));
        assert_eq!(runs_to_detect(0.5, 1.0), Err(Undefined::NeverSeen(0.5)));
        assert_eq!(runs_to_detect(0.0, 0.5), Err(Undefined::NeverSeen(0.0)));
        assert_eq!(runs_to_detect(1e-300, 0.5), Err(Undefined::TooManyRuns { most: 1 << 53 }));
    }
}
