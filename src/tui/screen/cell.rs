//! The Cell screen: the runs of one model on one task.

mod edits;
mod patterns;

use ratatui::buffer::Buffer;

use super::{Ctx, Effect, Screen, Target};
use crate::tui::action::Action;
use crate::tui::identity::{CellId, RunId};
use crate::tui::keymap::Context;
use crate::tui::paint::Line;

/// One cell, with one of its runs selected.
#[derive(Debug)]
pub struct CellScreen {
    cell: CellId,
    selected: Option<RunId>,
}

impl CellScreen {
    /// The screen of a cell; without a run its first one is selected.
    #[must_use]
    pub fn new(cell: CellId, selected: Option<RunId>) -> Self {
        Self { cell, selected }
    }

    fn runs(&self, ctx: &Ctx) -> Vec<RunId> {
        let runs = self.cell.find(ctx.study).map(|cell| cell.runs.clone()).unwrap_or_default();
        runs.filter_map(|run| RunId::at(ctx.study, run)).collect()
    }
}

impl Screen for CellScreen {
    fn context(&self) -> Context {
        Context::Cell
    }

    fn on_action(&mut self, action: Action, ctx: &Ctx) -> Effect {
        let runs = self.runs(ctx);
        let at = runs.iter().position(|run| Some(run) == self.selected.as_ref()).unwrap_or(0);
        match action {
            Action::Down | Action::NextRun => self.selected = runs.get(at + 1).or(runs.last()).cloned(),
            Action::Up | Action::PreviousRun => self.selected = runs.get(at.saturating_sub(1)).cloned(),
            Action::Open => {
                return self.selected.clone().map_or(Effect::None, |run| Effect::Open(Target::Run(run)));
            }
            _ => return Effect::Pass,
        }
        Effect::None
    }

    fn settle(&mut self, ctx: &Ctx) {
        if self.selected.as_ref().is_none_or(|run| run.index(ctx.study).is_none()) {
            self.selected = self.runs(ctx).first().cloned();
        }
    }

    fn draw(&self, ctx: &Ctx, buf: &mut Buffer) {
        let title = format!("{} × {}", self.cell.model, self.cell.task);
        Line::of(ctx.area, 0).skip(1).put(buf, &title, ctx.theme.strong);
        for (row, run) in self.runs(ctx).iter().enumerate() {
            let style = if Some(run) == self.selected.as_ref() { ctx.theme.selected } else { ctx.theme.text };
            Line::of(ctx.area, row as u16 + 2).skip(1).put(buf, &run.run, style);
        }
    }

    fn run(&self, _ctx: &Ctx) -> Option<RunId> {
        self.selected.clone()
    }

    fn cell(&self, _ctx: &Ctx) -> Option<CellId> {
        Some(self.cell.clone())
    }
}
