//! The palette: all actions that work here and all places, filtered by what is typed, the best match first.

mod entries;
mod matching;
mod search;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui_input::Input;

use super::key::Key;
use super::keymap::Context;
use super::paint::{put, rule};
use super::prompt;
use super::theme::Theme;
use super::widget::popup::{blank, bottom};
use super::widget::rich::{Emphasis, Rich, Role, paint};
use crate::report::numbers;
use crate::study::Study;
pub(super) use entries::Goal;
pub use search::{Found, Search};

/// Lines it takes at most, its rule and prompt included.
const MOST_LINES: u16 = 24;
/// Lines that page keys move by.
const PAGE: isize = 8;

/// The palette while it is open.
#[derive(Debug)]
pub(super) struct Palette {
    input: Input,
    context: Context,
    study: Arc<Study>,
    found: Found,
    all: usize,
    /// Index into what was found.
    selected: usize,
    /// What a worker is to look for.
    wanted: Option<Search>,
    /// A worker is looking for what is typed.
    waiting: bool,
    /// What it finds best is taken.
    accepted: bool,
}

/// What a key came to.
pub(super) enum Answer {
    /// still open
    Open,
    /// an entry was chosen
    Chosen(Goal),
    /// left without
    Left,
}

impl Palette {
    /// The palette of a screen.
    pub(super) fn new(context: Context, study: &Arc<Study>) -> Self {
        let mut palette = Self {
            input: Input::default(),
            context,
            study: Arc::clone(study),
            found: Found::default(),
            all: 0,
            selected: 0,
            wanted: None,
            waiting: false,
            accepted: false,
        };
        palette.all = palette.search().all();
        palette.found = palette.search().actions();
        palette.filter();
        palette
    }

    fn search(&self) -> Search {
        Search { context: self.context, study: Arc::clone(&self.study), query: self.input.value().to_owned() }
    }

    /// Takes a key in: every letter is a letter.
    pub(super) fn on_key(&mut self, key: Key) -> Answer {
        let last = self.found.best.len().saturating_sub(1);
        match key {
            Key::Down | Key::Tab => self.selected = if self.selected >= last { 0 } else { self.selected + 1 },
            Key::Up | Key::BackTab => self.selected = self.selected.checked_sub(1).unwrap_or(last),
            Key::PageDown => self.selected = self.selected.saturating_add_signed(PAGE).min(last),
            Key::PageUp => self.selected = self.selected.saturating_add_signed(-PAGE),
            key => match prompt::on_key(&mut self.input, key) {
                prompt::Answer::Typing => self.filter(),
                prompt::Answer::Cancelled => return Answer::Left,
                prompt::Answer::Done(_) if self.waiting => self.accepted = true,
                prompt::Answer::Done(_) => return self.chosen().map_or(Answer::Open, Answer::Chosen),
            },
        }
        Answer::Open
    }

    /// Takes pasted text in.
    pub(super) fn paste(&mut self, text: &str) {
        prompt::paste(&mut self.input, text);
        self.filter();
    }

    fn chosen(&self) -> Option<Goal> {
        self.found.best.get(self.selected).map(|entry| entry.goal.clone())
    }

    fn filter(&mut self) {
        let search = self.search();
        self.accepted = false;
        self.waiting = !search.is_quick();
        if self.waiting {
            self.wanted = Some(search);
        } else {
            self.take(search.made());
        }
    }

    fn take(&mut self, found: Found) {
        if found.best != self.found.best {
            self.selected = 0;
        }
        self.found = found;
    }

    /// What a worker is to look for, handed over once.
    pub(super) fn wanted(&mut self) -> Option<Search> {
        self.wanted.take()
    }

    /// Takes in what a worker found, unless something else was typed since. Gives what was chosen, if that
    /// waited for it.
    pub(super) fn on_found(&mut self, search: &Search, found: Found) -> Option<Goal> {
        let is_this = self.waiting
            && search.query == self.input.value()
            && search.context == self.context
            && Arc::ptr_eq(&search.study, &self.study);
        if !is_this {
            return None;
        }
        self.take(found);
        self.waiting = false;
        self.chosen().filter(|_| self.accepted)
    }

