//! What stands beside the Cell screen's list: its address, where it comes from, the legend.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::CellScreen;
use super::list::Item;
use crate::study::{RunEntry, Study};
use crate::tui::paint::put;
use crate::tui::screen::sentence::cell_address;
use crate::tui::screen::{Ctx, twin};
use crate::tui::widget::rich::{Emphasis, Rich, Role, paint};

impl CellScreen {
    /// The selected run's address, or the cell's part of it.
    pub(super) fn address(&self, study: &Study) -> String {
        let cell = cell_address(&self.cell, study);
        match self.selected {
            Some(Item::Run(place)) => {
                let run = self.runs(study).get(place).map_or("", |run| &*run.name);
                format!("{cell}/{run}")
            }
            _ => cell,
        }
    }

    pub(super) fn provenance(&self, study: &Study) -> Vec<(String, String)> {
        let mut lines = vec![("address".to_owned(), self.address(study))];
        let mut batches: Vec<usize> = self.runs(study).iter().map(|run| run.batch).collect();
        batches.dedup();
        for batch in batches.iter().filter_map(|batch| study.batches.get(*batch)) {
            lines.push(("batch".into(), batch.id.clone()));
            lines.push(("path".into(), batch.path.display().to_string()));
            lines.extend(batch.settings.iter().cloned());
            lines.extend(batch.synthetic.iter().map(|notice| ("synthetic".into(), notice.clone())));
        }
        lines
    }

    /// What the strip's letters mean, and the selected run's twin.
    pub(super) fn draw_legend(&self, area: Rect, runs: &[RunEntry], ctx: &Ctx, buf: &mut Buffer) {
        if area.height == 0 {
            return;
        }
        let plain = Emphasis { over: None, query: ctx.query };
        put(buf, area, (0, 0), &"─".repeat(usize::from(area.width)), area.width, ctx.theme.rule);
        let mut lines = Vec::new();
        if area.height > 2 {
            let first = " r read  w write  x failed call  D write that did damage  R refusal  . end";
            let second = " ∎ stalled  E error";
            if area.width >= 100 {
                lines.push(Rich::of(Role::Dim, format!("{first} {second}")));
                lines.push(Rich::new());
            } else {
                lines.push(Rich::of(Role::Dim, first));
                lines.push(Rich::of(Role::Dim, second));
            }
        }
        if let Some(place) = self.place() {
            let sentence = format!(" {}", twin::sentence(runs, place));
            lines.push(Rich::of(Role::Plain, sentence).tail(Role::Dim, "(c compare) "));
        }
        for (row, line) in lines.iter().enumerate() {
            paint(buf, area, row as u16 + 1, line, ctx.theme, plain);
        }
    }
}
