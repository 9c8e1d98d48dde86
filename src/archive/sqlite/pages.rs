//! Which tables lie on pages that differ.
//!
//! A table is a tree of pages. Whoever reads it begins at its root and goes where the pages say, so if the
//! root is at the same place, and all pages of the tree in one database are equal in the other, the tree in the
//! other is the same. It takes one database to tell which pages these are.

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::fault::Fault;
use super::header::{self, Header};
use super::text::text;
use super::{MAIN, schema};
use crate::model::Text;

/// The pages of tables, and of the schema.
#[derive(Debug, Default)]
pub(super) struct Owners {
    /// Pages, from 1, with a table's place in the list it was asked for; sorted.
    pages: Vec<(usize, usize)>,
    /// Pages of the schema.
    schema: Vec<usize>,
    /// Tables of which not all pages can be told.
    pub broken: Vec<usize>,
}

/// What is on pages that differ.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// Places of tables, each once; sorted.
    pub tables: Vec<usize>,
    pub schema: bool,
}

impl Owners {
    /// Asks SQLite for the pages of all trees.
    pub fn of(db: &Connection, tables: &[schema::Listed]) -> Result<Self, Fault> {
        let mut owners = Self::default();
        let mut query = db.prepare(&format!("SELECT name, pageno, pagetype FROM dbstat('{MAIN}')"))?;
        let mut rows = query.query([])?;
        let mut last: Option<(Text, Option<usize>)> = None;
        while let Some(row) = rows.next()? {
            let ValueRef::Text(name) = row.get_ref(0)? else { continue };
            let (page, kind) = (row.get::<_, u32>(1)? as usize, row.get_ref(2)?);
            let name = text(name);
            // Trees come one after the other.
            if last.as_ref().is_none_or(|(seen, _)| *seen != name) {
                last = Some((name.clone(), tables.iter().position(|table| table.name == name)));
            }
            let place = last.as_ref().and_then(|(_, place)| *place);
            match place {
                Some(place) => {
                    owners.pages.push((page, place));
                    if !matches!(kind, ValueRef::Text(b"internal" | b"leaf" | b"overflow")) {
                        owners.broken.push(place);
                    }
                }
                None if name == "sqlite_schema" => owners.schema.push(page),
                None => {}
            }
        }
        owners.pages.sort_unstable();
        Ok(owners)
    }

    /// What lies on pages in which another database differs from the one whose pages these are.
    pub fn touched(&self, before: &[u8], after: &[u8], header: Header, pages_after: usize) -> Touched {
        let mut touched = Touched::default();
        let sides = before.chunks(header.page_size).zip(after.chunks(header.page_size)).take(pages_after);
        let mut same = 0;
        let mut owners = self.pages.iter().peekable();
        for (number, (old, new)) in (1..).zip(sides) {
            same = number;
            let skipped = if number == 1 { header::LENGTH } else { 0 };
            if old.get(skipped..) == new.get(skipped..) {
                continue;
            }
            touched.schema |= self.schema.contains(&number);
            while let Some((page, table)) = owners.next_if(|(page, _)| *page <= number) {
                if *page == number {
                    touched.tables.push(*table);
                }
            }
        }
        // Pages that the other one does not have.
        touched.tables.extend(self.pages.iter().filter(|(page, _)| *page > same).map(|(_, table)| *table));
        touched.schema |= self.schema.iter().any(|page| *page > same);
        touched.tables.extend(&self.broken);
        touched.tables.sort_unstable();
        touched.tables.dedup();
        touched
    }

    /// How much memory it takes, about.
    pub fn size(&self) -> usize {
        self.pages.len() * size_of::<(usize, usize)>() + self.schema.len() * size_of::<usize>()
    }
}
