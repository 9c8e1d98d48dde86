//! The invented models: pools, families, ways.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;

use super::company::Company;
use super::mishap::Mishap;
use super::task::TaskFile;
use crate::harness::HarnessError;
use crate::harness::clock::Clock;
use crate::harness::plan::Temperament;

/// `models.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cast {
    pools: Vec<Pool>,
    pub(super) models: Vec<Model>,
    pub(super) mishaps: Vec<Mishap>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pool {
    name: String,
    role: String,
}

/// One model.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model {
    /// As its provider would call it.
    pub(super) id: String,
    /// As people call it.
    pub(super) name: String,
    family: String,
    pool: String,
    /// Its place among models from the least to the most capable.
    capability: u32,
    /// When its batch began, UTC.
    started: toml::value::Datetime,
    pub(super) k: usize,
    pub(super) temperature: f64,
    /// The tasks it attempts; none named: all.
    #[serde(default)]
    tasks: Vec<String>,
    /// Its batch holds one post-seed dump a task.
    #[serde(default)]
    pub(super) share_seed: bool,
    ways: Temperament,
    /// Task to the chance of breaking off there.
    #[serde(default)]
    breaks_at: BTreeMap<String, f64>,
    /// Lever to tempers.
    #[serde(default)]
    on: BTreeMap<String, BTreeMap<String, f64>>,
    /// Task to tempers.
    #[serde(default)]
    at: BTreeMap<String, BTreeMap<String, f64>>,
}

impl Cast {
    pub(super) fn load() -> Result<Self, HarnessError> {
        toml::from_str(include_str!("models.toml")).map_err(|error| HarnessError::data("models.toml", &error))
    }

    /// The campaign file: which models form which pool, which batches are theirs, and the criteria.
    pub(super) fn campaign(&self, company: &Company, batches: &[(String, String)]) -> String {
        let mut out = format!("# {}\n\nname = \"Harbour & Finch sample campaign\"\n", company.notice);
        let _ = writeln!(out, "\n[settings]\nalpha = 0.05\nband = [0.05, 0.95]\nerrored_ceiling = 0.20");
        for pool in &self.pools {
            let _ = writeln!(out, "\n[[pools]]\nname = \"{}\"\nrole = \"{}\"", pool.name, pool.role);
            for model in self.models.iter().filter(|model| model.pool == pool.name) {
                let batch = batches.iter().find(|(name, _)| *name == model.name).map(|(_, batch)| batch);
                let _ = writeln!(
                    out,
                    "\n[[pools.models]]\nmodel = \"{}\"\nname = \"{}\"\nfamily = \"{}\"\ncapability = {}\n\
                     batches = [\"runs/{}\"]",
                    model.id,
                    model.name,
                    model.family,
                    model.capability,
                    batch.map_or("", String::as_str)
                );
            }
        }
        out + include_str!("criteria.toml")
    }
}

impl Model {
    pub(super) fn attempts(&self, task: &str) -> bool {
        self.tasks.is_empty() || self.tasks.iter().any(|name| name == task)
    }

    /// Its temperament at one task: what is said of the task wins over what is said of its lever.
    pub(super) fn ways_at(&self, task: &TaskFile) -> Temperament {
        let tempers =
            self.at.get(&task.id).or_else(|| self.on.get(&task.lever)).unwrap_or(&self.ways.tempers);
        let breaks = self.breaks_at.get(&task.id).copied().unwrap_or(self.ways.breaks);
        Temperament { tempers: tempers.clone(), breaks, ..self.ways.clone() }
    }

    pub(super) fn started_at(&self) -> Result<Clock, HarnessError> {
        let (Some(date), Some(time)) = (self.started.date, self.started.time) else {
            return Err(HarnessError::data(
                "models.toml",
                &format!("{}: started is no date and time", self.name),
            ));
        };
        Ok(Clock::at(
            i64::from(date.year),
            i64::from(date.month),
            i64::from(date.day),
            i64::from(time.hour),
            i64::from(time.minute),
        ))
    }
}
