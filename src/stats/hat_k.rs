//! What k fresh runs would show: pass^k, safe^k, and the chance that an audit of k runs sees nothing.
//!
//! `C(s,k)/C(n,k)` is the share of the k-subsets of n runs that are all successes, and so the unbiased
//! estimator of `pᵏ` (Hoeffding 1948, U-statistics; Yao et al. 2024, "τ-bench", for pass^k). The plug-in
//! `(1 − p̂)ᵏ` is biased upwards, but has a value for `k > n`. The two are never one figure.

use super::{Count, Undefined, check_all};

/// How the chance of k runs in a row is estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Estimator {
    /// `(1 − p̂)ᵏ`, for any k; biased upwards for `k > 1`.
    PlugIn,
    /// `C(n−x,k)/C(n,k)`, for `k ≤ n`; unbiased.
    Unbiased,
}

/// pass^k `= C(s,k)/C(n,k)`: the chance that k runs are all successes, from `s` successes in `n` runs.
/// Within `1e-12` relative for `k ≤ 1000`.
///
/// # Errors
/// `k = 0`, `k > n`, `n = 0` or `s > n`; the index is 0.
pub fn pass_hat_k(s: u64, n: u64, k: u64) -> Result<f64, Undefined> {
    all_of(Count::new(s, n), k, 0)
}

/// safe^k `= C(n−x,k)/C(n,k)`: the chance that k runs are all without damage, from `x` damage runs in `n`.
/// This is also the unbiased estimate that an audit of k runs misses the damage.
///
/// # Errors
/// `k = 0`, `k > n`, `n = 0` or `x > n`; the index is 0.
pub fn safe_hat_k(x: u64, n: u64, k: u64) -> Result<f64, Undefined> {
    none_of(Count::new(x, n), k, 0)
}

/// The chance that k fresh runs of a cell are all clean, by the estimator named.
///
/// # Errors
/// `k = 0`, `n = 0`, `x > n`; `k > n` with [`Estimator::Unbiased`]; the index is 0.
pub fn audit_miss(cell: Count, k: u64, estimator: Estimator) -> Result<f64, Undefined> {
    audit_miss_at(cell, k, estimator, 0)
}

/// The unweighted mean of pass^k over tasks, each with `x` successes of `n`.
///
/// # Errors
/// No cells, `k = 0`, or a cell that is no tally or has fewer than k runs: the first such is named.
pub fn mean_pass_hat_k(successes: &[Count], k: u64) -> Result<f64, Undefined> {
    mean(successes, |index, cell| all_of(cell, k, index))
}

/// The unweighted mean of safe^k over tasks, each with `x` damage runs of `n`. With the upper counts this
/// is safe^k upper.
///
/// # Errors
/// No cells, `k = 0`, or a cell that is no tally or has fewer than k runs: the first such is named.
pub fn mean_safe_hat_k(damage: &[Count], k: u64) -> Result<f64, Undefined> {
    mean(damage, |index, cell| none_of(cell, k, index))
}

/// [`audit_miss`] of the `index`-th cell of a list.
pub(super) fn audit_miss_at(
    cell: Count,
    k: u64,
    estimator: Estimator,
    index: usize,
) -> Result<f64, Undefined> {
    match estimator {
        Estimator::Unbiased => none_of(cell, k, index),
        Estimator::PlugIn => {
            cell.check(index)?;
            if k == 0 {
                return Err(Undefined::NoAuditRuns);
            }
            let clean = (cell.n - cell.x) as f64 / cell.n as f64;
            Ok(clean.powf(k as f64))
        }
    }
}

fn mean(cells: &[Count], value: impl Fn(usize, Count) -> Result<f64, Undefined>) -> Result<f64, Undefined> {
    check_all(cells)?;
    let values: Vec<f64> =
        cells.iter().enumerate().map(|(index, &cell)| value(index, cell)).collect::<Result<_, _>>()?;
    Ok(values.iter().sum::<f64>() / values.len() as f64)
}

fn none_of(cell: Count, k: u64, index: usize) -> Result<f64, Undefined> {
    cell.check(index)?;
    all_of(Count::new(cell.n - cell.x, cell.n), k, index)
}

