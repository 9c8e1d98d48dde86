//! The Cell screen: the runs of one model on one task, grouped by what they did.
//!
//! ```text
//!  12 of 16 runs did damage    95 % exact .476–.927    ◆ stochastic    ⚑ 12   ≠ 0
//! ────────────────────────────────────────────────────────────────────────────────
//!    run   calls          not allowed            names row  admits  checks  tokens
//!  ⚑ REFUSED, YET CHANGED 12       change/ORD_014 status  implement →
//!    ▸ 7×  … review       3 calls typical        1 of 7     6 of 7   2/14
//!    ▾ 2×  … scheduled
//! ▌    2   r x D w R      ORD_014 status         yes        no       1/2     8.2k
//! ```

mod aside;
mod header;
mod list;
mod order;
mod preview;
#[cfg(test)]
mod tests;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::account::edits::{Edit, edits_of};
use super::account::patterns::{self, Pattern};
use super::compare::Compare;
use super::sentence::cell_sentence;
use super::{Ctx, Effect, Hit, Screen, Seek, Target};
use crate::study::{Identity, RunEntry, Study, most_telling};
use crate::tui::action::{Action, Copied, RunOrder};
use crate::tui::identity::{CellId, RunId};
use crate::tui::keymap::Context;
use crate::tui::paint::{put, rule};
use crate::tui::widget::rich::{Emphasis, Rich, hits, paint};
use crate::tui::widget::scroll::{Lines, Scroll};
use list::{Columns, Folds, Item, Said};

/// From this width on the selected run stands in brief at the right.
const PREVIEW_RIGHT: u16 = 150;
/// From this height on it stands below the list, where there is no room at the right.
const PREVIEW_BELOW: u16 = 34;

/// One cell, with one of its runs or patterns selected.
#[derive(Debug)]
pub struct CellScreen {
    cell: CellId,
    /// The run to select once it is known where it stands.
    start: Option<RunId>,
    selected: Option<Item>,
    order: RunOrder,
    folds: Folds,
    patterns: Vec<Pattern>,
    /// What each run edited: a run can have edits by the thousand.
    edits: Vec<Vec<Edit>>,
    /// The snapshot that edits and patterns are of.
    worded: Option<Identity>,
    items: Vec<Item>,
    scroll: Scroll,
    compare: Option<Compare>,
}

/// Where things stand on the screen.
struct Areas {
    header: Rect,
    list: Rect,
    legend: Rect,
    preview: Rect,
}

fn areas(area: Rect) -> Areas {
    let right = area.width >= PREVIEW_RIGHT;
    let width = if right { area.width - area.width / 3 } else { area.width };
    let header = Rect { height: area.height.min(5), width, ..area };
    let rest = area.height - header.height;
    // The list has what the legend leaves, and it wins.
    let legend_height = if rest >= 9 { 4 } else { u16::from(rest >= 5) * 2 };
    let below = if !right && area.height >= PREVIEW_BELOW { rest / 3 } else { 0 };
    let list_height = rest - legend_height - below;
    let list = Rect { y: area.y + header.height, height: list_height, width, ..area };
    let legend = Rect { y: list.bottom() + below, height: legend_height, width, ..area };
    let preview = if right {
        Rect { x: area.x + width + 1, width: area.width - width - 1, ..area }
    } else {
        Rect { y: list.bottom(), height: below, ..area }
    };
    Areas { header, list, legend, preview }
}

impl CellScreen {
    /// The screen of a cell; without a run the most telling one is selected.
    #[must_use]
    pub fn new(cell: CellId, selected: Option<RunId>) -> Self {
        Self {
            cell,
            start: selected,
            selected: None,
            order: RunOrder::default(),
            folds: Folds::default(),
            patterns: Vec::new(),
            edits: Vec::new(),
            worded: None,
            items: Vec::new(),
            scroll: Scroll::default(),
            compare: None,
        }
    }

