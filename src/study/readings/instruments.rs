//! The models a criterion is read on, and whether they can test it.

use super::{CellId, Instrument, cells_of};
use crate::stats::Count;
use crate::study::campaign::{Criterion, Settings};
use crate::study::{Counts, Study};

/// The criterion's models that have runs, and the names of those that have none.
pub(super) fn of(
    study: &Study,
    settings: &Settings,
    criterion: &Criterion,
) -> (Vec<Instrument>, Vec<String>) {
    let of_pool: Vec<usize> = study
        .models
        .iter()
        .enumerate()
        .filter(|(_, row)| row.pool.as_deref() == Some(criterion.pool.as_str()))
        .map(|(index, _)| index)
        .collect();
    let is = |model: &usize, name: &str| {
        study
            .models
            .get(*model)
            .is_some_and(|row| row.full_name == name || row.display.as_deref() == Some(name))
    };
    let asked = &criterion.models;
    let models: Vec<usize> = of_pool
        .into_iter()
        .filter(|model| asked.is_empty() || asked.iter().any(|name| is(model, name)))
        .collect();
    let mut absent: Vec<String> =
        asked.iter().filter(|name| !models.iter().any(|model| is(model, name))).cloned().collect();
    let mut instruments = Vec::new();
    for model in models {
        let cells = cells_in(study, model, &criterion.tasks);
        if cells.is_empty() {
            absent.push(study.models.get(model).map(|row| row.title().to_owned()).unwrap_or_default());
        } else {
            instruments.push(instrument(study, settings, criterion, model, cells));
        }
    }
    (instruments, absent)
}

fn cells_in(study: &Study, model: usize, tasks: &[String]) -> Vec<CellId> {
    let wanted = |id: &CellId| {
        tasks.is_empty() || study.tasks.get(id.task).is_some_and(|task| tasks.contains(&task.id))
    };
    cells_of(study, &[model]).into_iter().filter(wanted).collect()
}

#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn instrument(
    study: &Study,
    settings: &Settings,
    criterion: &Criterion,
    model: usize,
    cells: Vec<CellId>,
) -> Instrument {
    let mut counts = Counts::default();
    for cell in cells.iter().filter_map(|id| id.cell(study)) {
        counts += cell.counts;
    }
    let n = counts.n;
    let engaged = criterion.engagement.is_none_or(|floor| n > 0 && floor.is_reached_by(counts.success, n));
    // Without an engagement floor a model is no instrument of its own: its errored cells are judged one by
    // one.
    let errored_out =
        criterion.engagement.is_some() && counts.errored as f64 / n as f64 > settings.errored_ceiling;
    Instrument {
        model,
        cells,
        success: Count::new(counts.success, n),
        damage: Count::new(counts.damage, n),
        engaged,
        errored: Count::new(counts.errored, n),
        valid: n > 0 && engaged && !errored_out,
    }
}
