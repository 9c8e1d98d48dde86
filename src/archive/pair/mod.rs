//! Two dumps of one run, compared as bytes: what is equal is never parsed.
//!
//! A run's post-seed dump is that of its task's other runs but for the `database_id`, and its final dump is
//! the post-seed dump but for a few rows. So each distinct post-seed dump is read once, as a [`Seed`] that
//! knows where each row lies and what its key is. A final dump is then laid beside it: bytes are compared as
//! long as they are equal, and where they are not, only in the rows in which they differ is anything parsed.
//!
//! Of these, only cells that differ are, and those of columns that somebody wants.
//!
//! The outcome is a list of [`TablePair`]s: of a table whose rows have unique keys, the rows that are not
//! equal as bytes; any other table whole. To compare these is to compare the whole states, since two equal
//! rows of one key are no difference. A table is *odd*, and always compared whole, if its key is unknown,
//! missing somewhere or not unique, or if its rows have not all the same columns in one order: it may have
//! findings even where nothing changed. Row order, white space and the spelling of values need no care: rows
//! are found by their key, and those which differ as bytes are compared as values.
//!
//! | file | its job |
//! | --- | --- |
//! | `layout` | from a dump's first byte to its tables, and behind them to the end |
//! | `rows` | the rows of one table of a seed: places, keys, columns |
//! | `align` | one table of a final dump beside the seed's |
//! | `cells` | two rows of one key, cell by cell |

mod align;
mod cells;
mod layout;
mod rows;

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::path::Path;

use super::json::Reader;
use super::{Limits, dump, files};
use crate::model::{Registry, RowPair, State, Table, Text};
use rows::Rows;

/// True for a table's column if rows of a pair have to have it.
pub type Wanted<'a> = dyn Fn(&Text, &Text) -> bool + 'a;

/// A post-seed dump that has been read once and can be compared with any number of final dumps.
pub struct Seed {
    /// The dump from the value of `tables` to its end.
    content: Vec<u8>,
    tables: Vec<SeedTable>,
    places: HashMap<Text, usize>,
    /// How much of a final dump's values may be held.
    limits: Limits,
}

struct SeedTable {
    name: Text,
    /// Its array in the content.
    span: Range<usize>,
    /// `None`: odd.
    rows: Option<Rows>,
}

/// What has to be compared of one table.
#[derive(Clone, Debug)]
pub struct TablePair {
    /// The table's name.
    pub name: Text,
    /// Its rows.
    pub rows: Differing,
    /// Its array in the final dump, all rows of it.
    place: Option<Range<usize>>,
}

/// The rows of a table that have to be compared.
#[derive(Clone, Debug)]
pub enum Differing {
    /// Of a table whose rows have unique keys and the same columns: those that are not equal. Of a row in both
    /// states there may be wanted columns only.
    Rows(Vec<RowPair>),
    /// The table before and afterwards; `None` where it is not there.
    Whole(Option<Table>, Option<Table>),
}

impl TablePair {
    /// What was found otherwise than in the bytes of a JSON dump.
    #[must_use]
    pub fn new(name: Text, rows: Differing) -> Self {
        Self { name, rows, place: None }
    }
}

impl Seed {
    /// Reads a dump's JSON. `None` if it is no sound dump, or holds `tables` or one table twice, or more values
    /// than may be held: such a dump has to be read as a whole.
    #[must_use]
    pub fn index(json: &[u8], registry: &Registry, limits: &Limits) -> Option<Self> {
        std::str::from_utf8(json).ok()?;
        let content = content(json)?.to_vec();
        let mut reader = Reader::new(&content).within(limits.max_values());
        let (mut tables, mut places) = (Vec::new(), HashMap::new());
        layout::tables(&mut reader, |reader, name| {
            let key = registry.primary_keys.get(&name).map_or(&[][..], Vec::as_slice);
            let start = reader.at;
            let rows = rows::index(reader, key)?;
            let twice = places.insert(name.clone(), tables.len()).is_some();
            tables.push(SeedTable { name, span: start..reader.at, rows });
            (!twice).then_some(())
        })?;
        Some(Self { content, tables, places, limits: *limits })
    }

    /// True if this dump's JSON holds the same tables, byte for byte.
    #[must_use]
    pub fn is_in(&self, json: &[u8]) -> bool {
        // The end of a dump is told apart more often than its beginning, and costs nothing to look at.
        json.ends_with(&self.content)
            && content(json).is_some_and(|content| content.len() == self.content.len())
    }

    /// The SHA-256 of the tables as they were written, in lower-case hexadecimal.
    #[must_use]
    pub fn sha256(&self) -> String {
        files::sha256(&self.content)
    }

    /// How much memory it takes, about.
    #[must_use]
    pub fn size(&self) -> usize {
        self.content.len() + self.tables.iter().flat_map(|table| &table.rows).map(Rows::size).sum::<usize>()
    }

    /// The tables that are always compared whole, as they are before the agent acts.
    #[must_use]
    pub fn odd_tables(&self) -> State {
        self.parsed(|table| table.rows.is_none())
    }

    /// The whole state.
    #[must_use]
    pub fn state(&self) -> State {
        self.parsed(|_| true)
    }

    /// What differs between this seed and a final dump, by table name. `None` if the final dump is not sound,
    /// or holds `tables` or one table twice, or more values than may be held: it has to be read as a whole.
    #[must_use]
    pub fn align(&self, json: &[u8], wanted: &Wanted<'_>) -> Option<Vec<TablePair>> {
        align::align(self, json, wanted)
    }

    fn parsed(&self, wanted: impl Fn(&SeedTable) -> bool) -> State {
        let tables = self.tables.iter().filter(|table| wanted(table));
        State {
            database_id: None,
            tables: tables.map(|table| (table.name.clone(), self.table(table))).collect(),
        }
    }

    fn table(&self, table: &SeedTable) -> Table {
        parse_table(&mut Reader::new(&self.content), &table.name, table.span.start).unwrap_or_default()
    }
}

/// Of the tables in which a final dump differs from its seed, all rows.
#[must_use]
pub fn final_tables(json: &[u8], pairs: &[TablePair]) -> State {
    let mut reader = Reader::new(json);
    let tables = pairs.iter().filter_map(|pair| {
        let table = parse_table(&mut reader, &pair.name, pair.place.as_ref()?.start)?;
        Some((pair.name.clone(), table))
    });
    State { database_id: None, tables: tables.collect() }
}

fn parse_table(reader: &mut Reader<'_>, name: &Text, start: usize) -> Option<Table> {
    reader.at = start;
    dump::table(name, reader.read(layout::IN_TABLES).ok()?, Path::new("")).ok()
}

/// A dump from the value of `tables` to its end. What stands before it is sound.
fn content(json: &[u8]) -> Option<&[u8]> {
    let mut reader = Reader::new(json);
    layout::enter(&mut reader)?;
    std::str::from_utf8(json.get(..reader.at)?).ok()?;
    json.get(reader.at..)
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&Text> = self.tables.iter().map(|table| &table.name).collect();
        f.debug_struct("Seed").field("bytes", &self.content.len()).field("tables", &names).finish()
    }
}
