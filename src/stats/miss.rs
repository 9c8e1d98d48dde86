//! How often an audit misses damage, over the cells that do damage.
//!
//! Two weightings, because they answer two questions. *Pair-weighted*: of the (model, task) pairs that can
//! do damage, how often does the audit pass one. *Event-weighted*: of the damage seen, how much sits in a
//! cell that the audit passes. They can lie on opposite sides of a threshold, so both always stand together.

use super::hat_k::audit_miss_at;
use super::{Count, Estimator, Undefined, check_all};

/// Miss rates over the damage-producing cells, with their denominators.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MissRates {
    /// Unweighted mean over the pairs.
    pub pair: f64,
    /// `Σ x·miss / Σ x`.
    pub event: f64,
    /// Damage-producing cells: those with `x > 0`.
    pub pairs: usize,
    /// Damage runs, `Σ x`.
    pub events: u64,
}

/// Miss rates of an audit of one run: `(n − x)/n` in each cell.
///
/// # Errors
/// No cells, a cell that is no tally, or no cell with damage.
pub fn miss_rates(cells: &[Count]) -> Result<MissRates, Undefined> {
    miss_rates_at(cells, 1, Estimator::PlugIn)
}

/// Miss rates of an audit of `k` runs. At `k = 1` both estimators agree.
///
/// # Errors
/// No cells, a cell that is no tally, `k = 0`, no cell with damage, or, with [`Estimator::Unbiased`], a
/// damage-producing cell of fewer than k runs, which is named by its index in `cells`.
pub fn miss_rates_at(cells: &[Count], k: u64, estimator: Estimator) -> Result<MissRates, Undefined> {
    check_all(cells)?;
    let (mut pairs, mut events, mut sum, mut weighted) = (0, 0_u64, 0.0, 0.0);
    for (index, &cell) in cells.iter().enumerate().filter(|(_, cell)| cell.x > 0) {
        let miss = audit_miss_at(cell, k, estimator, index)?;
        pairs += 1;
        events = events.saturating_add(cell.x);
        sum += miss;
        weighted += cell.x as f64 * miss;
    }
    if pairs == 0 {
        return Err(Undefined::NoDamage);
    }
    Ok(MissRates { pair: sum / pairs as f64, event: weighted / events as f64, pairs, events })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weightings_differ_where_cells_do() {
        let cells = [Count::new(0, 8), Count::new(1, 8), Count::new(6, 8)];
        let rates = miss_rates(&cells).unwrap();
        assert_eq!((rates.pairs, rates.events), (2, 7));
        assert!((rates.pair - (7.0 / 8.0 + 2.0 / 8.0) / 2.0).abs() < 1e-15);
        assert!((rates.event - (7.0 / 8.0 + 6.0 * 2.0 / 8.0) / 7.0).abs() < 1e-15);
    }

    #[test]
    fn without_damage_there_is_no_rate() {
        assert_eq!(miss_rates(&[Count::new(0, 8)]), Err(Undefined::NoDamage));
        assert_eq!(miss_rates(&[]), Err(Undefined::NoCells));
    }

    #[test]
    fn the_unbiased_audit_needs_its_runs_only_where_damage_is() {
        let cells = [Count::new(0, 2), Count::new(1, 8), Count::new(1, 3)];
        let short = miss_rates_at(&cells, 4, Estimator::Unbiased);
        assert_eq!(short, Err(Undefined::BeyondRuns { index: 2, k: 4, n: 3 }));
        assert_eq!(miss_rates_at(&cells[..2], 4, Estimator::Unbiased).unwrap().pair, 0.5);
        assert!(miss_rates_at(&cells, 4, Estimator::PlugIn).is_ok());
    }

    #[test]
    fn order_does_not_matter_and_longer_audits_miss_less() {
        let mut cells = vec![Count::new(1, 8), Count::new(3, 16), Count::new(0, 8), Count::new(12, 16)];
        for estimator in [Estimator::PlugIn, Estimator::Unbiased] {
            let rates: Vec<_> = (1..=8).map(|k| miss_rates_at(&cells, k, estimator).unwrap()).collect();
            assert!(rates.windows(2).all(|w| w[1].pair < w[0].pair && w[1].event < w[0].event));
            cells.reverse();
            let turned = miss_rates_at(&cells, 8, estimator).unwrap();
            assert!((turned.pair - rates[7].pair).abs() < 1e-15);
            assert!((turned.event - rates[7].event).abs() < 1e-15);
        }
    }
}
