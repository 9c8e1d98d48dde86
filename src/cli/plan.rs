//! `gainsay plan`: how many further runs settle a cell.

use super::args::{PlanArgs, PlanFormat};
use super::output::{Failure, print};
use super::stats::finish;
use crate::report::plan::{plan_json, plan_table};
use crate::stats::Interval;
use crate::study::figures::{CellId, cells_of};
use crate::study::plan::{Goal, plans};
use crate::study::{Session, Study};

pub(super) fn run(args: &PlanArgs) -> Result<(), Failure> {
    let study = Session::open(&args.paths, &args.places.options(&[])).label_all();
    let settings = study.campaign.as_ref().map(|campaign| campaign.settings.clone()).unwrap_or_default();
    let [low, high] = args.band.unwrap_or(settings.band);
    let goal = match (args.width, args.detect) {
        (Some(width), _) => Goal::Width(width),
        (None, Some(probability)) => Goal::Detect(probability),
        (None, None) => Goal::Band(Interval { low, high }),
    };
    let alpha = args.alpha.unwrap_or(settings.alpha);
    let every: Vec<usize> = (0..study.models.len()).collect();
    let mut cells = cells_of(&study, &every);
    if let Some(named) = &args.cell {
        cells = vec![cell(&study, named)?];
    }
    let plans = plans(&study, &cells, goal, alpha);
    print(&match args.format {
        PlanFormat::Table => plan_table(&study, &plans, goal, alpha),
        PlanFormat::Json => plan_json(&study, &plans, goal, alpha),
    })?;
    finish(&study)
}

/// The cell of `MODEL/TASK`, the model by any of its names.
fn cell(study: &Study, named: &str) -> Result<CellId, Failure> {
    let unknown = || Failure::Usage(format!("no cell `{named}`: expected MODEL/TASK as on the map"));
    let (model, task) = named.rsplit_once('/').ok_or_else(unknown)?;
    let task = study.tasks.iter().position(|row| row.id == task).ok_or_else(unknown)?;
    let cells = study.models_named(model).into_iter().map(|model| CellId { model, task });
    let found: Vec<CellId> = cells.filter(|id| id.cell(study).is_some_and(|cell| !cell.is_blank())).collect();
    match found.as_slice() {
        [] => Err(unknown()),
        [only] => Ok(*only),
        several => {
            let names: Vec<String> = several.iter().map(|cell| cell.name(study)).collect();
            Err(Failure::Usage(format!("`{named}` is several cells: {}", names.join(", "))))
        }
    }
}
