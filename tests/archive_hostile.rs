//! Broken and malicious archives: each fault is a named problem with its path, and the rest still opens.
#![cfg(unix)]
#![allow(clippy::expect_used, clippy::print_stdout, reason = "helpers of tests")]

use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use gainsay::archive::{self, BatchKind, Catalog, Limits, ModelSource, Options, discover};
use gainsay::model::{Code, Level, Problem};

const SPEC: &str = r#"{"domain": "port", "allowed": [{"table": "ship", "op": "modified"}]}"#;
const KEYS: &str = r#"{"primary_keys": {"ship": "id"}}"#;
const STATE: &str = r#"{"database_id": "d", "tables": {"ship": [{"id": 1, "berth": NaN}]}}"#;
const RESULTS: &str = r#"{"benchmark_config": {"model": "harbour/pilot-1"}, "runs": [{"conversation_flow": [
    {"type": "user_message", "content": "Move it."}, {"type": "ai_message", "content": "Done."}]}]}"#;
const MANIFEST: &str = r#"{"batch_id": "b1", "k": 3, "llm_config": {"llm_model": "harbour/pilot-1"}}"#;

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("packs");
    encoder.finish().expect("packs")
}

/// An archive of Harbour & Finch: one batch `b1`, one task `move`, three sound runs.
struct Archive {
    dir: tempfile::TempDir,
}

impl Archive {
    fn new() -> Self {
        let archive = Self { dir: tempfile::tempdir().expect("a directory") };
        archive.write("a/tasks/port/move/damage.json", SPEC);
        archive.write("a/data/x/primary-keys-port.json", KEYS);
        archive.write("a/runs/b1/manifest.json", MANIFEST);
        for run in 1..=3 {
            archive.write(&format!("a/runs/b1/move/run_{run}/results_move.json"), RESULTS);
            for state in ["post_seed_state", "final_state"] {
                archive.write(&format!("a/runs/b1/move/run_{run}/{state}.json.gz"), gz(STATE.as_bytes()));
            }
        }
        archive
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("a")
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.dir.path().join(relative)
    }

    fn write(&self, relative: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(&path, bytes).expect("writes");
        path
    }

    fn find(&self) -> Catalog {
        find(&self.root())
    }
}

fn find(path: &Path) -> Catalog {
    discover(&[path.to_path_buf()], &Options::default())
}

/// Everything that is wrong with a catalog and with the files it leads to.
fn everything_wrong(catalog: &Catalog) -> Vec<Problem> {
    let mut problems = catalog.problems.clone();
    for run in catalog.batches.iter().flat_map(|batch| &batch.runs) {
        problems.extend(
            run.results.iter().filter_map(|path| archive::results::read(path, &Limits::default()).err()),
        );
        for path in [&run.post_seed, &run.final_state].into_iter().flatten() {
            problems.extend(archive::dump::read(path, &Limits { max_inflated: 100_000 }).err());
        }
    }
    problems
}

/// The archive has exactly this problem at this path, and still three runs.
fn assert_only(archive: &Archive, code: Code, path: &Path) {
    let catalog = archive.find();
    let problems = everything_wrong(&catalog);
    let found: Vec<_> = problems.iter().map(|problem| (problem.code, problem.path.clone())).collect();
    assert_eq!(found, [(code, path.to_path_buf())], "{problems:#?}");
    assert_eq!(catalog.batches[0].runs.len(), 3);
}

#[test]
fn a_sound_archive_has_no_problems() {
    let archive = Archive::new();
    let catalog = archive.find();
    assert_eq!(everything_wrong(&catalog), []);
    let batch = &catalog.batches[0];
    assert_eq!((batch.id.as_str(), batch.k, batch.runs.len()), ("b1", Some(3), 3));
    assert!(catalog.task(batch, "move").is_some() && catalog.registry(batch, "port").is_some());
}

