//! Names of cells and runs that outlive a snapshot: selections hold these, never row indices.

use crate::study::{Cell, RunEntry, Study};

/// A cell by its model's name and its task's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CellId {
    /// The model's name on screen.
    pub model: String,
    /// The task's directory name.
    pub task: String,
}

/// A run by its cell and its directory name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RunId {
    /// Its cell.
    pub cell: CellId,
    /// Its batch: one name can occur in two batches of one model.
    pub batch: String,
    /// `run_<n>`.
    pub run: String,
}

impl CellId {
    /// The cell at indices into [`Study::models`] and [`Study::tasks`].
    #[must_use]
    pub fn at(study: &Study, model: usize, task: usize) -> Option<Self> {
        Some(Self { model: study.models.get(model)?.name.clone(), task: study.tasks.get(task)?.id.clone() })
    }

    /// Its indices in this snapshot.
    #[must_use]
    pub fn indices(&self, study: &Study) -> Option<(usize, usize)> {
        let model = study.models.iter().position(|row| row.name == self.model)?;
        let task = study.tasks.iter().position(|row| row.id == self.task)?;
        Some((model, task))
    }

    /// The cell in this snapshot.
    #[must_use]
    pub fn find<'a>(&self, study: &'a Study) -> Option<&'a Cell> {
        let (model, task) = self.indices(study)?;
        study.cell(model, task)
    }
}

impl RunId {
    /// The run at an index into [`Study::runs`].
    #[must_use]
    pub fn at(study: &Study, run: usize) -> Option<Self> {
        let entry = study.runs.get(run)?;
        Some(Self {
            cell: CellId::at(study, entry.model, entry.task)?,
            batch: study.batches.get(entry.batch).map(|batch| batch.id.clone()).unwrap_or_default(),
            run: entry.name.to_string(),
        })
    }

    /// Its index into [`Study::runs`] of this snapshot.
    #[must_use]
    pub fn index(&self, study: &Study) -> Option<usize> {
        let cell = self.cell.find(study)?;
        cell.runs.clone().find(|index| {
            study.runs.get(*index).is_some_and(|entry| {
                entry.name == self.run
                    && study.batches.get(entry.batch).is_none_or(|batch| batch.id == self.batch)
            })
        })
    }

    /// Its entry in this snapshot.
    #[must_use]
    pub fn find<'a>(&self, study: &'a Study) -> Option<&'a RunEntry> {
        study.runs.get(self.index(study)?)
    }
}
