//! Where everything stands. Drawing, scrolling and the mouse all ask here.
//!
//! ```text
//! title
//! sections, the focused one in ‹ ›
//! one pane; two from 118 columns on, three from 180; six where there is the height for it
//! ledger
//! ```

use ratatui::layout::Rect;

use super::section::Section;

/// From these widths on two and three panes stand side by side.
const TWO_FROM: u16 = 118;
const THREE_FROM: u16 = 180;
/// From this height on three panes stand in two rows.
const ROWS_FROM: u16 = 50;

/// A section on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pane {
    pub(super) section: Section,
    /// Where its title stands; no line where it is the only pane.
    pub(super) title: Rect,
    pub(super) body: Rect,
}

/// The screen.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) title: Rect,
    pub(super) tabs: Rect,
    pub(super) panes: Vec<Pane>,
    pub(super) ledger: Rect,
    /// All between tabs and ledger: an opened page.
    pub(super) page: Rect,
}

impl Layout {
    pub(super) fn new(area: Rect, focus: Section) -> Self {
        let line =
            |y: u16| Rect { y: area.y + y.min(area.height), height: u16::from(y < area.height), ..area };
        let ledger = u16::from(area.height >= 8);
        let top = 2.min(area.height);
        let page =
            Rect { y: area.y + top, height: area.height - top - ledger.min(area.height - top), ..area };
        let columns = if area.width >= THREE_FROM {
            3
        } else if area.width >= TWO_FROM {
            2
        } else {
            1
        };
        let rows = if columns == 3 && area.height >= ROWS_FROM { 2 } else { 1 };
        let shown = usize::from(columns * rows);
        // Pages of sections: the focus moves, panes do not.
        let first = focus.place() / shown * shown;
        let panes = (first..Section::ALL.len().min(first + shown))
            .filter_map(|place| {
                let slot = (place - first) as u16;
                let section = *Section::ALL.get(place)?;
                Some(pane(section, page, (slot % columns, slot / columns), (columns, rows)))
            })
            .collect();
        Self {
            title: line(0),
            tabs: line(1),
            panes,
            ledger: Rect { y: page.bottom(), height: ledger, ..area },
            page,
        }
    }
}

fn pane(section: Section, page: Rect, (column, row): (u16, u16), (columns, rows): (u16, u16)) -> Pane {
    let left = |column: u16| page.x + (u32::from(page.width) * u32::from(column) / u32::from(columns)) as u16;
    let top = |row: u16| page.y + page.height * row / rows;
    // The rule between two panes.
    let gap = u16::from(column + 1 < columns);
    let whole = Rect {
        x: left(column),
        y: top(row),
        width: (left(column + 1) - left(column)).saturating_sub(gap),
        height: top(row + 1) - top(row),
    };
    let title = u16::from(columns > 1).min(whole.height);
    Pane {
        section,
        title: Rect { height: title, ..whole },
        body: Rect { y: whole.y + title, height: whole.height - title, ..whole },
    }
}
