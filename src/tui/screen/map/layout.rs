//! Where everything stands. Drawing, paging, scrolling and the mouse all ask here.
//!
//! ```text
//! title
//! note: what the numbers are, order, metric
//!                POOL              │POOL              │ side panel
//!                model    model    │model             │ from 120 columns on
//! task            1/8      0/8     │ 0/8              │
//! totals          1/20     0/20    │ 0/20             │
//! ── panel, below 120 columns ─────────────────────────
//! legend
//! ```

use ratatui::layout::{Position, Rect};

use super::face;
use super::plan::{Entry, Plan, is_quiet};
use crate::study::Study;
use crate::tui::text::width;

/// How much of a cell there is room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Density {
    /// count, block and one mark
    Count,
    /// two lines: count and marks, interval
    Stacked,
    /// count, marks and interval in one line
    Line,
    /// the same with a bar below
    Full,
}

/// From this width on the panel stands at the right.
const SIDE_FROM: u16 = 120;
/// The side panel's least and most columns, its rule included.
const SIDE: (u16, u16) = (32, 46);
/// Columns from the left edge to a label.
const MARGIN: u16 = 1;
/// How much wider than needed a small cell may be.
const WIDER: u16 = 5;
/// The column that counts the models a task was hit by.
const HITS: u16 = 7;

/// Sizes that do not depend on where the map is scrolled to.
#[derive(Clone, Debug)]
pub(super) struct Measure {
    pub density: Density,
    /// Columns of a label.
    pub label: u16,
    /// Columns of a cell, without what parts it from the next.
    pub cell: u16,
    /// Columns of a count within a cell.
    pub count: u16,
    pub title: Rect,
    pub note: Rect,
    /// Pool names, if any, and the columns' names.
    pub header: Rect,
    pub pools: bool,
    pub body: Rect,
    pub totals: Rect,
    pub panel: Option<Rect>,
    pub side: bool,
    pub legend: Rect,
    /// Where the models hit by a task are counted.
    pub hits: bool,
    /// Blank line and height of each row.
    heights: Vec<(u16, u16)>,
    /// True where a pool begins, by column.
    breaks: Vec<bool>,
}

/// A row or column in view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// Index into the plan's axis.
    pub index: usize,
    /// First line or column on screen.
    pub at: u16,
    /// Lines or columns.
    pub size: u16,
}

impl Measure {
    pub(super) fn new(study: &Study, plan: &Plan, area: Rect) -> Self {
        let side = area.width >= SIDE_FROM;
        let widest = plan.down.iter().map(|slot| label_width(study, &slot.entry)).max().unwrap_or(0);
        let most = if area.width >= 160 { 28 } else { 22 };
        let label = (widest as u16).clamp(8, most);
        let (count, ranged) = count_widths(study);
        // The totals below the columns: so many of so many.
        let total = width(&format!("{0}/{0}", study.tasks.len())) as u16;
        let breaks: Vec<bool> = plan
            .across
            .iter()
            .enumerate()
            .map(|(index, slot)| {
                index > 0 && plan.across.get(index - 1).is_some_and(|before| before.group != slot.group)
            })
            .collect();
        let pools = plan.across.iter().any(|slot| !slot.group.is_empty());
        let mut measure = Self {
            density: Density::Count,
            label,
            cell: 0,
            count,
            title: Rect { height: 1, ..area },
            note: Rect { y: area.y + 1, height: 1, ..area },
            header: Rect::default(),
            pools,
            body: Rect::default(),
            totals: Rect::default(),
            panel: None,
            side,
            legend: Rect::default(),
            hits: false,
            heights: Vec::new(),
            breaks,
        };
        for density in [Density::Full, Density::Line, Density::Stacked, Density::Count] {
            measure.density = density;
            measure.cell = match density {
                Density::Full | Density::Line => count.max(5) + 12,
                Density::Stacked => (count + 3).max(8),
                Density::Count => (count + 2).max(ranged + 1).max(total),
            };
            measure.hits = matches!(density, Density::Full | Density::Line)
                && plan.down_is_tasks()
                && study.models.len() > 1;
            measure.heights = plan.down.iter().map(|slot| measure.height(study, &slot.entry)).collect();
            measure.divide(area);
            let tall = matches!(density, Density::Full | Density::Stacked);
            let fits_down =
                measure.heights.iter().map(|(gap, height)| gap + height).sum::<u16>() <= measure.body.height;
            if measure.all_across() <= measure.room_across() && (fits_down || !tall) {
                break;
            }
        }
        measure.spend_spare_room(area, widest as u16);
        measure
    }

