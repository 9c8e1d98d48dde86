//! Random small states: every kind of key, value and table that makes comparing hard.

use gainsay::model::{Number, Object, Row, State, Table, Text, Value};

use super::{parse, registry};
use gainsay::model::Registry;

/// A small generator (xorshift64*), so that a failure can be repeated from its seed.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(high).expect("31 bits") % n
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index + 1));
        }
    }
}

/// Values that are equal though written apart, and apart though they look equal.
pub fn value(random: &mut Random) -> Value {
    let big = |digits: &str| Value::Number(Number::from_decimal(digits));
    match random.below(18) {
        0 => Value::Null,
        1 => true.into(),
        2 => 1.into(),
        3 => 1.0.into(),
        4 => false.into(),
        5 => 0.into(),
        6 => (-0.0).into(),
        7 => f64::NAN.into(),
        8 => "1".into(),
        9 => "".into(),
        10 => 9_007_199_254_740_993.into(),
        11 => 9_007_199_254_740_992.0.into(),
        12 => big("100000000000000000000"),
        13 => 1e20.into(),
        14 => parse(r#"{"a": [1, null], "b": true}"#),
        15 => parse(r#"{"b": 1, "a": [1.0, null]}"#),
        16 => parse(r#"{"b": 1, "a": [null, 1]}"#),
        _ => Value::Text(Text::from_wtf8(b"\xED\xA0\x80")),
    }
}

/// A part of a key: few values, so that keys meet, and meet under several spellings.
fn key_part(random: &mut Random) -> Value {
    match random.below(9) {
        0 => Value::Null,
        1 => 1.into(),
        2 => 1.0.into(),
        3 => true.into(),
        4 => "1".into(),
        5 => "K_02".into(),
        6 => 2.into(),
        7 => 10.into(),
        _ => 2.0.into(),
    }
}

/// The tables of random states: a plain key, a composite key of text and numbers, and a masked column each.
pub fn random_registry() -> Registry {
    let keys = parse(r#"{"berth": "id", "line": ["order", "number"], "vessel": "id"}"#);
    registry(&keys, &parse(r#"{"berth": ["seen"], "line": ["seen", "note"]}"#), &parse("[]"))
}

pub const KEYS: [(&str, &[&str]); 3] =
    [("berth", &["id"]), ("line", &["order", "number"]), ("vessel", &["id"])];

const COLUMNS: [&str; 4] = ["note", "price", "seen", "state"];

pub fn row(random: &mut Random, keys: &[&str]) -> Row {
    let mut entries: Vec<(Text, Value)> =
        keys.iter().map(|key| (Text::from(*key), key_part(random))).collect();
    for column in COLUMNS {
        // Now and then a column is absent, which is not the same as null.
        if !random.one_in(5) {
            let value = if column == "price" { price(random) } else { value(random) };
            entries.push((column.into(), value));
        }
    }
    Object::from_entries(entries)
}

fn price(random: &mut Random) -> Value {
    [Value::Null, 0.into(), 10.into(), 250.5.into(), " 1_0e1 ".into()][random.below(5)].clone()
}

pub fn table(random: &mut Random, keys: &[&str]) -> Table {
    let rows = (0..random.below(6)).map(|_| row(random, keys)).collect();
    Table { rows, declared_key: None }
}

/// A state, and another one made from it by a few edits; now and then one that has nothing to do with it.
pub fn pair(random: &mut Random) -> (State, State) {
    let tables = KEYS.iter().map(|(name, keys)| (Text::from(*name), table(random, keys)));
    let before = State { database_id: None, tables: tables.collect() };
    let mut after = before.clone();
    for (name, keys) in KEYS {
        let Some(table) = after.tables.get_mut(name.as_bytes()) else { continue };
        if random.one_in(6) {
            *table = self::table(random, keys);
        }
        for _ in 0..random.below(3) {
            edit(random, &mut table.rows, keys);
        }
        random.shuffle(&mut table.rows);
    }
    (before, after)
}

fn edit(random: &mut Random, rows: &mut Vec<Row>, keys: &[&str]) {
    if rows.is_empty() || random.one_in(4) {
        rows.push(row(random, keys));
        return;
    }
    let place = random.below(rows.len());
    match random.below(4) {
        0 => {
            rows.swap_remove(place);
        }
        1 => rows.push(rows[place].clone()),
        _ => {
            let column = COLUMNS[random.below(COLUMNS.len())];
            let value = (!random.one_in(4)).then(|| value(random));
            rows[place] = with(&rows[place], column, value);
        }
    }
}

/// The row with another value in a column, or without the column.
pub fn with(row: &Row, column: &str, value: Option<Value>) -> Row {
    let mut entries: Vec<(Text, Value)> = row
        .iter()
        .filter(|(name, _)| **name != column || value.is_some())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    entries.extend(value.map(|value| (Text::from(column), value)));
    Object::from_entries(entries)
}
