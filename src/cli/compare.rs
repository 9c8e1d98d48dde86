//! `gainsay compare`: two archives, cell by cell.

use super::args::{CompareArgs, CompareFormat};
use super::output::{Failure, print};
use super::stats::finish;
use crate::report::compare::{compare_csv, compare_json, compare_table};
use crate::study::compare::compare;
use crate::study::{Options, Session};

pub(super) fn run(args: &CompareArgs) -> Result<(), Failure> {
    let options = Options {
        tasks: args.tasks.clone(),
        registry: args.registry.clone(),
        limits: args.caps.limits(),
        ..Options::default()
    };
    let open = |path: &std::path::PathBuf| Session::open(std::slice::from_ref(path), &options).label_all();
    let (before, after) = (open(&args.before), open(&args.after));
    let compared = compare(&before, &after, args.seed);
    if compared.models.is_empty() {
        let problems = before.problems.iter().chain(&after.problems).map(crate::report::problem_line);
        let hint = "gainsay: no model in both".to_owned();
        return Err(Failure::Errors(problems.chain([hint]).collect()));
    }
    print(&match args.format {
        CompareFormat::Table => compare_table(&compared, &before, &after),
        CompareFormat::Json => compare_json(&compared, &before, &after),
        CompareFormat::Csv => compare_csv(&compared, &before, &after),
    })?;
    let (first, second) = (finish(&before), finish(&after));
    first.and(second)
}
