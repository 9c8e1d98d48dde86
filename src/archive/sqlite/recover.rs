//! What a database holds that was left with a log or a journal.
//!
//! Only SQLite itself can say, and it writes while it finds out. So it is given copies, in a folder of its own: the
//! archive is only ever read.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::fault::Fault;
use super::header::Header;
use crate::archive::Limits;
use crate::archive::files::too_large;
use crate::model::{Code, Problem};

/// The one of a write-ahead log.
pub(super) const LOG: &str = "-wal";

/// A log begins with a header of this length; each frame has one before its page.
/// See <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>.
const LOG_HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

/// What SQLite makes of copies of a database and of the files beside it, by the ends of their names.
pub(super) fn recover(
    image: &[u8],
    beside: &[(&str, Vec<u8>)],
    path: &Path,
    limits: &Limits,
) -> Result<Vec<u8>, Problem> {
    let unwritable = |error: io::Error| {
        let detail = format!("no room for a copy to recover it in: {error}");
        Problem::new(Code::Unreadable, path, detail)
    };
    let folder = tempfile::tempdir().map_err(unwritable)?;
    let copy = folder.path().join("state");
    fs::write(&copy, image).map_err(unwritable)?;
    for (end, bytes) in beside {
        fs::write(folder.path().join(format!("state{end}")), bytes).map_err(unwritable)?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut db = Connection::open_with_flags(&copy, flags)
        .map_err(|_| Problem::new(Code::Unreadable, path, "its copy cannot be opened"))?;
    let bad = |error: rusqlite::Error| Fault::from(error).problem(path);
    let number = |name: &str| {
        db.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0)).map(i64::unsigned_abs)
    };
    // A log may state any number of pages, and SQLite gives room for all of them.
    let size = number("page_count").and_then(|pages| Ok(pages.saturating_mul(number("page_size")?)));
    if size.map_err(bad)? > limits.max_inflated {
        return Err(too_large(path, limits.max_inflated));
    }
    let recovered = db.serialize("main").map_err(bad)?.to_vec();
    let log = beside.iter().find(|(end, _)| *end == LOG).map_or(&[][..], |(_, log)| log);
    all_pages_are_there(image, log, &recovered).map_err(|fault| fault.problem(path))?;
    Ok(recovered)
}

/// Makes sure that each page was in one of the files: SQLite takes what is behind the end of a file for zeros. A
/// journal does not count: only a file that was cut before is longer when it has been rolled back, or one
/// whose writer died in the moment of shrinking it.
fn all_pages_are_there(image: &[u8], log: &[u8], recovered: &[u8]) -> Result<(), Fault> {
    let Header { page_size, pages, .. } = Header::of(recovered)?;
    let held = image.len() / page_size;
    if held >= pages {
        return Ok(());
    }
    let frames = log.get(LOG_HEADER..).unwrap_or_default().chunks_exact(FRAME_HEADER + page_size);
    let number = |frame: &[u8]| frame.first_chunk().map(|bytes| u32::from_be_bytes(*bytes) as usize);
    let logged: HashSet<usize> = frames.filter_map(number).collect();
    match (held + 1..=pages).find(|page| !logged.contains(page)) {
        None => Ok(()),
        Some(page) => Err(Fault::bad(format!("the file ends early: page {page} of {pages} is not there"))),
    }
}
