//! Which campaign file holds for the paths opened.

use std::path::{Path, PathBuf};

use crate::model::{Code, Problem};

/// The file given, else the one `campaign.toml` at the root of the archives opened. Of several none is
/// taken: which one is meant must be said.
pub(in crate::study) fn locate(given: Option<&Path>, paths: &[PathBuf]) -> Result<Option<PathBuf>, Problem> {
    if let Some(given) = given {
        return Ok(Some(given.to_owned()));
    }
    let mut found: Vec<PathBuf> = paths.iter().filter_map(|path| at_root(path)).collect();
    found.sort();
    found.dedup();
    match found.as_slice() {
        [] => Ok(None),
        [only] => Ok(Some(only.clone())),
        [first, ..] => Err(Problem::new(
            Code::BadCampaign,
            first,
            format!("{} archives have a campaign file; choose with --campaign", found.len()),
        )),
    }
}

/// A path is an archive's root, or its `runs` folder.
fn at_root(path: &Path) -> Option<PathBuf> {
    let real = path.canonicalize().ok()?;
    let root =
        if real.file_name().is_some_and(|name| name == "runs") { path.join("..") } else { path.to_owned() };
    let file = root.join("campaign.toml");
    // Whatever has this name: if it cannot be read, that is to be said.
    file.symlink_metadata().is_ok().then_some(file)
}
