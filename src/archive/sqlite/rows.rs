//! Values, rows and tables, as far as they may be held.

use std::mem::size_of;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row as SqlRow};

use super::fault::Fault;
use super::schema::{Described, quoted};
use super::text::text;
use crate::archive::Limits;
use crate::model::{Names, Number, Row, Table, Value, python};

/// The fewest bytes a row takes in a file: two that say where it is, and two of its own.
const LEAST_ROW: usize = 4;

/// The most that a byte of a blob takes once it is text, see [`python::bytes_repr`].
const REPR: usize = 4;

/// How many times a file's size computed texts may come to: they are short things made of what is stored.
const COMPUTED: usize = 16;

/// How much may still be read of one database. A broken tree can lead to the same rows again and again, so
/// there can be more of them than the file has room for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    rows: usize,
    /// Memory for values, texts aside.
    values: usize,
    /// Bytes of texts, and of blobs as texts.
    texts: usize,
    /// The same, of tables that compute some of theirs.
    computed: usize,
}

/// How much a table takes of a [`Budget`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    pub rows: usize,
    pub columns: usize,
    pub texts: usize,
}

impl Budget {
    pub fn of(image: &[u8], limits: &Limits) -> Self {
        let texts = usize::try_from(limits.max_inflated).unwrap_or(usize::MAX);
        let computed = image.len().saturating_mul(COMPUTED);
        Self { rows: image.len() / LEAST_ROW, values: limits.max_values(), texts, computed }
    }

    /// What no text of a database of this size can come to.
    pub fn all_texts_of(image: &[u8]) -> Cost {
        Cost { texts: image.len().saturating_mul(REPR), ..Cost::default() }
    }

    /// Takes texts of a table that computes some.
    fn take_computed(&mut self, texts: usize) -> Result<(), Fault> {
        let rest = self.computed.checked_sub(texts);
        self.computed = rest.ok_or_else(|| Fault::too_large("computed texts far longer than the file"))?;
        Ok(())
    }

    /// Takes what a table costs.
    pub fn take(&mut self, cost: Cost) -> Result<(), Fault> {
        let rest = |held: usize, taken: usize| held.checked_sub(taken);
        let each = size_of::<Row>() + cost.columns * size_of::<Value>();
        self.rows =
            rest(self.rows, cost.rows).ok_or_else(|| Fault::bad("more rows than the file has room for"))?;
        self.values = rest(self.values, cost.rows.saturating_mul(each))
            .ok_or_else(|| Fault::too_large("more values than may be held"))?;
        self.texts =
            rest(self.texts, cost.texts).ok_or_else(|| Fault::too_large("longer texts than may be held"))?;
        Ok(())
    }
}

/// Reads a table whole, in its own order, without the help of any index.
pub(super) fn table(
    db: &Connection,
    of: &str,
    table: &Described,
    budget: &mut Budget,
) -> Result<(Table, Cost), Fault> {
    let mut read = 0;
    let mut cost = Cost { columns: table.columns.len(), ..Cost::default() };
    let mut rows = Vec::new();
    let mut all = || -> Result<(), Fault> {
        let mut query = db.prepare(&format!("SELECT * FROM {of}.{} NOT INDEXED", quoted(&table.name)?))?;
        if query.column_count() != table.columns.len() {
            return Err(Fault::bad("other columns than the table has"));
        }
        let mut found = query.query([])?;
        while let Some(row) = found.next()? {
            read += 1;
            let one = Cost { rows: 1, texts: texts(row, table.columns.len())?, ..cost };
            budget.take(one)?;
            if table.is_generated {
                budget.take_computed(one.texts)?;
            }
            cost.texts += one.texts;
            rows.push(row_of(row, 0, &table.columns)?);
        }
        Ok(())
    };
    // What fails, fails at the row behind the last one read.
    let place = |fault: Fault, read: usize| fault.in_table(&table.name).at_row(read);
    match all() {
        Ok(()) => {
            cost.rows = rows.len();
            let declared_key = (!table.key.is_empty()).then(|| table.key.clone());
            Ok((Table { rows, declared_key }, cost))
        }
        Err(fault) => Err(place(fault, rows.len() + 1)),
    }
}

/// How many bytes the texts and blobs of a row take.
fn texts(row: &SqlRow<'_>, columns: usize) -> Result<usize, Fault> {
    (0..columns).try_fold(0, |sum, column| {
        Ok(match row.get_ref(column)? {
            ValueRef::Text(bytes) => sum + bytes.len(),
            ValueRef::Blob(bytes) => sum + bytes.len().saturating_mul(REPR),
            _ => sum,
        })
    })
}

/// The row that begins at column `from` of a result.
pub(super) fn row_of(row: &SqlRow<'_>, from: usize, columns: &Names) -> Result<Row, Fault> {
    let values = (from..from + columns.len()).map(|column| Ok(value(row.get_ref(column)?)));
    Ok(Row::from_unique(columns.clone(), values.collect::<Result<_, Fault>>()?))
}

/// A value as the Python dumps have it: a blob, which JSON has no form for, as `repr` spells it.
fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(int) => Value::Number(Number::Int(int)),
        ValueRef::Real(float) => Value::Number(Number::Float(float)),
        ValueRef::Text(bytes) => Value::Text(text(bytes)),
        ValueRef::Blob(bytes) => Value::Text(python::bytes_repr(bytes).into()),
    }
}

/// True if values of its kind are equal exactly if SQLite thinks so: a blob may be spelled like a text.
pub(super) fn is_plain(value: ValueRef<'_>) -> bool {
    match value {
        ValueRef::Integer(_) | ValueRef::Real(_) => true,
        ValueRef::Text(bytes) => std::str::from_utf8(bytes).is_ok(),
        ValueRef::Null | ValueRef::Blob(_) => false,
    }
}
