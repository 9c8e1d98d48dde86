//! A final dump beside its seed.

use std::collections::HashSet;

use super::super::json::Reader;
use super::layout::{self, IN_TABLE};
use super::rows::Rows;
use super::{Differing, RowPair, Seed, SeedTable, TablePair, parse_table};
use crate::model::{Row, Value};

/// See [`Seed::align`].
pub(super) fn align(seed: &Seed, json: &[u8]) -> Option<Vec<TablePair>> {
    let mut reader = Reader::new(json).within(seed.limits.max_values());
    layout::enter(&mut reader)?;
    let mut aligner = Aligner { seed, old: Reader::new(&seed.content), json, checked: 0 };
    let mut pairs = Vec::new();
    let mut met = vec![false; seed.tables.len()];
    let mut new = HashSet::new();
    layout::tables(&mut reader, |reader, name| {
        let start = reader.at;
        let Some(&place) = seed.places.get(&name) else {
            let after = Some(parse_table(reader, &name, start)?);
            let twice = !new.insert(name.clone());
            let rows = Differing::Whole(None, after);
            pairs.push(TablePair { name, rows, place: Some(start..reader.at) });
            return (!twice).then_some(());
        };
        let twice = std::mem::replace(met.get_mut(place)?, true);
        let table = seed.tables.get(place)?;
        let rows = aligner.table(reader, table)?;
        pairs.extend(rows.map(|rows| TablePair { name, rows, place: Some(start..reader.at) }));
        (!twice).then_some(())
    })?;
    aligner.check(json.len())?;
    for (table, _) in seed.tables.iter().zip(met).filter(|(_, met)| !met) {
        let rows = Differing::Whole(Some(seed.table(table)), None);
        pairs.push(TablePair { name: table.name.clone(), rows, place: None });
    }
    pairs.sort_by(|a, b| a.name.cmp(&b.name));
    Some(pairs)
}

struct Aligner<'a> {
    seed: &'a Seed,
    /// Reads rows of the seed.
    old: Reader<'a>,
    /// The final dump.
    json: &'a [u8],
    /// Up to here the final dump is known to be UTF-8. Where it is equal to the seed it is so anyway.
    checked: usize,
}

impl<'a> Aligner<'a> {
    /// Passes one table. `None` if it is not sound; `Some(None)` if there is nothing to compare.
    fn table(&mut self, reader: &mut Reader<'a>, table: &SeedTable) -> Option<Option<Differing>> {
        let start = reader.at;
        let whole = self.seed.content.get(table.span.clone())?;
        if self.json.get(start..)?.starts_with(whole) {
            self.equal(start, whole.len())?;
            reader.at = start + whole.len();
            return Some(None);
        }
        if let Some(rows) = &table.rows
            && let Some(pairs) = self.rows(reader, table, rows)?
        {
            return Some((!pairs.is_empty()).then_some(Differing::Rows(pairs)));
        }
        let after = parse_table(reader, &table.name, start)?;
        Some(Some(Differing::Whole(Some(self.seed.table(table)), Some(after))))
    }

    /// Passes the rows of a table and gives those that are not equal as bytes. `Some(None)` if the final
    /// table is odd; the reader then stands somewhere in it.
    fn rows(
        &mut self,
        reader: &mut Reader<'a>,
        table: &SeedTable,
        rows: &Rows,
    ) -> Option<Option<Vec<RowPair>>> {
        if reader.peek() != Some(b'[') {
            return None;
        }
        let mut met = vec![false; rows.len()];
        let mut pairs = Vec::new();
        let mut new_keys = HashSet::new();
        // The row of the seed that is expected here: the one behind the last one met.
        let mut next = 0;
        let mut more = !reader.is_empty(b']');
        while more {
            reader.skip_space();
            let start = reader.at;
            let behind = self.equal_rows(start, table, rows, next)?;
            if behind > next {
                let met = met.get_mut(next..behind)?;
                if met.contains(&true) {
                    return Some(None);
                }
                met.fill(true);
                let length = rows.span(behind - 1)?.end - rows.span(next)?.start;
                self.equal(start, length)?;
                reader.at += length;
                next = behind;
            } else {
                let Value::Object(row) = reader.read(IN_TABLE).ok()? else { return None };
                let Some(hash) = rows.hash(&row) else { return Some(None) };
                let found = rows.find(hash);
                let twice = match found {
                    Some(found) => std::mem::replace(met.get_mut(found)?, true),
                    None => !new_keys.insert(hash),
                };
                // With other columns than the seed's rows it takes more than a look at this row.
                if twice || !rows.fit(&row) {
                    return Some(None);
                }
                let mut old = None;
                if let Some(found) = found {
                    next = found + 1;
                    if self.json.get(start..reader.at) == Some(self.old_bytes(table, rows, found)?) {
                        more = reader.more(b']').ok()?;
                        continue;
                    }
                    let same_key = self.old_row(table, rows, found)?;
                    // Two keys of one hash: next to impossible, but then the table is compared whole.
                    if rows.key.iter().any(|column| same_key.column(column) != row.column(column)) {
                        return Some(None);
                    }
                    old = Some(same_key);
                }
                pairs.push((old, Some(row)));
            }
            more = reader.more(b']').ok()?;
        }
        for (row, _) in met.iter().enumerate().filter(|(_, met)| !**met) {
            pairs.push((Some(self.old_row(table, rows, row)?), None));
        }
        Some(Some(pairs))
    }

    fn old_bytes(&self, table: &SeedTable, rows: &Rows, row: usize) -> Option<&'a [u8]> {
        let span = rows.span(row)?;
        self.seed.content.get(table.span.start + span.start..table.span.start + span.end)
    }

    fn old_row(&mut self, table: &SeedTable, rows: &Rows, row: usize) -> Option<Row> {
        self.old.at = table.span.start + rows.span(row)?.start;
        match self.old.read(IN_TABLE).ok()? {
            Value::Object(row) => Some(row),
            _ => None,
        }
    }

    /// The first row behind `next` that is not equal to what stands at `at`, as far as the rows from `next`
    /// on are; `next` itself if it is not.
    fn equal_rows(&self, at: usize, table: &SeedTable, rows: &Rows, next: usize) -> Option<usize> {
        let Some(span) = rows.span(next) else { return Some(next) };
        let old = self.seed.content.get(table.span.start + span.start..table.span.end)?;
        let equal = common_prefix(old, self.json.get(at..)?);
        Some(rows.first_ending_behind(span.start + equal))
    }

    /// Notes that a stretch is equal to one of the seed.
    fn equal(&mut self, start: usize, length: usize) -> Option<()> {
        self.check(start)?;
        self.checked = self.checked.max(start + length);
        Some(())
    }

    /// Makes sure that everything up to here is UTF-8.
    fn check(&mut self, end: usize) -> Option<()> {
        if self.checked < end {
            std::str::from_utf8(self.json.get(self.checked..end)?).ok()?;
            self.checked = end;
        }
        Some(())
    }
}

/// How many bytes are equal. Compared in blocks that grow as long as they are: the effort is in proportion
/// to the answer.
fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let limit = a.len().min(b.len());
    let equal = |start: usize, end: usize| a.get(start..end) == b.get(start..end);
    let (mut done, mut step) = (0, 64);
    while done < limit {
        let end = limit.min(done + step);
        if equal(done, end) {
            done = end;
            step = (2 * step).min(1 << 16);
            continue;
        }
        // The first difference lies between: halve until it is found.
        let mut end = end;
        while end - done > 1 {
            let middle = done + (end - done) / 2;
            if equal(done, middle) { done = middle } else { end = middle }
        }
        break;
    }
    done
}
