//! A database's bytes, with everything in them that SQLite may have left beside the file.
//!
//! A writer that did not end well, or was still at it when the dump was copied, leaves a `-wal` with changes
//! that are not in the file yet, or a `-journal` with changes that have to be taken back: see `recover`.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::header::{self, Header};
use super::recover::{LOG, recover};
use crate::archive::Limits;
use crate::archive::files::{read_bytes, read_into};
use crate::model::{Code, Problem};

/// What the names of the files beside a database end on.
const COMPANIONS: [&str; 2] = [LOG, "-journal"];

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
