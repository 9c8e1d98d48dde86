//! What is on screen, kept from key to key: a section can have as many lines as there are cells.

use std::sync::Arc;

use ratatui::layout::Rect;

use super::entry::{Body, Stop};
use super::section::Section;
use super::{Content, Ctx, Place};
use crate::study::sheet::Sheet;

/// A section or page, laid out.
#[derive(Debug)]
pub(super) struct Laid {
    made: Made,
    pub(super) body: Body,
}

/// What something was laid out for.
#[derive(Debug)]
pub(super) struct Made {
    content: Content,
    area: Rect,
    ascii: bool,
    sheet: Arc<Sheet>,
    /// Where what is selected decides what is drawn.
    selected: Option<Stop>,
}

impl Made {
    pub(super) fn of(ctx: &Ctx, sheet: &Arc<Sheet>, content: Content, area: Rect, place: &Place) -> Self {
        let draws_selected = content == Content::Section(Section::Decay);
        let selected = place.selected.filter(|_| draws_selected);
        Self { content, area, ascii: ctx.theme.ascii, sheet: Arc::clone(sheet), selected }
    }
}

impl Laid {
    pub(super) fn new(made: Made, body: Body) -> Self {
        Self { made, body }
    }

    pub(super) fn content(&self) -> Content {
        self.made.content
    }

    /// True if it was laid out for just this.
    pub(super) fn is(&self, other: &Made) -> bool {
        let Made { content, area, ascii, sheet, selected } = &self.made;
        let is_same =
            (content, area, ascii, selected) == (&other.content, &other.area, &other.ascii, &other.selected);
        is_same && Arc::ptr_eq(sheet, &other.sheet)
    }
}
