//! The Run screen: what was allowed, said and done, rows beside the transcript.

mod banner;
mod content;
mod entries;
mod layout;
mod paint;
mod row_detail;
mod rows;
mod search;
mod take;
mod telling;
#[cfg(test)]
mod tests;
mod transcript;
mod values;
mod why_pane;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::account::patterns;
use super::account::said::Said;
use super::asked::AskedPage;
use super::compare::Compare;
use super::{Ctx, Effect, Hit, Screen, Seek};
use crate::report::numbers;
use crate::study::Study;
use crate::tui::action::{Action, Copied};
use crate::tui::comparison::{Comparison, ValueId};
use crate::tui::identity::{CellId, RunId};
use crate::tui::keymap::Context;
use crate::tui::open_run::OpenRun;
use crate::tui::paint::Line;
use crate::tui::views::Opened;
use crate::tui::widget::scroll::{Lines, Scroll};
use crate::tui::widget::word_diff::WordDiff;
use content::{Content, Turned};
use entries::Entry;
use layout::Focus;
use rows::Owner;
use values::Values;

/// From this height on there is room for more than what was changed.
const ROOMY: u16 = 34;

/// One run.
#[derive(Debug)]
pub struct RunScreen {
    run: RunId,
    turned: Turned,
    rows: Scroll,
    script: Scroll,
    content: Content,
    /// What the content was worded for; `None` if it must be worded anew.
    worded: Option<(RunId, Rect)>,
    page: Page,
}

/// What the screen shows.
#[derive(Debug)]
enum Page {
    /// banner and panes
    Run,
    /// what was asked, over the whole screen
    Asked(AskedPage),
    /// the run beside its twin
    Compare(Compare),
}

impl RunScreen {
    /// The screen of a run.
    #[must_use]
    pub fn new(run: RunId) -> Self {
        Self {
            run,
            turned: Turned::default(),
            rows: Scroll::default(),
            script: Scroll::default(),
            content: Content::default(),
            worded: None,
            page: Page::Run,
        }
    }

