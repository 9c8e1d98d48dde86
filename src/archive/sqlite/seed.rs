//! A post-seed database that has been read once and can be compared with any number of final ones.
//!
//! The images are compared page by page; a table none of whose pages differ is never read again. What differs
//! in the others is asked of SQLite where that is as good as reading them (see `join`), else they are compared
//! whole. The outcome is that of comparing the whole states.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::sync::OnceLock;

use rusqlite::Connection;

use super::fault::Fault;
use super::header::Header;
use super::pages::{Owners, Touched};
use super::rows::{self, Budget, Cost};
use super::schema::{self, Described, Listed};
use super::{AFTER, MAIN, is_sound, join, open};
use crate::archive::Limits;
use crate::archive::pair::{Differing, TablePair};
use crate::model::{Registry, State, Table, Text, Value};

/// See the module.
pub struct Seed {
    image: Vec<u8>,
    header: Header,
    tables: Vec<SeedTable>,
    owners: Owners,
    /// How much may be read of a database.
    limits: Limits,
}

struct SeedTable {
    listed: Listed,
    described: Described,
    cost: Cost,
    /// Columns that are not compared.
    mask: Vec<Text>,
    /// Its declared key is plain, unique, and in every row.
    is_keyed: bool,
    /// It can be asked for what differs, as far as its rows go.
    is_exact: bool,
    /// Whether its tree and indexes are in order: found out when it is first asked for.
    is_sound: OnceLock<bool>,
}

impl Seed {
    /// Reads a whole database; also gives all that is in it. `None` if it cannot be read, or is of an unusual
    /// layout: it has to be read on its own.
    #[must_use]
    pub fn index(image: &[u8], registry: &Registry, limits: &Limits) -> Option<(Self, State)> {
        let header = Header::of(image).ok().filter(|header| header.is_usual)?;
        Self::read(image, header, registry, limits).ok()
    }

    fn read(
        image: &[u8],
        header: Header,
        registry: &Registry,
        limits: &Limits,
    ) -> Result<(Self, State), Fault> {
        let db = open::open(image)?;
        let mut budget = Budget::of(image, limits);
        let (mut tables, mut state) = (Vec::new(), State::default());
        let listed = schema::tables(&db, MAIN)?;
        let owners = Owners::of(&db, &listed)?;
        for listed in listed {
            let described = schema::describe(&db, MAIN, &listed.name)?;
            let (rows, cost) = rows::table(&db, MAIN, &described, &mut budget)?;
            let is_keyed = is_keyed(&rows);
            let is_exact = is_keyed
                && !described.is_generated
                && described.columns.len() <= join::MOST_COLUMNS
                && schema::is_key_exact(&db, MAIN, &listed.name)?
                && keys_are_plain(&db, &described)?;
            let mask = registry.volatile_columns.get(&listed.name).cloned().unwrap_or_default();
            state.tables.insert(listed.name.clone(), rows);
            let is_sound = OnceLock::new();
            tables.push(SeedTable { listed, described, cost, mask, is_keyed, is_exact, is_sound });
        }
        Ok((Self { image: image.to_vec(), header, tables, owners, limits: *limits }, state))
    }

    /// True if this is the same database, byte for byte.
    #[must_use]
    pub fn is_in(&self, image: &[u8]) -> bool {
        self.image == image
    }

    /// How much memory it takes, about.
    #[must_use]
    pub fn size(&self) -> usize {
        self.image.len() + self.owners.size()
    }

    /// The tables of which there may be something to say even where nothing changed.
    #[must_use]
    pub fn odd_tables(&self) -> State {
        self.read_again(|table| !table.is_keyed)
    }

    /// The whole state.
    #[must_use]
    pub fn state(&self) -> State {
        self.read_again(|_| true)
    }

    /// The key a table declares.
    #[must_use]
    pub fn declared_key(&self, table: &Text) -> Option<&[Text]> {
        let found = self.tables.iter().find(|seen| seen.listed.name == *table)?;
        Some(found.described.key.as_slice()).filter(|key| !key.is_empty())
    }

    /// What differs between this seed and a whole final database, by table name. `None` if that cannot be read,
    /// or is laid out otherwise: it has to be read on its own.
    #[must_use]
    pub fn align(&self, image: &[u8]) -> Option<Vec<TablePair>> {
        if self.is_in(image) {
            return Some(Vec::new());
        }
        let header = Header::of(image).ok()?;
        if !Header::fits(&self.image, image) {
            return None;
        }
        let touched = self.owners.touched(&self.image, image, self.header, header.pages);
        if touched.tables.is_empty() && !touched.schema {
            let mut budget = self.budget(image).ok()?;
            return self.tables.iter().all(|table| budget.take(table.cost).is_ok()).then(Vec::new);
        }
        self.compare(image, &touched).ok()
    }

    /// Of the tables in which a final database differs, all rows.
    #[must_use]
    pub fn final_tables(&self, image: &[u8], pairs: &[TablePair]) -> State {
        let Ok(db) = open::open(image) else { return State::default() };
        let mut budget = Budget::of(image, &self.limits);
        let tables = pairs.iter().filter_map(|pair| {
            let described = schema::describe(&db, MAIN, &pair.name).ok()?;
            Some((pair.name.clone(), rows::table(&db, MAIN, &described, &mut budget).ok()?.0))
        });
        State { database_id: None, tables: tables.collect() }
    }

