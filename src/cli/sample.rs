//! `gainsay sample`: writes the synthetic sample archive.

use super::args::SampleArgs;
use super::output::{Failure, print};
use crate::harness::sample;
use crate::report::text::printable;

pub(super) fn run(args: &SampleArgs) -> Result<(), Failure> {
    let summary =
        sample::write(&args.dir).map_err(|error| Failure::Errors(vec![format!("gainsay: {error}")]))?;
    print(&format!(
        "synthetic archive of {} models × {} tasks, {} runs made, {} files ({:.1} MB) in {dir}\nopen it: gainsay {dir}\n",
        summary.models,
        summary.tasks,
        summary.runs,
        summary.files,
        megabytes(summary.bytes),
        dir = printable(&args.dir.display().to_string())
    ))
}

#[allow(clippy::cast_precision_loss, reason = "one decimal is shown")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
