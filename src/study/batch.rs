//! What the study asks of a batch, whether it is a directory of runs or a verdict file.

use std::collections::BTreeSet;

use crate::archive::Batch;

/// Tasks that occur in a batch: those on disk, on record, or planned by the manifest.
pub(super) fn task_names(batch: &Batch) -> BTreeSet<String> {
    let on_disk = batch.runs.iter().map(|files| files.task.clone());
    let recorded = batch.recorded.iter().flat_map(|recorded| &recorded.task_ids);
    let planned = batch.manifest.iter().flat_map(|manifest| manifest.runs.keys());
    on_disk
        .chain(recorded.map(|id| id.display().into_owned()))
        .chain(planned.map(|(task, _)| task.clone()))
        .collect()
}

/// Runs a task was planned with; `None` if nothing states it.
pub(super) fn planned_runs(batch: &Batch, task: &str) -> Option<u32> {
    batch.k_by_task.get(task).copied().or(batch.k)
}

/// Settings such as temperature, for people.
pub(super) fn settings(batch: &Batch) -> Vec<(String, String)> {
    batch.manifest.as_ref().map(|manifest| manifest.settings()).unwrap_or_default()
}