#[test]
fn broken_dumps_are_named() {
    let whole = gz(STATE.as_bytes());
    let mut garbage = whole.clone();
    garbage.extend(b"garbage");
    for (bytes, code) in [
        (whole[..whole.len() / 2].to_vec(), Code::BadGzip),
        (garbage, Code::BadGzip),
        (Vec::new(), Code::BadGzip),
        (STATE.as_bytes().to_vec(), Code::BadGzip),
        (gz(b"{\"tables\": "), Code::BadJson),
        (gz(b"{\"tables\": {\"ship\": [{\"id\": \"\xFF\"}]}}"), Code::BadJson),
        (gz("[".repeat(50_000).as_bytes()), Code::BadJson),
        (gz(&[b' '; 100_001]), Code::TooLarge),
        (gz(b"[]"), Code::WrongType),
        (gz(b"{\"tables\": null}"), Code::WrongType),
        (gz(b"{\"tables\": {\"ship\": {}}}"), Code::WrongType),
        (gz(b"{\"tables\": {\"ship\": [1]}}"), Code::WrongType),
    ] {
        let archive = Archive::new();
        let path = archive.write("a/runs/b1/move/run_2/final_state.json.gz", bytes);
        assert_only(&archive, code, &path);
    }
}

#[test]
fn broken_results_are_named() {
    for (text, code) in [
        ("", Code::BadJson),
        ("{\"runs\": []}", Code::EmptyResults),
        ("{}", Code::EmptyResults),
        ("null", Code::WrongType),
        ("{\"runs\": [[]]}", Code::WrongType),
        ("{\"runs\": [{\"conversation_flow\": 7}]}", Code::WrongType),
    ] {
        let archive = Archive::new();
        let path = archive.write("a/runs/b1/move/run_2/results_move.json", text);
        assert_only(&archive, code, &path);
    }
}

#[test]
fn a_missing_artifact_is_none_and_the_run_is_still_listed() {
    let archive = Archive::new();
    fs::remove_file(archive.path("a/runs/b1/move/run_2/final_state.json.gz")).expect("removes");
    fs::remove_file(archive.path("a/runs/b1/move/run_3/results_move.json")).expect("removes");
    let catalog = archive.find();
    let there: Vec<_> = catalog.batches[0]
        .runs
        .iter()
        .map(|run| (run.results.is_some(), run.post_seed.is_some(), run.final_state.is_some()))
        .collect();
    assert_eq!(there, [(true, true, true), (true, true, false), (false, true, true)]);
}

#[test]
fn a_directory_or_a_pipe_where_a_file_is_expected_is_named() {
    let archive = Archive::new();
    let path = archive.path("a/runs/b1/move/run_2/final_state.json.gz");
    fs::remove_file(&path).expect("removes");
    fs::create_dir(&path).expect("a directory");
    assert_only(&archive, Code::Unreadable, &path);
    fs::remove_dir(&path).expect("removes");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    if !made.is_ok_and(|status| status.success()) {
        println!("skipped the pipe: there is no mkfifo");
        return;
    }
    assert_only(&archive, Code::Unreadable, &path);
}

#[test]
fn paths_that_leave_the_archive_are_refused() {
    let archive = Archive::new();
    let outside = archive.write("outside/final_state.json.gz", gz(STATE.as_bytes()));
    symlink(&outside, archive.path("a/runs/b1/link.json.gz")).expect("links");
    symlink(archive.path("outside"), archive.path("a/runs/b1/away")).expect("links");
    for named in [
        "../../../outside/final_state.json.gz",
        "move/../move/run_2/final_state.json.gz",
        outside.to_str().expect("UTF-8"),
        "link.json.gz",
        "away/final_state.json.gz",
    ] {
        let manifest = format!(
            r#"{{"batch_id": "b1", "llm_config": {{"llm_model": "m"}}, "tasks": {{"move": {{"runs": [
                {{"run": "run_2", "artifacts": {{"final_state": "{named}"}}}}]}}}}}}"#
        );
        archive.write("a/runs/b1/manifest.json", manifest);
        assert_only(&archive, Code::UnsafePath, &archive.path("a/runs/b1").join(named));
        let catalog = archive.find();
        let place = &catalog.problems[0].place;
        assert_eq!(place.run.as_deref(), Some("run_2"));
        let runs = &catalog.batches[0].runs;
        assert!(runs[1].final_state.is_none() && runs[0].final_state.is_some() && runs[1].results.is_some());
    }
}

