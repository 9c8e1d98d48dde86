//! Exact intervals of a proportion.
//!
//! The bounds of Clopper & Pearson (1934) solve `P(X ≥ x | p) = α/2` and `P(X ≤ x | p) = α/2`; `x = 0`
//! pins 0 and `x = n` pins 1. They cover the true share with probability at least `1 − α` whatever it is.
//! The equations are solved in `tail`, since library inverses of the beta distribution lose digits at
//! large n and hang or panic at small α.

use super::tail::{Split, solve_upper_tail};
use super::{Count, Family, Undefined, alpha_each, check_all, check_alpha};

/// A closed interval of shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower bound, in `[0, 1]`.
    pub low: f64,
    /// Upper bound, in `[low, 1]`.
    pub high: f64,
}

impl Interval {
    /// Upper less lower bound.
    #[must_use]
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// True if the share lies in the interval.
    #[must_use]
    pub fn contains(self, share: f64) -> bool {
        self.low <= share && share <= self.high
    }

    /// True if both bounds lie strictly inside the band.
    #[must_use]
    pub fn strictly_inside(self, band: Interval) -> bool {
        band.low < self.low && self.high < band.high
    }
}

/// The exact two-sided interval of a share seen as `x` of `n`, at confidence `1 − alpha`.
///
/// # Errors
/// `n = 0`, `x > n`, or alpha outside (0, 1).
pub fn clopper_pearson(x: u64, n: u64, alpha: f64) -> Result<Interval, Undefined> {
    let ln_tail = ln_tail(x, n, alpha)? - std::f64::consts::LN_2;
    Ok(Interval { low: low(x, n, ln_tail), high: high(x, n, ln_tail) })
}

/// The exact one-sided lower bound: with confidence `1 − alpha` the share is at least this.
///
/// # Errors
/// `n = 0`, `x > n`, or alpha outside (0, 1).
pub fn lower_bound(x: u64, n: u64, alpha: f64) -> Result<f64, Undefined> {
    Ok(low(x, n, ln_tail(x, n, alpha)?))
}

/// The exact one-sided upper bound: with confidence `1 − alpha` the share is at most this.
///
/// # Errors
/// `n = 0`, `x > n`, or alpha outside (0, 1).
pub fn upper_bound(x: u64, n: u64, alpha: f64) -> Result<f64, Undefined> {
    Ok(high(x, n, ln_tail(x, n, alpha)?))
}

/// How common a thing can be that was seen in none of `m` cells: `1 − alpha^(1/m)`.
///
/// # Errors
/// `m = 0`, or alpha outside (0, 1).
pub fn prevalence_bound(m: u64, alpha: f64) -> Result<f64, Undefined> {
    if m == 0 {
        return Err(Undefined::NoCells);
    }
    upper_bound(0, m, alpha)
}

/// Intervals that cover *all* true shares at once with probability at least `1 − alpha`: each is the exact
/// interval at the level [`alpha_each`] gives.
///
/// # Errors
/// No cells, a cell that is no tally, or alpha outside (0, 1).
pub fn simultaneous(cells: &[Count], alpha: f64, family: Family) -> Result<Vec<Interval>, Undefined> {
    check_all(cells)?;
    let each = alpha_each(alpha, cells.len(), family)?;
    cells.iter().map(|cell| clopper_pearson(cell.x, cell.n, each)).collect()
}

fn ln_tail(x: u64, n: u64, alpha: f64) -> Result<f64, Undefined> {
    Count::new(x, n).check(0)?;
    check_alpha(alpha)?;
    Ok(alpha.ln())
}

fn low(x: u64, n: u64, ln_tail: f64) -> f64 {
    if x == 0 { 0.0 } else { solve_upper_tail(x, n, ln_tail).p }
}

