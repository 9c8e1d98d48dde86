//! The screens, one file each. A screen holds its own state and touches nothing else: it answers an
//! [`Action`] with an [`Effect`], which the app carries out.

mod account;
mod asked;
mod cell;
mod compare;
#[cfg(test)]
mod fixture;
mod help;
mod map;
mod problems;
mod run;
mod sentence;
#[cfg(test)]
mod stage;
mod stats;
mod twin;

pub use account::groups::{Group, groups};
pub use account::said::{Said, said};
pub use cell::CellScreen;
pub use help::HelpScreen;
pub use map::MapScreen;
pub use problems::ProblemsScreen;
pub use run::RunScreen;
pub use stats::StatsScreen;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::action::{Action, Copied};
use super::comparison::{Comparison, ValueId};
use super::identity::{CellId, RunId};
use super::keymap::Context;
use super::theme::Theme;
use super::views::Views;
use super::widget::word_diff::WordDiff;
use crate::model::Problem;
use crate::study::Study;
use crate::study::sheet::Sheet;

/// What a screen may look at.
#[derive(Clone, Copy)]
pub struct Ctx<'a> {
    /// The current snapshot.
    pub study: &'a Study,
    /// Colours and emphasis by meaning.
    pub theme: &'a Theme,
    /// The runs that are open, see [`Screen::wants`].
    pub views: &'a Views,
    /// The snapshot's figures, once they are computed: see [`Screen::wants_sheet`].
    pub sheet: Option<&'a Arc<Sheet>>,
    /// Where the screen stands: the terminal without the hint bar and the status line.
    pub area: Rect,
    /// What is searched for; hits are drawn marked.
    pub query: Option<&'a str>,
}

/// What follows from an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// nothing beyond the screen's own state
    None,
    /// this action is not the screen's: the app may know what to do
    Pass,
    /// close this screen
    Back,
    /// open another screen on top
    Open(Target),
    /// open another screen instead of this one
    Replace(Target),
    /// say something in the status line, until the next key
    Status(String),
    /// open a menu, a context of its own in the keymap
    Menu(Context),
    /// show titled lines over the screen until a key closes them: label and value
    Popup(String, Vec<(String, String)>),
}

/// A place to go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// the Map
    Map,
    /// the Stats
    Stats,
    /// the Problems
    Problems,
    /// the Problems, with one selected
    Problem(Box<Problem>),
    /// a cell, with a run selected
    Cell(CellId, Option<RunId>),
    /// a run
    Run(RunId),
}

/// Direction of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seek {
    /// the first hit at or after the selection
    Here,
    /// the next one after it
    Next,
    /// the last one before it
    Previous,
}

/// Which hit of how many, from 1; `None` without hits.
pub type Hit = Option<(usize, usize)>;

/// The hit to go to from `here`, of hits in rising order: its place among them and itself. Wraps around.
#[must_use]
pub fn next_hit(hits: &[usize], here: usize, seek: Seek) -> Option<(usize, usize)> {
    let place = match seek {
        Seek::Here => hits.iter().position(|hit| *hit >= here).unwrap_or(0),
        Seek::Next => hits.iter().position(|hit| *hit > here).unwrap_or(0),
        Seek::Previous => hits.iter().rposition(|hit| *hit < here).unwrap_or(hits.len().saturating_sub(1)),
    };
    hits.get(place).map(|hit| (place, *hit))
}

/// One screen.
pub trait Screen {
    /// Which keys it has, and which hints.
    fn context(&self) -> Context;

    /// Answers a request.
    fn on_action(&mut self, action: Action, ctx: &Ctx) -> Effect;

    /// Called after everything that may have changed the ground under it: an action, a new snapshot, an
    /// opened run, another size. Keeps the selection in place by identity and scrolls it into view.
    fn settle(&mut self, ctx: &Ctx);

    /// Called when the archive was opened again: what is held by index is looked up where it stands now.
    fn reopened(&mut self, _before: &Study, _now: &Study) {}

    /// Paints it into `ctx.area`. Drawing changes nothing.
    fn draw(&self, ctx: &Ctx, buf: &mut Buffer);

    /// A click. The first one selects, one on the selection opens.
    fn on_click(&mut self, _at: Position, _ctx: &Ctx) -> Effect {
        Effect::None
    }

    /// The wheel, in lines: down is positive. Moves the selection unless the screen knows better.
    fn on_wheel(&mut self, _at: Position, lines: i32, ctx: &Ctx) -> Effect {
        let action = if lines < 0 { Action::Up } else { Action::Down };
        for _ in 0..lines.unsigned_abs() {
            self.on_action(action, ctx);
        }
        Effect::None
    }

    /// Moves the selection to a hit of `query`.
    fn find(&mut self, _query: &str, _seek: Seek, _ctx: &Ctx) -> Hit {
        None
    }

    /// The runs it shows opened, the most wanted first. The app has them opened by a worker; they arrive
    /// in [`Ctx::views`].
    fn wants(&self, _ctx: &Ctx) -> Vec<RunId> {
        Vec::new()
    }

    /// It shows figures: the app has them computed by a worker once labelling is done, and they arrive in
    /// [`Ctx::sheet`].
    fn wants_sheet(&self) -> bool {
        false
    }

    /// Long values it shows that are to be compared, each handed over once. The app has a worker do it; the
    /// answer comes by [`Screen::compared`].
    fn comparisons(&mut self) -> Vec<Comparison> {
        Vec::new()
    }

    /// Takes in what a worker has compared.
    fn compared(&mut self, _value: &ValueId, _diff: &WordDiff) {}

    /// The run that is selected or shown, for the contradiction walk.
    fn run(&self, _ctx: &Ctx) -> Option<RunId> {
        None
    }

    /// The cell that is selected or shown.
    fn cell(&self, _ctx: &Ctx) -> Option<CellId> {
        None
    }

    /// Takes the selection to a cell, where the screen has cells.
    fn select_cell(&mut self, _cell: &CellId, _ctx: &Ctx) {}

    /// The choices of its menus that hold now: menus mark them.
    fn chosen(&self) -> Vec<Action> {
        Vec::new()
    }

    /// What `y` copies; `None` if there is nothing of the kind.
    fn copied(&self, _what: Copied, _ctx: &Ctx) -> Option<String> {
        None
    }
}
