//! The same for database files: what SQLite finds is what the typed comparison finds, and both are what the
//! same content in JSON leads to.

use super::*;
use crate::archive::sqlite::made::Made;

/// Tables of all kinds of keys.
const TABLES: &str = "
    CREATE TABLE berth (id INTEGER PRIMARY KEY, name TEXT, note, seen TEXT);
    CREATE INDEX berth_note ON berth (note);
    CREATE TABLE line (note COLLATE NOCASE, \"number\" INT, \"order\" TEXT, PRIMARY KEY (\"order\", \"number\"));
    CREATE TABLE vessel (key PRIMARY KEY, value COLLATE RTRIM, size REAL, UNIQUE (value, key));
    CREATE TABLE rope (code TEXT NOT NULL, part INTEGER, length NUMERIC, PRIMARY KEY (part, code)) WITHOUT ROWID;
    CREATE TABLE flag (code TEXT COLLATE NOCASE PRIMARY KEY, note TEXT COLLATE NOCASE);
    CREATE TABLE \"od\"\"d ta.ble\" (\"a \"\"key\" INTEGER PRIMARY KEY AUTOINCREMENT, \"rowid\", \"select\" BLOB CHECK (\"select\" <> 77));
    CREATE TABLE sum (id INTEGER PRIMARY KEY, a, b AS (a || '!'), c INT AS (id + 1) STORED);
    CREATE TABLE role (role, \"right\");
    CREATE TABLE empty (id INTEGER PRIMARY KEY);
    CREATE VIEW berths AS SELECT * FROM berth;
    CREATE TRIGGER seen AFTER UPDATE OF name ON berth BEGIN UPDATE berth SET seen = 'now' WHERE id = new.id; END;
";

/// Table, its columns that can be written, its key.
const WRITTEN: [(&str, &[&str]); 9] = [
    ("berth", &["id", "name", "note", "seen"]),
    ("line", &["note", "\"number\"", "\"order\""]),
    ("vessel", &["key", "value", "size"]),
    ("rope", &["code", "part", "length"]),
    ("flag", &["code", "note"]),
    ("\"od\"\"d ta.ble\"", &["\"a \"\"key\"", "\"rowid\"", "\"select\""]),
    ("sum", &["id", "a"]),
    ("role", &["role", "\"right\""]),
    ("empty", &["id"]),
];

/// Values as SQL, many of them equal to another for somebody.
const SQL_VALUES: [&str; 28] = [
    "1",
    "1.0",
    "'1'",
    "x'31'",
    "CAST(x'31' AS TEXT)",
    "NULL",
    "0",
    "-0.0",
    "''",
    "x''",
    "'b''1'''",
    "9007199254740993",
    "9007199254740992.0",
    "9223372036854775807",
    "9.3e18",
    "1e999",
    "-1e999",
    "0.1",
    "'Pier 7'",
    "'pier 7'",
    "'PIER 7 '",
    "'Quay é 12'",
    "CAST(x'ff41' AS TEXT)",
    "CAST(x'edb3bf41' AS TEXT)",
    "'a' || char(0) || 'b'",
    "'it''s \"so\"' || char(10)",
    "zeroblob(600)",
    "printf('%.900c', 'x')",
];

fn known_keys() -> Arc<Registry> {
    let parse = |text: &str| json::parse(text.as_bytes()).expect("JSON");
    let keys = r#"{"primary_keys": {"berth": "id", "line": ["order", "number"], "vessel": "key", "rope": ["part", "code"],
        "flag": "code", "od\"d ta.ble": "a \"key", "sum": "id", "role": "role", "empty": "id", "berth2": "id", "new": "id"}}"#;
    let path = Path::new("registry");
    let masked = r#"{"volatile_columns": {"berth": ["seen"], "vessel": ["size"], "rope": ["length"], "role": ["right"]}}"#;
    Arc::new(Registry {
        domain: "port".into(),
        primary_keys: registry::primary_keys(&parse(keys), path).expect("keys"),
        volatile_columns: registry::volatile_columns(&parse(masked), path).expect("columns"),
        tool_tags: Default::default(),
    })
}

