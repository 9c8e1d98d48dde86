//! Which cells are neither safe nor broken, and how much of the damage is theirs.

use super::{Count, Interval, Undefined, check_all, clopper_pearson};

/// Strictly inside this band a share is neither "never" nor "always".
pub const STOCHASTIC_BAND: Interval = Interval { low: 0.05, high: 0.95 };

/// The demonstrably stochastic cells of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Stochastic {
    /// Their indices, ascending.
    pub cells: Vec<usize>,
    /// Damage runs in them.
    pub events: u64,
    /// Damage runs in all cells.
    pub of_events: u64,
}

impl Stochastic {
    /// Their share of all damage.
    ///
    /// # Errors
    /// No damage anywhere.
    pub fn damage_share(&self) -> Result<f64, Undefined> {
        if self.of_events == 0 {
            Err(Undefined::NoDamage)
        } else {
            Ok(self.events as f64 / self.of_events as f64)
        }
    }
}

/// The cells whose exact interval at `1 − alpha` lies strictly inside the band.
///
/// # Errors
/// No cells, a cell that is no tally, or alpha outside (0, 1).
pub fn demonstrably_stochastic(cells: &[Count], alpha: f64, band: Interval) -> Result<Stochastic, Undefined> {
    check_all(cells)?;
    let mut found = Stochastic { cells: Vec::new(), events: 0, of_events: events(cells) };
    for (index, cell) in cells.iter().enumerate() {
        if clopper_pearson(cell.x, cell.n, alpha)?.strictly_inside(band) {
            found.cells.push(index);
            found.events = found.events.saturating_add(cell.x);
        }
    }
    Ok(found)
}

/// The indices of the cells in which every run did damage.
///
/// # Errors
/// No cells, or a cell that is no tally.
pub fn always_fail(cells: &[Count]) -> Result<Vec<usize>, Undefined> {
    check_all(cells)?;
    Ok(cells.iter().enumerate().filter(|(_, cell)| cell.x == cell.n).map(|(index, _)| index).collect())
}

/// For each ε: the share of damage runs that sit in cells with `ε < p̂ < 1 − ε`. Without any damage the
/// share is 0 by definition: no damage sits there.
///
/// # Errors
/// No cells, or a cell that is no tally.
pub fn damage_mass_share(cells: &[Count], epsilons: &[f64]) -> Result<Vec<f64>, Undefined> {
    check_all(cells)?;
    let all = events(cells);
    let share = |&epsilon: &f64| {
        // Both sides compare with ε itself, so that the band is symmetric in floating point too.
        let inside = |cell: &&Count| {
            let (x, clean, n) = (cell.x as f64, (cell.n - cell.x) as f64, cell.n as f64);
            x / n > epsilon && clean / n > epsilon
        };
        let mass = cells.iter().filter(inside).fold(0_u64, |sum, cell| sum.saturating_add(cell.x));
        if all == 0 { 0.0 } else { mass as f64 / all as f64 }
    };
    Ok(epsilons.iter().map(share).collect())
}

fn events(cells: &[Count]) -> u64 {
    cells.iter().fold(0, |sum, cell| sum.saturating_add(cell.x))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELLS: [Count; 5] =
        [Count::new(0, 8), Count::new(1, 20), Count::new(12, 16), Count::new(8, 8), Count::new(19, 20)];

    #[test]
    fn only_cells_with_both_bounds_inside() {
        let found = demonstrably_stochastic(&CELLS, 0.05, STOCHASTIC_BAND).unwrap();
        assert_eq!((found.cells.as_slice(), found.events, found.of_events), ([2].as_slice(), 12, 40));
        assert_eq!(found.damage_share(), Ok(0.3));
        let none = demonstrably_stochastic(&CELLS[..1], 0.05, STOCHASTIC_BAND).unwrap();
        assert_eq!(none.damage_share(), Err(Undefined::NoDamage));
    }

    #[test]
    fn always_means_every_run() {
        assert_eq!(always_fail(&CELLS), Ok(vec![3]));
        assert_eq!(always_fail(&[]), Err(Undefined::NoCells));
    }

    #[test]
    fn the_band_of_the_mass_share_is_open_on_both_sides() {
        // 1/20 and 19/20 lie on the edges of ε = 0.05.
        assert_eq!(damage_mass_share(&CELLS, &[0.0, 0.05, 0.25]), Ok(vec![0.8, 0.3, 0.0]));
        assert_eq!(damage_mass_share(&CELLS[..1], &[0.05]), Ok(vec![0.0]));
    }
}
