//! Two archives of the same tasks: a model before and after.

use crate::stats::{self, Comparison, Count, Pair};

use super::Study;
use super::figures::{CellId, Figure, NoFigure, cells_of};

/// What two studies have in common, compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Models of both.
    pub models: Vec<ComparedModel>,
    /// Names of models that only the first has.
    pub only_before: Vec<String>,
    /// Names of models that only the second has.
    pub only_after: Vec<String>,
}

/// One model in both studies.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedModel {
    /// Index into the first study's models.
    pub before: usize,
    /// Index into the second study's models.
    pub after: usize,
    /// Tasks with judged runs in both, by name.
    pub cells: Vec<ComparedCell>,
    /// All tasks together, each paired with itself.
    pub overall: Figure<Comparison>,
    /// Tasks with judged runs in the first only.
    pub only_before: Vec<String>,
    /// Tasks with judged runs in the second only.
    pub only_after: Vec<String>,
}

/// One task in both.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedCell {
    /// The task's directory name.
    pub task: String,
    /// The cell in the first study.
    pub before: CellId,
    /// The cell in the second study.
    pub after: CellId,
    /// Its damage runs before.
    pub damage_before: Count,
    /// Its damage runs after.
    pub damage_after: Count,
    /// Fisher's exact two-sided p for equal rates.
    pub p: f64,
    /// The same adjusted by Holm over all cells of all models compared.
    pub holm: f64,
}

impl ComparedCell {
    /// The rate after less the rate before.
    #[must_use]
    pub fn difference(&self) -> f64 {
        self.damage_after.rate().unwrap_or_default() - self.damage_before.rate().unwrap_or_default()
    }
}

/// Compares damage, model by model. Models are matched by full name; where each study has one model these
/// two are compared, whatever they are called. `seed` is used only where sign patterns must be drawn.
#[must_use]
pub fn compare(before: &Study, after: &Study, seed: u64) -> Compared {
    let pairs = matched(before, after);
    let name =
        |study: &Study, model: usize| study.models.get(model).map(|row| row.name.clone()).unwrap_or_default();
    let unmatched = |study: &Study, taken: &dyn Fn(usize) -> bool| -> Vec<String> {
        (0..study.models.len()).filter(|&model| !taken(model)).map(|model| name(study, model)).collect()
    };
    let mut models: Vec<ComparedModel> =
        pairs.iter().map(|&(a, b)| model(before, after, a, b, seed)).collect();
    adjust(&mut models);
    Compared {
        models,
        only_before: unmatched(before, &|model| pairs.iter().any(|pair| pair.0 == model)),
        only_after: unmatched(after, &|model| pairs.iter().any(|pair| pair.1 == model)),
    }
}

fn matched(before: &Study, after: &Study) -> Vec<(usize, usize)> {
    if before.models.len() == 1 && after.models.len() == 1 {
        return vec![(0, 0)];
    }
    let mut pairs = Vec::new();
    for (a, row) in before.models.iter().enumerate() {
        // Two rows of one model, in several batches, are told apart by their names.
        let is = |same: fn(&super::ModelRow) -> &str| {
            after.models.iter().position(|other| same(other) == same(row))
        };
        let unique =
            |study: &Study| study.models.iter().filter(|other| other.full_name == row.full_name).count() == 1;
        let found =
            if unique(before) && unique(after) { is(|row| &row.full_name) } else { is(|row| &row.name) };
        pairs.extend(found.map(|b| (a, b)));
    }
    pairs
}

fn model(before: &Study, after: &Study, a: usize, b: usize, seed: u64) -> ComparedModel {
    let judged = |study: &Study, model: usize| -> Vec<(String, CellId)> {
        let cells = cells_of(study, &[model]).into_iter().filter(|id| id.damage(study).n > 0);
        cells.filter_map(|id| Some((study.tasks.get(id.task)?.id.clone(), id))).collect()
    };
    let (of_before, of_after) = (judged(before, a), judged(after, b));
    let mut compared = ComparedModel {
        before: a,
        after: b,
        cells: Vec::new(),
        overall: Err(NoFigure { reason: "no task in both".into(), cell: None }),
        only_before: Vec::new(),
        only_after: Vec::new(),
    };
    for (task, id) in &of_before {
        let Some((_, other)) = of_after.iter().find(|(name, _)| name == task) else {
            compared.only_before.push(task.clone());
            continue;
        };
        let (one, two) = (id.damage(before), other.damage(after));
        // Both have runs, and no more damage than runs.
        let p = stats::fisher_exact(one, two).unwrap_or(1.0);
        compared.cells.push(ComparedCell {
            task: task.clone(),
            before: *id,
            after: *other,
            damage_before: one,
            damage_after: two,
            p,
            holm: p,
        });
    }
    let known = |name: &String| of_before.iter().any(|(task, _)| task == name);
    compared.only_after = of_after.into_iter().map(|(task, _)| task).filter(|task| !known(task)).collect();
    if !compared.cells.is_empty() {
        let pairs: Vec<Pair> = compared
            .cells
            .iter()
            .map(|cell| Pair { before: cell.damage_before, after: cell.damage_after })
            .collect();
        compared.overall = stats::compare_paired(&pairs, seed)
            .map_err(|undefined| NoFigure { reason: undefined.to_string(), cell: None });
    }
    compared
}

/// One family of tests: all cells of all models.
fn adjust(models: &mut [ComparedModel]) {
    let p: Vec<f64> = models.iter().flat_map(|model| &model.cells).map(|cell| cell.p).collect();
    let adjusted = stats::holm(&p).unwrap_or_default();
    for (cell, holm) in models.iter_mut().flat_map(|model| &mut model.cells).zip(adjusted) {
        cell.holm = holm;
    }
}