/// A statement, good or not: what cannot be run changes nothing.
fn edit(made: &Made, [op, a, b, c]: [u32; 4]) {
    let (table, columns) = WRITTEN[a as usize % WRITTEN.len()];
    let column = columns[b as usize % columns.len()];
    let value = |shift: u32| pick(&SQL_VALUES, c.rotate_right(shift));
    let some = format!("(SELECT rowid FROM {table} ORDER BY rowid LIMIT 1 OFFSET {})", c % 31);
    let of_one = if table == "rope" { format!("part = {}", c % 31) } else { format!("rowid = {some}") };
    let values = || (0..columns.len() as u32).map(|place| value(3 * place)).collect::<Vec<_>>().join(", ");
    let names = columns.join(", ");
    let sql = match op % 30 {
        0..=7 => format!("UPDATE OR IGNORE {table} SET {column} = {} WHERE {of_one}", value(0)),
        8..=10 => format!("INSERT OR IGNORE INTO {table} ({names}) VALUES ({})", values()),
        11 => format!("INSERT OR REPLACE INTO {table} ({names}) VALUES ({})", values()),
        12..=14 => format!("DELETE FROM {table} WHERE {of_one}"),
        15 => format!("UPDATE OR IGNORE {table} SET {} = {} WHERE {of_one}", columns[0], 1000 + c % 7),
        16 => format!("UPDATE OR IGNORE {table} SET {column} = upper({column})"),
        17 => format!("UPDATE OR IGNORE {table} SET {column} = {}", value(5)),
        18 => "VACUUM".into(),
        19 => format!("ALTER TABLE {table} ADD COLUMN more DEFAULT {}", pick(&["NULL", "7", "'x'"], c)),
        20 => format!("DROP TABLE {table}"),
        21 => format!(
            "CREATE TABLE new (id INTEGER PRIMARY KEY, {column}); INSERT INTO new VALUES (1, {})",
            value(0)
        ),
        22 => "ALTER TABLE berth RENAME TO berth2".into(),
        23 => format!("CREATE INDEX extra{} ON {table} ({column}); ANALYZE", c % 3),
        24 => format!("DELETE FROM {table}"),
        25 => format!("PRAGMA user_version = {c}; REINDEX"),
        26 => "PRAGMA writable_schema = RESET; DROP INDEX IF EXISTS berth_note".into(),
        27 => pick(
            &["PRAGMA auto_vacuum = 1; VACUUM", "PRAGMA page_size = 1024; VACUUM", "VACUUM; VACUUM"],
            c / 8,
        )
        .to_owned(),
        28 => format!("INSERT INTO {table} ({names}) SELECT {names} FROM {table}"),
        _ => format!("UPDATE OR IGNORE {table} SET {column} = (SELECT {column} FROM {table} LIMIT 1)"),
    };
    made.run(&sql);
}

fn made(rows: u32, value: u32, unkeyed: bool, page_size: u32) -> Made {
    let made = Made::new(&format!("PRAGMA page_size = {page_size}; {TABLES}"));
    let any = |number: u32| pick(&SQL_VALUES, value.wrapping_add(number.wrapping_mul(7)));
    let mut sql = String::from("BEGIN;");
    for id in 0..rows {
        sql += &format!(
            "INSERT INTO berth VALUES ({id}, 'Berth {id:04}', {}, {});
             INSERT INTO line VALUES ({}, {}, 'ORD_{}');
             INSERT OR IGNORE INTO vessel VALUES ({}, {}, {});
             INSERT INTO rope VALUES ('R{}', {id}, {});
             INSERT OR IGNORE INTO flag VALUES ('{}{}', {});
             INSERT INTO \"od\"\"d ta.ble\" VALUES ({}, {}, {});
             INSERT INTO sum (id, a) VALUES ({id}, {});
             INSERT INTO role VALUES ({}, {});",
            any(id),
            any(id + 1),
            any(id),
            id % 5,
            id / 5,
            any(id + 3),
            any(id),
            any(id + 2),
            id % 3,
            any(id),
            pick(&["hf", "HF", "hF"], value ^ id),
            id % 9,
            any(id),
            id * 3 + 1,
            any(id),
            any(id + 5),
            any(id),
            id % 4,
            any(id),
        );
    }
    assert!(made.run(&format!("{sql} COMMIT")), "{sql}");
    if unkeyed {
        assert!(made.run("CREATE TABLE zone (a)"));
    }
    made
}

/// How a database is left.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Left {
    Closed,
    /// with a log that is not in the file yet
    Log,
    /// once written with a log that is in the file
    Logged,
}

impl Left {
    fn of(number: u32) -> Self {
        [Self::Closed, Self::Closed, Self::Log, Self::Logged][number as usize % 4]
    }

    fn begin(self, made: &Made) {
        if self != Self::Closed {
            assert!(made.run("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0"));
        }
    }

    fn end(self, made: &Made, path: &Path) {
        if self == Self::Logged {
            // A schema that was changed has to be read again, which cannot be done in a checkpoint.
            made.json();
            assert!(made.run("PRAGMA wal_checkpoint(TRUNCATE)"));
        }
        made.copy_to(path);
    }
}

