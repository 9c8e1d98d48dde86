//! Dumps as database files: by pages and a masked join, against reading both databases whole.

use std::fs;
use std::path::{Path, PathBuf};

use gainsay::archive::{Limits, dump};
use gainsay::model::{Number, State, Table, Text, Value};
use gainsay::study::Options;
use rusqlite::{Connection, params_from_iter, types::Value as Stored};

use crate::clock::{Sample, cpu_ms};
use crate::compare::{label, open, runs};
use crate::places::{children, target};
use crate::ratio::times;
use crate::shapes::{large, small};
use crate::synthetic::{self, Plan};

/// Databases of the field's two sizes, from no changed row to all of them.
pub fn sqlite() {
    for (name, shapes, rows) in [("large", large(), 10_633), ("small", small(), 240)] {
        for changed in [0, 2, 100, rows] {
            let plan = Plan { shapes: shapes.clone(), runs: 16, per_task: 16, changed };
            let scratch = tempfile::tempdir_in(target()).expect("a folder");
            let archive = synthetic::write(scratch.path(), &plan);
            convert(&archive);
            compare(&format!("{name} databases, {changed} rows changed"), &[archive], 5);
        }
    }
}

/// Both paths and bare reading in turn.
fn compare(name: &str, paths: &[PathBuf], rounds: usize) {
    let files: Vec<PathBuf> = databases(&paths[0]);
    let runs = files.len() as f64 / 2.0;
    let (mut fast, mut slow, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=rounds {
        let reading = cpu_ms(|| files.iter().for_each(|file| drop(fs::read(file).expect("reads"))));
        let [by_pages, whole] = [false, true].map(|slow_path| {
            let session = open(paths, &Options { slow_path, ..Options::default() });
            cpu_ms(|| label(&session, 1))
        });
        // The first round warms caches and is thrown away.
        if round > 0 {
            fast.push(by_pages / runs);
            slow.push(whole / runs);
            bare.push(reading / runs);
        }
    }
    println!(
        "  {name}: {} × reading the files, whole databases {} ×; {} ms a run, whole {}",
        times(&fast, &bare),
        times(&slow, &bare),
        Sample::new(fast),
        Sample::new(slow)
    );
}

/// Puts databases in the place of all dumps; a final one is written as an agent would have, into the seed.
fn convert(archive: &Path) {
    for run in runs(archive) {
        let [before, after] = ["post_seed_state", "final_state"].map(|stem| {
            let json = run.join(format!("{stem}.json.gz"));
            let state = dump::read(&json, &Limits::default()).expect("a dump").state;
            fs::remove_file(json).expect("removes");
            (run.join(format!("{stem}.sqlite")), state)
        });
        seed(&before.0, &before.1);
        fs::copy(&before.0, &after.0).expect("copies");
        write(&after.0, &before.1, &after.1);
    }
}

fn seed(path: &Path, state: &State) {
    let db = Connection::open(path).expect("opens");
    db.execute_batch("PRAGMA synchronous = OFF; BEGIN").expect("begins");
    for (name, table) in &state.tables {
        let columns: Vec<String> = table.rows[0].names().map(|name| format!("\"{name}\"")).collect();
        let columns = columns.join(", ").replace("\"id\"", "\"id\" INTEGER PRIMARY KEY");
        db.execute(&format!("CREATE TABLE \"{name}\" ({columns})"), []).expect("creates");
        put(&db, name, table, |_| true);
    }
    db.execute_batch("COMMIT").expect("commits");
}

fn write(path: &Path, before: &State, after: &State) {
    let db = Connection::open(path).expect("opens");
    db.execute_batch("PRAGMA synchronous = OFF; BEGIN").expect("begins");
    for (name, table) in &after.tables {
        let old = &before.tables[name];
        put(&db, name, table, |row| old.rows[row] != table.rows[row]);
    }
    db.execute_batch("COMMIT").expect("commits");
}

fn put(db: &Connection, name: &Text, table: &Table, wanted: impl Fn(usize) -> bool) {
    let marks = vec!["?"; table.rows[0].len()].join(", ");
    let mut put = db.prepare(&format!("REPLACE INTO \"{name}\" VALUES ({marks})")).expect("SQL");
    for (_, row) in table.rows.iter().enumerate().filter(|(place, _)| wanted(*place)) {
        put.execute(params_from_iter(row.iter().map(|(_, value)| stored(value)))).expect("puts");
    }
}

fn stored(value: &Value) -> Stored {
    match value {
        Value::Number(Number::Int(int)) => Stored::Integer(*int),
        Value::Text(text) => Stored::Text(text.to_string()),
        _ => Stored::Null,
    }
}

fn databases(archive: &Path) -> Vec<PathBuf> {
    let files = runs(archive).into_iter().flat_map(|run| children(&run));
    files.filter(|file| file.extension().is_some_and(|end| end == "sqlite")).collect()
}
