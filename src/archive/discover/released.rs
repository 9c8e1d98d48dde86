//! A released verdict file with its sidecar: verdicts without runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::artifacts::Bounds;
use super::{Batch, BatchKind, ModelSource, Recorded};
use crate::archive::manifest::{self, Claim, Manifest};
use crate::archive::verdicts::VerdictFile;
use crate::model::{Code, Problem};

/// True for the names released verdict files have in a folder.
pub(super) fn is_released_name(name: &str) -> bool {
    name == "verdicts.jsonl" || name.ends_with(".verdicts.jsonl")
}

/// The sidecar beside `x.jsonl`: `x.manifest.json`.
fn sidecar_path(file: &Path) -> PathBuf {
    file.with_extension("manifest.json")
}

/// The batch that a verdict file is.
pub(super) fn batch(file: &Path, given: &Path, content: VerdictFile, problems: &mut Vec<Problem>) -> Batch {
    let id = id(file);
    let mut found = Vec::new();
    let folder = file.parent().unwrap_or(Path::new(""));
    let manifest = read_manifest(file, &Bounds::of(folder, given), &content, &mut found);
    found.extend(content.problems);
    let (model_full, model_from) = match manifest.as_ref().and_then(|manifest| manifest.model.clone()) {
        Some(model) => (model, ModelSource::Manifest),
        None => (id.clone(), ModelSource::BatchName),
    };
    problems.extend(found.into_iter().map(|mut problem| {
        problem.place.batch = Some(id.clone());
        problem
    }));
    Batch {
        id,
        path: file.to_owned(),
        root: given.to_owned(),
        model_full,
        model_from,
        kind: BatchKind::VerdictsOnly,
        runs: Vec::new(),
        recorded: Some(Recorded::new(file.to_owned(), content.rows)),
        k: manifest.as_ref().and_then(|manifest| manifest.k),
        k_by_task: manifest.as_ref().map(|manifest| manifest.k_by_task.clone()).unwrap_or_default(),
        manifest,
        context: 0,
    }
}

/// The file's own name, or its folder's if it has none of its own.
fn id(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(".jsonl").unwrap_or(&name);
    let stem = stem.strip_suffix(".verdicts").unwrap_or(stem);
    // A bare `verdicts.jsonl` may be named from within its folder.
    let real = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let folder = real.parent().and_then(Path::file_name).map(|folder| folder.to_string_lossy().into_owned());
    match folder {
        Some(folder) if stem == "verdicts" => folder,
        _ => stem.to_owned(),
    }
}

/// The sidecar, checked against the file; else the manifest of the batch the file belongs to.
fn read_manifest(
    file: &Path,
    bounds: &Bounds,
    content: &VerdictFile,
    problems: &mut Vec<Problem>,
) -> Option<Manifest> {
    let sidecar = sidecar_path(file);
    if sidecar.symlink_metadata().is_ok() {
        bounds.own(sidecar.file_name()?, problems)?;
        let (read, bad) = manifest::read_sidecar(&sidecar);
        problems.extend(bad);
        let (manifest, claim) = read?;
        check(file, content, &claim, problems);
        return Some(manifest);
    }
    let batch = file.with_file_name("manifest.json");
    if batch.symlink_metadata().is_ok() && file.file_name().is_some_and(|name| name == "verdicts.jsonl") {
        bounds.own(batch.file_name()?, problems)?;
        let (manifest, bad) = manifest::read(&batch);
        problems.extend(bad);
        return manifest;
    }
    let detail = "no manifest beside the verdicts: the model is named after the file";
    problems.push(Problem::new(Code::NoManifest, sidecar, detail));
    None
}

fn check(file: &Path, content: &VerdictFile, claim: &Claim, problems: &mut Vec<Problem>) {
    let digest = &content.sha256;
    if let Some(claimed) = claim.sha256.as_ref().filter(|claimed| !claimed.eq_ignore_ascii_case(digest)) {
        let detail = format!("its sha256 is {digest}, its sidecar says {claimed}");
        problems.push(Problem::new(Code::Checksum, file, detail));
    }
    let rows = content.lines as u64;
    if let Some(claimed) = claim.rows.filter(|claimed| *claimed != rows) {
        let detail = format!("it has {rows} rows, its sidecar says {claimed}");
        problems.push(Problem::new(Code::Checksum, file, detail));
    }
}

/// The task ids that a file's rows are about.
pub(super) fn task_ids(recorded: &Recorded) -> BTreeSet<String> {
    recorded.task_ids.iter().map(|id| id.display().into_owned()).collect()
}
