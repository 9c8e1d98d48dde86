//! The cache's file: SQLite, in its own room. What is wrong with the file is never the user's problem: a file
//! that cannot be read is made anew, and where that cannot be done there is no cache.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction, params};
use sha2::{Digest, Sha256};

use super::key::Key;
use super::rows;
use super::stored::Source;
use crate::model::{Text, Verdict};
use crate::study::texts::Words;

/// `gain`, to tell the file from others.
const APPLICATION: i64 = 0x6761_696E;

/// Of the tables below, and of all that is stored in them.
const SCHEMA: i64 = 1;

/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_millis(500);

/// Rows of an entry are numbered within this many bits.
const ROW_BITS: u32 = 24;

/// Names beyond are looked up each time.
const MOST_NAMES: usize = 1 << 20;

const TABLES: &str = "
    CREATE TABLE place (hash INTEGER PRIMARY KEY, stamps BLOB NOT NULL);
    CREATE TABLE entry (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, sum BLOB NOT NULL, body BLOB NOT NULL);
    CREATE TABLE verdict (id INTEGER PRIMARY KEY, task INTEGER NOT NULL, run INTEGER NOT NULL, bits INTEGER NOT NULL);
    CREATE TABLE detail (id INTEGER PRIMARY KEY, body BLOB NOT NULL);
    CREATE TABLE word (id INTEGER PRIMARY KEY, text BLOB NOT NULL UNIQUE);
";

/// What was read at once: a run, or a verdict file.
#[derive(Debug)]
pub(super) struct Entry {
    /// All but the verdicts.
    pub(super) body: Vec<u8>,
    pub(super) verdicts: Vec<Arc<Verdict>>,
}

/// Something to be kept.
#[derive(Debug)]
pub(super) struct Fresh {
    /// Where it lies, and its files' stamps and digests.
    pub(super) place: (i64, Vec<u8>),
    /// What was read there, unless that is known already.
    pub(super) entry: Option<(Key, Entry)>,
}

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// Runs and verdict files that were read.
    pub entries: u64,
    /// Verdicts found in them.
    pub verdicts: u64,
    /// The file's bytes.
    pub bytes: u64,
}

/// The open file. Without a connection it is empty and takes nothing.
#[derive(Debug)]
pub(super) struct Store {
    path: PathBuf,
    connection: Option<Connection>,
    names: Names,
}

/// Names by their number in the file.
#[derive(Debug, Default)]
struct Names {
    by_number: Vec<Option<Text>>,
    words: Words,
}

impl Store {
    pub(super) fn open(path: &Path) -> Self {
        let mut store = Self { path: path.to_owned(), connection: None, names: Names::default() };
        match connect(path) {
            Ok(connection) => store.connection = Some(connection),
            Err(error) => store.on_error(&error),
        }
        store
    }

    /// Does something with the file. An error gives `None`, and ends the file if it is broken.
    fn with<T>(
        &mut self,
        work: impl FnOnce(&mut Connection, &mut Names) -> rusqlite::Result<T>,
    ) -> Option<T> {
        match work(self.connection.as_mut()?, &mut self.names) {
            Ok(done) => Some(done),
            Err(error) => {
                self.on_error(&error);
                None
            }
        }
    }

    /// As [`Store::with`], in a transaction that goes on until [`Store::rest`]: to take the locks anew for every
    /// run takes longer than to read what is known of it. A file that another process does not give free is done
    /// without, since every attempt takes its time.
    fn read<T>(
        &mut self,
        work: impl FnOnce(&mut Connection, &mut Names) -> rusqlite::Result<T>,
    ) -> Option<T> {
        let begun =
            self.with(|file, _| if file.is_autocommit() { file.execute_batch("BEGIN") } else { Ok(()) });
        match work(self.connection.as_mut().filter(|_| begun.is_some())?, &mut self.names) {
            Ok(done) => Some(done),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
                self.connection = None;
                None
            }
            Err(error) => {
                self.on_error(&error);
                None
            }
        }
    }

    /// Lets other processes write: to be called before anything that takes long.
    pub(super) fn rest(&mut self) {
        self.with(|file, _| if file.is_autocommit() { Ok(()) } else { file.execute_batch("COMMIT") });
    }

    /// Another process may be busy with the file, or it may not be writable: it is left alone then. A broken
    /// one is replaced.
    fn on_error(&mut self, error: &rusqlite::Error) {
        let is_broken = match error {
            rusqlite::Error::SqliteFailure(failure, _) => matches!(
                failure.code,
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown
            ),
            rusqlite::Error::InvalidPath(_) => false,
            // Of another build, or a row of another shape than it was written in.
            _ => true,
        };
        if is_broken {
            self.connection = None;
            self.names = Names::default();
            remove(&self.path);
            self.connection = connect(&self.path).ok();
        }
    }

    /// What is known of a place.
    pub(super) fn place(&mut self, hash: i64) -> Option<Vec<u8>> {
        self.read(|file, _| {
            let mut query = file.prepare_cached("SELECT stamps FROM place WHERE hash = ?1")?;
            query.query_row([hash], |row| row.get(0)).optional()
        })?
    }

    /// What was kept under a key, if it is whole.
    pub(super) fn entry(&mut self, key: &Key) -> Option<Entry> {
        self.read(|file, names| read_entry(file, names, key))?
    }

    /// Names that recur.
    pub(super) fn words(&mut self) -> &mut Words {
        &mut self.names.words
    }

    /// Keeps all of these, or none.
    pub(super) fn keep(&mut self, all: &[Fresh]) {
        self.rest();
        self.with(|file, _| {
            let all_of_it = file.transaction()?;
            for fresh in all {
                write(&all_of_it, fresh)?;
            }
            all_of_it.commit()
        });
    }

    pub(super) fn stat(&mut self) -> Stat {
        let count = |file: &Connection, table: &str| {
            file.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0))
        };
        let counts = self.with(|file, _| Ok((count(file, "entry")?, count(file, "verdict")?)));
        let (entries, verdicts) = counts.unwrap_or_default();
        let [entries, verdicts] = [entries, verdicts].map(i64::cast_unsigned);
        Stat { entries, verdicts, bytes: fs::metadata(&self.path).map_or(0, |metadata| metadata.len()) }
    }
}