/// A run of dumps, and whether they could be compared by pages.
struct Compared {
    aligned: bool,
    /// Tables that were not compared whole.
    joined: usize,
}

fn compare(before: &Path, after: &Path, json: [&str; 2]) -> Compared {
    let (registry, seeds, limits) = (known_keys(), Seeds::default(), Limits::default());
    let files = |path: &Path| dump::read(path, &limits).expect("sound").state;
    let typed = outcome(StatePair::Parsed { before: files(before), after: files(after) }, &registry);
    let [old, new] =
        json.map(|json| dump::state_from_json(json.as_bytes(), Path::new("dump"), &limits).expect("sound"));
    assert_eq!(outcome(StatePair::Parsed { before: old.clone(), after: new }, &registry), typed);
    assert_eq!(damage::fingerprint(&old), damage::fingerprint(&files(before)));
    assert_eq!(damage::drift(&old, &files(before), &registry), None);
    let mut buffers = Buffers::default();
    let image = buffers.unpack(Kind::Sqlite, before, &limits).expect("an image");
    let seed = seeds.of(Kind::Sqlite, image, &registry);
    let image = buffers.unpack(Kind::Sqlite, after, &limits).expect("an image");
    let aligned = seed.and_then(|seed| Aligned::new(&seeds, seed, image, &|_, _| true));
    let Some(aligned) = aligned else { return Compared { aligned: false, joined: 0 } };
    assert_eq!(aligned.seed.print(), Print::Rows(damage::fingerprint(&old)));
    let joined = aligned.pairs.iter().filter(|pair| matches!(pair.rows, Differing::Rows(_))).count();
    assert_eq!(outcome(StatePair::Aligned(aligned), &registry), typed);
    Compared { aligned: true, joined }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_edits_vacuums_and_logs(
        rows in 0u32..40,
        value in any::<u32>(),
        unkeyed in proptest::bool::weighted(0.05),
        page_size in prop_oneof![Just(512u32), Just(4096)],
        left in [any::<u32>(), any::<u32>()],
        before in proptest::collection::vec([any::<u32>(), any::<u32>(), any::<u32>(), any::<u32>()], 0..3),
        after in proptest::collection::vec([any::<u32>(), any::<u32>(), any::<u32>(), any::<u32>()], 0..8),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let [old, new] = ["a?b#c%20.sqlite", "final_state.sqlite"].map(|name| folder.path().join(name));
        let made = made(rows, value, unkeyed, page_size);
        Left::of(left[0]).begin(&made);
        before.into_iter().for_each(|one| edit(&made, one));
        Left::of(left[0]).end(&made, &old);
        let json = made.json();
        Left::of(left[1]).begin(&made);
        after.into_iter().for_each(|one| edit(&made, one));
        Left::of(left[1]).end(&made, &new);
        compare(&old, &new, [&json, &made.json()]);
    }
}

/// A usual edit never makes anything be read whole.
#[test]
fn only_what_is_unusual_is_read_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let [old, new] = ["post_seed_state.sqlite", "final_state.sqlite"].map(|name| folder.path().join(name));
    for (sql, aligned, joined) in [
        ("UPDATE berth SET note = 'x' WHERE id = 7", true, 1),
        ("DELETE FROM berth WHERE id = 7; DELETE FROM rope WHERE part = 2", true, 2),
        ("INSERT INTO line VALUES ('n', 77, 'ORD_7'); VACUUM", true, 1),
        ("UPDATE line SET \"order\" = 'ORD_8' WHERE \"number\" = 3 AND \"order\" = 'ORD_1'", true, 1),
        ("UPDATE berth SET seen = 'later'", true, 0),
        // Only the last page of a long text.
        ("UPDATE berth SET note = printf('%.8999c', 'x') || 'y' WHERE id = 9", true, 1),
        ("UPDATE sum SET a = 'x' WHERE id = 7", true, 0),
        ("UPDATE flag SET note = 'PIER'", true, 0),
        ("ALTER TABLE berth ADD COLUMN more", true, 0),
        ("PRAGMA user_version = 7", true, 0),
        ("PRAGMA auto_vacuum = 1; VACUUM", false, 0),
        ("PRAGMA page_size = 8192; VACUUM", false, 0),
    ] {
        let made = made(30, 11, false, 4096);
        assert!(made.run("UPDATE berth SET note = printf('%.9000c', 'x') WHERE id = 9"));
        made.copy_to(&old);
        let json = made.json();
        assert!(made.run(sql), "{sql}");
        made.copy_to(&new);
        let compared = compare(&old, &new, [&json, &made.json()]);
        assert_eq!((compared.aligned, compared.joined), (aligned, joined), "{sql}");
    }
}