    /// Gives every part its place, from what the density needs.
    fn divide(&mut self, area: Rect) {
        let mut right = area.right();
        let mut bottom = area.bottom();
        let low = area.height < 18;
        let legend = match (area.height < 12, self.side) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => 2,
        };
        bottom = bottom.saturating_sub(legend).max(area.y);
        self.legend = Rect { y: bottom, height: legend, ..area };
        self.panel = None;
        if self.side {
            right = right.saturating_sub(SIDE.0);
            let gap = u16::from(area.height >= 30);
            bottom = bottom.saturating_sub(gap);
            let top = area.y + 2 + gap;
            self.panel = Some(Rect { x: right, y: top, width: SIDE.0, height: bottom.saturating_sub(top) });
        } else if area.height >= 12 {
            let height = if low { 2 } else { 6 };
            bottom = bottom.saturating_sub(height);
            self.panel = Some(Rect { y: bottom, height, ..area });
        }
        let width = right.saturating_sub(area.x);
        let top = area.y + 2 + u16::from(self.side && area.height >= 30);
        let names = if matches!(self.density, Density::Full | Density::Line) { 1 } else { 2 };
        let header = (names + u16::from(self.pools)).min(bottom.saturating_sub(top));
        self.header = Rect { x: area.x, y: top, width, height: header };
        let totals = u16::from(bottom.saturating_sub(top + header) > 4);
        let blank = u16::from(self.density == Density::Full) * totals;
        let body = bottom.saturating_sub(top + header + totals + blank);
        self.body = Rect { x: area.x, y: top + header, width, height: body };
        self.totals = Rect { x: area.x, y: top + header + body + blank, width, height: totals };
    }

    /// Gives labels, then the side panel, what the cells do not need.
    fn spend_spare_room(&mut self, area: Rect, widest: u16) {
        let spare = self.room_across().saturating_sub(self.all_across());
        self.label += widest.saturating_sub(self.label).min(spare);
        // Then small cells grow, so that the columns' names are cut less.
        let spare = self.room_across().saturating_sub(self.all_across());
        if matches!(self.density, Density::Count | Density::Stacked) && !self.breaks.is_empty() {
            let more = (spare / self.breaks.len() as u16).min(WIDER);
            self.cell += more;
            self.count += more;
        }
        if let (true, Some(panel)) = (self.side, self.panel) {
            let needed = MARGIN + self.label + 1 + self.all_across() + if self.hits { HITS } else { 0 };
            let spare = area.width.saturating_sub(needed);
            let columns = spare.clamp(SIDE.0, SIDE.1);
            let x = area.right().saturating_sub(columns);
            self.panel = Some(Rect { x, width: columns, ..panel });
            let width = x.saturating_sub(area.x);
            for part in [&mut self.header, &mut self.body, &mut self.totals] {
                part.width = width;
            }
        }
        // Rows end where the rows above do, however short the map is.
        let used: u16 = self.heights.iter().map(|(gap, height)| gap + height).sum();
        let blank = self.totals.y.saturating_sub(self.body.bottom());
        if used < self.body.height && self.totals.height > 0 {
            self.body.height = used;
            self.totals.y = self.body.bottom() + blank;
        }
    }

    fn height(&self, study: &Study, entry: &Entry) -> (u16, u16) {
        let tall = matches!(self.density, Density::Full | Density::Stacked);
        match entry {
            Entry::Model(_) if tall => (0, 2),
            Entry::Task(task) if tall && !is_quiet(study, *task) => (0, 2),
            Entry::Opened(_) | Entry::Heading(_) | Entry::Folded(..) if self.density == Density::Full => {
                (1, 1)
            }
            _ => (0, 1),
        }
    }

    /// Blank columns between two cells, and what a pool's rule takes beside them.
    fn gaps(&self) -> (u16, u16) {
        match self.density {
            Density::Full | Density::Line => (1, 2),
            Density::Stacked | Density::Count => (1, 0),
        }
    }

    fn all_across(&self) -> u16 {
        let (gap, rule) = self.gaps();
        let breaks = self.breaks.iter().filter(|is| **is).count() as u16;
        (self.breaks.len() as u16).saturating_mul(self.cell + gap).saturating_add(breaks * rule)
    }

    fn room_across(&self) -> u16 {
        self.body.width.saturating_sub(MARGIN + self.label + 1 + if self.hits { HITS } else { 0 })
    }

    /// Where the first cell stands.
    pub(super) fn cells_from(&self) -> u16 {
        self.body.x + MARGIN + self.label + 1
    }

    /// Where the count of models hit stands: after all cells, or at the right edge.
    pub(super) fn hits_at(&self) -> Option<u16> {
        let at = self.cells_from() + self.all_across().min(self.room_across());
        self.hits.then_some(at)
    }

    /// The columns in view from `first` on. At least one, however narrow.
    pub(super) fn columns(&self, first: usize) -> Vec<Span> {
        let (gap, rule) = self.gaps();
        let mut at = self.cells_from();
        let right = at + self.room_across();
        let mut columns = Vec::new();
        for (index, pool_begins) in self.breaks.iter().enumerate().skip(first) {
            if *pool_begins && index > first {
                at += rule;
            }
            if at + self.cell > right && !columns.is_empty() {
                break;
            }
            columns.push(Span { index, at, size: self.cell });
            at += self.cell + gap;
        }
        columns
    }

    /// The rows in view from `first` on.
    pub(super) fn rows(&self, first: usize) -> Vec<Span> {
        let mut at = self.body.y;
        let mut rows = Vec::new();
        for (index, (gap, height)) in self.heights.iter().enumerate().skip(first) {
            if index > first {
                at += gap;
            }
            if at + height > self.body.bottom() && !rows.is_empty() {
                break;
            }
            rows.push(Span { index, at, size: *height });
            at += height;
        }
        rows
    }

    /// Where the rule of a pool that begins at this column stands.
    pub(super) fn rule_before(&self, column: Span, first: usize) -> Option<u16> {
        let begins = self.breaks.get(column.index).copied().unwrap_or(false) && column.index > first;
        let back = if self.gaps().1 > 0 { 2 } else { 1 };
        begins.then(|| column.at.saturating_sub(back))
    }

    /// The first row (or column) to show, so that `selected` is in view and as little as possible moves.
    pub(super) fn scrolled(
        first: usize,
        selected: usize,
        count: usize,
        visible: impl Fn(usize) -> Vec<Span>,
    ) -> usize {
        let last_from = |first| visible(first).last().map_or(first, |span| span.index);
        let mut first = first.min(count.saturating_sub(1)).min(selected);
        while last_from(first) < selected && first < selected {
            first += 1;
        }
        // No blank room below while there is something above.
        while first > 0 && last_from(first - 1) + 1 >= count {
            first -= 1;
        }
        first
    }

    /// The row and column at a place on screen.
    pub(super) fn at(&self, first: (usize, usize), place: Position) -> Option<(usize, usize)> {
        if !self.body.contains(place) {
            return None;
        }
        let within = |span: &&Span, at: u16| at >= span.at && at < span.at + span.size;
        let rows = self.rows(first.0);
        let row = rows.iter().find(|span| within(span, place.y))?;
        let columns = self.columns(first.1);
        // A click on a label selects its row, in the column that is selected.
        let column = columns.iter().find(|span| within(span, place.x)).map_or(usize::MAX, |span| span.index);
        Some((row.index, column))
    }
}

