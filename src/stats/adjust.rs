//! Many intervals, many tests: what each may risk, so that all together risk `alpha`.

use super::{Undefined, check_alpha};

/// How the error level is shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// `alpha / m`: holds under any dependence.
    Bonferroni,
    /// `1 − (1 − alpha)^(1/m)` (Šidák 1967): a little narrower, holds for independent cells.
    Sidak,
}

/// The level of each of `m` intervals or tests.
///
/// # Errors
/// `m = 0`, or alpha outside (0, 1).
pub fn alpha_each(alpha: f64, m: usize, family: Family) -> Result<f64, Undefined> {
    check_alpha(alpha)?;
    if m == 0 {
        return Err(Undefined::NoCells);
    }
    let m = m as f64;
    let each = match family {
        Family::Bonferroni => alpha / m,
        Family::Sidak => -((-alpha).ln_1p() / m).exp_m1(),
    };
    // The smallest positive float stands in for what is smaller still.
    Ok(each.max(f64::from_bits(1)))
}

/// Adjusted p values, in the order given: each is to be compared with the level of the whole family.
///
/// # Errors
/// No p values, or one outside `[0, 1]`, which is named.
pub fn adjusted(p: &[f64], family: Family) -> Result<Vec<f64>, Undefined> {
    check_p(p)?;
    let m = p.len() as f64;
    let adjust = |&p: &f64| match family {
        Family::Bonferroni => (p * m).min(1.0),
        Family::Sidak => -((-p).ln_1p() * m).exp_m1(),
    };
    Ok(p.iter().map(adjust).collect())
}

/// Holm's adjusted p values (Holm 1979), in the order given: never above Bonferroni's, and valid under any
/// dependence too. The i-th smallest of m is multiplied by `m − i + 1`, and none is below a smaller one's.
///
/// # Errors
/// No p values, or one outside `[0, 1]`, which is named.
pub fn holm(p: &[f64]) -> Result<Vec<f64>, Undefined> {
    check_p(p)?;
    let mut ranked: Vec<(usize, f64)> = p.iter().copied().enumerate().collect();
    ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut floor = 0.0_f64;
    for (rank, (_, value)) in ranked.iter_mut().enumerate() {
        floor = floor.max(*value * (p.len() - rank) as f64).min(1.0);
        *value = floor;
    }
    ranked.sort_by_key(|&(index, _)| index);
    Ok(ranked.into_iter().map(|(_, value)| value).collect())
}

fn check_p(p: &[f64]) -> Result<(), Undefined> {
    if p.is_empty() {
        return Err(Undefined::NoCells);
    }
    match p.iter().position(|p| !(0.0..=1.0).contains(p)) {
        Some(index) => Err(Undefined::NotAProbability { index }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_a_family() {
        assert_eq!(alpha_each(0.05, 1, Family::Bonferroni), Ok(0.05));
        assert_eq!(alpha_each(0.05, 20, Family::Bonferroni), Ok(0.0025));
        let each = alpha_each(0.05, 20, Family::Sidak).unwrap();
        assert!((1.0 - (1.0 - each).powi(20) - 0.05).abs() < 1e-15);
        assert!(each > 0.0025);
        assert_eq!(alpha_each(0.05, 0, Family::Sidak), Err(Undefined::NoCells));
        assert_eq!(alpha_each(2.0, 1, Family::Sidak), Err(Undefined::Alpha(2.0)));
    }

    #[test]
    fn holm_by_hand() {
        let p = [0.04, 0.01, 0.03, 0.005];
        let right = [0.06, 0.03, 0.06, 0.02];
        for (got, right) in holm(&p).unwrap().into_iter().zip(right) {
            assert!((got - right).abs() < 1e-15);
        }
        assert_eq!(holm(&[0.9, 0.8]), Ok(vec![1.0, 1.0]));
    }

    #[test]
    fn holm_lies_between_the_raw_and_bonferronis() {
        let p = [0.2, 0.0, 1.0, 0.011, 0.011, 0.5];
        let bonferroni = adjusted(&p, Family::Bonferroni).unwrap();
        let sidak = adjusted(&p, Family::Sidak).unwrap();
        for (i, holm) in holm(&p).unwrap().into_iter().enumerate() {
            assert!(p[i] <= holm && holm <= bonferroni[i] && sidak[i] <= bonferroni[i] && p[i] <= sidak[i]);
        }
    }

    #[test]
    fn what_is_no_probability_is_named() {
        assert_eq!(holm(&[0.1, f64::NAN]), Err(Undefined::NotAProbability { index: 1 }));
        assert_eq!(adjusted(&[1.1], Family::Sidak), Err(Undefined::NotAProbability { index: 0 }));
        assert_eq!(holm(&[]), Err(Undefined::NoCells));
    }
}