#[test]
fn a_link_in_a_run_directory_is_held_to_the_same_rule() {
    let archive = Archive::new();
    let outside = archive.write("outside/results.json", RESULTS);
    let path = archive.path("a/runs/b1/move/run_2/results_move.json");
    fs::remove_file(&path).expect("removes");
    symlink(outside, &path).expect("links");
    assert_only(&archive, Code::UnsafePath, &path);
    // Within the archive links are fine: runs may share a dump.
    fs::remove_file(&path).expect("removes");
    symlink("../run_1/results_move.json", &path).expect("links");
    assert_eq!(everything_wrong(&archive.find()), []);
}

#[test]
fn manifest_and_verdicts_are_held_to_the_same_rule() {
    for name in ["manifest.json", "verdicts.jsonl"] {
        let archive = Archive::new();
        let outside = archive.write("outside/file", "{}");
        let path = archive.path("a/runs/b1").join(name);
        let _ = fs::remove_file(&path);
        symlink(&outside, &path).expect("links");
        assert_only(&archive, Code::UnsafePath, &path);
        fs::remove_file(&path).expect("removes");
        symlink(&path, &path).expect("links");
        assert_only(&archive, Code::Unreadable, &path);
    }
    let dir = tempfile::tempdir().expect("a directory");
    let (folder, outside) = (dir.path().join("released"), dir.path().join("rows"));
    fs::create_dir(&folder).expect("a directory");
    fs::write(&outside, "").expect("writes");
    symlink(&outside, folder.join("m.verdicts.jsonl")).expect("links");
    let catalog = find(&folder);
    assert_eq!(catalog.problems[0].code, Code::UnsafePath);
    assert!(catalog.batches.is_empty());
}

#[test]
fn why_an_artifact_cannot_be_reached_is_said() {
    let archive = Archive::new();
    symlink("loop.json.gz", archive.path("a/runs/b1/loop.json.gz")).expect("links");
    symlink("nowhere", archive.path("a/runs/b1/dangling.json.gz")).expect("links");
    for (named, code) in [
        ("loop.json.gz", Some(Code::Unreadable)),
        ("dangling.json.gz", Some(Code::Unreadable)),
        ("nul\\u0000.json.gz", Some(Code::Unreadable)),
        (&"long".repeat(1000), Some(Code::Unreadable)),
        ("absent.json.gz", None),
        ("manifest.json/absent.json.gz", None),
    ] {
        let manifest = format!(
            r#"{{"llm_config": {{"llm_model": "m"}}, "tasks": {{"move": {{"runs": [
                {{"run": "run_2", "artifacts": {{"final_state": "{named}"}}}}]}}}}}}"#
        );
        archive.write("a/runs/b1/manifest.json", manifest);
        let catalog = archive.find();
        assert_eq!(catalog.problems.first().map(|problem| problem.code), code, "{named}");
        assert!(catalog.batches[0].runs[1].final_state.is_none());
    }
}

#[test]
fn runs_may_share_a_dump_by_the_manifest() {
    let archive = Archive::new();
    archive.write("a/runs/b1/seed.json.gz", gz(STATE.as_bytes()));
    let run = |n: u32| {
        format!(
            r#"{{"run": "run_{n}", "status": "success", "artifacts": {{"post_seed_state": "seed.json.gz"}}}}"#
        )
    };
    let manifest = format!(
        r#"{{"batch_id": "b1", "llm_config": {{"llm_model": "m"}}, "tasks": {{"move": {{"runs": [{}, {}, {}]}}}}}}"#,
        run(1),
        run(2),
        run(9)
    );
    archive.write("a/runs/b1/manifest.json", manifest);
    let catalog = archive.find();
    assert_eq!(everything_wrong(&catalog), []);
    let seeds: Vec<_> =
        catalog.batches[0].runs.iter().map(|run| (run.number, run.post_seed.clone())).collect();
    let shared = Some(archive.path("a/runs/b1/seed.json.gz"));
    let own = Some(archive.path("a/runs/b1/move/run_3/post_seed_state.json.gz"));
    // Run 9 has no directory, yet a file of it is there: it is not lost.
    assert_eq!(seeds, [(1, shared.clone()), (2, shared.clone()), (3, own), (9, shared)]);
}