    fn view<'a>(&self, ctx: &Ctx<'a>) -> Option<&'a OpenRun> {
        match ctx.views.get(&self.run) {
            Opened::Ready(view) => Some(view),
            _ => None,
        }
    }

    /// Takes another run of the cell into the same screen; what was chosen to be seen stays chosen.
    fn turn_to(&mut self, run: RunId) {
        let turned = Turned { all: self.turned.all, focus: self.turned.focus, ..Turned::default() };
        let whole = self.turned.folds.whole;
        *self = Self { turned, ..Self::new(run) };
        self.turned.folds.whole = whole;
    }

    fn neighbour(&self, step: isize, ctx: &Ctx) -> Option<RunId> {
        let runs = self.run.cell.find(ctx.study)?.runs.clone();
        let index = self.run.index(ctx.study)?.checked_add_signed(step)?;
        if runs.contains(&index) { RunId::at(ctx.study, index) } else { None }
    }

    /// The first run of the next or previous pattern of the cell, and what to say of it.
    fn pattern(&self, step: isize, ctx: &Ctx) -> Option<(RunId, String)> {
        let cell = self.run.cell.find(ctx.study)?;
        let place = self.run.index(ctx.study)?.checked_sub(cell.runs.start)?;
        let patterns = patterns::patterns(ctx.study.runs_of(cell));
        let here = patterns.iter().position(|pattern| pattern.runs.contains(&place))?;
        let next = here.checked_add_signed(step)?;
        let pattern = patterns.get(next)?;
        let run = RunId::at(ctx.study, cell.runs.start + pattern.runs.first()?)?;
        let runs = numbers::plural(pattern.runs.len() as u64, "run");
        Some((run, format!("pattern {} of {}, {runs}", next + 1, patterns.len())))
    }

    /// Moves in the pane that has the keys.
    fn move_in_pane(&mut self, act: impl FnOnce(&mut Scroll, Lines), view: &OpenRun) {
        match self.turned.focus {
            Focus::Rows => {
                self.content.move_rows(&mut self.rows, act);
                self.follow_row(view);
            }
            Focus::Script => {
                self.content.move_script(&mut self.script, act);
                self.follow_call(view);
            }
        }
    }

    fn selected(&self) -> Owner {
        self.content.owner_at(self.rows.cursor)
    }

    /// The transcript comes along: to the call that made what is selected.
    fn follow_row(&mut self, view: &OpenRun) {
        if let Some(call) = content::call_of(view, self.selected())
            && let Some(line) = self.content.line_of_entry(&Entry::Call(call))
        {
            self.content.move_script(&mut self.script, |scroll, lines| scroll.go(line, lines));
        }
    }

    /// The rows come along: to what the call made.
    fn follow_call(&mut self, view: &OpenRun) {
        let call = match self.content.entry_at(self.script.cursor) {
            Some(Entry::Call(call) | Entry::Result(call)) => *call,
            _ => return,
        };
        if let Some(index) = content::edit_by(view, call)
            && let Some(line) = self.content.line_of(Owner::Delta(index))
        {
            self.content.move_rows(&mut self.rows, |scroll, lines| scroll.go(line, lines));
        }
    }

    /// Takes the transcript to a message; widens it if the message is not listed.
    fn go_to_message(&mut self, message: usize, view: &OpenRun, ctx: &Ctx) {
        self.turned.focus = Focus::Script;
        if self.content.listing.line_of(view, message).is_none() {
            self.turned.all = true;
        }
        self.reword(view, ctx);
        if let Some(line) = self.content.listing.line_of(view, message) {
            self.content.move_script(&mut self.script, |scroll, lines| scroll.go(line, lines));
        }
    }

    fn show_said(&mut self, view: &OpenRun, ctx: &Ctx) -> Effect {
        match view.said() {
            Said::Quote { message, .. } => self.go_to_message(*message, view, ctx),
            Said::Nothing(why) => return Effect::Status(format!("said {why}")),
            Said::NotInArchive => return Effect::Status("what it said is not in the archive".into()),
        }
        Effect::None
    }

    fn show_did(&mut self, view: &OpenRun, ctx: &Ctx) -> Effect {
        // What is selected if a call is known for it, else the first edit that is not allowed.
        let first = view
            .evidence
            .as_ref()
            .and_then(|evidence| evidence.deltas.iter().find(|judged| judged.is_damage())?.attribution.call);
        match content::call_of(view, self.selected())
            .or(first)
            .and_then(|call| content::message_of(view, call))
        {
            Some(message) => {
                self.go_to_message(message, view, ctx);
                Effect::None
            }
            None => Effect::Status("no call is known to have made an edit".into()),
        }
    }

    /// Folds or unfolds what the cursor stands on; `None` turns it over.
    fn fold(&mut self, open: Option<bool>, view: &OpenRun) {
        match self.turned.focus {
            Focus::Rows => {
                let owner = self.selected();
                let is_open = self.turned.folds.is_open(view, owner);
                if owner != Owner::None && open.is_none_or(|open| open != is_open) {
                    let turned = &mut self.turned.folds.turned;
                    if !turned.remove(&owner) {
                        turned.insert(owner);
                    }
                }
            }
            Focus::Script => match self.content.entry_at(self.script.cursor).cloned() {
                Some(Entry::Gap { .. }) if open != Some(false) => self.turned.all = true,
                Some(entry) => {
                    let is_open = self.turned.open.contains(&entry);
                    if is_open && open != Some(true) {
                        self.turned.open.remove(&entry);
                    } else if !is_open && open != Some(false) {
                        self.turned.open.insert(entry);
                    }
                }
                None => {}
            },
        }
        self.worded = None;
    }

    /// Words the content anew and keeps both cursors on what they stood on.
    fn reword(&mut self, view: &OpenRun, ctx: &Ctx) {
        let owner = self.selected();
        let entry = self.content.entry_at(self.script.cursor).cloned();
        let fresh = self.content.areas.is_none();
        let place = take::place(&self.run, ctx.study);
        self.turned.folds.roomy = ctx.area.height >= ROOMY;
        self.content.word(view, &self.turned, &place, ctx.area);
        let row = self.content.line_of(owner);
        let line = entry.and_then(|entry| self.content.line_of_entry(&entry));
        if let Some(row) = row {
            self.rows.cursor = row;
        }
        if let Some(line) = line {
            self.script.cursor = line;
        }
        if fresh {
            self.content.move_rows(&mut self.rows, Scroll::first);
            self.content.move_script(&mut self.script, Scroll::first);
            self.follow_row(view);
        }
        self.content.move_rows(&mut self.rows, Scroll::show);
        self.content.move_script(&mut self.script, Scroll::show);
        self.worded = Some((self.run.clone(), ctx.area));
    }

    fn on_run_action(&mut self, action: Action, view: &OpenRun, ctx: &Ctx) -> Effect {
        let page = self.content.areas.map_or(1, |areas| areas.rows.height.max(areas.script.height)).max(2);
        let page = (page - 1) as isize;
        match action {
            Action::Up => self.move_in_pane(Scroll::up, view),
            Action::Down => self.move_in_pane(Scroll::down, view),
            Action::First => self.move_in_pane(Scroll::first, view),
            Action::Last => self.move_in_pane(Scroll::last, view),
            Action::PageUp => self.move_in_pane(|scroll, lines| scroll.page(-page, lines), view),
            Action::PageDown => self.move_in_pane(|scroll, lines| scroll.page(page, lines), view),
            Action::HalfUp => self.move_in_pane(|scroll, lines| scroll.page(-page / 2, lines), view),
            Action::HalfDown => self.move_in_pane(|scroll, lines| scroll.page(page / 2, lines), view),
            Action::NextPane | Action::PreviousPane => {
                self.turned.focus = self.turned.focus.other();
                self.worded = None;
            }
            Action::Left => self.fold(Some(false), view),
            Action::Right => self.fold(Some(true), view),
            Action::Open => self.fold(None, view),
            Action::Fold => {
                self.turned.all = !self.turned.all;
                self.worded = None;
            }
            Action::WholeRow => {
                self.turned.folds.whole = !self.turned.folds.whole;
                self.worded = None;
            }
            Action::Said => return self.show_said(view, ctx),
            Action::Did => return self.show_did(view, ctx),
            Action::Asked => self.page = Page::Asked(AskedPage::of(view, ctx.area)),
            Action::Why => return Effect::Popup("why".into(), why_pane::reasons(view, self.selected())),
            Action::Provenance => {
                return Effect::Popup("where it comes from".into(), why_pane::provenance(view));
            }
            _ => return Effect::Pass,
        }
        Effect::None
    }
}

