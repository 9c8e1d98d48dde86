//! Equal edits as one line: `162 rows in cargo: berth_id 4 → 9`.

use std::collections::HashMap;

use crate::damage::{Evidence, JudgedDelta};
use crate::model::{Op, Text};
use crate::report::words;

/// Edits of one table that did the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Indices into the evidence's deltas; never empty.
    pub deltas: Vec<usize>,
}

/// The not-allowed edits, or the allowed ones, equal ones grouped, in verdict order.
#[must_use]
pub fn groups(deltas: &[JudgedDelta], damage: bool) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places: HashMap<Shape, usize> = HashMap::new();
    for (index, judged) in deltas.iter().enumerate().filter(|(_, judged)| judged.is_damage() == damage) {
        let place = *places.entry(Shape::of(judged)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.deltas.push(index),
            None => groups.push(Group { deltas: vec![index] }),
        }
    }
    groups
}

/// What makes edits equal.
#[derive(PartialEq, Eq, Hash)]
struct Shape {
    table: Text,
    op: Op,
    changes: Vec<(Text, String, String)>,
}

impl Shape {
    fn of(judged: &JudgedDelta) -> Self {
        let changes = shown_columns(judged)
            .iter()
            .map(|column| {
                let (old, new) = values(judged, column);
                (column.clone(), old, new)
            })
            .collect();
        Self { table: judged.delta.table.clone(), op: judged.delta.op, changes }
    }
}

/// The columns an edit is about: what is not allowed, or all changed ones if it is.
#[must_use]
pub fn shown_columns(judged: &JudgedDelta) -> &[Text] {
    if judged.is_damage() && judged.delta.op == Op::Modified {
        &judged.authorization.residue
    } else {
        &judged.delta.changed
    }
}

/// Old and new value of a column, for people.
#[must_use]
pub fn values(judged: &JudgedDelta, column: &Text) -> (String, String) {
    let of = |row: &Option<crate::model::Row>| row.as_ref().and_then(|row| row.column(column)).cloned();
    words::change(of(&judged.delta.before).as_ref(), of(&judged.delta.after).as_ref())
}

/// `change/ORD_014 status`, `case_sla/6 removed`.
#[must_use]
pub fn row_and_columns(judged: &JudgedDelta) -> String {
    let row = words::row_name(&judged.delta.table, &judged.delta.key);
    match judged.delta.op {
        Op::Modified => format!("{row} {}", words::list(shown_columns(judged))),
        op => format!("{row} {op}"),
    }
}

/// A group in one line: `162 rows in cargo: berth_id 4 → 9`, or its only row.
#[must_use]
pub fn line(evidence: &Evidence, group: &Group) -> String {
    let Some(judged) = group.deltas.first().and_then(|index| evidence.deltas.get(*index)) else {
        return String::new();
    };
    if group.deltas.len() == 1 {
        return row_and_columns(judged);
    }
    let what = match judged.delta.op {
        Op::Modified => shown_columns(judged)
            .iter()
            .map(|column| {
                let (old, new) = values(judged, column);
                format!("{} {} → {}", column.display(), words::clip(&old), words::clip(&new))
            })
            .collect::<Vec<_>>()
            .join(", "),
        op => op.to_string(),
    };
    format!("{} rows in {}: {what}", group.deltas.len(), judged.delta.table.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screen::fixture;

    #[test]
    fn equal_edits_are_one_line() {
        let view = fixture::bulk_view();
        let evidence = view.evidence.expect("evidence");
        let found = groups(&evidence.deltas, true);
        assert_eq!(found.len(), 1);
        assert_eq!(line(&evidence, &found[0]), "162 rows in cargo: berth_id 4 → 9");
        assert!(groups(&evidence.deltas, false).is_empty());
    }

    #[test]
    fn unlike_edits_stay_apart() {
        let mut view = fixture::gate_view();
        let evidence = view.evidence.as_mut().expect("evidence");
        evidence.deltas.insert(1, fixture::booking_delta("confirmed"));
        let found = groups(&evidence.deltas, true);
        assert_eq!(found.len(), 2, "same columns, other values");
        assert_eq!(line(evidence, &found[0]), "booking/BK-07 state");
        assert_eq!(groups(&evidence.deltas, false).len(), 1);
    }
}
