//! All values of two states, as far as somebody asks: is this one unique, is it a key?

use std::collections::{HashMap, HashSet};

use super::{Haystack, KeyNaming, is_name, spelled};
use crate::damage::States;
use crate::damage::diff::key_columns;
use crate::model::{Delta, Key, Registry, Row, Text, Value};

/// How often each value occurs in a column.
type Counts<'a> = HashMap<&'a Value, usize>;

/// A value of a delta's row, other than its key.
pub(in crate::damage) struct Held<'d> {
    /// 0 for the row before, 1 for the row after.
    side: usize,
    pub column: &'d Text,
    pub value: &'d Value,
}

/// One that reads like a name of its row.
pub(in crate::damage) struct NameLike<'d> {
    /// As a text would have it, in lower case.
    pub spelled: String,
    held: Held<'d>,
}

/// The database before and after, indexed lazily: most runs never ask.
pub(in crate::damage) struct Catalog<'a> {
    states: &'a dyn States,
    registry: &'a Registry,
    columns: HashMap<(usize, Text, Text), Counts<'a>>,
    keys: Option<HashSet<&'a Value>>,
}

impl<'a> Catalog<'a> {
    pub fn new(states: &'a dyn States, registry: &'a Registry) -> Self {
        Self { states, registry, columns: HashMap::new(), keys: None }
    }

    /// The key columns of a table; empty if none are known.
    pub fn key_columns(&self, table: &Text) -> &'a [Text] {
        key_columns(table, self.states.declared_key(table), self.registry).unwrap_or_default()
    }

    /// The values of the delta's rows, other than their key.
    pub fn not_key<'d>(&self, delta: &'d Delta) -> Vec<Held<'d>> {
        let keys = self.key_columns(&delta.table);
        let sides = [&delta.before, &delta.after].into_iter().enumerate();
        sides
            .flat_map(|(side, row)| row.iter().flat_map(|row| row.iter()).map(move |entry| (side, entry)))
            .filter(|(_, (column, _))| !keys.contains(column))
            .map(|(side, (column, value))| Held { side, column, value })
            .collect()
    }

    /// Of these the ones that read like names. Whether they are the row's own is asked of those that matter: see
    /// [`Self::is_own_name`]. `new_values`: changed columns count as well.
    pub fn name_like<'d>(&self, delta: &'d Delta, new_values: bool) -> Vec<NameLike<'d>> {
        let is_new = |column| delta.changed.binary_search(column).is_ok();
        self.not_key(delta)
            .into_iter()
            .filter(|Held { side, column, value }| {
                (new_values || *side == 0 || !is_new(*column)) && is_name(column, value)
            })
            .filter_map(|held| Some(NameLike { spelled: spelled(held.value)?, held }))
            .collect()
    }

    /// True if only this row has the value, and it is no row's key.
    pub fn is_own_name(&mut self, table: &Text, name: &NameLike<'_>) -> bool {
        !self.keys().contains(name.held.value) && self.is_own(table, &name.held)
    }

    /// True if it is a reference to another row that only this row has.
    pub fn is_own_reference(&mut self, table: &Text, held: &Held<'_>) -> bool {
        self.keys().contains(held.value) && self.is_own(table, held)
    }

    fn is_own(&mut self, table: &Text, held: &Held<'_>) -> bool {
        self.is_unique(held.side, table, held.column, held.value)
    }

    /// True if the text names a row other than those of `except`: any row of the post-seed state, or one
    /// of `more`.
    pub fn names_another(
        &mut self,
        text: &Haystack,
        except: &HashSet<(&Text, &Key)>,
        more: &[(&Text, &Row)],
    ) -> bool {
        let post_seed = self.states.post_seed().tables.iter();
        let rows = post_seed.flat_map(|(table, held)| held.rows.iter().map(move |row| (0, table, row)));
        let more = more.iter().map(|(table, row)| (1, *table, *row));
        let mut naming: Option<(&Text, KeyNaming)> = None;
        for (side, table, row) in rows.chain(more) {
            let columns = self.key_columns(table);
            if naming.as_ref().is_none_or(|(of, _)| *of != table) {
                naming = Some((table, KeyNaming::new(table, columns)));
            }
            let Some((_, naming)) = &naming else { continue };
            let Some(key) = Key::of(columns, row) else { continue };
            if except.contains(&(table, &key)) {
                continue;
            }
            let named = naming.is_named(&key, text)
                || row.iter().any(|(column, value)| {
                    !columns.contains(column)
                        && is_name(column, value)
                        && spelled(value).is_some_and(|spelled| text.has(&spelled))
                        && !self.keys().contains(value)
                        && self.is_unique(side, table, column, value)
                });
            if named {
                return true;
            }
        }
        false
    }

    /// True if no other row has this value in this column.
    fn is_unique(&mut self, side: usize, table: &Text, column: &Text, value: &Value) -> bool {
        let state = if side == 0 { self.states.post_seed() } else { self.states.final_state() };
        let counts = self.columns.entry((side, table.clone(), column.clone())).or_insert_with(|| {
            let mut counts = Counts::new();
            let rows = state.tables.get(table).map(|table| &table.rows);
            for value in rows.into_iter().flatten().filter_map(|row| row.column(column)) {
                *counts.entry(value).or_default() += 1;
            }
            counts
        });
        counts.get(value).is_some_and(|count| *count == 1)
    }

    /// The keys of all rows that have one of a single column.
    fn keys(&mut self) -> &HashSet<&'a Value> {
        let (states, registry) = (self.states, self.registry);
        self.keys.get_or_insert_with(|| {
            let tables =
                [states.post_seed(), states.final_state()].into_iter().flat_map(|state| &state.tables);
            let single = tables.filter_map(|(name, table)| {
                match key_columns(name, states.declared_key(name), registry) {
                    Some([column]) => Some((column, table)),
                    _ => None,
                }
            });
            single
                .flat_map(|(column, table)| table.rows.iter().filter_map(|row| row.column(column)))
                .collect()
        })
    }
}
