//! A database's bytes, with everything in them that SQLite may have left beside the file.
//!
//! A writer that did not end well, or was still at it when the dump was copied, leaves a `-wal` with changes
//! that are not in the file yet, or a `-journal` with changes that have to be taken back. Only SQLite itself
//! can say what such a database holds, and it writes while it finds out. So it is given copies, in a folder of
//! its own: the archive is only ever read.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::fault::Fault;
use super::header::{self, Header};
use crate::archive::Limits;
use crate::archive::files::{read_bytes, read_into, too_large};
use crate::model::{Code, Problem};

/// What the names of the files beside a database end on.
const COMPANIONS: [&str; 2] = ["-wal", "-journal"];

/// The last bytes of a journal that names a super-journal: another file, anywhere, which SQLite would read,
/// and delete if it finds it no longer needed.
const SUPER_JOURNAL: [u8; 8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7];

/// The files that may belong to a database, whether there are any or not. Where the database is a link they
/// are beside what it leads to, as they are for SQLite.
#[must_use]
pub fn companions(path: &Path) -> [PathBuf; 2] {
    let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    let real = is_link.then(|| path.canonicalize().ok()).flatten();
    let real = real.as_deref().unwrap_or(path);
    COMPANIONS.map(|end| {
        let mut name = real.as_os_str().to_owned();
        name.push(end);
        name.into()
    })
}

/// Reads a database whole, as it is once SQLite has recovered it, into a buffer whose content is replaced.
///
/// # Errors
/// `UNREADABLE`, `TOO_LARGE` as [`read_into`], of the companions as well; `UNSAFE_PATH` for a companion that
/// is a link, or names another file; `BAD_SQLITE` for what is no database, or ends early.
pub fn read(path: &Path, image: &mut Vec<u8>, limits: &Limits) -> Result<(), Problem> {
    read_into(path, image, limits)?;
    complete(path, image, limits)
}

/// Makes a whole database of a file's bytes.
pub(super) fn complete(path: &Path, image: &mut Vec<u8>, limits: &Limits) -> Result<(), Problem> {
    let mut beside = Vec::new();
    for (file, end) in companions(path).iter().zip(COMPANIONS) {
        if let Some(bytes) = companion(file, limits)? {
            beside.push((end, bytes));
        }
    }
    if !beside.is_empty() {
        *image = recover(image, &beside, path, limits)?;
    }
    Header::of(image).map_err(|fault| fault.problem(path))?;
    header::leave_wal_mode(image);
    Ok(())
}

/// The bytes of a companion; `None` if it is not there or empty, which is how a closed one may be left.
fn companion(path: &Path, limits: &Limits) -> Result<Option<Vec<u8>>, Problem> {
    let metadata = match path.symlink_metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Problem::new(Code::Unreadable, path, error.to_string())),
    };
    if metadata.is_symlink() {
        return Err(Problem::new(Code::UnsafePath, path, "a link where SQLite's own file is expected"));
    }
    let bytes = read_bytes(path, limits)?;
    if bytes.ends_with(&SUPER_JOURNAL) {
        return Err(Problem::new(Code::UnsafePath, path, "a journal that names another file"));
    }
    Ok((!bytes.is_empty()).then_some(bytes))
}

/// What SQLite makes of copies of a database and its companions.
fn recover(
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
    Ok(db.serialize("main").map_err(bad)?.to_vec())
}