/// The key a table declares goes before the registry's, whatever that is.
#[test]
fn the_declared_key_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let [old, new] = ["post_seed_state.sqlite", "final_state.sqlite"].map(|name| folder.path().join(name));
    let made = Made::new(
        "CREATE TABLE berth (id INTEGER, number INTEGER PRIMARY KEY, note);
         INSERT INTO berth VALUES (1, 10, 'a'), (1, 20, 'b');",
    );
    made.copy_to(&old);
    assert!(made.run("UPDATE berth SET note = 'c' WHERE number = 20"));
    made.copy_to(&new);
    let (registry, seeds, limits) = (known_keys(), Seeds::default(), Limits::default());
    let mut buffers = Buffers::default();
    let seed = buffers
        .unpack(Kind::Sqlite, &old, &limits)
        .and_then(|image| seeds.of(Kind::Sqlite, image, &registry));
    let image = buffers.unpack(Kind::Sqlite, &new, &limits).expect("an image");
    let aligned = Aligned::new(&seeds, seed.expect("a seed"), image, &|_, _| true).expect("aligned");
    assert!(
        matches!(aligned.pairs.as_slice(), [TablePair { rows: Differing::Rows(rows), .. }] if rows.len() == 1)
    );
    let mut aligned = StatePair::Aligned(aligned);
    assert_eq!(aligned.declared_key(&"berth".into()), Some(["number".into()].as_slice()));
    let [before, after] = [&old, &new].map(|path| dump::read(path, &limits).expect("sound").state);
    let typed = damage::diff(&before, &after, &registry).expect("deltas");
    let found = aligned.diff(&registry).expect("deltas");
    assert_eq!(format!("{found:?}"), format!("{typed:?}"));
    assert_eq!(found.deltas.iter().map(|delta| delta.key.display()).collect::<Vec<_>>(), ["20"]);
}

/// What SQLite takes for equal and the typed comparison does not.
#[test]
fn neither_collations_nor_affinities_hide_a_change() {
    let folder = tempfile::tempdir().expect("a folder");
    let [old, new] = ["post_seed_state.sqlite", "final_state.sqlite"].map(|name| folder.path().join(name));
    for (table, from, to, aligned, joined) in [
        ("berth (id INTEGER PRIMARY KEY, note TEXT COLLATE NOCASE)", "7, 'pier'", "7, 'PIER'", true, 1),
        ("berth (id INTEGER PRIMARY KEY, note TEXT COLLATE RTRIM)", "7, 'pier'", "7, 'pier '", true, 1),
        ("berth (id TEXT PRIMARY KEY COLLATE NOCASE, note)", "'pier', 1", "'PIER', 1", true, 0),
        (
            "berth (id TEXT COLLATE NOCASE, note, PRIMARY KEY (id COLLATE BINARY))",
            "'pier', 1",
            "'PIER', 1",
            true,
            1,
        ),
        ("berth (id TEXT, note, PRIMARY KEY (id COLLATE NOCASE))", "'pier', 1", "'PIER', 1", true, 0),
        // Values that were stored before the column had its type, as in a forged schema: not sound.
        ("berth (id INTEGER PRIMARY KEY, note INTEGER)", "7, 1", "7, '1'", false, 0),
        ("berth (id NUMERIC PRIMARY KEY, note)", "7, 1", "'7', 1", false, 0),
        ("berth (id TEXT PRIMARY KEY, note)", "7, 1", "'7', 1", true, 0),
        ("berth (id PRIMARY KEY, note)", "x'37', 1", "'7', 1", true, 0),
        // A text that is spelled like a blob: two rows of one key, for the typed comparison.
        ("berth (id PRIMARY KEY, note)", "'b''7''', 1", "'b''7''', 1), (x'37', 1", true, 0),
    ] {
        let typeless = table.replace("INTEGER P", "INTEGER_P").replace(" TEXT", "").replace(" NUMERIC", "");
        let typeless = typeless.replace(" INTEGER", "").replace("INTEGER_P", "INTEGER P");
        let made = Made::new(&format!("CREATE TABLE {typeless}; INSERT INTO berth VALUES ({from});"));
        let forge = |sql: &str| {
            format!(
                "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE {sql}' WHERE name = 'berth'; PRAGMA writable_schema = RESET"
            )
        };
        assert!(made.run(&forge(table)));
        made.copy_to(&old);
        let json = made.json();
        assert!(made.run(&forge(&typeless)));
        assert!(made.run(&format!(
            "DELETE FROM berth WHERE rowid = (SELECT max(rowid) FROM berth); INSERT INTO berth VALUES ({to})"
        )));
        assert!(made.run(&forge(table)));
        made.copy_to(&new);
        assert_ne!(json, made.json());
        let compared = compare(&old, &new, [&json, &made.json()]);
        assert_eq!((compared.aligned, compared.joined), (aligned, joined), "{table}");
    }
}