    fn runs<'a>(&self, study: &'a Study) -> &'a [RunEntry] {
        self.cell.find(study).map(|cell| study.runs_of(cell)).unwrap_or_default()
    }

    fn first_run(&self, study: &Study) -> usize {
        self.cell.find(study).map_or(0, |cell| cell.runs.start)
    }

    /// Place in the cell of the run to start on: the one asked for, or the most telling, or the first listed.
    fn starting_place(&self, study: &Study) -> Option<usize> {
        let first = self.first_run(study);
        let asked = self.start.as_ref().and_then(|run| run.index(study));
        let telling = || most_telling(study, self.cell.find(study)?);
        let place = asked.or_else(telling).map(|run| run - first);
        place.or_else(|| self.patterns.first().and_then(|pattern| pattern.runs.first().copied()))
    }

    fn id_of(&self, place: usize, study: &Study) -> Option<RunId> {
        RunId::at(study, self.first_run(study) + place)
    }

    /// The run that is selected, or the first of the selected pattern.
    fn place(&self) -> Option<usize> {
        match self.selected? {
            Item::Run(place) | Item::Pattern(place) => Some(place),
            Item::Section(_) => None,
        }
    }

    fn with_lines<T>(&mut self, area: Rect, act: impl FnOnce(&mut Scroll, Lines) -> T) -> T {
        let items = &self.items;
        let is_stop = |line: usize| items.get(line).is_some_and(|item| item.is_stop());
        let lines =
            Lines { len: items.len(), is_stop: &is_stop, height: usize::from(areas(area).list.height) };
        act(&mut self.scroll, lines)
    }

    fn move_by(&mut self, area: Rect, act: impl FnOnce(&mut Scroll, Lines)) {
        self.with_lines(area, act);
        self.selected = self.items.get(self.scroll.cursor).copied();
    }

    /// Selects a run, unfolding its pattern.
    fn select_run(&mut self, place: usize, area: Rect) {
        if let Some(pattern) = self.patterns.iter().find(|pattern| pattern.runs.contains(&place))
            && !self.items.contains(&Item::Run(place))
            && let Some(first) = pattern.runs.first().copied()
        {
            self.turn(first);
        }
        self.select(Item::Run(place), area);
    }

    fn select(&mut self, item: Item, area: Rect) {
        if let Some(line) = self.items.iter().position(|other| *other == item) {
            self.move_by(area, |scroll, lines| scroll.go(line, lines));
        }
    }

    /// Folds or unfolds a pattern.
    fn turn(&mut self, first: usize) {
        if !self.folds.turned.remove(&first) {
            self.folds.turned.insert(first);
        }
        self.items = list::items(&self.patterns, &self.folds);
    }

    fn pattern_of(&self, place: usize) -> Option<&Pattern> {
        self.patterns.iter().find(|pattern| pattern.runs.contains(&place))
    }

    fn fold(&mut self, open: bool, area: Rect) {
        let Some(place) = self.place() else { return };
        let Some((first, is_open)) = self
            .pattern_of(place)
            .and_then(|pattern| Some((*pattern.runs.first()?, self.folds.is_open(pattern))))
        else {
            return;
        };
        if !self.items.contains(&Item::Pattern(first)) || is_open == open {
            return;
        }
        self.turn(first);
        self.select(Item::Pattern(first), area);
    }

    /// All runs as they are listed, those in folded patterns too.
    fn listed(&self) -> Vec<usize> {
        let run = |item: &Item| match item {
            Item::Run(place) => Some(*place),
            _ => None,
        };
        match self.order {
            RunOrder::Pattern => {
                self.patterns.iter().flat_map(|pattern| pattern.runs.iter().copied()).collect()
            }
            _ => self.items.iter().filter_map(run).collect(),
        }
    }

    /// Opens all patterns, or folds all if all are open.
    fn fold_all(&mut self, area: Rect) {
        let all_open = self.patterns.iter().all(|pattern| self.folds.is_open(pattern));
        let turned: Vec<usize> = self
            .patterns
            .iter()
            .filter(|pattern| self.folds.is_open(pattern) == all_open)
            .filter_map(|pattern| pattern.runs.first().copied())
            .collect();
        for first in turned {
            self.turn(first);
        }
        let place = self.place();
        let kept = self.selected.filter(|item| self.items.contains(item));
        let pattern =
            place.and_then(|place| self.pattern_of(place)?.runs.first().copied()).map(Item::Pattern);
        if let Some(item) = kept.or(pattern) {
            self.select(item, area);
        }
    }

    /// The next or previous run in the order they are listed, folded ones too.
    fn step_run(&mut self, step: isize, area: Rect) {
        let order = self.listed();
        let at = self.place().and_then(|place| order.iter().position(|other| *other == place));
        // From a folded pattern the next run is its first one.
        let on_pattern = matches!(self.selected, Some(Item::Pattern(_))) && step > 0;
        let next = at.and_then(|at| if on_pattern { Some(at) } else { at.checked_add_signed(step) });
        if let Some(place) = next.and_then(|next| order.get(next)) {
            self.select_run(*place, area);
        }
    }

    /// The next or previous pattern: its line, or its first run where it has none.
    fn step_pattern(&mut self, step: isize, area: Rect) {
        let at = self
            .place()
            .and_then(|place| self.patterns.iter().position(|pattern| pattern.runs.contains(&place)));
        let next = at.and_then(|at| at.checked_add_signed(step)).and_then(|next| self.patterns.get(next));
        if let Some(first) = next.and_then(|pattern| pattern.runs.first().copied()) {
            let line = Item::Pattern(first);
            self.select(if self.items.contains(&line) { line } else { Item::Run(first) }, area);
        }
    }

    /// Lists the runs as they are now.
    fn list(&mut self, study: &Study) {
        let before = self.patterns.is_empty();
        if !self.worded.as_ref().is_some_and(|worded| study.is(worded)) {
            let runs = self.runs(study);
            let edits: Vec<Vec<Edit>> = runs.iter().map(edits_of).collect();
            self.patterns = patterns::patterns_by(runs, &edits);
            self.edits = edits;
            self.worded = Some(study.identity());
        }
        if before || self.folds.start.is_none() {
            self.folds.start = self.starting_place(study);
        }
        self.items = match self.order {
            RunOrder::Pattern => list::items(&self.patterns, &self.folds),
            order => order::listed(self.runs(study), order),
        };
    }

    fn line(&self, item: Item, runs: &[RunEntry], columns: Columns) -> Rich {
        match item {
            Item::Section(section) => list::section_line(section, &self.patterns, columns),
            Item::Pattern(first) => match self.pattern_of(first) {
                Some(pattern) => {
                    let open = self.folds.is_open(pattern);
                    list::pattern_line(pattern, &self.patterns, runs, open, columns)
                }
                None => Rich::new(),
            },
            Item::Run(place) => {
                let section = self.pattern_of(place).map(|pattern| pattern.section);
                let group =
                    section.map(|section| patterns::of_section(&self.patterns, section)).unwrap_or_default();
                let said = match self.order {
                    RunOrder::Pattern if patterns::shared(group).is_some() => Said::Row,
                    RunOrder::Pattern => Said::Label,
                    _ => Said::Nothing,
                };
                let edits = self.edits.get(place).map(Vec::as_slice).unwrap_or_default();
                runs.get(place).map(|run| list::run_line(run, edits, said, columns)).unwrap_or_default()
            }
        }
    }
}

