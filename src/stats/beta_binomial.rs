//! Do cells differ more than chance makes them? A beta-binomial fitted by moments.
//!
//! Each cell's true rate is drawn from Beta(α, β) with mean `μ = α/(α+β)`; the intraclass correlation
//! `ρ = 1/(α+β+1)` is 0 when all cells share one rate and 1 when each always or never does damage. By
//! moments over m cells (Kleinman 1973, with mean cell size): `μ = Σx/Σn`, `n̄ = Σn/m`,
//! `v = Σ(p̂−μ)²/(m−1)`, `ρ = (v·n̄/(μ(1−μ)) − 1)/(n̄−1)`. The p value compares with one common rate by the
//! likelihood ratio, against χ² with one degree of freedom.

use statrs::function::gamma::checked_gamma_ur;

use super::{Count, Undefined, check_all};

/// The likelihood has no value at ρ = 1: it is taken at most here.
const LIKELIHOOD_CAP: f64 = 0.999;

/// A fitted beta-binomial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BetaBinomial {
    /// Cells fitted.
    pub cells: usize,
    /// The mean rate.
    pub mu: f64,
    /// ρ as the moments give it: may be negative, or above 1.
    pub icc_raw: f64,
    /// ρ within `[0, 1]`.
    pub icc: f64,
    /// First shape; infinite at ρ = 0.
    pub alpha: f64,
    /// Second shape; infinite at ρ = 0.
    pub beta: f64,
    /// Twice the gain in log-likelihood over one common rate, at least 0.
    pub likelihood_ratio: f64,
    /// `erfc(√(LR/2))`; 1 at ρ = 0.
    pub p: f64,
}

/// Fits by moments.
///
/// # Errors
/// No cells, a cell that is no tally, one cell only, one run in every cell, or cells that are all clean or
/// all damaged.
pub fn beta_binomial(cells: &[Count]) -> Result<BetaBinomial, Undefined> {
    check_all(cells)?;
    let m = cells.len() as f64;
    if cells.len() == 1 {
        return Err(Undefined::OneCell);
    }
    if cells.iter().all(|cell| cell.n == 1) {
        return Err(Undefined::OneRunEach);
    }
    let runs: f64 = cells.iter().map(|cell| cell.n as f64).sum();
    let events: f64 = cells.iter().map(|cell| cell.x as f64).sum();
    if events == 0.0 || events == runs {
        return Err(Undefined::AllAlike);
    }
    let mu = events / runs;
    let size = runs / m;
    let variance =
        cells.iter().map(|cell| (cell.x as f64 / cell.n as f64 - mu).powi(2)).sum::<f64>() / (m - 1.0);
    let icc_raw = (variance * size / (mu * (1.0 - mu)) - 1.0) / (size - 1.0);
    let icc = icc_raw.clamp(0.0, 1.0);
    let likelihood_ratio = if icc == 0.0 { 0.0 } else { likelihood_ratio(cells, mu, icc) };
    Ok(BetaBinomial {
        cells: cells.len(),
        mu,
        icc_raw,
        icc,
        alpha: mu * precision(icc),
        beta: (1.0 - mu) * precision(icc),
        likelihood_ratio,
        p: chi_square_tail(likelihood_ratio),
    })
}

/// `erfc(√(LR/2))`, the tail of χ² with one degree of freedom, as the incomplete gamma function it is:
/// statrs' `erfc` itself is good to 10 digits only.
fn chi_square_tail(likelihood_ratio: f64) -> f64 {
    if likelihood_ratio == 0.0 { 1.0 } else { checked_gamma_ur(0.5, likelihood_ratio / 2.0).unwrap_or(0.0) }
}

/// `α + β` at ρ.
fn precision(icc: f64) -> f64 {
    if icc == 0.0 { f64::INFINITY } else { (1.0 - icc) / icc }
}

/// Twice the log of `Π BetaBinomial(x) / Binomial(x)`. The binomial coefficients and the powers of μ cancel
/// term by term, so what is summed is small where the models agree.
fn likelihood_ratio(cells: &[Count], mu: f64, icc: f64) -> f64 {
    let whole = precision(icc.min(LIKELIHOOD_CAP));
    let (alpha, beta) = (mu * whole, (1.0 - mu) * whole);
    let gain: f64 = cells
        .iter()
        .map(|cell| ln_rising(alpha, cell.x) + ln_rising(beta, cell.n - cell.x) - ln_rising(whole, cell.n))
        .sum();
    (2.0 * gain).max(0.0)
}

