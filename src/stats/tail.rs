//! The binomial tail and its inverse, exact for every n and every tail probability down to the
//! smallest float.
//!
//! Everything is in logarithms, relative to the observed share: `v = ln(p·n/x)`. Then
//!
//! - `ln P(X = x | p) = c − D`, where `c` is the log mass at `p = x/n` (Stirling's error terms, Loader
//!   2000, "Fast and accurate computation of binomial probabilities") and
//!   `D = x·(eᵛ − 1 − v) + (n−x)·(eʷ − 1 − w)`, `w = ln((1−p)·n/(n−x))`: no large terms cancel.
//! - `P(X ≥ x) = P(X = x)·S`, where `S` sums the ratios of following terms: all positive, about √n of them.
//! - `d ln P(X ≥ x) / dv = x/S`, which falls as p grows. So `ln P` is concave and rising in `v`, and
//!   Newton's method from below climbs to the root and never passes it.

/// A probability with its complement, each to full relative accuracy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Split {
    /// The probability.
    pub p: f64,
    /// One less the probability.
    pub q: f64,
}

/// More steps than Newton's method takes for any count: a guard, not a tuning knob.
const MAX_STEPS: usize = 200;

/// The `p` with `ln P(X ≥ x | n, p) = ln_tail`, for `1 ≤ x ≤ n` and `ln_tail < 0`.
pub(super) fn solve_upper_tail(x: u64, n: u64, ln_tail: f64) -> Split {
    if x == n {
        let ln_p = ln_tail / n as f64;
        return Split { p: ln_p.exp(), q: -ln_p.exp_m1() };
    }
    let tail = Tail::new(x, n);
    // P(X ≥ x) ≤ C(n,x)·pˣ, so the p at which the right side meets the target lies below the root.
    let mut v = (ln_tail - tail.ln_mode_mass + tail.rest * (tail.rest / tail.n).ln()) / tail.x;
    for step in 0..MAX_STEPS {
        let (ln_prob, series) = tail.ln_upper(v);
        let delta = (ln_tail - ln_prob) * series / tail.x;
        // A non-positive step from below is rounding: the root is reached.
        if !delta.is_finite() || (step > 0 && delta <= 0.0) {
            break;
        }
        v += delta;
        if delta.abs() <= f64::EPSILON * v.abs() {
            break;
        }
    }
    tail.split(v)
}

/// `P(X ≥ x | n, p)`, for `x ≤ n` and `0 < p < 1`.
pub(super) fn upper_tail(x: u64, n: u64, p: f64) -> f64 {
    if x == 0 {
        return 1.0;
    }
    if x == n {
        return p.powf(n as f64);
    }
    let tail = Tail::new(x, n);
    tail.ln_upper((p * tail.n / tail.x).ln()).0.exp().min(1.0)
}

/// One count, prepared for evaluation at many `p`.
struct Tail {
    x: f64,
    n: f64,
    /// `n − x`, positive.
    rest: f64,
    /// `ln P(X = x | p = x/n)`.
    ln_mode_mass: f64,
}

impl Tail {
    fn new(x: u64, n: u64) -> Self {
        let (xf, nf, rest) = (x as f64, n as f64, (n - x) as f64);
        let ln_mode_mass = stirling_error(nf) - stirling_error(xf) - stirling_error(rest)
            + 0.5 * (nf / (std::f64::consts::TAU * xf * rest)).ln();
        Self { x: xf, n: nf, rest, ln_mode_mass }
    }

    /// `w = ln((1−p)·n/(n−x))`.
    fn complement(&self, v: f64) -> f64 {
        (-self.x * v.exp_m1() / self.rest).ln_1p()
    }

    fn split(&self, v: f64) -> Split {
        Split { p: self.x / self.n * v.exp(), q: self.rest / self.n * self.complement(v).exp() }
    }

    /// `ln P(X ≥ x)` and the series `S`.
    fn ln_upper(&self, v: f64) -> (f64, f64) {
        let w = self.complement(v);
        let deviance = self.x * (v.exp_m1() - v) + self.rest * (w.exp_m1() - w);
        let odds = self.x / self.rest * (v - w).exp();
        let (mut term, mut series, mut above) = (1.0, 1.0, self.x);
        while above < self.n {
            let ratio = (self.n - above) / (above + 1.0) * odds;
            term *= ratio;
            series += term;
            above += 1.0;
            if ratio < 1.0 && term < series * 1e-17 {
                break;
            }
        }
        (self.ln_mode_mass - deviance + f64::ln(series), series)
    }
}

/// `ln k! − ln(√(2πk)·(k/e)ᵏ)`, Stirling's error, for whole `k ≥ 1`.
pub(super) fn stirling_error(k: f64) -> f64 {
    /// From here on five terms of the asymptotic series are exact to the last bit.
    const SERIES_FROM: f64 = 16.0;
    if k < SERIES_FROM {
        let factorial: f64 = (1..=k as u64).map(|i| i as f64).product();
        return factorial.ln() - (k + 0.5) * k.ln() + k - 0.5 * std::f64::consts::TAU.ln();
    }
    let square = k * k;
    (1.0 / 12.0
        - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / 1188.0 / square) / square) / square) / square)
        / k
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stirling_error_meets_its_series() {
        // ln 15! and ln 16! from exact integers.
        for (k, ln_factorial) in [(15.0, 1_307_674_368_000_f64.ln()), (16.0, 20_922_789_888_000_f64.ln())] {
            let direct: f64 = ln_factorial - (k + 0.5) * f64::ln(k) + k - 0.5 * std::f64::consts::TAU.ln();
            assert!((stirling_error(k) - direct).abs() < 1e-14, "{k}");
        }
    }

    #[test]
    fn tail_of_a_coin() {
        // P(X ≥ 2 | n = 3, p = 1/2) = 1/2.
        let at = solve_upper_tail(2, 3, 0.5_f64.ln());
        assert!((at.p - 0.5).abs() < 1e-15 && (at.q - 0.5).abs() < 1e-15);
    }
}
