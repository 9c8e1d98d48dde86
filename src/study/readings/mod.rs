//! Criteria read from data: each claim's reading with the numbers, floors, cells and runs behind it.

mod condition;
mod instruments;
mod sub_label;

use std::collections::BTreeMap;
use std::fmt;

use super::Study;
use super::campaign::{CellKind, Criterion, ErroredCells, Falsifier, Requirement, Settings, Weighting};
use super::figures::{CellId, Figure, NoFigure, Over, cells_of, distinct_models, is_over_ceiling};
use crate::model::{SubLabel, shown};
use crate::stats::Count;
use condition::Scope;

/// What the data say of a claim. From the weakest to the strongest, so that the least of several is the
/// reading of all together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reading {
    /// what refutes it was seen, and reproduced as asked
    Falsified,
    /// tested, and not so
    Demoted,
    /// no model that could test it
    InvalidInstrument,
    /// no data that could test it
    Untested,
    /// too few data to test it: the figure is descriptive
    Underpowered,
    /// holds in a range of capability at most: the models at hand neither confirm nor refute it
    Bounded,
    /// tested, and so
    Replicated,
}

impl Reading {
    /// All readings, from the weakest to the strongest.
    pub const ALL: [Self; 7] = [
        Self::Falsified,
        Self::Demoted,
        Self::InvalidInstrument,
        Self::Untested,
        Self::Underpowered,
        Self::Bounded,
        Self::Replicated,
    ];

    /// The word in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Falsified => "falsified",
            Self::Demoted => "demoted",
            Self::InvalidInstrument => "invalid_instrument",
            Self::Untested => "untested",
            Self::Underpowered => "underpowered",
            Self::Bounded => "bounded",
            Self::Replicated => "replicated",
        }
    }
}

/// A criterion, read.
#[derive(Clone, Debug, PartialEq)]
pub struct CriterionReading {
    /// Its id.
    pub id: String,
    /// The claim.
    pub claim: String,
    /// The pool it was read on.
    pub pool: String,
    /// What its claim, the first condition, reads; `falsified` if the falsifier fired.
    pub reading: Reading,
    /// What all its conditions together read: the weakest of them.
    pub whole: Reading,
    /// The conditions, the claim first.
    pub conditions: Vec<ConditionReading>,
    /// The models it was to be read on.
    pub instruments: Vec<Instrument>,
    /// Models that were asked for and have no runs here.
    pub absent: Vec<String>,
    /// What became of cells over the errored ceiling.
    pub errored: ErroredCells,
    /// Those cells.
    pub over_ceiling: Vec<CellId>,
    /// What would refute it.
    pub falsifier: Option<FalsifierReading>,
}

/// One model as an instrument of a criterion.
#[derive(Clone, Debug, PartialEq)]
pub struct Instrument {
    /// Index into [`Study::models`].
    pub model: usize,
    /// Its cells in the criterion's tasks.
    pub cells: Vec<CellId>,
    /// Its successes over these tasks.
    pub success: Count,
    /// Its damage runs over these tasks.
    pub damage: Count,
    /// It reaches the engagement floor; true where none is asked for.
    pub engaged: bool,
    /// Its errored runs over these tasks. With an engagement floor, more than the ceiling is invalid.
    pub errored: Count,
    /// It can test the claim.
    pub valid: bool,
}

/// A condition, read.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionReading {
    /// Its name.
    pub name: String,
    /// What is measured, in words.
    pub measure: &'static str,
    /// What is required.
    pub require: Requirement,
    /// What it reads.
    pub reading: Reading,
    /// Why, in one sentence for people.
    pub why: String,
    /// The figure under each weighting, with errored cells retained and excluded.
    pub values: Vec<Measured>,
    /// Denominators against their floors; all that are asked for.
    pub floors: Vec<FloorReading>,
    /// What each instrument shows, for a sub-label.
    pub per_model: Vec<ModelReading>,
    /// The cells behind it.
    pub cells: Vec<CellId>,
    /// The runs behind it, indices into [`Study::runs`].
    pub runs: Vec<usize>,
}

/// One value of a condition's measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// How it weighs cells, for a miss rate.
    pub weighting: Option<Weighting>,
    /// What became of cells over the errored ceiling.
    pub errored: ErroredCells,
    /// The figure.
    pub value: Figure,
    /// It is as required; nothing if undefined.
    pub meets: Option<bool>,
    /// The reading is made of it; otherwise it is shown only.
    pub decides: bool,
}

/// A denominator against its floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloorReading {
    /// What is counted: `pairs`, `events`, `cells`, `models`.
    pub what: &'static str,
    /// How many there are.
    pub found: u64,
    /// How many there must be.
    pub needed: u64,
}

impl FloorReading {
    /// The floor is reached.
    #[must_use]
    pub fn is_reached(self) -> bool {
        self.found >= self.needed
    }
}