/// `Σ ln(1 + i/a)` over `i < m`: the first terms one by one, the rest by Euler–Maclaurin, whose error is
/// then below the last bit.
fn ln_rising(a: f64, m: u64) -> f64 {
    const DIRECT: u64 = 64;
    let head: f64 = (0..m.min(DIRECT)).map(|i| (i as f64 / a).ln_1p()).sum();
    if m <= DIRECT {
        return head;
    }
    let (from, to) = (DIRECT as f64, m as f64);
    let value = |t: f64| (t / a).ln_1p();
    let integral = |t: f64| (a + t) * value(t) - t;
    let slope = |t: f64| 1.0 / (a + t);
    let third = |t: f64| 2.0 / (a + t).powi(3);
    head + integral(to) - integral(from) + (value(from) - value(to)) / 2.0 + (slope(to) - slope(from)) / 12.0
        - (third(to) - third(from)) / 720.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rising_products_agree_with_their_terms() {
        for a in [1e-3, 0.23, 6.8, 1e4, 1e9] {
            for m in [0, 1, 2, 63, 64, 65, 200, 5_000] {
                let direct: f64 = (0..m).map(|i| (i as f64 / a).ln_1p()).sum();
                assert!((ln_rising(a, m) - direct).abs() <= 1e-12 * direct.max(1.0), "{a} {m}");
            }
        }
    }

    #[test]
    fn the_tail_is_the_complementary_error_function() {
        // erfc(z) with LR = 2z², to 16 digits.
        let cases = [
            (0.5, 0.479_500_122_186_953_5),
            (1.0, 0.157_299_207_050_285_13),
            (2.0, 4.677_734_981_047_266e-3),
            (5.0, 1.537_459_794_428_035e-12),
            (20.0, 5.395_865_611_607_901e-176),
        ];
        for (z, right) in cases {
            let got = chi_square_tail(2.0 * z * z);
            assert!((got - right).abs() <= 1e-12 * right, "{z}: {got}");
        }
        let tails: Vec<f64> = (0..20_000).map(|i| chi_square_tail(f64::from(i) * 0.1)).collect();
        assert!(tails.windows(2).all(|pair| pair[0] >= pair[1]) && tails[0] == 1.0);
    }

    #[test]
    fn one_common_rate_is_floored() {
        let fit = beta_binomial(&[Count::new(2, 8), Count::new(2, 8), Count::new(2, 8)]).unwrap();
        assert!(fit.icc_raw < 0.0);
        assert_eq!((fit.icc, fit.p, fit.alpha, fit.beta), (0.0, 1.0, f64::INFINITY, f64::INFINITY));
    }

    #[test]
    fn all_or_nothing_is_capped() {
        let fit = beta_binomial(&[Count::new(8, 8), Count::new(0, 8)]).unwrap();
        assert!(fit.icc_raw > 1.0);
        assert_eq!((fit.icc, fit.alpha, fit.beta), (1.0, 0.0, 0.0));
        assert!(fit.p > 0.0 && fit.p < 1e-4);
    }

    #[test]
    fn what_cannot_be_fitted() {
        assert_eq!(beta_binomial(&[]), Err(Undefined::NoCells));
        assert_eq!(beta_binomial(&[Count::new(1, 8)]), Err(Undefined::OneCell));
        assert_eq!(beta_binomial(&[Count::new(1, 1), Count::new(0, 1)]), Err(Undefined::OneRunEach));
        assert_eq!(beta_binomial(&[Count::new(0, 8), Count::new(0, 8)]), Err(Undefined::AllAlike));
        assert_eq!(beta_binomial(&[Count::new(8, 8), Count::new(8, 8)]), Err(Undefined::AllAlike));
    }

    #[test]
    fn a_million_runs_and_any_order() {
        let mut cells = [Count::new(500_000, 1_000_000), Count::new(499_000, 1_000_000), Count::new(3, 8)];
        let fit = beta_binomial(&cells).unwrap();
        assert!(fit.likelihood_ratio.is_finite() && (0.0..=1.0).contains(&fit.p));
        cells.reverse();
        assert!((beta_binomial(&cells).unwrap().icc_raw - fit.icc_raw).abs() < 1e-15);
    }
}