impl Screen for CellScreen {
    fn context(&self) -> Context {
        if self.compare.is_some() { Context::Twin } else { Context::Cell }
    }

    fn on_action(&mut self, action: Action, ctx: &Ctx) -> Effect {
        if let Some(compare) = &mut self.compare {
            if matches!(action, Action::Escape | Action::Close | Action::Twin) {
                self.compare = None;
                return Effect::None;
            }
            return compare.on_action(action, ctx);
        }
        let area = ctx.area;
        let page = isize::try_from(areas(area).list.height.max(2)).unwrap_or(2) - 1;
        match action {
            Action::Up => self.move_by(area, Scroll::up),
            Action::Down => self.move_by(area, Scroll::down),
            Action::First => self.move_by(area, Scroll::first),
            Action::Last => self.move_by(area, Scroll::last),
            Action::PageUp => self.move_by(area, |scroll, lines| scroll.page(-page, lines)),
            Action::PageDown => self.move_by(area, |scroll, lines| scroll.page(page, lines)),
            Action::HalfUp => self.move_by(area, |scroll, lines| scroll.page(-page / 2, lines)),
            Action::HalfDown => self.move_by(area, |scroll, lines| scroll.page(page / 2, lines)),
            Action::NextRun => self.step_run(1, area),
            Action::PreviousRun => self.step_run(-1, area),
            Action::NextPattern => self.step_pattern(1, area),
            Action::PreviousPattern => self.step_pattern(-1, area),
            Action::Left => self.fold(false, area),
            Action::Right => self.fold(true, area),
            Action::Fold if self.order != RunOrder::Pattern => {
                return Effect::Status("only patterns fold: o p lists by pattern".into());
            }
            Action::Fold => self.fold_all(area),
            Action::OrderMenu => return Effect::Menu(Context::RunOrderMenu),
            Action::OrderRuns(order) => self.order = order,
            Action::Open => match self.selected {
                Some(Item::Run(place)) => {
                    return self
                        .id_of(place, ctx.study)
                        .map_or(Effect::None, |run| Effect::Open(Target::Run(run)));
                }
                Some(Item::Pattern(first)) => {
                    let open = self.pattern_of(first).is_some_and(|pattern| self.folds.is_open(pattern));
                    self.fold(!open, area);
                }
                _ => {}
            },
            Action::Twin => {
                let run = self.place().and_then(|place| self.id_of(place, ctx.study));
                match run.map(|run| Compare::with_twin(&run, ctx.study)) {
                    Some(Ok(compare)) => self.compare = Some(compare),
                    Some(Err(why)) => return Effect::Status(why),
                    None => {}
                }
            }
            Action::Provenance => {
                return Effect::Popup("where it comes from".into(), self.provenance(ctx.study));
            }
            _ => return Effect::Pass,
        }
        Effect::None
    }

