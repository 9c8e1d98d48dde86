//! Searching lines, of which there can be as many as there are cells: those are searched by their names.

use super::entry::{Scene, Words};
use super::words;
use crate::study::figures::CellId;
use crate::tui::widget::rich::holds;

/// A search over the lines of one scene.
pub(super) struct Search<'a> {
    query: &'a str,
    scene: Scene<'a>,
    /// Which models and tasks hold the query: there are far fewer than cells.
    models: Vec<bool>,
    tasks: Vec<bool>,
    /// The query may go from a model's name over to the task's.
    may_span: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(query: &'a str, scene: Scene<'a>) -> Self {
        let models = scene.study.models.iter().map(|row| holds(row.title(), query)).collect();
        let tasks = scene.study.tasks.iter().map(|row| holds(&row.id, query)).collect();
        let may_span = query.contains([' ', '×']);
        Self { query, scene, models, tasks, may_span }
    }

    pub(super) fn is_hit(&self, line: &Words) -> bool {
        let pool = |pool: &usize| self.scene.sheet.pools.get(*pool);
        let cell = match line {
            Words::Cell { pool: of, place, .. } => pool(of).and_then(|pool| pool.of.cells.get(*place)),
            Words::Decay { pool: of, place, .. } => {
                pool(of).and_then(|pool| pool.decays.get(*place)).map(|decay| &decay.cell)
            }
            Words::Unjudged(id) => return self.names(*id),
            Words::Ready(_) | Words::Run(_) => None,
        };
        match cell {
            Some(cell) => self.names(cell.id),
            None => holds(&line.line(&self.scene).plain(400), self.query),
        }
    }

    fn names(&self, id: CellId) -> bool {
        let has = |of: &[bool], index: usize| of.get(index).copied().unwrap_or(false);
        has(&self.models, id.model)
            || has(&self.tasks, id.task)
            || self.may_span && holds(&words::cell(self.scene.study, id), self.query)
    }
}
