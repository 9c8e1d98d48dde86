//! Where things stand on the Run screen. Painting, paging and the mouse all ask here.

use ratatui::layout::Rect;

/// The areas of the Run screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Areas {
    /// The banner.
    pub banner: Rect,
    /// The line with the panes' titles.
    pub titles: Rect,
    /// The rows; empty where only the transcript has room.
    pub rows: Rect,
    /// The transcript; empty where only the rows have room.
    pub script: Rect,
    /// Reasons and provenance; empty below 160 columns.
    pub why: Rect,
}

/// Which pane has the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// the rows
    #[default]
    Rows,
    /// the transcript
    Script,
}

impl Focus {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Rows => Self::Script,
            Self::Script => Self::Rows,
        }
    }
}

/// Below this width one pane is shown at a time.
const TWO_PANES: u16 = 72;
/// From this width on reasons and provenance have a pane of their own.
const THREE_PANES: u16 = 160;

/// Lays the screen out. The banner wins over the panes.
#[must_use]
pub fn areas(area: Rect, banner_lines: usize, focus: Focus) -> Areas {
    let banner_height = (banner_lines as u16).min(area.height);
    let rest = area.height - banner_height;
    let banner = Rect { height: banner_height, ..area };
    let titles = Rect { y: area.y + banner_height, height: rest.min(1), ..area };
    let body = Rect { y: titles.y + titles.height, height: rest - titles.height, ..area };
    let none = Rect { width: 0, height: 0, ..body };
    if area.width < TWO_PANES {
        let (rows, script) = if focus == Focus::Rows { (body, none) } else { (none, body) };
        return Areas { banner, titles, rows, script, why: none };
    }
    let left = (area.width / 3).clamp(27, 58);
    let right = if area.width >= THREE_PANES { (area.width / 4).clamp(40, 56) } else { 0 };
    let rows = Rect { width: left, ..body };
    let script_x = body.x + left + 1;
    let why_x = body.right() - right;
    let script_right = if right > 0 { why_x - 1 } else { body.right() };
    let script = Rect { x: script_x, width: script_right - script_x, ..body };
    let why = if right > 0 { Rect { x: why_x, width: right, ..body } } else { none };
    Areas { banner, titles, rows, script, why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_fill_the_screen_without_overlap() {
        for (width, height) in [(80, 22), (120, 38), (200, 58), (60, 13), (40, 8), (20, 3), (1, 1), (0, 0)] {
            let area = Rect::new(0, 0, width, height);
            for focus in [Focus::Rows, Focus::Script] {
                let areas = areas(area, 9, focus);
                for part in [areas.banner, areas.titles, areas.rows, areas.script, areas.why] {
                    assert_eq!(part.intersection(area), part, "{width}×{height} {part:?}");
                }
                assert!(areas.rows.intersection(areas.script).is_empty());
                assert!(areas.script.intersection(areas.why).is_empty());
            }
        }
    }

    #[test]
    fn at_80_by_24_it_is_as_drawn() {
        let areas = areas(Rect::new(0, 0, 80, 22), 9, Focus::Rows);
        assert_eq!((areas.rows.width, areas.script.width), (27, 52));
        assert_eq!((areas.titles.y, areas.rows.height), (9, 12));
    }
}