/// `P(X ≤ x | p)` is the upper tail of the `n − x` other runs at `1 − p`.
fn high(x: u64, n: u64, ln_tail: f64) -> f64 {
    if x == n {
        return 1.0;
    }
    let Split { q, .. } = solve_upper_tail(n - x, n, ln_tail);
    q
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_pinned() {
        let none = clopper_pearson(0, 8, 0.05).unwrap();
        assert_eq!(none.low, 0.0);
        assert!((none.high - 0.369_416_647_552_819_3).abs() < 1e-15);
        let all = clopper_pearson(8, 8, 0.05).unwrap();
        assert_eq!(all.high, 1.0);
        assert!((all.low - 0.630_583_352_447_180_7).abs() < 1e-15);
    }

    #[test]
    fn the_inside_of_a_band_has_no_edges() {
        let band = Interval { low: 0.05, high: 0.95 };
        assert!(Interval { low: 0.051, high: 0.949 }.strictly_inside(band));
        assert!(!Interval { low: 0.05, high: 0.949 }.strictly_inside(band));
        assert!(!Interval { low: 0.051, high: 0.95 }.strictly_inside(band));
        assert!(band.contains(0.05) && band.contains(0.95) && !band.contains(0.951));
    }

    #[test]
    fn what_has_no_interval() {
        assert_eq!(clopper_pearson(0, 0, 0.05), Err(Undefined::NoRuns { index: 0 }));
        assert_eq!(clopper_pearson(3, 2, 0.05), Err(Undefined::MoreThanRuns { index: 0, x: 3, n: 2 }));
        for alpha in [0.0, 1.0, -0.1, f64::INFINITY] {
            assert_eq!(clopper_pearson(1, 2, alpha), Err(Undefined::Alpha(alpha)));
        }
        assert!(clopper_pearson(1, 2, f64::NAN).is_err());
        assert_eq!(prevalence_bound(0, 0.05), Err(Undefined::NoCells));
    }

    #[test]
    fn bounds_on_what_was_never_seen() {
        assert!((prevalence_bound(5, 0.05).unwrap() - 0.450_719_728_346_941_1).abs() < 1e-15);
        assert!((prevalence_bound(60, 0.05).unwrap() - 0.048_702_913_310_097_5).abs() < 1e-15);
    }

    #[test]
    fn a_one_sided_bound_is_the_two_sided_at_twice_the_level() {
        for (x, n) in [(0, 8), (3, 8), (8, 8), (40, 1000)] {
            let both = clopper_pearson(x, n, 0.1).unwrap();
            assert!((lower_bound(x, n, 0.05).unwrap() - both.low).abs() < 1e-15);
            assert!((upper_bound(x, n, 0.05).unwrap() - both.high).abs() < 1e-15);
        }
    }

    #[test]
    fn large_counts_and_tiny_levels_end_in_an_interval() {
        let tiny = f64::from_bits(1);
        for n in [1_u64, 2, 3, 17, 100, 10_000, 1_000_000] {
            for x in [0, 1, 2, n / 3, n / 2, n.saturating_sub(2), n - 1, n] {
                let mut outer = Interval { low: 0.0, high: 1.0 };
                for alpha in [tiny, 1e-300, 1e-162, 1e-72, 1e-36, 1e-12, 0.05, 0.5, 0.999, 1.0 - f64::EPSILON]
                {
                    let Ok(inner) = clopper_pearson(x.min(n), n, alpha) else { panic!("{x} {n} {alpha}") };
                    let seen = x.min(n) as f64 / n as f64;
                    assert!(
                        outer.low <= inner.low && inner.high <= outer.high,
                        "{x}/{n} at {alpha}: {inner:?} not in {outer:?}"
                    );
                    assert!(inner.low <= seen && seen <= inner.high, "{x}/{n} at {alpha}: {inner:?}");
                    outer = inner;
                }
            }
        }
    }

    #[test]
    fn simultaneous_intervals_hold_the_single_ones() {
        let cells = [Count::new(0, 8), Count::new(12, 16), Count::new(4, 32)];
        let wide = simultaneous(&cells, 0.05, Family::Bonferroni).unwrap();
        let sidak = simultaneous(&cells, 0.05, Family::Sidak).unwrap();
        for ((cell, wide), sidak) in cells.iter().zip(&wide).zip(&sidak) {
            let single = clopper_pearson(cell.x, cell.n, 0.05).unwrap();
            assert!(wide.low <= sidak.low && sidak.low <= single.low);
            assert!(wide.high >= sidak.high && sidak.high >= single.high);
            assert!(wide.width() > single.width());
        }
        assert_eq!(simultaneous(&[], 0.05, Family::Sidak), Err(Undefined::NoCells));
    }

    /// The binomial masses of `0..=n` at `p`, each from the one before, from the likelier end.
    fn masses(n: u64, p: f64) -> Vec<f64> {
        if p > 0.5 {
            return masses(n, 1.0 - p).into_iter().rev().collect();
        }
        let odds = p / (1.0 - p);
        let next = |mass: &mut f64, x: u64| {
            let here = *mass;
            *mass *= (n - x) as f64 / (x + 1) as f64 * odds;
            Some(here)
        };
        (0..=n).scan((1.0 - p).powf(n as f64), next).collect()
    }

    #[test]
    fn bounds_solve_their_equations() {
        for n in 1..=40 {
            for (x, alpha) in (0..=n).flat_map(|x| [0.2, 0.05, 1e-6].map(|alpha| (x, alpha))) {
                let Interval { low, high } = clopper_pearson(x, n, alpha).unwrap();
                // A bound is rounded to a float: near 1 that alone moves the tail by n·ε/(1−p).
                let near = |tail: f64, p: f64| {
                    (tail / (alpha / 2.0) - 1.0).abs() < 1e-12 + n as f64 * f64::EPSILON / (1.0 - p)
                };
                if x > 0 {
                    assert!(near(masses(n, low)[x as usize..].iter().sum(), low), "{x}/{n} {alpha}: {low}");
                }
                if x < n {
                    assert!(
                        near(masses(n, high)[..=x as usize].iter().sum(), high),
                        "{x}/{n} {alpha}: {high}"
                    );
                }
            }
        }
    }

    #[test]
    fn coverage_is_never_below_the_level() {
        for n in 1..=40 {
            for alpha in [0.2, 0.05, 0.01] {
                let intervals: Vec<_> = (0..=n).map(|x| clopper_pearson(x, n, alpha).unwrap()).collect();
                let ends = intervals.iter().flat_map(|interval| [interval.low, interval.high]);
                // Coverage jumps at the end points and is lowest beside them: both sides are tried.
                let beside = ends.flat_map(|end| [end * (1.0 - 1e-9), end * (1.0 + 1e-9)]);
                for p in beside.filter(|p| (1e-12..1.0).contains(p)) {
                    let covering = masses(n, p).into_iter().zip(&intervals);
                    let coverage: f64 =
                        covering.filter(|(_, interval)| interval.contains(p)).map(|(mass, _)| mass).sum();
                    assert!(coverage >= 1.0 - alpha - 1e-12, "{n} {alpha} at {p}: {coverage}");
                }
            }
        }
    }

    #[test]
    fn more_events_move_both_bounds_up() {
        for n in 1..=40 {
            for x in 0..n {
                let here = clopper_pearson(x, n, 0.05).unwrap();
                let next = clopper_pearson(x + 1, n, 0.05).unwrap();
                assert!(here.low < next.low && here.high < next.high, "{x}/{n}");
            }
        }
    }

    #[test]
    fn large_counts_and_tiny_levels_are_right() {
        // From 50-digit arithmetic.
        let cases = [
            (1, 1_000_000, 0.05, 2.531_780_766_379_418e-8, 5.571_630_655_172_244e-6),
            (10, 1_000_000, 0.05, 4.795_398_777_545_602e-6, 1.839_027_889_123_853_5e-5),
            (1_000, 1_000_000, 0.05, 9.390_012_079_500_722e-4, 1.063_918_107_315_227_8e-3),
            (333_333, 1_000_000, 0.05, 0.332_409_048_123_832_6, 0.334_257_917_338_093_6),
            (500_000, 1_000_000, 1e-12, 0.496_434_292_801_883_85, 0.503_565_707_198_116_2),
            (999_999, 1_000_000, 0.05, 0.999_994_428_369_344_8, 0.999_999_974_682_192_3),
            (250, 1_000, 1e-300, 6.870_829_467_052_012e-3, 0.796_324_207_744_566_3),
            (9_999, 10_000, 2e-36, 0.991_300_162_444_020_8, 1.0),
            (99, 100, 2e-72, 0.179_218_183_417_601_06, 1.0),
            (20, 100_000, 1e-162, 6.372_296_762_878_045e-13, 4.527_904_366_898_577e-3),
        ];
        for (x, n, alpha, low, high) in cases {
            let got = clopper_pearson(x, n, alpha).unwrap();
            assert!((got.low - low).abs() <= 1e-13 * low, "{x}/{n}: {got:?}");
            assert!((got.high - high).abs() <= 1e-13 * high, "{x}/{n}: {got:?}");
        }
    }
}
