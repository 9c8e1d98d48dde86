//! Archives whose dumps are database files.

use std::fs;
use std::path::{Path, PathBuf};

use gainsay::archive::{Limits, dump, registry};
use gainsay::model::{Number, Registry, Table, Text, Value};
use rusqlite::Connection;
use rusqlite::types::{ToSql, ToSqlOutput, Value as SqlValue};

/// A value to be stored.
struct Stored<'a>(&'a Value);

impl ToSql for Stored<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Owned(match self.0 {
            Value::Null => SqlValue::Null,
            Value::Bool(bool) => SqlValue::Integer(i64::from(*bool)),
            Value::Number(Number::Int(int)) => SqlValue::Integer(*int),
            Value::Number(number) => SqlValue::Real(number.to_f64()),
            Value::Text(text) => SqlValue::Text(text.as_str().expect("UTF-8").to_owned()),
            other => panic!("no database holds {other:?}"),
        }))
    }
}

/// Puts databases in the place of all JSON dumps of an archive, and gives their paths.
pub fn convert_all(archive: &Path) -> Vec<PathBuf> {
    let registries = registries(archive);
    json_dumps(&archive.join("runs")).iter().map(|json| convert(json, &registries)).collect()
}

/// The registries of an archive's domains.
pub fn registries(archive: &Path) -> Vec<Registry> {
    let files = registry::find(&archive.join("data"));
    let names = files.paths().filter_map(|path| path.file_name()?.to_str());
    let domains = names.filter_map(|name| name.strip_prefix("primary-keys-")?.strip_suffix(".json"));
    domains.map(|domain| files.read(&domain.into()).expect("sound").expect("keys")).collect()
}

/// All JSON dumps below a folder, by name.
fn json_dumps(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(json_dumps(&path));
        } else if path.to_string_lossy().ends_with(".json.gz") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Puts a database in the place of a JSON dump. Tables have the keys of their registry, where rows allow it.
pub fn convert(json: &Path, registries: &[Registry]) -> PathBuf {
    let state = dump::read(json, &Limits::default()).expect("a dump").state;
    let knows =
        |registry: &&Registry| state.tables.keys().all(|name| registry.primary_keys.contains_key(name));
    let registry = registries.iter().find(knows).expect("keys");
    let path = PathBuf::from(json.to_string_lossy().replace(".json.gz", ".sqlite"));
    let db = Connection::open(&path).expect("opens");
    db.execute_batch("PRAGMA synchronous = OFF; BEGIN").expect("begins");
    for (name, table) in &state.tables {
        fill(&db, name, table, &registry.primary_keys[name]);
    }
    db.execute_batch("COMMIT").expect("commits");
    drop(db);
    fs::remove_file(json).expect("removes");
    rename(json, &path);
    path
}

/// The manifest of a run's batch may name its dumps.
fn rename(from: &Path, to: &Path) {
    let batch = from.ancestors().nth(3).expect("a batch");
    let manifest = batch.join("manifest.json");
    let Ok(text) = fs::read_to_string(&manifest) else { return };
    let [from, to] = [from, to].map(|path| path.strip_prefix(batch).expect("below").to_string_lossy());
    fs::write(manifest, text.replace(&*from, &to)).expect("writes");
}

fn fill(db: &Connection, name: &Text, table: &Table, key: &[Text]) {
    let quoted = |name: &Text| format!("\"{}\"", name.display().replace('"', "\"\""));
    let list = |names: &[Text]| names.iter().map(quoted).collect::<Vec<_>>().join(", ");
    let columns: Vec<Text> = match table.rows.first() {
        Some(row) => row.names().cloned().collect(),
        None => key.to_vec(),
    };
    let create = |rest: &str| format!("CREATE TABLE {} ({}{rest})", quoted(name), list(&columns));
    let marks = vec!["?"; columns.len()].join(", ");
    let fill = || {
        let mut insert = db.prepare(&format!("INSERT INTO {} VALUES ({marks})", quoted(name)))?;
        for row in &table.rows {
            let values = columns.iter().map(|column| Stored(row.column(column).expect("every column")));
            insert.execute(rusqlite::params_from_iter(values))?;
        }
        Ok::<_, rusqlite::Error>(())
    };
    db.execute(&create(&format!(", PRIMARY KEY ({})", list(key))), []).expect("creates");
    if fill().is_err() {
        // Its rows repeat the registry's key, so it cannot be declared.
        db.execute_batch(&format!("DROP TABLE {}; {}", quoted(name), create(""))).expect("creates");
        fill().expect("fills");
    }
}
