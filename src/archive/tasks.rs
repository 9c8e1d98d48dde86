//! Task directories: `task.json` and `damage.json`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::files::{Limits, read_json};
use super::listing;
use crate::model::{Code, DamageSpec, Level, Problem, Task, Text, Value};

/// A damage spec from the JSON of `damage.json`; `path` is for problems.
///
/// # Errors
/// All that is wrong with it; see the named codes of [`Code`].
pub fn spec_from_value(value: &Value, path: &Path) -> Result<DamageSpec, Vec<Problem>> {
    super::spec::from_value(value, path)
}

/// Reads the task in `dir`; its id is the directory's name. The spec must be sound. `task.json` is for
/// people only, so what is wrong with it is a warning.
#[must_use]
pub fn read(dir: &Path) -> (Option<Task>, Vec<Problem>) {
    let limits = Limits::default();
    let path = dir.join("damage.json");
    if !path.exists() {
        return (None, vec![Problem::new(Code::MissingSpec, path, "the task has no damage.json")]);
    }
    let spec = read_json(&path, &limits)
        .map_err(|problem| vec![problem])
        .and_then(|value| super::spec::from_value(&value, &path));
    let spec = match spec {
        Ok(spec) => spec,
        Err(problems) => return (None, problems),
    };
    let (definition, problems) = definition(&dir.join("task.json"), &limits);
    let prompt = |name| definition.get(name).and_then(Value::as_text).cloned();
    let task = Task {
        id: Text::from(dir.file_name().unwrap_or_default().to_string_lossy().into_owned()),
        system_prompt: prompt("system_prompt"),
        user_prompt: prompt("user_prompt"),
        spec,
        definition,
    };
    (Some(task), problems)
}

fn definition(path: &Path, limits: &Limits) -> (Value, Vec<Problem>) {
    if !path.exists() {
        return (Value::Null, Vec::new());
    }
    match read_json(path, limits) {
        Ok(value) => (value, Vec::new()),
        Err(problem) => (Value::Null, vec![Problem { level: Level::Warning, ..problem }]),
    }
}

/// The task directories under `tasks/`: `<domain>/<task>/`, or `<task>/` directly. A directory is a task if
/// it holds a `damage.json` or a `task.json` and its name does not begin with `_`.
#[must_use]
pub fn list(tasks: &Path) -> BTreeMap<String, Vec<PathBuf>> {
    let mut found: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let mut visit = |dir: &listing::Entry| {
        let is_task = ["damage.json", "task.json"].iter().any(|name| dir.path.join(name).exists());
        if is_task {
            found.entry(dir.name.clone()).or_default().push(dir.path.clone());
        }
        is_task
    };
    for outer in task_like(tasks) {
        if !visit(&outer) {
            for inner in task_like(&outer.path) {
                visit(&inner);
            }
        }
    }
    found
}

/// What could not be listed of the task directories under `tasks/`.
pub(super) fn unlisted(tasks: &Path) -> Vec<Problem> {
    let inner = task_like(tasks).flat_map(|outer| listing::entries(&outer.path).1);
    listing::entries(tasks).1.into_iter().chain(inner).collect()
}

fn task_like(dir: &Path) -> impl Iterator<Item = listing::Entry> {
    listing::directories(dir).into_iter().filter(|entry| !entry.name.starts_with('_'))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn task(dir: &Path, files: &[(&str, &str)]) {
        fs::create_dir_all(dir).expect("a directory");
        for (name, text) in files {
            fs::write(dir.join(name), text).expect("writes");
        }
    }

    #[test]
    fn tasks_are_listed_by_directory_name() {
        let root = tempfile::tempdir().expect("a directory");
        for dir in ["port/move", "port/_draft", "_old/move", "flat", "port/empty", "dock/move"] {
            let files: &[_] = if dir == "port/empty" { &[] } else { &[("damage.json", "{}")] };
            task(&root.path().join(dir), files);
        }
        let found = list(root.path());
        assert_eq!(found.keys().collect::<Vec<_>>(), ["flat", "move"]);
        assert_eq!(found["move"], [root.path().join("dock/move"), root.path().join("port/move")]);
    }

    #[test]
    fn a_broken_definition_is_a_warning_and_a_broken_spec_an_error() {
        let root = tempfile::tempdir().expect("a directory");
        let dir = root.path().join("move");
        task(&dir, &[("damage.json", r#"{"domain": "port", "task_id": "port/other"}"#)]);
        let (read_task, problems) = read(&dir);
        assert_eq!(read_task.expect("a task").id, "move");
        assert!(problems.is_empty());
        task(&dir, &[("task.json", r#"{"user_prompt": "Move it."}"#)]);
        assert_eq!(read(&dir).0.expect("a task").user_prompt, Some("Move it.".into()));
        task(&dir, &[("task.json", "{")]);
        let (read_task, problems) = read(&dir);
        assert!(read_task.is_some());
        assert_eq!((problems[0].code, problems[0].level), (Code::BadJson, Level::Warning));
        task(&dir, &[("damage.json", "null")]);
        let (read_task, problems) = read(&dir);
        assert!(read_task.is_none());
        assert_eq!((problems[0].code, problems[0].level), (Code::WrongType, Level::Error));
        fs::remove_file(dir.join("damage.json")).expect("removes");
        assert_eq!(read(&dir).1[0].code, Code::MissingSpec);
    }
}
