//! One run opened: all that the Run screen shows.

use std::path::PathBuf;
use std::sync::Arc;

use super::batch::settings;
use super::label::{self, Read};
use super::{RunEntry, Study};
use crate::archive::{Batch, Catalog, Limits, RunFiles};
use crate::damage::Evidence;
use crate::model::{Address, Problem, RunRecord, Task, Verdict};

/// One run with everything that could be read of it. What could not is `None`, with a problem that says
/// why.
#[derive(Clone, Debug)]
pub struct RunView {
    /// The entry it was opened from.
    pub entry: RunEntry,
    /// The address that opens it again.
    pub address: Address,
    /// Its task.
    pub task: Option<Arc<Task>>,
    /// Its results file.
    pub record: Option<RunRecord>,
    /// The verdict with its evidence, recomputed from the dumps.
    pub evidence: Option<Evidence>,
    /// The recorded verdict, where the archive has one.
    pub recorded: Option<Arc<Verdict>>,
    /// Where all this is from.
    pub provenance: Provenance,
    /// What went wrong.
    pub problems: Vec<Problem>,
}

/// Where a run comes from: files with their hashes, batch, settings.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// The files read.
    pub files: Vec<FileRead>,
    /// Batch id, model name in full, settings, times: label and value.
    pub facts: Vec<(String, String)>,
}

/// One file of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRead {
    /// What it is: `results`, `post-seed dump`, `final dump`, `verdicts`.
    pub role: &'static str,
    /// Where it lies.
    pub path: PathBuf,
    /// Its sha256 in hex, where it was read whole.
    pub sha256: Option<String>,
}

impl RunView {
    /// The verdict shown: the recomputed one if there is one, else the recorded one.
    #[must_use]
    pub fn verdict(&self) -> Option<&Verdict> {
        self.evidence.as_ref().map(|evidence| &evidence.verdict).or(self.recorded.as_deref())
    }
}

/// Opens a run; `files` is `None` for a run known from a verdicts file only.
pub(super) fn open(
    catalog: &Catalog,
    study: &Study,
    entry: &RunEntry,
    batch: &Batch,
    files: Option<&RunFiles>,
    limits: &Limits,
) -> RunView {
    let name_of = |index: usize| study.models.get(index).map(|model| model.name.clone()).unwrap_or_default();
    let task_row = study.tasks.get(entry.task);
    let address = Address {
        archive: batch.root.display().to_string(),
        model: name_of(entry.model),
        task: task_row.map(|task| task.id.clone()).unwrap_or_default(),
        run: entry.name.to_string(),
    };
    let task = task_row.and_then(|row| catalog.task(batch, &row.id).cloned());
    let read = files.map(|files| label::read(catalog, batch, files, limits)).unwrap_or_default();
    let (evidence, mut problems) = match files {
        Some(files) => label::judge(batch, files, &read),
        None => (None, Vec::new()),
    };
    let recorded = match files {
        Some(files) => label::recorded(batch, files).cloned(),
        None => entry.verdict().cloned(),
    };
    if let Some(files) = files {
        problems.extend(label::missing(batch, files));
    }
    let provenance =
        Provenance { files: file_list(batch, files, &read), facts: facts(study, entry, batch, &read) };
    RunView {
        entry: entry.clone(),
        address,
        task,
        record: read.record,
        evidence,
        recorded,
        provenance,
        problems,
    }
}

fn file_list(batch: &Batch, files: Option<&RunFiles>, read: &Read) -> Vec<FileRead> {
    let mut list = Vec::new();
    if let Some(files) = files {
        let dumps = [
            ("results", &files.results, read.record_sha256.clone()),
            ("post-seed dump", &files.post_seed, read.post_seed.as_ref().map(|dump| dump.sha256.clone())),
            ("final dump", &files.final_state, read.final_state.as_ref().map(|dump| dump.sha256.clone())),
        ];
        for (role, path, sha256) in dumps {
            if let Some(path) = path {
                list.push(FileRead { role, path: path.clone(), sha256 });
            }
        }
    }
    if let Some(recorded) = &batch.recorded {
        list.push(FileRead { role: "verdicts", path: recorded.path.clone(), sha256: None });
    }
    list
}

fn facts(study: &Study, entry: &RunEntry, batch: &Batch, read: &Read) -> Vec<(String, String)> {
    let mut facts = vec![("batch".to_owned(), batch.id.clone())];
    if let Some(model) = study.models.get(entry.model) {
        facts.push(("model".into(), model.full_name.clone()));
    }
    facts.extend(settings(batch));
    if let Some(record) = &read.record {
        if let Some(started) = &record.started_at {
            facts.push(("started".into(), started.display().into_owned()));
        }
        if let Some(millis) = record.execution_time_ms {
            facts.push(("took".into(), format!("{:.1} s", millis / 1000.0)));
        }
        if let Some(tokens) = record.tokens {
            facts.push(("tokens".into(), tokens.to_string()));
        }
    }
    for (label, dump) in [("post-seed database", &read.post_seed), ("final database", &read.final_state)] {
        if let Some(id) = dump.as_ref().and_then(|dump| dump.state.database_id.as_ref()) {
            facts.push((label.into(), id.display().into_owned()));
        }
    }
    facts
}
