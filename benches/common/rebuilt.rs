//! The archives rebuilt from released verdicts, where they are.

use std::path::{Path, PathBuf};

use gainsay::study::Options;

use crate::places::{children, target};

/// The archives, and where their tasks and registries are.
pub struct Released {
    pub archives: Vec<PathBuf>,
    shared: PathBuf,
}

impl Released {
    /// The archives that `tests/merged_archives.rs` makes.
    pub fn find() -> Option<Self> {
        let made = target().join("archives");
        let archives: Vec<PathBuf> =
            children(&made).into_iter().filter(|archive| archive.join("generation.json").is_file()).collect();
        let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/agentrelbench");
        let found = !archives.is_empty() && shared.is_dir();
        if !found {
            println!("  skipped: no archives in {}; see tests/merged_archives.rs", made.display());
        }
        found.then_some(Self { archives, shared })
    }

    pub fn tasks(&self) -> PathBuf {
        self.shared.join("tasks")
    }

    /// How they are opened.
    pub fn options(&self) -> Options {
        Options { tasks: Some(self.tasks()), registry: Some(self.shared.join("data")), ..Options::default() }
    }
}
