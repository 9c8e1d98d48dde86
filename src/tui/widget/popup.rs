//! What lies over a screen: menus that show their second keys, and titled lines.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::action::Action;
use crate::tui::keymap::{self, Context};
use crate::tui::paint::{Line, put, rule};
use crate::tui::text::{width, wrap};
use crate::tui::theme::Theme;

/// A menu at the lower edge: each key with its meaning, in columns; what holds now is marked. It stays
/// until a key is chosen.
pub fn menu(buf: &mut Buffer, area: Rect, theme: &Theme, context: Context, chosen: &[Action]) {
    let entries: Vec<_> = keymap::bindings(context)
        .map(|binding| (binding.label(), binding.help, chosen.contains(&binding.action)))
        .collect();
    let widest = entries.iter().map(|(key, help, _)| width(key) + width(help) + 5).max().unwrap_or(1);
    let columns = (usize::from(area.width.saturating_sub(1)) / widest).max(1);
    let rows = entries.len().div_ceil(columns) as u16;
    let band = bottom(area, rows + 2);
    blank(buf, band);
    rule(buf, band, 0, context.name(), theme.rule, theme.heading);
    for (index, (key, help, holds)) in entries.iter().enumerate() {
        let (column, row) = (index / usize::from(rows.max(1)), index % usize::from(rows.max(1)));
        let mut line = Line::of(band, row as u16 + 1);
        let (mark, style) = if *holds { ("▸", theme.strong) } else { (" ", theme.text) };
        line.skip(1 + (column * widest) as u16).put(buf, mark, theme.strong);
        line.put(buf, key, theme.key).skip(2).put(buf, help, style);
    }
    Line::of(band, band.height.saturating_sub(1)).skip(1).put(buf, "Esc  leave it", theme.dim);
}

/// Labels and values at the lower edge. Long values go over several lines; what is longer than the screen
/// scrolls.
#[derive(Debug)]
pub struct Popup {
    title: String,
    lines: Vec<(String, String)>,
    first: usize,
}

impl Popup {
    /// Titled lines, label and value.
    #[must_use]
    pub fn new(title: String, lines: Vec<(String, String)>) -> Self {
        Self { title, lines, first: 0 }
    }

    fn labels(&self) -> usize {
        self.lines.iter().map(|(label, _)| width(label)).max().unwrap_or(0).min(24)
    }

    fn room(&self, area: Rect) -> usize {
        usize::from(area.width).saturating_sub(self.labels() + 6).max(8)
    }

    fn wrapped(&self, area: Rect) -> Vec<(&str, String)> {
        let room = self.room(area);
        let parts = self.lines.iter().flat_map(|(label, value)| {
            let parts = wrap(value, room).into_iter().enumerate();
            parts.map(move |(row, part)| (if row == 0 { label.as_str() } else { "" }, part))
        });
        parts.collect()
    }

    /// The band it takes of an area, for so many lines.
    fn band(area: Rect, lines: usize) -> Rect {
        let height = u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(2);
        bottom(area, height.min(area.height.saturating_sub(2)))
    }

    /// Moves what is in view, where not all of it is. False if the action is none that moves.
    pub fn on_action(&mut self, action: Action, area: Rect) -> bool {
        let len = self.wrapped(area).len();
        let height = usize::from(Self::band(area, len).height.saturating_sub(2));
        let last = len.saturating_sub(height);
        let page = height.saturating_sub(1).max(1) as isize;
        let by = match action {
            Action::Up => -1,
            Action::Down => 1,
            Action::PageUp => -page,
            Action::PageDown => page,
            Action::HalfUp => -(page / 2).max(1),
            Action::HalfDown => (page / 2).max(1),
            Action::First => isize::MIN,
            Action::Last => isize::MAX,
            _ => return false,
        };
        self.first = self.first.min(last).saturating_add_signed(by).min(last);
        last > 0
    }

    /// Draws it.
    pub fn draw(&self, buf: &mut Buffer, area: Rect, theme: &Theme) {
        let lines = self.wrapped(area);
        let band = Self::band(area, lines.len());
        blank(buf, band);
        rule(buf, band, 0, &self.title, theme.rule, theme.heading);
        let height = usize::from(band.height.saturating_sub(2));
        let first = self.first.min(lines.len().saturating_sub(height));
        let (labels, room) = (self.labels() as u16, self.room(area) as u16);
        for (row, (label, value)) in lines.iter().skip(first).take(height).enumerate() {
            let row = row as u16 + 1;
            put(buf, band, (2, row), label, labels, theme.dim);
            put(buf, band, (labels + 4, row), value, room, theme.text);
        }
        let mut last = Line::of(band, band.height.saturating_sub(1));
        last.skip(1);
        if lines.len() > height {
            let shown = format!("{}–{} of {} lines ", first + 1, first + height, lines.len());
            last.put_right(buf, &shown, theme.dim);
            last.put(buf, "jk", theme.key).skip(1).put(buf, "scroll   any other key  back", theme.dim);
        } else {
            last.put(buf, "any key  back", theme.dim);
        }
    }
}

/// The lowest `height` lines of an area.
#[must_use]
pub fn bottom(area: Rect, height: u16) -> Rect {
    let height = height.min(area.height);
    Rect { y: area.bottom() - height, height, ..area }
}

/// Clears an area for what is drawn over the screen.
pub fn blank(buf: &mut Buffer, area: Rect) {
    let area = area.intersection(buf.area);
    for y in area.top()..area.bottom() {
        buf.set_string(area.x, y, " ".repeat(usize::from(area.width)), Style::reset());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::{Depth, ThemeChoice};

    fn shown(popup: &Popup, area: Rect) -> String {
        let mut buf = Buffer::empty(area);
        popup.draw(&mut buf, area, &Theme::new(ThemeChoice::Mono, Depth::Mono, false));
        buf.content.iter().map(ratatui::buffer::Cell::symbol).collect()
    }

    #[test]
    fn what_is_longer_than_the_screen_scrolls_to_its_end_and_what_fits_does_not() {
        let lines =
            |count: usize| (0..count).map(|line| (format!("l{line}"), format!("value {line}."))).collect();
        let area = Rect::new(0, 0, 60, 14);
        let mut long = Popup::new("long".into(), lines(30));
        assert!(shown(&long, area).contains("1–10 of 30 lines") && shown(&long, area).contains("value 9."));
        assert!(long.on_action(Action::Down, area));
        assert!(shown(&long, area).contains("value 10.") && !shown(&long, area).contains("value 0."));
        for _ in 0..50 {
            assert!(long.on_action(Action::PageDown, area), "it stays at its end");
        }
        assert!(shown(&long, area).contains("value 29."));
        assert!(long.on_action(Action::Up, area) && !shown(&long, area).contains("value 29."));
        assert!(!long.on_action(Action::Escape, area), "other keys close it");
        assert!(!Popup::new("short".into(), lines(3)).on_action(Action::Down, area));
        for area in [Rect::new(0, 0, 20, 5), Rect::new(0, 0, 1, 1), Rect::new(0, 0, 0, 0)] {
            long.on_action(Action::Last, area);
            shown(&long, area);
        }
    }
}
