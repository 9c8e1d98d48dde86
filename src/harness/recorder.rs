//! Runs as a batch in the archive's layout, and files that are written whole or not at all.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::{Compression, GzBuilder};

use super::HarnessError;
use super::clock::Clock;
use super::conversation::{count, object, text};
use super::results::{Setting, results};
use super::runner::{Assignment, Run};
use crate::archive::json;
use crate::model::{Text, Value};

/// Files to be, by their path below the archive (`/` between parts).
#[derive(Clone, Debug, Default)]
pub struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    /// Adds a file, or replaces it.
    pub fn put(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.0.insert(path.into(), bytes.into());
    }

    /// The file's bytes, to be changed.
    pub fn get_mut(&mut self, path: &str) -> Option<&mut Vec<u8>> {
        self.0.get_mut(path)
    }

    /// Takes out the files of which this holds.
    pub fn remove(&mut self, unwanted: impl Fn(&str) -> bool) {
        self.0.retain(|path, _| !unwanted(path));
    }

    /// Takes over all files of another set.
    pub fn absorb(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Paths and bytes, sorted by path.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }

    /// Writes all files below `dir`, which must be empty or absent: first beside it, then by one rename.
    ///
    /// # Errors
    /// [`HarnessError::NotEmpty`], or what the file system says; `dir` is then as it was.
    pub fn write(&self, dir: &Path) -> Result<(), HarnessError> {
        match fs::read_dir(dir) {
            Ok(mut entries) => {
                if entries.next().is_some() {
                    return Err(HarnessError::NotEmpty(dir.to_owned()));
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(HarnessError::io(dir)(error)),
        }
        let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(HarnessError::io(parent))?;
        let staging = tempfile::Builder::new()
            .prefix(".gainsay-")
            .tempdir_in(parent)
            .map_err(HarnessError::io(parent))?;
        // The rename takes a child, so that permissions are those of any new directory.
        let root = staging.path().join("archive");
        for (path, bytes) in self.iter() {
            let path = root.join(path);
            let folder = path.parent().unwrap_or(&root);
            fs::create_dir_all(folder).map_err(HarnessError::io(folder))?;
            fs::write(&path, bytes).map_err(HarnessError::io(&path))?;
        }
        if dir.exists() {
            fs::remove_dir(dir).map_err(HarnessError::io(dir))?;
        }
        fs::rename(&root, dir).map_err(HarnessError::io(dir))
    }
}

/// What a batch is made of, apart from its runs.
#[derive(Clone, Debug)]
pub struct BatchInfo {
    /// The directory's name, `<stamp>_<six hexadecimal digits>`.
    pub batch_id: String,
    /// Model, tools, seed.
    pub setting: Setting,
    /// Runs of each task.
    pub k: usize,
    /// The sampling temperature.
    pub temperature: f64,
    /// When the first run began.
    pub started_at: Clock,
    /// All runs of a task point at the post-seed dump of its first one.
    pub shares_seed_dump: bool,
}

/// Collects the runs of one batch.
#[derive(Debug)]
pub struct Recorder {
    info: BatchInfo,
    files: Files,
    tasks: Vec<(Text, Vec<Value>)>,
    finished_at: Clock,
}

impl Recorder {
    /// A batch without runs.
    #[must_use]
    pub fn new(info: BatchInfo) -> Self {
        let finished_at = info.started_at;
        Self { info, files: Files::default(), tasks: Vec::new(), finished_at }
    }

    /// Records run `number` (from 1) of a task. A task's runs come one after the other.
    ///
    /// # Errors
    /// If a dump cannot be packed.
    pub fn record(&mut self, assignment: &Assignment, number: usize, run: &Run) -> Result<(), HarnessError> {
        let task = assignment.task.as_str();
        let place = format!("{task}/run_{number}");
        let results_json = format!("{place}/results_{task}.json");
        let final_state = format!("{place}/final_state.json.gz");
        let owner = if self.info.shares_seed_dump { 1 } else { number };
        let post_seed = format!("{task}/run_{owner}/post_seed_state.json.gz");
        self.put(&results_json, results(&self.info.setting, assignment, run).into_bytes());
        self.put(&final_state, pack(&run.final_state)?);
        if owner == number {
            self.put(&post_seed, pack(&run.post_seed)?);
        }
        let artifacts = object([
            ("final_state", text(final_state)),
            ("post_seed_state", text(post_seed)),
            ("results_json", text(results_json)),
        ]);
        let entry = object([
            ("artifacts", artifacts),
            ("database_id", text(run.database_id.as_str())),
            ("run", text(format!("run_{number}"))),
            ("status", text(run.status())),
            ("token_usage", count(run.tokens())),
        ]);
        match self.tasks.last_mut().filter(|(last, _)| last == task) {
            Some((_, runs)) => runs.push(entry),
            None => self.tasks.push((task.into(), vec![entry])),
        }
        self.finished_at = run.finished_at;
        Ok(())
    }

    /// The batch with its manifest.
    #[must_use]
    pub fn finish(mut self) -> Files {
        let manifest = json::write_indented(&self.manifest());
        self.put("manifest.json", manifest.into_bytes());
        self.files
    }

    fn put(&mut self, path: &str, bytes: Vec<u8>) {
        self.files.put(format!("runs/{}/{path}", self.info.batch_id), bytes);
    }

    fn manifest(&self) -> Value {
        let BatchInfo { batch_id, setting, k, temperature, started_at, .. } = &self.info;
        let llm_config = object([
            ("llm_model", text(setting.model.as_str())),
            ("llm_provider", text(setting.provider.as_str())),
            ("max_tokens", Value::from(4096)),
            ("temperature", Value::from(*temperature)),
        ]);
        let sampling =
            object([("max_tokens", Value::from(4096)), ("temperature", Value::from(*temperature))]);
        let tasks = self
            .tasks
            .iter()
            .map(|(task, runs)| (task.clone(), object([("runs", Value::Array(runs.clone()))])));
        let mut manifest = vec![
            (Text::from("batch_id"), text(batch_id.as_str())),
            ("finished_at".into(), text(self.finished_at.iso())),
            ("k".into(), count(*k)),
            ("llm_config".into(), llm_config),
            ("sampling_params".into(), sampling),
            ("started_at".into(), text(started_at.iso())),
        ];
        if let Some(notice) = &setting.synthetic {
            manifest.push(("synthetic".into(), text(notice.as_str())));
        }
        manifest.push(("tasks".into(), Value::Object(tasks.collect())));
        Value::Object(manifest.into_iter().collect())
    }
}

/// A dump packed so that the same state always gives the same bytes: no file name, no time.
fn pack(state: &str) -> Result<Vec<u8>, HarnessError> {
    let failed = || HarnessError::io("dump");
    let mut packer = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    packer.write_all(state.as_bytes()).map_err(failed())?;
    packer.finish().map_err(failed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_overwritten_and_nothing_is_left_half_done() {
        let dir = tempfile::tempdir().expect("a directory");
        let target = dir.path().join("new/archive");
        let mut files = Files::default();
        files.put("a/b.txt", "1");
        files.write(&target).expect("writes");
        assert_eq!(fs::read(target.join("a/b.txt")).expect("reads"), b"1");
        assert!(matches!(files.write(&target), Err(HarnessError::NotEmpty(_))));
        assert_eq!(fs::read_dir(dir.path().join("new")).expect("lists").count(), 1);

        let empty = dir.path().join("empty");
        fs::create_dir(&empty).expect("creates");
        files.write(&empty).expect("an empty directory may be filled");

        let mut clash = files;
        clash.put("a", "a file where a folder must be");
        let other = dir.path().join("other");
        assert!(clash.write(&other).is_err());
        assert!(!other.exists());
    }

    #[test]
    fn the_same_state_packs_to_the_same_bytes() {
        let packed = pack("{\"tables\": {}}").expect("packs");
        assert_eq!(packed, pack("{\"tables\": {}}").expect("packs"));
        assert_eq!(packed.get(4..8), Some(&[0; 4][..]), "no time in the header");
    }
}
