//! The Map screen.

use ratatui::buffer::Buffer;

use super::{Ctx, Effect, Screen};
use crate::tui::action::Action;
use crate::tui::keymap::Context;

/// The Map.
#[derive(Debug, Default)]
pub struct MapScreen;

impl Screen for MapScreen {
    fn context(&self) -> Context {
        Context::Map
    }

    fn on_action(&mut self, _action: Action, _ctx: &Ctx) -> Effect {
        Effect::Pass
    }

    fn settle(&mut self, _ctx: &Ctx) {}

    fn draw(&self, _ctx: &Ctx, _buf: &mut Buffer) {}
}
