//! What differs between two states, by primary key, with volatile columns masked (DESIGN §5.1).
//!
//! Linear in the rows: keys are hashed, never searched for. Equality is [`Value`](crate::model::Value)'s, Python's but
//! for `NaN`, which equals itself: a deviation from AgentRelBench, in which every row that holds a `NaN` is
//! damage. Further deviations: composite keys, and keys that are not unique (see `pairing`).

mod keyed;
mod pairing;
mod shape;

pub(super) use keyed::key_columns;
use keyed::{Group, Keyed, declared};

use super::Finding;
use super::finding::tables_of;
use super::order;
use crate::model::{Code, Delta, Key, Op, Registry, Row, RowPair, State, Table, Text};

/// All deltas between two states, and what is odd about the states.
#[derive(Clone, Debug, Default)]
pub struct Diff {
    /// In verdict order.
    pub deltas: Vec<Delta>,
    /// Keys that are not unique, tables and columns that came or went.
    pub warnings: Vec<Finding>,
}

/// Compares two states.
///
/// # Errors
/// All reasons why they cannot be compared: tables without a known key (blind spots), rows without a key
/// column.
pub fn diff(before: &State, after: &State, registry: &Registry) -> Result<Diff, Vec<Finding>> {
    let mut differ = Differ::new(registry, 0);
    for name in tables_of(before, after) {
        differ.table(name, [before.tables.get(name), after.tables.get(name)]);
    }
    differ.finish()
}

/// Compares two states table by table; they have to come in the order of their names.
#[derive(Debug)]
pub struct Differ<'a> {
    registry: &'a Registry,
    found: Diff,
    errors: Vec<Finding>,
    places: Vec<order::Place>,
}

impl<'a> Differ<'a> {
    /// Nothing compared so far. `most`: how many deltas there may be, so that room for many is taken once.
    #[must_use]
    pub fn new(registry: &'a Registry, most: usize) -> Self {
        let found = Diff { deltas: Vec::with_capacity(most), warnings: Vec::new() };
        Self { registry, found, errors: Vec::new(), places: Vec::new() }
    }

    /// Compares one table; `None` where it is not there.
    pub fn table(&mut self, name: &Text, sides: [Option<&Table>; 2]) {
        let Some(columns) = key_columns(name, declared(sides), self.registry) else {
            let rows = sides.into_iter().flatten().map(|table| table.rows.len()).max().unwrap_or(0);
            let detail =
                format!("no key is known for this table of {rows} rows, so changes in it cannot be seen");
            self.errors.push(Finding::in_table(Code::UnknownTable, name, detail));
            return;
        };
        let [old, new] = sides;
        match Keyed::new(name, columns, old, new) {
            Ok(keyed) => {
                let mask = self.mask(name);
                self.extend(|deltas| table_deltas(name, &keyed, mask, deltas));
                self.found.warnings.extend(keyed.duplicates(name));
                self.found.warnings.extend(shape::changes(name, old, new));
            }
            Err(findings) => self.errors.extend(findings),
        }
    }

    /// Compares rows of one table that are paired by a key the registry knows, a unique one on both sides, and
    /// which have all the same columns: it comes to the same as to compare the table.
    pub fn rows(&mut self, name: &Text, pairs: Vec<RowPair>) {
        let mask = self.mask(name);
        let delta = |RowPair { key, before, after, differing }| {
            let change = change([before.is_some(), after.is_some()], differing, mask)?;
            Some(change.delta(name, key, before, after))
        };
        self.extend(|deltas| deltas.extend(pairs.into_iter().filter_map(delta)));
    }

    /// Takes over what a comparison of one table found.
    pub fn known(&mut self, table: &Result<Diff, Vec<Finding>>) {
        match table {
            Ok(table) => {
                self.found.deltas.extend_from_slice(&table.deltas);
                self.found.warnings.extend_from_slice(&table.warnings);
            }
            Err(findings) => self.errors.extend_from_slice(findings),
        }
    }

    /// All differences.
    ///
    /// # Errors
    /// All errors of all tables.
    pub fn finish(self) -> Result<Diff, Vec<Finding>> {
        if self.errors.is_empty() { Ok(self.found) } else { Err(self.errors) }
    }

