//! The program's start and size.

use std::fs;
use std::process::{Command, Stdio};

use crate::clock::Sample;
use crate::ratio::wall_ms;

/// From nothing to the usage text, in turn with a program that does nothing; and how large the program is.
pub fn startup() {
    let program = env!("CARGO_BIN_EXE_gainsay");
    let run = |command: &mut Command| {
        wall_ms(|| assert!(command.stdout(Stdio::null()).status().expect("runs").success()))
    };
    let (mut ours, mut floor) = (Vec::new(), Vec::new());
    for _ in 0..50 {
        floor.push(run(&mut Command::new("true")));
        ours.push(run(Command::new(program).arg("--help")));
    }
    let (ours, floor) = (Sample::new(ours), Sample::new(floor));
    println!("  to the usage text {ours} ms; a program that does nothing {floor} ms");
    let size = fs::metadata(program).expect("the program").len();
    println!("  the program has {:.1} MB", size as f64 / 1e6);
}
