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

/// How two cells compare as bytes.
#[derive(PartialEq)]
enum Passed {
    /// They have equal values: the readers stand behind them.
    Equal,
    /// The values are spelled otherwise: the new one's reader stands on it.
    Unequal,
    /// They have not the same name.
    OtherName,
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
        let mut pair = RowPair { key: self.key.clone(), before: None, after: None, differing: Vec::new() };
        let (mut before, mut after) =
            (Vec::with_capacity(self.wanted.len()), Vec::with_capacity(self.wanted.len()));
        for column in &self.columns {
            if !more {
                return Some(Compared::Unlike);
            }
            let (passed, value) = column.pass(old, new)?;
            if passed == Passed::OtherName {
                return Some(Compared::Unlike);
            }
            let is_asked_for = column.wanted || column.part.is_some();
            let by_bytes = match passed {
                Passed::Unequal if !is_asked_for => {
                    old.at = value;
                    texts_differ(old, new)?
                }
                _ => None,
            };
            if let Some(differs) = by_bytes {
                note(&mut pair.differing, column, differs);
            } else if passed == Passed::Unequal || is_asked_for {
                old.at = value;
                let was = old.read(IN_ROW).ok()?;
                let is = if passed == Passed::Equal { was.clone() } else { new.read(IN_ROW).ok()? };
                let differs = passed == Passed::Unequal && was != is;
                note(&mut pair.differing, column, differs);
                if let Some(part) = column.part {
                    if differs {
                        return Some(Compared::Unlike);
                    }
                    *pair.key.parts_mut().get_mut(part)? = is.clone();
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
        if pair.differing.is_empty() {
            return Some(Compared::SameKey(None));
        }
        pair.before = Some(Row::from_unique(self.wanted.clone(), before));
        pair.after = Some(Row::from_unique(self.wanted.clone(), after));
        Some(Compared::SameKey(Some(pair)))
    }
}

impl Column<'_> {
    /// Passes a cell of the seed's row, and of the other one as far as it is equal; also says where the seed's
    /// value begins. `None` if the other row is not sound here.
    fn pass(&self, old: &mut Reader<'_>, new: &mut Reader<'_>) -> Option<(Passed, usize)> {
        let start = old.at;
        old.name_bytes().ok()?;
        old.skip_space();
        let value = old.at;
        old.skip(IN_ROW).ok()?;
        // Nearly all cells are written alike, names, blanks and all.
        if new.pass(old.slice(start, old.at)) {
            return Some((Passed::Equal, value));
        }
        if new.name_bytes().ok()? != Some(self.name.as_bytes()) {
            return Some((Passed::OtherName, value));
        }
        new.skip_space();
        let passed = if new.pass(old.slice(value, old.at)) { Passed::Equal } else { Passed::Unequal };
        Some((passed, value))
    }
}

fn note(differing: &mut Vec<Text>, column: &Column<'_>, differs: bool) {
    if differs {
        if differing.is_empty() {
            // Most often it is one column, and there may be very many rows.
            differing.reserve_exact(1);
        }
        differing.push(column.name.clone());
    }
}

/// Passes two texts that are written without escapes, whose bytes tell whether they differ. `Some(None)` if they
/// are not both such; the readers then stand where they stood.
fn texts_differ(old: &mut Reader<'_>, new: &mut Reader<'_>) -> Option<Option<bool>> {
    if [old.peek(), new.peek()] != [Some(b'"'); 2] {
        return Some(None);
    }
    let starts = (old.at, new.at);
    if let (Some(was), Some(is)) = (old.string_bytes().ok()?, new.string_bytes().ok()?) {
        return Some(Some(was != is));
    }
    (old.at, new.at) = starts;
    Some(None)
}
