//! Putting text into a buffer. Everything goes through [`printable`], clips, and never panics.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::text::{cut, cut_middle, printable, width};

/// One line of an area that is filled from left to right.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    x: u16,
    right: u16,
    y: u16,
    visible: bool,
}

impl Line {
    /// Line `row` of `area`, from 0.
    #[must_use]
    pub fn of(area: Rect, row: u16) -> Self {
        Self { x: area.x, right: area.right(), y: area.y.saturating_add(row), visible: row < area.height }
    }

    /// Columns that are left.
    #[must_use]
    pub fn room(&self) -> u16 {
        self.right.saturating_sub(self.x)
    }

    /// Where the next text stands.
    #[must_use]
    pub fn x(&self) -> u16 {
        self.x
    }

    /// Writes text; what does not fit is cut with `…`.
    pub fn put(&mut self, buf: &mut Buffer, text: &str, style: Style) -> &mut Self {
        if self.visible && self.room() > 0 {
            let shown = cut(text, usize::from(self.room()));
            set(buf, self.x, self.y, &shown, style);
            self.x += width(&shown) as u16;
        }
        self
    }

    /// Writes text only if all of it fits.
    pub fn put_whole(&mut self, buf: &mut Buffer, text: &str, style: Style) -> bool {
        let fits = width(&printable(text)) <= usize::from(self.room());
        if fits {
            self.put(buf, text, style);
        }
        fits
    }

    /// Leaves columns blank.
    pub fn skip(&mut self, columns: u16) -> &mut Self {
        self.x = self.x.saturating_add(columns).min(self.right);
        self
    }

    /// Goes on at a column counted from the area's left edge, never backwards.
    pub fn tab(&mut self, area: Rect, column: u16) -> &mut Self {
        self.x = self.x.max(area.x.saturating_add(column)).min(self.right);
        self
    }

    /// Writes text at the right end, if at least one blank stays before it, and gives its columns up.
    pub fn put_right(&mut self, buf: &mut Buffer, text: &str, style: Style) -> bool {
        let columns = width(&printable(text)) as u16;
        if !self.visible || columns == 0 || columns >= self.room() {
            return false;
        }
        set(buf, self.right - columns, self.y, &printable(text), style);
        // What comes from the left keeps a blank between.
        self.right -= columns + 1;
        true
    }
}

/// Writes text at a place of an area, cut at `columns`.
pub fn put(buf: &mut Buffer, area: Rect, (x, y): (u16, u16), text: &str, columns: u16, style: Style) {
    if y < area.height && x < area.width {
        let room = columns.min(area.width - x);
        set(buf, area.x + x, area.y + y, &cut(text, usize::from(room)), style);
    }
}

/// A horizontal rule over a line of an area, with a title in it.
pub fn rule(buf: &mut Buffer, area: Rect, row: u16, title: &str, rule: Style, style: Style) {
    if row >= area.height {
        return;
    }
    let line = "─".repeat(usize::from(area.width));
    set(buf, area.x, area.y + row, &line, rule);
    if !title.is_empty() && area.width > 4 {
        let title = format!(" {} ", cut_middle(title, usize::from(area.width - 4)));
        // Without the rule's own colour.
        set(buf, area.x + 1, area.y + row, &title, Style::reset().patch(style));
    }
}

/// Writes printable text where it fits into the buffer.
fn set(buf: &mut Buffer, x: u16, y: u16, text: &str, style: Style) {
    if y >= buf.area.y && y < buf.area.bottom() && x < buf.area.right() {
        buf.set_string(x, y, text, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_of(buf: &Buffer) -> String {
        buf.content.iter().map(ratatui::buffer::Cell::symbol).collect()
    }

    #[test]
    fn a_line_fills_from_both_ends_and_never_overlaps() {
        let area = Rect::new(0, 0, 20, 1);
        let mut buf = Buffer::empty(area);
        let mut line = Line::of(area, 0);
        assert!(line.put_right(&mut buf, "right", Style::new()));
        line.put(&mut buf, "left\x1b", Style::new()).skip(1).put(&mut buf, "too long for it", Style::new());
        assert_eq!(line_of(&buf), "left^[ too lo… right");
        assert!(!line.put_right(&mut buf, "x", Style::new()));
    }

    #[test]
    fn nothing_is_written_outside() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 3, 1));
        put(&mut buf, Rect::new(0, 0, 9, 9), (1, 5), "abc", 9, Style::new());
        Line::of(Rect::new(0, 4, 9, 9), 0).put(&mut buf, "abc", Style::new());
        rule(&mut buf, Rect::new(0, 0, 3, 1), 2, "t", Style::new(), Style::new());
        assert_eq!(line_of(&buf), "   ");
    }
}