    fn mask(&self, table: &Text) -> &'a [Text] {
        self.registry.volatile_columns.get(table).map_or(&[], Vec::as_slice)
    }

    /// Appends deltas of one table and puts them in order.
    fn extend(&mut self, append: impl FnOnce(&mut Vec<Delta>)) {
        let start = self.found.deltas.len();
        append(&mut self.found.deltas);
        order::sort(self.found.deltas.get_mut(start..).unwrap_or_default(), &mut self.places);
    }
}

/// The first difference between two post-seed states of one task, in verdict order: nothing masked,
/// bookkeeping tables skipped, row order ignored. A table without a usable key is compared as a heap of
/// rows.
#[must_use]
pub fn drift(a: &State, b: &State, registry: &Registry) -> Option<Finding> {
    for name in tables_of(a, b) {
        let (old, new) = (a.tables.get(name), b.tables.get(name));
        if old.is_none() || new.is_none() {
            let detail = "post-seed states differ: the table is in one of them only";
            return Some(Finding::in_table(Code::PostSeedDrift, name, detail));
        }
        let keyed = key_columns(name, declared([old, new]), registry)
            .and_then(|columns| Keyed::new(name, columns, old, new).ok());
        let is_keyed = keyed.is_some();
        let keyed = keyed.unwrap_or_else(|| Keyed::unkeyed(old, new));
        let mut deltas = Vec::new();
        table_deltas(name, &keyed, &[], &mut deltas);
        let first = deltas.into_iter().min_by_key(|delta| order::spelled(&delta.key));
        if let Some(delta) = first {
            return Some(drift_finding(&delta, is_keyed));
        }
    }
    None
}

fn drift_finding(delta: &Delta, is_keyed: bool) -> Finding {
    let what = match delta.op {
        Op::Added => "the other state has a row more".to_owned(),
        Op::Removed => "the other state has a row less".to_owned(),
        Op::Modified => {
            let columns: Vec<String> = delta.changed.iter().map(Text::to_string).collect();
            format!("other values in {}", columns.join(", "))
        }
    };
    let detail = format!("post-seed states differ: {what}");
    let finding = Finding::in_table(Code::PostSeedDrift, &delta.table, detail);
    if is_keyed { finding.at_row(delta.key.display()) } else { finding }
}

fn table_deltas(name: &Text, keyed: &Keyed<'_>, mask: &[Text], deltas: &mut Vec<Delta>) {
    let mut push = |old: Option<&Row>, new: Option<&Row>| {
        let Some(row) = new.or(old) else { return };
        let differing = old.zip(new).map(|(old, new)| old.differing(new)).unwrap_or_default();
        if let Some(change) = change([old.is_some(), new.is_some()], differing, mask) {
            deltas.push(change.delta(name, keyed.key_of(row), old.cloned(), new.cloned()));
        }
    };
    for Group { before, after } in &keyed.groups {
        if before.len() <= 1 && after.len() <= 1 {
            push(before.first(), after.first());
        } else {
            for (old, new) in pairing::pair(before.rows(), after.rows(), mask) {
                push(old, new);
            }
        }
    }
}

/// What happened to the row of a key.
struct Change {
    op: Op,
    changed: Vec<Text>,
    masked: Vec<Text>,
}

/// The change from one row of a key to another, if there is a compared difference. `sides`: whether there is a
/// row before, and after; `differing`: the columns in which two differ.
fn change(sides: [bool; 2], mut differing: Vec<Text>, mask: &[Text]) -> Option<Change> {
    let op = match sides {
        [true, true] => Op::Modified,
        [false, true] => Op::Added,
        [true, false] => Op::Removed,
        [false, false] => return None,
    };
    differing.sort_unstable();
    let (masked, changed): (Vec<_>, Vec<_>) = match mask {
        [] => (Vec::new(), differing),
        mask => differing.into_iter().partition(|column| mask.contains(column)),
    };
    let nothing = op == Op::Modified && changed.is_empty();
    (!nothing).then_some(Change { op, changed, masked })
}

impl Change {
    fn delta(self, table: &Text, key: Key, before: Option<Row>, after: Option<Row>) -> Delta {
        let Self { op, changed, masked } = self;
        Delta { table: table.clone(), op, key, before, after, changed, masked }
    }
}
