//! The rows of one table in two states, grouped by key: one pass over each side, by hash.

use std::collections::HashMap;
use std::hash::Hash;

use crate::damage::Finding;
use crate::model::{Code, Key, Registry, Row, Table, Text, Value};

/// The key columns of a table: those the dump declares, else those of the registry. `None` if neither
/// knows any.
pub(in crate::damage) fn key_columns<'a>(
    table: &Text,
    declared: Option<&'a [Text]>,
    registry: &'a Registry,
) -> Option<&'a [Text]> {
    let registered = registry.primary_keys.get(table).map(Vec::as_slice);
    declared.into_iter().chain(registered).find(|columns| !columns.is_empty())
}

/// The key that either side of a table declares.
pub(super) fn declared(sides: [Option<&Table>; 2]) -> Option<&[Text]> {
    let declared = sides.into_iter().filter_map(|side| side?.declared_key.as_deref());
    declared.into_iter().find(|columns| !columns.is_empty())
}

/// A key that borrows from its row. Equal keys hash alike whatever they are spelled as (`1`, `1.0`, `true`).
#[derive(PartialEq, Eq, Hash)]
enum KeyRef<'a> {
    Single(&'a Value),
    Composite(Vec<&'a Value>),
}

/// All rows of one key.
#[derive(Default)]
pub(super) struct Group<'a> {
    pub before: Side<'a>,
    pub after: Side<'a>,
}

/// The rows of one key in one state. More than one is the exception, so only then is there a list.
#[derive(Default)]
pub(super) struct Side<'a> {
    first: Option<&'a Row>,
    more: Vec<&'a Row>,
}

impl<'a> Side<'a> {
    fn push(&mut self, row: &'a Row) {
        if self.first.is_none() {
            self.first = Some(row);
        } else {
            self.more.push(row);
        }
    }

    pub fn first(&self) -> Option<&'a Row> {
        self.first
    }

    pub fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.more.len()
    }

    pub fn rows(&self) -> impl Iterator<Item = &'a Row> {
        self.first.into_iter().chain(self.more.iter().copied())
    }
}

/// The groups of a table, in order of first appearance.
pub(super) struct Keyed<'a> {
    columns: &'a [Text],
    pub groups: Vec<Group<'a>>,
}

impl<'a> Keyed<'a> {
    /// Groups the rows of both sides. A row without a key column fits in no group: each side and column
    /// that is missing somewhere is one finding, with the first such row and how many there are.
    pub fn new(
        name: &Text,
        columns: &'a [Text],
        before: Option<&'a Table>,
        after: Option<&'a Table>,
    ) -> Result<Self, Vec<Finding>> {
        let mut keyed = Self { columns, groups: Vec::new() };
        let mut index = HashMap::new();
        let mut findings = Vec::new();
        for (side, table) in [("post-seed", before), ("final", after)] {
            let mut missing: Vec<(usize, usize)> = vec![(0, 0); columns.len()];
            for (number, row) in table.into_iter().flat_map(|table| &table.rows).enumerate() {
                let Some(key) = key_ref(row, columns) else {
                    for (column, (first, count)) in columns.iter().zip(&mut missing) {
                        if row.column(column).is_none() {
                            *first = if *count == 0 { number + 1 } else { *first };
                            *count += 1;
                        }
                    }
                    continue;
                };
                let place = *index.entry(key).or_insert(keyed.groups.len());
                if place == keyed.groups.len() {
                    keyed.groups.push(Group::default());
                }
                let group = &mut keyed.groups[place];
                if side == "final" { group.after.push(row) } else { group.before.push(row) }
            }
            for (column, (first, count)) in columns.iter().zip(missing) {
                if count > 0 {
                    let rows = if count == 1 { "1 row lacks".into() } else { format!("{count} rows lack") };
                    let detail = format!("{rows} the key column in the {side} state");
                    findings.push(
                        Finding::in_table(Code::MissingKeyColumn, name, detail)
                            .at_row(first.to_string())
                            .at_column(column),
                    );
                }
            }
        }
        if findings.is_empty() { Ok(keyed) } else { Err(findings) }
    }

    /// Every row of both sides in one group, for a table whose key is not known.
    pub fn unkeyed(before: Option<&'a Table>, after: Option<&'a Table>) -> Self {
        let mut group = Group::default();
        before.into_iter().flat_map(|table| &table.rows).for_each(|row| group.before.push(row));
        after.into_iter().flat_map(|table| &table.rows).for_each(|row| group.after.push(row));
        Self { columns: &[], groups: vec![group] }
    }

    /// The key of a row of this table.
    pub fn key_of(&self, row: &Row) -> Key {
        key_of(self.columns, row)
    }

    /// A warning if the key is not unique on one of the sides: nothing is hidden by it, since rows of such
    /// a key are paired by what they hold.
    pub fn duplicates(&self, name: &Text) -> Option<Finding> {
        let first = self.groups.iter().find(|group| group.before.len() > 1 || group.after.len() > 1)?;
        let row = first.before.first().or(first.after.first())?;
        let count = |side: fn(&Group<'a>) -> usize| {
            let rows: usize = self.groups.iter().map(side).sum();
            let keys = self.groups.iter().filter(|group| side(group) > 0).count();
            format!("{rows} rows on {keys} keys")
        };
        let columns: Vec<String> = self.columns.iter().map(Text::to_string).collect();
        let detail = format!(
            "the key {} is not unique: {} in the post-seed state, {} in the final state; {} and {} rows have this one",
            columns.join("·"),
            count(|group| group.before.len()),
            count(|group| group.after.len()),
            first.before.len(),
            first.after.len(),
        );
        let finding = Finding::in_table(Code::DuplicateKey, name, detail).at_row(self.key_of(row).display());
        Some(match self.columns {
            [column] => finding.at_column(column),
            _ => finding,
        })
    }
}

/// The key of a row.
pub(super) fn key_of(columns: &[Text], row: &Row) -> Key {
    let part = |column| row.column(column).cloned().unwrap_or(Value::Null);
    match columns {
        [column] => Key::Single(part(column)),
        columns => Key::Composite(columns.iter().map(part).collect()),
    }
}

fn key_ref<'a>(row: &'a Row, columns: &[Text]) -> Option<KeyRef<'a>> {
    match columns {
        [column] => row.column(column).map(KeyRef::Single),
        columns => {
            columns.iter().map(|column| row.column(column)).collect::<Option<_>>().map(KeyRef::Composite)
        }
    }
}
