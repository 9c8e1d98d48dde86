//! `gainsay verify`: everything is checked, nothing is written.

use super::args::VerifyArgs;
use super::output::{Failure, print, settle};
use crate::report::{Totals, numbers};
use crate::study::{Options, Session};

pub(super) fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let options = Options { verdicts_only: true, ..args.places.options(&[]) };
    let session = Session::open(&args.paths, &options);
    let study = session.label_all();
    let counts = Totals::of(&study).counts;
    let printed = print(&format!(
        "{} runs on disk: {} judged ({} with damage), {} without verdict; {}\n",
        numbers::count(counts.on_disk),
        numbers::count(counts.n),
        numbers::count(counts.damage),
        numbers::count(counts.no_verdict),
        numbers::plural(study.problems.len() as u64, "problem")
    ));
    settle(&study.problems).and(printed)
}
