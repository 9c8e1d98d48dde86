//! `manifest.json` of a batch, and the sidecar of a released verdict file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::files::{Limits, read_json};
use super::shape::{list, member, object, optional_string, optional_u32, wrong_type};
use crate::model::{Object, Place, Problem, Value, python};

/// What is on record of how a batch was made. Each part may be absent.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// The file it was read from.
    pub path: PathBuf,
    /// `batch_id`.
    pub batch_id: Option<String>,
    /// `llm_config.llm_model`; in a sidecar `model`.
    pub model: Option<String>,
    /// `k`: runs per task.
    pub k: Option<u32>,
    /// `k_by_task`, where tasks differ.
    pub k_by_task: BTreeMap<String, u32>,
    /// `sampling_params`, else what `llm_config` says beyond the endpoint.
    pub sampling: Object,
    /// `started_at`; in a sidecar `run_window_utc.first_started`.
    pub started_at: Option<String>,
    /// `finished_at`; in a sidecar `run_window_utc.last_finished`.
    pub finished_at: Option<String>,
    /// `synthetic`: the notice that this batch is made up. This project's own extension.
    pub synthetic: Option<String>,
    /// `tasks.<task>.runs[]` by task and run name.
    pub runs: BTreeMap<(String, String), ManifestRun>,
}

/// One run in a manifest.
#[derive(Clone, Debug, Default)]
pub struct ManifestRun {
    /// `artifacts.results_json`, relative to the batch, as written.
    pub results: Option<String>,
    /// `artifacts.post_seed_state`.
    pub post_seed: Option<String>,
    /// `artifacts.final_state`.
    pub final_state: Option<String>,
    /// `status`.
    pub status: Option<String>,
    /// `token_usage`.
    pub token_usage: Option<u64>,
    /// `database_id`.
    pub database_id: Option<String>,
}

/// What a sidecar claims of its verdict file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// `sha256` of the file's bytes.
    pub sha256: Option<String>,
    /// `rows`: how many lines.
    pub rows: Option<u64>,
}

impl Manifest {
    /// Sampling parameters for people, such as `("temperature", "0.6")`.
    #[must_use]
    pub fn settings(&self) -> Vec<(String, String)> {
        self.sampling
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name.display().into_owned(), python::str(value)))
            .collect()
    }
}

/// Reads a batch's `manifest.json`. Parts of the wrong type are problems and count as absent.
#[must_use]
pub fn read(path: &Path) -> (Option<Manifest>, Vec<Problem>) {
    let mut problems = Vec::new();
    let Some(value) = top(path, &mut problems) else { return (None, problems) };
    let manifest = value.as_object().map(|top| {
        let config = member(top, "llm_config");
        let mut manifest = common(top, path, &mut problems);
        manifest.batch_id = optional_string(top, "batch_id");
        manifest.model = config.as_object().and_then(|config| optional_string(config, "llm_model"));
        manifest.k = optional_u32(top, "k");
        if manifest.k.is_none() && !member(top, "k").is_null() {
            problems.push(wrong_type(path, "`k`", "a count of runs", member(top, "k")));
        }
        if manifest.sampling.is_empty() {
            // Endpoint, provider and key begin so; the rest is about sampling.
            let beyond = |name: &[u8]| !name.starts_with(b"llm_");
            let config = config.as_object().cloned().unwrap_or_default().into_iter();
            manifest.sampling = config.filter(|(name, _)| beyond(name.as_bytes())).collect();
        }
        manifest.runs = runs(top, path, &mut problems);
        manifest
    });
    (manifest, problems)
}

/// Reads the sidecar of a released verdict file.
#[must_use]
pub fn read_sidecar(path: &Path) -> (Option<(Manifest, Claim)>, Vec<Problem>) {
    let mut problems = Vec::new();
    let Some(value) = top(path, &mut problems) else { return (None, problems) };
    let sidecar = value.as_object().map(|top| {
        let mut manifest = common(top, path, &mut problems);
        manifest.model = optional_string(top, "model");
        if let Value::Object(window) = member(top, "run_window_utc") {
            manifest.started_at = manifest.started_at.or_else(|| optional_string(window, "first_started"));
            manifest.finished_at = manifest.finished_at.or_else(|| optional_string(window, "last_finished"));
        }
        let claim = Claim {
            sha256: optional_string(top, "sha256"),
            rows: top.get("rows").and_then(Value::as_i64).and_then(|rows| u64::try_from(rows).ok()),
        };
        (manifest, claim)
    });
    (sidecar, problems)
}

fn top(path: &Path, problems: &mut Vec<Problem>) -> Option<Value> {
    let read = read_json(path, &Limits::default());
    let read = read.and_then(|value| object(&value, path, "a manifest").map(|_| ()).map(|()| value));
    read.map_err(|problem| problems.push(problem)).ok()
}

/// What manifests and sidecars have in common.
fn common(top: &Object, path: &Path, problems: &mut Vec<Problem>) -> Manifest {
    let mut object_at = |name: &str| match member(top, name) {
        Value::Null => Object::default(),
        Value::Object(object) => object.clone(),
        other => {
            problems.push(wrong_type(path, &format!("`{name}`"), "an object", other));
            Object::default()
        }
    };
    let sampling = object_at("sampling_params");
    let planned = object_at("k_by_task");
    let mut k_by_task = BTreeMap::new();
    for (task, k) in planned.iter() {
        let task = task.display().into_owned();
        match k.as_i64().and_then(|k| u32::try_from(k).ok()) {
            Some(k) => _ = k_by_task.insert(task, k),
            None if k.is_null() => {}
            None => {
                let problem = wrong_type(path, "`k_by_task`", "a count of runs", k);
                problems.push(problem.at(Place { task: Some(task), ..Place::default() }));
            }
        }
    }
    Manifest {
        path: path.to_owned(),
        k_by_task,
        sampling,
        started_at: optional_string(top, "started_at"),
        finished_at: optional_string(top, "finished_at"),
        synthetic: optional_string(top, "synthetic"),
        ..Manifest::default()
    }
}

