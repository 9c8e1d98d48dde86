//! A domain's registries: `primary-keys-`, `volatile-columns-` and `tool-tags-<domain>.json`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::files::{Limits, read_json};
use super::listing;
use super::shape::{list, member, object, text, texts, unknown_word, wrong_type};
use crate::model::{Code, Problem, Registry, Text, ToolTag, Value};

/// The registry files of all domains below a directory, by file name.
#[derive(Clone, Debug, Default)]
pub struct RegistryFiles {
    files: BTreeMap<String, Vec<PathBuf>>,
}

const KINDS: [&str; 3] = ["primary-keys-", "volatile-columns-", "tool-tags-"];

/// Finds registry files below `dir`.
#[must_use]
pub fn find(dir: &Path) -> RegistryFiles {
    let mut files: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for entry in listing::files_below(dir) {
        if entry.name.ends_with(".json") && KINDS.iter().any(|kind| entry.name.starts_with(kind)) {
            files.entry(entry.name).or_default().push(entry.path);
        }
    }
    RegistryFiles { files }
}

impl RegistryFiles {
    /// Where they are.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.values().flatten().map(PathBuf::as_path)
    }

    /// True if nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Reads a domain's registry, or `None` if there are no primary keys for it. Without the other two no
    /// column is volatile and no tool is tagged.
    ///
    /// # Errors
    /// What is wrong with one of the files; two of one name that say different things are wrong too.
    pub fn read(&self, domain: &Text) -> Result<Option<Registry>, Problem> {
        let [primary, volatile, tags] = KINDS.map(|kind| format!("{kind}{domain}.json"));
        let Some((value, path)) = self.json(&primary)? else { return Ok(None) };
        let primary_keys = primary_keys(&value, path)?;
        let volatile = self.json(&volatile)?;
        let tags = self.json(&tags)?;
        Ok(Some(Registry {
            domain: domain.clone(),
            primary_keys,
            volatile_columns: volatile
                .map_or_else(|| Ok(BTreeMap::new()), |(value, path)| volatile_columns(&value, path))?,
            tool_tags: tags.map_or_else(|| Ok(BTreeMap::new()), |(value, path)| tool_tags(&value, path))?,
        }))
    }

    fn json(&self, name: &str) -> Result<Option<(Value, &Path)>, Problem> {
        let paths = self.files.get(name).map(Vec::as_slice).unwrap_or_default();
        let [first, others @ ..] = paths else { return Ok(None) };
        let value = read_json(first, &Limits::default())?;
        for other in others {
            if read_json(other, &Limits::default())? != value {
                let detail = format!("{} says something else: which one is meant?", other.display());
                return Err(Problem::new(Code::MissingRegistry, first, detail));
            }
        }
        Ok(Some((value, first)))
    }
}

/// `{"primary_keys": {table: column | [columns]}}`; `path` is for problems.
///
/// # Errors
/// `WRONG_TYPE`; a key without columns is one too.
pub fn primary_keys(value: &Value, path: &Path) -> Result<BTreeMap<Text, Vec<Text>>, Problem> {
    let top = object(value, path, "a registry")?;
    object(member(top, "primary_keys"), path, "`primary_keys`")?
        .iter()
        .map(|(table, key)| {
            let what = format!("the key of `{table}`");
            let columns = match key {
                Value::Text(column) => vec![column.clone()],
                Value::Array(columns) if !columns.is_empty() => texts(columns, path, &what)?,
                other => return Err(wrong_type(path, &what, "a column or a list of columns", other)),
            };
            Ok((table.clone(), columns))
        })
        .collect()
}

/// `{"volatile_columns": {"table.column": {"table": …, "column": …}}}`, or `{table: [columns]}` in its
/// place; `path` is for problems.
///
/// # Errors
/// `WRONG_TYPE`.
pub fn volatile_columns(value: &Value, path: &Path) -> Result<BTreeMap<Text, Vec<Text>>, Problem> {
    let top = object(value, path, "a registry")?;
    let mut volatile: BTreeMap<Text, Vec<Text>> = BTreeMap::new();
    for (name, entry) in object(member(top, "volatile_columns"), path, "`volatile_columns`")?.iter() {
        let what = format!("the volatile column `{name}`");
        let (table, columns) = match entry {
            Value::Array(columns) => (name.clone(), texts(columns, path, &what)?),
            Value::Object(entry) => (text(entry, "table", path)?, vec![text(entry, "column", path)?]),
            other => return Err(wrong_type(path, &what, "an object or a list of columns", other)),
        };
        volatile.entry(table).or_default().extend(columns);
    }
    for columns in volatile.values_mut() {
        columns.sort();
        columns.dedup();
    }
    Ok(volatile)
}