impl Plan {
    /// True unless transposed.
    pub(super) fn down_is_tasks(&self) -> bool {
        !self.down.iter().any(|slot| matches!(slot.entry, Entry::Model(_)))
    }
}

fn label_width(study: &Study, entry: &Entry) -> usize {
    match entry {
        Entry::Task(task) => study.tasks.get(*task).map_or(0, |row| width(&row.id)),
        Entry::Model(model) => study.models.get(*model).map_or(0, |row| width(&row.name)),
        Entry::Folded(_, tasks) => width(&folded_words(tasks.len())),
        Entry::Opened(_) | Entry::Heading(_) => 0,
    }
}

/// The label of folded tasks.
pub(super) fn folded_words(tasks: usize) -> String {
    format!("▸ {tasks} tasks, none seen")
}

/// Columns the widest count can take, and the widest that is a range. The former is known from the runs on
/// disk, before anything is labelled.
fn count_widths(study: &Study) -> (u16, u16) {
    let most = study.cells.iter().map(|cell| cell.counts.on_disk).max().unwrap_or(0);
    let ranges = study.cells.iter().filter(|cell| study.progress.is_complete() && cell.shows_range());
    let ranged = ranges.map(|cell| width(&face::count(cell))).max().unwrap_or(0);
    (width(&format!("{most}/{most}")) as u16, ranged as u16)
}
