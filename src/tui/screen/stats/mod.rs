//! The Stats: every figure of a campaign, drawn to be read in a meeting. Each number opens what is behind it.
//!
//! ```text
//!  Stats   Harbour & Finch sample campaign          95 % exact, band .05–.95
//!  ‹Pools› Curves  Decay  Cells  Capability  Criteria
//!                                development  confirmatory
//!  miss rate, pair-weighted             .693          .575
//!  240 on disk = 240 judged (3 errored, 4 stalled in it) + 0 no verdict
//! ```
//!
//! Figures come ready from [`crate::study::sheet`]; nothing here computes one.

mod capability;
mod cells;
mod criteria;
mod curves;
mod decay;
mod entry;
mod figure;
mod laid;
mod layout;
mod page;
mod pools;
mod search;
mod section;
#[cfg(test)]
mod tests;
mod words;

use std::borrow::Cow;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::{Ctx, Effect, Hit, Screen, Seek, Target, next_hit};
use crate::report::numbers::{self, count};
use crate::study::Study;
use crate::study::sheet::Sheet;
use crate::tui::action::{Action, Copied};
use crate::tui::identity::{CellId, RunId};
use crate::tui::keymap::Context;
use crate::tui::paint::{Line, put, rule};
use crate::tui::screen::sentence::cell_address;
use crate::tui::text::wrap;
use crate::tui::widget::rich::{Emphasis, paint};
use crate::tui::widget::scroll::{Lines, Scroll};
use entry::{Body, Scene, Stop};
use laid::{Laid, Made};
use layout::Layout;
use search::Search;
use section::Section;

/// Where a list is, and what is selected in it.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    scroll: Scroll,
    selected: Option<Stop>,
    /// The room it had when it was last settled.
    area: Rect,
}

/// The Stats' state.
#[derive(Debug, Default)]
pub struct StatsScreen {
    focus: Section,
    places: [Place; Section::ALL.len()],
    /// Pages opened one over the other.
    pages: Vec<(Stop, Place)>,
    /// What is shown, kept from key to key.
    laid: Vec<Laid>,
}

/// What is in a rectangle: a section or a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Section(Section),
    Page(Stop),
}

impl Content {
    fn body(self, scene: &Scene) -> Body {
        match self {
            Self::Section(section) => section.body(scene),
            Self::Page(stop) => page::body(stop, scene),
        }
    }
}

fn scene<'a>(ctx: &Ctx<'a>, sheet: &'a Sheet, area: Rect, place: &Place) -> Scene<'a> {
    Scene {
        study: ctx.study,
        sheet,
        // The last column is for the arrows of what is out of view.
        width: usize::from(area.width.saturating_sub(1)),
        height: usize::from(area.height),
        ascii: ctx.theme.ascii,
        selected: place.selected,
    }
}

/// The lines below the head.
fn list_area(area: Rect, body: &Body) -> Rect {
    // However tall the head, a few lines of the list stay.
    let head = (body.head.len() as u16).min(area.height.saturating_sub(3));
    Rect { y: area.y + head, height: area.height - head, ..area }
}

impl StatsScreen {
    /// What the keys go to, and where it stands.
    fn current(&self, layout: &Layout) -> (Content, Rect) {
        if let Some((stop, _)) = self.pages.last() {
            return (Content::Page(*stop), layout.page);
        }
        let pane = layout.panes.iter().find(|pane| pane.section == self.focus);
        (Content::Section(self.focus), pane.map_or(layout.page, |pane| pane.body))
    }

    fn place(&self) -> Place {
        match self.pages.last() {
            Some((_, place)) => *place,
            None => self.places.get(self.focus.place()).copied().unwrap_or_default(),
        }
    }

    fn set_place(&mut self, place: Place) {
        match self.pages.last_mut() {
            Some((_, slot)) => *slot = place,
            None => {
                if let Some(slot) = self.places.get_mut(self.focus.place()) {
                    *slot = place;
                }
            }
        }
    }

    /// What is on the cursor's line.
    fn selected(&self) -> Option<Stop> {
        self.place().selected
    }

