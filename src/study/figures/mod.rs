//! Every figure of a pool, computed from a [`Study`] with [`crate::stats`].
//!
//! A figure that has no value says why, and names the cell where it is about one. Figures are plain data:
//! lists of cells beside the numbers let a screen open what is behind them.

mod bootstrap;
mod cells;
mod group;
mod ledger;

use std::fmt;

pub use bootstrap::{Bootstrap, Resample, Spread, Unit, bootstrap};
pub use cells::{CellAudit, CellFigures, cell_figures};
pub use group::{Audit, Figures, Flips, Mass, Powers, Stochastic, figures_of, powers_of};
pub(super) use group::{Over, distinct_models};
pub use ledger::Ledger;

use super::campaign::{Role, Settings};
use super::{Cell, Study};
use crate::stats::{Count, Interval, Undefined};

/// A cell of a study: indices into [`Study::models`] and [`Study::tasks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellId {
    /// Index into [`Study::models`].
    pub model: usize,
    /// Index into [`Study::tasks`].
    pub task: usize,
}

impl CellId {
    /// The cell.
    #[must_use]
    pub fn cell(self, study: &Study) -> Option<&Cell> {
        study.cell(self.model, self.task)
    }

    /// `model/task`, by the names of addresses.
    #[must_use]
    pub fn name(self, study: &Study) -> String {
        let model = study.models.get(self.model).map(|row| row.name.as_str()).unwrap_or_default();
        let task = study.tasks.get(self.task).map(|row| row.id.as_str()).unwrap_or_default();
        format!("{model}/{task}")
    }

    /// `Model/task`, the model by its name for people.
    #[must_use]
    pub fn title(self, study: &Study) -> String {
        let model = study.models.get(self.model).map(|row| row.title()).unwrap_or_default();
        let task = study.tasks.get(self.task).map(|row| row.id.as_str()).unwrap_or_default();
        format!("{model}/{task}")
    }

    /// Its damage runs of its judged runs.
    pub(super) fn damage(self, study: &Study) -> Count {
        self.cell(study).map(|cell| Count::new(cell.counts.damage, cell.counts.n)).unwrap_or_default()
    }

    /// Its runs that damaged or broke off, of its judged runs.
    pub(super) fn damage_upper(self, study: &Study) -> Count {
        self.cell(study).map(|cell| Count::new(cell.counts.damage_upper, cell.counts.n)).unwrap_or_default()
    }

    /// Its successes of its judged runs.
    pub(super) fn success(self, study: &Study) -> Count {
        self.cell(study).map(|cell| Count::new(cell.counts.success, cell.counts.n)).unwrap_or_default()
    }
}

/// A number, or why there is none.
pub type Figure<T = f64> = Result<T, NoFigure>;

/// Why a figure has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoFigure {
    /// The reason, for people; a cell it is about is named in it.
    pub reason: String,
    /// That cell.
    pub cell: Option<CellId>,
}

impl NoFigure {
    /// The reason a list of cells has no figure, with the cell at fault named.
    pub(super) fn of(undefined: Undefined, cells: &[CellId], study: &Study) -> Self {
        let cell = undefined.cell().and_then(|index| cells.get(index)).copied();
        let reason = match (cell, undefined.cell()) {
            // The reason counts cells from 0: its name stands there instead.
            (Some(cell), Some(index)) => {
                undefined.to_string().replace(&format!("cell {index}"), &cell.title(study))
            }
            _ => undefined.to_string(),
        };
        Self { reason, cell }
    }
}

impl fmt::Display for NoFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

/// The figures of a pool: of each of its models, and of all its cells together.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolFigures {
    /// Its name; `all` where there is no campaign file.
    pub name: String,
    /// What they may be used for.
    pub role: Option<Role>,
    /// One a model, in the study's order.
    pub models: Vec<Figures>,
    /// Over all cells of the pool.
    pub pooled: Figures,
    /// Of each cell with judged runs, by model then task.
    pub cells: Vec<CellFigures>,
}

/// The pools of a study, in the campaign's order, each with the models that belong to it (indices into
/// [`Study::models`]). Without a campaign file all models are one pool, `all`. Models of no pool are in
/// none.
#[must_use]
pub fn pools(study: &Study) -> Vec<(String, Option<Role>, Vec<usize>)> {
    let Some(campaign) = &study.campaign else {
        return vec![("all".to_owned(), None, (0..study.models.len()).collect())];
    };
    let members = |name: &str| {
        let rows = study.models.iter().enumerate();
        rows.filter(|(_, row)| row.pool.as_deref() == Some(name)).map(|(index, _)| index).collect()
    };
    campaign.pools.iter().map(|pool| (pool.name.clone(), Some(pool.role), members(&pool.name))).collect()
}

/// The figures of every pool, without bootstrap intervals: see [`bootstrap`].
#[must_use]
pub fn figures(study: &Study, settings: &Settings) -> Vec<PoolFigures> {
    pools(study)
        .into_iter()
        .map(|(name, role, members)| {
            let of = |models: &[usize]| figures_of(study, &cells_of(study, models), settings);
            let pooled = of(&members);
            PoolFigures {
                models: members.iter().map(|&model| of(&[model])).collect(),
                cells: cell_figures(study, &pooled.cells, settings),
                pooled,
                name,
                role,
            }
        })
        .collect()
}

/// The cells that these models were run on, judged or not, by model then task.
#[must_use]
pub fn cells_of(study: &Study, models: &[usize]) -> Vec<CellId> {
    let all = models.iter().flat_map(|&model| (0..study.tasks.len()).map(move |task| CellId { model, task }));
    all.filter(|id| id.cell(study).is_some_and(|cell| !cell.is_blank())).collect()
}

/// The share of a cell's judged runs that broke off is over the ceiling (strictly).
#[must_use]
#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub fn is_over_ceiling(cell: &Cell, ceiling: f64) -> bool {
    cell.counts.n > 0 && cell.counts.errored as f64 / cell.counts.n as f64 > ceiling
}

/// The band of a campaign's settings.
pub(super) fn band(settings: &Settings) -> Interval {
    Interval { low: settings.band[0], high: settings.band[1] }
}
