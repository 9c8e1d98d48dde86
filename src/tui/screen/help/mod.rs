//! The Help of a screen: its legend, the keys that work on it, the glossary. Searchable; from the keymap.

mod glossary;

use ratatui::buffer::Buffer;

use super::{Ctx, Effect, Hit, Screen, Seek};
use crate::tui::action::Action;
use crate::tui::keymap::{self, Binding, Context, Group};
use crate::tui::paint::{Line, put};
use crate::tui::text::{pad, width, wrap};

/// The Help of one screen.
#[derive(Debug)]
pub struct HelpScreen {
    context: Context,
    first: usize,
    /// Lines of the last hit.
    hit: Option<usize>,
}

/// One line of help.
#[derive(Clone, Debug, PartialEq)]
enum Entry {
    /// a heading
    Heading(String),
    /// a term and what it means; continued lines have no term
    Term(String, String),
    /// a blank line
    Blank,
}

/// Where explanations begin, from the left.
const TERMS: usize = 30;

impl HelpScreen {
    /// The help of a screen.
    #[must_use]
    pub fn new(context: Context) -> Self {
        Self { context, first: 0, hit: None }
    }

    /// All lines, wrapped for a width.
    fn lines(&self, columns: u16) -> Vec<Entry> {
        let mut entries = Vec::new();
        let legend = glossary::legend(self.context);
        if !legend.is_empty() {
            entries.push(Entry::Heading(format!("On the {} screen", self.context.name())));
            entries.extend(legend.iter().map(term));
            entries.push(Entry::Blank);
        }
        for group in Group::ALL {
            let bindings: Vec<&Binding> = [self.context, Context::All]
                .into_iter()
                .flat_map(keymap::bindings)
                .filter(|binding| binding.group == group)
                .collect();
            if !bindings.is_empty() {
                entries.push(Entry::Heading(format!("Keys: {}", group.name().to_lowercase())));
                entries.extend(bindings.iter().map(|b| Entry::Term(b.label(), b.help.into())));
                entries.push(Entry::Blank);
            }
        }
        entries.push(Entry::Heading("Words".into()));
        entries.extend(glossary::WORDS.iter().map(term));
        wrapped(entries, usize::from(columns))
    }

    fn room(ctx: &Ctx) -> usize {
        usize::from(ctx.area.height.saturating_sub(2)).max(1)
    }

    fn scroll(&mut self, ctx: &Ctx, step: isize) {
        self.first = self.first.saturating_add_signed(step);
        self.clamp(ctx);
    }

    fn clamp(&mut self, ctx: &Ctx) {
        let most = self.lines(ctx.area.width).len().saturating_sub(Self::room(ctx));
        self.first = self.first.min(most);
    }
}

fn term((term, meaning): &(&str, &str)) -> Entry {
    Entry::Term((*term).into(), (*meaning).into())
}

/// Breaks explanations that are too long; the term stands beside the first part.
fn wrapped(entries: Vec<Entry>, columns: usize) -> Vec<Entry> {
    let mut lines = Vec::new();
    for entry in entries {
        let Entry::Term(term, meaning) = entry else {
            lines.push(entry);
            continue;
        };
        // On a narrow screen a long term has a line to itself.
        let room = columns.saturating_sub(TERMS + 2).max(20);
        let mut parts = wrap(&meaning, room).into_iter();
        if width(&term) > TERMS - 2 {
            lines.push(Entry::Term(term, String::new()));
        } else if let Some(first) = parts.next() {
            lines.push(Entry::Term(term, first));
        }
        lines.extend(parts.map(|part| Entry::Term(String::new(), part)));
    }
    lines
}

fn holds(entry: &Entry, query: &str) -> bool {
    let query = query.to_lowercase();
    match entry {
        Entry::Heading(text) => text.to_lowercase().contains(&query),
        Entry::Term(term, meaning) => {
            term.to_lowercase().contains(&query) || meaning.to_lowercase().contains(&query)
        }
        Entry::Blank => false,
    }
}

