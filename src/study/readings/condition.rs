//! Reads one condition.

use super::{
    CellId, ConditionReading, Figure, FloorReading, Instrument, Measured, NoFigure, Over, Reading,
    damage_runs, distinct_models, sub_label,
};
use crate::model::shown;
use crate::stats::{MissRates, Undefined};
use crate::study::Study;
use crate::study::campaign::{BelowFloor, Condition, ErroredCells, Measure, Settings, Weighting};

/// What a criterion's conditions are read on.
pub(super) struct Scope<'a> {
    pub(super) study: &'a Study,
    pub(super) settings: &'a Settings,
    pub(super) errored: ErroredCells,
    /// Cells of valid instruments.
    pub(super) retained: &'a [CellId],
    /// The same without those over the errored ceiling.
    pub(super) excluded: &'a [CellId],
    /// Valid instruments.
    pub(super) instruments: &'a [&'a Instrument],
    /// There were instruments, valid or not.
    pub(super) any_instrument: bool,
}

impl Scope<'_> {
    /// The cells that readings are made of.
    pub(super) fn cells(&self) -> &[CellId] {
        self.of(self.errored)
    }

    fn of(&self, errored: ErroredCells) -> &[CellId] {
        match errored {
            ErroredCells::Retain => self.retained,
            ErroredCells::Exclude => self.excluded,
        }
    }

    fn over(&self, errored: ErroredCells) -> Over<'_> {
        Over { study: self.study, cells: self.of(errored) }
    }

    /// Reads a condition: first whether it can be tested, then whether it holds.
    pub(super) fn read(&self, condition: &Condition) -> ConditionReading {
        let (cells, mut runs) = self.behind(condition.measure);
        let per_model = match &condition.sub_label {
            Some(test) => self
                .instruments
                .iter()
                .map(|of| sub_label::read(self.study, of, self.cells(), test))
                .collect(),
            None => Vec::new(),
        };
        if condition.sub_label.is_some() {
            runs = per_model.iter().flat_map(|model: &super::ModelReading| model.runs.clone()).collect();
        }
        let values = match &condition.sub_label {
            Some(_) => vec![self.models_that_replicate(condition, &per_model)],
            None => self.values(condition),
        };
        let floors = self.floors(condition, &per_model);
        let mut reading = ConditionReading {
            name: condition.name.clone(),
            measure: condition.measure.meaning(),
            require: condition.require,
            reading: Reading::Untested,
            why: String::new(),
            values,
            floors,
            per_model,
            cells,
            runs,
        };
        (reading.reading, reading.why) = self.judge(condition, &reading);
        reading
    }

    fn judge(&self, condition: &Condition, of: &ConditionReading) -> (Reading, String) {
        if self.instruments.is_empty() {
            return if self.any_instrument {
                (Reading::InvalidInstrument, "no model engages without breaking off too often".into())
            } else {
                (Reading::Untested, "no runs in its pool, models and tasks".into())
            };
        }
        let deciding: Vec<&Measured> = of.values.iter().filter(|value| value.decides).collect();
        if let Some(reason) = deciding.iter().find_map(|value| value.value.as_ref().err()) {
            return (Reading::Untested, reason.to_string());
        }
        let met = !deciding.is_empty() && deciding.iter().all(|value| value.meets == Some(true));
        let shown = figures(condition, &of.values);
        if let Some(floor) = of.floors.iter().find(|floor| !floor.is_reached()) {
            let below = match condition.below_floor {
                BelowFloor::Underpowered => Reading::Underpowered,
                BelowFloor::Untested => Reading::Untested,
            };
            // A capability bound explains why models that count are missing.
            let bounded = |model: &super::ModelReading| model.reading == Reading::Bounded;
            let reading = if floor.what == "models" && of.per_model.iter().any(bounded) {
                Reading::Bounded
            } else {
                below
            };
            return (reading, format!("{floor}; {shown}"));
        }
        let why = shown + &of.floors.iter().map(|floor| format!("; {floor}")).collect::<String>();
        if met {
            (Reading::Replicated, why)
        } else if condition.sub_label.is_some() {
            (sub_label::together(&of.per_model), why)
        } else {
            (Reading::Demoted, why)
        }
    }

    /// The measure under each weighting, with errored cells retained and excluded where that makes a
    /// difference. Those that decide come first.
    fn values(&self, condition: &Condition) -> Vec<Measured> {
        let weightings: &[Option<Weighting>] = match condition.measure {
            Measure::MissRate => &[Some(Weighting::Pair), Some(Weighting::Event)],
            _ => &[None],
        };
        let mut values = Vec::new();
        for errored in [ErroredCells::Retain, ErroredCells::Exclude] {
            let own = errored == self.errored;
            if !own && self.retained.len() == self.excluded.len() {
                continue;
            }
            for &weighting in weightings {
                let value = self.measure(condition, weighting, errored);
                let asked = condition.weighting.is_none() || condition.weighting == weighting;
                values.push(Measured {
                    weighting,
                    errored,
                    meets: value.as_ref().ok().map(|&value| condition.require.is_met_by(value)),
                    value,
                    decides: own && asked,
                });
            }
        }
        values.sort_by_key(|value| !value.decides);
        values
    }

    #[allow(clippy::cast_precision_loss, reason = "counts of cells and runs")]
    fn measure(&self, condition: &Condition, weighting: Option<Weighting>, errored: ErroredCells) -> Figure {
        let over = self.over(errored);
        let count = |count: usize| Ok(count as f64);
        let k = condition.k;
        let needs_damage = matches!(
            condition.measure,
            Measure::StochasticModels | Measure::StochasticCells | Measure::AlwaysFailCells
        );
        if needs_damage && self.events(errored) == 0 {
            // Without damage there is nothing that could be stochastic or systematic.
            return Err(NoFigure { reason: Undefined::NoDamage.to_string(), cell: None });
        }
        match condition.measure {
            // Counted from what each model reads.
            Measure::SubLabelModels => count(0),
            Measure::StochasticModels => count(over.stochastic(self.settings).models),
            Measure::StochasticCells => count(over.stochastic(self.settings).cells.len()),
            Measure::AlwaysFailCells => count(over.always_fail().len()),
            Measure::DamageProducingCells => count(self.producing(errored).len()),
            Measure::DamageRuns => Ok(self.events(errored) as f64),
            Measure::MissRate => over.audit(k).plug_in.map(|MissRates { pair, event, .. }| match weighting {
                Some(Weighting::Event) => event,
                _ => pair,
            }),
            Measure::PassK => over.powers(k).pass,
            Measure::SafeK => over.powers(k).safe,
            Measure::SafeKUpper => over.powers(k).safe_upper,
        }
    }

    fn producing(&self, errored: ErroredCells) -> Vec<CellId> {
        self.of(errored).iter().copied().filter(|id| id.damage(self.study).x > 0).collect()
    }

    fn events(&self, errored: ErroredCells) -> u64 {
        self.of(errored).iter().map(|id| id.damage(self.study).x).sum()
    }

    #[allow(clippy::cast_precision_loss, reason = "a count of models")]
    fn models_that_replicate(&self, condition: &Condition, models: &[super::ModelReading]) -> Measured {
        let count = models.iter().filter(|model| model.reading == Reading::Replicated).count() as f64;
        Measured {
            weighting: None,
            errored: self.errored,
            value: Ok(count),
            meets: Some(condition.require.is_met_by(count)),
            decides: true,
        }
    }

    fn floors(&self, condition: &Condition, models: &[super::ModelReading]) -> Vec<FloorReading> {
        let floor = condition.floor;
        let speaking = if condition.sub_label.is_some() {
            models.iter().filter(|model| model.reading != Reading::Bounded).count()
        } else {
            distinct_models(self.study, self.cells())
        };
        let all = [
            ("pairs", self.producing(self.errored).len() as u64, floor.pairs),
            ("events", self.events(self.errored), floor.events),
            ("cells", self.cells().len() as u64, floor.cells),
            ("models", speaking as u64, floor.models),
        ];
        let asked = all.into_iter().filter(|(_, _, needed)| *needed > 0);
        asked.map(|(what, found, needed)| FloorReading { what, found, needed }).collect()
    }

    /// The cells and runs behind a measure.
    fn behind(&self, measure: Measure) -> (Vec<CellId>, Vec<usize>) {
        let over = self.over(self.errored);
        let cells = match measure {
            Measure::StochasticModels | Measure::StochasticCells => over.stochastic(self.settings).cells,
            // None of these is the claim: what was looked at stands behind it.
            Measure::AlwaysFailCells => match over.always_fail() {
                none if none.is_empty() => self.producing(self.errored),
                some => some,
            },
            Measure::DamageProducingCells | Measure::DamageRuns | Measure::MissRate => {
                self.producing(self.errored)
            }
            Measure::SubLabelModels | Measure::PassK | Measure::SafeK | Measure::SafeKUpper => {
                self.cells().to_vec()
            }
        };
        let runs = damage_runs(self.study, &cells);
        (cells, runs)
    }
}

/// The values in words: `audit miss rate: .575 by pair meets > .5, .494 by event does not meet > .5`.
fn figures(condition: &Condition, values: &[Measured]) -> String {
    let one = |value: &Measured| {
        let figure = match &value.value {
            Ok(number) if condition.measure.is_share() => shown::rate3(*number),
            Ok(number) => format!("{number}"),
            Err(reason) => reason.to_string(),
        };
        let by = value.weighting.map(|by| format!(" by {}", by.as_str())).unwrap_or_default();
        let met = match value.meets {
            Some(true) => "meets",
            Some(false) => "does not meet",
            None => "cannot meet",
        };
        format!("{figure}{by} {met} {}", condition.require.shown())
    };
    let decide: Vec<String> = values.iter().filter(|value| value.decides).map(one).collect();
    format!("{}: {}", condition.measure.meaning(), decide.join(", "))
}
