//! A list of lines with a cursor on some of them: which lines are in view, and where keys take it.
//!
//! Lines that the cursor can stand on are *stops*; what lies between belongs to the stop before it. Where
//! the next stop is out of view the list scrolls by a line instead, so nothing is stepped over unseen.

use std::ops::Range;

/// Where a list is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scroll {
    /// The line the cursor stands on.
    pub cursor: usize,
    /// The first line in view.
    pub top: usize,
}

/// What is scrolled: how many lines, which are stops, and how many are in view.
#[derive(Clone, Copy)]
pub struct Lines<'a> {
    /// All lines.
    pub len: usize,
    /// True for lines the cursor can stand on.
    pub is_stop: &'a dyn Fn(usize) -> bool,
    /// Lines in view.
    pub height: usize,
}

impl Lines<'_> {
    fn last_top(&self) -> usize {
        self.len.saturating_sub(self.height)
    }

    fn next_stop(&self, from: usize) -> Option<usize> {
        (from + 1..self.len).find(|line| (self.is_stop)(*line))
    }

    fn previous_stop(&self, from: usize) -> Option<usize> {
        (0..from.min(self.len)).rev().find(|line| (self.is_stop)(*line))
    }
}

impl Scroll {
    /// Lines in view.
    #[must_use]
    pub fn view(self, lines: Lines) -> Range<usize> {
        self.top.min(lines.len)..(self.top + lines.height).min(lines.len)
    }

    /// One step down: to the next stop if it is in view or next to it, else a line on.
    pub fn down(&mut self, lines: Lines) {
        match lines.next_stop(self.cursor) {
            Some(stop) if stop <= self.top + lines.height => {
                self.cursor = stop;
                self.show(lines);
            }
            _ => self.top = (self.top + 1).min(lines.last_top()),
        }
    }

    /// One step up, likewise.
    pub fn up(&mut self, lines: Lines) {
        match lines.previous_stop(self.cursor) {
            Some(stop) if stop + 1 >= self.top => {
                self.cursor = stop;
                self.show(lines);
            }
            _ => self.top = self.top.saturating_sub(1),
        }
    }

    /// So many lines down (up if negative); the cursor goes along once its line is out of view.
    pub fn page(&mut self, by: isize, lines: Lines) {
        let top = self.top.saturating_add_signed(by).min(lines.last_top());
        if top == self.top {
            // Already at the end: the cursor goes there.
            if by < 0 {
                self.first(lines);
            } else {
                self.last(lines);
            }
            return;
        }
        self.top = top;
        let mut view = self.view(lines);
        if !view.contains(&self.cursor)
            && let Some(stop) = view.find(|line| (lines.is_stop)(*line))
        {
            self.cursor = stop;
        }
    }

    /// To the first stop, and the lines before it.
    pub fn first(&mut self, lines: Lines) {
        self.top = 0;
        self.cursor = (0..lines.len).find(|line| (lines.is_stop)(*line)).unwrap_or(0);
        self.show(lines);
    }

    /// To the last stop, and the lines after it.
    pub fn last(&mut self, lines: Lines) {
        self.cursor = lines.previous_stop(lines.len).unwrap_or(0);
        self.top = lines.last_top();
    }

    /// To this line, in view with what belongs to it as far as it fits.
    pub fn go(&mut self, line: usize, lines: Lines) {
        self.cursor = line.min(lines.len.saturating_sub(1));
        let end = lines.next_stop(self.cursor).unwrap_or(lines.len);
        if end > self.top + lines.height {
            self.top = end.saturating_sub(lines.height);
        }
        self.show(lines);
    }

    /// Scrolls as little as needed to have the cursor in view; call it when lines or height changed.
    pub fn show(&mut self, lines: Lines) {
        self.cursor = self.cursor.min(lines.len.saturating_sub(1));
        // The lines above the first stop are headings: they come into view with it.
        let first_stop = (0..=self.cursor).find(|line| (lines.is_stop)(*line)).unwrap_or(0);
        if self.cursor == first_stop && self.cursor < lines.height {
            self.top = 0;
        }
        if self.cursor < self.top {
            self.top = self.cursor;
        }
        if lines.height > 0 && self.cursor >= self.top + lines.height {
            self.top = self.cursor + 1 - lines.height;
        }
        self.top = self.top.min(lines.last_top());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten lines, stops at 1, 3 and 9.
    fn ten(height: usize) -> Lines<'static> {
        Lines { len: 10, is_stop: &|line| [1, 3, 9].contains(&line), height }
    }

    #[test]
    fn steps_go_from_stop_to_stop_but_step_over_nothing_unseen() {
        let mut scroll = Scroll::default();
        scroll.first(ten(4));
        assert_eq!(scroll, Scroll { cursor: 1, top: 0 });
        scroll.down(ten(4));
        assert_eq!(scroll, Scroll { cursor: 3, top: 0 });
        let mut tops = Vec::new();
        while scroll.cursor == 3 {
            scroll.down(ten(4));
            tops.push(scroll.top);
        }
        assert_eq!(scroll, Scroll { cursor: 9, top: 6 });
        assert_eq!(tops, [1, 2, 3, 4, 5, 6]);
        scroll.up(ten(4));
        assert_eq!((scroll.cursor, scroll.top), (9, 5));
    }

    #[test]
    fn pages_take_the_cursor_along() {
        let mut scroll = Scroll::default();
        scroll.first(ten(4));
        scroll.page(4, ten(4));
        assert_eq!(scroll, Scroll { cursor: 1, top: 4 }, "no stop in view: it stays");
        scroll.page(4, ten(4));
        assert_eq!(scroll, Scroll { cursor: 9, top: 6 });
        scroll.page(-40, ten(4));
        assert_eq!(scroll, Scroll { cursor: 1, top: 0 });
    }

    #[test]
    fn degenerate_lists_do_no_harm() {
        for (len, height) in [(0, 0), (0, 5), (1, 0), (3, 1)] {
            let lines = Lines { len, is_stop: &|_| false, height };
            let mut scroll = Scroll { cursor: 7, top: 9 };
            scroll.show(lines);
            scroll.down(lines);
            scroll.up(lines);
            scroll.page(3, lines);
            scroll.go(5, lines);
            scroll.last(lines);
            assert!(scroll.view(lines).len() <= height.min(len));
        }
    }
}
