//! Databases for tests, in a folder of their own.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use tempfile::TempDir;

use super::image::companions;
use crate::model::python;

/// A database that is being written.
pub(crate) struct Made {
    folder: TempDir,
    db: Connection,
}

impl Made {
    /// One with these tables and rows.
    pub(crate) fn new(sql: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let db = Connection::open(folder.path().join("made.sqlite")).expect("opens");
        // Speed: nobody pulls the plug here.
        db.execute_batch("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;").expect("settings");
        db.execute_batch(sql).expect("SQL");
        Self { folder, db }
    }

    /// A small table on many pages.
    pub(crate) fn berths() -> Self {
        Self::new(
            "PRAGMA page_size = 512; CREATE TABLE berth (id INTEGER PRIMARY KEY, note TEXT);
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
             INSERT INTO berth SELECT i, 'note ' || i FROM n;",
        )
    }

    /// Runs statements; false if one of them cannot be.
    pub(crate) fn run(&self, sql: &str) -> bool {
        self.db.execute_batch(sql).is_ok()
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("made.sqlite")
    }

    /// Copies the file as it lies there, with whatever is beside it.
    pub(crate) fn copy_to(&self, path: &Path) {
        fs::copy(self.path(), path).expect("copies");
        for (from, to) in companions(&self.path()).iter().zip(companions(path)) {
            let _ = fs::remove_file(&to);
            if from.exists() {
                fs::copy(from, to).expect("copies");
            }
        }
    }

    /// The file's bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        fs::read(self.path()).expect("reads")
    }

    /// The same content as a Python harness would have dumped it in JSON.
    pub(crate) fn json(&self) -> String {
        let mut names = self
            .db
            .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
            .expect("SQL");
        let names: Vec<String> = names.query_map([], |row| row.get(0)).expect("names").flatten().collect();
        let tables: Vec<String> = names
            .iter()
            .map(|name| {
                let mut query = self
                    .db
                    .prepare(&format!("SELECT * FROM \"{}\"", name.replace('"', "\"\"")))
                    .expect("SQL");
                let columns: Vec<String> = query.column_names().map(ToString::to_string).collect();
                let rows = query.query_map([], |row| Ok(json_row(row, &columns))).expect("rows");
                format!("{}: [{}]", quoted(name), rows.flatten().collect::<Vec<_>>().join(", "))
            })
            .collect();
        format!("{{\"database_id\": \"db_1\", \"tables\": {{{}}}}}", tables.join(", "))
    }
}

fn json_row(row: &Row<'_>, columns: &[String]) -> String {
    let member = |(place, name): (usize, &String)| {
        let value = match row.get_ref(place).expect("a value") {
            ValueRef::Null => "null".to_owned(),
            ValueRef::Integer(int) => int.to_string(),
            ValueRef::Real(float) if float.is_infinite() => {
                (if float > 0.0 { "Infinity" } else { "-Infinity" }).to_owned()
            }
            ValueRef::Real(float) => python::float_repr(float),
            ValueRef::Text(bytes) => {
                // `surrogateescape`, as JSON escapes it.
                let chunks = bytes.utf8_chunks().map(|chunk| {
                    let odd: String = chunk.invalid().iter().map(|byte| format!("\\udc{byte:02x}")).collect();
                    escaped(chunk.valid()) + &odd
                });
                format!("\"{}\"", chunks.collect::<String>())
            }
            ValueRef::Blob(bytes) => quoted(&python::bytes_repr(bytes)),
        };
        format!("{}: {value}", quoted(name))
    };
    format!("{{{}}}", columns.iter().enumerate().map(member).collect::<Vec<_>>().join(", "))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

fn escaped(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '"' | '\\' => format!("\\{c}"),
            c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
            c => c.to_string(),
        })
        .collect()
}