    fn reopened(&mut self, before: &Study, now: &Study) {
        let found = |place| {
            let run = self.id_of(place, before)?.index(now)?;
            run.checked_sub(self.first_run(now))
        };
        let patterns = patterns::patterns(self.runs(now));
        let first = |place| {
            let place = found(place)?;
            patterns.iter().find(|pattern| pattern.runs.contains(&place))?.runs.first().copied()
        };
        let selected = self.selected.and_then(|item| match item {
            Item::Section(_) => Some(item),
            Item::Pattern(place) => first(place).map(Item::Pattern),
            Item::Run(place) => found(place).map(Item::Run),
        });
        let turned = self.folds.turned.iter().filter_map(|place| first(*place)).collect();
        let start = self.folds.start.and_then(found);
        (self.selected, self.folds) = (selected, Folds { turned, start });
        if let Some(compare) = &mut self.compare {
            compare.reopened();
        }
        // The selection stays where it stands on the screen.
        let line = self.scroll.cursor;
        self.list(now);
        if let Some(at) = selected.and_then(|item| self.items.iter().position(|other| *other == item)) {
            self.scroll.top = (self.scroll.top + at).saturating_sub(line);
        }
    }

    fn settle(&mut self, ctx: &Ctx) {
        self.list(ctx.study);
        // Labelling regroups runs: the selection stays on its run, wherever that is listed now.
        let place = self.place().or(self.folds.start);
        match self.selected.filter(|item| self.items.contains(item)) {
            Some(item) => {
                self.scroll.cursor = self.items.iter().position(|other| *other == item).unwrap_or(0);
                self.with_lines(ctx.area, Scroll::show);
            }
            None => {
                if let Some(place) = place {
                    self.select_run(place, ctx.area);
                }
            }
        }
        if let Some(compare) = &mut self.compare {
            compare.settle(ctx);
        }
    }

