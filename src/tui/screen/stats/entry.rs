//! What a section is made of: lines, some of which can be selected, below a head that does not scroll.

use super::figure::Fig;
use super::{cells, decay, page};
use crate::study::Study;
use crate::study::figures::{CellId, pools};
use crate::study::sheet::Sheet;
use crate::tui::identity::{self, RunId};
use crate::tui::text::wrap;
use crate::tui::widget::rich::{Rich, Role};

/// What a line stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// a figure, over all pools
    Figure(Fig),
    /// pass^k and safe^k at one k, over all pools
    Powers(u64),
    /// a cell
    Cell(CellId),
    /// a model: its place in a pool
    Model {
        /// index into the sheet's pools
        pool: usize,
        /// index into the pool's models
        place: usize,
    },
    /// a criterion, by its place
    Criterion(usize),
    /// a run, index into the study's
    Run(usize),
}

impl Stop {
    /// The same in another snapshot: of models, tasks and runs, where they stand there.
    pub(super) fn found(self, before: &Study, now: &Study) -> Option<Self> {
        match self {
            Self::Figure(_) | Self::Powers(_) | Self::Criterion(_) => Some(self),
            Self::Cell(CellId { model, task }) => {
                let (model, task) = identity::CellId::at(before, model, task)?.indices(now)?;
                Some(Self::Cell(CellId { model, task }))
            }
            Self::Model { pool, place } => {
                let (name, _, models) = pools(before).into_iter().nth(pool)?;
                let model = &before.models.get(*models.get(place)?)?.name;
                let (pool, (.., models)) =
                    pools(now).into_iter().enumerate().find(|(_, (other, ..))| *other == name)?;
                let is_it = |index: &usize| now.models.get(*index).is_some_and(|row| row.name == *model);
                Some(Self::Model { pool, place: models.iter().position(is_it)? })
            }
            Self::Run(run) => Some(Self::Run(RunId::at(before, run)?.index(now)?)),
        }
    }
}

/// One line.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) words: Words,
    pub(super) stop: Option<Stop>,
}

/// What a line says; lines that can come by the ten thousand are worded when they are drawn.
#[derive(Clone, Debug)]
pub(super) enum Words {
    /// ready
    Ready(Rich),
    /// a judged cell and its interval: its place in a pool, columns of name and interval
    Cell { pool: usize, place: usize, columns: (usize, usize) },
    /// a decay: its place in a pool, its letter, columns of its name
    Decay { pool: usize, place: usize, letter: char, name: usize },
    /// a cell without judged runs
    Unjudged(CellId),
    /// a run, index into the study's
    Run(usize),
}

impl Words {
    /// The line. `scene` shows the sheet it was made for.
    pub(super) fn line(&self, scene: &Scene) -> Rich {
        let pool = |pool: &usize| scene.sheet.pools.get(*pool);
        match self {
            Self::Ready(line) => Some(line.clone()),
            Self::Cell { pool: of, place, columns } => {
                pool(of).and_then(|pool| Some(cells::row(scene, pool.of.cells.get(*place)?, *columns)))
            }
            Self::Decay { pool: of, place, letter, name } => {
                pool(of).and_then(|pool| Some(decay::row(scene, pool.decays.get(*place)?, *letter, *name)))
            }
            Self::Unjudged(id) => Some(page::unjudged(scene, *id)),
            Self::Run(run) => Some(page::run_line(scene, *run)),
        }
        .unwrap_or_default()
    }
}

/// A section's lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Body {
    /// Stays above the rest.
    pub(super) head: Vec<Rich>,
    pub(super) entries: Vec<Entry>,
}

/// What a section is built from, and the room it has.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) study: &'a Study,
    pub(super) sheet: &'a Sheet,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) ascii: bool,
    pub(super) selected: Option<Stop>,
}

impl Body {
    pub(super) fn say(&mut self, line: Rich) {
        self.entries.push(Entry { words: Words::Ready(line), stop: None });
    }

    pub(super) fn stop(&mut self, stop: Stop, line: Rich) {
        self.list(stop, Words::Ready(line));
    }

    /// A stop that is worded when it is drawn.
    pub(super) fn list(&mut self, stop: Stop, words: Words) {
        self.entries.push(Entry { words, stop: Some(stop) });
    }

    pub(super) fn blank(&mut self) {
        self.say(Rich::new());
    }

    /// Text over as many lines as it needs, from a column on.
    pub(super) fn text(&mut self, role: Role, text: &str, indent: usize, width: usize) {
        for part in wrap(text, width.saturating_sub(indent + 1).max(8)) {
            self.say(Rich::new().column(indent).add(role, part));
        }
    }

    /// A heading, one blank line above it.
    pub(super) fn heading(&mut self, text: &str) {
        if !self.entries.is_empty() {
            self.blank();
        }
        self.say(Rich::of(Role::Strong, format!(" {text}")));
    }

    /// The line of what is selected, else the first that can be.
    pub(super) fn line_of(&self, selected: Option<Stop>) -> Option<usize> {
        let is = |entry: &Entry| entry.stop.is_some() && entry.stop == selected;
        self.entries
            .iter()
            .position(is)
            .or_else(|| self.entries.iter().position(|entry| entry.stop.is_some()))
    }
}

/// The columns of pools that stand side by side: the first of them, and how many.
pub(super) fn side_by_side(pools: usize, width: usize, each: usize) -> Vec<(usize, usize)> {
    let fit = (width / each.max(1)).max(1);
    (0..pools).step_by(fit).map(|first| (first, fit.min(pools - first))).collect()
}
