//! `campaign.toml`: what a report is about. Pools of models with their batches, settings, and criteria
//! frozen before the data were seen. The README documents every key; unknown keys are errors.

mod criteria;
mod freeze;
mod locate;
mod members;
mod read;
mod requirement;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub use criteria::{
    BelowFloor, CellKind, Condition, Criterion, ErroredCells, Falsifier, Floors, Measure, SubLabelTest,
    Weighting,
};
pub use freeze::{Frozen, FrozenState, digest};
pub(super) use locate::locate;
pub(super) use members::{Membership, memberships};
pub use read::{parse, read};
pub use requirement::{Comparison, Requirement, Share};

/// A campaign file, read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Campaign {
    /// The file.
    pub path: PathBuf,
    /// What the campaign is called.
    pub name: Option<String>,
    /// Levels and limits that its figures are computed with.
    pub settings: Settings,
    /// The digest of settings and criteria that was put on record, if one was.
    pub frozen: Option<Frozen>,
    /// Pools in file order.
    pub pools: Vec<Pool>,
    /// Criteria in file order.
    pub criteria: Vec<Criterion>,
}

impl Campaign {
    /// The pool of this name.
    #[must_use]
    pub fn pool(&self, name: &str) -> Option<&Pool> {
        self.pools.iter().find(|pool| pool.name == name)
    }
}

/// A named group of models whose cells are pooled.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Its name; unique.
    pub name: String,
    /// What its figures may be used for.
    pub role: Role,
    /// Its models, from the least to the most capable, then by name.
    pub models: Vec<Member>,
}

/// What a pool's figures may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// claims were found on it
    Development,
    /// claims are tested on it: held out until they were frozen
    Confirmatory,
    /// looked at, never pooled into a confirmatory figure and never read by a criterion
    Exploratory,
}

impl Role {
    /// The word in the file and in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Development => "development",
            Self::Confirmatory => "confirmatory",
            Self::Exploratory => "exploratory",
        }
    }
}

/// One model of a pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its id, as manifests have it.
    pub model: String,
    /// Its name for people.
    pub name: Option<String>,
    /// The family it is of.
    pub family: Option<String>,
    /// Its place among models from the least to the most capable.
    pub capability: Option<u32>,
    /// Its batches; none named: all batches of the model that no other pool names.
    pub batches: Vec<Source>,
}

/// A batch or verdicts file that a campaign names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// As written, relative to the campaign file.
    pub path: String,
    /// The sha256 its verdicts file must have, in hex.
    pub sha256: Option<String>,
}

/// More resamples of the bootstrap are refused: they would take hours and tell no more.
pub const MOST_RESAMPLES: usize = 1_000_000;

/// Levels and limits that figures are computed with.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Intervals are at confidence `1 − alpha`.
    pub alpha: f64,
    /// A cell is demonstrably stochastic if its interval lies strictly inside.
    pub band: [f64; 2],
    /// A cell with a larger share of errored runs is over the ceiling.
    pub errored_ceiling: f64,
    /// The k of pass^k, safe^k and audits of k runs.
    pub ks: Vec<u64>,
    /// The ε of the damage-mass share.
    pub epsilons: Vec<f64>,
    /// Resamples of the bootstrap, [`MOST_RESAMPLES`] at most.
    pub bootstrap: usize,
    /// Its seed.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            alpha: super::ALPHA,
            band: [super::BAND.0, super::BAND.1],
            errored_ceiling: super::ERRORED_CEILING,
            ks: vec![1, 2, 4, 8],
            epsilons: vec![0.05, 0.1, 0.2],
            bootstrap: 10_000,
            seed: 0,
        }
    }
}