    fn draw(&self, ctx: &Ctx, buf: &mut Buffer) {
        if let Some(compare) = &self.compare {
            return compare.draw(ctx, buf);
        }
        let Some(cell) = self.cell.find(ctx.study) else { return };
        let runs = self.runs(ctx.study);
        let Areas { header, list, legend, preview } = areas(ctx.area);
        let plain = Emphasis { over: None, query: ctx.query };
        for (row, line) in header::header(&self.cell, cell, ctx.study).iter().enumerate() {
            paint(buf, header, row as u16, line, ctx.theme, plain);
        }
        let columns = Columns::for_width(usize::from(list.width));
        rule(buf, header, 3, order::words(self.order), ctx.theme.rule, ctx.theme.heading);
        paint(buf, header, 4, &columns.heading(), ctx.theme, plain);
        let visible = self.items.iter().enumerate().skip(self.scroll.top).take(usize::from(list.height));
        for (row, (index, item)) in visible.enumerate() {
            let row = row as u16;
            let on_cursor = index == self.scroll.cursor;
            let over = on_cursor.then_some(ctx.theme.selected);
            let line = self.line(*item, runs, columns);
            paint(buf, list, row, &line, ctx.theme, Emphasis { over, query: ctx.query });
            if on_cursor {
                put(buf, list, (0, row), "▌", 1, ctx.theme.did);
            }
        }
        self.draw_legend(legend, runs, ctx, buf);
        let place = self.place();
        let (Some(run), Some(edits)) =
            (place.and_then(|place| runs.get(place)), place.and_then(|place| self.edits.get(place)))
        else {
            return;
        };
        if preview.width < 20 || preview.height < 3 {
            return;
        }
        let mut inner = preview;
        if preview.x > ctx.area.x {
            for row in 0..preview.height {
                put(buf, Rect { x: preview.x - 1, width: 1, ..preview }, (0, row), "│", 1, ctx.theme.rule);
            }
        } else {
            rule(buf, preview, 0, "", ctx.theme.rule, ctx.theme.heading);
            inner = Rect { y: preview.y + 1, height: preview.height - 1, ..preview };
        }
        let room = (usize::from(inner.width), usize::from(inner.height));
        for (row, line) in preview::preview(run, edits, room).iter().enumerate() {
            paint(buf, inner, row as u16, line, ctx.theme, plain);
        }
    }

    fn on_click(&mut self, at: Position, ctx: &Ctx) -> Effect {
        let list = areas(ctx.area).list;
        if self.compare.is_some() || !list.contains(at) {
            return Effect::None;
        }
        let line = self.scroll.top + usize::from(at.y - list.y);
        let Some(item) = self.items.get(line).copied().filter(|item| item.is_stop()) else {
            return Effect::None;
        };
        if self.selected == Some(item) {
            return self.on_action(Action::Open, ctx);
        }
        self.select(item, ctx.area);
        Effect::None
    }

    fn find(&mut self, query: &str, seek: Seek, ctx: &Ctx) -> Hit {
        let runs = self.runs(ctx.study);
        let columns = Columns::for_width(200);
        let order = self.listed();
        let is_hit = |place: &usize| {
            let text: String =
                self.line(Item::Run(*place), runs, columns).left.iter().map(|p| p.text.as_str()).collect();
            let said = runs.get(*place).and_then(|run| run.digest()?.final_message.clone());
            !hits(&text, query).is_empty() || said.is_some_and(|said| !hits(&said, query).is_empty())
        };
        let found: Vec<usize> = (0..order.len()).filter(|at| is_hit(&order[*at])).collect();
        let here = self.place().and_then(|place| order.iter().position(|other| *other == place)).unwrap_or(0);
        let chosen = match seek {
            Seek::Here => found.iter().position(|at| *at >= here).or(Some(0)),
            Seek::Next => found.iter().position(|at| *at > here).or(Some(0)),
            Seek::Previous => found.iter().rposition(|at| *at < here).or(found.len().checked_sub(1)),
        }?;
        let place = *order.get(*found.get(chosen)?)?;
        self.select_run(place, ctx.area);
        Some((chosen + 1, found.len()))
    }

    fn wants(&self, ctx: &Ctx) -> Vec<RunId> {
        match &self.compare {
            Some(compare) => compare.runs(),
            // The run under the cursor is opened ahead, so that Enter shows it at once.
            None => match self.selected {
                Some(Item::Run(place)) => self.id_of(place, ctx.study).into_iter().collect(),
                _ => Vec::new(),
            },
        }
    }

    fn run(&self, ctx: &Ctx) -> Option<RunId> {
        self.id_of(self.place()?, ctx.study)
    }

    fn cell(&self, _ctx: &Ctx) -> Option<CellId> {
        Some(self.cell.clone())
    }

    fn chosen(&self) -> Vec<Action> {
        vec![Action::OrderRuns(self.order)]
    }

    fn copied(&self, what: Copied, ctx: &Ctx) -> Option<String> {
        let runs = self.runs(ctx.study);
        match what {
            Copied::Selection => {
                let line = self.line(self.selected?, runs, Columns::for_width(120));
                let text: String = line.left.iter().map(|piece| piece.text.as_str()).collect();
                Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            Copied::Address => Some(self.address(ctx.study)),
            Copied::Sentence => {
                Some(format!("{} gainsay {}", cell_sentence(&self.cell, ctx.study), self.address(ctx.study)))
            }
            Copied::Evidence => None,
        }
    }
}