    /// What stands in a rectangle: as it was laid out, or else laid out for now.
    fn body(
        &self,
        ctx: &Ctx,
        sheet: &Arc<Sheet>,
        content: Content,
        area: Rect,
        place: &Place,
    ) -> Cow<'_, Body> {
        let made = Made::of(ctx, sheet, content, area, place);
        match self.laid.iter().find(|laid| laid.is(&made)) {
            Some(laid) => Cow::Borrowed(&laid.body),
            None => Cow::Owned(content.body(&scene(ctx, sheet, area, place))),
        }
    }

    /// Lays something out, unless it is.
    fn lay(&mut self, ctx: &Ctx, sheet: &Arc<Sheet>, content: Content, area: Rect, place: &Place) {
        let made = Made::of(ctx, sheet, content, area, place);
        if !self.laid.iter().any(|laid| laid.is(&made)) {
            let body = content.body(&scene(ctx, sheet, area, place));
            self.laid.retain(|laid| laid.content() != content);
            self.laid.push(Laid::new(made, body));
        }
    }

    /// Moves in the current list.
    fn moved(&mut self, ctx: &Ctx, act: impl FnOnce(&mut Scroll, Lines)) {
        let Some(sheet) = ctx.sheet else { return };
        let layout = Layout::new(ctx.area, self.focus);
        let (content, area) = self.current(&layout);
        let mut place = self.place();
        let body = self.body(ctx, sheet, content, area, &place);
        let is_stop = |line: usize| body.entries.get(line).is_some_and(|entry| entry.stop.is_some());
        let height = usize::from(list_area(area, &body).height);
        act(&mut place.scroll, Lines { len: body.entries.len(), is_stop: &is_stop, height });
        place.selected = body.entries.get(place.scroll.cursor).and_then(|entry| entry.stop);
        self.set_place(place);
    }

    /// Puts a list's cursor on what is selected, wherever that stands now.
    fn settled(
        &mut self,
        ctx: &Ctx,
        sheet: &Arc<Sheet>,
        (content, area): (Content, Rect),
        mut place: Place,
    ) -> Place {
        self.lay(ctx, sheet, content, area, &place);
        let body = self.body(ctx, sheet, content, area, &place);
        let is_stop = |line: usize| body.entries.get(line).is_some_and(|entry| entry.stop.is_some());
        let height = usize::from(list_area(area, &body).height);
        let lines = Lines { len: body.entries.len(), is_stop: &is_stop, height };
        let cursor = body.line_of(place.selected).unwrap_or(0);
        // What was just opened is read from its top.
        let moved = cursor != place.scroll.cursor && place.selected.is_some();
        place.scroll.cursor = cursor;
        place.selected = body.entries.get(cursor).and_then(|entry| entry.stop);
        // Scrolled away on purpose: only what moved, in another room or beyond the end is brought back.
        if moved || place.area != area && place.area != Rect::default() {
            place.scroll.go(cursor, lines);
        } else if place.scroll.top + height > body.entries.len() {
            place.scroll.top = body.entries.len().saturating_sub(height);
        }
        place.area = area;
        self.lay(ctx, sheet, content, area, &place);
        place
    }

    fn open(&mut self, ctx: &Ctx) -> Effect {
        match self.selected() {
            None => Effect::None,
            Some(Stop::Cell(id)) => match words::identity(ctx.study, id) {
                Some(cell) => Effect::Open(Target::Cell(cell, None)),
                None => Effect::None,
            },
            Some(Stop::Run(run)) => match RunId::at(ctx.study, run) {
                Some(run) => Effect::Open(Target::Run(run)),
                None => Effect::None,
            },
            Some(stop) => {
                self.pages.push((stop, Place::default()));
                Effect::None
            }
        }
    }

    fn go(&mut self, by: isize) -> Effect {
        self.pages.clear();
        self.focus = self.focus.step(by);
        Effect::None
    }

    fn title(&self, ctx: &Ctx, area: Rect, buf: &mut Buffer) {
        let theme = ctx.theme;
        let mut line = Line::of(area, 0);
        if ctx.study.synthetic.is_some() {
            line.put_right(buf, " SYNTHETIC DATA ", theme.warning.patch(theme.strong));
        }
        let name = ctx.study.campaign.as_ref().and_then(|campaign| campaign.name.clone());
        line.skip(1).put(buf, "Stats", theme.strong).skip(2);
        line.put(buf, name.as_deref().unwrap_or(&ctx.study.title), theme.text).skip(2);
        if let Some(sheet) = ctx.sheet {
            let [low, high] = sheet.settings.band.map(numbers::rate);
            let level = numbers::level(1.0 - sheet.settings.alpha);
            line.put_whole(buf, &format!("{level} exact · band {low}–{high}"), theme.dim);
        }
    }

    fn tabs(&self, ctx: &Ctx, area: Rect, buf: &mut Buffer) {
        let theme = ctx.theme;
        let mut line = Line::of(area, 0);
        for section in Section::ALL {
            if section == self.focus {
                line.put(buf, "‹", theme.did).put(buf, section.name(), theme.strong).put(buf, "›", theme.did);
            } else {
                line.skip(1).put(buf, section.name(), theme.dim).skip(1);
            }
        }
        if let (Some(sheet), false) = (ctx.sheet, self.pages.is_empty()) {
            for (stop, _) in &self.pages {
                let scene = scene(ctx, sheet, area, &Place::default());
                line.skip(1).put(buf, "›", theme.dim).skip(1);
                line.put(buf, &page::title(*stop, &scene), theme.strong);
            }
        }
    }

    fn content(
        &self,
        ctx: &Ctx,
        sheet: &Arc<Sheet>,
        (content, area): (Content, Rect),
        place: &Place,
        buf: &mut Buffer,
    ) {
        let theme = ctx.theme;
        let has_keys = self.current(&Layout::new(ctx.area, self.focus)) == (content, area);
        let body = self.body(ctx, sheet, content, area, place);
        let scene = scene(ctx, sheet, area, place);
        let list = list_area(area, &body);
        let plain = Emphasis { over: None, query: ctx.query };
        for (row, line) in body.head.iter().take(usize::from(area.height - list.height)).enumerate() {
            paint(buf, area, row as u16, line, theme, plain);
        }
        let shown = body.entries.iter().enumerate().skip(place.scroll.top).take(usize::from(list.height));
        for (row, (index, entry)) in shown.enumerate() {
            let on = has_keys && entry.stop.is_some() && index == place.scroll.cursor;
            let over = on.then_some(theme.selected);
            paint(
                buf,
                list,
                row as u16,
                &entry.words.line(&scene),
                theme,
                Emphasis { over, query: ctx.query },
            );
            if on {
                put(buf, list, (0, row as u16), "▌", 1, theme.did);
            }
        }
        let more = body.entries.len().saturating_sub(place.scroll.top + usize::from(list.height));
        if list.height > 0 && place.scroll.top > 0 {
            put(buf, list, (list.width.saturating_sub(1), 0), "↑", 1, theme.strong);
        }
        if more > 0 {
            let at = (list.width.saturating_sub(1), list.height.saturating_sub(1));
            put(buf, list, at, "↓", 1, theme.strong);
        }
    }

    /// Why there are no figures yet.
    fn waiting(ctx: &Ctx, area: Rect, buf: &mut Buffer) {
        let progress = ctx.study.progress;
        let words = if progress.is_complete() {
            "⋯ computing".to_owned()
        } else {
            format!(
                "⋯ still labelling: {} of {} runs judged. Figures stand here once all are: what half of the \
                 runs show is not a figure yet.",
                count(progress.done as u64),
                count(progress.total as u64)
            )
        };
        for (row, line) in wrap(&words, usize::from(area.width.saturating_sub(2)).max(1)).iter().enumerate() {
            put(buf, area, (1, row as u16), line, area.width, ctx.theme.dim);
        }
    }
}

