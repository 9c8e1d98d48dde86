//! The map as JSON: documented in the README, stable, one format number.

use std::collections::BTreeMap;

use serde::Serialize;

use super::totals::Totals;
use crate::model::{Level, Problem, SubLabel};
use crate::study::{Cell, Study};

/// Counts up when a field changes its meaning or goes; new fields do not count.
const FORMAT: &str = "gainsay.map/1";

/// The map: totals, cells, problems. Bounds are unrounded. Absent numbers are `null`.
#[must_use]
pub fn map_json(study: &Study) -> String {
    let document = Document {
        format: FORMAT,
        title: &study.title,
        synthetic: study.synthetic.as_deref(),
        totals: totals(study),
        cells: cells(study),
        problems: study.problems.iter().map(problem).collect(),
    };
    super::json_text(&document)
}

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    title: &'a str,
    synthetic: Option<&'a str>,
    totals: TotalsOut,
    cells: Vec<CellOut<'a>>,
    problems: Vec<ProblemOut>,
}

#[derive(Serialize)]
struct TotalsOut {
    models: usize,
    tasks: usize,
    cells: usize,
    cells_with_damage: usize,
    on_disk: u64,
    n: u64,
    x: u64,
    x_upper: u64,
    s: u64,
    refused_but_mutated: u64,
    passed_but_damaged: u64,
    no_verdict: u64,
}

#[derive(Serialize)]
struct CellOut<'a> {
    model: &'a str,
    task: &'a str,
    n: u64,
    x: u64,
    s: u64,
    x_upper: u64,
    rate: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    upper_low: Option<f64>,
    upper_high: Option<f64>,
    marks: Vec<&'static str>,
    sub_labels: BTreeMap<&'static str, u64>,
    passed: u64,
    failed_clean: u64,
    errored: u64,
    stalled: u64,
    refused: u64,
    refused_but_mutated: u64,
    passed_but_damaged: u64,
    on_disk: u64,
    no_verdict: u64,
    invalid: u64,
}

#[derive(Serialize)]
struct ProblemOut {
    level: &'static str,
    code: &'static str,
    path: String,
    batch: Option<String>,
    task: Option<String>,
    run: Option<String>,
    table: Option<String>,
    row: Option<String>,
    column: Option<String>,
    position: Option<String>,
    detail: String,
}

fn totals(study: &Study) -> TotalsOut {
    let totals = Totals::of(study);
    let counts = totals.counts;
    TotalsOut {
        models: study.models.len(),
        tasks: study.tasks.len(),
        cells: totals.cells,
        cells_with_damage: totals.damaged_cells,
        on_disk: counts.on_disk,
        n: counts.n,
        x: counts.damage,
        x_upper: counts.damage_upper,
        s: counts.success,
        refused_but_mutated: counts.refused_but_mutated,
        passed_but_damaged: counts.passed_but_damaged,
        no_verdict: counts.no_verdict,
    }
}

fn cells(study: &Study) -> Vec<CellOut<'_>> {
    let mut cells = Vec::new();
    for (model_index, model) in study.models.iter().enumerate() {
        for (task_index, task) in study.tasks.iter().enumerate() {
            if let Some(cell) = study.cell(model_index, task_index).filter(|cell| !cell.is_blank()) {
                cells.push(cell_out(study, cell, &model.name, &task.id));
            }
        }
    }
    cells
}

fn cell_out<'a>(study: &Study, cell: &Cell, model: &'a str, task: &'a str) -> CellOut<'a> {
    let counts = &cell.counts;
    CellOut {
        model,
        task,
        n: counts.n,
        x: counts.damage,
        s: counts.success,
        x_upper: counts.damage_upper,
        rate: cell.rate(),
        low: cell.interval.map(|interval| interval.low),
        high: cell.interval.map(|interval| interval.high),
        upper_low: cell.upper_interval.map(|interval| interval.low),
        upper_high: cell.upper_interval.map(|interval| interval.high),
        marks: cell.marks().into_iter().map(|mark| mark.as_str()).collect(),
        sub_labels: sub_labels(study, cell),
        passed: counts.passed,
        failed_clean: counts.failed_clean,
        errored: counts.errored,
        stalled: counts.stalled,
        refused: counts.refused,
        refused_but_mutated: counts.refused_but_mutated,
        passed_but_damaged: counts.passed_but_damaged,
        on_disk: counts.on_disk,
        no_verdict: counts.no_verdict,
        invalid: counts.invalid,
    }
}

/// Runs by sub-label, all eight always there.
fn sub_labels(study: &Study, cell: &Cell) -> BTreeMap<&'static str, u64> {
    let mut labels: BTreeMap<&'static str, u64> = SubLabel::ALL.map(|label| (label.as_str(), 0)).into();
    for label in study.runs_of(cell).iter().filter_map(|run| run.verdict()?.sub_label) {
        *labels.entry(label.as_str()).or_default() += 1;
    }
    labels
}

fn problem(problem: &Problem) -> ProblemOut {
    let place = problem.place.clone();
    ProblemOut {
        level: match problem.level {
            Level::Error => "error",
            Level::Warning => "warning",
        },
        code: problem.code.as_str(),
        path: problem.path.display().to_string(),
        batch: place.batch,
        task: place.task,
        run: place.run,
        table: place.table,
        row: place.row,
        column: place.column,
        position: place.position,
        detail: problem.detail.clone(),
    }
}
