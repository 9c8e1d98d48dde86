//! Sections on archives made up on the spot.

use std::path::PathBuf;

use gainsay::study::Options;

use crate::compare::{compare, label, open};
use crate::memory::peak;
use crate::places::target;
use crate::ratio::{times, wall_ms};
use crate::shapes::{large, small};
use crate::synthetic::{self, Plan, one};

/// The field's two sizes.
pub fn sizes() {
    for (name, shapes) in [("large dumps", large()), ("small dumps", small())] {
        with(&Plan { shapes, runs: 64, per_task: 16, changed: 2 }, |paths, options| {
            compare(name, paths, options, 7);
            peak(name, paths, options);
        });
    }
}

/// From no changed row to all of them.
pub fn changed() {
    for changed in [0, 1, 10, 100, 1000, 10_633] {
        with(&Plan { shapes: large(), runs: 32, per_task: 16, changed }, |paths, options| {
            compare(&format!("{changed} rows changed of 10,633"), paths, options, 5);
        });
    }
}

/// One table, ten rows changed, sixteen runs of a task.
pub fn rows() {
    for rows in [1000, 10_000, 100_000, 1_000_000] {
        with(&Plan { shapes: one(rows), runs: 16, per_task: 16, changed: 10 }, |paths, options| {
            compare(&format!("{rows} rows"), paths, options, 3);
        });
    }
}

/// More and more runs: what one takes must not grow.
pub fn growth() {
    let mut first = None;
    for runs in [100, 1000, 10_000, 100_000] {
        with(&Plan { shapes: small(), runs, per_task: 20, changed: 2 }, |paths, options| {
            let run = compare(&format!("{runs} runs"), paths, options, 3).median();
            let grown = run / *first.get_or_insert(run);
            println!("    {grown:.2} × as much a run as of 100");
        });
    }
}

/// One worker and two, by wall time.
pub fn cores() {
    with(&Plan { shapes: large(), runs: 128, per_task: 16, changed: 2 }, |paths, options| {
        let (mut single, mut double) = (Vec::new(), Vec::new());
        for _ in 0..7 {
            single.push(wall_ms(|| label(&open(paths, options), 1)));
            double.push(wall_ms(|| label(&open(paths, options), 2)));
        }
        println!("  two workers are {} × one", times(&single, &double));
    });
}

fn with(plan: &Plan, measure: impl FnOnce(&[PathBuf], &Options)) {
    let scratch = tempfile::tempdir_in(target()).expect("a folder");
    measure(&[synthetic::write(scratch.path(), plan)], &Options::default());
}