impl Screen for StatsScreen {
    fn context(&self) -> Context {
        Context::Stats
    }

    fn wants_sheet(&self) -> bool {
        true
    }

    fn on_action(&mut self, action: Action, ctx: &Ctx) -> Effect {
        let (_, area) = self.current(&Layout::new(ctx.area, self.focus));
        let page = isize::try_from(area.height.max(4)).unwrap_or(4) - 3;
        match action {
            Action::NextPane => return self.go(1),
            Action::PreviousPane => return self.go(-1),
            Action::Right if self.pages.is_empty() => return self.go(1),
            Action::Left if self.pages.is_empty() => return self.go(-1),
            Action::Close | Action::Escape | Action::Left if !self.pages.is_empty() => {
                self.pages.pop();
            }
            Action::Up => self.moved(ctx, Scroll::up),
            Action::Down => self.moved(ctx, Scroll::down),
            Action::First => self.moved(ctx, Scroll::first),
            Action::Last => self.moved(ctx, Scroll::last),
            Action::PageUp => self.moved(ctx, |scroll, lines| scroll.page(-page, lines)),
            Action::PageDown => self.moved(ctx, |scroll, lines| scroll.page(page, lines)),
            Action::HalfUp => self.moved(ctx, |scroll, lines| scroll.page(-(page / 2).max(1), lines)),
            Action::HalfDown => self.moved(ctx, |scroll, lines| scroll.page((page / 2).max(1), lines)),
            Action::Open => return self.open(ctx),
            Action::Provenance => return provenance(ctx),
            _ => return Effect::Pass,
        }
        Effect::None
    }

