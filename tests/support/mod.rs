//! A small sound archive to break: one task of the sample archive, copied.
#![allow(
    dead_code,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "shared by several test files, each of which uses a part"
)]

pub mod explorer;
pub mod sqlite;
pub mod terminal;

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use gainsay::archive::json;
use gainsay::model::{Object, Text, Value};
use tempfile::TempDir;

/// The batch and task that are copied.
pub const BATCH: &str = "20260302T091500Z_bff0a2";
pub const TASK: &str = "po-approval-gate";
/// Runs per task in that batch.
pub const K: usize = 8;

/// An archive in a folder of its own.
pub struct Archive {
    dir: TempDir,
}

impl Archive {
    /// One batch of one task, eight runs, no problem.
    pub fn small() -> Self {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data");
        let archive = Self { dir: tempfile::tempdir().expect("a folder") };
        copy(&sample.join("tasks"), &archive.path().join("tasks"));
        copy(&sample.join("data"), &archive.path().join("data"));
        let from = sample.join("runs").join(BATCH);
        copy(&from.join(TASK), &archive.batch().join(TASK));
        let text = fs::read_to_string(from.join("manifest.json")).expect("the manifest");
        let mut manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let tasks = manifest["tasks"].as_object_mut().expect("tasks");
        tasks.retain(|task, _| task == TASK);
        archive.write("manifest.json", manifest.to_string().as_bytes());
        archive
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    pub fn batch(&self) -> PathBuf {
        self.path().join("runs").join(BATCH)
    }

    pub fn run(&self, number: u32) -> PathBuf {
        self.batch().join(TASK).join(format!("run_{number}"))
    }

    pub fn final_state(&self, number: u32) -> PathBuf {
        self.run(number).join("final_state.json.gz")
    }

    pub fn post_seed(&self, number: u32) -> PathBuf {
        self.run(number).join("post_seed_state.json.gz")
    }

    pub fn results(&self, number: u32) -> PathBuf {
        self.run(number).join(format!("results_{TASK}.json"))
    }

    /// Writes a file below the batch.
    pub fn write(&self, relative: &str, bytes: &[u8]) {
        fs::write(self.batch().join(relative), bytes).expect("writes");
    }

    /// Changes the manifest's text.
    pub fn edit_manifest(&self, edit: impl FnOnce(&mut serde_json::Value)) {
        let path = self.batch().join("manifest.json");
        let mut manifest = serde_json::from_slice(&fs::read(&path).expect("reads")).expect("JSON");
        edit(&mut manifest);
        fs::write(path, manifest.to_string()).expect("writes");
    }
}

/// Changes the tables of a dump.
pub fn edit_dump(path: &Path, edit: impl FnOnce(&mut Vec<(Text, Value)>)) {
    let mut text = Vec::new();
    MultiGzDecoder::new(fs::File::open(path).expect("opens")).read_to_end(&mut text).expect("inflates");
    let dump = json::parse(&text).expect("JSON");
    let tables = dump.get("tables").and_then(Value::as_object).expect("tables").clone();
    let mut tables: Vec<(Text, Value)> =
        tables.iter().map(|(name, rows)| (name.clone(), rows.clone())).collect();
    edit(&mut tables);
    let whole = [
        (Text::from("database_id"), dump.get("database_id").cloned().unwrap_or(Value::Null)),
        (Text::from("tables"), Value::Object(Object::from_entries(tables))),
    ];
    let text = json::write(&Value::Object(whole.into_iter().collect()));
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(text.as_bytes()).expect("deflates");
    fs::write(path, out.finish().expect("finishes")).expect("writes");
}

/// Copies a folder with all below it.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("copies");
        }
    }
}

/// `../shared`, or a printed reason to skip.
pub fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: {} is not there", path.display());
    None
}
