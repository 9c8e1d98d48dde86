//! How soon real archives are on screen, cold and from the cache.

use std::fs;
use std::path::{Path, PathBuf};

use gainsay::study::cache::CacheFile;
use gainsay::study::{Options, Session};

use crate::clock::{Sample, cpu_ms};
use crate::rebuilt::Released;
use crate::stage::Stage;

const ROUNDS: usize = 5;

/// The sample archive, and those rebuilt from released verdicts.
pub fn measure() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data");
    open("sample-data", &[sample], &Options::default());
    if let Some(released) = Released::find() {
        open("rebuilt archives", &released.archives, &released.options());
    }
}

fn open(name: &str, paths: &[PathBuf], options: &Options) {
    let scratch = tempfile::tempdir().expect("a folder");
    let cache = scratch.path().join("index.sqlite");
    let (mut cold_first, mut cold) = (Vec::new(), Vec::new());
    let (mut first, mut all, mut share) = (Vec::new(), Vec::new(), Vec::new());
    let mut runs = 0;
    for round in 0..=ROUNDS {
        let _ = fs::remove_file(&cache);
        let [opened, labelled] = times(paths, options, &cache, &mut runs);
        let [opened_again, from_cache] = times(paths, options, &cache, &mut runs);
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
fn times(paths: &[PathBuf], options: &Options, cache: &Path, runs: &mut usize) -> [f64; 2] {
    let mut stage = None;
    let first = cpu_ms(|| stage = Some(Stage::new(session(paths, options, cache))));
    let rest = cpu_ms(|| *runs = stage.iter_mut().map(|stage| stage.label().runs.len()).sum());
    [first, first + rest]
}

fn session(paths: &[PathBuf], options: &Options, cache: &Path) -> Session {
    let cache = Some(CacheFile { path: cache.to_owned(), verify: false });
    Session::open(paths, &Options { cache, ..options.clone() })
}