    fn reopened(&mut self, before: &Study, now: &Study) {
        for place in &mut self.places {
            place.selected = place.selected.and_then(|stop| stop.found(before, now));
        }
        // A page of what is gone is closed, and what was opened from it.
        let pages = std::mem::take(&mut self.pages).into_iter().map_while(|(stop, mut place)| {
            place.selected = place.selected.and_then(|stop| stop.found(before, now));
            Some((stop.found(before, now)?, place))
        });
        self.pages = pages.collect();
    }

    fn settle(&mut self, ctx: &Ctx) {
        let Some(sheet) = ctx.sheet else {
            // Other figures may come: pages of these ones go.
            self.pages.clear();
            return;
        };
        let layout = Layout::new(ctx.area, self.focus);
        let panes = layout.panes.iter().map(|pane| Content::Section(pane.section));
        let shown: Vec<Content> =
            panes.chain(self.pages.iter().map(|(stop, _)| Content::Page(*stop))).collect();
        self.laid.retain(|laid| shown.contains(&laid.content()));
        for pane in &layout.panes {
            let place = self.places.get(pane.section.place()).copied().unwrap_or_default();
            let place = self.settled(ctx, sheet, (Content::Section(pane.section), pane.body), place);
            if let Some(slot) = self.places.get_mut(pane.section.place()) {
                *slot = place;
            }
        }
        for index in 0..self.pages.len() {
            let Some((stop, place)) = self.pages.get(index).copied() else { continue };
            let place = self.settled(ctx, sheet, (Content::Page(stop), layout.page), place);
            if let Some((_, slot)) = self.pages.get_mut(index) {
                *slot = place;
            }
        }
    }

    fn draw(&self, ctx: &Ctx, buf: &mut Buffer) {
        let theme = ctx.theme;
        let layout = Layout::new(ctx.area, self.focus);
        self.title(ctx, layout.title, buf);
        self.tabs(ctx, layout.tabs, buf);
        let Some(sheet) = ctx.sheet else {
            return Self::waiting(ctx, layout.page, buf);
        };
        if let Some((stop, place)) = self.pages.last() {
            self.content(ctx, sheet, (Content::Page(*stop), layout.page), place, buf);
        } else {
            for pane in &layout.panes {
                let focused = pane.section == self.focus;
                let style = if focused { theme.strong } else { theme.dim };
                rule(buf, pane.title, 0, pane.section.title(), theme.rule, style);
                if pane.title.right() < ctx.area.right() {
                    for y in pane.title.y..pane.body.bottom() {
                        let at = (pane.title.right() - ctx.area.x, y - ctx.area.y);
                        let joint = match (y == pane.title.y, y == layout.page.y) {
                            (true, true) => "┬",
                            (true, false) => "┼",
                            _ => "│",
                        };
                        put(buf, ctx.area, at, joint, 1, theme.rule);
                    }
                }
                let place = self.places.get(pane.section.place()).copied().unwrap_or_default();
                self.content(ctx, sheet, (Content::Section(pane.section), pane.body), &place, buf);
            }
        }
        let mut line = Line::of(layout.ledger, 0);
        line.skip(1);
        for (place, part) in words::ledger_of(self.selected(), ctx.study, sheet).iter().enumerate() {
            if place == 0 {
                line.put(buf, part, theme.dim);
            } else {
                line.put_whole(buf, part, theme.dim);
            }
        }
    }

