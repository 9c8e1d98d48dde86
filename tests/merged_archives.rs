//! The 656 runs that can be rebuilt from three released files: every row equal to the released one, whichever
//! way the dumps are read.
#![allow(clippy::expect_used, clippy::print_stdout, reason = "a test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gainsay::archive::{BatchKind, verdicts};
use gainsay::study::{Options, Session};

/// Makes the archives below `target/` unless they are there. `None` with a word on why not.
fn archives() -> Option<Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (shared, out) = (root.join("../shared"), root.join("target/archives"));
    let maker = shared.join("tools/make_archives.py");
    if !maker.is_file() {
        println!("skipped: {} is absent", maker.display());
        return None;
    }
    let released = shared.join("agentrelbench/runs/campaign-merged");
    let mut files: Vec<PathBuf> =
        fs::read_dir(released).expect("lists").map(|entry| entry.expect("lists").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    let names = files.iter().map(|file| file.file_name().expect("a name").to_string_lossy().into_owned());
    let archives: Vec<PathBuf> =
        names.map(|name| out.join(name.trim_end_matches(".verdicts.jsonl"))).collect();
    // A generation report is the last file of an archive to be written.
    if !archives.iter().all(|archive| archive.join("generation.json").is_file()) {
        let status = Command::new("python3")
            .arg(maker)
            .args(["--out".as_ref(), out.as_os_str(), "--arb".as_ref()])
            .arg(shared.join("agentrelbench"))
            .arg("--model")
            .args(&files)
            .status()
            .expect("python3 runs");
        assert!(status.success());
    }
    Some(archives)
}

#[test]
#[ignore = "makes 200 MB of archives and reads 4 GB of dumps: by name, in release"]
fn every_row_is_the_released_one_on_both_paths() {
    let Some(archives) = archives() else { return };
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/agentrelbench");
    for slow_path in [false, true] {
        for verdicts_only in [true, false] {
            let mut rows = 0;
            for archive in &archives {
                let released = fs::read_to_string(archive.join("released.verdicts.jsonl")).expect("reads");
                let mut released: Vec<&str> = released.lines().collect();
                let options = Options {
                    tasks: Some(shared.join("tasks")),
                    registry: Some(shared.join("data")),
                    slow_path,
                    verdicts_only,
                    ..Options::default()
                };
                let session = Session::open(std::slice::from_ref(archive), &options);
                let study = session.label_all();
                let errors: Vec<_> = study.problems.iter().filter(|problem| problem.is_error()).collect();
                assert!(errors.is_empty(), "{} errors, first {:?}", errors.len(), errors.first());
                let found = session.run_batches();
                let found = found.iter().filter(|(batch, _)| batch.kind == BatchKind::Runs);
                let runs = found.flat_map(|(_, runs)| runs).map(|run| &study.runs[*run]);
                let mut found: Vec<String> =
                    runs.map(|run| verdicts::to_line(run.verdict().expect("a verdict"))).collect();
                released.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, released, "{}", archive.display());
                rows += found.len();
            }
            assert_eq!(rows, 656);
            println!("slow path {slow_path}, verdicts only {verdicts_only}: {rows} rows as released");
        }
    }
}
