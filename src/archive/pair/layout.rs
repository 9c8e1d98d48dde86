//! The way to the tables of a dump, and from them to its end.

use super::super::json::Reader;
use crate::model::Text;

/// How many containers are open around a table: the document and `tables`.
pub(super) const IN_TABLES: usize = 2;

/// How many containers are open around a row.
pub(super) const IN_TABLE: usize = IN_TABLES + 1;

/// How many containers are open around a row's values.
pub(super) const IN_ROW: usize = IN_TABLE + 1;

/// Goes from the start of a document to the value of `tables`.
pub(super) fn enter(reader: &mut Reader<'_>) -> Option<()> {
    reader.skip_space();
    if reader.peek() != Some(b'{') || reader.is_empty(b'}') {
        return None;
    }
    while reader.name().ok()? != "tables" {
        reader.skip(1).ok()?;
        reader.more(b'}').ok()?.then_some(())?;
    }
    reader.skip_space();
    Some(())
}

/// Goes from the value of `tables` to the end of the document. Each table is passed by `table`, which stands
/// on the first byte of its value; bookkeeping tables are left out.
pub(super) fn tables<'a>(
    reader: &mut Reader<'a>,
    mut table: impl FnMut(&mut Reader<'a>, Text) -> Option<()>,
) -> Option<()> {
    if reader.peek() != Some(b'{') {
        return None;
    }
    let mut more = !reader.is_empty(b'}');
    while more {
        let name = reader.name().ok()?;
        reader.skip_space();
        if name.as_bytes().starts_with(b"sqlite_") {
            reader.skip(IN_TABLES).ok()?;
        } else {
            table(reader, name)?;
        }
        more = reader.more(b'}').ok()?;
    }
    while reader.more(b'}').ok()? {
        // Of `tables` twice the last would count.
        if reader.name().ok()? == "tables" {
            return None;
        }
        reader.skip(1).ok()?;
    }
    reader.end().ok()
}