    fn compare(&self, image: &[u8], touched: &Touched) -> Result<Vec<TablePair>, Fault> {
        let mut db = open::open(&self.image)?;
        open::attach(&mut db, AFTER, image)?;
        let mut after: BTreeMap<Text, Listed> = BTreeMap::new();
        for listed in schema::tables(&db, AFTER)? {
            after.insert(listed.name.clone(), listed);
        }
        let mut budget = self.budget(image)?;
        let mut pairs = Vec::new();
        for (place, table) in self.tables.iter().enumerate() {
            let is_touched = touched.tables.binary_search(&place).is_ok();
            let rows = match after.remove(&table.listed.name) {
                None => Some(Differing::Whole(Some(self.before(&db, table)?), None)),
                Some(new) if new == table.listed && !is_touched => {
                    budget.take(table.cost)?;
                    None
                }
                Some(new) => self.table(&db, table, &new, &mut budget)?,
            };
            pairs.extend(rows.map(|rows| TablePair::new(table.listed.name.clone(), rows)));
        }
        for name in after.into_keys() {
            let rows = Differing::Whole(None, Some(whole(&db, &name, &mut budget)?));
            pairs.push(TablePair::new(name, rows));
        }
        pairs.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(pairs)
    }

    /// What may be held of a final database, less the texts of all tables that are joined: these are not read, and
    /// take no more than the file. A database is only compared if reading it would not have failed for want of room.
    fn budget(&self, image: &[u8]) -> Result<Budget, Fault> {
        let mut budget = Budget::of(image, &self.limits);
        budget.take(Budget::all_texts_of(image))?;
        Ok(budget)
    }

    /// One table that is in both; `None` if there is nothing to compare.
    fn table(
        &self,
        db: &Connection,
        table: &SeedTable,
        new: &Listed,
        budget: &mut Budget,
    ) -> Result<Option<Differing>, Fault> {
        let Described { name, .. } = &table.described;
        if table.is_exact && new.sql == table.listed.sql && table.is_sound(db)? {
            let found = join::differing(db, &table.described, &table.mask, table.cost.rows)?;
            if let Some(join::Differing { rows, cost }) = found {
                budget.take(cost)?;
                return Ok((!rows.is_empty()).then_some(Differing::Rows(rows)));
            }
        }
        Ok(Some(Differing::Whole(Some(self.before(db, table)?), Some(whole(db, name, budget)?))))
    }

    fn before(&self, db: &Connection, table: &SeedTable) -> Result<Table, Fault> {
        let mut budget = Budget::of(&self.image, &self.limits);
        Ok(rows::table(db, MAIN, &table.described, &mut budget)?.0)
    }

    fn read_again(&self, wanted: impl Fn(&SeedTable) -> bool) -> State {
        let Ok(db) = open::open(&self.image) else { return State::default() };
        let tables = self
            .tables
            .iter()
            .filter(|table| wanted(table))
            .filter_map(|table| Some((table.listed.name.clone(), self.before(&db, table).ok()?)));
        State { database_id: None, tables: tables.collect() }
    }
}

/// A table of the final database, all of it.
fn whole(db: &Connection, name: &Text, budget: &mut Budget) -> Result<Table, Fault> {
    let described = schema::describe(db, AFTER, name)?;
    Ok(rows::table(db, AFTER, &described, budget)?.0)
}

impl SeedTable {
    fn is_sound(&self, db: &Connection) -> Result<bool, Fault> {
        if let Some(known) = self.is_sound.get() {
            return Ok(*known);
        }
        let found = is_sound(db, MAIN, &self.listed.name)?;
        Ok(*self.is_sound.get_or_init(|| found))
    }
}

/// True if there is a declared key, and no two rows are of one.
fn is_keyed(table: &Table) -> bool {
    let Some(columns) = &table.declared_key else { return false };
    let mut seen = HashSet::with_capacity(table.rows.len());
    table.rows.iter().all(|row| {
        let key: Vec<Option<&Value>> = columns.iter().map(|column| row.column(column)).collect();
        seen.insert(key)
    })
}

/// A blob in a key is spelled like a text that may stand beside it.
fn keys_are_plain(db: &Connection, table: &Described) -> Result<bool, Fault> {
    let key = table.key.iter().map(schema::quoted).collect::<Result<Vec<String>, Fault>>()?.join(", ");
    let mut query =
        db.prepare(&format!("SELECT {key} FROM {MAIN}.{} NOT INDEXED", schema::quoted(&table.name)?))?;
    let mut found = query.query([])?;
    while let Some(row) = found.next()? {
        for part in 0..table.key.len() {
            if !rows::is_plain(row.get_ref(part)?) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: BTreeSet<&Text> = self.tables.iter().map(|table| &table.listed.name).collect();
        f.debug_struct("Seed").field("bytes", &self.image.len()).field("tables", &names).finish()
    }
}