/// Opens the file, or makes it. An error if it is none of ours, or of another build's making.
fn connect(path: &Path) -> rusqlite::Result<Connection> {
    if let Some(folder) = path.parent() {
        // If this fails, so does opening.
        let _ = fs::create_dir_all(folder);
    }
    let mut file = Connection::open(path)?;
    file.busy_timeout(PATIENCE)?;
    // After a crash of the machine the file may be broken: then it is made anew.
    file.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -2000;")?;
    let number = |name: &str| file.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
    let (application, schema) = (number("application_id")?, number("user_version")?);
    let tables: i64 = file.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables > 0 {
        return match (application, schema) {
            (APPLICATION, SCHEMA) => Ok(file),
            (APPLICATION, _) => Err(rusqlite::Error::InvalidQuery),
            // A database of something else is not ours to replace.
            _ => Err(rusqlite::Error::InvalidPath(path.to_owned())),
        };
    }
    let whole = file.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    // Another process may have been quicker.
    let tables: i64 = whole.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 {
        whole.execute_batch(TABLES)?;
        whole.execute_batch(&format!(
            "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA};"
        ))?;
    }
    whole.commit()?;
    Ok(file)
}

/// Removes the file and what SQLite may have left beside it, which belongs to no other.
pub(super) fn remove(path: &Path) {
    for suffix in ["", "-journal", "-wal", "-shm"] {
        let mut name = path.to_owned().into_os_string();
        name.push(suffix);
        // What is not there need not be removed; what cannot be removed cannot be used either.
        let _ = fs::remove_file(name);
    }
}

fn read_entry(file: &Connection, names: &mut Names, key: &Key) -> rusqlite::Result<Option<Entry>> {
    let mut query = file.prepare_cached("SELECT id, sum, body FROM entry WHERE key = ?1")?;
    let found = query.query_row([key.as_slice()], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?, row.get::<_, Vec<u8>>(2)?))
    });
    let Some((id, sum, body)) = found.optional()? else { return Ok(None) };
    let Some(first) = id.checked_shl(ROW_BITS) else { return Ok(None) };
    let range = [first, first + (1 << ROW_BITS) - 1];
    let mut verdicts = Vec::new();
    let mut check = Checked::new(key, &body);
    let mut details =
        file.prepare_cached("SELECT id, body FROM detail WHERE id BETWEEN ?1 AND ?2 ORDER BY id")?;
    let mut details = details.query(range)?;
    let mut detail = details.next()?;
    let mut rows = file
        .prepare_cached("SELECT id, task, run, bits FROM verdict WHERE id BETWEEN ?1 AND ?2 ORDER BY id")?;
    let mut rows = rows.query(range)?;
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let (task, run) = (names.name(file, row.get(1)?)?, names.name(file, row.get(2)?)?);
        let bits: i64 = row.get(3)?;
        let has_detail = match detail {
            Some(detail) => detail.get::<_, i64>(0)? == id,
            None => false,
        };
        let bytes = match detail.filter(|_| has_detail) {
            Some(detail) => Some(detail.get_ref(1)?.as_blob()?),
            None => None,
        };
        check.row(&task, &run, bits, bytes);
        let source = bytes.map(|bytes| Source::new(bytes, &mut names.words));
        let Some(verdict) = rows::verdict(task, run, bits, source) else { return Ok(None) };
        verdicts.push(Arc::new(verdict));
        if has_detail {
            detail = details.next()?;
        }
    }
    verdicts.shrink_to_fit();
    Ok((check.sum() == *sum).then_some(Entry { body, verdicts }))
}

