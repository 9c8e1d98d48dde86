//! What labelling costs, against the one thing that cannot be saved: inflating both dumps of each run.
//!
//! `cargo bench` measures everything; a word narrows it down (`cargo bench --bench labelling -- growth`). Numbers
//! are ratios of CPU time in one process, rounds taken in turn, as median (least–most). Archives are made up below
//! `target/`; the three that `tests/merged_archives.rs` makes are measured as well where they are. With
//! `ARB=<checkout>` the Python reference labels them, too.
//!
//! | file | its job |
//! | --- | --- |
//! | `compare` | labels and inflates in turn, and prints both |
//! | `memory` | the most memory the program holds |
//! | `released` | sections on the archives rebuilt from released verdicts: by domain, against the reference |
//! | `made_up` | sections on archives made up on the spot: sizes, changed rows, rows, growth, cores |
//! | `ratio` | two things compared, round by round |
//! | `scaling` | runs that are very large in one way each |
//! | `sqlite` | dumps as database files |
//! | `startup` | the program's start and size |

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints, and ends on what it cannot do"
)]

#[path = "../common/clock.rs"]
mod clock;
mod compare;
mod made_up;
mod memory;
#[path = "../common/places.rs"]
mod places;
mod ratio;
#[path = "../common/rebuilt.rs"]
mod rebuilt;
mod released;
mod scaling;
#[path = "../common/shapes.rs"]
mod shapes;
mod sqlite;
mod startup;
#[path = "../common/synthetic.rs"]
mod synthetic;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// By the word that narrows it down.
const SECTIONS: [(&str, fn()); 10] = [
    ("released", released::by_domain),
    ("sizes", made_up::sizes),
    ("changed", made_up::changed),
    ("rows", made_up::rows),
    ("growth", made_up::growth),
    ("cores", made_up::cores),
    ("scaling", scaling::scaling),
    ("sqlite", sqlite::sqlite),
    ("startup", startup::startup),
    ("reference", released::reference),
];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    for (name, section) in SECTIONS {
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            println!("\n{name}");
            section();
        }
    }
}
