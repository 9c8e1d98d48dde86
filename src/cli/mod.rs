//! The command line: arguments, one file a subcommand, exit codes. The only module that prints.
//!
//! Exit codes: 0 fine (warnings allowed), 1 errors, all of them listed, 2 usage.

mod args;
mod cache;
mod compare;
mod criteria;
mod explore;
mod interrupt;
mod label;
mod output;
mod plan;
mod sample;
mod show;
mod stats;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

/// Runs the program with these arguments (the first is its name).
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = match Args::try_parse_from(arguments) {
        Ok(args) => args,
        Err(error) => {
            // clap prints help and version to stdout with 0, usage errors to stderr with 2.
            let code = error.exit_code();
            let _ = error.print();
            return ExitCode::from(u8::try_from(code).unwrap_or(2));
        }
    };
    let result = match args.command {
        None => explore::run(&args.explore),
        Some(Command::Label(label)) => label::run(&label),
        Some(Command::Show(show)) => show::run(&show),
        Some(Command::Verify(verify)) => verify::run(&verify),
        Some(Command::Sample(sample)) => sample::run(&sample),
        Some(Command::Stats(stats)) => stats::run(&stats),
        Some(Command::Criteria(criteria)) => criteria::run(&criteria),
        Some(Command::Compare(compare)) => compare::run(&compare),
        Some(Command::Plan(plan)) => plan::run(&plan),
        Some(Command::Cache(cache)) => cache::run(&cache),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
