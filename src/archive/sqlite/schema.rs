//! The tables of a database: names, columns, keys.

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::fault::Fault;
use super::text::text;
use crate::model::{Names, Text};

/// How the schema spells what makes a thing of each type. Rows are written by SQLite itself in these words, so
/// one that does not fit was forged, and could hide a table.
const SPELLINGS: [(&str, &[&str]); 4] = [
    ("table", &["CREATE TABLE ", VIRTUAL]),
    ("index", &["CREATE INDEX ", "CREATE UNIQUE INDEX "]),
    ("view", &["CREATE VIEW "]),
    ("trigger", &["CREATE TRIGGER "]),
];

const VIRTUAL: &str = "CREATE VIRTUAL TABLE ";

/// A table as the schema lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    pub name: Text,
    /// The page its tree begins on.
    pub root: i64,
    /// The statement that made it.
    pub sql: Vec<u8>,
}

/// A table with its columns.
#[derive(Clone, Debug)]
pub(super) struct Described {
    pub name: Text,
    pub columns: Names,
    /// The declared primary key, in key order; empty if there is none.
    pub key: Vec<Text>,
    /// True if a column is computed from others.
    pub is_generated: bool,
}

/// The tables that hold content: no bookkeeping, no views, and no virtual tables, whose content is in shadow
/// tables of their own.
pub(super) fn tables(db: &Connection, of: &str) -> Result<Vec<Listed>, Fault> {
    let mut query = db.prepare(&format!("SELECT type, name, rootpage, sql FROM {of}.sqlite_schema"))?;
    let mut rows = query.query([])?;
    let mut tables = Vec::new();
    while let Some(row) = rows.next()? {
        let (kind, name, sql) = (row.get_ref(0)?, row.get_ref(1)?, row.get_ref(3)?);
        let (ValueRef::Text(kind), ValueRef::Text(name)) = (kind, name) else { return Err(forged()) };
        let sql = match sql {
            ValueRef::Text(sql) => sql,
            ValueRef::Null if kind == b"index" => continue,
            _ => return Err(forged()),
        };
        let spellings = SPELLINGS.iter().find(|(known, _)| known.as_bytes() == kind);
        let begins = |with: &&str| sql.starts_with(with.as_bytes());
        if !spellings.is_some_and(|(_, spellings)| spellings.iter().any(begins)) {
            return Err(forged().in_table(&text(name)));
        }
        if kind == b"table" && !begins(&VIRTUAL) && !name.starts_with(b"sqlite_") {
            let ValueRef::Integer(root) = row.get_ref(2)? else { return Err(forged()) };
            tables.push(Listed { name: text(name), root, sql: sql.to_vec() });
        }
    }
    Ok(tables)
}

fn forged() -> Fault {
    Fault::bad("the schema is not as SQLite writes it")
}

/// The columns of a table.
pub(super) fn describe(db: &Connection, of: &str, name: &Text) -> Result<Described, Fault> {
    let columns = "SELECT name, pk, hidden FROM pragma_table_xinfo(?1, ?2) ORDER BY cid";
    let mut query = db.prepare_cached(columns)?;
    let mut rows = query.query((plain(name)?, of))?;
    let (mut names, mut key, mut is_generated) = (Vec::new(), Vec::new(), false);
    while let Some(row) = rows.next()? {
        let column = match row.get_ref(0)? {
            ValueRef::Text(name) => text(name),
            _ => return Err(forged().in_table(name)),
        };
        let place: i64 = row.get(1)?;
        if place > 0 {
            key.push((place, column.clone()));
        }
        is_generated |= row.get::<_, i64>(2)? != 0;
        names.push(column);
    }
    if names.is_empty() {
        return Err(forged().in_table(name));
    }
    key.sort_unstable();
    let key = key.into_iter().map(|(_, column)| column).collect();
    Ok(Described { name: name.clone(), columns: Names::from_unique(names), key, is_generated })
}

/// True if the key of a table is searched for by its exact value: no column of it is compared by other rules.
pub(super) fn is_key_exact(db: &Connection, of: &str, name: &Text) -> Result<bool, Fault> {
    // A key without an index is the row's number.
    let collations =
        "SELECT part.coll FROM pragma_index_list(?1, ?2) AS list, pragma_index_xinfo(list.name, ?2) AS part
        WHERE list.origin = 'pk' AND part.key";
    let mut query = db.prepare_cached(collations)?;
    let mut rows = query.query((plain(name)?, of))?;
    while let Some(row) = rows.next()? {
        if row.get_ref(0)? != ValueRef::Text(b"BINARY") {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A name in a statement.
pub(super) fn quoted(name: &Text) -> Result<String, Fault> {
    Ok(format!("\"{}\"", plain(name)?.replace('"', "\"\"")))
}

fn plain(name: &Text) -> Result<&str, Fault> {
    let plain = name.as_str().filter(|name| !name.contains('\0'));
    plain.ok_or_else(|| Fault::bad("a name that is no text").in_table(name))
}
