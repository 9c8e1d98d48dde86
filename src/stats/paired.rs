//! Did a campaign change from one to another, task by task?
//!
//! Each task gives the difference of its two rates, after less before. If nothing changed, either of a
//! task's two rates could as well have been the other: the sign of each difference is a fair coin. The p
//! value is the share of all sign patterns whose mean difference is at least as far from 0 as the seen one
//! (Fisher 1935, the randomization test for pairs). Differences are whole multiples of one over a common
//! denominator, so the distribution of their sum is built exactly, task by task. Only where that grows too
//! large are sign patterns drawn at random, and the result says so. The sign test beside it looks at
//! directions only.

use super::tail::upper_tail;
use super::{Count, Rng, Undefined};

/// Distinct sums held at most: about 8 MB.
const MOST_SUMS: usize = 1 << 18;

/// Sign patterns drawn where exact counting is out of reach.
const DRAWS: u32 = 100_000;

/// One task in both campaigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// In the first campaign.
    pub before: Count,
    /// In the second campaign.
    pub after: Count,
}

/// How a p value came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// All sign patterns were counted.
    Exact,
    /// This many were drawn; the p value is `(1 + hits)/(1 + draws)` (Phipson & Smyth 2010).
    Sampled {
        /// Patterns drawn.
        draws: u32,
        /// Seed of the draws.
        seed: u64,
    },
}

/// Two campaigns compared by task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Tasks compared.
    pub tasks: usize,
    /// Tasks whose rate fell.
    pub fell: usize,
    /// Tasks whose rate rose.
    pub rose: usize,
    /// Unweighted mean of `after − before` over tasks.
    pub mean_difference: f64,
    /// Two-sided p value of the randomization test on the mean difference.
    pub p: f64,
    /// How `p` was found.
    pub method: Method,
    /// Two-sided p value of the exact sign test on `fell` and `rose`; 1 without either.
    pub sign_p: f64,
}

/// Compares two campaigns task by task. `seed` is used only where patterns must be drawn.
///
/// # Errors
/// No tasks, or a task with a tally that cannot be, named by its index.
pub fn compare_paired(pairs: &[Pair], seed: u64) -> Result<Comparison, Undefined> {
    if pairs.is_empty() {
        return Err(Undefined::NoCells);
    }
    for (index, pair) in pairs.iter().enumerate() {
        pair.before.check(index)?;
        pair.after.check(index)?;
    }
    let direction = |pair: &Pair| {
        let (before, after) = (pair.before, pair.after);
        let cross = |a: Count, b: Count| u128::from(a.x) * u128::from(b.n);
        cross(after, before).cmp(&cross(before, after))
    };
    let fell = pairs.iter().filter(|pair| direction(pair).is_lt()).count();
    let rose = pairs.iter().filter(|pair| direction(pair).is_gt()).count();
    let differences: Vec<f64> = pairs
        .iter()
        .map(|Pair { before, after }| after.x as f64 / after.n as f64 - before.x as f64 / before.n as f64)
        .collect();
    let exact = whole_differences(pairs).and_then(|whole| exact_p(&whole));
    let (p, method) = match exact {
        Some(p) => (p, Method::Exact),
        None => (sampled_p(&differences, seed), Method::Sampled { draws: DRAWS, seed }),
    };
    Ok(Comparison {
        tasks: pairs.len(),
        fell,
        rose,
        mean_difference: differences.iter().sum::<f64>() / pairs.len() as f64,
        p,
        method,
        sign_p: sign_test(fell as u64, rose as u64),
    })
}

/// The exact two-sided sign test: `fell` and `rose` as heads and tails of a fair coin.
fn sign_test(fell: u64, rose: u64) -> f64 {
    (2.0 * upper_tail(fell.max(rose), fell + rose, 0.5)).min(1.0)
}

