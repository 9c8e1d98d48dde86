//! `gainsay show`: one run as text or JSON.

use std::path::PathBuf;

use super::args::ShowArgs;
use super::output::{Failure, print};
use crate::model::Address;
use crate::report::{problem_line, run_json, run_text};
use crate::study::{Session, Study};

pub(super) fn run(args: &ShowArgs) -> Result<(), Failure> {
    let address: Address = args.address.parse().map_err(|error| Failure::Usage(format!("{error}")))?;
    let session = Session::open(&[PathBuf::from(&address.archive)], &args.places.options(&[]));
    let study = session.study();
    let view = Session::find(&study, &address).and_then(|run| session.view(&study, run));
    let Some(view) = view else { return Err(Failure::Errors(not_found(&study, &address))) };
    print(&if args.json { run_json(&view) } else { run_text(&view) })
}

/// What there is instead: the models, the tasks or the runs, whichever part does not fit.
fn not_found(study: &Study, address: &Address) -> Vec<String> {
    let mut lines: Vec<String> =
        study.problems.iter().filter(|problem| problem.is_error()).map(problem_line).collect();
    let models: Vec<&str> = study.models.iter().map(|model| model.name.as_str()).collect();
    let tasks: Vec<&str> = study.tasks.iter().map(|task| task.id.as_str()).collect();
    let named = study.models_named(&address.model);
    lines.push(if named.is_empty() {
        format!("no model `{}` in {}; there are: {}", address.model, address.archive, models.join(", "))
    } else if !tasks.contains(&address.task.as_str()) {
        format!("no task `{}` in {}; there are: {}", address.task, address.archive, tasks.join(", "))
    } else if named.len() > 1 {
        let names: Vec<&str> =
            named.iter().filter_map(|&row| Some(study.models.get(row)?.name.as_str())).collect();
        format!("`{}` is several rows of results: {}", address.model, names.join(", "))
    } else {
        format!("{} × {} has no run `{}`", address.model, address.task, address.run)
    });
    lines
}
