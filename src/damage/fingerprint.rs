//! A state in eight bytes, so that the post-seed states of many runs need not be kept to be compared.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::finding::tables_of;
use crate::model::State;

/// Equal for states that hold the same rows: unmasked, row and column order ignored, bookkeeping tables and
/// the database's id left out. States that differ get different ones but for a chance of 2⁻⁶⁴; see
/// [`super::drift`] for what differs. Another build may give others: then the states are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The eight bytes, to be stored.
    #[must_use]
    pub fn to_bits(self) -> u64 {
        self.0
    }

    /// The inverse of [`Fingerprint::to_bits`].
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

/// The fingerprint of a state.
#[must_use]
pub fn fingerprint(state: &State) -> Fingerprint {
    let mut whole = DefaultHasher::new();
    for name in tables_of(state, &State::default()) {
        let Some(table) = state.tables.get(name) else { continue };
        name.hash(&mut whole);
        table.rows.len().hash(&mut whole);
        // A sum does not depend on the order of its terms.
        let rows = table.rows.iter().fold(0u128, |sum, row| {
            let mut hasher = DefaultHasher::new();
            row.hash(&mut hasher);
            sum.wrapping_add(u128::from(hasher.finish()))
        });
        rows.hash(&mut whole);
    }
    Fingerprint(whole.finish())
}
