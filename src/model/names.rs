//! The names of an object's members.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::Text;

/// With so many names a scan is as fast as an index, and needs none.
const FEW: usize = 64;

/// The names of an object's members in written order, each once. Rows of a table can share theirs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(Arc<Held>);

#[derive(Debug, Default)]
struct Held {
    list: Vec<Text>,
    /// Of many names the place of each, from the first time one is looked up. Hashes are keyed by chance, so
    /// that no names can be made to collide.
    places: OnceLock<HashMap<Text, usize>>,
}

impl Names {
    /// From names of which none is repeated; the caller knows that.
    pub fn from_unique(list: Vec<Text>) -> Self {
        Self(Arc::new(Held { list, places: OnceLock::new() }))
    }

    /// The names in written order.
    pub fn as_slice(&self) -> &[Text] {
        &self.0.list
    }

    /// Where a name stands.
    pub fn place(&self, name: &Text) -> Option<usize> {
        let list = self.as_slice();
        if list.len() <= FEW {
            return list.iter().position(|seen| seen == name);
        }
        self.places().get(name).copied()
    }

    /// As [`Names::place`], by the name's bytes.
    pub fn place_of(&self, name: &str) -> Option<usize> {
        let list = self.as_slice();
        if list.len() <= FEW {
            return list.iter().position(|seen| *seen == *name);
        }
        self.places().get(name.as_bytes()).copied()
    }

    /// True if both are the same names in the same order.
    pub fn alike(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.as_slice() == other.as_slice()
    }

    /// The names, to be owned.
    pub fn into_list(self) -> Vec<Text> {
        Arc::try_unwrap(self.0).map_or_else(|shared| shared.list.clone(), |held| held.list)
    }

    fn places(&self) -> &HashMap<Text, usize> {
        let list = &self.0.list;
        self.0
            .places
            .get_or_init(|| list.iter().enumerate().map(|(place, name)| (name.clone(), place)).collect())
    }
}