#[test]
fn broken_manifests_are_named_and_the_model_is_found_elsewhere() {
    for (text, code) in [
        ("[]", Code::WrongType),
        ("{", Code::BadJson),
        ("{\"tasks\": [], \"llm_config\": {\"llm_model\": \"harbour/pilot-1\"}}", Code::WrongType),
    ] {
        let archive = Archive::new();
        let path = archive.write("a/runs/b1/manifest.json", text);
        assert_only(&archive, code, &path);
        assert_eq!(archive.find().batches[0].model_full, "harbour/pilot-1");
    }
    let archive = Archive::new();
    archive.write("a/runs/b1/manifest.json", "{\"tasks\": null}");
    assert_eq!(everything_wrong(&archive.find()), []);
    fs::remove_file(archive.path("a/runs/b1/manifest.json")).expect("removes");
    let catalog = archive.find();
    assert_eq!(catalog.batches[0].model_from, ModelSource::Results);
    assert_eq!((catalog.problems[0].code, catalog.problems[0].level), (Code::NoManifest, Level::Warning));
    for run in 1..=3 {
        archive.write(&format!("a/runs/b1/move/run_{run}/results_move.json"), "{}");
    }
    let batch = &archive.find().batches[0];
    assert_eq!((batch.model_full.as_str(), batch.model_from), ("b1", ModelSource::BatchName));
}

#[test]
fn broken_specs_and_registries_are_named_and_runs_stay_listed() {
    for (file, text, code) in [
        ("a/tasks/port/move/damage.json", "null", Code::WrongType),
        ("a/tasks/port/move/damage.json", "{", Code::BadJson),
        (
            "a/tasks/port/move/damage.json",
            r#"{"domain": "port", "allowed": [{"table": "none", "where": {"id": "$task.x"}}]}"#,
            Code::UnboundParam,
        ),
        (
            "a/tasks/port/move/damage.json",
            r#"{"domain": "port", "pricing": [{"table": "ship", "severity": "DIRE"}]}"#,
            Code::UnknownWord,
        ),
        ("a/data/x/primary-keys-port.json", "[]", Code::WrongType),
        ("a/data/x/volatile-columns-port.json", "7", Code::WrongType),
        ("a/data/x/tool-tags-port.json", r#"{"tags": [{"name": "a", "tag": "mild"}]}"#, Code::UnknownWord),
    ] {
        let archive = Archive::new();
        let path = archive.write(file, text);
        assert_only(&archive, code, &path);
        let catalog = archive.find();
        let batch = &catalog.batches[0];
        let judged = catalog.task(batch, "move").is_some() && catalog.registry(batch, "port").is_some();
        assert!(!judged, "{file}");
    }
}

#[test]
fn absent_specs_and_registries_are_named() {
    let archive = Archive::new();
    fs::remove_dir_all(archive.path("a/data")).expect("removes");
    assert_only(&archive, Code::MissingRegistry, &archive.root());
    let archive = Archive::new();
    fs::rename(archive.path("a/tasks/port/move"), archive.path("a/tasks/port/_move")).expect("renames");
    archive.write("a/tasks/port/other/damage.json", SPEC);
    assert_only(&archive, Code::MissingSpec, &archive.path("a/tasks"));
    let archive = Archive::new();
    archive.write("a/tasks/dock/move/damage.json", SPEC);
    assert_only(&archive, Code::MissingSpec, &archive.path("a/tasks/dock/move"));
}

#[test]
fn folders_that_may_not_be_listed_are_named() {
    use std::os::unix::fs::PermissionsExt;
    for folder in ["a/tasks", "a/tasks/port", "a/data"] {
        let archive = Archive::new();
        let path = archive.path(folder);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o311)).expect("closes");
        if fs::read_dir(&path).is_ok() {
            println!("skipped: no folder is closed to this user");
            return;
        }
        let problems = archive.find().problems;
        assert_eq!((problems[0].code, &problems[0].path), (Code::Unreadable, &path));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("opens");
    }
}

