//! The database a run acts on: seeded afresh, changed by tools, dumped before and after.

use std::collections::BTreeMap;

use rusqlite::types::{Value as SqlValue, ValueRef};
use rusqlite::{Connection, Statement};

use super::HarnessError;
use super::conversation::{object, text};
use crate::archive::json;
use crate::model::{Object, Row, Text, Value};

/// One run's own database, in memory.
#[derive(Debug)]
pub struct Substrate {
    connection: Connection,
    database_id: String,
}

impl Substrate {
    /// A new database filled by the statements of a seed file.
    ///
    /// # Errors
    /// If a statement fails.
    pub fn seeded(seed: &str, database_id: String) -> Result<Self, HarnessError> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch("PRAGMA foreign_keys = ON")?;
        connection.execute_batch(seed)?;
        Ok(Self { connection, database_id })
    }

    /// The name this database goes by in dumps and manifests.
    #[must_use]
    pub fn database_id(&self) -> &str {
        &self.database_id
    }

    /// The whole state as a dump holds it: `{"database_id": …, "tables": {name: [rows]}}`, names sorted,
    /// rows in the order of the database.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn dump(&self) -> Result<String, HarnessError> {
        let mut tables = Vec::new();
        for table in self.tables()? {
            let rows = self.query(&format!("SELECT * FROM {}", quoted(&table)), &Object::default())?;
            tables.push((Text::from(table), Value::Array(rows.into_iter().map(Value::Object).collect())));
        }
        let state = object([
            ("database_id", text(self.database_id.as_str())),
            ("tables", Value::Object(tables.into_iter().collect())),
        ]);
        Ok(json::write(&state))
    }

    /// The declared primary key of every table, in declared order.
    ///
    /// # Errors
    /// If the schema cannot be read.
    pub fn primary_keys(&self) -> Result<BTreeMap<String, Vec<String>>, HarnessError> {
        let mut keys = BTreeMap::new();
        for table in self.tables()? {
            let sql = "SELECT name FROM pragma_table_info(:table) WHERE pk > 0 ORDER BY pk";
            let columns = self.strings(sql, &[(":table", &table)])?;
            keys.insert(table, columns);
        }
        Ok(keys)
    }

    /// Runs one query; parameters (`:name`) take the value of that name, or null.
    ///
    /// # Errors
    /// If SQLite refuses.
    pub fn query(&self, sql: &str, parameters: &Object) -> Result<Vec<Row>, HarnessError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        bind(&mut statement, parameters)?;
        let names: Vec<Text> = statement.column_names().map(Text::from).collect();
        let mut rows = statement.raw_query();
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let mut entries = Vec::with_capacity(names.len());
            for (index, name) in names.iter().enumerate() {
                entries.push((name.clone(), from_sql(row.get_ref(index)?)));
            }
            found.push(entries.into_iter().collect());
        }
        Ok(found)
    }

    /// Runs one statement that writes; parameters as in [`Substrate::query`]. Returns how many rows it
    /// changed.
    ///
    /// # Errors
    /// If SQLite refuses.
    pub fn execute(&self, sql: &str, parameters: &Object) -> Result<usize, HarnessError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        bind(&mut statement, parameters)?;
        Ok(statement.raw_execute()?)
    }

    fn tables(&self) -> Result<Vec<String>, HarnessError> {
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' \
                   ESCAPE '\\' ORDER BY name";
        self.strings(sql, &[])
    }

    fn strings(&self, sql: &str, parameters: &[(&str, &String)]) -> Result<Vec<String>, HarnessError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let bound: Vec<(&str, &dyn rusqlite::ToSql)> =
            parameters.iter().map(|(name, value)| (*name, *value as &dyn rusqlite::ToSql)).collect();
        let rows = statement.query_map(bound.as_slice(), |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn bind(statement: &mut Statement<'_>, parameters: &Object) -> Result<(), HarnessError> {
    for index in 1..=statement.parameter_count() {
        let name = statement.parameter_name(index).map(|name| name.trim_start_matches(':').to_owned());
        let value = name.and_then(|name| parameters.get(&name).map(to_sql)).unwrap_or(SqlValue::Null);
        statement.raw_bind_parameter(index, value)?;
    }
    Ok(())
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn to_sql(value: &Value) -> SqlValue {
    use crate::model::Number;
    match value {
        Value::Null => SqlValue::Null,
        Value::Bool(flag) => SqlValue::Integer(i64::from(*flag)),
        Value::Number(Number::Int(int)) => SqlValue::Integer(*int),
        Value::Number(Number::Float(float)) => SqlValue::Real(*float),
        Value::Text(words) => SqlValue::Text(words.display().into_owned()),
        // SQLite has no type for these; JSON text is what an agent would have sent.
        other => SqlValue::Text(json::write(other)),
    }
}

fn from_sql(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(int) => Value::from(int),
        ValueRef::Real(float) => Value::from(float),
        ValueRef::Text(bytes) => text(String::from_utf8_lossy(bytes).into_owned()),
        // A blob has no JSON form; dumps hold such values as text.
        ValueRef::Blob(bytes) => text(String::from_utf8_lossy(bytes).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: &str = "CREATE TABLE bin (shelf TEXT, place INTEGER, held REAL, PRIMARY KEY (shelf, place));
        INSERT INTO bin VALUES ('b', 2, 1.5), ('a', 1, NULL);";

    #[test]
    fn a_dump_has_sorted_names_and_rows_as_stored() {
        let substrate = Substrate::seeded(SEED, "db_1".into()).expect("seeds");
        assert_eq!(
            substrate.dump().expect("dumps"),
            r#"{"database_id": "db_1", "tables": {"bin": [{"held": 1.5, "place": 2, "shelf": "b"}, {"held": null, "place": 1, "shelf": "a"}]}}"#
        );
        assert_eq!(substrate.primary_keys().expect("keys")["bin"], ["shelf", "place"]);
    }

    #[test]
    fn parameters_bind_by_name_and_absent_ones_are_null() {
        let substrate = Substrate::seeded(SEED, "db_1".into()).expect("seeds");
        let Value::Object(given) = object([("shelf", text("a")), ("unused", text("x"))]) else { return };
        let changed = substrate
            .execute("UPDATE bin SET held = COALESCE(:held, 7) WHERE shelf = :shelf", &given)
            .expect("runs");
        assert_eq!(changed, 1);
        let rows = substrate.query("SELECT held FROM bin WHERE shelf = :shelf", &given).expect("runs");
        assert_eq!(rows[0].get("held"), Some(&Value::from(7)));
        assert!(Substrate::seeded("CREATE nonsense", "db_2".into()).is_err());
    }
}
