//! The Run screen: what was allowed, said and done, rows beside the transcript.

mod banner;
mod entries;
mod groups;
mod row_detail;
mod rows;
mod said;
mod telling;
mod transcript;

use ratatui::buffer::Buffer;

use super::{Ctx, Effect, Screen};
use crate::tui::action::Action;
use crate::tui::identity::{CellId, RunId};
use crate::tui::keymap::Context;
use crate::tui::paint::Line;
use crate::tui::views::Opened;

/// One run.
#[derive(Debug)]
pub struct RunScreen {
    run: RunId,
}

impl RunScreen {
    /// The screen of a run.
    #[must_use]
    pub fn new(run: RunId) -> Self {
        Self { run }
    }
}

impl Screen for RunScreen {
    fn context(&self) -> Context {
        Context::Run
    }

    fn on_action(&mut self, _action: Action, _ctx: &Ctx) -> Effect {
        Effect::Pass
    }

    fn settle(&mut self, _ctx: &Ctx) {}

    fn draw(&self, ctx: &Ctx, buf: &mut Buffer) {
        let title = format!("{} × {} · {}", self.run.cell.model, self.run.cell.task, self.run.run);
        Line::of(ctx.area, 0).skip(1).put(buf, &title, ctx.theme.strong);
        let words = match ctx.views.get(&self.run) {
            Opened::Opening => "opening".to_owned(),
            Opened::Missing => "no such run".to_owned(),
            Opened::Ready(view) => view.address.to_string(),
        };
        Line::of(ctx.area, 2).skip(1).put(buf, &words, ctx.theme.dim);
    }

    fn wants(&self, _ctx: &Ctx) -> Vec<RunId> {
        vec![self.run.clone()]
    }

    fn run(&self, _ctx: &Ctx) -> Option<RunId> {
        Some(self.run.clone())
    }

    fn cell(&self, _ctx: &Ctx) -> Option<CellId> {
        Some(self.run.cell.clone())
    }
}
