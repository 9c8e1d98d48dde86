//! What labelling costs, against the one thing that cannot be saved: inflating both dumps of each run.
//!
//! `cargo bench` measures everything; a word narrows it down (`cargo bench -- growth`). Numbers are ratios of
//! CPU time in one process, rounds taken in turn, as median (least–most). Archives are made up below
//! `target/`; the three that `tests/merged_archives.rs` makes are measured as well where they are. With
//! `ARB=<checkout>` the Python reference labels them, too.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints, and ends on what it cannot do"
)]

#[path = "../common/clock.rs"]
mod clock;
mod ratio;
mod shapes;
mod sqlite;
#[path = "../common/synthetic.rs"]
mod synthetic;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use clock::{Sample, cpu_ms};
use gainsay::study::{Options, Session};
use libdeflater::Decompressor;
use ratio::{times, wall_ms};
use shapes::{large, small};
use synthetic::{Plan, one};

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let sections: [(&str, fn()); 8] = [
        ("released", released),
        ("sizes", sizes),
        ("changed", changed),
        ("rows", rows),
        ("growth", growth),
        ("cores", cores),
        ("sqlite", sqlite::sqlite),
        ("reference", reference),
    ];
    for (name, section) in sections {
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            println!("\n{name}");
            section();
        }
    }
}

/// The archives rebuilt from released verdicts, apart by domain.
fn released() {
    let made = target().join("archives");
    let Some((archives, _)) = merged(&made) else {
        println!("  skipped: no archives in {}; see tests/merged_archives.rs", made.display());
        return;
    };
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/agentrelbench");
    for domain in ["csm", "itsm"] {
        let scratch = tempfile::tempdir_in(target()).expect("a folder");
        let paths: Vec<PathBuf> =
            archives.iter().map(|archive| only(archive, domain, scratch.path(), &shared)).collect();
        let options = Options {
            tasks: Some(shared.join("tasks")),
            registry: Some(shared.join("data")),
            ..Options::default()
        };
        compare(domain, &paths, &options, 7);
        peak(domain, &paths, &options);
    }
}

/// Links the runs of one domain's tasks into an archive of their own.
fn only(archive: &Path, domain: &str, scratch: &Path, shared: &Path) -> PathBuf {
    let root = scratch.join(archive.file_name().expect("a name"));
    for batch in children(&archive.join("runs")) {
        for task in children(&batch)
            .into_iter()
            .filter(|task| shared.join("tasks").join(domain).join(task.file_name().expect("a name")).is_dir())
        {
            for run in children(&task) {
                let place = root.join(run.strip_prefix(archive).expect("below"));
                fs::create_dir_all(&place).expect("makes folders");
                for file in children(&run) {
                    fs::hard_link(&file, place.join(file.file_name().expect("a name"))).expect("links");
                }
            }
        }
    }
    root
}

/// Made-up archives of the field's two sizes.
fn sizes() {
    for (name, shapes) in [("large dumps", large()), ("small dumps", small())] {
        with(&Plan { shapes, runs: 64, per_task: 16, changed: 2 }, |paths, options| {
            compare(name, paths, options, 7);
            peak(name, paths, options);
        });
    }
}

/// From no changed row to all of them.
fn changed() {
    for changed in [0, 1, 10, 100, 1000, 10_633] {
        with(&Plan { shapes: large(), runs: 32, per_task: 16, changed }, |paths, options| {
            compare(&format!("{changed} rows changed of 10,633"), paths, options, 5);
        });
    }
}

/// One table, ten rows changed, sixteen runs of a task.
fn rows() {
    for rows in [1000, 10_000, 100_000, 1_000_000] {
        with(&Plan { shapes: one(rows), runs: 16, per_task: 16, changed: 10 }, |paths, options| {
            compare(&format!("{rows} rows"), paths, options, 3);
        });
    }
}

/// More and more runs.
fn growth() {
    for runs in [100, 1000, 10_000, 100_000] {
        with(&Plan { shapes: small(), runs, per_task: 20, changed: 2 }, |paths, options| {
            compare(&format!("{runs} runs"), paths, options, 3);
        });
    }
}

