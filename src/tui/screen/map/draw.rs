//! Paints the map itself: names, cells, bars, totals. Sizes are [`Measure`]'s, characters [`Face`]'s.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::face::{Face, Metric, Tone};
use super::layout::{Density, Measure, Span, folded_words};
use super::plan::{Crossing, Entry, Plan, Slot};
use crate::report::numbers;
use crate::study::Counts;
use crate::tui::paint::put;
use crate::tui::screen::Ctx;
use crate::tui::text::{cut, cut_middle, pad_left, width};

/// Everything a frame of the map needs.
pub(super) struct Scene<'a> {
    pub ctx: &'a Ctx<'a>,
    pub plan: &'a Plan,
    pub measure: &'a Measure,
    pub first: (usize, usize),
    pub cursor: Option<(usize, usize)>,
    pub metric: Metric,
}

impl Scene<'_> {
    pub(super) fn draw(&self, buf: &mut Buffer) {
        let columns = self.measure.columns(self.first.1);
        let rows = self.measure.rows(self.first.0);
        self.header(buf, &columns);
        for row in &rows {
            self.row(buf, *row, &columns);
        }
        self.totals(buf, &columns);
        self.rules(buf, &columns);
        self.scroll_marks(buf, &rows, &columns);
        self.position(buf, &rows, &columns);
    }

    /// Pool names over their first column in view, then the columns' names.
    fn header(&self, buf: &mut Buffer, columns: &[Span]) {
        let theme = self.ctx.theme;
        let area = self.measure.header;
        let names_from = u16::from(self.measure.pools);
        let mut pool: Option<&str> = None;
        for (place, column) in columns.iter().enumerate() {
            let Some(slot) = self.plan.across.get(column.index) else { continue };
            if self.measure.pools && pool != Some(slot.group.as_str()) {
                pool = Some(&slot.group);
                let until = columns
                    .get(place..)
                    .unwrap_or_default()
                    .iter()
                    .take_while(|other| {
                        self.plan.across.get(other.index).is_some_and(|o| o.group == slot.group)
                    })
                    .last()
                    .map_or(column.at, |last| last.at + last.size);
                let room = until.saturating_sub(column.at);
                let label = cut(&slot.group.to_uppercase(), usize::from(room));
                self.put_at(buf, area, (column.at, 0), &label, room, theme.heading);
            }
            let selected = self.cursor.is_some_and(|(_, selected)| selected == column.index);
            let style = if selected { theme.crosshair } else { self.marked(&slot.entry, theme.dim) };
            let lines = usize::from(area.height.saturating_sub(names_from));
            let name = self.name(&slot.entry);
            let names = if lines > 1 {
                two_lines(&name, usize::from(column.size))
            } else {
                vec![cut_middle(&name, usize::from(column.size))]
            };
            let blank = lines.saturating_sub(names.len());
            for (line, name) in names.iter().enumerate() {
                let room = usize::from(self.name_end(*column) - column.at);
                let row = names_from + (blank + line) as u16;
                self.put_at(buf, area, (column.at, row), &pad_left(name, room), column.size, style);
            }
        }
        if let Some(at) = self.measure.hits_at() {
            let row = area.height.saturating_sub(1);
            self.put_at(buf, area, (at, row), &pad_left("models", 6), 6, theme.dim);
        }
    }

    /// Names stand flush right with the counts below them where cells are small, left where bars are.
    fn name_end(&self, column: Span) -> u16 {
        match self.measure.density {
            Density::Count | Density::Stacked => column.at + column.size,
            Density::Line | Density::Full => {
                column.at + (width(&self.column_name(column)) as u16).clamp(self.measure.count, column.size)
            }
        }
    }

    fn column_name(&self, column: Span) -> String {
        self.plan.across.get(column.index).map(|slot| self.name(&slot.entry)).unwrap_or_default()
    }

    fn name(&self, entry: &Entry) -> String {
        let study = self.ctx.study;
        match entry {
            Entry::Model(model) => study.models.get(*model).map(|row| row.name.clone()).unwrap_or_default(),
            Entry::Task(task) => study.tasks.get(*task).map(|row| row.id.clone()).unwrap_or_default(),
            Entry::Folded(_, tasks) => folded_words(tasks.len()),
            Entry::Heading(group) => group.clone(),
            Entry::Opened(tasks) => {
                let runs = self.runs_of(tasks);
                format!(
                    "▾ {} tasks, no damage seen in {} runs: not the same as safe, see the bounds",
                    tasks.len(),
                    numbers::count(runs)
                )
            }
        }
    }

    fn runs_of(&self, tasks: &[usize]) -> u64 {
        let study = self.ctx.study;
        let cells = tasks.iter().flat_map(|task| super::plan::cells_of_task(study, *task));
        cells.map(|cell| cell.counts.n).sum()
    }

    /// The style of a name that the search looks for.
    fn marked(&self, entry: &Entry, style: Style) -> Style {
        let found = self.ctx.query.is_some_and(|query| {
            matches!(entry, Entry::Model(_) | Entry::Task(_))
                && self.name(entry).to_lowercase().contains(&query.to_lowercase())
        });
        if found { style.patch(self.ctx.theme.hit) } else { style }
    }

    fn row(&self, buf: &mut Buffer, row: Span, columns: &[Span]) {
        let theme = self.ctx.theme;
        let Some(slot) = self.plan.down.get(row.index) else { return };
        let selected = self.cursor.is_some_and(|(selected, _)| selected == row.index);
        let line = row.at - self.measure.body.y;
        let name = self.name(&slot.entry);
        match slot.entry {
            Entry::Heading(_) => {
                self.put(buf, 1, line, &name.to_uppercase(), self.measure.body.width, theme.heading);
                return;
            }
            Entry::Opened(_) => {
                self.put(buf, 1, line, &name, self.measure.body.width.saturating_sub(1), theme.dim);
                return;
            }
            _ => {}
        }
        let loud = !matches!(&slot.entry, Entry::Folded(..)) && !self.is_quiet(&slot.entry);
        let style = match (selected, loud) {
            (true, _) => theme.crosshair,
            (false, true) => theme.text,
            (false, false) => theme.dim,
        };
        let label = cut_middle(&name, usize::from(self.measure.label));
        self.put(buf, 1, line, &label, self.measure.label, self.marked(&slot.entry, style));
        for column in columns {
            let here = selected && self.cursor.is_some_and(|(_, selected)| selected == column.index);
            if let Some(face) = self.face(row.index, column.index) {
                self.cell(buf, row, *column, &face, here);
            }
        }
        if let (Some(at), Entry::Task(task)) = (self.measure.hits_at(), &slot.entry) {
            let (hit, of) =
                self.hit(super::plan::cells_of_task(self.ctx.study, *task).map(|cell| &cell.counts));
            let words = if of > 0 { format!("{hit}/{of}") } else { String::new() };
            let style = if hit > 0 { theme.text } else { theme.dim };
            self.put_at(buf, self.measure.body, (at, line), &pad_left(&words, 6), 6, style);
        }
    }

    fn is_quiet(&self, entry: &Entry) -> bool {
        matches!(entry, Entry::Task(task) if super::plan::is_quiet(self.ctx.study, *task))
    }

    fn face(&self, row: usize, column: usize) -> Option<Face> {
        let study = self.ctx.study;
        let down = self.plan.down.get(row)?;
        let across = self.plan.across.get(column)?;
        match Plan::crossing(&down.entry, &across.entry) {
            Crossing::Cell(model, task) => Some(Face::of(study.cell(model, task)?, self.metric)),
            Crossing::Zeros(model, tasks) => {
                let cells = tasks.iter().filter_map(|task| study.cell(model, *task));
                Some(Face::of_zeros(cells, self.metric))
            }
            Crossing::Nothing => None,
        }
    }

    /// One cell: its fill, then count, block or marks, interval, bar; brackets where it is selected.
    fn cell(&self, buf: &mut Buffer, row: Span, column: Span, face: &Face, selected: bool) {
        let theme = self.ctx.theme;
        let body = self.measure.body;
        let line = row.at - body.y;
        let size = usize::from(column.size);
        let style = self.tone(face, selected);
        let text = self.text(face, size, row.size);
        self.put_at(buf, body, (column.at, line), &format!("{text:<size$}"), column.size, style);
        if let (Tone::Heat(step), false) = (face.tone, selected) {
            // All signs before the block take one column each.
            if let Some(before) = text.chars().position(|c| c == face.block && c != ' ') {
                let at = column.at + before as u16;
                self.put_at(buf, body, (at, line), &face.block.to_string(), 1, theme.block(step));
            }
        }
        let second = match (self.measure.density, row.size) {
            (Density::Stacked, 2) => Some((pad_left(&face.interval, size), self.quieter(face))),
            (Density::Full, 2) => face.bar.map(|bar| {
                let style = if matches!(face.tone, Tone::Heat(0)) { theme.dim } else { theme.did };
                (crate::tui::widget::bar::bar(bar, size), style)
            }),
            _ => None,
        };
        if let Some((text, style)) = second {
            self.put_at(buf, body, (column.at, line + 1), &text, column.size, style);
        }
        if selected {
            let brackets = Style::new().add_modifier(Modifier::BOLD);
            self.put_at(buf, body, (column.at.saturating_sub(1), line), "‹", 1, brackets);
            self.put_at(buf, body, (column.at + column.size, line), "›", 1, brackets);
        }
    }

    /// The first line of a cell.
    fn text(&self, face: &Face, size: usize, height: u16) -> String {
        let count_columns = usize::from(self.measure.count);
        match self.measure.density {
            Density::Count => {
                let wide = width(&face.count) > count_columns;
                let tail = match (wide, face.mark()) {
                    (true, mark) => mark.to_string(),
                    (false, mark) => format!("{}{mark}", face.block),
                };
                pad_left(&format!("{}{tail}", face.count), size)
            }
            Density::Stacked if height == 1 => pad_left(&face.count, count_columns),
            Density::Stacked => {
                let count = pad_left(&face.count, count_columns.max(width(&face.count)));
                // Marks say what nothing else says here; the block gives way to them.
                let room = size.saturating_sub(width(&count));
                let block = if width(&face.marks) < room { face.block.to_string() } else { String::new() };
                cut_to(&format!("{count}{block}{}", face.marks), size)
            }
            Density::Line | Density::Full => {
                let count = pad_left(&face.count, count_columns.max(width(&face.count)));
                let room = size.saturating_sub(width(&count) + 1 + width(&face.interval));
                let marks = cut_to(&face.marks, room.saturating_sub(1));
                let left = format!("{count}{}{marks}", if face.block == ' ' { ' ' } else { face.block });
                format!("{left}{}", pad_left(&face.interval, size.saturating_sub(width(&left))))
            }
        }
    }

    fn tone(&self, face: &Face, selected: bool) -> Style {
        let theme = self.ctx.theme;
        if selected {
            return theme.selected;
        }
        let style = match face.tone {
            Tone::Blank => Style::new(),
            Tone::Pending => theme.dim,
            Tone::NoVerdict => theme.warning.add_modifier(Modifier::REVERSED),
            // Too many runs broke off for this to be a quiet zero.
            Tone::Heat(0) if face.marks.contains('!') => theme.text,
            Tone::Heat(step) => theme.heat(step),
        };
        if face.partial { style.add_modifier(Modifier::UNDERLINED) } else { style }
    }

    /// The interval below a count.
    fn quieter(&self, face: &Face) -> Style {
        match face.tone {
            Tone::Heat(step) if step > 0 => self.ctx.theme.text,
            _ => self.ctx.theme.dim,
        }
    }

    /// How many lines of each column have damage.
    fn totals(&self, buf: &mut Buffer, columns: &[Span]) {
        let theme = self.ctx.theme;
        let area = self.measure.totals;
        if area.height == 0 {
            return;
        }
        let label = if self.plan.down_is_tasks() { "tasks with damage" } else { "models with damage" };
        let label = if width(label) > usize::from(self.measure.label) { "with damage" } else { label };
        put(buf, area, (1, 0), label, self.measure.label, theme.dim);
        for column in columns {
            let Some(across) = self.plan.across.get(column.index) else { continue };
            let study = self.ctx.study;
            let (hit, of) = match &across.entry {
                Entry::Model(model) => {
                    let cells = (0..study.tasks.len()).filter_map(|task| study.cell(*model, task));
                    self.hit(cells.map(|cell| &cell.counts))
                }
                Entry::Task(task) => {
                    self.hit(super::plan::cells_of_task(study, *task).map(|cell| &cell.counts))
                }
                _ => continue,
            };
            let text = if of > 0 { format!("{hit}/{of}") } else { String::new() };
            let columns = usize::from(self.measure.count).max(width(&text)).min(usize::from(column.size));
            self.put_at(buf, area, (column.at, 0), &pad_left(&text, columns), column.size, theme.dim);
        }
    }

    /// Judged cells with damage, and judged cells.
    fn hit<'a>(&self, counts: impl Iterator<Item = &'a Counts>) -> (usize, usize) {
        counts
            .filter(|counts| counts.n > 0)
            .fold((0, 0), |(hit, of), counts| (hit + usize::from(counts.damage > 0), of + 1))
    }

    /// The rules between pools, and the one before the side panel.
    fn rules(&self, buf: &mut Buffer, columns: &[Span]) {
        let measure = self.measure;
        let top = measure.header.y;
        let bottom = measure.totals.bottom().max(measure.body.bottom());
        for column in columns {
            if let Some(x) = measure.rule_before(*column, self.first.1) {
                for y in top..bottom {
                    if buf.cell((x, y)).is_some_and(|cell| cell.symbol() == " ") {
                        put(buf, buf.area, (x - buf.area.x, y - buf.area.y), "│", 1, self.ctx.theme.rule);
                    }
                }
            }
        }
    }

    /// Arrows at the edges beyond which there is more.
    fn scroll_marks(&self, buf: &mut Buffer, rows: &[Span], columns: &[Span]) {
        let style = self.ctx.theme.strong;
        let body = self.measure.body;
        let last = body.height.saturating_sub(1);
        if self.first.0 > 0 {
            self.put(buf, 0, 0, "↑", 1, style);
        }
        if rows.last().is_some_and(|row| row.index + 1 < self.plan.down.len()) {
            self.put(buf, 0, last, "↓", 1, style);
        }
        let names = self.measure.header.height.saturating_sub(1);
        if self.first.1 > 0 {
            self.put_at(
                buf,
                self.measure.header,
                (self.measure.cells_from().saturating_sub(2), names),
                "←",
                1,
                style,
            );
        }
        if let Some(last) = columns.last().filter(|last| last.index + 1 < self.plan.across.len()) {
            self.put_at(buf, self.measure.header, (last.at + last.size, names), "→", 1, style);
        }
    }

    /// Where one is, in the corner over the rows' names, as far as there is more than can be seen.
    fn position(&self, buf: &mut Buffer, rows: &[Span], columns: &[Span]) {
        let header = self.measure.header;
        let room = self.measure.cells_from().saturating_sub(3);
        let lines = [in_view(&self.plan.down, rows), in_view(&self.plan.across, columns)];
        for (up, words) in (1..).zip(lines) {
            let line = header.height.checked_sub(up);
            if let (Some(line), Some(words)) = (line, words.filter(|words| width(words) <= usize::from(room)))
            {
                self.put_at(buf, header, (1, line), &words, room, self.ctx.theme.dim);
            }
        }
    }

    fn put(&self, buf: &mut Buffer, x: u16, line: u16, text: &str, columns: u16, style: Style) {
        put(buf, self.measure.body, (x, line), text, columns, style);
    }

    fn put_at(
        &self,
        buf: &mut Buffer,
        area: Rect,
        (at, line): (u16, u16),
        text: &str,
        columns: u16,
        style: Style,
    ) {
        put(buf, area, (at.saturating_sub(area.x), line), text, columns, style);
    }
}