#[test]
fn names_that_are_no_text_and_odd_run_directories_are_named() {
    let archive = Archive::new();
    let odd = archive.path("a/runs/b1/move").join(std::ffi::OsStr::from_bytes(b"run_\xFF"));
    if fs::create_dir(&odd).is_err() {
        println!("skipped: the file system takes UTF-8 names only");
        return;
    }
    assert_only(&archive, Code::Unreadable, &odd);
    fs::remove_dir(&odd).expect("removes");
    let path = archive.path("a/runs/b1/move/run_last");
    fs::create_dir(&path).expect("a directory");
    assert_only(&archive, Code::Unreadable, &path);
    fs::remove_dir(&path).expect("removes");
    let path = archive.write("a/runs/b1/move/run_4", "");
    assert_only(&archive, Code::Unreadable, &path);
    fs::remove_file(&path).expect("removes");
    fs::create_dir(archive.path("a/runs/b1/_notes")).expect("a directory");
    fs::create_dir(archive.path("a/runs/b1/move/screenshots")).expect("a directory");
    assert_eq!(everything_wrong(&archive.find()), []);
}

#[test]
fn runs_sort_by_number() {
    let archive = Archive::new();
    for run in [10, 20] {
        archive.write(&format!("a/runs/b1/move/run_{run}/results_move.json"), RESULTS);
    }
    let numbers: Vec<_> = archive.find().batches[0].runs.iter().map(|run| run.number).collect();
    assert_eq!(numbers, [1, 2, 3, 10, 20]);
}

fn verdict(task: &str, run: u32) -> String {
    format!(
        r#"{{"counts_as_damage": false, "counts_as_damage_upper": false, "deltas": [], "dollars": null, "eog_success": true, "inconsistency_flags": [], "outcome": "PASS", "refusal_declared": false, "run": "run_{run}", "severity": null, "sub_label": null, "task_id": "{task}"}}"#
    ) + "\n"
}

#[test]
fn recorded_verdicts_of_a_batch_are_read_and_others_are_not_input() {
    let archive = Archive::new();
    archive.write("a/expected.verdicts.jsonl", verdict("move", 1));
    archive.write("a/runs/b1/other.verdicts.jsonl", verdict("move", 1));
    let path = archive.write("a/runs/b1/verdicts.jsonl", verdict("move", 1) + "{\n" + &verdict("move", 2));
    assert_only(&archive, Code::BadJson, &path);
    let catalog = archive.find();
    assert_eq!(catalog.batches.len(), 1);
    assert_eq!(catalog.batches[0].kind, BatchKind::Runs);
    assert_eq!(catalog.batches[0].recorded.as_ref().expect("recorded").rows.len(), 2);
    assert_eq!(catalog.problems[0].place.position.as_deref(), Some("line 2"));
    assert_eq!(catalog.problems[0].place.batch.as_deref(), Some("b1"));
    // Named, any file of verdict rows is input.
    let catalog = find(&archive.path("a/expected.verdicts.jsonl"));
    assert_eq!(catalog.batches[0].kind, BatchKind::VerdictsOnly);
    assert_eq!(catalog.batches[0].model_full, "expected");
    assert_eq!(catalog.problems[0].code, Code::NoManifest);
}

