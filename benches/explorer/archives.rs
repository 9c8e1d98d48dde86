//! How soon real archives are on screen, cold and from the cache.

use std::fs;
use std::path::{Path, PathBuf};

use crate::clock::{Sample, cpu_ms};
use crate::stage::{Stage, session};

const ROUNDS: usize = 5;

/// The sample archive, and those rebuilt from released verdicts.
pub fn measure() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    open("sample-data", &[root.join("sample-data")]);
    let made = fs::read_dir(root.join("target/archives")).into_iter().flatten().flatten();
    let mut merged: Vec<PathBuf> =
        made.map(|entry| entry.path()).filter(|path| path.join("generation.json").is_file()).collect();
    merged.sort();
    if merged.is_empty() {
        println!("  rebuilt archives: skipped, see tests/merged_archives.rs");
    } else {
        open("rebuilt archives", &merged);
    }
}

fn open(name: &str, paths: &[PathBuf]) {
    let scratch = tempfile::tempdir().expect("a folder");
    let cache = scratch.path().join("index.sqlite");
    let (mut cold_first, mut cold) = (Vec::new(), Vec::new());
    let (mut first, mut all, mut share) = (Vec::new(), Vec::new(), Vec::new());
    let mut runs = 0;
    for round in 0..=ROUNDS {
        let _ = fs::remove_file(&cache);
        let [opened, labelled] = times(paths, &cache, &mut runs);
        let [opened_again, from_cache] = times(paths, &cache, &mut runs);
        // The first round warms the system's caches.
        if round > 0 {
            cold_first.push(opened);
            cold.push(labelled);
            first.push(opened_again);
            all.push(from_cache);
            share.push(100.0 * from_cache / labelled);
        }
    }
    println!(
        "  {name}, {runs} runs: first frame {} ms, labelled {} ms",
        Sample::new(cold_first),
        Sample::new(cold)
    );
    println!(
        "    from the cache: first frame {} ms, complete map {} ms, {} % of cold",
        Sample::new(first),
        Sample::new(all),
        Sample::new(share)
    );
}

/// CPU time until the first frame, and until the map is complete.
fn times(paths: &[PathBuf], cache: &Path, runs: &mut usize) -> [f64; 2] {
    let mut stage = None;
    let first = cpu_ms(|| stage = Some(Stage::new(session(paths, Some(cache)))));
    let rest = cpu_ms(|| *runs = stage.iter_mut().map(|stage| stage.label().runs.len()).sum());
    [first, first + rest]
}
