//! The order of deltas in a verdict: table, op, then the key as Python's `str` spells it.

use crate::model::{Delta, Key, Op, Row, Text, Value, python};

/// Puts the deltas of one table into verdict order. Deltas alike in op and key (rows of a key that is not unique,
/// keys like `1` and `"1"`) are ordered by what their rows hold, so that row order in a dump never matters.
pub(super) fn sort(deltas: &mut [Delta]) {
    let mut places: Vec<Place> = deltas.iter().enumerate().map(Place::new).collect();
    places.sort_unstable();
    for ties in places.chunk_by_mut(|a, b| (a.op, &a.key) == (b.op, &b.key)) {
        if ties.len() > 1 {
            ties.sort_by_cached_key(|place| {
                let delta = deltas.get(place.index);
                delta.map(|delta| (content(delta.before.as_ref()), content(delta.after.as_ref())))
            });
        }
    }
    // Where each has to go; one that is in its place stays there, so every swap brings one home.
    let mut goals = vec![0; deltas.len()];
    for (goal, place) in places.iter().enumerate() {
        goals[place.index] = goal;
    }
    for at in 0..deltas.len() {
        while goals[at] != at {
            let goal = goals[at];
            deltas.swap(at, goal);
            goals.swap(at, goal);
        }
    }
}

/// Where a delta belongs; compared in the order of its fields.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place {
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
        Key::Single(value) => python::str(value).into(),
        Key::Composite(values) => python::str(&Value::Array(values.clone())).into(),
    }
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
    fn numbers_order_as_their_spelling_and_ties_by_content() {
        let single = |key: i64| Key::Single(key.into());
        let mut deltas = vec![
            delta("a", Op::Removed, single(1), ""),
            delta("a", Op::Added, single(9), ""),
            delta("a", Op::Added, single(10), "z"),
            delta("a", Op::Added, single(10), "y"),
            delta("a", Op::Added, Key::Composite(vec!["r".into(), Value::Null]), ""),
        ];
        sort(&mut deltas);
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
