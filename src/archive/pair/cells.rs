//! Two rows of one key, compared cell by cell: a cell is parsed only if its bytes differ or somebody wants it.

use super::super::json::Reader;
use super::layout::IN_ROW;
use super::rows::Rows;
use crate::model::{Key, Names, Row, RowPair, Text, Value};

/// The rows of one table of a seed, to be compared with others.
pub(super) struct Cells<'a> {
    columns: Vec<Column<'a>>,
    /// The names of the wanted columns.
    wanted: Names,
    /// A key to be filled in.
    key: Key,
}

struct Column<'a> {
    name: &'a Text,
    /// Which part of the key it is, if it is one.
    part: Option<usize>,
    /// Its values are to be in the rows that are given out.
    wanted: bool,
}

/// How two rows compare.
pub(super) enum Compared {
    /// They have one key: what differs, if anything does.
    SameKey(Option<RowPair>),
    /// They have not, or not the same columns in the same order and spelling: this is no pair of cells.
    Unlike,
}

/// A cell of two rows.
struct Cell {
    differs: bool,
    /// Both values, if they were parsed.
    values: Option<(Value, Value)>,
}

impl<'a> Cells<'a> {
    /// `wanted`: columns that the rows of a pair have to have.
    pub fn new(rows: &'a Rows, wanted: impl Fn(&Text) -> bool) -> Self {
        let columns = rows.columns.iter().map(|name| Column {
            name,
            part: rows.key.iter().position(|key| key == name),
            wanted: wanted(name),
        });
        let columns: Vec<Column<'_>> = columns.collect();
        let all = columns.iter().all(|column| column.wanted);
        let names = || columns.iter().filter(|column| column.wanted).map(|column| column.name.clone());
        let wanted = if all { rows.columns.clone() } else { Names::from_unique(names().collect()) };
        let key = match rows.key.as_slice() {
            [_] => Key::Single(Value::Null),
            key => Key::Composite(vec![Value::Null; key.len()]),
        };
        Self { columns, wanted, key }
    }

    /// Compares a row of the seed with another one; each reader stands on its row. `None` if the other is not
    /// sound as far as it was read; `Unlike` leaves its reader somewhere in it.
    pub fn compare(&self, old: &mut Reader<'_>, new: &mut Reader<'_>) -> Option<Compared> {
        if new.peek() != Some(b'{') || old.is_empty(b'}') {
            return None;
        }
        let mut more = !new.is_empty(b'}');
        let mut key = self.key.clone();
        let room = self.wanted.len();
        let (mut before, mut after) = (Vec::with_capacity(room), Vec::with_capacity(room));
        let mut differing = Vec::new();
        for column in &self.columns {
            if !more {
                return Some(Compared::Unlike);
            }
            let Some(cell) = column.compare(old, new)? else { return Some(Compared::Unlike) };
            if cell.differs {
                differing.push(column.name.clone());
            }
            if let Some((was, is)) = cell.values {
                if let Some(part) = column.part {
                    *key.parts_mut().get_mut(part)? = is.clone();
                }
                if column.wanted {
                    before.push(was);
                    after.push(is);
                }
            }
            old.more(b'}').ok()?;
            more = new.more(b'}').ok()?;
        }
        if more {
            return Some(Compared::Unlike);
        }
        if differing.is_empty() {
            return Some(Compared::SameKey(None));
        }
        let row = |values| Some(Row::from_unique(self.wanted.clone(), values));
        let pair = RowPair { key, before: row(before), after: row(after), differing };
        Some(Compared::SameKey(Some(pair)))
    }
}

impl Column<'_> {
    /// Passes a cell of both rows. `Some(None)` if the other row has another name here, or another key.
    fn compare(&self, old: &mut Reader<'_>, new: &mut Reader<'_>) -> Option<Option<Cell>> {
        let start = old.at;
        old.name_bytes().ok()?;
        old.skip_space();
        let value = old.at;
        old.skip(IN_ROW).ok()?;
        let end = old.at;
        let mut equal = new.pass(old.slice(start, end));
        if !equal {
            if new.name_bytes().ok()? != Some(self.name.as_bytes()) {
                return Some(None);
            }
            new.skip_space();
            equal = new.pass(old.slice(value, end));
        }
        if equal && !self.wanted && self.part.is_none() {
            return Some(Some(Cell { differs: false, values: None }));
        }
        old.at = value;
        let was = old.read(IN_ROW).ok()?;
        let is = if equal { was.clone() } else { new.read(IN_ROW).ok()? };
        let differs = !equal && was != is;
        let is_other_row = differs && self.part.is_some();
        Some((!is_other_row).then_some(Cell { differs, values: Some((was, is)) }))
    }
}
