//! A final dump beside its seed.

use std::collections::HashSet;

use super::super::json::Reader;
use super::cells::{Cells, Compared};
use super::layout::{self, IN_TABLE};
use super::rows::Rows;
use super::{Differing, Seed, SeedTable, TablePair, Wanted, parse_table};
use crate::model::{Key, Row, RowPair, Value};

/// See [`Seed::align`].
pub(super) fn align(seed: &Seed, json: &[u8], wanted: &Wanted<'_>) -> Option<Vec<TablePair>> {
    let mut reader = Reader::new(json).within(seed.limits.max_values());
    layout::enter(&mut reader)?;
    let mut aligner = Aligner { seed, wanted, old: Reader::new(&seed.content), json, checked: 0 };
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
    wanted: &'a Wanted<'a>,
    /// Reads rows of the seed.
    old: Reader<'a>,
    /// The final dump.
    json: &'a [u8],
    /// Up to here the final dump is known to be UTF-8. Where it is equal to the seed it is so anyway.
    checked: usize,
}

/// What was met of a table in a final dump.
struct Met {
    /// The rows of the seed.
    rows: Vec<bool>,
    /// The hashes of other keys.
    new_keys: HashSet<u64>,
    /// The row of the seed that is expected: the one behind the last one met.
    next: usize,
    pairs: Vec<RowPair>,
}

/// A table in which a key or a column is not as in the seed has to be compared whole.
struct Odd;

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
        if let Some(rows) = &table.rows {
            let cells = Cells::new(rows, |column| (self.wanted)(&table.name, column));
            let mut found = self.rows(reader, table, rows, &cells)?;
            if found.as_ref().is_ok_and(|pairs| spelled_alike(pairs)) {
                reader.at = start;
                found = self.rows(reader, table, rows, &Cells::new(rows, |_| true))?;
            }
            if let Ok(pairs) = found {
                return Some((!pairs.is_empty()).then_some(Differing::Rows(pairs)));
            }
        }
        let after = parse_table(reader, &table.name, start)?;
        Some(Some(Differing::Whole(Some(self.seed.table(table)), Some(after))))
    }

    /// Passes the rows of a table and gives those that are not equal. If the final table is odd the reader then
    /// stands somewhere in it.
    fn rows(
        &mut self,
        reader: &mut Reader<'a>,
        table: &SeedTable,
        rows: &Rows,
        cells: &Cells<'_>,
    ) -> Option<Result<Vec<RowPair>, Odd>> {
        if reader.peek() != Some(b'[') {
            return None;
        }
        let mut met =
            Met { rows: vec![false; rows.len()], new_keys: HashSet::new(), next: 0, pairs: Vec::new() };
        let mut more = !reader.is_empty(b']');
        while more {
            reader.skip_space();
            let behind = self.equal_rows(reader.at, table, rows, met.next)?;
            let passed = if behind > met.next {
                self.pass_equal(reader, rows, &mut met, behind)?
            } else {
                match self.pass_expected(reader, table, rows, cells, &mut met)? {
                    Some(passed) => passed,
                    None => self.pass_other(reader, table, rows, &mut met)?,
                }
            };
            if let Err(odd) = passed {
                return Some(Err(odd));
            }
            more = reader.more(b']').ok()?;
        }
        for (row, _) in met.rows.iter().enumerate().filter(|(_, met)| !**met) {
            let before = self.old_row(table, rows, row)?;
            let key = Key::of(&rows.key, &before)?;
            met.pairs.extend(RowPair::new(key, Some(before), None));
        }
        Some(Ok(met.pairs))
    }

    /// Passes the rows from the expected one on that are equal as bytes.
    fn pass_equal(
        &mut self,
        reader: &mut Reader<'a>,
        rows: &Rows,
        met: &mut Met,
        behind: usize,
    ) -> Option<Result<(), Odd>> {
        let these = met.rows.get_mut(met.next..behind)?;
        if these.contains(&true) {
            return Some(Err(Odd));
        }
        these.fill(true);
        let length = rows.span(behind - 1)?.end - rows.span(met.next)?.start;
        self.equal(reader.at, length)?;
        reader.at += length;
        met.next = behind;
        Some(Ok(()))
    }

    /// Passes a row that has the expected one's key and is written like it. `Some(None)` if it has not or is
    /// not; the reader then stands where it stood.
    fn pass_expected(
        &mut self,
        reader: &mut Reader<'a>,
        table: &SeedTable,
        rows: &Rows,
        cells: &Cells<'_>,
        met: &mut Met,
    ) -> Option<Option<Result<(), Odd>>> {
        let Some(span) = rows.span(met.next) else { return Some(None) };
        let start = reader.at;
        self.old.at = table.span.start + span.start;
        let Compared::SameKey(pair) = cells.compare(&mut self.old, reader)? else {
            reader.at = start;
            return Some(None);
        };
        if std::mem::replace(met.rows.get_mut(met.next)?, true) {
            return Some(Some(Err(Odd)));
        }
        met.next += 1;
        met.pairs.extend(pair);
        Some(Some(Ok(())))
    }

    /// Passes any other row: one that stands elsewhere in the seed, or nowhere, or is written otherwise.
    fn pass_other(
        &mut self,
        reader: &mut Reader<'a>,
        table: &SeedTable,
        rows: &Rows,
        met: &mut Met,
    ) -> Option<Result<(), Odd>> {
        let start = reader.at;
        let Value::Object(after) = reader.read(IN_TABLE).ok()? else { return None };
        let Some(hash) = rows.hash(&after) else { return Some(Err(Odd)) };
        let found = rows.find(hash);
        let twice = match found {
            Some(found) => std::mem::replace(met.rows.get_mut(found)?, true),
            None => !met.new_keys.insert(hash),
        };
        // With other columns than the seed's rows it takes more than a look at this row.
        if twice || !rows.fit(&after) {
            return Some(Err(Odd));
        }
        let key = Key::of(&rows.key, &after)?;
        let Some(found) = found else {
            met.pairs.extend(RowPair::new(key, None, Some(after)));
            return Some(Ok(()));
        };
        met.next = found + 1;
        if self.json.get(start..reader.at) == Some(self.old_bytes(table, rows, found)?) {
            return Some(Ok(()));
        }
        let before = self.old_row(table, rows, found)?;
        // Two keys of one hash: next to impossible, but then the table is compared whole.
        if Key::of(&rows.key, &before)? != key {
            return Some(Err(Odd));
        }
        met.pairs.extend(RowPair::new(key, Some(before), Some(after)));
        Some(Ok(()))
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
        let new = self.json.get(at..)?;
        // Where many rows differ, most often the first one does.
        if !new.starts_with(self.old_bytes(table, rows, next)?) {
            return Some(next);
        }
        let old = self.seed.content.get(table.span.start + span.start..table.span.end)?;
        let equal = common_prefix(old, new);
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

/// True if there may be two keys that are not equal, but spelled alike, as `1` and `"1"` are. What order they
/// come in is then told by all that their rows hold.
fn spelled_alike(pairs: &[RowPair]) -> bool {
    let is_text = |pair: &RowPair| matches!(pair.key, Key::Single(Value::Text(_)));
    pairs.first().map(is_text).is_some_and(|first| pairs.iter().any(|pair| is_text(pair) != first))
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
