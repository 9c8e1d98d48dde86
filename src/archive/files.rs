//! Files: reading them whole with a cap, and writing them whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::json;
use crate::model::{Code, Place, Problem, Value};

/// How much may be held of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes a file may have, unpacked.
    pub max_inflated: u64,
}

impl Default for Limits {
    /// 512 MiB.
    fn default() -> Self {
        Self { max_inflated: 512 << 20 }
    }
}

impl Limits {
    /// How much memory the values of one file may take, their texts aside: four times the cap, and 1 MiB in
    /// any case, so that the deepest nesting fits. A usual dump takes three times its size.
    #[must_use]
    pub fn max_values(&self) -> usize {
        usize::try_from(self.max_inflated.saturating_mul(4).max(1 << 20)).unwrap_or(usize::MAX)
    }
}

/// Reads a regular file whole.
///
/// # Errors
/// `UNREADABLE` if it cannot be opened or is no regular file (opening a pipe would wait for ever),
/// `TOO_LARGE` beyond the cap.
pub fn read_bytes(path: &Path, limits: &Limits) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    read_into(path, &mut bytes, limits)?;
    Ok(bytes)
}

/// As [`read_bytes`], into a buffer whose content is replaced.
///
/// # Errors
/// As [`read_bytes`].
pub fn read_into(path: &Path, bytes: &mut Vec<u8>, limits: &Limits) -> Result<(), Problem> {
    let unreadable = |error: io::Error| Problem::new(Code::Unreadable, path, error.to_string());
    // Asked before it is opened: opening a pipe would wait for ever.
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        let what =
            if metadata.is_dir() { "a directory where a file is expected" } else { "not a regular file" };
        return Err(Problem::new(Code::Unreadable, path, what));
    }
    let cap = limits.max_inflated;
    if metadata.len() > cap {
        return Err(too_large(path, cap));
    }
    // One byte of room beyond the stated size, so that the usual file is read in one go and its end seen.
    let size = usize::try_from(metadata.len()).unwrap_or(0) + 1;
    let mut file = File::open(path).map_err(unreadable)?;
    bytes.resize(size, 0);
    let mut filled = 0;
    while let Some(room) = bytes.get_mut(filled..).filter(|room| !room.is_empty()) {
        match file.read(room) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(unreadable(error)),
        }
    }
    bytes.truncate(filled);
    if filled == size {
        // It grew, or it is of the kind that states no size.
        file.take(cap.saturating_add(1).saturating_sub(size as u64))
            .read_to_end(bytes)
            .map_err(unreadable)?;
    }
    if bytes.len() as u64 > cap { Err(too_large(path, cap)) } else { Ok(()) }
}

/// Reads a JSON file whole.
///
/// # Errors
/// As [`read_bytes`], and `BAD_JSON` with the byte.
pub fn read_json(path: &Path, limits: &Limits) -> Result<Value, Problem> {
    parse_json(&read_bytes(path, limits)?, path, limits)
}

/// Parses a file's bytes; a failure names the file and the byte.
pub(super) fn parse_json(bytes: &[u8], path: &Path, limits: &Limits) -> Result<Value, Problem> {
    json::parse_within(bytes, limits.max_values()).map_err(|error| {
        let place = Place { position: Some(format!("byte {}", error.offset)), ..Place::default() };
        let code = if error.too_large { Code::TooLarge } else { Code::BadJson };
        Problem::new(code, path, error.message).at(place)
    })
}

pub(super) fn too_large(path: &Path, cap: u64) -> Problem {
    Problem::new(Code::TooLarge, path, format!("larger than the cap of {cap} bytes"))
}

/// The SHA-256 of bytes, in lower-case hexadecimal.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a file whole or not at all: a temporary file in the same directory, synced, then renamed.
///
/// # Errors
/// Any error of the file system; the file at `path` is then as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_together(&[(path, bytes)])
}

/// Writes files that belong together: none is put in its place before all are written and synced.
///
/// # Errors
/// Any error of the file system. Whatever stands in the way of writing leaves all files as they were; only
/// a rename that fails after another has succeeded can part them.
pub fn write_together(files: &[(&Path, &[u8])]) -> io::Result<()> {
    let mut staged = Vec::with_capacity(files.len());
    for (path, bytes) in files {
        if path.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "a directory is in its place"));
        }
        let directory = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let mut file = temporary().tempfile_in(directory)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        staged.push((file, path));
    }
    for (file, path) in staged {
        file.persist(path)?;
    }
    Ok(())
}

/// Temporary files are private by default; what is renamed into place is to be as open as any new file.
fn temporary() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_written_file_is_as_open_as_any_other() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().expect("a directory");
        let mode = |path: &Path| fs::metadata(path).expect("metadata").permissions().mode();
        fs::write(dir.path().join("a"), "").expect("writes");
        write_whole(&dir.path().join("b"), b"").expect("writes");
        assert_eq!(mode(&dir.path().join("a")), mode(&dir.path().join("b")));
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.txt");
        write_whole(&path, b"one").expect("writes");
        write_whole(&path, b"two").expect("writes");
        assert_eq!(fs::read(&path).expect("reads"), b"two");
        assert_eq!(fs::read_dir(dir.path()).expect("lists").count(), 1);
        assert!(write_whole(&dir.path().join("no/a.txt"), b"x").is_err());
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let dir = tempfile::tempdir().expect("a directory");
        let code = |path: &Path, cap| {
            read_bytes(path, &Limits { max_inflated: cap })
                .map_or_else(|problem| problem.code.as_str(), |_| "")
        };
        assert_eq!(code(dir.path(), 9), "UNREADABLE");
        assert_eq!(code(&dir.path().join("absent"), 9), "UNREADABLE");
        let path = dir.path().join("a");
        write_whole(&path, b"123456").expect("writes");
        assert_eq!(code(&path, 6), "");
        assert_eq!(code(&path, 5), "TOO_LARGE");
    }

    #[test]
    fn the_digest_is_sha256() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