    fn on_click(&mut self, at: Position, ctx: &Ctx) -> Effect {
        let Some(sheet) = ctx.sheet else { return Effect::None };
        let layout = Layout::new(ctx.area, self.focus);
        if self.pages.is_empty()
            && let Some(pane) = layout.panes.iter().find(|pane| pane.body.contains(at))
        {
            self.focus = pane.section;
        }
        let (content, area) = self.current(&layout);
        let mut place = self.place();
        let body = self.body(ctx, sheet, content, area, &place);
        let list = list_area(area, &body);
        if !list.contains(at) {
            return Effect::None;
        }
        let line = place.scroll.top + usize::from(at.y - list.y);
        let Some(stop) = body.entries.get(line).and_then(|entry| entry.stop) else { return Effect::None };
        if place.selected == Some(stop) {
            return self.open(ctx);
        }
        (place.selected, place.scroll.cursor) = (Some(stop), line);
        self.set_place(place);
        Effect::None
    }

    fn find(&mut self, query: &str, seek: Seek, ctx: &Ctx) -> Hit {
        let sheet = ctx.sheet?;
        let (content, area) = self.current(&Layout::new(ctx.area, self.focus));
        let mut place = self.place();
        let body = self.body(ctx, sheet, content, area, &place);
        let search = Search::new(query, scene(ctx, sheet, area, &place));
        let stops = body.entries.iter().enumerate().filter(|(_, entry)| entry.stop.is_some());
        let found: Vec<usize> =
            stops.filter(|(_, entry)| search.is_hit(&entry.words)).map(|(line, _)| line).collect();
        let (nth, line) = next_hit(&found, place.scroll.cursor, seek)?;
        place.selected = body.entries.get(line).and_then(|entry| entry.stop);
        self.set_place(place);
        Some((nth + 1, found.len()))
    }

    fn cell(&self, ctx: &Ctx) -> Option<CellId> {
        match self.selected() {
            Some(Stop::Cell(id)) => words::identity(ctx.study, id),
            _ => None,
        }
    }

    fn run(&self, ctx: &Ctx) -> Option<RunId> {
        match self.selected() {
            Some(Stop::Run(run)) => RunId::at(ctx.study, run),
            _ => None,
        }
    }

    fn copied(&self, what: Copied, ctx: &Ctx) -> Option<String> {
        let sheet = ctx.sheet?;
        let (content, area) = self.current(&Layout::new(ctx.area, self.focus));
        let place = self.place();
        let scene = scene(ctx, sheet, area, &place);
        let stop = place.selected?;
        match what {
            Copied::Selection => {
                let body = self.body(ctx, sheet, content, area, &place);
                let line = body.entries.iter().find(|entry| entry.stop == Some(stop))?;
                let text = line.words.line(&scene).plain(scene.width);
                Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            Copied::Sentence => Some(words::sentence(stop, &scene)),
            Copied::Address => self.cell(ctx).map(|cell| cell_address(&cell, ctx.study)),
            Copied::Evidence => None,
        }
    }
}

/// The campaign file, its settings, and what is on record of freezing.
fn provenance(ctx: &Ctx) -> Effect {
    let Some(campaign) = &ctx.study.campaign else {
        return Effect::Status("no campaign file: all models are one pool, default settings".into());
    };
    let settings = &campaign.settings;
    let [low, high] = settings.band.map(numbers::rate);
    let lines = vec![
        ("campaign file".into(), campaign.path.display().to_string()),
        ("confidence".into(), numbers::level(1.0 - settings.alpha)),
        ("band".into(), format!("{low}–{high}")),
        ("errored ceiling".into(), numbers::level(settings.errored_ceiling)),
        (
            "bootstrap".into(),
            format!("{} resamples over tasks, seed {}", count(settings.bootstrap as u64), settings.seed),
        ),
        ("frozen".into(), crate::report::criteria::frozen_sentence(&ctx.study.frozen())),
    ];
    Effect::Popup("where the figures come from".into(), lines)
}
