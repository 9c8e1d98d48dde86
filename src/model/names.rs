//! The names of an object's members.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

use super::Text;

/// With so many names a scan is as fast as an index, and needs none.
const FEW: usize = 64;

/// The names of an object's members in written order, each once. Rows of a table can share theirs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(Arc<Held>);

#[derive(Debug, Default)]
struct Held {
    list: Vec<Text>,
    /// Of many names the place of each. Hashes are keyed by chance, so that no names can be made to collide.
    places: Option<HashMap<Text, usize>>,
}

impl Names {
    /// From names of which none is repeated; the caller knows that.
    pub fn from_unique(list: Vec<Text>) -> Self {
        let place = |(place, name): (usize, &Text)| (name.clone(), place);
        let places = (list.len() > FEW).then(|| list.iter().enumerate().map(place).collect());
        Self(Arc::new(Held { list, places }))
    }

    /// Where the name with these bytes stands.
    pub fn place(&self, name: &[u8]) -> Option<usize> {
        match &self.0.places {
            Some(places) => places.get(name).copied(),
            None => self.iter().position(|seen| seen.as_bytes() == name),
        }
    }

    /// As [`Names::place`], where it is known as a text.
    pub fn place_of(&self, name: &Text) -> Option<usize> {
        match &self.0.places {
            Some(places) => places.get(name).copied(),
            None => self.iter().position(|seen| seen == name),
        }
    }

    /// True if both are the same names in the same order.
    pub fn alike(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || **self == **other
    }

    /// The names, to be owned.
    pub fn into_list(self) -> Vec<Text> {
        Arc::try_unwrap(self.0).map_or_else(|shared| shared.list.clone(), |held| held.list)
    }
}

/// The names in written order.
impl Deref for Names {
    type Target = [Text];

    fn deref(&self) -> &[Text] {
        &self.0.list
    }
}