fn write(file: &Transaction<'_>, fresh: &Fresh) -> rusqlite::Result<()> {
    let (hash, stamps) = &fresh.place;
    file.prepare_cached("INSERT OR REPLACE INTO place (hash, stamps) VALUES (?1, ?2)")?
        .execute(params![hash, stamps])?;
    let Some((key, entry)) = &fresh.entry else { return Ok(()) };
    // One with this key that is not whole is replaced.
    let old = file
        .prepare_cached("SELECT id FROM entry WHERE key = ?1")?
        .query_row([key.as_slice()], |row| row.get::<_, i64>(0))
        .optional()?;
    if let Some(old) = old {
        let first = old << ROW_BITS;
        let range = [first, first + (1 << ROW_BITS) - 1];
        for table in ["verdict", "detail"] {
            file.prepare_cached(&format!("DELETE FROM {table} WHERE id BETWEEN ?1 AND ?2"))?
                .execute(range)?;
        }
        file.prepare_cached("DELETE FROM entry WHERE id = ?1")?.execute([old])?;
    }
    let mut check = Checked::new(key, &entry.body);
    let details: Vec<Option<Vec<u8>>> = entry.verdicts.iter().map(|verdict| rows::detail(verdict)).collect();
    for (verdict, detail) in entry.verdicts.iter().zip(&details) {
        check.row(&verdict.task_id, &verdict.run, rows::bits(verdict).into(), detail.as_deref());
    }
    file.prepare_cached("INSERT INTO entry (key, sum, body) VALUES (?1, ?2, ?3)")?.execute(params![
        key.as_slice(),
        check.sum(),
        entry.body
    ])?;
    let first = file.last_insert_rowid() << ROW_BITS;
    let mut numbers: HashMap<&Text, i64> = HashMap::new();
    let mut number = |text| match numbers.get(text) {
        Some(number) => Ok(*number),
        None => number_of(file, text).inspect(|number| {
            numbers.insert(text, *number);
        }),
    };
    let mut row = file.prepare_cached("INSERT INTO verdict (id, task, run, bits) VALUES (?1, ?2, ?3, ?4)")?;
    let mut more = file.prepare_cached("INSERT INTO detail (id, body) VALUES (?1, ?2)")?;
    for (id, (verdict, detail)) in (first..).zip(entry.verdicts.iter().zip(details)) {
        row.execute(params![id, number(&verdict.task_id)?, number(&verdict.run)?, rows::bits(verdict)])?;
        if let Some(detail) = detail {
            more.execute(params![id, detail])?;
        }
    }
    Ok(())
}

fn number_of(file: &Transaction<'_>, text: &Text) -> rusqlite::Result<i64> {
    file.prepare_cached("INSERT OR IGNORE INTO word (text) VALUES (?1)")?.execute([text.as_bytes()])?;
    file.prepare_cached("SELECT id FROM word WHERE text = ?1")?.query_row([text.as_bytes()], |row| row.get(0))
}

impl Names {
    fn name(&mut self, file: &Connection, number: i64) -> rusqlite::Result<Text> {
        let place = usize::try_from(number).ok().filter(|place| *place < MOST_NAMES);
        if let Some(Some(known)) = place.and_then(|place| self.by_number.get(place)) {
            return Ok(known.clone());
        }
        let mut query = file.prepare_cached("SELECT text FROM word WHERE id = ?1")?;
        let text = query.query_row([number], |row| Ok(self.words.text(row.get_ref(0)?.as_blob()?)))?;
        if let Some(place) = place {
            self.by_number.resize(self.by_number.len().max(place + 1), None);
            if let Some(slot) = self.by_number.get_mut(place) {
                *slot = Some(text.clone());
            }
        }
        Ok(text)
    }
}

/// The check on an entry: a file that a disk has bent may still read as a database.
struct Checked {
    hash: Sha256,
    row: Vec<u8>,
}

impl Checked {
    fn new(key: &Key, body: &[u8]) -> Self {
        Self { hash: Sha256::new().chain_update(key).chain_update(body), row: Vec::new() }
    }

    fn row(&mut self, task: &Text, run: &Text, bits: i64, detail: Option<&[u8]>) {
        self.row.clear();
        for part in [task.as_bytes(), run.as_bytes(), &bits.to_le_bytes(), detail.unwrap_or_default()] {
            self.row.extend((part.len() as u32).to_le_bytes());
            self.row.extend(part);
        }
        self.hash.update(&self.row);
    }

    fn sum(self) -> [u8; 8] {
        let whole: Key = self.hash.finalize().into();
        *whole.first_chunk().unwrap_or(&[0; 8])
    }
}
