//! Paths inside an archive, and none that leave it.

use std::path::{Component, Path, PathBuf};

use crate::model::{Code, Problem};

/// The directories a batch's files may lie in, links resolved.
#[derive(Debug)]
pub(super) struct Bounds {
    batch: PathBuf,
    inside: Vec<PathBuf>,
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
        Self { batch: batch.to_owned(), inside }
    }

    /// A file of the batch by its path relative to the batch; `None` if there is nothing at it.
    ///
    /// # Errors
    /// `UNSAFE_PATH` if it is absolute, holds `..`, or leaves the archive by a link.
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
        match path.canonicalize() {
            Ok(real) if self.inside.iter().any(|root| real.starts_with(root)) => Ok(Some(path)),
            Ok(_) => refuse("leaves the archive by a link"),
            Err(_) => Ok(None),
        }
    }
}
