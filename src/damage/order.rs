//! The order of deltas in a verdict: table, op, then the key as Python's `str` spells it.

use crate::model::{Delta, Key, Row, Value, python};

/// Sorts deltas into verdict order. Deltas alike in table, op and key (rows of a key that is not unique)
/// are ordered by what their rows hold, so that row order in a dump never matters.
pub fn sort(deltas: &mut Vec<Delta>) {
    let place = |(index, delta): (usize, &Delta)| {
        let key = (delta.table.clone(), delta.op, spelled(&delta.key));
        (key, index)
    };
    let mut order: Vec<_> = deltas.iter().enumerate().map(place).collect();
    order.sort_unstable();
    for ties in order.chunk_by_mut(|(a, _), (b, _)| a == b) {
        if ties.len() > 1 {
            ties.sort_by_cached_key(|(_, index)| {
                let delta = deltas.get(*index);
                delta.map(|delta| (content(delta.before.as_ref()), content(delta.after.as_ref())))
            });
        }
    }
    let mut unordered: Vec<Option<Delta>> = deltas.drain(..).map(Some).collect();
    deltas.extend(order.iter().filter_map(|(_, index)| unordered.get_mut(*index)?.take()));
}

/// `str(key)` as bytes. Bytes of generalized UTF-8 order by code point, as Python's strings do.
pub(super) fn spelled(key: &Key) -> Vec<u8> {
    match key {
        Key::Single(Value::Text(text)) => text.as_bytes().to_vec(),
        Key::Single(value) => python::str(value).into_bytes(),
        Key::Composite(values) => python::str(&Value::Array(values.clone())).into_bytes(),
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
    use crate::model::{Op, Text};

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
            delta("b", Op::Added, single(1), ""),
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
        assert_eq!(
            seen,
            ["a added 10 y", "a added 10 z", "a added 9 ", "a added r·None ", "a removed 1 ", "b added 1 "]
        );
    }
}