/// Cuts marks without a sign that they were cut: their order is their priority.
fn cut_to(text: &str, columns: usize) -> String {
    text.chars().take(columns).collect()
}

/// A name on two lines, broken after a `-`, `@` or `/` where both halves fit and are most alike in length.
fn two_lines(name: &str, columns: usize) -> Vec<String> {
    if width(name) <= columns {
        return vec![name.to_owned()];
    }
    let breaks = name.char_indices().filter(|(_, c)| matches!(c, '-' | '@' | '/' | ':' | '_'));
    let best = breaks
        .map(|(index, c)| {
            let (head, tail) = name.split_at(index);
            // A hyphen at a line's end is worth less than the room; other marks carry meaning.
            (head, if c == '-' { tail.get(1..).unwrap_or_default() } else { tail })
        })
        .min_by_key(|(head, tail)| {
            let over = |part: &str| width(part).saturating_sub(columns);
            (over(head) + over(tail), width(head).abs_diff(width(tail)))
        });
    match best {
        Some((head, tail)) if !head.is_empty() && !tail.is_empty() => {
            vec![cut(head, columns), cut_middle(tail, columns)]
        }
        _ => vec![cut_middle(name, columns)],
    }
}

/// `tasks 11–20 of 500`; `None` if all are in view.
fn in_view(slots: &[Slot], spans: &[Span]) -> Option<String> {
    let is_named = |slot: &&Slot| matches!(slot.entry, Entry::Model(_) | Entry::Task(_));
    let seen = spans.iter().filter_map(|span| slots.get(span.index)).filter(is_named);
    let (seen, all) = (seen.count(), slots.iter().filter(is_named).count());
    let before = slots.get(..spans.first()?.index)?.iter().filter(is_named).count();
    if seen == 0 || seen == all {
        return None;
    }
    let is_model = slots.iter().any(|slot| matches!(slot.entry, Entry::Model(_)));
    let what = if is_model { "models" } else { "tasks" };
    Some(format!("{what} {}–{} of {all}", before + 1, before + seen))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_break_where_their_parts_do() {
        assert_eq!(two_lines("finch-9b", 8), ["finch-9b"]);
        assert_eq!(two_lines("harbour-3.1-70b", 7), ["harbour", "3.1-70b"]);
        assert_eq!(two_lines("sea-gull-120b", 8), ["sea-gull", "120b"]);
        assert_eq!(two_lines("cormorant-v3.2", 7), ["cormor…", "v3.2"]);
        assert_eq!(two_lines("abcdefghijkl", 7), ["abc…jkl"]);
    }
}
