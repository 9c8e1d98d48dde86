//! Dumps: a database's state at one moment, as a file.

use std::collections::BTreeMap;
use std::path::Path;

use super::files::{Limits, parse_json, read_bytes, sha256};
use super::gzip;
use super::shape::{object, wrong_type};
use super::sqlite::Sqlite;
use crate::model::{Code, Place, Problem, Row, State, Table, Text, Value};

/// What a dump file holds.
#[derive(Clone, Debug)]
pub struct Dump {
    /// The database's tables, bookkeeping (`sqlite_*`) left out.
    pub state: State,
    /// SHA-256 of the file's bytes, in hexadecimal.
    pub sha256: String,
    /// The file's size.
    pub file_bytes: u64,
}

/// Reads one kind of dump file.
pub trait DumpReader {
    /// Reads the dump at `path`.
    ///
    /// # Errors
    /// A problem that names the file and, where it is known, table and row.
    fn read(&self, path: &Path) -> Result<Dump, Problem>;
}

/// A kind of dump. The end of a file's name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// see [`JsonGz`]
    JsonGz,
    /// see [`Sqlite`]
    Sqlite,
}

impl Kind {
    /// All kinds, in the order they are preferred.
    pub const ALL: [Self; 2] = [Self::JsonGz, Self::Sqlite];

    /// What a file's name ends on.
    #[must_use]
    pub fn suffix(self) -> &'static str {
        match self {
            Self::JsonGz => ".json.gz",
            Self::Sqlite => ".sqlite",
        }
    }

    /// The kind of a file.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy();
        Self::ALL.into_iter().find(|kind| name.ends_with(kind.suffix()))
    }
}

/// Reads a dump of any kind, chosen by the file's name.
///
/// # Errors
/// As [`DumpReader::read`]; `UNREADABLE` for a kind that has no reader.
pub fn read(path: &Path, limits: &Limits) -> Result<Dump, Problem> {
    match Kind::of(path) {
        Some(Kind::JsonGz) => JsonGz { limits: *limits }.read(path),
        Some(Kind::Sqlite) => Sqlite { limits: *limits }.read(path),
        None => {
            let detail = "no reader for this kind of dump (there are some for .json.gz and .sqlite)";
            Err(Problem::new(Code::Unreadable, path, detail))
        }
    }
}

/// Gzip'd JSON: `{"database_id": str, "tables": {name: [row objects]}}`.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonGz {
    /// Caps the unpacked size.
    pub limits: Limits,
}

impl DumpReader for JsonGz {
    fn read(&self, path: &Path) -> Result<Dump, Problem> {
        let packed = read_bytes(path, &self.limits)?;
        let state = state_from_json(&gzip::inflate(&packed, path, &self.limits)?, path, &self.limits)?;
        Ok(Dump { state, sha256: sha256(&packed), file_bytes: packed.len() as u64 })
    }
}

/// A state from a dump's bytes, unpacked; `path` is for problems.
///
/// # Errors
/// `BAD_JSON` with the byte; `TOO_LARGE` for more values than may be held; else as [`state_from_value`].
pub fn state_from_json(json: &[u8], path: &Path, limits: &Limits) -> Result<State, Problem> {
    state_from_value(parse_json(json, path, limits)?, path)
}

/// A state from a dump's JSON; `path` is for problems.
///
/// # Errors
/// `WRONG_TYPE` with table and row (from 1).
pub fn state_from_value(value: Value, path: &Path) -> Result<State, Problem> {
    let top = object(&value, path, "a dump")?;
    let database_id = top.get("database_id").and_then(Value::as_text).cloned();
    let Value::Object(top) = value else { return Ok(State::default()) };
    let tables =
        top.into_iter().find(|(name, _)| *name == "tables").map_or(Value::Null, |(_, tables)| tables);
    let tables = match tables {
        Value::Object(tables) => tables,
        other => return Err(wrong_type(path, "`tables`", "an object", &other)),
    };
    let tables = tables
        .into_iter()
        .filter(|(name, _)| !name.as_bytes().starts_with(b"sqlite_"))
        .map(|(name, rows)| Ok((name.clone(), table(&name, rows, path)?)))
        .collect::<Result<BTreeMap<Text, Table>, Problem>>()?;
    Ok(State { database_id, tables })
}

pub(super) fn table(name: &Text, rows: Value, path: &Path) -> Result<Table, Problem> {
    let place = |row: Option<usize>| Place {
        table: Some(name.display().into_owned()),
        row: row.map(|index| (index + 1).to_string()),
        ..Place::default()
    };
    let rows = match rows {
        Value::Array(rows) => rows,
        other => return Err(wrong_type(path, "a table", "a list of rows", &other).at(place(None))),
    };
    let rows = rows
        .into_iter()
        .enumerate()
        .map(|(index, row)| match row {
            Value::Object(row) => Ok(row),
            other => Err(wrong_type(path, "a row", "an object", &other).at(place(Some(index)))),
        })
        .collect::<Result<Vec<Row>, Problem>>()?;
    Ok(Table { rows, declared_key: None })
}

#[cfg(test)]
mod tests {
    use super::super::json;
    use super::*;

    fn state(text: &str) -> Result<State, Problem> {
        state_from_value(json::parse(text.as_bytes()).expect("JSON"), Path::new("d.json.gz"))
    }

    #[test]
    fn bookkeeping_is_skipped_and_the_rest_kept_in_order() {
        let state = state(
            r#"{"database_id": "db_1", "tables": {"sqlite_sequence": 7, "ship": [{"id": 2}, {"id": 1}], "port": []}}"#,
        )
        .expect("a state");
        assert_eq!(state.database_id, Some("db_1".into()));
        assert_eq!(state.tables.keys().map(ToString::to_string).collect::<Vec<_>>(), ["port", "ship"]);
        let ids: Vec<_> =
            state.tables[&Text::from("ship")].rows.iter().filter_map(|row| row.get("id")).collect();
        assert_eq!(ids, [&Value::from(2), &Value::from(1)]);
    }

    #[test]
    fn wrong_shapes_name_table_and_row() {
        for (text, shown) in [
            ("[]", "WRONG_TYPE d.json.gz: a dump is not an object but array"),
            ("{}", "WRONG_TYPE d.json.gz: `tables` is not an object but null"),
            (r#"{"tables": []}"#, "WRONG_TYPE d.json.gz: `tables` is not an object but array"),
            (
                r#"{"tables": {"ship": {}}}"#,
                "WRONG_TYPE d.json.gz (table ship): a table is not a list of rows but object",
            ),
            (
                r#"{"tables": {"ship": [{}, 3]}}"#,
                "WRONG_TYPE d.json.gz (table ship, row 2): a row is not an object but number",
            ),
        ] {
            assert_eq!(state(text).expect_err("a problem").to_string(), shown);
        }
    }

    #[test]
    fn a_kind_without_a_reader_is_named() {
        let problem = read(Path::new("final_state.tar"), &Limits::default()).expect_err("a problem");
        assert_eq!(problem.code, Code::Unreadable);
    }
}
