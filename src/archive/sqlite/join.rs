//! The rows of one table that differ between two databases, found by SQLite.
//!
//! The seed is [`MAIN`], the final database [`AFTER`]. Every row of the final table is looked up in the seed by
//! its key, and comes out if there is none or if a compared column is not the same value. It is not the last
//! word: what comes out is compared once more, as values. It must only never be too little, so
//!
//! - columns are compared as they are stored (`+` takes away a column's affinity, by which the text `1` in a
//!   column of numbers would equal the number) and byte by byte (`COLLATE BINARY`);
//! - the key is compared like the rest, so rows that were paired under different keys come out, and end it;
//! - nothing is left to indexes that were not checked, nor to keys that SQLite and the typed comparison could
//!   see differently.

use std::collections::HashSet;

use rusqlite::{Connection, Row as SqlRow};

use super::fault::Fault;
use super::rows::{self, Cost};
use super::schema::{Described, quoted};
use super::{AFTER, MAIN, is_sound};
use crate::model::{Key, Row, RowPair, Text};

/// The most columns a table may have: a statement names each of them several times, and has its limits.
pub(super) const MOST_COLUMNS: usize = 400;

/// The differing rows of a final table, and what reading the whole of it would cost, its texts aside.
pub(super) struct Differing {
    pub rows: Vec<RowPair>,
    pub cost: Cost,
}

/// Looks for them. `None` if the table has to be compared whole. The seed's table is sound, has `rows_before`
/// rows, a plain and unique key, and no more columns than [`MOST_COLUMNS`].
///
/// # Errors
/// If the final table is broken: then nothing more is to be asked of this connection.
pub(super) fn differing(
    db: &Connection,
    table: &Described,
    mask: &[Text],
    rows_before: usize,
) -> Result<Option<Differing>, Fault> {
    if !is_sound(db, AFTER, &table.name)? {
        // The check has left pages in memory that reading would refuse.
        return Err(Fault::bad("not sound").in_table(&table.name));
    }
    let name = quoted(&table.name)?;
    let count = format!("SELECT count(*) FROM {AFTER}.{name}");
    let counted: i64 = db.query_row(&count, [], |row| row.get(0))?;
    let Ok(rows_after) = usize::try_from(counted) else { return Ok(None) };
    let mut found = Found { table, keys: HashSet::new(), pairs: Vec::new(), added: 0, removed: 0 };
    if !found.changed(db, &changed(table, &name, mask)?)? {
        return Ok(None);
    }
    if rows_before + found.added != rows_after && !found.removed(db, &removed(table, &name)?)? {
        return Ok(None);
    }
    // Every row of either side is accounted for.
    if rows_before + found.added != rows_after + found.removed {
        return Ok(None);
    }
    let cost = Cost { rows: rows_after, columns: table.columns.len(), texts: 0 };
    Ok(Some(Differing { rows: found.pairs, cost }))
}

/// Rows of the final table that are new or not the same: whether the seed has one of the key, that one, and
/// the row itself.
fn changed(table: &Described, name: &str, mask: &[Text]) -> Result<String, Fault> {
    let compared = table.columns.iter().filter(|column| !mask.contains(column) || table.key.contains(column));
    let differ = compared.map(|column| {
        let column = quoted(column)?;
        Ok(format!(" OR +a.{column} COLLATE BINARY IS NOT +b.{column}"))
    });
    let differ = differ.collect::<Result<String, Fault>>()?;
    let part = table.key.first().map(quoted).transpose()?.unwrap_or_default();
    let same_key = same_key(table)?;
    Ok(format!(
        "SELECT a.{part} IS NOT NULL, a.*, b.* FROM {AFTER}.{name} AS b NOT INDEXED
         LEFT JOIN {MAIN}.{name} AS a ON {same_key} WHERE a.{part} IS NULL{differ}"
    ))
}

/// Rows of the seed whose key is not in the final table.
fn removed(table: &Described, name: &str) -> Result<String, Fault> {
    let same_key = same_key(table)?;
    Ok(format!(
        "SELECT a.* FROM {MAIN}.{name} AS a NOT INDEXED
         WHERE NOT EXISTS (SELECT 1 FROM {AFTER}.{name} AS b WHERE {same_key})"
    ))
}

fn same_key(table: &Described) -> Result<String, Fault> {
    let parts = table.key.iter().map(|column| {
        let column = quoted(column)?;
        Ok(format!("a.{column} = b.{column} COLLATE BINARY"))
    });
    Ok(parts.collect::<Result<Vec<String>, Fault>>()?.join(" AND "))
}

/// What came out so far.
struct Found<'a> {
    table: &'a Described,
    keys: HashSet<Key>,
    pairs: Vec<RowPair>,
    added: usize,
    removed: usize,
}

impl Found<'_> {
    /// Collects what [`changed`] finds; false if a row of it asks for the whole table.
    fn changed(&mut self, db: &Connection, query: &str) -> Result<bool, Fault> {
        let (mut query, columns) = (db.prepare(query)?, &self.table.columns);
        let new_at = 1 + columns.len();
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            if !self.is_key_plain(row, new_at)? {
                return Ok(false);
            }
            let has_old: bool = row.get(0)?;
            let old = has_old.then(|| rows::row_of(row, 1, columns)).transpose()?;
            if !self.push(old, Some(rows::row_of(row, new_at, columns)?)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// As [`Found::changed`] for [`removed`]. Keys of the seed are plain.
    fn removed(&mut self, db: &Connection, query: &str) -> Result<bool, Fault> {
        let mut query = db.prepare(query)?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            if !self.push(Some(rows::row_of(row, 0, &self.table.columns)?), None) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// False if rows are paired under different keys, or a key comes twice.
    fn push(&mut self, old: Option<Row>, new: Option<Row>) -> bool {
        self.added += usize::from(old.is_none());
        self.removed += usize::from(new.is_none());
        let keys = [&old, &new].map(|row| row.as_ref().and_then(|row| Key::of(&self.table.key, row)));
        let key = match keys {
            [Some(old), Some(new)] if old != new => return false,
            [_, Some(key)] | [Some(key), _] => key,
            [None, None] => return false,
        };
        self.pairs.extend(RowPair::new(key.clone(), old, new));
        self.keys.insert(key)
    }

    /// True if the key of the row that begins at this column is plain.
    fn is_key_plain(&self, row: &SqlRow<'_>, from: usize) -> Result<bool, Fault> {
        for (place, column) in self.table.columns.iter().enumerate() {
            if self.table.key.contains(column) && !rows::is_plain(row.get_ref(from + place)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
