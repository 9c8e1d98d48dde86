//! Do runs of one cell agree? The flip rate and the intraclass correlation of runs.

use super::{Count, Undefined, check_all};

/// The chance that two different runs of a cell disagree, `2x(n−x) / (n(n−1))`: the unbiased estimate of
/// `2p(1−p)`.
///
/// # Errors
/// Fewer than two runs, or more events than runs.
pub fn flip_rate(cell: Count) -> Result<f64, Undefined> {
    flip_rate_at(cell, 0)
}

/// The unweighted mean of the flip rates over cells.
///
/// # Errors
/// No cells, or a cell that is no tally or has one run, which is named.
pub fn mean_flip_rate(cells: &[Count]) -> Result<f64, Undefined> {
    check_all(cells)?;
    let rates = cells.iter().enumerate().map(|(index, &cell)| flip_rate_at(cell, index));
    Ok(rates.sum::<Result<f64, _>>()? / cells.len() as f64)
}

fn flip_rate_at(cell: Count, index: usize) -> Result<f64, Undefined> {
    cell.check(index)?;
    let (x, n) = (cell.x as f64, cell.n as f64);
    if cell.n < 2 { Err(Undefined::OneRun { index }) } else { Ok(2.0 * x * (n - x) / (n * (n - 1.0))) }
}

/// ICC(1), the share of all variance that lies between cells, from a one-way analysis of variance of the
/// 0/1 outcomes: `(B − W) / (B + (n₀−1)·W)` with mean squares between and within and
/// `n₀ = (N − Σn²/N)/(m−1)` (Shrout & Fleiss 1979; Donner 1986 for unequal sizes). It can be negative: runs
/// of one cell then agree less than runs of different cells. Not the same estimate as
/// [`beta_binomial`](super::beta_binomial)'s.
///
/// # Errors
/// No cells, a cell that is no tally, one cell only, one run in every cell, or all runs alike.
pub fn icc(cells: &[Count]) -> Result<f64, Undefined> {
    check_all(cells)?;
    if cells.len() == 1 {
        return Err(Undefined::OneCell);
    }
    if cells.iter().all(|cell| cell.n == 1) {
        return Err(Undefined::OneRunEach);
    }
    let m = cells.len() as f64;
    let sum = |value: fn(f64, f64) -> f64| -> f64 {
        cells.iter().map(|cell| value(cell.x as f64, cell.n as f64)).sum()
    };
    let (runs, events, squares) = (sum(|_, n| n), sum(|x, _| x), sum(|_, n| n * n));
    if events == 0.0 || events == runs {
        return Err(Undefined::AllAlike);
    }
    let mean = events / runs;
    let between: f64 = cells
        .iter()
        .map(|cell| {
            let n = cell.n as f64;
            n * (cell.x as f64 / n - mean).powi(2)
        })
        .sum::<f64>()
        / (m - 1.0);
    let within = sum(|x, n| x * (n - x) / n) / (runs - m);
    let size = (runs - squares / runs) / (m - 1.0);
    Ok((between - within) / (between + (size - 1.0) * within))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flip_rate_is_the_share_of_unlike_pairs() {
        for n in 2..=12_u64 {
            for x in 0..=n {
                let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
                let unlike = pairs.clone().filter(|&(i, j)| (i < x) != (j < x)).count();
                let right = unlike as f64 / pairs.count() as f64;
                assert!((flip_rate(Count::new(x, n)).unwrap() - right).abs() < 1e-15);
            }
        }
        assert_eq!(flip_rate(Count::new(1, 1)), Err(Undefined::OneRun { index: 0 }));
        let cells = [Count::new(1, 2), Count::new(0, 1)];
        assert_eq!(mean_flip_rate(&cells), Err(Undefined::OneRun { index: 1 }));
        assert_eq!(mean_flip_rate(&[Count::new(1, 2), Count::new(2, 2)]), Ok(0.5));
    }

    /// The analysis of variance over single runs, as a textbook writes it.
    fn by_runs(cells: &[Count]) -> f64 {
        let groups: Vec<Vec<f64>> =
            cells.iter().map(|c| (0..c.n).map(|i| f64::from(u8::from(i < c.x))).collect()).collect();
        let all: Vec<f64> = groups.concat();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let (m, total) = (groups.len() as f64, all.len() as f64);
        let between: f64 = groups.iter().map(|g| g.len() as f64 * (mean(g) - mean(&all)).powi(2)).sum();
        let within: f64 = groups.iter().flat_map(|g| g.iter().map(|value| (value - mean(g)).powi(2))).sum();
        let (b, w) = (between / (m - 1.0), within / (total - m));
        let squares: f64 = groups.iter().map(|g| (g.len() as f64).powi(2)).sum();
        let size = (total - squares / total) / (m - 1.0);
        (b - w) / (b + (size - 1.0) * w)
    }

    #[test]
    fn icc_equals_the_analysis_of_variance_over_single_runs() {
        let mut cells = [Count::new(3, 8), Count::new(12, 16), Count::new(0, 4), Count::new(1, 1)];
        assert!((icc(&cells).unwrap() - by_runs(&cells)).abs() < 1e-12);
        cells.reverse();
        assert!((icc(&cells).unwrap() - by_runs(&cells)).abs() < 1e-12);
        assert!((icc(&[Count::new(8, 8), Count::new(0, 8)]).unwrap() - 1.0).abs() < 1e-15);
        assert!(icc(&[Count::new(4, 8), Count::new(4, 8)]).unwrap() < 0.0);
    }

    #[test]
    fn what_has_no_correlation() {
        assert_eq!(icc(&[]), Err(Undefined::NoCells));
        assert_eq!(icc(&[Count::new(1, 8)]), Err(Undefined::OneCell));
        assert_eq!(icc(&[Count::new(1, 1), Count::new(0, 1)]), Err(Undefined::OneRunEach));
        assert_eq!(icc(&[Count::new(0, 8), Count::new(0, 8)]), Err(Undefined::AllAlike));
    }
}
