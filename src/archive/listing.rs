//! Directory listings, sorted, in names people can type.

use std::fs;
use std::path::{Path, PathBuf};

use crate::model::{Code, Problem};

/// One entry of a directory.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Its name.
    pub(super) name: String,
    /// Where it lies.
    pub(super) path: PathBuf,
    /// A directory, also through a link.
    pub(super) is_dir: bool,
    /// Reached through a symbolic link.
    pub(super) is_link: bool,
}

/// The entries of a directory by name, and what could not be listed. A name that is not UTF-8 is a problem:
/// no address could name it.
pub(super) fn entries(dir: &Path) -> (Vec<Entry>, Vec<Problem>) {
    let unreadable = |path: &Path, detail: String| Problem::new(Code::Unreadable, path, detail);
    let listing = match fs::read_dir(dir) {
        Ok(listing) => listing,
        Err(error) => return (Vec::new(), vec![unreadable(dir, error.to_string())]),
    };
    let (mut entries, mut problems) = (Vec::new(), Vec::new());
    for entry in listing {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                problems.push(unreadable(dir, error.to_string()));
                continue;
            }
        };
        let path = entry.path();
        let Ok(name) = entry.file_name().into_string() else {
            problems.push(unreadable(&path, "its name is not UTF-8, so no address can name it".into()));
            continue;
        };
        let kind = entry.file_type().ok();
        let is_link = kind.is_some_and(|kind| kind.is_symlink());
        let is_dir = kind.is_some_and(|kind| kind.is_dir()) || (is_link && path.is_dir());
        entries.push(Entry { name, path, is_dir, is_link });
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    (entries, problems)
}

/// The directories in a directory, by name; none where it cannot be listed.
pub(super) fn directories(dir: &Path) -> Vec<Entry> {
    entries(dir).0.into_iter().filter(|entry| entry.is_dir).collect()
}

/// All files below a directory, in order of their paths. Linked directories are not entered, so there is no
/// way round in circles.
pub(super) fn files_below(dir: &Path) -> Vec<Entry> {
    let (mut files, mut waiting) = (Vec::new(), vec![dir.to_path_buf()]);
    while let Some(dir) = waiting.pop() {
        for entry in entries(&dir).0 {
            if !entry.is_dir {
                files.push(entry);
            } else if !entry.is_link {
                waiting.push(entry.path);
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}
