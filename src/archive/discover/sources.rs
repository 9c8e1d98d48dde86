//! What lies at a path: batches of runs, verdict files.

use std::path::{Path, PathBuf};

use super::artifacts::Bounds;
use super::released::is_released_name;
use super::runs::{holds_runs, may_be_task};
use crate::archive::listing::{Entry, entries};
use crate::model::{Code, Level, Problem};

/// One thing that becomes a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// a directory of run directories
    Runs(PathBuf),
    /// a file of verdict rows
    Verdicts(PathBuf),
}

impl Source {
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Runs(path) | Self::Verdicts(path) => path,
        }
    }

    /// False, with a problem, for a verdict file that was found below `given` and leaves it by a link. What
    /// the user names is followed.
    pub(super) fn is_inside(&self, given: &Path, problems: &mut Vec<Problem>) -> bool {
        match (self, self.path().parent(), self.path().file_name()) {
            (Self::Verdicts(file), Some(folder), Some(name)) if file != given => {
                Bounds::of(folder, given).own(name, problems).is_some()
            }
            _ => true,
        }
    }
}

/// Everything at a path given by the user.
pub(super) fn at(path: &Path, problems: &mut Vec<Problem>) -> Vec<Source> {
    let nothing = |detail: &str| Problem::new(Code::NothingHere, path, detail);
    if !path.is_dir() {
        if path.extension().is_some_and(|extension| extension == "jsonl") && path.exists() {
            return vec![Source::Verdicts(path.to_owned())];
        }
        let detail =
            if path.exists() { "neither a directory nor a .jsonl file" } else { "there is no such path" };
        problems.push(nothing(detail));
        return Vec::new();
    }
    let (listing, bad) = entries(path);
    problems.extend(bad);
    let mut found = batch(path, &listing);
    if found.is_empty() {
        let runs = listing.iter().find(|entry| entry.name == "runs" && entry.is_dir);
        let children = match runs {
            Some(runs) => {
                let (children, bad) = entries(&runs.path);
                problems.extend(bad);
                children
            }
            None => listing,
        };
        let in_runs = runs_folder(path) || path.join("runs").is_dir();
        for child in children.iter().filter(|child| may_be_task(child)) {
            let (listing, bad) = entries(&child.path);
            let sources = batch(&child.path, &listing);
            if sources.is_empty() && in_runs {
                problems.extend(bad);
                let detail = "neither run directories nor verdicts in this folder";
                let problem = Problem::new(Code::NothingHere, &child.path, detail);
                problems.push(Problem { level: Level::Warning, ..problem });
            }
            found.extend(sources);
        }
    }
    if found.is_empty() {
        problems.push(nothing("no batch, runs folder or verdict file in this directory"));
    }
    found
}

fn runs_folder(path: &Path) -> bool {
    path.canonicalize().is_ok_and(|path| path.ends_with("runs"))
}

/// A directory as one batch of runs, or as released verdict files; empty if it is neither.
fn batch(dir: &Path, listing: &[Entry]) -> Vec<Source> {
    let holds =
        |name: &str, is_dir: bool| listing.iter().any(|entry| entry.name == name && entry.is_dir == is_dir);
    // Verdict files at an archive's root are somebody's notes on the archive, not part of it.
    if ["runs", "tasks", "data"].iter().any(|name| holds(name, true)) && !holds_runs(dir) {
        return Vec::new();
    }
    let verdicts: Vec<Source> = listing
        .iter()
        .filter(|entry| !entry.is_dir && is_released_name(&entry.name))
        .map(|entry| Source::Verdicts(entry.path.clone()))
        .collect();
    if holds_runs(dir) || (verdicts.is_empty() && holds("manifest.json", false)) {
        return vec![Source::Runs(dir.to_owned())];
    }
    verdicts
}