/// `{"tags": [{"name": …, "tag": …}]}`; `path` is for problems.
///
/// # Errors
/// `WRONG_TYPE`, `UNKNOWN_WORD` for a tag outside the known words.
pub fn tool_tags(value: &Value, path: &Path) -> Result<BTreeMap<Text, ToolTag>, Problem> {
    let top = object(value, path, "a registry")?;
    list(top, "tags", path)?
        .iter()
        .map(|entry| {
            let entry = object(entry, path, "a tag")?;
            let word = member(entry, "tag");
            let tag =
                word.as_str().and_then(ToolTag::parse).ok_or_else(|| unknown_word(path, "`tag`", word))?;
            Ok((text(entry, "name", path)?, tag))
        })
        .collect()
}

impl RegistryFiles {
    /// The problem of a domain without primary keys.
    #[must_use]
    pub fn missing(domain: &Text, near: &Path) -> Problem {
        let detail = format!("no primary-keys-{domain}.json below a data folder here or above");
        Problem::new(Code::MissingRegistry, near, detail)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::json;
    use super::*;

    fn value(text: &str) -> Value {
        json::parse(text.as_bytes()).expect("JSON")
    }

    #[test]
    fn files_are_found_anywhere_below_and_two_may_be_absent() {
        let root = tempfile::tempdir().expect("a directory");
        let deep = root.path().join("a/b");
        fs::create_dir_all(&deep).expect("a directory");
        fs::write(
            deep.join("primary-keys-port.json"),
            r#"{"primary_keys": {"ship": "id", "crew": ["ship", "n"]}}"#,
        )
        .expect("writes");
        let registry = find(root.path()).read(&"port".into()).expect("reads").expect("is there");
        assert_eq!(registry.primary_keys[&Text::from("crew")], [Text::from("ship"), "n".into()]);
        assert!(registry.volatile_columns.is_empty() && registry.tool_tags.is_empty());
        assert!(find(root.path()).read(&"dock".into()).expect("reads").is_none());
        fs::write(root.path().join("tool-tags-port.json"), r#"{"tags": [{"name": "x", "tag": "harmless"}]}"#)
            .expect("writes");
        let problem = find(root.path()).read(&"port".into()).expect_err("a problem");
        assert_eq!(
            (problem.code, problem.path),
            (Code::UnknownWord, root.path().join("tool-tags-port.json"))
        );
    }

    #[test]
    fn both_forms_of_volatile_columns_are_read() {
        let path = Path::new("v.json");
        let volatile = volatile_columns(
            &value(
                r#"{"volatile_columns": {"ship.b": {"table": "ship", "column": "b", "diff_count": 2},
                    "ship.a.b": {"table": "ship", "column": "a.b"}, "crew": ["at"]}}"#,
            ),
            path,
        )
        .expect("reads");
        assert_eq!(volatile[&Text::from("ship")], [Text::from("a.b"), "b".into()]);
        assert_eq!(volatile[&Text::from("crew")], [Text::from("at")]);
    }

    #[test]
    fn wrong_shapes_are_named() {
        let path = Path::new("p.json");
        for text in [
            "[]",
            "{}",
            r#"{"primary_keys": []}"#,
            r#"{"primary_keys": {"a": []}}"#,
            r#"{"primary_keys": {"a": [1]}}"#,
        ] {
            assert_eq!(
                primary_keys(&value(text), path).expect_err("a problem").code,
                Code::WrongType,
                "{text}"
            );
        }
        for text in ["7", r#"{"volatile_columns": {"a.b": 1}}"#, r#"{"volatile_columns": {"a.b": {}}}"#] {
            assert_eq!(volatile_columns(&value(text), path).expect_err("a problem").code, Code::WrongType);
        }
        for text in ["7", r#"{"tags": {}}"#, r#"{"tags": [3]}"#, r#"{"tags": [{"tag": "read"}]}"#] {
            assert_eq!(tool_tags(&value(text), path).expect_err("a problem").code, Code::WrongType);
        }
    }
}
