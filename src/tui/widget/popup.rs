//! What lies over a screen: menus that show their second keys, and titled lines.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::keymap::{self, Context};
use crate::tui::paint::{Line, put, rule};
use crate::tui::text::{width, wrap};
use crate::tui::theme::Theme;

/// A menu at the lower edge: each key with its meaning, in columns. It stays until a key is chosen.
pub fn menu(buf: &mut Buffer, area: Rect, theme: &Theme, context: Context) {
    let entries: Vec<_> = keymap::bindings(context).map(|binding| (binding.label(), binding.help)).collect();
    let widest = entries.iter().map(|(key, help)| width(key) + width(help) + 5).max().unwrap_or(1);
    let columns = (usize::from(area.width.saturating_sub(1)) / widest).max(1);
    let rows = entries.len().div_ceil(columns) as u16;
    let band = bottom(area, rows + 2);
    blank(buf, band);
    rule(buf, band, 0, context.name(), theme.rule, theme.heading);
    for (index, (key, help)) in entries.iter().enumerate() {
        let (column, row) = (index / usize::from(rows.max(1)), index % usize::from(rows.max(1)));
        let mut line = Line::of(band, row as u16 + 1);
        line.skip(2 + (column * widest) as u16).put(buf, key, theme.key).skip(2).put(buf, help, theme.text);
    }
    Line::of(band, band.height.saturating_sub(1)).skip(1).put(buf, "Esc  leave it", theme.dim);
}

/// Labels and values at the lower edge, until the next key. Long values go over several lines.
pub fn lines(buf: &mut Buffer, area: Rect, theme: &Theme, title: &str, lines: &[(String, String)]) {
    let labels = lines.iter().map(|(label, _)| width(label)).max().unwrap_or(0).min(24);
    let room = usize::from(area.width).saturating_sub(labels + 6).max(8);
    let wrapped: Vec<(&str, String)> = lines
        .iter()
        .flat_map(|(label, value)| {
            let parts = wrap(value, room);
            parts
                .into_iter()
                .enumerate()
                .map(move |(row, part)| (if row == 0 { label.as_str() } else { "" }, part))
        })
        .collect();
    let height = (wrapped.len() as u16).saturating_add(2).min(area.height.saturating_sub(2));
    let band = bottom(area, height);
    blank(buf, band);
    rule(buf, band, 0, title, theme.rule, theme.heading);
    let shown = usize::from(height.saturating_sub(2));
    for (row, (label, value)) in wrapped.iter().take(shown).enumerate() {
        put(buf, band, (2, row as u16 + 1), label, labels as u16, theme.dim);
        put(buf, band, (labels as u16 + 4, row as u16 + 1), value, room as u16, theme.text);
    }
    let mut last = Line::of(band, band.height.saturating_sub(1));
    let hidden = wrapped.len().saturating_sub(shown);
    if hidden > 0 {
        last.put_right(buf, &format!("{hidden} more lines need a taller terminal "), theme.dim);
    }
    last.skip(1).put(buf, "any key  back", theme.dim);
}

/// The lowest `height` lines of an area.
fn bottom(area: Rect, height: u16) -> Rect {
    let height = height.min(area.height);
    Rect { y: area.bottom() - height, height, ..area }
}

fn blank(buf: &mut Buffer, area: Rect) {
    let area = area.intersection(buf.area);
    for y in area.top()..area.bottom() {
        buf.set_string(area.x, y, " ".repeat(usize::from(area.width)), Style::reset());
    }
}