/// `C(x,k)/C(n,k)` as a product of shares. Of its two forms, `Π (x−i)/(n−i)` over `i < k` and
/// `Π (n−k−i)/(n−i)` over `i < n−x`, the shorter is taken: it underflows to 0 long before it stalls.
fn all_of(cell: Count, k: u64, index: usize) -> Result<f64, Undefined> {
    cell.check(index)?;
    let Count { x, n } = cell;
    if k == 0 {
        return Err(Undefined::NoAuditRuns);
    }
    if k > n {
        return Err(Undefined::BeyondRuns { index, k, n });
    }
    if x < k {
        return Ok(0.0);
    }
    let (top, steps) = if k <= n - x { (x, k) } else { (n - k, n - x) };
    let mut product = 1.0;
    for i in 0..steps {
        product *= (top - i) as f64 / (n - i) as f64;
        if product == 0.0 {
            break;
        }
    }
    Ok(product)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every sequence of n runs with success share p, weighted: the mean of the estimator.
    fn expectation(n: u64, p: f64, value: impl Fn(u64) -> f64) -> f64 {
        (0..1_u64 << n)
            .map(|runs| {
                let x = u64::from(runs.count_ones());
                p.powf(x as f64) * (1.0 - p).powf((n - x) as f64) * value(x)
            })
            .sum()
    }

    #[test]
    fn the_subset_estimators_are_unbiased_and_the_plug_in_is_not() {
        for n in 1..=10 {
            for k in 1..=n {
                for p in [0.0, 0.1, 0.375, 0.5, 0.9, 1.0] {
                    let pass = expectation(n, p, |s| pass_hat_k(s, n, k).unwrap());
                    assert!((pass - f64::powf(p, k as f64)).abs() < 1e-12, "{n} {k} {p}");
                    let safe = expectation(n, p, |x| safe_hat_k(x, n, k).unwrap());
                    assert!((safe - f64::powf(1.0 - p, k as f64)).abs() < 1e-12, "{n} {k} {p}");
                    let plug_in =
                        expectation(n, p, |x| audit_miss(Count::new(x, n), k, Estimator::PlugIn).unwrap());
                    if k > 1 && p > 0.0 && p < 1.0 {
                        assert!(plug_in > safe + 1e-6 * safe, "{n} {k} {p}");
                    }
                }
            }
        }
    }

    #[test]
    fn more_runs_never_look_better() {
        for n in 1..=20 {
            for x in 0..=n {
                for k in 1..n {
                    assert!(pass_hat_k(x, n, k + 1).unwrap() <= pass_hat_k(x, n, k).unwrap());
                    assert!(safe_hat_k(x, n, k + 1).unwrap() <= safe_hat_k(x, n, k).unwrap());
                }
            }
        }
    }

    #[test]
    fn more_runs_than_there_are_name_the_cell() {
        let cells = [Count::new(1, 16), Count::new(0, 8), Count::new(2, 4)];
        assert_eq!(mean_safe_hat_k(&cells, 16), Err(Undefined::BeyondRuns { index: 1, k: 16, n: 8 }));
        assert_eq!(mean_pass_hat_k(&cells, 0), Err(Undefined::NoAuditRuns));
        assert_eq!(mean_pass_hat_k(&[], 1), Err(Undefined::NoCells));
        assert_eq!(pass_hat_k(0, 4, 5), Err(Undefined::BeyondRuns { index: 0, k: 5, n: 4 }));
        assert_eq!(audit_miss(Count::new(1, 4), 8, Estimator::PlugIn), Ok(0.75_f64.powi(8)));
    }

    #[test]
    fn a_million_runs_neither_overflow_nor_stall() {
        let n = 1_000_000;
        assert_eq!(pass_hat_k(n, n, n), Ok(1.0));
        assert_eq!(pass_hat_k(n / 2, n, n / 2), Ok(0.0));
        assert!((pass_hat_k(n - 1, n, n / 2).unwrap() - 0.5).abs() < 1e-12);
        // Nearly independent runs: (1 − 1e-3)^8.
        assert!((safe_hat_k(1_000, n, 8).unwrap() - 0.999_f64.powi(8)).abs() < 1e-7);
    }
}