/// Any bytes changed: the file is read or refused, and both ways find the same in it.
#[test]
fn bytes_broken() {
    let made = Made::berths();
    assert!(made.run(
        "CREATE TABLE rope (k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO rope SELECT note, id FROM berth LIMIT 30;
         CREATE TABLE vessel (key TEXT PRIMARY KEY, value); INSERT INTO vessel SELECT note, id FROM berth LIMIT 30;
         CREATE INDEX notes ON berth (note)"
    ));
    let (folder, limits) = (tempfile::tempdir().expect("a folder"), Limits::default());
    let path = folder.path().join("broken.sqlite");
    let (registry, seeds, whole) = (known_keys(), Seeds::default(), made.bytes());
    let seed = seeds.of(Kind::Sqlite, &whole, &registry).expect("a seed");
    let before = dump::read(&made.path(), &limits).expect("sound").state;
    let (mut random, mut aligned, mut refused) = (7u64, 0, 0);
    for round in 0..2000 {
        let mut bytes = whole.clone();
        for _ in 0..1 + round % 3 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // The beginnings of pages hold what leads from one to another.
            let any = usize::try_from(random >> 20).expect("64 bits") % bytes.len();
            let place = if round % 2 == 0 { any } else { any / 512 * 512 + any % 40 };
            bytes[place] = random.to_le_bytes()[1];
        }
        std::fs::write(&path, &bytes).expect("writes");
        let typed = dump::read(&path, &limits);
        refused += u32::from(typed.is_err());
        let mut buffers = Buffers::default();
        let Some(image) = buffers.unpack(Kind::Sqlite, &path, &limits) else { continue };
        // As a final dump, and as a seed.
        let as_final = seed.align(image, &|_, _| true).map(|pairs| (Arc::clone(&seed), pairs));
        let as_seed = Seeds::default().of(Kind::Sqlite, image, &registry);
        let as_seed = as_seed.and_then(|seed| Some((Arc::clone(&seed), seed.align(&whole, &|_, _| true)?)));
        for (is_seed, found) in [(false, as_final), (true, as_seed)] {
            let Some((seed, mut pairs)) = found else { continue };
            aligned += 1;
            let broken = &typed.as_ref().expect("sound, since it was aligned").state;
            let [old, new] = if is_seed { [broken, &before] } else { [&before, broken] };
            let (typed, found) = (damage::diff(old, new, &registry), seed.diff(&mut pairs));
            assert_eq!(format!("{found:?}"), format!("{typed:?}"), "round {round}");
        }
    }
    assert!(aligned > 500 && refused > 500, "{aligned} aligned, {refused} refused");
}

/// What is not read takes as much of what may be held as what is.
#[test]
fn limits_are_those_of_reading() {
    let folder = tempfile::tempdir().expect("a folder");
    let columns: Vec<String> = (0..300).map(|column| format!("c{column}")).collect();
    let made = Made::new(&format!(
        "CREATE TABLE berth (id INTEGER PRIMARY KEY, {0}); CREATE TABLE line (id INTEGER PRIMARY KEY, {0});
         INSERT INTO line (id) VALUES (1), (2), (3);",
        columns.join(", ")
    ));
    let limits = Limits { max_inflated: 300_000 };
    let (registry, seeds, mut buffers) = (known_keys(), Seeds::new(limits), Buffers::default());
    let seed = buffers
        .unpack(Kind::Sqlite, &made.path(), &limits)
        .and_then(|image| seeds.of(Kind::Sqlite, image, &registry));
    let (seed, path) = (seed.expect("a seed"), folder.path().join("final_state.sqlite"));
    let (mut held, mut refused) = (0, 0);
    for row in 0..160 {
        assert!(made.run(&format!("INSERT INTO berth (id) VALUES ({row})")));
        made.copy_to(&path);
        let image = buffers.unpack(Kind::Sqlite, &path, &limits).expect("an image");
        let could = seed.align(image, &|_, _| true).is_some();
        assert_eq!(could, dump::read(&path, &limits).is_ok(), "{row} rows");
        if could { held += 1 } else { refused += 1 }
    }
    assert!(held > 20 && refused > 20, "{held} held, {refused} refused");
}
