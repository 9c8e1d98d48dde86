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
    // The smallest positive float stands in for what is smaller: still a valid, wider interval.
    Ok(each.max(f64::from_bits(1)))
}
