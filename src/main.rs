//! The `gainsay` program: see the library's documentation for the map of the house.

use std::process::ExitCode;

/// A changed row is dozens of small values: the system's allocator takes as long for them as all else together.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    gainsay::cli::run(std::env::args_os())
}
