//! SQLite dumps: a database file as it lay on the harness's disk.
//!
//! Everything here works on a private copy in memory. The archive is only read, whatever state its files
//! were left in; nothing in a file is believed, and what is wrong with one is a named problem.
//!
//! | what is in the file | what becomes of it |
//! | --- | --- |
//! | a `-wal` or a hot `-journal` beside it | is taken in, by SQLite itself, on copies in a folder of their own |
//! | a table's declared `PRIMARY KEY` | the table's key, in key order; it goes before the registry's |
//! | integers, reals, texts | as they are, 64 bits and all |
//! | a text that is not UTF-8 | each odd byte becomes a lone surrogate, Python's `surrogateescape` |
//! | a blob | the text `b'…'`, as Python's `repr` and so its JSON dumps have it |
//! | generated columns, virtual ones as well | read like any other, as `SELECT *` gives them; see `open` for what is refused |
//! | `WITHOUT ROWID` tables | tables like any other |
//! | `sqlite_*` tables, views, virtual tables | skipped; the shadow tables of virtual ones are tables |
//!
//! A text that is spelled like a blob equals it, in these dumps as in JSON ones: so the same database gives the
//! same verdict whichever way it was dumped.
//!
//! | file | its job |
//! | --- | --- |
//! | `image` | a file and what is beside it, as the bytes of one whole database |
//! | `recover` | what SQLite makes of it, on copies |
//! | `header` | what the first hundred bytes say |
//! | `open` | a connection that can neither write nor run for ever |
//! | `schema` | tables, columns, keys |
//! | `text` | texts, UTF-8 or not |
//! | `rows` | values, rows, and how much of them may be held |
//! | `seed` | a post-seed database that final ones are compared with |
//! | `pages` | which tables lie on pages that differ |
//! | `join` | the rows of one table that differ between two databases |
//! | `fault` | what is wrong, before it is known in which file |

mod fault;
mod header;
mod image;
mod join;
mod open;
mod pages;
mod recover;
mod rows;
mod schema;
mod seed;
mod text;

use std::path::Path;

use rusqlite::Connection;

use super::dump::{Dump, DumpReader};
use super::files::{Limits, read_bytes, sha256};
use crate::model::{Problem, State, Text};
use fault::Fault;
pub use image::{companions, read as read_image};
use rows::Budget;
pub use seed::Seed;

/// A database file; its journals are taken in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sqlite {
    /// Caps the size of the file, of each one beside it, and of what is read from it.
    pub limits: Limits,
}

impl DumpReader for Sqlite {
    fn read(&self, path: &Path) -> Result<Dump, Problem> {
        let mut image = read_bytes(path, &self.limits)?;
        let (sha256, file_bytes) = (sha256(&image), image.len() as u64);
        image::complete(path, &mut image, &self.limits)?;
        let state = state(&image, &self.limits).map_err(|fault| fault.problem(path))?;
        Ok(Dump { state, sha256, file_bytes })
    }
}

/// All tables of a whole database.
fn state(image: &[u8], limits: &Limits) -> Result<State, Fault> {
    let db = open::open(image)?;
    let mut budget = Budget::of(image, limits);
    let mut state = State::default();
    for listed in schema::tables(&db, MAIN)? {
        let table = schema::describe(&db, MAIN, &listed.name)?;
        let (rows, _) = rows::table(&db, MAIN, &table, &mut budget)?;
        state.tables.insert(listed.name, rows);
    }
    Ok(state)
}

/// What SQLite calls the first database of a connection.
const MAIN: &str = "main";

/// The database that is compared with the first one.
const AFTER: &str = "after";

/// True if a table is sound: a tree in order, and indexes that lead to its rows and to nothing else.
fn is_sound(db: &Connection, of: &str, name: &Text) -> Result<bool, Fault> {
    let check = format!("PRAGMA {of}.integrity_check({})", schema::quoted(name)?);
    Ok(db.query_row(&check, [], |row| row.get::<_, String>(0))? == "ok")
}

#[cfg(test)]
pub(crate) mod made;
#[cfg(test)]
mod tests;
