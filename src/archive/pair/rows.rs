//! The rows of one table of a seed: where each lies, and which has what key.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::ops::Range;

use super::super::json::Reader;
use super::layout::{IN_ROW, IN_TABLE};
use crate::model::{Names, Row, Text, Value};

/// The rows of a table that is not odd: each has the same columns in one order, and a key of its own.
pub(super) struct Rows {
    /// Where each begins and ends, from the start of the table.
    spans: Vec<(u32, u32)>,
    /// Rows by the hash of their key, sorted. The hashes differ: a table in which two are alike is odd.
    by_key: Vec<(u64, u32)>,
    hasher: RandomState,
    /// The columns of every row; none if there is no row.
    pub columns: Names,
    /// The columns of the key.
    pub key: Vec<Text>,
}

impl Rows {
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Where a row lies, from the start of the table.
    pub fn span(&self, row: usize) -> Option<Range<usize>> {
        self.spans.get(row).map(|(start, end)| *start as usize..*end as usize)
    }

    /// The first row that ends behind this place.
    pub fn first_ending_behind(&self, place: usize) -> usize {
        self.spans.partition_point(|(_, end)| *end as usize <= place)
    }

    /// The hash of a row's key; `None` if a column of it is missing.
    pub fn hash(&self, row: &Row) -> Option<u64> {
        let parts: Option<Vec<&Value>> = self.key.iter().map(|column| row.column(column)).collect();
        Some(hash(&self.hasher, parts?.into_iter()))
    }

    /// True if a row has the columns of this table's rows, in any order; any will do if there are none.
    pub fn fit(&self, row: &Row) -> bool {
        let mut columns = self.columns.iter().enumerate();
        self.spans.is_empty()
            || (row.len() == self.columns.len()
                && columns.all(|(place, name)| row.column_near(name, place).is_some()))
    }

    /// The row whose key has this hash.
    pub fn find(&self, hash: u64) -> Option<usize> {
        let place = self.by_key.binary_search_by_key(&hash, |(seen, _)| *seen).ok()?;
        self.by_key.get(place).map(|(_, row)| *row as usize)
    }

    /// How much memory it takes, about.
    pub fn size(&self) -> usize {
        self.spans.len() * (size_of::<(u32, u32)>() + size_of::<(u64, u32)>())
    }
}

/// Equal keys hash alike however they are spelled, as their values do. The hash is keyed by chance, so that
/// no dump can be made in which they collide.
fn hash<'v>(hasher: &RandomState, parts: impl Iterator<Item = &'v Value>) -> u64 {
    let mut state = hasher.build_hasher();
    parts.for_each(|part| part.hash(&mut state));
    state.finish()
}

/// Passes a table's array; `key` is empty if it is not known. `None` if it is no list of objects; `Some(None)`
/// if the table is odd.
pub(super) fn index(reader: &mut Reader<'_>, key: &[Text]) -> Option<Option<Rows>> {
    let origin = reader.at;
    if reader.peek() != Some(b'[') {
        return None;
    }
    let mut indexer = (!key.is_empty()).then(|| Indexer::new(origin, key));
    let mut more = !reader.is_empty(b']');
    while more {
        reader.skip_space();
        let start = reader.at;
        if reader.peek() != Some(b'{') {
            return None;
        }
        let regular = match &mut indexer {
            Some(indexer) => indexer.row(reader)?,
            None => false,
        };
        if !regular {
            indexer = None;
            reader.at = start;
            reader.skip(IN_TABLE).ok()?;
        }
        more = reader.more(b']').ok()?;
    }
    Some(indexer.and_then(Indexer::finish))
}

/// The rows of a table so far.
struct Indexer<'a> {
    origin: usize,
    rows: Rows,
    /// The columns as they are written.
    columns: Vec<&'a [u8]>,
    /// Which columns are the key's, by place.
    key_places: Vec<usize>,
    /// The key of the row at hand.
    parts: Vec<Value>,
}

impl<'a> Indexer<'a> {
    fn new(origin: usize, key: &[Text]) -> Self {
        let rows = Rows {
            spans: Vec::new(),
            by_key: Vec::new(),
            hasher: RandomState::new(),
            columns: Names::default(),
            key: key.to_vec(),
        };
        let parts = vec![Value::Null; key.len()];
        Self { origin, rows, columns: Vec::new(), key_places: Vec::new(), parts }
    }

    /// Passes a row. `None` if it is not sound; false if it makes the table odd, and then somewhere in it.
    fn row(&mut self, reader: &mut Reader<'a>) -> Option<bool> {
        let start = reader.at;
        if self.rows.spans.is_empty() {
            if !self.first(reader)? {
                return Some(false);
            }
            reader.at = start;
        }
        if reader.is_empty(b'}') {
            return Some(false);
        }
        let mut columns = self.columns.iter().enumerate();
        loop {
            let name = reader.name_bytes().ok()?;
            let Some((place, _)) = columns.next().filter(|(_, column)| name == Some(**column)) else {
                return Some(false);
            };
            match self.key_places.iter().zip(&mut self.parts).find(|(key, _)| **key == place) {
                Some((_, part)) => *part = reader.read(IN_ROW).ok()?,
                None => reader.skip(IN_ROW).ok()?,
            }
            if !reader.more(b'}').ok()? {
                break;
            }
        }
        let ends = (u32::try_from(start - self.origin), u32::try_from(reader.at - self.origin));
        let (Ok(start), Ok(end), Ok(row)) = (ends.0, ends.1, u32::try_from(self.rows.len())) else {
            return Some(false);
        };
        self.rows.spans.push((start, end));
        self.rows.by_key.push((hash(&self.rows.hasher, self.parts.iter()), row));
        Some(columns.next().is_none())
    }

    /// Learns the columns from the first row.
    fn first(&mut self, reader: &mut Reader<'a>) -> Option<bool> {
        let mut more = !reader.is_empty(b'}');
        while more {
            let Some(name) = reader.name_bytes().ok()? else { return Some(false) };
            self.columns.push(name);
            reader.skip(IN_ROW).ok()?;
            more = reader.more(b'}').ok()?;
        }
        if self.columns.iter().collect::<HashSet<_>>().len() < self.columns.len() {
            return Some(false);
        }
        let columns = self.columns.iter().map(|name| Text::from_wtf8(name)).collect();
        self.rows.columns = Names::from_unique(columns);
        let places: Option<Vec<usize>> =
            self.rows.key.iter().map(|column| self.rows.columns.place_of(column)).collect();
        self.key_places = places.unwrap_or_default();
        Some(!self.key_places.is_empty())
    }

    fn finish(self) -> Option<Rows> {
        let mut rows = self.rows;
        rows.by_key.sort_unstable();
        let unique = rows.by_key.windows(2).all(|pair| matches!(pair, [a, b] if a.0 != b.0));
        unique.then_some(rows)
    }
}
