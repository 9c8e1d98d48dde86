//! `gainsay sample`: writes the synthetic sample archive.

use super::args::SampleArgs;
use super::output::{Failure, print};
use crate::harness::sample;

pub(super) fn run(args: &SampleArgs) -> Result<(), Failure> {
    let summary = sample::write(&args.dir).map_err(|error| Failure::Errors(vec![format!("gainsay: {error}")]))?;
    print(&format!("{summary}\nopen it: gainsay {}\n", args.dir.display()))
}