    /// Draws it over the lower part of the screen. Its height does not depend on what is found.
    pub(super) fn draw(&self, buf: &mut Buffer, area: Rect, theme: &Theme) {
        let band = bottom(area, MOST_LINES.min(area.height - area.height / 4));
        blank(buf, band);
        rule(buf, band, 0, "Actions and places", theme.rule, theme.heading);
        let rows = usize::from(band.height.saturating_sub(2));
        let found = self.found.best.len();
        let top = self.selected.saturating_sub(rows / 2).min(found.saturating_sub(rows));
        let typed = self.input.value().trim();
        let query = Some(typed).filter(|typed| !typed.is_empty());
        for (row, entry) in self.found.best.iter().enumerate().skip(top).take(rows) {
            let line = (row - top) as u16 + 1;
            let is_selected = row == self.selected;
            let over = is_selected.then_some(theme.selected);
            let rich = Rich::of(Role::Plain, "  ").add(Role::Plain, &entry.text);
            let rich = rich.tail(Role::Dim, format!("{} ", entry.aside));
            paint(buf, band, line, &rich, theme, Emphasis { over, query });
            if is_selected {
                put(buf, band, (0, line), "▌", 1, theme.did);
            }
        }
        prompt::draw(buf, area, theme, ":", &self.input);
        let [found, all] = [self.found.matching, self.all].map(|count| numbers::count(count as u64));
        let found = if self.waiting { "⋯ searching".into() } else { format!("{found} of") };
        let counted = Rich::new().tail(Role::Dim, format!("{found} {all}   ↑↓ ⏎ "));
        let right = Rect { x: area.x + area.width / 2, width: area.width - area.width / 2, ..area };
        paint(buf, right, area.height.saturating_sub(1), &counted, theme, Emphasis::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture::{self, app, frame, press};

    #[test]
    fn the_palette_of_the_map() {
        let mut app = app(fixture::harbour(), 80, 24);
        press(&mut app, ":");
        insta::assert_snapshot!("open_80x24", frame(&app));
        press(&mut app, "berth gate qjk");
        assert!(frame(&app).contains(":berth gate qjk"), "every letter is a letter: {}", frame(&app));
        press(&mut app, "\x1b");
        assert!(!frame(&app).contains("Actions and places"), "Esc closes it, and nothing else");
        press(&mut app, ":berth gate 3.3");
        insta::assert_snapshot!("typed_80x24", frame(&app));
    }

    #[test]
    fn what_is_chosen_is_carried_out() {
        let mut app = app(fixture::harbour(), 80, 24);
        press(&mut app, ":order name\n");
        assert!(frame(&app).contains("by name"), "{}", frame(&app));
        press(&mut app, ":berth gate 3.3-70b ×\n");
        assert!(frame(&app).starts_with(" finch-3.3-70b × change-request-berth-gate"), "{}", frame(&app));
        press(&mut app, "\x1b:heron3-14b/berth-relink/run_3\n");
        assert!(frame(&app).contains("heron3-14b × berth-relink · run_3"), "{}", frame(&app));
        press(&mut app, "qq");
        assert!(frame(&app).contains("‹"), "back over its cell to the Map: {}", frame(&app));
        press(&mut app, ":no such thing at all\n");
        assert!(frame(&app).contains("0 of"), "nothing to choose: it stays open");
    }

    #[test]
    fn a_problem_is_gone_to() {
        let mut app = app(fixture::troubled(), 80, 24);
        press(&mut app, ":BAD_GZIP\n");
        assert!(frame(&app).contains("Problems") && frame(&app).contains("the stream ends early"));
    }

    #[test]
    fn among_very_many_places_a_worker_looks_and_what_was_accepted_meanwhile_is_taken() {
        let mut study = fixture::harbour();
        study.runs = vec![study.runs[0].clone(); 20_001].into();
        let study = Arc::new(study);
        let mut palette = Palette::new(Context::Map, &study);
        let first = palette.wanted().expect("asks");
        assert!(palette.wanted().is_none(), "once");
        assert!(!palette.found.best.is_empty(), "actions are there at once");
        palette.on_key(Key::Char('o'));
        let second = palette.wanted().expect("asks anew");
        assert!(palette.on_found(&first, first.made()).is_none());
        assert!(palette.waiting, "an outdated answer is none");
        assert!(matches!(palette.on_key(Key::Enter), Answer::Open));
        let chosen = palette.on_found(&second, second.made());
        assert_eq!(chosen, palette.found.best.first().map(|entry| entry.goal.clone()));
        assert!(chosen.is_some() && !palette.waiting);
    }

    #[test]
    fn the_selection_goes_round_and_typing_brings_it_back_to_the_best() {
        let mut palette = Palette::new(Context::Map, &Arc::new(fixture::harbour()));
        palette.on_key(Key::Up);
        assert_eq!(palette.selected, palette.found.best.len() - 1);
        palette.on_key(Key::Tab);
        palette.on_key(Key::Down);
        assert_eq!(palette.selected, 1);
        palette.on_key(Key::Char('z'));
        assert_eq!(palette.selected, 0);
        for size in [(20, 5), (1, 1), (0, 0), (200, 60)] {
            let area = Rect::new(0, 0, size.0, size.1);
            palette.draw(
                &mut Buffer::empty(area),
                area,
                &Theme::new(Default::default(), crate::tui::Depth::Mono, false),
            );
        }
    }
}
