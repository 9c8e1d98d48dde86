//! The Help screen.

use ratatui::buffer::Buffer;

use super::{Ctx, Effect, Screen};
use crate::tui::action::Action;
use crate::tui::keymap::Context;

/// The Help.
#[derive(Debug, Default)]
pub struct HelpScreen;

impl Screen for HelpScreen {
    fn context(&self) -> Context {
        Context::Help
    }

    fn on_action(&mut self, _action: Action, _ctx: &Ctx) -> Effect {
        Effect::Pass
    }

    fn settle(&mut self, _ctx: &Ctx) {}

    fn draw(&self, _ctx: &Ctx, _buf: &mut Buffer) {}
}

impl HelpScreen {
    /// The help of a screen.
    #[must_use]
    pub fn new(_context: Context) -> Self {
        Self
    }
}
