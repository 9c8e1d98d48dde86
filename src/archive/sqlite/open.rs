//! Connections to databases that nobody vouches for.
//!
//! The bytes are held in memory and read-only, so there is no path to go wrong and nothing to lock or write.
//! A schema may hold anything; see [SQLite's own advice](https://www.sqlite.org/security.html). Views and
//! triggers are off, and only what is in tables is read. What can still be made to run are the expressions of
//! generated columns: functions that can take very long on one row are refused, the others are counted.

use rusqlite::config::DbConfig;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::limits::Limit;
use rusqlite::{Connection, Error, OpenFlags};

use super::fault::Fault;

/// How many steps SQLite takes between two looks at the counter.
const STEPS_AT_ONCE: i32 = 10_000;

/// A sound database takes a few steps for each value, which takes at least a byte.
const STEPS_PER_BYTE: u64 = 64;

/// Functions whose effort is more than their arguments' and results' length.
const REFUSED: [(&str, i32); 10] = [
    ("like", 2),
    ("like", 3),
    ("glob", 2),
    ("instr", 2),
    ("replace", 3),
    ("trim", 2),
    ("ltrim", 2),
    ("rtrim", 2),
    ("json_patch", 2),
    ("jsonb_patch", 2),
];

/// Opens a whole database.
pub(super) fn open(image: &[u8]) -> Result<Connection, Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut db = Connection::open_in_memory_with_flags(flags)?;
    guard(&mut db, image.len())?;
    db.deserialize_read_exact("main", image, image.len(), true)?;
    Ok(db)
}

/// Opens another database beside the first one, by name.
pub(super) fn attach(db: &mut Connection, name: &str, image: &[u8]) -> Result<(), Fault> {
    db.execute(&format!("ATTACH ':memory:' AS {name}"), [])?;
    db.deserialize_read_exact(name, image, image.len(), true)?;
    Ok(())
}

fn guard(db: &mut Connection, size: usize) -> Result<(), Error> {
    for (config, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
        // A name that is not there is an error, not a text.
        (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
    ] {
        db.set_db_config(config, on)?;
    }
    // A stored value is no longer than the file, unless it is UTF-16 there; a computed one may be a little
    // longer than a short file.
    let longest = i32::try_from(size.saturating_mul(2).max(1 << 16)).unwrap_or(i32::MAX);
    db.set_limit(Limit::SQLITE_LIMIT_LENGTH, longest)?;
    db.set_limit(Limit::SQLITE_LIMIT_VDBE_OP, 250_000)?;
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    for (name, arguments) in REFUSED {
        let refuse = move |_: &mut Context<'_>| -> Result<bool, Error> {
            Err(Error::UserFunctionError(
                format!("a generated column needs {name}(), which is not computed here").into(),
            ))
        };
        db.create_scalar_function(name, arguments, flags, refuse)?;
    }
    let most = 10_000_000 + size as u64 * STEPS_PER_BYTE;
    let mut steps = 0;
    db.progress_handler(
        STEPS_AT_ONCE,
        Some(move || {
            steps += u64::from(STEPS_AT_ONCE.unsigned_abs());
            steps > most
        }),
    )?;
    // Without checks of cells a broken page could be read as rows; CHECK constraints are the writer's matter.
    db.execute_batch(
        "PRAGMA cell_size_check = ON; PRAGMA ignore_check_constraints = ON; PRAGMA automatic_index = OFF;
         PRAGMA query_only = ON; PRAGMA temp_store = MEMORY;",
    )
}