/// The differences times a common denominator, if it and all sums fit.
fn whole_differences(pairs: &[Pair]) -> Option<Vec<i64>> {
    let runs = pairs.iter().flat_map(|pair| [pair.before.n, pair.after.n]);
    let common = runs.into_iter().try_fold(1_u64, |common, n| (common / gcd(common, n)).checked_mul(n))?;
    // No sum of differences exceeds `common` per task.
    i64::try_from(common).ok()?.checked_mul(i64::try_from(pairs.len()).ok()?)?;
    let whole = |cell: Count| i64::try_from(cell.x * (common / cell.n)).ok();
    pairs.iter().map(|pair| Some(whole(pair.after)? - whole(pair.before)?)).collect()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The share of sign patterns with a sum at least as far from 0, or none if there are too many sums.
fn exact_p(differences: &[i64]) -> Option<f64> {
    let mut sums = vec![(0_i64, 1.0_f64)];
    for step in differences.iter().map(|d| d.abs()).filter(|&d| d > 0) {
        sums = flipped(&sums, step);
        if sums.len() > MOST_SUMS {
            return None;
        }
    }
    let seen = differences.iter().sum::<i64>().abs();
    let share: f64 = sums.iter().filter(|(sum, _)| sum.abs() >= seen).map(|(_, share)| share).sum();
    Some(share.min(1.0))
}

/// The distribution after one more fair coin of `±step`: two shifted copies merged, both ascending.
fn flipped(sums: &[(i64, f64)], step: i64) -> Vec<(i64, f64)> {
    let mut merged: Vec<(i64, f64)> = Vec::with_capacity(2 * sums.len());
    let mut down = sums.iter().map(|&(sum, share)| (sum - step, share / 2.0)).peekable();
    let mut up = sums.iter().map(|&(sum, share)| (sum + step, share / 2.0)).peekable();
    loop {
        let next = match (down.peek(), up.peek()) {
            (Some(low), Some(high)) if low.0 <= high.0 => down.next(),
            (_, Some(_)) => up.next(),
            (_, None) => down.next(),
        };
        let Some((sum, share)) = next else { return merged };
        match merged.last_mut() {
            Some(last) if last.0 == sum => last.1 += share,
            _ => merged.push((sum, share)),
        }
    }
}

fn sampled_p(differences: &[f64], seed: u64) -> f64 {
    let mut rng = Rng::seed(seed);
    // A pattern that ties with the seen one must not fall short of it by rounding.
    let seen = differences.iter().sum::<f64>().abs() * (1.0 - 1e-12);
    let mut pattern = || {
        let mut bits = 0;
        let flip = |(i, difference): (usize, &f64)| {
            if i % 64 == 0 {
                bits = rng.next_u64();
            }
            bits = bits.rotate_right(1);
            if bits >> 63 == 0 { *difference } else { -difference }
        };
        differences.iter().enumerate().map(flip).sum::<f64>().abs()
    };
    let hits = (0..DRAWS).filter(|_| pattern() >= seen).count();
    (1.0 + hits as f64) / (1.0 + f64::from(DRAWS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(before: (u64, u64), after: (u64, u64)) -> Pair {
        Pair { before: Count::new(before.0, before.1), after: Count::new(after.0, after.1) }
    }

    /// Tasks of every kind: rising, falling, level, of different run counts.
    fn tasks(count: usize) -> Vec<Pair> {
        let mut rng = Rng::seed(5);
        let mut cell = || {
            let n = [4, 8, 12, 16][rng.below(4) as usize];
            (rng.below(n + 1), n)
        };
        (0..count).map(|_| pair(cell(), cell())).collect()
    }

    /// Every sign pattern, in integers over the denominator 48.
    fn brute_force(pairs: &[Pair]) -> f64 {
        let whole = |c: Count| (c.x * 48 / c.n) as i64;
        let differences: Vec<i64> = pairs.iter().map(|p| whole(p.after) - whole(p.before)).collect();
        let seen: i64 = differences.iter().sum::<i64>().abs();
        let flip = |code: u32, i: usize| if code >> i & 1 == 1 { -differences[i] } else { differences[i] };
        let all = 1_u32 << pairs.len();
        let hits =
            (0..all).filter(|&code| (0..pairs.len()).map(|i| flip(code, i)).sum::<i64>().abs() >= seen);
        hits.count() as f64 / f64::from(all)
    }

    #[test]
    fn the_exact_p_counts_every_pattern() {
        for count in 1..=12 {
            let tasks = tasks(count);
            let got = compare_paired(&tasks, 0).unwrap();
            assert_eq!(got.method, Method::Exact);
            assert!((got.p - brute_force(&tasks)).abs() < 1e-12, "{count}: {got:?}");
        }
    }

    #[test]
    fn two_hundred_tasks_are_counted_in_any_order_and_either_way_round() {
        let mut tasks = tasks(200);
        let forth = compare_paired(&tasks, 0).unwrap();
        assert_eq!(forth.method, Method::Exact);
        tasks.reverse();
        assert!((compare_paired(&tasks, 0).unwrap().p - forth.p).abs() < 1e-12);
        tasks.iter_mut().for_each(|pair| std::mem::swap(&mut pair.before, &mut pair.after));
        let back = compare_paired(&tasks, 0).unwrap();
        assert!((back.p - forth.p).abs() < 1e-12);
        assert_eq!((back.fell, back.rose), (forth.rose, forth.fell));
        assert!((back.mean_difference + forth.mean_difference).abs() < 1e-12);
    }

    #[test]
    fn where_counting_is_out_of_reach_patterns_are_drawn() {
        // Prime run counts: no common denominator fits in 64 bits.
        let primes = [999_983, 999_979, 999_961, 999_959, 999_953, 999_931, 999_917, 999_907];
        let tasks: Vec<Pair> = primes.iter().map(|&n| pair((n / 4, n), (n / 2, n))).collect();
        let got = compare_paired(&tasks, 3).unwrap();
        assert_eq!(got.method, Method::Sampled { draws: DRAWS, seed: 3 });
        // Only the two patterns of one sign are as extreme: 2/256, within 4 standard errors.
        let right: f64 = 2.0 / 256.0;
        assert!((got.p - right).abs() < 4.0 * (right * (1.0 - right) / f64::from(DRAWS)).sqrt(), "{got:?}");
        assert_eq!(compare_paired(&tasks, 3), Ok(got));
    }

    #[test]
    fn the_sign_test_by_hand() {
        assert_eq!(sign_test(0, 0), 1.0);
        assert!((sign_test(0, 5) - 2.0 / 32.0).abs() < 1e-15);
        assert!((sign_test(5, 1) - 14.0 / 64.0).abs() < 1e-14);
        assert_eq!(sign_test(3, 3), 1.0);
    }

    #[test]
    fn nothing_changed() {
        let got = compare_paired(&[pair((1, 8), (2, 16)), pair((0, 8), (0, 8))], 0).unwrap();
        assert_eq!((got.fell, got.rose, got.mean_difference, got.p, got.sign_p), (0, 0, 0.0, 1.0, 1.0));
        assert_eq!(compare_paired(&[], 0), Err(Undefined::NoCells));
        let bad = compare_paired(&[pair((0, 1), (0, 1)), pair((0, 1), (2, 1))], 0);
        assert_eq!(bad, Err(Undefined::MoreThanRuns { index: 1, x: 2, n: 1 }));
    }
}
