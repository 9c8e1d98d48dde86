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
        let through_link = kind.is_some_and(|kind| kind.is_symlink()) && path.is_dir();
        let is_dir = through_link || kind.is_some_and(|kind| kind.is_dir());
        entries.push(Entry { name, path, is_dir });
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    (entries, problems)
}

/// The directories in a directory, by name; none where it cannot be listed.
pub(super) fn directories(dir: &Path) -> Vec<Entry> {
    entries(dir).0.into_iter().filter(|entry| entry.is_dir).collect()
}

/// How deep, and in how many directories, files are looked for. A folder of the name looked for may be
/// anybody's, and large.
const MAX_LEVELS: usize = 5;
const MAX_DIRECTORIES: usize = 2000;

/// The files below a directory, near ones first and then by path, within the limits above.
pub(super) fn files_below(dir: &Path) -> Vec<Entry> {
    let (mut files, mut level, mut left) = (Vec::new(), vec![dir.to_path_buf()], MAX_DIRECTORIES);
    for _ in 0..MAX_LEVELS {
        let mut deeper = Vec::new();
        for dir in level.iter().take(left) {
            let (directories, found): (Vec<_>, Vec<_>) =
                entries(dir).0.into_iter().partition(|entry| entry.is_dir);
            files.extend(found);
            deeper.extend(directories.into_iter().map(|entry| entry.path));
        }
        left = left.saturating_sub(level.len());
        level = deeper;
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn links_in_circles_end() {
        let root = tempfile::tempdir().expect("a directory");
        let deep = root.path().join("a/b");
        fs::create_dir_all(&deep).expect("a directory");
        fs::write(deep.join("x"), "").expect("writes");
        std::os::unix::fs::symlink(root.path(), deep.join("up")).expect("links");
        let found = files_below(root.path());
        assert_eq!(found.first().map(|entry| entry.path.clone()), Some(deep.join("x")));
        assert!(found.len() <= MAX_LEVELS);
    }
}