/// One worker and two, by wall time.
fn cores() {
    with(&Plan { shapes: large(), runs: 128, per_task: 16, changed: 2 }, |paths, options| {
        let (mut single, mut double) = (Vec::new(), Vec::new());
        for _ in 0..5 {
            single.push(wall_ms(|| label(&open(paths, options), 1)));
            double.push(wall_ms(|| label(&open(paths, options), 2)));
        }
        println!("  two workers are {} × one", times(&single, &double));
    });
}

/// The Python reference on one of the released archives.
fn reference() {
    let Some(checkout) = std::env::var_os("ARB") else {
        println!("  skipped: set ARB=<checkout of the reference>");
        return;
    };
    let Some((archives, shared)) = merged(&target().join("archives")) else {
        println!("  skipped: no archives; see tests/merged_archives.rs");
        return;
    };
    let options = Options {
        tasks: Some(shared.join("tasks")),
        registry: Some(shared.join("data")),
        ..Options::default()
    };
    let program = "import sys; from pathlib import Path; from agentrelbench.labeler import label_batch\n\
                   for batch in sys.argv[1:]: label_batch(Path(batch))";
    let batches: Vec<PathBuf> = archives.iter().flat_map(|archive| children(&archive.join("runs"))).collect();
    let mut succeeded = true;
    let theirs = wall_ms(|| {
        let status = Command::new("python3")
            .args(["-c", program])
            .args(&batches)
            .current_dir(&checkout)
            .env("PYTHONPATH", &checkout)
            .stdout(Stdio::null())
            .status();
        succeeded = status.is_ok_and(|status| status.success());
    });
    if !succeeded {
        println!("  the reference failed on these archives, so there is nothing to compare with");
        return;
    }
    let ours = wall_ms(|| label(&open(&archives, &options), 1));
    println!("  on one core {:.1} × as fast as the reference", theirs / ours);
}

/// Labels and inflates in turn, and prints both.
fn compare(name: &str, paths: &[PathBuf], options: &Options, rounds: usize) {
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
    println!(
        "  {name}: {} × inflate; {} ms a run, inflate {}; {runs} runs, listed in {} each",
        times(&ours, &floor),
        Sample::new(ours),
        Sample::new(floor),
        Sample::new(opening)
    );
}

/// The most memory the program holds while it labels with two workers.
fn peak(name: &str, paths: &[PathBuf], options: &Options) {
    let out = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gainsay"));
    command.arg("label").args(paths).arg("--out").arg(out.path()).stdout(Stdio::null()).stderr(Stdio::null());
    for (flag, place) in [("--tasks", &options.tasks), ("--registry", &options.registry)] {
        if let Some(place) = place {
            command.arg(flag).arg(place);
        }
    }
    let mut child = command.spawn().expect("runs");
    let mut most = 0;
    while child.try_wait().expect("waits").is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        most = most.max(kilobytes.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(2));
    }
    println!("  {name}: peak memory {:.1} MB with two workers", most as f64 / 1024.0);
}

fn open(paths: &[PathBuf], options: &Options) -> Session {
    Session::open(paths, &Options { verdicts_only: true, ..options.clone() })
}

fn label(session: &Session, workers: usize) {
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
    let batches = paths.iter().flat_map(|path| children(&path.join("runs")));
    let runs: Vec<PathBuf> =
        batches.flat_map(|batch| children(&batch)).flat_map(|task| children(&task)).collect();
    let files = runs.iter().take(1000).flat_map(|run| children(run));
    let files = files.filter(|file| file.extension().is_some_and(|end| end == "gz"));
    (runs.len(), files.map(|file| fs::read(file).expect("reads")).collect())
}

fn with(plan: &Plan, measure: impl FnOnce(&[PathBuf], &Options)) {
    let scratch = tempfile::tempdir_in(target()).expect("a folder");
    measure(&[synthetic::write(scratch.path(), plan)], &Options::default());
}

fn merged(made: &Path) -> Option<(Vec<PathBuf>, PathBuf)> {
    let archives: Vec<PathBuf> =
        children(made).into_iter().filter(|archive| archive.join("generation.json").is_file()).collect();
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/agentrelbench");
    (!archives.is_empty() && shared.is_dir()).then_some((archives, shared))
}

fn target() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target")
}

/// The entries of a folder by name; none if there is no such folder. Hidden ones and the runner's staging
/// are left out.
fn children(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let shown =
        |path: &PathBuf| path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with(['.', '_']));
    let mut paths: Vec<PathBuf> = entries.filter(shown).collect();
    paths.sort();
    paths
}
