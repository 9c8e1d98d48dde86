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

/// Why two rows are taken for one model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Matched {
    /// one name
    SameName,
    /// one full name; the rows' names tell batches apart
    SameFullName,
    /// each study has one model, and they are two
    OnlyModels,
}

impl Matched {
    /// The word in exports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SameName => "same_name",
            Self::SameFullName => "same_full_name",
            Self::OnlyModels => "only_models",
        }
    }
}

/// One model in both studies.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedModel {
    /// Why the two are compared.
    pub matched: Matched,
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

/// Compares damage, model by model: rows of one name, else rows of one full name (a model that is
/// `model@batch` in one study, with all its batches in the other); where each study has one model these two
/// are compared, whatever they are called. [`ComparedModel::matched`] says which it was. `seed` is used only where sign patterns must be drawn.
#[must_use]
pub fn compare(before: &Study, after: &Study, seed: u64) -> Compared {
    let pairs = matched(before, after);
    let name =
        |study: &Study, model: usize| study.models.get(model).map(|row| row.name.clone()).unwrap_or_default();
    let unmatched = |study: &Study, taken: &dyn Fn(usize) -> bool| -> Vec<String> {
        (0..study.models.len()).filter(|&model| !taken(model)).map(|model| name(study, model)).collect()
    };
    let mut models: Vec<ComparedModel> = pairs.iter().map(|&pair| model(before, after, pair, seed)).collect();
    adjust(&mut models);
    Compared {
        models,
        only_before: unmatched(before, &|model| pairs.iter().any(|pair| pair.0 == model)),
        only_after: unmatched(after, &|model| pairs.iter().any(|pair| pair.1 == model)),
    }
}

/// A row of each study, and why they are taken for one model.
type Pairing = (usize, usize, Matched);

fn matched(before: &Study, after: &Study) -> Vec<Pairing> {
    let mut pairs: Vec<Pairing> = Vec::new();
    for (a, row) in before.models.iter().enumerate() {
        let same = after.models.iter().position(|other| other.name == row.name);
        pairs.extend(same.map(|b| (a, b, Matched::SameName)));
    }
    // What is left of a model: one row beside one or more. Of several beside several none is meant.
    let rest = |study: &Study, full_name: &str, taken: &dyn Fn(usize) -> bool| -> Vec<usize> {
        let rows = study.models.iter().enumerate();
        rows.filter(|(index, row)| row.full_name == full_name && !taken(*index))
            .map(|(index, _)| index)
            .collect()
    };
    let named = pairs.clone();
    for (a, row) in before.models.iter().enumerate() {
        let ours = rest(before, &row.full_name, &|index| named.iter().any(|pair| pair.0 == index));
        let theirs = rest(after, &row.full_name, &|index| named.iter().any(|pair| pair.1 == index));
        if ours.contains(&a) && (ours.len() == 1 || theirs.len() == 1) {
            pairs.extend(theirs.into_iter().map(|b| (a, b, Matched::SameFullName)));
        }
    }
    if pairs.is_empty() && before.models.len() == 1 && after.models.len() == 1 {
        pairs.push((0, 0, Matched::OnlyModels));
    }
    pairs.sort_by_key(|&(a, b, _)| (a, b));
    pairs
}

fn model(before: &Study, after: &Study, (a, b, matched): Pairing, seed: u64) -> ComparedModel {
    let judged = |study: &Study, model: usize| -> Vec<(String, CellId)> {
        let cells = cells_of(study, &[model]).into_iter().filter(|id| id.damage(study).n > 0);
        cells.filter_map(|id| Some((study.tasks.get(id.task)?.id.clone(), id))).collect()
    };
    let (of_before, of_after) = (judged(before, a), judged(after, b));
    let mut compared = ComparedModel {
        matched,
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
