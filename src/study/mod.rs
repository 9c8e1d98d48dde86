//! The one immutable read model: labels what needs labelling, groups runs into cells, and serves every
//! screen and report. A [`Study`] is compact; [`RunView`]s load when a run is opened.

mod audit;
mod batch;
mod build;
pub mod cache;
pub mod campaign;
mod cell;
mod checks;
pub mod compare;
mod derived;
pub mod figures;
mod fold;
mod known;
mod label;
pub mod plan;
pub mod readings;
mod rows;
mod run;
mod runs;
mod seeds;
mod session;
pub mod sheet;
mod states;
mod texts;
mod view;
mod walk;
mod watch;

pub use audit::AuditMiss;
pub use campaign::{Campaign, Role};
pub use cell::{ALPHA, BAND, Cell, CellMark, Counts, ERRORED_CEILING};
pub use derived::{Derived, Identity, TaskSum, Totals};
pub use run::{BatchInfo, LabelSource, ModelRow, Name, NoVerdict, Progress, RunEntry, RunState, TaskRow};
pub use runs::Runs;
pub use session::{Options, Session};
pub use view::{FileRead, Provenance, RunView};
pub use walk::{most_telling, walk};
pub use watch::Watch;

use std::sync::Arc;

use crate::model::Problem;

/// A snapshot of all that was opened. Replaced, never changed, as labelling proceeds.
#[derive(Clone, Debug, Default)]
pub struct Study {
    /// What was opened, for the title bar.
    pub title: String,
    /// The notice of a synthetic archive, if any batch carries one.
    pub synthetic: Option<String>,
    /// Rows of results: one a model, or one a model and batch where a task occurs in two batches.
    /// Ordered by pool, then capability, then name.
    pub models: Vec<ModelRow>,
    /// Tasks in archive order (by name).
    pub tasks: Vec<TaskRow>,
    /// Batches in the order they were found.
    pub batches: Vec<BatchInfo>,
    /// Runs by model, then task, then number.
    pub runs: Runs,
    /// `models × tasks`, row-major by model: see [`Study::cell`].
    pub cells: Vec<Cell>,
    /// Everything that could not be read or is not as it should be, sorted.
    pub problems: Vec<Problem>,
    /// How far labelling is.
    pub progress: Progress,
    /// What the report is about, where a campaign file says so.
    pub campaign: Option<Arc<Campaign>>,
    /// How often its archives were opened again before, because they had changed: see [`Session::reopened`].
    pub opening: usize,
    /// What follows from the rest.
    pub derived: Derived,
}

impl Study {
    /// The cell of a model and a task (indices into [`Study::models`] and [`Study::tasks`]).
    #[must_use]
    pub fn cell(&self, model: usize, task: usize) -> Option<&Cell> {
        if task >= self.tasks.len() {
            return None;
        }
        self.cells.get(model * self.tasks.len() + task)
    }

    /// The models of this name (indices into [`Study::models`]): the one whose name in addresses it is, else
    /// all that a campaign file or a manifest calls so.
    #[must_use]
    pub fn models_named(&self, name: &str) -> Vec<usize> {
        let all = |is: &dyn Fn(&ModelRow) -> bool| -> Vec<usize> {
            let rows = self.models.iter().enumerate();
            rows.filter(|(_, row)| is(row)).map(|(index, _)| index).collect()
        };
        let own = all(&|row| row.name == name);
        if own.is_empty() { all(&|row| row.title() == name || row.full_name == name) } else { own }
    }

    /// What is on record of the campaign's criteria being frozen, against when the runs of its pools
    /// started.
    #[must_use]
    pub fn frozen(&self) -> campaign::FrozenState {
        let Some(campaign) = &self.campaign else { return campaign::FrozenState::NotFrozen };
        let pooled = self.models.iter().filter(|row| row.pool.is_some()).flat_map(|row| &row.batches);
        let starts = pooled.filter_map(|&batch| self.batches.get(batch)?.started_at.as_deref());
        campaign::FrozenState::of(campaign, starts)
    }

    /// The runs of a cell, by number.
    #[must_use]
    pub fn runs_of(&self, cell: &Cell) -> &[RunEntry] {
        self.runs.slice(cell.runs.clone())
    }
}
