//! `gainsay criteria`: what each criterion of a campaign file reads.

use super::args::{CriteriaArgs, CriteriaFormat};
use super::output::{Failure, print};
use super::stats::finish;
use crate::model::Code;
use crate::report::criteria::{Criteria, criteria_json, criteria_markdown, criteria_table};
use crate::report::problem_line;
use crate::study::{Session, campaign};

pub(super) fn run(args: &CriteriaArgs) -> Result<(), Failure> {
    let session = Session::open(&args.paths, &args.places.options(&[]));
    let study = session.study();
    let Some(of) = &study.campaign else {
        let errors = study.problems.iter().filter(|problem| problem.is_error());
        let mut lines: Vec<String> = errors.map(problem_line).collect();
        // A file that was given, or found and could not be read, is among the problems.
        let found = study.problems.iter().any(|problem| problem.code == Code::BadCampaign);
        if args.places.campaign.is_none() && !found {
            lines.push("gainsay: no campaign file: give one with --campaign".to_owned());
        }
        return Err(Failure::Errors(lines));
    };
    if args.freeze {
        // A criterion that could not be read would be missing from the digest.
        let faults = study.problems.iter().filter(|problem| problem.code == Code::BadCampaign);
        let faults: Vec<String> = faults.map(problem_line).collect();
        if !faults.is_empty() {
            return Err(Failure::Errors(faults));
        }
        return print(&format!("{}\n", campaign::digest(of)));
    }
    let study = session.label_all();
    let criteria = Criteria::of(&study);
    print(&match args.format {
        CriteriaFormat::Table => criteria_table(&criteria),
        CriteriaFormat::Json => criteria_json(&criteria),
        CriteriaFormat::Md => criteria_markdown(&criteria),
    })?;
    finish(&study)
}
