//! Archives whose dumps are database files: the same rows, screens and problems as with dumps in JSON.
#![allow(clippy::expect_used, clippy::panic, reason = "a test")]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use gainsay::archive::verdicts;
use gainsay::study::cache::CacheFile;
use gainsay::study::{Options, Session};
use rusqlite::Connection;
use support::explorer::Labelled;
use support::sqlite::{convert, convert_all, registries};
use support::{Archive, BATCH, TASK, copy, shared};

fn gainsay() -> Command {
    Command::cargo_bin("gainsay").expect("the program")
}

/// A program's output, and its exit code.
fn said(command: &mut Command) -> (String, Option<i32>) {
    let output = command.output().expect("runs");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

/// Verdict rows of an archive, sorted, and the errors.
fn labelled(archive: &Path, options: &Options) -> (Vec<String>, Vec<String>) {
    let session = Session::open(&[archive.to_owned()], options);
    let study = session.label_all();
    let verdicts = study.runs.iter().filter_map(|run| run.verdict());
    let mut rows: Vec<String> = verdicts.map(|verdict| verdicts::to_line(verdict)).collect();
    rows.sort();
    let problems = study.problems.iter().filter(|problem| problem.is_error());
    (rows, problems.map(ToString::to_string).collect())
}

/// Runs statements on a database.
fn edit(path: &Path, sql: &str) {
    let db = Connection::open(path).expect("opens");
    db.execute_batch(sql).expect("SQL");
}

/// All bytes below a folder.
fn bytes(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        if entry.path().is_dir() {
            all.extend(bytes(&entry.path()));
        } else {
            all.insert(entry.path(), fs::read(entry.path()).expect("reads"));
        }
    }
    all
}

#[test]
fn the_handed_archives_come_out_as_expected() {
    let Some(shared) = shared() else { return };
    for name in ["cab-gate-llama70b", "mistral-mix", "edge", "composite"] {
        let folder = tempfile::tempdir().expect("a folder");
        let (archive, out) = (folder.path().join("archive"), folder.path().join("out"));
        copy(&shared.join("archives").join(name), &archive);
        for (number, path) in convert_all(&archive).iter().enumerate() {
            // Some as a harness left them that used a log.
            if number % 3 == 0 {
                edit(path, "PRAGMA journal_mode = WAL");
            }
        }
        let before = bytes(&archive);
        let expected = fs::read_to_string(archive.join("expected.verdicts.jsonl")).expect("reads");
        let expected = sorted_rows(&expected);
        for slow_path in [false, true] {
            let (rows, errors) = labelled(&archive, &Options { slow_path, ..Options::default() });
            assert_eq!(errors, [""; 0], "{name}");
            assert_eq!(rows, expected, "{name}, slow path {slow_path}");
            let mut label = gainsay();
            label.arg("label").arg(&archive).arg("--out").arg(&out);
            label.args(slow_path.then_some("--slow-path")).assert().code(0);
            let written = bytes(&out).into_iter().filter(|(path, _)| path.ends_with("verdicts.jsonl"));
            let written: Vec<u8> = written.flat_map(|(_, bytes)| bytes).collect();
            assert_eq!(sorted_rows(&String::from_utf8(written).expect("UTF-8")), expected, "{name}");
        }
        assert_eq!(bytes(&archive), before, "an archive is only read");
    }
}

/// Rows as [`labelled`] has them.
fn sorted_rows(lines: &str) -> Vec<String> {
    let mut rows: Vec<String> = lines.lines().map(str::to_owned).collect();
    rows.sort();
    rows
}