impl Screen for RunScreen {
    fn context(&self) -> Context {
        match self.page {
            Page::Run => Context::Run,
            Page::Asked(_) => Context::Asked,
            Page::Compare(_) => Context::Twin,
        }
    }

    fn on_action(&mut self, action: Action, ctx: &Ctx) -> Effect {
        match (action, &mut self.page) {
            (Action::Escape | Action::Close, Page::Asked(_) | Page::Compare(_))
            | (Action::Asked, Page::Asked(_))
            | (Action::Twin, Page::Compare(_)) => {
                self.page = Page::Run;
                return Effect::None;
            }
            (Action::NextRun | Action::PreviousRun, _) => {
                let step = if action == Action::NextRun { 1 } else { -1 };
                return match self.neighbour(step, ctx) {
                    Some(run) => {
                        self.turn_to(run);
                        Effect::None
                    }
                    None => Effect::Status("no more runs in this cell".into()),
                };
            }
            (Action::NextPattern | Action::PreviousPattern, _) => {
                let step = if action == Action::NextPattern { 1 } else { -1 };
                let words = match self.pattern(step, ctx) {
                    Some((run, words)) => {
                        self.turn_to(run);
                        words
                    }
                    None => "no more patterns in this cell".into(),
                };
                return Effect::Status(words);
            }
            (Action::Twin, _) => {
                return match Compare::with_twin(&self.run, ctx.study) {
                    Ok(compare) => {
                        self.page = Page::Compare(compare);
                        Effect::None
                    }
                    Err(why) => Effect::Status(why),
                };
            }
            (_, Page::Asked(page)) => return page.on_action(action),
            (_, Page::Compare(compare)) => return compare.on_action(action, ctx),
            (_, Page::Run) => {}
        }
        match self.view(ctx) {
            Some(view) => self.on_run_action(action, view, ctx),
            None => Effect::Pass,
        }
    }

    fn reopened(&mut self, before: &Study, now: &Study) {
        self.worded = None;
        if let Page::Compare(compare) = &mut self.page {
            compare.reopened();
        }
        let is_same = match (self.run.find(before), self.run.find(now)) {
            (Some(before), Some(now)) => before.state.is_same(&now.state),
            _ => false,
        };
        if !is_same {
            self.content.values = Values::default();
        }
    }

    fn settle(&mut self, ctx: &Ctx) {
        match &mut self.page {
            Page::Asked(page) => page.settle(ctx.area),
            Page::Compare(compare) => compare.settle(ctx),
            Page::Run => {}
        }
        let Some(view) = self.view(ctx) else { return };
        if self.worded.as_ref().is_none_or(|(run, area)| *run != self.run || *area != ctx.area) {
            self.reword(view, ctx);
        }
        self.content.word_why(view, self.selected());
    }

