//! The not-allowed edits of a run in few words.

use crate::model::{Op, Text};
use crate::study::RunEntry;

/// Values up to this many characters, without blanks, tell patterns apart; longer ones are prose.
const SHORT: usize = 24;

/// Equal edits of one run, as the Cell screen words them.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    table: String,
    op: Op,
    keys: Vec<String>,
    columns: Vec<Column>,
}

/// A column that is not allowed to change.
#[derive(Clone, Debug, PartialEq)]
struct Column {
    name: String,
    /// Old and new value; `None` where only a recorded verdict is at hand.
    values: Option<(String, String)>,
}

/// The not-allowed edits of a run, equal ones folded; from its digest, or else from its verdict row.
#[must_use]
pub fn edits_of(run: &RunEntry) -> Vec<Edit> {
    if let Some(digest) = run.digest() {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "absent".into());
        let column = |(name, old, new): &(Text, Option<String>, Option<String>)| Column {
            name: name.to_string(),
            values: Some((value(old), value(new))),
        };
        return digest
            .edits
            .iter()
            .map(|line| Edit {
                table: line.table.to_string(),
                op: line.op,
                keys: line.keys.clone(),
                columns: line.columns.iter().map(column).collect(),
            })
            .collect();
    }
    let mut edits: Vec<Edit> = Vec::new();
    for delta in run.verdict().map(|verdict| verdict.deltas.as_slice()).unwrap_or_default() {
        let columns: Vec<Column> = delta
            .changed_columns
            .iter()
            .map(|name| Column { name: name.to_string(), values: None })
            .collect();
        let (table, key) = (delta.table.to_string(), delta.key.display());
        match edits.last_mut() {
            Some(last) if last.table == table && last.op == delta.op && last.columns == columns => {
                last.keys.push(key);
            }
            _ => edits.push(Edit { table, op: delta.op, keys: vec![key], columns }),
        }
    }
    edits
}

impl Edit {
    /// How many rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.keys.len()
    }

    /// Same rows, columns, and short new values.
    #[must_use]
    pub fn same_pattern(&self, other: &Self) -> bool {
        let short = |value: &str| value.chars().count() <= SHORT && !value.contains(char::is_whitespace);
        let same_new = |a: &Column, b: &Column| match (&a.values, &b.values) {
            (Some((_, a)), Some((_, b))) => a == b || !(short(a) || short(b)),
            (None, None) => true,
            _ => false,
        };
        self.same_row(other) && self.columns.iter().zip(&other.columns).all(|(a, b)| same_new(a, b))
    }

    /// Same rows and columns, whatever the values.
    #[must_use]
    pub fn same_row(&self, other: &Self) -> bool {
        self.table == other.table
            && self.op == other.op
            && self.keys == other.keys
            && self.columns.iter().map(|c| &c.name).eq(other.columns.iter().map(|c| &c.name))
    }

    /// Old and new value where one column changed.
    #[must_use]
    pub fn single_value(&self) -> Option<(&str, &str)> {
        let [column] = self.columns.as_slice() else { return None };
        column.values.as_ref().map(|(old, new)| (old.as_str(), new.as_str()))
    }

    /// `change/ORD_014 status`, `case_sla/6 removed`, `162 rows in orders: group_id`.
    #[must_use]
    pub fn row_and_columns(&self) -> String {
        match self.keys.as_slice() {
            [key] => format!("{}/{key} {}", self.table, self.what()),
            keys => format!("{} rows in {}: {}", keys.len(), self.table, self.what()),
        }
    }

    /// The same without the table.
    #[must_use]
    pub fn key_and_columns(&self) -> String {
        match self.keys.as_slice() {
            [key] => format!("{key} {}", self.what()),
            keys => format!("{} rows: {}", keys.len(), self.what()),
        }
    }

    /// The edit with old and new value where they are known: `change/ORD_014 status implement → review`.
    #[must_use]
    pub fn in_full(&self) -> String {
        match self.single_value() {
            Some((old, new)) => format!("{} {old} → {new}", self.row_and_columns()),
            None => self.row_and_columns(),
        }
    }

    /// Each changed column with old and new value, where they are known.
    pub fn changes(&self) -> impl Iterator<Item = (&str, Option<(&str, &str)>)> {
        self.columns.iter().map(|column| {
            (column.name.as_str(), column.values.as_ref().map(|(old, new)| (old.as_str(), new.as_str())))
        })
    }

    fn what(&self) -> String {
        if self.op == Op::Modified {
            self.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")
        } else {
            self.op.as_str().to_owned()
        }
    }
}

/// All edits of a run in one line, the first one and how many more.
#[must_use]
pub fn in_one_line(edits: &[Edit], word: impl Fn(&Edit) -> String) -> String {
    match edits {
        [] => "–".into(),
        [one] => word(one),
        [first, more @ ..] => format!("{} +{}", word(first), more.iter().map(Edit::rows).sum::<usize>()),
    }
}
