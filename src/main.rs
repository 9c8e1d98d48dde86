//! The `gainsay` program: see the library's documentation for the map of the house.

use std::process::ExitCode;

fn main() -> ExitCode {
    gainsay::cli::run(std::env::args_os())
}
