//! The differ against a naive one: nested loops, no hashing, no sorting, its own equality.
#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

mod labeling;

use gainsay::damage::diff;
use gainsay::model::{Delta, Number, Op, Registry, Row, State, Text, Value};
use labeling::random::{KEYS, Random, pair, random_registry};

/// Python's equality, written a second time, but that `NaN` equals itself.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Null, Value::Null) => true,
        (Value::Text(a), Value::Text(b)) => a.as_bytes() == b.as_bytes(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => same_rows(a, b, &[]),
        (Value::Bool(_) | Value::Number(_), Value::Bool(_) | Value::Number(_)) => {
            match (exact(a), exact(b)) {
                (Some(a), Some(b)) => a == b,
                (None, None) => float(a) == float(b) || (float(a).is_nan() && float(b).is_nan()),
                _ => false,
            }
        }
        _ => false,
    }
}

/// The integer a number is, if it is one.
fn exact(value: &Value) -> Option<i128> {
    match value {
        Value::Bool(flag) => Some(i128::from(*flag)),
        Value::Number(Number::Int(int)) => Some(i128::from(*int)),
        Value::Number(Number::Big(digits)) => digits.parse().ok(),
        // Every integral float among the random values fits.
        Value::Number(Number::Float(float)) if float.fract() == 0.0 => Some(*float as i128),
        _ => None,
    }
}

fn float(value: &Value) -> f64 {
    match value {
        Value::Number(Number::Float(float)) => *float,
        _ => f64::INFINITY,
    }
}

/// Differing columns that are not masked.
fn changed(a: &Row, b: &Row, mask: &[Text]) -> Vec<Text> {
    let mut columns = Vec::new();
    for (name, value) in a.iter() {
        if !mask.contains(name) && !b.iter().any(|(other, found)| other == name && same(value, found)) {
            columns.push(name.clone());
        }
    }
    for (name, _) in b.iter() {
        if !mask.contains(name) && !a.iter().any(|(other, _)| other == name) {
            columns.push(name.clone());
        }
    }
    columns
}

fn same_rows(a: &Row, b: &Row, mask: &[Text]) -> bool {
    changed(a, b, mask).is_empty()
}

struct Found<'a> {
    table: Text,
    old: Option<&'a Row>,
    new: Option<&'a Row>,
}

fn oracle<'a>(before: &'a State, after: &'a State, registry: &Registry) -> Vec<Found<'a>> {
    let mut found = Vec::new();
    for (name, keys) in KEYS {
        let name = Text::from(name);
        let mask = registry.volatile_columns.get(&name).cloned().unwrap_or_default();
        let (mut old, mut new): (Vec<&Row>, Vec<&Row>) =
            (before.tables[&name].rows.iter().collect(), after.tables[&name].rows.iter().collect());
        let same_key =
            |a: &Row, b: &Row| keys.iter().all(|key| same(a.get(key).expect("a"), b.get(key).expect("b")));
        while let Some(first) = old.first().or(new.first()).copied() {
            let (mut olds, rest): (Vec<&Row>, Vec<&Row>) = old.iter().partition(|row| same_key(first, row));
            old = rest;
            let (mut news, rest): (Vec<&Row>, Vec<&Row>) = new.iter().partition(|row| same_key(first, row));
            new = rest;
            for mask in [&[][..], &mask] {
                let mut left = Vec::new();
                for row in olds {
                    match news.iter().position(|other| same_rows(row, other, mask)) {
                        Some(place) => drop(news.swap_remove(place)),
                        None => left.push(row),
                    }
                }
                olds = left;
            }
            if let ([old], [new]) = (&*olds, &*news) {
                found.push(Found { table: name.clone(), old: Some(old), new: Some(new) });
            } else {
                let table = || name.clone();
                found.extend(olds.into_iter().map(|row| Found { table: table(), old: Some(row), new: None }));
                found.extend(news.into_iter().map(|row| Found { table: table(), old: None, new: Some(row) }));
            }
        }
    }
    found
}

/// Rows that differ in masked columns only are one and the same to both differs.
fn agrees(delta: &Delta, found: &Found<'_>, registry: &Registry) -> bool {
    let mask = registry.volatile_columns.get(&delta.table).cloned().unwrap_or_default();
    let alike = |a: Option<&Row>, b: Option<&Row>| match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => same_rows(a, b, &mask),
        _ => false,
    };
    let op = match (found.old, found.new) {
        (Some(_), Some(_)) => Op::Modified,
        (None, _) => Op::Added,
        (_, None) => Op::Removed,
    };
    let columns = match (found.old, found.new) {
        (Some(old), Some(new)) => changed(old, new, &mask),
        _ => Vec::new(),
    };
    delta.table == found.table
        && delta.op == op
        && delta.changed.len() == columns.len()
        && columns.iter().all(|column| delta.changed.contains(column))
        && delta.changed.is_sorted()
        && alike(delta.before.as_ref(), found.old)
        && alike(delta.after.as_ref(), found.new)
}

#[test]
fn the_differ_agrees_with_the_naive_one() {
    let registry = random_registry();
    let (mut deltas, mut warned, mut modified) = (0, 0, 0);
    for seed in 0..10_000 {
        let (before, after) = pair(&mut Random::new(seed));
        let diff = diff(&before, &after, &registry).expect("keys are known");
        let mut expected = oracle(&before, &after, &registry);
        for delta in &diff.deltas {
            let place = expected.iter().position(|found| agrees(delta, found, &registry));
            let place = place.unwrap_or_else(|| panic!("seed {seed}: nothing like {delta:#?}"));
            expected.swap_remove(place);
        }
        assert!(expected.is_empty(), "seed {seed}: {} deltas not found", expected.len());
        deltas += diff.deltas.len();
        modified += diff.deltas.iter().filter(|delta| delta.op == Op::Modified).count();
        warned += usize::from(!diff.warnings.is_empty());
    }
    // The pairs are worth comparing.
    assert!(deltas > 20_000 && modified > 3_000 && warned > 5_000, "{deltas} {modified} {warned}");
}
