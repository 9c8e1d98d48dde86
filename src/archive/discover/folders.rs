//! The folders whose entries decide what is found: what somebody watches who wants to know of more.

use std::path::{Path, PathBuf};

use super::Catalog;
use super::runs::may_be_task;
use crate::archive::listing::directories;

impl Catalog {
    /// The folders at `paths` that hold batches, tasks of batches, runs of tasks, and task specs. Those that
    /// hold nothing yet are among them: something may come. The runs' own are not.
    #[must_use]
    pub fn folders(&self, paths: &[PathBuf]) -> Vec<PathBuf> {
        let is_batch = |path: &Path| self.batches.iter().any(|batch| batch.path == path);
        let mut folders = Vec::new();
        for path in paths {
            folders.push(path.clone());
            if is_batch(path) {
                folders.extend(inside(path));
                continue;
            }
            let runs = path.join("runs");
            let of_batches = if runs.is_dir() { &runs } else { path };
            folders.push(runs.clone());
            for batch in inside(of_batches) {
                folders.extend(inside(&batch));
                folders.push(batch);
            }
        }
        for tasks in self.contexts.iter().filter_map(|context| context.tasks_dir.as_ref()) {
            for domain in inside(tasks) {
                folders.extend(inside(&domain));
                folders.push(domain);
            }
            folders.push(tasks.clone());
        }
        folders
    }
}

fn inside(dir: &Path) -> impl Iterator<Item = PathBuf> {
    directories(dir).into_iter().filter(may_be_task).map(|entry| entry.path)
}