impl fmt::Display for FloorReading {
    /// `5 pairs (floor 8)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = self.what.strip_suffix('s').unwrap_or(self.what);
        write!(f, "{} (floor {})", shown::plural(self.found, noun), shown::count(self.needed))
    }
}

/// What one instrument shows of a sub-label.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelReading {
    /// Index into [`Study::models`].
    pub model: usize,
    /// What it reads.
    pub reading: Reading,
    /// Runs with the sub-label, of all its runs.
    pub labelled: Count,
    /// Its damage runs by sub-label, those that occur.
    pub damage: BTreeMap<SubLabel, u64>,
    /// Its runs with the sub-label, indices into [`Study::runs`].
    pub runs: Vec<usize>,
}

/// A falsifier, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FalsifierReading {
    /// What was looked for.
    pub asked: Falsifier,
    /// Cells that are so, with the runs asked for.
    pub cells: Vec<CellId>,
    /// Tasks (indices into [`Study::tasks`]) on which as many models as asked show it.
    pub reproduced: Vec<usize>,
}

impl FalsifierReading {
    /// It refutes the claim.
    #[must_use]
    pub fn fired(&self) -> bool {
        !self.reproduced.is_empty()
    }
}

/// Reads every criterion of the study's campaign file; none without one.
#[must_use]
pub fn readings(study: &Study) -> Vec<CriterionReading> {
    let Some(campaign) = &study.campaign else { return Vec::new() };
    campaign.criteria.iter().map(|criterion| read(study, &campaign.settings, criterion)).collect()
}

/// Reads one criterion.
#[must_use]
pub fn read(study: &Study, settings: &Settings, criterion: &Criterion) -> CriterionReading {
    let (instruments, absent) = instruments::of(study, settings, criterion);
    let valid: Vec<&Instrument> = instruments.iter().filter(|instrument| instrument.valid).collect();
    let cells: Vec<CellId> = valid
        .iter()
        .flat_map(|instrument| &instrument.cells)
        .copied()
        .filter(|id| id.cell(study).is_some_and(|cell| cell.counts.n > 0))
        .collect();
    let (over_ceiling, below): (Vec<CellId>, Vec<CellId>) = cells
        .iter()
        .partition(|id| id.cell(study).is_some_and(|cell| is_over_ceiling(cell, settings.errored_ceiling)));
    let scope = Scope {
        study,
        settings,
        errored: criterion.errored,
        retained: &cells,
        excluded: &below,
        instruments: &valid,
        any_instrument: !instruments.is_empty(),
    };
    let conditions: Vec<ConditionReading> =
        criterion.conditions.iter().map(|condition| scope.read(condition)).collect();
    let falsifier = criterion.falsifier.map(|asked| falsifier(study, settings, scope.cells(), asked));
    let refuted = falsifier.as_ref().is_some_and(FalsifierReading::fired);
    let of = |reading: Option<Reading>| {
        if refuted { Reading::Falsified } else { reading.unwrap_or(Reading::Untested) }
    };
    CriterionReading {
        id: criterion.id.clone(),
        claim: criterion.claim.clone(),
        pool: criterion.pool.clone(),
        reading: of(conditions.first().map(|condition| condition.reading)),
        whole: of(conditions.iter().map(|condition| condition.reading).min()),
        conditions,
        instruments,
        absent,
        errored: criterion.errored,
        over_ceiling,
        falsifier,
    }
}

fn falsifier(study: &Study, settings: &Settings, cells: &[CellId], asked: Falsifier) -> FalsifierReading {
    let over = Over { study, cells };
    let of_kind = match asked.cell {
        CellKind::AlwaysFail => over.always_fail(),
        CellKind::Stochastic => over.stochastic(settings).cells,
        CellKind::DamageProducing => cells.iter().copied().filter(|id| id.damage(study).x > 0).collect(),
    };
    let found: Vec<CellId> = of_kind.into_iter().filter(|id| id.damage(study).n >= asked.runs).collect();
    let on_task =
        |task: usize| -> Vec<CellId> { found.iter().copied().filter(|id| id.task == task).collect() };
    let reproduced = (0..study.tasks.len())
        .filter(|&task| {
            let cells = on_task(task);
            !cells.is_empty() && distinct_models(study, &cells) as u64 >= asked.models
        })
        .collect();
    FalsifierReading { asked, cells: found, reproduced }
}

/// The damage runs of these cells, indices into [`Study::runs`].
fn damage_runs(study: &Study, cells: &[CellId]) -> Vec<usize> {
    let of = |id: &CellId| id.cell(study).map(|cell| cell.runs.clone()).unwrap_or_default();
    let damaged = |&run: &usize| {
        let verdict = study.runs.get(run).and_then(|run| run.verdict());
        verdict.is_some_and(|verdict| verdict.counts_as_damage)
    };
    cells.iter().flat_map(of).filter(damaged).collect()
}
