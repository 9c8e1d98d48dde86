//! All runs of a study, shared between its snapshots.

use std::fmt;
use std::ops::{Index, Range};
use std::sync::Arc;

use super::RunEntry;

/// Runs by model, then task, then number. Those of one model are held together and shared between snapshots:
/// a snapshot copies only the models in which something changed, however many runs there are.
#[derive(Clone, Default)]
pub struct Runs {
    models: Vec<OfModel>,
}

#[derive(Clone)]
struct OfModel {
    /// Index of the first.
    first: usize,
    runs: Arc<Vec<RunEntry>>,
}

impl OfModel {
    fn end(&self) -> usize {
        self.first + self.runs.len()
    }
}

impl Runs {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.models.last().map_or(0, OfModel::end)
    }

    /// True if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The run at an index, if there.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&RunEntry> {
        let of_model = self.models.get(self.model_of(index))?;
        of_model.runs.get(index - of_model.first)
    }

    /// Runs of one model, such as those of a cell; none if the range leaves it.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> &[RunEntry] {
        let within = || {
            let of_model = self.models.get(self.model_of(range.start))?;
            of_model.runs.get(range.start - of_model.first..range.end.checked_sub(of_model.first)?)
        };
        within().unwrap_or_default()
    }

    /// All, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &RunEntry> {
        self.models.iter().flat_map(|of_model| of_model.runs.iter())
    }

    /// The runs of each model.
    pub(super) fn by_model(&self) -> impl Iterator<Item = &[RunEntry]> {
        self.models.iter().map(|of_model| of_model.runs.as_slice())
    }

    /// The run at an index, to be changed; snapshots that share it keep what they have.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut RunEntry> {
        let model = self.model_of(index);
        let of_model = self.models.get_mut(model)?;
        Arc::make_mut(&mut of_model.runs).get_mut(index - of_model.first)
    }

    /// Appends the runs of a further model.
    pub(super) fn push_model(&mut self, runs: Vec<RunEntry>) {
        if !runs.is_empty() {
            self.models.push(OfModel { first: self.len(), runs: Arc::new(runs) });
        }
    }

    /// The last model that begins at or before an index.
    fn model_of(&self, index: usize) -> usize {
        self.models.partition_point(|of_model| of_model.first <= index).saturating_sub(1)
    }
}

impl Index<usize> for Runs {
    type Output = RunEntry;

    fn index(&self, index: usize) -> &RunEntry {
        let of_model = &self.models[self.model_of(index)];
        &of_model.runs[index - of_model.first]
    }
}

/// Runs in a study's order.
impl FromIterator<RunEntry> for Runs {
    fn from_iter<I: IntoIterator<Item = RunEntry>>(runs: I) -> Self {
        let mut all = Self::default();
        let mut of_model: Vec<RunEntry> = Vec::new();
        for run in runs {
            if of_model.last().is_some_and(|last| last.model != run.model) {
                all.push_model(std::mem::take(&mut of_model));
            }
            of_model.push(run);
        }
        all.push_model(of_model);
        all
    }
}

impl From<Vec<RunEntry>> for Runs {
    fn from(runs: Vec<RunEntry>) -> Self {
        runs.into_iter().collect()
    }
}

impl fmt::Debug for Runs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::RunState;

    fn entry(model: usize, number: u32) -> RunEntry {
        RunEntry { model, task: 0, batch: 0, number, name: "run".into(), state: RunState::Pending }
    }

    #[test]
    fn an_index_finds_its_run_in_any_model() {
        let runs: Runs =
            [(0, 1), (0, 2), (2, 3), (5, 4), (5, 5)].map(|(model, n)| entry(model, n)).to_vec().into();
        assert_eq!(runs.len(), 5);
        let numbers = |runs: &[RunEntry]| runs.iter().map(|run| run.number).collect::<Vec<_>>();
        assert_eq!(
            (0..6).filter_map(|at| runs.get(at)).map(|run| run.number).collect::<Vec<_>>(),
            [1, 2, 3, 4, 5]
        );
        assert_eq!(numbers(runs.slice(0..2)), [1, 2]);
        assert_eq!(numbers(runs.slice(3..5)), [4, 5]);
        assert_eq!(numbers(runs.slice(4..5)), [5]);
        assert!(runs.slice(1..3).is_empty() && runs.slice(5..5).is_empty() && runs.slice(4..9).is_empty());
        assert_eq!(runs[2].number, 3);
        assert!(Runs::default().get(0).is_none() && Runs::default().slice(0..1).is_empty());
    }

    #[test]
    fn a_change_copies_one_model_and_leaves_snapshots_alone() {
        let mut runs: Runs = [(0, 1), (1, 2)].map(|(model, n)| entry(model, n)).to_vec().into();
        let snapshot = runs.clone();
        runs.get_mut(1).expect("a run").number = 9;
        assert_eq!((runs[1].number, snapshot[1].number), (9, 2));
        assert!(Arc::ptr_eq(&runs.models[0].runs, &snapshot.models[0].runs));
    }
}
