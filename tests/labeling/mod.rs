//! What the labeler's tests share: inputs from JSON text, one call to judge them.

#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(clippy::print_stdout, reason = "a skipped test says why")]

pub mod port;
pub mod random;

use std::path::{Path, PathBuf};

use gainsay::archive::{dump, json, registry, results, tasks};
use gainsay::damage::{Finding, Inputs, Judged, diff, judge};
use gainsay::model::{Registry, RunRecord, State, Task, Text, Value};

/// Everything a run is judged by, owned.
pub struct Case {
    pub task: Task,
    pub registry: Registry,
    pub post_seed: State,
    pub final_state: State,
    pub record: RunRecord,
}

impl Case {
    pub fn judge(&self) -> Result<Judged, Vec<Finding>> {
        self.judge_as("run_1")
    }

    pub fn judge_as(&self, run: &str) -> Result<Judged, Vec<Finding>> {
        let diff = diff(&self.post_seed, &self.final_state, &self.registry)?;
        let inputs = Inputs {
            task: &self.task,
            registry: &self.registry,
            states: &[&self.post_seed, &self.final_state],
            record: &self.record,
            run,
        };
        Ok(judge(&inputs, diff))
    }
}

/// The material beside the repository, if it is there; says so if not.
pub fn shared(part: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(part);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is not there", path.display());
    None
}

pub fn parse(text: &str) -> Value {
    json::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

pub fn object<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Object(entries.into_iter().map(|(name, value)| (Text::from(name), value)).collect())
}

/// A state from `{table: [rows]}`.
pub fn state(tables: &Value) -> State {
    let value = object([("tables", tables.clone())]);
    dump::state_from_value(value, Path::new("dump")).expect("a dump")
}

/// A task from its directory name and its `damage.json`.
pub fn task(id: &str, spec: &Value) -> Task {
    Task {
        id: id.into(),
        spec: tasks::spec_from_value(spec, Path::new("damage.json")).expect("a spec"),
        system_prompt: None,
        user_prompt: None,
        definition: Value::Null,
    }
}

/// A registry from `{table: key}`, `{table: [columns]}` and `[{name, tag}]`.
pub fn registry(keys: &Value, volatile: &Value, tags: &Value) -> Registry {
    let path = Path::new("registry");
    let wrapped = |name, value: &Value| object([(name, value.clone())]);
    Registry {
        domain: "port".into(),
        primary_keys: registry::primary_keys(&wrapped("primary_keys", keys), path).expect("keys"),
        volatile_columns: registry::volatile_columns(&wrapped("volatile_columns", volatile), path)
            .expect("volatile columns"),
        tool_tags: registry::tool_tags(&wrapped("tags", tags), path).expect("tags"),
    }
}

pub fn record(results: &Value) -> RunRecord {
    results::from_value(results, Path::new("results.json")).expect("results")
}
