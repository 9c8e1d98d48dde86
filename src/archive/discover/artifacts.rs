//! Paths inside an archive, and none that leave it.

use std::cell::RefCell;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use crate::model::{Code, Problem};

/// The directories a batch's files may lie in, links resolved.
#[derive(Debug)]
pub(super) struct Bounds {
    batch: PathBuf,
    inside: Vec<PathBuf>,
    /// The folder asked about last and those it lies in, and whether each lies inside: a run's files share one,
    /// the runs of a task the others.
    last: RefCell<Vec<(PathBuf, bool)>>,
}

impl Bounds {
    /// A batch's bounds: the batch, the path it was found by, and the archive if it lies in one's `runs/`.
    pub(super) fn of(batch: &Path, given: &Path) -> Self {
        let mut inside: Vec<PathBuf> =
            [batch, given].iter().filter_map(|path| path.canonicalize().ok()).collect();
        let runs = batch.canonicalize().ok().and_then(|batch| batch.parent().map(Path::to_path_buf));
        if let Some(runs) = runs.filter(|runs| runs.ends_with("runs")) {
            inside.extend(runs.parent().map(Path::to_path_buf));
        }
        Self { batch: batch.to_owned(), inside, last: RefCell::default() }
    }

    /// A file of the batch by its path relative to the batch; `None` if there is nothing at it.
    ///
    /// # Errors
    /// `UNSAFE_PATH` if it is absolute, holds `..`, or leaves the archive by a link; `UNREADABLE` if what is at
    /// it cannot be told.
    pub(super) fn file(&self, relative: &Path) -> Result<Option<PathBuf>, Problem> {
        let path = self.batch.join(relative);
        let refuse = |why: &str| {
            let detail = format!("the path `{}` {why}; what it names counts as missing", relative.display());
            Err(Problem::new(Code::UnsafePath, &path, detail))
        };
        let mut parts = relative.components();
        if parts.any(|part| !matches!(part, Component::Normal(_) | Component::CurDir)) {
            return refuse(if relative.is_absolute() { "is absolute" } else { "holds `..`" });
        }
        let is_link = path.symlink_metadata().map(|metadata| metadata.is_symlink());
        if is_link.is_ok_and(|is_link| !is_link) && path.parent().is_some_and(|folder| self.holds(folder)) {
            return Ok(Some(path));
        }
        match path.canonicalize() {
            Ok(real) if self.is_inside(&real) => Ok(Some(path)),
            Ok(_) => refuse("leaves the archive by a link"),
            Err(error) if is_absence(&error) && path.symlink_metadata().is_err() => Ok(None),
            // A link to nothing or to itself, a name no file can have, a folder that may not be entered.
            Err(error) => {
                let detail = format!("{error}; what it names counts as missing");
                Err(Problem::new(Code::Unreadable, path, detail))
            }
        }
    }

    /// As [`Self::file`], for a file that every batch has by this name: what is wrong is noted.
    pub(super) fn own(&self, name: impl AsRef<Path>, problems: &mut Vec<Problem>) -> Option<PathBuf> {
        self.file(name.as_ref()).unwrap_or_else(|problem| {
            problems.push(problem);
            None
        })
    }

    fn is_inside(&self, real: &Path) -> bool {
        self.inside.iter().any(|root| real.starts_with(root))
    }

    /// True if a folder of the batch lies inside, links resolved.
    fn holds(&self, folder: &Path) -> bool {
        let known = self.last.borrow().iter().find(|(known, _)| known == folder).map(|(_, inside)| *inside);
        known.unwrap_or_else(|| {
            let is_plain = folder.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
            let inside = match folder.parent() {
                // One that is no link lies where the folder around it does.
                Some(around) if is_plain && folder != self.batch => self.holds(around),
                _ => folder.canonicalize().is_ok_and(|real| self.is_inside(&real)),
            };
            let mut last = self.last.borrow_mut();
            last.retain(|(known, _)| folder.starts_with(known));
            last.push((folder.to_owned(), inside));
            inside
        })
    }
}

/// True if the error says no more than that there is nothing.
fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
