//! What is wrong with a database, and where in it.

use std::path::Path;

use rusqlite::{Error, ErrorCode};

use crate::model::{Code, Place, Problem, Text};

/// A problem that does not know its file yet.
#[derive(Debug)]
pub(super) struct Fault {
    code: Code,
    table: Option<Text>,
    row: Option<usize>,
    detail: String,
}

impl Fault {
    /// A database that is none, or broken.
    pub fn bad(detail: impl Into<String>) -> Self {
        Self { code: Code::BadSqlite, table: None, row: None, detail: detail.into() }
    }

    /// More than may be held.
    pub fn too_large(detail: impl Into<String>) -> Self {
        Self { code: Code::TooLarge, ..Self::bad(detail) }
    }

    /// The same in a table.
    pub fn in_table(mut self, table: &Text) -> Self {
        self.table = Some(table.clone());
        self
    }

    /// The same at a row, counted from 1.
    pub fn at_row(mut self, row: usize) -> Self {
        self.row = Some(row);
        self
    }

    pub fn problem(self, path: &Path) -> Problem {
        let place = Place {
            table: self.table.map(|table| table.display().into_owned()),
            row: self.row.map(|row| row.to_string()),
            ..Place::default()
        };
        Problem::new(self.code, path, self.detail).at(place)
    }
}

impl From<Error> for Fault {
    /// SQLite's own words, without the statement, which is not the user's.
    fn from(error: Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::TooBig) => return Self::too_large("a value larger than the whole file"),
            Some(ErrorCode::OutOfMemory) => return Self::too_large("takes more memory than there is"),
            Some(ErrorCode::OperationInterrupted) => {
                return Self::bad("takes far more steps to read than a sound database of its size");
            }
            _ => {}
        }
        match error {
            Error::SqliteFailure(_, Some(message)) | Error::SqlInputError { msg: message, .. } => {
                Self::bad(message)
            }
            other => Self::bad(other.to_string()),
        }
    }
}