impl Screen for HelpScreen {
    fn context(&self) -> Context {
        Context::Help
    }

    fn on_action(&mut self, action: Action, ctx: &Ctx) -> Effect {
        let page = Self::room(ctx) as isize - 1;
        match action {
            Action::Up => self.scroll(ctx, -1),
            Action::Down => self.scroll(ctx, 1),
            Action::PageUp => self.scroll(ctx, -page),
            Action::PageDown => self.scroll(ctx, page),
            Action::HalfUp => self.scroll(ctx, -(page / 2)),
            Action::HalfDown => self.scroll(ctx, page / 2),
            Action::First => self.first = 0,
            Action::Last => self.scroll(ctx, isize::MAX / 2),
            _ => return Effect::Pass,
        }
        Effect::None
    }

    fn settle(&mut self, ctx: &Ctx) {
        self.clamp(ctx);
    }

    fn draw(&self, ctx: &Ctx, buf: &mut Buffer) {
        let theme = ctx.theme;
        let area = ctx.area;
        let lines = self.lines(area.width);
        let mut title = Line::of(area, 0);
        let room = Self::room(ctx);
        if lines.len() > room {
            let shown = (self.first + room).min(lines.len());
            title.put_right(buf, &format!("{shown} of {} lines ", lines.len()), theme.dim);
        }
        title.skip(1).put(buf, &format!("Help: {}", self.context.name()), theme.strong);
        for (row, entry) in lines.iter().skip(self.first).take(room).enumerate() {
            let y = row as u16 + 2;
            let found = ctx.query.is_some_and(|query| holds(entry, query));
            let mark = |style: ratatui::style::Style| if found { style.patch(theme.hit) } else { style };
            match entry {
                Entry::Blank => {}
                Entry::Heading(text) => put(buf, area, (1, y), text, area.width, mark(theme.heading)),
                Entry::Term(term, meaning) => {
                    let columns =
                        if meaning.is_empty() { area.width.saturating_sub(3) } else { TERMS as u16 };
                    put(buf, area, (3, y), &pad(term, usize::from(columns)), columns, theme.key);
                    put(buf, area, (TERMS as u16 + 1, y), meaning, area.width, mark(theme.text));
                }
            }
        }
    }

    fn on_wheel(&mut self, _at: ratatui::layout::Position, lines: i32, ctx: &Ctx) -> Effect {
        self.scroll(ctx, lines as isize);
        Effect::None
    }

    fn find(&mut self, query: &str, seek: Seek, ctx: &Ctx) -> Hit {
        let lines = self.lines(ctx.area.width);
        let hits: Vec<usize> =
            lines.iter().enumerate().filter(|(_, entry)| holds(entry, query)).map(|(line, _)| line).collect();
        let (place, line) = super::next_hit(&hits, self.hit.unwrap_or(self.first), seek)?;
        self.hit = Some(line);
        // A hit stands a few lines below the top, so that what it belongs to is in view.
        self.first = line.saturating_sub(3);
        self.clamp(ctx);
        Some((place + 1, hits.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture::{self, app, frame, press};

    #[test]
    fn the_help_of_the_map() {
        let mut app = app(fixture::harbour(), 80, 24);
        press(&mut app, "?");
        insta::assert_snapshot!(frame(&app));
        press(&mut app, "/stochastic\n");
        assert!(frame(&app).contains("hit 1 of"), "{}", frame(&app));
        press(&mut app, "\x1b?");
        assert!(frame(&app).starts_with(" gainsay"), "{}", frame(&app));
    }

    #[test]
    fn every_key_of_a_screen_and_every_word_is_there() {
        for context in Context::EVERY.into_iter().filter(|context| !context.is_menu()) {
            let text = format!("{:?}", HelpScreen::new(context).lines(200));
            for binding in keymap::bindings(context).chain(keymap::bindings(Context::All)) {
                assert!(text.contains(binding.help), "{context:?}: {}", binding.help);
            }
            for (word, _) in glossary::WORDS {
                assert!(text.contains(word));
            }
        }
    }
}
