//! Databases of all kinds, and files that are none.

use std::fs;
use std::path::Path;

use super::made::Made;
use super::*;
use crate::archive::dump;
use crate::model::{Code, Object, Text, Value};

/// Reads a file, with whatever is beside it.
fn read(path: &Path) -> Result<State, String> {
    read_within(path, &Limits::default())
}

fn read_within(path: &Path, limits: &Limits) -> Result<State, String> {
    let place = path.display().to_string();
    dump::read(path, limits)
        .map(|dump| dump.state)
        .map_err(|problem| problem.to_string().replace(&place, "FILE"))
}

/// Reads bytes as a file of their own.
fn read_bytes(bytes: &[u8]) -> Result<State, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.sqlite");
    fs::write(&path, bytes).expect("writes");
    read(&path)
}

fn rows<'a>(state: &'a State, table: &str) -> &'a [Object] {
    &state.tables[table.as_bytes()].rows
}

fn key(state: &State, table: &str) -> Option<Vec<String>> {
    let key = state.tables[table.as_bytes()].declared_key.as_ref()?;
    Some(key.iter().map(ToString::to_string).collect())
}

#[test]
fn tables_columns_and_keys_are_as_declared() {
    let made = Made::new(
        "CREATE TABLE berth (id INTEGER PRIMARY KEY AUTOINCREMENT, Name);
         INSERT INTO berth (Name) VALUES ('a');
         CREATE TABLE line (\"number\" INT, \"order\" TEXT, PRIMARY KEY (\"order\", \"number\"));
         CREATE TABLE rope (code, part, PRIMARY KEY (part, code)) WITHOUT ROWID;
         CREATE TABLE role (role, \"right\");
         CREATE TABLE \"odd \"\"one\"\"; --\" (\"a ''b\" PRIMARY KEY, \"select\", [x}]);
         INSERT INTO \"odd \"\"one\"\"; --\" VALUES (NULL, 1, 2), (NULL, 3, 4);
         CREATE TABLE sum (id INTEGER PRIMARY KEY, twice AS (id * 2), next INT AS (id + 1) STORED);
         INSERT INTO sum (id) VALUES (20);
         CREATE VIEW berths AS SELECT * FROM berth;
         CREATE VIRTUAL TABLE notes USING fts5(body);
         INSERT INTO notes VALUES ('Pier 7');",
    );
    let state = read(&made.path()).expect("a state");
    let names: Vec<String> = state.tables.keys().map(Text::to_string).collect();
    let shadows = ["config", "content", "data", "docsize", "idx"].map(|part| format!("notes_{part}"));
    let expected: Vec<&str> = ["berth", "line"]
        .into_iter()
        .chain(shadows.iter().map(String::as_str))
        .chain(["odd \"one\"; --", "role", "rope", "sum"])
        .collect();
    assert_eq!(names, expected);
    assert_eq!(key(&state, "berth"), Some(vec!["id".into()]));
    assert_eq!(key(&state, "line"), Some(vec!["order".into(), "number".into()]));
    assert_eq!(key(&state, "rope"), Some(vec!["part".into(), "code".into()]));
    assert_eq!(key(&state, "role"), None);
    assert_eq!(key(&state, "odd \"one\"; --"), Some(vec!["a ''b".into()]));
    assert_eq!(rows(&state, "odd \"one\"; --").len(), 2);
    let spelled = format!("{:?}", rows(&state, "sum"));
    assert_eq!(rows(&state, "sum")[0].get("twice"), Some(&Value::from(40)), "{spelled}");
    assert_eq!(rows(&state, "sum")[0].get("next"), Some(&Value::from(21)), "{spelled}");
    assert_eq!(rows(&state, "berth")[0].names().map(Text::to_string).collect::<Vec<_>>(), ["id", "Name"]);
    assert_eq!(rows(&state, "notes_content")[0].get("c0"), Some(&Value::from("Pier 7")));
}

#[test]
fn values_are_those_of_a_json_dump() {
    let made = Made::new(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v);
         INSERT INTO t (v) VALUES (NULL), (9223372036854775807), (-9223372036854775808), (0.1), (1e999), (-0.0),
           (''), ('Größe 日本'), ('a' || char(0) || 'b'), (x''), (x'27220aff5c'), (CAST(x'61ff62' AS TEXT)),
           (CAST(x'eda080' AS TEXT)), ('b''a'''), (x'61');",
    );
    let state = read(&made.path()).expect("a state");
    let from_json =
        dump::state_from_json(made.json().as_bytes(), Path::new("d"), &Limits::default()).expect("a state");
    // Equality does not tell 1 from 1.0; the debug form does.
    assert_eq!(format!("{:?}", rows(&state, "t")), format!("{:?}", rows(&from_json, "t")));
    let values: Vec<&Value> = rows(&state, "t").iter().filter_map(|row| row.get("v")).collect();
    assert_eq!(values[11], &Value::Text(Text::from_wtf8(b"a\xED\xB3\xBFb")));
    assert_ne!(values[12], &Value::Text(Text::from_wtf8(b"\xED\xA0\x80")), "three odd bytes, no surrogate");
    assert_eq!(values[10], &Value::from(r#"b'\'"\n\xff\\'"#));
    assert_eq!(values[13], values[14], "as in a JSON dump");
}

#[test]
fn other_encodings_are_read() {
    for encoding in ["UTF-16le", "UTF-16be"] {
        let made = Made::new(&format!(
            "PRAGMA encoding = '{encoding}'; CREATE TABLE größe (k TEXT PRIMARY KEY, v); INSERT INTO größe VALUES ('日本', 'é');"
        ));
        let state = read(&made.path()).expect("a state");
        assert_eq!(rows(&state, "größe")[0].get("k"), Some(&Value::from("日本")), "{encoding}");
    }
}

/// All names and bytes in a folder.
fn listing(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("lists").flatten();
    let mut all: Vec<(String, Vec<u8>)> = entries
        .map(|entry| {
            (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("reads"))
        })
        .collect();
    all.sort();
    all
}

/// A database whose last change is in its log, or has to be taken back by its journal.
fn with_companion(journal: bool) -> Made {
    let made = Made::new("CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'old');");
    if journal {
        // Changes reach the file before the transaction ends where the cache is too small for them.
        assert!(made.run("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; UPDATE t SET v = 'new'"));
        assert!(made.run(
            "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
             INSERT INTO t SELECT i, printf('%.90c', 'x') FROM n"
        ));
    } else {
        assert!(made.run("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; UPDATE t SET v = 'new'"));
    }
    made
}

#[cfg(unix)]
#[test]
fn logs_and_journals_count_and_nothing_is_written() {
    use std::os::unix::fs::PermissionsExt;
    for (journal, value) in [(false, "new"), (true, "old")] {
        let made = with_companion(journal);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("what?is#this%20.sqlite");
        made.copy_to(&path);
        let before = listing(folder.path());
        assert_eq!(before.len(), 2);
        let mode =
            |mode| fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).expect("a mode");
        mode(0o555);
        let state = read(&path);
        mode(0o755);
        let state = state.expect("a state");
        assert_eq!(rows(&state, "t").len(), 1);
        assert_eq!(rows(&state, "t")[0].get("v"), Some(&Value::from(value)));
        assert_eq!(listing(folder.path()), before);
    }
}

#[test]
fn a_database_that_was_written_with_a_log_needs_none() {
    let made = with_companion(false);
    assert!(made.run("PRAGMA wal_checkpoint(TRUNCATE)"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.sqlite");
    made.copy_to(&path);
    for empty_log in [true, false] {
        if !empty_log {
            let _ = fs::remove_file(&companions(&path)[0]);
        }
        assert_eq!(rows(&read(&path).expect("a state"), "t")[0].get("v"), Some(&Value::from("new")));
    }
    assert_eq!(listing(folder.path()).len(), 1);
}

/// What SQLite finds no sense in is not the database's.
#[test]
fn companions_that_belong_to_nothing_change_nothing() {
    let made = Made::new("CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'as it is');");
    let other = with_companion(false);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.sqlite");
    made.copy_to(&path);
    let [log, journal] = companions(&path);
    let garbage = [7; 5000];
    // The log of another database was written for a file of another mode.
    let foreign = fs::read(&companions(&other.path())[0]).expect("reads");
    for (place, bytes) in
        [(&log, &garbage[..]), (&journal, &garbage), (&journal, b"\0"), (&journal, &foreign)]
    {
        fs::write(place, bytes).expect("writes");
        let state = read(&path).expect("a state");
        assert_eq!(rows(&state, "t")[0].get("v"), Some(&Value::from("as it is")));
        assert_eq!(fs::read(place).expect("reads"), bytes);
        fs::remove_file(place).expect("removes");
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_what_is_beside_its_end_counts() {
    let made = with_companion(false);
    let folder = tempfile::tempdir().expect("a folder");
    let (real, link) = (folder.path().join("real.sqlite"), folder.path().join("link.sqlite"));
    made.copy_to(&real);
    std::os::unix::fs::symlink(&real, &link).expect("links");
    assert_eq!(rows(&read(&link).expect("a state"), "t")[0].get("v"), Some(&Value::from("new")));
    // A log that is a link itself may lead anywhere.
    let [log, _] = companions(&real);
    let elsewhere = folder.path().join("elsewhere");
    fs::rename(&log, &elsewhere).expect("renames");
    std::os::unix::fs::symlink(&elsewhere, &log).expect("links");
    let problem = read(&real).expect_err("a problem");
    assert!(problem.starts_with("UNSAFE_PATH FILE-wal: "), "{problem}");
}

/// SQLite reads the file a journal names as its super-journal, and may delete it.
#[test]
fn a_journal_that_names_another_file_is_not_followed() {
    let made = with_companion(true);
    let folder = tempfile::tempdir().expect("a folder");
    let (path, precious) = (folder.path().join("x.sqlite"), folder.path().join("precious-mj000000900"));
    made.copy_to(&path);
    fs::write(&precious, "irreplaceable").expect("writes");
    let [_, journal] = companions(&path);
    let name = precious.to_string_lossy().into_owned();
    let mut bytes = fs::read(&journal).expect("reads");
    let sum: u32 = name.bytes().map(u32::from).sum();
    let lock_page = (1u32 << 30) / 4096 + 1;
    bytes.extend(lock_page.to_be_bytes());
    bytes.extend(name.as_bytes());
    bytes.extend(u32::try_from(name.len()).expect("short").to_be_bytes());
    bytes.extend(sum.to_be_bytes());
    bytes.extend([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]);
    fs::write(&journal, bytes).expect("writes");
    let problem = read(&path).expect_err("a problem");
    assert_eq!(problem, "UNSAFE_PATH FILE-journal: a journal that names another file");
    assert!(precious.exists());
}

#[test]
fn what_is_no_whole_database_is_named() {
    let whole = Made::berths().bytes();
    let problem = |bytes: &[u8]| read_bytes(bytes).expect_err("a problem");
    assert_eq!(problem(b""), "BAD_SQLITE FILE: the file is empty");
    assert_eq!(problem(&whole[..99]), "BAD_SQLITE FILE: the file ends in its header");
    let foreign = "BAD_SQLITE FILE: not a SQLite database, or an encrypted one";
    assert_eq!(problem(b"PK\x03\x04 something else"), foreign);
    assert_eq!(problem(&[0x5A; 8192]), foreign);
    for cut in [1, 511, 512, 3000, whole.len() - 512, whole.len() - 101] {
        let problem = problem(&whole[..whole.len() - cut]);
        assert!(problem.starts_with("BAD_SQLITE FILE: the file ends early: "), "{problem}");
    }
    assert!(read_bytes(&whole).is_ok());
    // More than the database behind its end is not the database's.
    assert!(read_bytes(&[whole.as_slice(), &[7; 700]].concat()).is_ok());
}

/// SQLite reads zeros behind the end of a file, and would say nothing of it.
#[test]
fn a_file_cut_short_beside_its_log_or_journal_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.sqlite");
    for begin in ["PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0", "PRAGMA cache_size = 1; BEGIN"]
    {
        let made = Made::berths();
        assert!(made.run("INSERT INTO berth VALUES (1000, printf('%.5000c', 'x'))"));
        assert!(made.run(&format!("{begin}; UPDATE berth SET note = 'new' WHERE id < 150")));
        made.copy_to(&path);
        let whole = fs::read(&path).expect("reads");
        assert_eq!(rows(&read(&path).expect("a state"), "berth").len(), 201, "{begin}");
        for cut in [1, 100, 512, 2000] {
            fs::write(&path, &whole[..whole.len() - cut]).expect("writes");
            let problem = read(&path).expect_err("a problem");
            assert!(problem.starts_with("BAD_SQLITE FILE: the file ends early: page "), "{begin}: {problem}");
        }
    }
}

#[test]
fn a_broken_page_names_table_and_row() {
    let mut bytes = Made::berths().bytes();
    let half = bytes.len() / 2 / 512 * 512;
    bytes[half..half + 512].fill(0xEE);
    let problem = read_bytes(&bytes).expect_err("a problem");
    assert!(problem.starts_with("BAD_SQLITE FILE (table berth, row "), "{problem}");
    assert!(problem.ends_with("): database disk image is malformed"), "{problem}");
}

#[test]
fn limits_hold() {
    let made = Made::berths();
    let size = made.bytes().len() as u64;
    let within = |max_inflated| read_within(&made.path(), &Limits { max_inflated });
    assert!(within(size).is_ok());
    assert!(within(size - 1).expect_err("a problem").starts_with("TOO_LARGE FILE: larger than the cap"));
    // A blob takes more room as a text.
    let made = Made::new("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(100000))");
    let problem = read_within(&made.path(), &Limits { max_inflated: 300_000 }).expect_err("a problem");
    assert!(problem.starts_with("TOO_LARGE FILE (table t, row 1): longer texts"), "{problem}");
    assert!(read_within(&made.path(), &Limits { max_inflated: 500_000 }).is_ok());
    // Values that take no room in the file.
    let made = Made::new(&format!(
        "CREATE TABLE t ({})",
        (0..500).map(|n| format!("c{n}")).collect::<Vec<_>>().join(", ")
    ));
    assert!(made.run("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO t (c0) SELECT i FROM n"));
    let problem = read_within(&made.path(), &Limits { max_inflated: 300_000 }).expect_err("a problem");
    assert!(problem.starts_with("TOO_LARGE FILE (table t, row "), "{problem}");
}

/// What a schema can be made to do when it is read.
#[test]
fn a_schema_cannot_do_harm() {
    for (sql, expected) in [
        (
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b AS (a LIKE '%a%b%c%'))",
            "BAD_SQLITE FILE (table t, row 1): a generated column needs like(), which is not computed here",
        ),
        (
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b AS (hex(hex(hex(hex(hex(hex(hex(hex(hex(hex(hex(hex(hex(a)))))))))))))))",
            "TOO_LARGE FILE (table t, row 1): a value larger than the whole file",
        ),
        (
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b AS (json_patch('{}', '{}')))",
            "BAD_SQLITE FILE (table t, row 1): a generated column needs json_patch(), which is not computed here",
        ),
        (
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b AS (zeroblob(60000)))",
            "TOO_LARGE FILE (table t, row 1): computed texts far longer than the file",
        ),
        ("CREATE TABLE t (id INTEGER PRIMARY KEY, a CHECK (a NOT LIKE '%z%'), b)", ""),
        ("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); CREATE INDEX i ON t (a) WHERE a LIKE 'x%'", ""),
        (
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n",
            "",
        ),
    ] {
        let made = Made::new(sql);
        assert!(
            made.run("PRAGMA ignore_check_constraints = ON; INSERT INTO t (a) VALUES (printf('%.40c', 'x'))"),
            "{sql}"
        );
        assert_eq!(read(&made.path()).err().unwrap_or_default(), expected, "{sql}");
    }
    // Each column is the one before it, twice.
    let doubled: Vec<String> = (1..40).map(|n| format!("c{n} AS (c{0} || c{0})", n - 1)).collect();
    let made = Made::new("CREATE TABLE t (id INTEGER PRIMARY KEY, c0); INSERT INTO t (c0) VALUES (NULL)");
    let forged = format!("CREATE TABLE t (id INTEGER PRIMARY KEY, c0, {})", doubled.join(", "));
    assert!(made.run(&format!("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '{forged}'")));
    assert!(read(&made.path()).is_err());
}

#[test]
fn a_forged_schema_is_refused() {
    for forgery in [
        "UPDATE sqlite_schema SET sql = 'CREATE TABLE t (id, a, b AS (no_such_function(a)))' WHERE name = 't'",
        "UPDATE sqlite_schema SET sql = 'CREATE TABLE t (' WHERE name = 't'",
        "UPDATE sqlite_schema SET sql = 'DROP TABLE t' WHERE name = 't'",
        "UPDATE sqlite_schema SET sql = NULL WHERE name = 't'",
        "UPDATE sqlite_schema SET type = 'view' WHERE name = 't'",
        "UPDATE sqlite_schema SET type = x'00' WHERE name = 't'",
        "UPDATE sqlite_schema SET name = CAST(x'ff00' AS TEXT) WHERE name = 't'",
        "UPDATE sqlite_schema SET name = 'other' WHERE name = 't'",
        "UPDATE sqlite_schema SET rootpage = 99 WHERE name = 't'",
        "UPDATE sqlite_schema SET rootpage = -1 WHERE name = 't'",
        "UPDATE sqlite_schema SET rootpage = 'x' WHERE name = 't'",
        "UPDATE sqlite_schema SET rootpage = 0 WHERE name = 't'",
        "INSERT INTO sqlite_schema SELECT * FROM sqlite_schema",
    ] {
        let made = Made::new("CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 2);");
        assert!(made.run(&format!("PRAGMA writable_schema = ON; {forgery}")), "{forgery}");
        let problem = read(&made.path()).expect_err(forgery);
        assert!(problem.starts_with("BAD_SQLITE FILE"), "{forgery}: {problem}");
    }
}

#[test]
fn problems_have_their_code() {
    let problem = dump::read(Path::new("no/such.sqlite"), &Limits::default()).expect_err("a problem");
    assert_eq!(problem.code, Code::Unreadable);
}
