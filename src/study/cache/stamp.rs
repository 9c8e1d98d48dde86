//! When and how large a run's files are, so that unchanged ones need not be read.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::archive::{Kind, RunFiles, sqlite};

/// File systems tell times in steps: a file that changed less than this ago may change again without
/// another time.
pub(in crate::study) const STEP: Duration = Duration::from_millis(20);

/// One file at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::study) struct Stamp {
    pub(super) size: u64,
    /// Nanoseconds since 1970.
    pub(super) changed: i64,
}

impl Stamp {
    /// Of a regular file; `None` where there is none.
    pub(in crate::study) fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        metadata.is_file().then(|| Self::from(&metadata))
    }

    /// True if the file was not written to just before `moment`.
    fn is_settled(self, moment: SystemTime) -> bool {
        let now = moment.duration_since(UNIX_EPOCH).unwrap_or_default().saturating_sub(STEP);
        i128::from(self.changed) < i128::try_from(now.as_nanos()).unwrap_or(i128::MAX)
    }
}

impl From<&Metadata> for Stamp {
    fn from(metadata: &Metadata) -> Self {
        let since = |time: SystemTime| match time.duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |nanos| -nanos),
        };
        Self { size: metadata.len(), changed: metadata.modified().map_or(0, since) }
    }
}

/// The files a verdict is found from, in a fixed order. A file that may be there and is not has no stamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::study) struct Stamps(pub(super) Vec<Option<Stamp>>);

impl Stamps {
    pub(in crate::study) fn of(files: &[PathBuf]) -> Self {
        Self(files.iter().map(|path| Stamp::of(path)).collect())
    }

    /// True if no file was written to just before `moment`, so that the stamps will tell of any change.
    pub(in crate::study) fn are_settled(&self, moment: SystemTime) -> bool {
        self.0.iter().flatten().all(|stamp| stamp.is_settled(moment))
    }
}

/// What a run is judged by: results, dumps, and what SQLite may have put beside a dump. `None` if one of the
/// three is not there: such a run is not read.
pub(in crate::study) fn files_of(files: &RunFiles) -> Option<Vec<PathBuf>> {
    let dumps = [files.post_seed.as_ref()?, files.final_state.as_ref()?];
    let mut all = vec![files.results.clone()?];
    all.extend(dumps.into_iter().flat_map(|dump| dump_files(dump)));
    Some(all)
}

/// A dump, and what SQLite may have put beside it.
pub(in crate::study) fn dump_files(dump: &Path) -> Vec<PathBuf> {
    let mut all = vec![dump.to_owned()];
    if Kind::of(dump) == Some(Kind::Sqlite) {
        all.extend(sqlite::companions(dump));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_written_just_now_is_not_settled() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("a");
        fs::write(&path, "1").expect("writes");
        let stamp = Stamp::of(&path).expect("a file");
        let written = fs::metadata(&path).expect("metadata").modified().expect("a time");
        assert!(!stamp.is_settled(written));
        assert!(stamp.is_settled(written + STEP * 2));
        assert_eq!(Stamp::of(dir.path()), None);
    }
}