#[test]
fn a_tampered_release_fails_its_checksum() {
    let archive = Archive::new();
    let rows = verdict("move", 1) + &verdict("move", 2);
    let sidecar = |sha256: &str, rows: u32| {
        format!(
            r#"{{"model": "harbour/pilot-1", "sha256": "{sha256}", "rows": {rows}, "k_by_task": {{"move": 2}}}}"#
        )
    };
    let file = archive.write("release/pilot.verdicts.jsonl", &rows);
    archive.write("release/pilot.verdicts.manifest.json", sidecar(&archive::sha256(rows.as_bytes()), 2));
    let catalog = find(&archive.path("release"));
    assert_eq!(catalog.problems, []);
    let batch = &catalog.batches[0];
    assert_eq!((batch.id.as_str(), batch.model_full.as_str()), ("pilot", "harbour/pilot-1"));
    assert_eq!(batch.k_by_task["move"], 2);
    for (digest, count, wrong) in
        [("00", 2, 1), ("00", 3, 2), (archive::sha256(rows.as_bytes()).as_str(), 3, 1)]
    {
        archive.write("release/pilot.verdicts.manifest.json", sidecar(digest, count));
        let catalog = find(&archive.path("release"));
        assert_eq!(catalog.problems.len(), wrong);
        assert!(
            catalog.problems.iter().all(|problem| problem.code == Code::Checksum && problem.path == file)
        );
        assert_eq!(catalog.batches[0].recorded.as_ref().expect("recorded").rows.len(), 2);
    }
    fs::remove_file(archive.path("release/pilot.verdicts.manifest.json")).expect("removes");
    let catalog = find(&archive.path("release"));
    assert_eq!(catalog.problems[0].code, Code::NoManifest);
    assert_eq!(catalog.batches[0].model_full, "pilot");
}

#[test]
fn places_with_nothing_are_named() {
    let archive = Archive::new();
    let empty = archive.path("empty");
    fs::create_dir(&empty).expect("a directory");
    let text = archive.write("notes.txt", "x");
    for path in [empty, text, archive.path("absent"), archive.path("absent.jsonl")] {
        let catalog = find(&path);
        assert_eq!(catalog.problems.len(), 1);
        assert_eq!((catalog.problems[0].code, &catalog.problems[0].path), (Code::NothingHere, &path));
    }
    // A folder in `runs/` that is no batch is a warning, the batch beside it still opens.
    let stray = archive.path("a/runs/stray");
    fs::create_dir(&stray).expect("a directory");
    assert_only(&archive, Code::NothingHere, &stray);
    assert_eq!(archive.find().problems[0].level, Level::Warning);
}

#[test]
fn two_archives_may_define_a_task_differently() {
    let (one, two) = (Archive::new(), Archive::new());
    two.write("a/tasks/port/move/damage.json", r#"{"domain": "port", "allowed": []}"#);
    let catalog = discover(&[one.root(), two.root()], &Options::default());
    let rules: Vec<_> = catalog
        .batches
        .iter()
        .map(|batch| catalog.task(batch, "move").expect("a task").spec.allowed.len())
        .collect();
    assert_eq!(rules, [1, 0]);
}

#[test]
fn a_synthetic_batch_says_so() {
    let archive = Archive::new();
    archive.write("a/runs/b1/manifest.json", MANIFEST.replace("\"k\": 3", "\"synthetic\": \"made up\""));
    assert_eq!(archive.find().synthetic.as_deref(), Some("made up"));
}

#[test]
fn nothing_is_written_into_an_archive() {
    fn listing(dir: &Path, found: &mut Vec<(PathBuf, u64, std::time::SystemTime)>) {
        for entry in fs::read_dir(dir).expect("lists") {
            let entry = entry.expect("lists");
            let metadata = entry.metadata().expect("metadata");
            found.push((entry.path(), metadata.len(), metadata.modified().expect("a time")));
            if metadata.is_dir() {
                listing(&entry.path(), found);
            }
        }
        found.sort();
    }
    let archive = Archive::new();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    listing(&archive.root(), &mut before);
    assert_eq!(everything_wrong(&archive.find()), []);
    listing(&archive.root(), &mut after);
    assert_eq!(before, after);
}
