//! The vocabulary of criteria: claims with floors, so that a report's claims are *read* from data.
//!
//! A criterion names a pool, perhaps some of its models (its instruments) and tasks, and one or more
//! conditions: a measure, what is required of it, and the floors below which it is not tested. The first
//! condition is the claim; the others must hold beside it and are read by themselves.

use serde::{Deserialize, Serialize};

use super::{Requirement, Share};
use crate::model::SubLabel;

/// One claim.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    /// A short name; unique.
    pub id: String,
    /// The claim in a sentence.
    pub claim: String,
    /// The pool it is read on: development or confirmatory.
    pub pool: String,
    /// The models it is read on, by id or name; none named: all of the pool.
    #[serde(default)]
    pub models: Vec<String>,
    /// The tasks it is read on; none named: all.
    #[serde(default)]
    pub tasks: Vec<String>,
    /// The share of runs whose checks passed, over these tasks, that a model must reach to be an instrument
    /// at all: a model that gets nothing done says nothing by doing no damage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engagement: Option<Share>,
    /// What becomes of cells over the errored ceiling. Both figures are shown.
    #[serde(default)]
    pub errored: ErroredCells,
    /// What must hold: the claim first.
    pub conditions: Vec<Condition>,
    /// What refutes it, whatever the conditions say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub falsifier: Option<Falsifier>,
}

/// What becomes of cells over the errored ceiling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ErroredCells {
    /// they count
    #[default]
    Retain,
    /// they do not
    Exclude,
}

impl ErroredCells {
    /// The word in the file and in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Retain => "retain",
            Self::Exclude => "exclude",
        }
    }
}

/// One thing that must hold.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// A short name, unique in its criterion.
    pub name: String,
    /// What is measured.
    pub measure: Measure,
    /// What is required of it.
    pub require: Requirement,
    /// The weighting of a miss rate; if the wording names none, both must meet the requirement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weighting: Option<Weighting>,
    /// The k of `pass_k`, `safe_k`, `safe_k_upper` and of the audit behind `miss_rate`.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub k: u64,
    /// The sub-label that `sub_label_models` asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sub_label: Option<SubLabelTest>,
    /// Denominators below which it is not tested.
    #[serde(default)]
    pub floor: Floors,
    /// What it reads below a floor.
    #[serde(default)]
    pub below_floor: BelowFloor,
}

fn one() -> u64 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_one(k: &u64) -> bool {
    *k == 1
}

/// What a condition measures, over the cells of its pool, models and tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// models on which a sub-label is the plurality among damage runs, with a minimum count
    SubLabelModels,
    /// models with a demonstrably stochastic cell
    StochasticModels,
    /// demonstrably stochastic cells
    StochasticCells,
    /// cells in which every run did damage
    AlwaysFailCells,
    /// cells with damage
    DamageProducingCells,
    /// damage runs
    DamageRuns,
    /// the miss rate of an audit of k runs
    MissRate,
    /// mean pass^k
    PassK,
    /// mean safe^k
    SafeK,
    /// mean safe^k with errored clean runs counted as damage
    SafeKUpper,
}

impl Measure {
    /// The word in the file and in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SubLabelModels => "sub_label_models",
            Self::StochasticModels => "stochastic_models",
            Self::StochasticCells => "stochastic_cells",
            Self::AlwaysFailCells => "always_fail_cells",
            Self::DamageProducingCells => "damage_producing_cells",
            Self::DamageRuns => "damage_runs",
            Self::MissRate => "miss_rate",
            Self::PassK => "pass_k",
            Self::SafeK => "safe_k",
            Self::SafeKUpper => "safe_k_upper",
        }
    }

    /// A share, not a count.
    #[must_use]
    pub fn is_share(self) -> bool {
        matches!(self, Self::MissRate | Self::PassK | Self::SafeK | Self::SafeKUpper)
    }

    /// What it is, for people.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::SubLabelModels => "models with the sub-label as plurality",
            Self::StochasticModels => "models with a stochastic cell",
            Self::StochasticCells => "stochastic cells",
            Self::AlwaysFailCells => "always-fail cells",
            Self::DamageProducingCells => "damage-producing pairs",
            Self::DamageRuns => "damage events",
            Self::MissRate => "audit miss rate",
            Self::PassK => "mean pass^k",
            Self::SafeK => "mean safe^k",
            Self::SafeKUpper => "mean safe^k upper",
        }
    }
}

/// How a miss rate weighs cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Weighting {
    /// every damage-producing pair alike
    Pair,
    /// every damage run alike
    Event,
}

impl Weighting {
    /// The word in the file and in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pair => "pair",
            Self::Event => "event",
        }
    }
}

/// What a sub-label must be among a model's damage runs. A model reads `replicated` if the sub-label is the
/// plurality and reaches `at_least`; `bounded` if it does less damage than `bounded_below`; `demoted` if
/// the sub-label occurs at most `absent` times; `underpowered` in between.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SubLabelTest {
    /// The sub-label, as in verdict files.
    #[serde(with = "sub_label")]
    pub is: SubLabel,
    /// The share of all runs that must carry it.
    pub at_least: Share,
    /// So many runs with it are as good as none.
    #[serde(default)]
    pub absent: u64,
    /// A model that damages in a smaller share of its runs is competent, not a counterexample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounded_below: Option<Share>,
}

/// Denominators a condition must reach to be tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Floors {
    /// Damage-producing (model, task) pairs.
    pub pairs: u64,
    /// Damage runs.
    pub events: u64,
    /// Cells.
    pub cells: u64,
    /// Models that count: valid instruments that did damage, for a sub-label.
    pub models: u64,
}

/// What a condition reads below a floor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BelowFloor {
    /// the figure is descriptive only
    #[default]
    Underpowered,
    /// the figure would be vacuous
    Untested,
}

/// What refutes a criterion: cells of a kind on the same task in several models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Falsifier {
    /// What a cell must be.
    pub cell: CellKind,
    /// Runs it must have.
    #[serde(default = "one")]
    pub runs: u64,
    /// Models on which one task must show it: 2 asks for a reproduction.
    #[serde(default = "one")]
    pub models: u64,
}

/// What a cell can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CellKind {
    /// every run did damage
    AlwaysFail,
    /// its interval lies strictly inside the band
    Stochastic,
    /// at least one run did damage
    DamageProducing,
}

impl CellKind {
    /// The word in the file and in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AlwaysFail => "always_fail",
            Self::Stochastic => "stochastic",
            Self::DamageProducing => "damage_producing",
        }
    }
}

/// Sub-labels as verdict files write them.
mod sub_label {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use crate::model::SubLabel;

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SubLabel, D::Error> {
        let word = String::deserialize(deserializer)?;
        SubLabel::parse(&word).ok_or_else(|| de::Error::custom(format!("`{word}` is no sub-label")))
    }

    pub(super) fn serialize<S: Serializer>(label: &SubLabel, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(label.as_str())
    }
}
