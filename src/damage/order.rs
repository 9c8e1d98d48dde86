//! The order of deltas in a verdict: table, op, then the key as Python's `str` spells it.

use crate::model::{Delta, Key, Number, Op, Row, Text, Value, python};

/// Puts the deltas of one table into verdict order. Deltas alike in op and key (rows of a key that is not unique,
/// keys like `1` and `"1"`) are ordered by what their rows hold, so that row order in a dump never matters.
/// `places` is room to work in, left empty: with very many deltas fresh memory for each table is dear.
pub(super) fn sort(deltas: &mut [Delta], places: &mut Vec<Place>) {
    places.extend(deltas.iter().enumerate().map(Place::new));
    places.sort_unstable();
    for ties in places.chunk_by_mut(|a, b| (a.op, &a.key) == (b.op, &b.key)) {
        if ties.len() > 1 {
            ties.sort_by_cached_key(|place| {
                let delta = deltas.get(place.index);
                delta.map(|delta| (content(delta.before.as_ref()), content(delta.after.as_ref())))
            });
        }
    }
    // Round by round: each is swapped with the one that belongs in its place, until the first comes by again.
    for start in 0..places.len() {
        let mut at = start;
        while places[at].index != start {
            let from = std::mem::replace(&mut places[at].index, at);
            deltas.swap(at, from);
            at = from;
        }
        places[at].index = at;
    }
    places.clear();
}

/// Where a delta belongs; compared in the order of its fields.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    op: Op,
    /// The first eight bytes of the key as a number: most keys differ there, and numbers are quick to compare.
    head: u64,
    key: Text,
    /// Where it stood.
    index: usize,
}

impl Place {
    fn new((index, delta): (usize, &Delta)) -> Self {
        let key = spelled(&delta.key);
        let mut head = [0; 8];
        head.iter_mut().zip(key.as_bytes()).for_each(|(place, byte)| *place = *byte);
        Self { op: delta.op, head: u64::from_be_bytes(head), key, index }
    }
}

/// `str(key)`. Texts order by code point, as Python's strings do.
pub(super) fn spelled(key: &Key) -> Text {
    match key {
        Key::Single(Value::Text(text)) => text.clone(),
        Key::Single(Value::Number(Number::Int(int))) => decimal(*int),
        Key::Single(value) => python::str(value).into(),
        Key::Composite(values) => python::str(&Value::Array(values.clone())).into(),
    }
}

/// An integer as Python writes it. Most keys are such, and this takes no memory.
fn decimal(int: i64) -> Text {
    let mut digits = [b'-'; 20];
    let (mut start, mut rest) = (digits.len(), int.unsigned_abs());
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    Text::from_wtf8(&digits[start - usize::from(int < 0)..])
}

/// What a row holds, spelled out with its columns sorted; empty for no row.
pub(super) fn content(row: Option<&Row>) -> String {
    let Some(row) = row else { return String::new() };
    let mut entries: Vec<_> = row.iter().collect();
    entries.sort_by_key(|(name, _)| *name);
    let sorted = entries.into_iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    python::repr(&Value::Object(sorted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delta(table: &str, op: Op, key: Key, note: &str) -> Delta {
        let row: Row = [(Text::from("note"), Value::from(note))].into_iter().collect();
        Delta {
            table: table.into(),
            op,
            key,
            before: None,
            after: Some(row),
            changed: Vec::new(),
            masked: Vec::new(),
        }
    }

    #[test]
    fn integers_are_spelled_as_python_does() {
        for int in [0, 7, -7, 10, 9_007_199_254_740_993, i64::MAX, i64::MIN] {
            assert_eq!(decimal(int), *int.to_string());
        }
    }

    #[test]
    fn numbers_order_as_their_spelling_and_ties_by_content() {
        let single = |key: i64| Key::Single(key.into());
        let mut deltas = vec![
            delta("a", Op::Removed, single(1), ""),
            delta("a", Op::Added, single(9), ""),
            delta("a", Op::Added, single(10), "z"),
            delta("a", Op::Added, single(10), "y"),
            delta("a", Op::Added, Key::Composite(vec!["r".into(), Value::Null]), ""),
        ];
        sort(&mut deltas, &mut Vec::new());
        let seen: Vec<String> = deltas
            .iter()
            .map(|delta| {
                let note = delta.after.as_ref().and_then(|row| row.get("note")).map(python::str);
                format!("{} {} {} {}", delta.table, delta.op, delta.key.display(), note.unwrap_or_default())
            })
            .collect();
        assert_eq!(seen, ["a added 10 y", "a added 10 z", "a added 9 ", "a added r·None ", "a removed 1 "]);
    }
}
