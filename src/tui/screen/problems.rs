//! The Problems screen.

use ratatui::buffer::Buffer;

use super::{Ctx, Effect, Screen};
use crate::tui::action::Action;
use crate::tui::keymap::Context;

/// The Problems.
#[derive(Debug, Default)]
pub struct ProblemsScreen;

impl Screen for ProblemsScreen {
    fn context(&self) -> Context {
        Context::Problems
    }

    fn on_action(&mut self, _action: Action, _ctx: &Ctx) -> Effect {
        Effect::Pass
    }

    fn settle(&mut self, _ctx: &Ctx) {}

    fn draw(&self, _ctx: &Ctx, _buf: &mut Buffer) {}
}
