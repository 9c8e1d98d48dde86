//! What the Run screen shows of one opened run, worded once and kept until something turns it.

use std::collections::HashSet;

use ratatui::layout::Rect;

use super::banner::{Room, banner};
use super::entries::Entry;
use super::layout::{Areas, Focus, areas};
use super::rows::{self, Folds, Owner};
use super::transcript::Listing;
use super::values::Values;
use super::why_pane;
use crate::tui::open_run::OpenRun;
use crate::tui::screen::account::conversation::transcript;
use crate::tui::widget::rich::Rich;
use crate::tui::widget::scroll::{Lines, Scroll};

/// What is open and which pane has the keys: all that decides what the content looks like.
#[derive(Clone, Debug, Default)]
pub struct Turned {
    /// Edits and checks.
    pub folds: Folds,
    /// Unfolded entries of the transcript.
    pub open: HashSet<Entry>,
    /// Every message instead of evidence.
    pub all: bool,
    /// Which pane has the keys.
    pub focus: Focus,
}

/// The screen's content, laid out.
#[derive(Debug, Default)]
pub struct Content {
    /// The banner's lines.
    pub banner: Vec<Rich>,
    /// The left pane's lines.
    pub rows: Vec<rows::Line>,
    /// The right pane's.
    pub listing: Listing,
    /// The third pane's, for the selected edit.
    pub why: Vec<Rich>,
    /// Where all this stands.
    pub areas: Option<Areas>,
    /// Changed values, compared or under way.
    pub values: Values,
}

impl Content {
    /// Words the content anew; comparisons of long values are kept.
    pub fn word(&mut self, view: &OpenRun, turned: &Turned, place: &str, area: Rect) {
        let room = Room { width: usize::from(area.width), height: usize::from(area.height) };
        self.banner = banner(view, place, room);
        let laid = areas(area, self.banner.len(), turned.focus);
        // A pane that is not shown keeps the width it will have, so that its cursor keeps its place.
        let width = |pane: Rect| usize::from(if pane.width == 0 { area.width } else { pane.width });
        self.rows = rows::lines(view, &turned.folds, &mut self.values, width(laid.rows));
        self.listing = Listing::of(view, turned.all, &turned.open, width(laid.script));
        self.areas = Some(laid);
    }

    /// Words the third pane for what is selected.
    pub fn word_why(&mut self, view: &OpenRun, selected: Owner) {
        let width = self.areas.map_or(0, |areas| areas.why.width);
        self.why = if width == 0 { Vec::new() } else { why_pane::lines(view, selected, usize::from(width)) };
    }

    /// Lets `act` move in the rows.
    pub fn move_rows<T>(&self, scroll: &mut Scroll, act: impl FnOnce(&mut Scroll, Lines) -> T) -> T {
        let is_stop = |line: usize| self.rows.get(line).is_some_and(|line| line.is_stop);
        let height = self.areas.map_or(0, |areas| usize::from(areas.rows.height));
        act(scroll, Lines { len: self.rows.len(), is_stop: &is_stop, height })
    }

    /// Lets `act` move in the transcript.
    pub fn move_script<T>(&self, scroll: &mut Scroll, act: impl FnOnce(&mut Scroll, Lines) -> T) -> T {
        let is_stop = |line: usize| self.listing.lines.get(line).is_some_and(|line| line.is_stop);
        let height = self.areas.map_or(0, |areas| usize::from(areas.script.height));
        act(scroll, Lines { len: self.listing.lines.len(), is_stop: &is_stop, height })
    }

    /// What the rows' cursor stands on.
    #[must_use]
    pub fn owner_at(&self, line: usize) -> Owner {
        self.rows.get(line).map_or(Owner::None, |line| line.owner)
    }

    /// The line where something begins in the rows.
    #[must_use]
    pub fn line_of(&self, owner: Owner) -> Option<usize> {
        self.rows.iter().position(|line| line.is_stop && line.owner == owner)
    }

    /// What the transcript's cursor stands on.
    #[must_use]
    pub fn entry_at(&self, line: usize) -> Option<&Entry> {
        self.listing.entries.get(self.listing.lines.get(line)?.entry)
    }

    /// The line where an entry begins in the transcript.
    #[must_use]
    pub fn line_of_entry(&self, entry: &Entry) -> Option<usize> {
        let index = self.listing.entries.iter().position(|listed| listed == entry)?;
        self.listing.lines.iter().position(|line| line.entry == index)
    }
}

/// The call that made what is selected.
#[must_use]
pub fn call_of(view: &OpenRun, owner: Owner) -> Option<usize> {
    let index = match owner {
        Owner::Delta(index) | Owner::Group(index) => index,
        _ => return None,
    };
    view.evidence.as_ref()?.deltas.get(index)?.attribution.call
}

/// The edit a call made, not-allowed ones first.
#[must_use]
pub fn edit_by(view: &OpenRun, call: usize) -> Option<usize> {
    let made = view.edits_of(call)?;
    made.damage.first().or(made.allowed.first()).copied()
}

/// The message of a call.
#[must_use]
pub fn message_of(view: &OpenRun, call: usize) -> Option<usize> {
    transcript(view)?.calls.get(call).map(|call| call.message)
}
