//! What the explorer costs: opening from the cache, memory, keys, frames, very large runs, doing nothing.
//!
//! `cargo bench --bench explorer` measures everything; a word narrows it down (`-- million`). Keys and frames
//! are CPU time of the thread that draws, as median (least–most); what workers do is told apart. Archives are
//! made up below `target/`; the three that `tests/merged_archives.rs` makes are opened as well where they are.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a benchmark prints, and ends on what it cannot do"
)]

mod archives;
mod campaign;
#[path = "../common/clock.rs"]
mod clock;
mod frames;
mod idle;
mod large;
mod million;
#[path = "../common/places.rs"]
mod places;
mod process;
#[path = "../common/rebuilt.rs"]
mod rebuilt;
mod stage;
#[path = "../common/synthetic.rs"]
mod synthetic;

use std::path::Path;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, dir, cache] = arguments.as_slice()
        && word == million::CHILD
    {
        return million::opened(Path::new(dir), Path::new(cache));
    }
    let wanted: Vec<&String> = arguments.iter().filter(|word| !word.starts_with('-')).collect();
    let sections: [(&str, fn()); 5] = [
        ("archives", archives::measure),
        ("million", million::measure),
        ("frames", frames::measure),
        ("large", large::measure),
        ("idle", idle::measure),
    ];
    for (name, section) in sections {
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            println!("\n{name}");
            section();
        }
    }
}

/// The folder for what is made up.
fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}
