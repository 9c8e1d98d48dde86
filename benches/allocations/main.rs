//! How often labelling asks for memory: what is equal in both dumps must cost none.
//!
//! Counted, not measured, so that the numbers are the same wherever and whenever it runs. A run of a known seed is
//! counted, as the difference between many runs and few.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and ends on what it cannot do"
)]

#[path = "../common/places.rs"]
#[allow(dead_code, reason = "shared with another bench")]
mod places;
#[path = "../common/shapes.rs"]
#[allow(dead_code, reason = "shared with another bench")]
mod shapes;
#[path = "../common/synthetic.rs"]
#[allow(dead_code, reason = "shared with another bench")]
mod synthetic;

use std::alloc::System;
use std::path::PathBuf;

use gainsay::study::{Options, Session};
use shapes::large;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use synthetic::{Plan, Shape};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    println!("\nallocations");
    let wide: Vec<Shape> =
        large().into_iter().map(|shape| Shape { columns: 4 * shape.columns, ..shape }).collect();
    let long: Vec<Shape> = large().into_iter().map(|shape| Shape { rows: 4 * shape.rows, ..shape }).collect();
    for (name, shapes) in
        [("10,633 rows", large()), ("of 4 times the columns", wide), ("4 times the rows", long)]
    {
        let rows: usize = shapes.iter().map(|shape| shape.rows).sum();
        let cells: usize = shapes.iter().map(|shape| shape.rows * shape.columns).sum();
        for changed in [0, 10, rows] {
            let count = a_run(&shapes, changed);
            let each = if changed == 0 { 0.0 } else { count / changed as f64 };
            println!(
                "  {name}, {changed} changed: {count:.0} allocations a run, {each:.2} a changed row, {:.5} a cell",
                count / cells as f64
            );
        }
    }
}

/// How often memory is asked for in one run.
fn a_run(shapes: &[Shape], changed: usize) -> f64 {
    let [few, many] = [8, 24].map(|runs| {
        let scratch = tempfile::tempdir_in(places::target()).expect("a folder");
        let plan = Plan { shapes: shapes.to_vec(), runs, per_task: 100, changed };
        let paths: [PathBuf; 1] = [synthetic::write(scratch.path(), &plan)];
        let session = Session::open(&paths, &Options { verdicts_only: true, ..Options::default() });
        let region = Region::new(ALLOCATOR);
        session.label_on(1, &mut |_| true);
        let change = region.change();
        change.allocations + change.reallocations
    });
    (many - few) as f64 / 16.0
}