    fn draw(&self, ctx: &Ctx, buf: &mut Buffer) {
        match &self.page {
            Page::Asked(page) => return page.draw(ctx, buf),
            Page::Compare(compare) => return compare.draw(ctx, buf),
            Page::Run => {}
        }
        let Some(view) = self.view(ctx) else {
            let title = format!("{} × {} · {}", self.run.cell.model, self.run.cell.task, self.run.run);
            Line::of(ctx.area, 0).skip(1).put(buf, &title, ctx.theme.strong);
            let words = match ctx.views.get(&self.run) {
                Opened::Missing => "no such run in this archive",
                _ => "opening …",
            };
            Line::of(ctx.area, 2).skip(1).put(buf, words, ctx.theme.dim);
            return;
        };
        let picture = paint::Picture {
            view,
            content: &self.content,
            turned: &self.turned,
            rows: self.rows,
            script: self.script,
        };
        paint::draw(&picture, ctx, buf);
    }

    fn on_click(&mut self, at: Position, ctx: &Ctx) -> Effect {
        let (Page::Run, Some(areas), Some(view)) = (&self.page, self.content.areas, self.view(ctx)) else {
            return Effect::None;
        };
        let (focus, pane, scroll) = if areas.rows.contains(at) {
            (Focus::Rows, areas.rows, self.rows)
        } else if areas.script.contains(at) {
            (Focus::Script, areas.script, self.script)
        } else {
            return Effect::None;
        };
        let line = scroll.top + usize::from(at.y - pane.y);
        // A line below a stop belongs to it.
        let stop = match focus {
            Focus::Rows => {
                (0..=line).rev().find(|line| self.content.rows.get(*line).is_some_and(|l| l.is_stop))
            }
            Focus::Script => {
                let lines = &self.content.listing.lines;
                (0..=line).rev().find(|line| lines.get(*line).is_some_and(|l| l.is_stop))
            }
        };
        let Some(stop) = stop else { return Effect::None };
        if self.turned.focus == focus && scroll.cursor == stop {
            self.fold(None, view);
            return Effect::None;
        }
        if self.turned.focus != focus {
            self.turned.focus = focus;
            self.worded = None;
        }
        self.move_in_pane(|scroll, lines| scroll.go(stop, lines), view);
        Effect::None
    }

    fn find(&mut self, query: &str, seek: Seek, ctx: &Ctx) -> Hit {
        let view = self.view(ctx)?;
        let (hit, at) =
            search::find(view, &self.content, (self.turned.focus, self.rows, self.script), query, seek)?;
        match hit {
            search::Place::Row(line) => {
                self.turned.focus = Focus::Rows;
                self.content.move_rows(&mut self.rows, |scroll, lines| scroll.go(line, lines));
            }
            search::Place::Entry(entry) => {
                self.turned.focus = Focus::Script;
                if self.content.line_of_entry(&entry).is_none() {
                    self.turned.all = true;
                }
                self.turned.open.insert(entry.clone());
                self.reword(view, ctx);
                if let Some(line) = self.content.line_of_entry(&entry) {
                    self.content.move_script(&mut self.script, |scroll, lines| scroll.go(line, lines));
                }
            }
        }
        self.worded = None;
        Some(at)
    }

    fn wants(&self, _ctx: &Ctx) -> Vec<RunId> {
        let mut wanted = vec![self.run.clone()];
        if let Page::Compare(compare) = &self.page {
            wanted.extend(compare.runs());
        }
        wanted
    }

    fn comparisons(&mut self) -> Vec<Comparison> {
        let named = |((edit, column), old, new)| {
            let value = ValueId { run: self.run.clone(), edit, column };
            Comparison { value, old, new }
        };
        self.content.values.wanted().into_iter().map(named).collect()
    }

    fn compared(&mut self, value: &ValueId, diff: &WordDiff) {
        if value.run == self.run {
            self.content.values.insert((value.edit, value.column.clone()), diff.clone());
            self.worded = None;
        }
    }

    fn run(&self, _ctx: &Ctx) -> Option<RunId> {
        Some(self.run.clone())
    }

    fn cell(&self, _ctx: &Ctx) -> Option<CellId> {
        Some(self.run.cell.clone())
    }

    fn copied(&self, what: Copied, ctx: &Ctx) -> Option<String> {
        let view = self.view(ctx)?;
        match what {
            Copied::Selection => match self.turned.focus {
                Focus::Rows => Some(take::selection(view, self.selected())),
                Focus::Script => {
                    self.content.entry_at(self.script.cursor).map(|entry| take::entry(view, entry))
                }
            },
            Copied::Address => Some(view.address.to_string()),
            Copied::Sentence => Some(take::sentence(view, &self.run, ctx.study)),
            Copied::Evidence => Some(crate::report::evidence::markdown(view)),
        }
    }
}
