//! Labels and inflates in turn, and prints both.

use std::fs;
use std::path::{Path, PathBuf};

use gainsay::study::{Options, Session};
use libdeflater::Decompressor;

use crate::clock::{Sample, cpu_ms};
use crate::places::children;
use crate::ratio::times;

/// Prints what labelling takes beside inflating, and gives the milliseconds of CPU a run.
pub fn compare(name: &str, paths: &[PathBuf], options: &Options, rounds: usize) -> Sample {
    let (runs, dumps) = dumps(paths);
    let (mut ours, mut floor, mut opening) = (Vec::new(), Vec::new(), Vec::new());
    // The first round warms caches and is thrown away.
    for round in 0..=rounds {
        let inflating = cpu_ms(|| inflate(&dumps));
        // A new session every time: it keeps the seeds it met.
        let mut session = None;
        let listing = cpu_ms(|| session = Some(open(paths, options)));
        let labelling = cpu_ms(|| session.iter().for_each(|session| label(session, 1)));
        if round > 0 {
            opening.push(listing / runs as f64);
            floor.push(inflating / (dumps.len() as f64 / 2.0));
            ours.push(labelling / runs as f64);
        }
    }
    let ratio = times(&ours, &floor);
    let ours = Sample::new(ours);
    println!(
        "  {name}: {ratio} × inflate; {ours} ms a run, inflate {}; {runs} runs, listed in {} each",
        Sample::new(floor),
        Sample::new(opening)
    );
    ours
}

/// Opens archives to find verdicts and nothing else.
pub fn open(paths: &[PathBuf], options: &Options) -> Session {
    Session::open(paths, &Options { verdicts_only: true, ..options.clone() })
}

/// Labels every run, and makes sure that each has a verdict.
pub fn label(session: &Session, workers: usize) {
    let mut last = session.study();
    session.label_on(workers, &mut |study| {
        last = study;
        true
    });
    assert!(last.runs.iter().all(|run| run.verdict().is_some()), "{:?}", last.problems.first());
}

fn inflate(dumps: &[Vec<u8>]) {
    let mut engine = Decompressor::new();
    let mut out = Vec::new();
    for packed in dumps {
        let size = packed.last_chunk::<4>().map_or(0, |size| u32::from_le_bytes(*size) as usize);
        out.resize(size, 0);
        engine.gzip_decompress(packed, &mut out).expect("inflates");
    }
    std::hint::black_box(&out);
}

/// How many runs there are, and the packed dumps of the first ones: enough to know what inflating takes.
fn dumps(paths: &[PathBuf]) -> (usize, Vec<Vec<u8>>) {
    let runs: Vec<PathBuf> = paths.iter().flat_map(|path| runs(path)).collect();
    let files = runs.iter().take(1000).flat_map(|run| children(run));
    let is_packed = |file: &PathBuf| Path::extension(file).is_some_and(|end| end == "gz");
    (runs.len(), files.filter(is_packed).map(|file| fs::read(file).expect("reads")).collect())
}

/// The folders of an archive's runs.
pub fn runs(archive: &Path) -> Vec<PathBuf> {
    let batches = children(&archive.join("runs"));
    batches.iter().flat_map(|batch| children(batch)).flat_map(|task| children(&task)).collect()
}