#[test]
fn a_run_is_shown_as_with_dumps_in_json() {
    let (json, sqlite) = (Archive::small(), Archive::small());
    convert_all(sqlite.path());
    let screens = |archive: &Archive| {
        let mut explorer = Labelled::open(archive.path()).explore(160, 50);
        let name = archive.path().file_name().expect("a name").to_string_lossy();
        ["", "<Enter>", "<Enter>", "w"].map(|keys| explorer.press(keys).text().replace(&*name, "ARCHIVE"))
    };
    for (number, (sqlite, json)) in screens(&sqlite).iter().zip(screens(&json)).enumerate() {
        // Where it comes from stands on the right, and is not the same: a database file holds no id.
        let said_and_done = |screen: &str| -> Vec<String> {
            let lines = screen.lines().map(|line| line.split('│').take(2).collect::<String>());
            lines.map(|line| line.trim_end().to_owned()).collect()
        };
        assert_eq!(said_and_done(sqlite), said_and_done(&json), "screen {number}");
    }
    let shown = |archive: &Archive| {
        let session = Session::open(&[archive.path().to_owned()], &Options::default());
        let study = session.label_all();
        let model = &study.models[study.runs[0].model].name;
        let address = |run: u32| format!("{}#{model}/{TASK}/run_{run}", archive.path().display());
        (1..=support::K as u32)
            .map(|run| {
                let (text, code) = said(gainsay().arg("show").arg(address(run)));
                assert_eq!(code, Some(0));
                let lines = text
                    .lines()
                    .filter(|line| !line.starts_with("  post-seed d") && !line.starts_with("  final d"));
                lines.collect::<Vec<_>>().join("\n").replace(&*archive.path().to_string_lossy(), "ARCHIVE")
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(shown(&sqlite), shown(&json));
}

#[test]
fn one_dump_in_json_and_one_in_sqlite_go_together() {
    let (json, mixed) = (Archive::small(), Archive::small());
    let registries = registries(mixed.path());
    for run in 1..=4 {
        convert(&mixed.final_state(run), &registries);
        convert(&mixed.post_seed(9 - run), &registries);
    }
    assert_eq!(labelled(mixed.path(), &Options::default()), labelled(json.path(), &Options::default()));
}

#[test]
fn seeds_that_hold_other_rows_drift_and_others_do_not() {
    let archive = Archive::small();
    let expected = labelled(archive.path(), &Options::default());
    convert_all(archive.path());
    let seed = |run| PathBuf::from(archive.post_seed(run).to_string_lossy().replace(".json.gz", ".sqlite"));
    edit(&seed(2), "PRAGMA page_size = 1024; VACUUM");
    edit(&seed(3), "PRAGMA journal_mode = WAL");
    assert_ne!(fs::read(seed(2)).expect("reads"), fs::read(seed(1)).expect("reads"));
    assert_eq!(labelled(archive.path(), &Options::default()), expected);
    let (table, key): (String, String) = {
        let db = Connection::open(seed(4)).expect("opens");
        let table: String = db
            .query_row("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", [], |row| {
                row.get(0)
            })
            .expect("a table");
        let key = db
            .query_row("SELECT name FROM pragma_table_info(?1) WHERE pk = 1", [&table], |row| row.get(0))
            .expect("a key");
        (table, key)
    };
    edit(
        &seed(4),
        &format!("DELETE FROM \"{table}\" WHERE \"{key}\" = (SELECT min(\"{key}\") FROM \"{table}\")"),
    );
    for slow_path in [false, true] {
        let (_, errors) = labelled(archive.path(), &Options { slow_path, ..Options::default() });
        let [drift] = errors.as_slice() else { panic!("{errors:?}") };
        assert!(drift.starts_with("POST_SEED_DRIFT "), "{drift}");
        assert!(drift.contains(&format!("run_4, table {table}, row ")), "{drift}");
        assert!(
            drift.ends_with("differs from run_1: post-seed states differ: the other state has a row less"),
            "{drift}"
        );
    }
}

#[test]
fn a_log_that_changes_is_seen_by_the_cache() {
    let archive = Archive::small();
    convert_all(archive.path());
    let path = PathBuf::from(archive.final_state(1).to_string_lossy().replace(".json.gz", ".sqlite"));
    let cache = CacheFile { path: archive.path().join("index.sqlite"), verify: false };
    let options = || Options { cache: Some(cache.clone()), ..Options::default() };
    let of_run = |(rows, _): (Vec<String>, Vec<String>)| {
        rows.into_iter().find(|row| row.contains("\"run_1\"")).expect("a row")
    };
    let first = of_run(labelled(archive.path(), &options()));
    // A copy, since closing a database takes its log in.
    let db = Connection::open(&path).expect("opens");
    let table: String = db
        .query_row("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", [], |row| row.get(0))
        .expect("a table");
    db.execute_batch("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0").expect("a log");
    let file = fs::read(&path).expect("reads");
    db.execute_batch(&format!("DELETE FROM \"{table}\"")).expect("deletes");
    let log = fs::read(format!("{}-wal", path.display())).expect("reads");
    drop(db);
    fs::write(&path, &file).expect("writes");
    let without = of_run(labelled(archive.path(), &options()));
    assert_eq!(without, first, "the same rows");
    fs::write(format!("{}-wal", path.display()), log).expect("writes");
    let with = of_run(labelled(archive.path(), &options()));
    assert_ne!(with, first);
    assert_eq!(fs::read(&path).expect("reads"), file);
    assert_eq!(with, of_run(labelled(archive.path(), &Options::default())), "{BATCH}");
}
