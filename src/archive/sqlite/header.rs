//! The first hundred bytes of a database file: <https://www.sqlite.org/fileformat2.html#the_database_header>.

use std::ops::Range;

use super::fault::Fault;

/// What every database file begins with.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// How long the header is.
pub(super) const LENGTH: usize = 100;

/// Where it states that the file is to be written, and read, with a write-ahead log.
const JOURNAL_VERSIONS: Range<usize> = 18..20;

/// What decides whether and how the other pages are read: magic, page size, versions, reserved bytes, schema
/// format, auto-vacuum (its pointer maps guide reading), encoding.
const LAYOUT: [Range<usize>; 4] = [0..24, 44..48, 52..60, 64..68];

/// What is used of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub page_size: usize,
    /// How many pages the database has.
    pub pages: usize,
    /// UTF-8, no auto-vacuum: as nearly all databases are.
    pub is_usual: bool,
}

impl Header {
    /// Reads the header of a whole database, and makes sure that all of its pages are there: SQLite reads
    /// zeros behind the end of a file.
    pub fn of(image: &[u8]) -> Result<Self, Fault> {
        if image.is_empty() {
            return Err(Fault::bad("the file is empty"));
        }
        if !image.starts_with(MAGIC) {
            return Err(Fault::bad("not a SQLite database, or an encrypted one"));
        }
        let (Some(size), true) = (word(image, 16..18), image.len() >= LENGTH) else {
            return Err(Fault::bad("the file ends in its header"));
        };
        let page_size = if size == 1 { 1 << 16 } else { size };
        if !page_size.is_power_of_two() || page_size < 512 {
            return Err(Fault::bad(format!("a page size of {page_size} bytes")));
        }
        // Programs from before 2010 left the number of pages as it was; the change counter tells.
        let stated = word(image, 28..32).filter(|&pages| pages > 0 && image.get(24..28) == image.get(92..96));
        let held = image.len() / page_size;
        let pages = stated.unwrap_or(held);
        if held < pages || (stated.is_none() && held * page_size < image.len()) || held == 0 {
            let detail =
                format!("the file ends early: {} bytes of {pages} pages of {page_size}", image.len());
            return Err(Fault::bad(detail));
        }
        let is_usual = word(image, 56..60) == Some(1) && word(image, 52..56) == Some(0);
        Ok(Self { page_size, pages, is_usual })
    }

    /// True if the pages of two databases are laid out and read in the same way.
    pub fn fits(one: &[u8], other: &[u8]) -> bool {
        LAYOUT.iter().all(|range| one.get(range.clone()) == other.get(range.clone()))
    }
}

/// Makes a database that was written with a write-ahead log readable without one. Nothing else changes.
pub(super) fn leave_wal_mode(image: &mut [u8]) {
    if let Some(versions) = image.get_mut(JOURNAL_VERSIONS)
        && *versions == [2, 2]
    {
        versions.fill(1);
    }
}

/// A big-endian number of the header.
fn word(image: &[u8], range: Range<usize>) -> Option<usize> {
    let bytes = image.get(range)?;
    Some(bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}
