//! Where things are: the folder for what is made up, and what is in a folder.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder that archives are made up in.
pub fn target() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target")
}

/// The entries of a folder by name; none if there is no such folder. Hidden ones and the runner's staging
/// are left out.
pub fn children(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let shown =
        |path: &PathBuf| path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with(['.', '_']));
    let mut paths: Vec<PathBuf> = entries.filter(shown).collect();
    paths.sort();
    paths
}
