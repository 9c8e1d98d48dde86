//! Criteria as JSON: documented in the README, stable, one format number.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Criteria;
use crate::model::SubLabel;
use crate::stats::Count;
use crate::study::Study;
use crate::study::campaign::FrozenState;
use crate::study::figures::CellId;
use crate::study::readings::{
    ConditionReading, CriterionReading, FalsifierReading, FloorReading, Instrument, Measured, ModelReading,
};

/// Counts up when a field changes its meaning or goes; new fields do not count.
const FORMAT: &str = "gainsay.criteria/1";

/// All readings with the numbers, cells and runs behind them. Cells are `model/task` and runs
/// `model/task/run`, as in addresses.
#[must_use]
pub fn criteria_json(criteria: &Criteria<'_>) -> String {
    let study = criteria.study;
    let document = Document {
        format: FORMAT,
        campaign: study.campaign.as_ref().and_then(|campaign| campaign.name.as_deref()),
        synthetic: study.synthetic.as_deref(),
        frozen: frozen(&criteria.frozen),
        criteria: criteria.readings.iter().map(|reading| criterion(study, reading)).collect(),
    };
    crate::report::json_text(&document)
}

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    campaign: Option<&'a str>,
    synthetic: Option<&'a str>,
    frozen: Option<FrozenOut<'a>>,
    criteria: Vec<CriterionOut<'a>>,
}

#[derive(Serialize)]
struct FrozenOut<'a> {
    digest: &'a str,
    date: &'a str,
    matches: bool,
    before_first_run: Option<bool>,
    first_run: Option<&'a str>,
}

#[derive(Serialize)]
struct CriterionOut<'a> {
    id: &'a str,
    claim: &'a str,
    pool: &'a str,
    reading: &'static str,
    whole: &'static str,
    conditions: Vec<ConditionOut<'a>>,
    instruments: Vec<InstrumentOut>,
    absent: &'a [String],
    errored: &'static str,
    over_ceiling: Vec<String>,
    falsifier: Option<FalsifierOut>,
}

#[derive(Serialize)]
struct ConditionOut<'a> {
    name: &'a str,
    measure: &'static str,
    require: String,
    reading: &'static str,
    why: &'a str,
    values: Vec<ValueOut>,
    floors: Vec<FloorOut>,
    per_model: Vec<ModelOut>,
    cells: Vec<String>,
    runs: Vec<String>,
}

#[derive(Serialize)]
struct ValueOut {
    weighting: Option<&'static str>,
    errored_cells: &'static str,
    value: Option<f64>,
    undefined: Option<String>,
    meets: Option<bool>,
    decides: bool,
}

#[derive(Serialize)]
struct FloorOut {
    what: &'static str,
    found: u64,
    needed: u64,
    reached: bool,
}

#[derive(Serialize)]
struct ModelOut {
    model: String,
    reading: &'static str,
    labelled: CountOut,
    damage: BTreeMap<&'static str, u64>,
    runs: Vec<String>,
}

#[derive(Serialize)]
struct InstrumentOut {
    model: String,
    success: CountOut,
    damage: CountOut,
    errored: CountOut,
    engaged: bool,
    valid: bool,
}

#[derive(Serialize)]
struct FalsifierOut {
    cell: &'static str,
    runs: u64,
    models: u64,
    fired: bool,
    cells: Vec<String>,
    reproduced: Vec<String>,
}

#[derive(Serialize)]
struct CountOut {
    x: u64,
    n: u64,
}

impl From<Count> for CountOut {
    fn from(Count { x, n }: Count) -> Self {
        Self { x, n }
    }
}

fn frozen(state: &FrozenState) -> Option<FrozenOut<'_>> {
    match state {
        FrozenState::NotFrozen => None,
        FrozenState::Recorded { digest, date, matches, before_first_run, first_run } => Some(FrozenOut {
            digest,
            date,
            matches: *matches,
            before_first_run: *before_first_run,
            first_run: first_run.as_deref(),
        }),
    }
}

fn criterion<'a>(study: &Study, of: &'a CriterionReading) -> CriterionOut<'a> {
    CriterionOut {
        id: &of.id,
        claim: &of.claim,
        pool: &of.pool,
        reading: of.reading.as_str(),
        whole: of.whole.as_str(),
        conditions: of.conditions.iter().map(|of| condition(study, of)).collect(),
        instruments: of.instruments.iter().map(|of| instrument(study, of)).collect(),
        absent: &of.absent,
        errored: of.errored.as_str(),
        over_ceiling: cells(study, &of.over_ceiling),
        falsifier: of.falsifier.as_ref().map(|of| falsifier(study, of)),
    }
}

fn condition<'a>(study: &Study, of: &'a ConditionReading) -> ConditionOut<'a> {
    ConditionOut {
        name: &of.name,
        measure: of.measure,
        require: of.require.to_string(),
        reading: of.reading.as_str(),
        why: &of.why,
        values: of.values.iter().map(value).collect(),
        floors: of.floors.iter().copied().map(floor).collect(),
        per_model: of.per_model.iter().map(|of| per_model(study, of)).collect(),
        cells: cells(study, &of.cells),
        runs: runs(study, &of.runs),
    }
}

fn value(of: &Measured) -> ValueOut {
    ValueOut {
        weighting: of.weighting.map(|by| by.as_str()),
        errored_cells: of.errored.as_str(),
        value: of.value.as_ref().ok().copied(),
        undefined: of.value.as_ref().err().map(ToString::to_string),
        meets: of.meets,
        decides: of.decides,
    }
}

fn floor(of: FloorReading) -> FloorOut {
    FloorOut { what: of.what, found: of.found, needed: of.needed, reached: of.is_reached() }
}

fn per_model(study: &Study, of: &ModelReading) -> ModelOut {
    ModelOut {
        model: model(study, of.model),
        reading: of.reading.as_str(),
        labelled: of.labelled.into(),
        damage: of.damage.iter().map(|(label, count): (&SubLabel, &u64)| (label.as_str(), *count)).collect(),
        runs: runs(study, &of.runs),
    }
}

fn instrument(study: &Study, of: &Instrument) -> InstrumentOut {
    InstrumentOut {
        model: model(study, of.model),
        success: of.success.into(),
        damage: of.damage.into(),
        errored: of.errored.into(),
        engaged: of.engaged,
        valid: of.valid,
    }
}

fn falsifier(study: &Study, of: &FalsifierReading) -> FalsifierOut {
    let task = |task: &usize| study.tasks.get(*task).map(|row| row.id.clone()).unwrap_or_default();
    FalsifierOut {
        cell: of.asked.cell.as_str(),
        runs: of.asked.runs,
        models: of.asked.models,
        fired: of.fired(),
        cells: cells(study, &of.cells),
        reproduced: of.reproduced.iter().map(task).collect(),
    }
}

fn model(study: &Study, index: usize) -> String {
    study.models.get(index).map(|row| row.name.clone()).unwrap_or_default()
}

fn cells(study: &Study, cells: &[CellId]) -> Vec<String> {
    cells.iter().map(|cell| cell.name(study)).collect()
}

fn runs(study: &Study, runs: &[usize]) -> Vec<String> {
    let one = |&run: &usize| {
        let run = study.runs.get(run)?;
        Some(format!("{}/{}", CellId { model: run.model, task: run.task }.name(study), run.name))
    };
    runs.iter().filter_map(one).collect()
}
