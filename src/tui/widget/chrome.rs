//! What frames every screen: the hint bar, the status line, and what is said when there is no room.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use crate::tui::action::Action;
use crate::tui::keymap::{self, Context};
use crate::tui::paint::{Line, put};
use crate::tui::text::width;
use crate::tui::theme::Theme;

/// The smallest terminal that shows something worth reading.
pub const LEAST: Size = Size { width: 40, height: 10 };

/// The keys of a screen, in its last line but one. Those that do not fit are left out whole, from the last
/// on, but never the ways to help and back: who is lost looks for these.
pub fn hint_bar(buf: &mut Buffer, area: Rect, theme: &Theme, context: Context) {
    let mut line = Line::of(area, area.height.saturating_sub(2));
    line.skip(1);
    let mut hints: Vec<(String, &str, bool)> = keymap::hints(context)
        .iter()
        .map(|(actions, word)| {
            let keys = actions.iter().filter_map(|action| keymap::key_of(context, *action));
            // On the Map there is no way back, only out: that may go.
            let back = context != Context::Map && actions.contains(&Action::Close);
            let pinned = back || actions.contains(&Action::Help);
            (keys.map(|key| label(theme, key)).collect(), *word, pinned)
        })
        .collect();
    let needed = |hints: &[(String, &str, bool)]| {
        hints.iter().map(|(keys, word, _)| width(keys) + width(word) + 3).sum::<usize>().saturating_sub(2)
    };
    while needed(&hints) > usize::from(line.room()) {
        let least = hints.iter().rposition(|(_, _, pinned)| !pinned);
        hints.remove(least.unwrap_or(0));
    }
    for (keys, word, _) in &hints {
        line.put(buf, keys, theme.key).skip(1).put(buf, word, theme.dim).skip(2);
    }
}

/// A key as it is written where there is room for few characters.
fn label(theme: &Theme, key: crate::tui::Key) -> String {
    if theme.ascii && key == crate::tui::Key::Enter { "Enter".into() } else { key.label() }
}

/// The last line: what was done, or what is searched for.
pub fn status_line(buf: &mut Buffer, area: Rect, theme: &Theme, status: Option<&str>, query: Option<&str>) {
    let mut line = Line::of(area, area.height.saturating_sub(1));
    line.skip(1);
    match (status, query) {
        (Some(words), _) => line.put(buf, words, theme.text),
        (None, Some(query)) => line.put(buf, "/", theme.key).put(buf, query, theme.dim).put(
            buf,
            "   n N next, previous   Esc clears",
            theme.dim,
        ),
        (None, None) => &mut line,
    };
}

/// Says that there is no room, as well as there is room for it.
pub fn too_small(buf: &mut Buffer, area: Rect, theme: &Theme) {
    let words = [
        format!("too small: {}×{}", area.width, area.height),
        format!("needs {}×{}", LEAST.width, LEAST.height),
        "q quits".into(),
    ];
    for (row, words) in words.iter().enumerate().take(usize::from(area.height)) {
        put(buf, area, (0, row as u16), words, area.width, theme.text);
    }
}