fn runs(top: &Object, path: &Path, problems: &mut Vec<Problem>) -> BTreeMap<(String, String), ManifestRun> {
    let mut runs = BTreeMap::new();
    let tasks = match member(top, "tasks") {
        Value::Null => return runs,
        tasks => match object(tasks, path, "`tasks`") {
            Ok(tasks) => tasks,
            Err(problem) => {
                problems.push(problem);
                return runs;
            }
        },
    };
    for (task, entry) in tasks.iter() {
        let task = task.display().into_owned();
        let place = || Place { task: Some(task.clone()), ..Place::default() };
        let entries = object(entry, path, "a task").and_then(|entry| list(entry, "runs", path));
        for entry in entries.unwrap_or_else(|problem| {
            problems.push(problem.at(place()));
            &[]
        }) {
            match run(entry, path) {
                Ok((name, run)) => {
                    runs.insert((task.clone(), name), run);
                }
                Err(problem) => problems.push(problem.at(place())),
            }
        }
    }
    runs
}

fn run(entry: &Value, path: &Path) -> Result<(String, ManifestRun), Problem> {
    let entry = object(entry, path, "a run")?;
    let name = super::shape::text(entry, "run", path)?;
    let none = Object::default();
    let artifacts = match member(entry, "artifacts") {
        Value::Null => &none,
        artifacts => object(artifacts, path, "`artifacts`")?,
    };
    let artifact = |name: &str| match member(artifacts, name) {
        Value::Null => Ok(None),
        Value::Text(text) => Ok(Some(text.display().into_owned())),
        other => Err(wrong_type(path, &format!("`artifacts.{name}`"), "a path", other)),
    };
    let run = ManifestRun {
        results: artifact("results_json")?,
        post_seed: artifact("post_seed_state")?,
        final_state: artifact("final_state")?,
        status: optional_string(entry, "status"),
        token_usage: entry.get("token_usage").and_then(Value::as_i64).and_then(|sum| u64::try_from(sum).ok()),
        database_id: optional_string(entry, "database_id"),
    };
    Ok((name.display().into_owned(), run))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn read_text(text: &str) -> (Option<Manifest>, Vec<String>) {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("manifest.json");
        fs::write(&path, text).expect("writes");
        let (manifest, problems) = read(&path);
        (
            manifest,
            problems.iter().map(|problem| format!("{} {}", problem.code.as_str(), problem.detail)).collect(),
        )
    }

    #[test]
    fn a_manifest_is_read() {
        let (manifest, problems) = read_text(
            r#"{"batch_id": "b1", "k": 4, "llm_config": {"llm_model": "harbour/pilot-1", "llm_api_key": "x",
                "temperature": 0.6, "max_tokens": 4096}, "started_at": "2031-01-01", "synthetic": "made up",
                "tasks": {"move": {"runs": [{"run": "run_1", "status": "success", "token_usage": 12,
                "artifacts": {"results_json": "move/run_1/r.json"}}]}}}"#,
        );
        let manifest = manifest.expect("a manifest");
        assert!(problems.is_empty());
        assert_eq!((manifest.batch_id.as_deref(), manifest.k), (Some("b1"), Some(4)));
        assert_eq!(manifest.model.as_deref(), Some("harbour/pilot-1"));
        assert_eq!(manifest.synthetic.as_deref(), Some("made up"));
        let settings = manifest.settings();
        assert_eq!(settings, [("temperature".into(), "0.6".into()), ("max_tokens".into(), "4096".into())]);
        let run = &manifest.runs[&("move".into(), "run_1".into())];
        assert_eq!((run.token_usage, run.results.as_deref()), (Some(12), Some("move/run_1/r.json")));
        assert_eq!(run.post_seed, None);
    }

    #[test]
    fn parts_of_the_wrong_type_are_named_and_the_rest_is_kept() {
        let (manifest, problems) = read_text(
            r#"{"k": "4", "k_by_task": {"a": "4", "b": 2, "c": null}, "sampling_params": 7, "llm_config": [], "batch_id": 3, "tasks": {"a": null,
                "b": {"runs": {}}, "c": {"runs": [7, {}, {"run": "run_1", "artifacts": []},
                {"run": "run_2", "artifacts": {"final_state": 1}}, {"run": "run_3"}]}}}"#,
        );
        let manifest = manifest.expect("a manifest");
        assert_eq!((manifest.runs.len(), manifest.k_by_task.get("b")), (1, Some(&2)));
        assert_eq!(
            problems,
            [
                "WRONG_TYPE `sampling_params` is not an object but number",
                "WRONG_TYPE `k_by_task` is not a count of runs but string",
                "WRONG_TYPE `k` is not a count of runs but string",
                "WRONG_TYPE a task is not an object but null",
                "WRONG_TYPE `runs` is not an array but object",
                "WRONG_TYPE a run is not an object but number",
                "WRONG_TYPE `run` is not a string but null",
                "WRONG_TYPE `artifacts` is not an object but array",
                "WRONG_TYPE `artifacts.final_state` is not a path but number",
            ]
        );
        assert!(read_text("[]").0.is_none());
        assert_eq!(read_text(r#"{"tasks": null}"#).1, [""; 0]);
        assert_eq!(read_text(r#"{"tasks": 7}"#).1, ["WRONG_TYPE `tasks` is not an object but number"]);
        assert_eq!(read_text("{").1, ["BAD_JSON expected a name in quotes"]);
    }
}
