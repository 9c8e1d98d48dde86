//! Paints the Run screen: banner, titles with the call strip, panes, linked lines.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::content::{Content, Turned, call_of};
use super::entries::Entry;
use super::layout::{Areas, Focus};
use super::rows;
use super::transcript::{LineText, Listing, absence, head};
use crate::damage::Mark;
use crate::tui::open_run::OpenRun;
use crate::tui::paint::{Line, put};
use crate::tui::screen::Ctx;
use crate::tui::screen::account::conversation::transcript;
use crate::tui::screen::account::said::Said;
use crate::tui::theme::Theme;
use crate::tui::widget::rich::{Emphasis, Rich, Role, paint};
use crate::tui::widget::scroll::Scroll;
use crate::tui::widget::strip;

/// What is drawn.
pub struct Picture<'a> {
    /// The opened run.
    pub view: &'a OpenRun,
    /// Its content.
    pub content: &'a Content,
    /// What is open.
    pub turned: &'a Turned,
    /// Where the rows are.
    pub rows: Scroll,
    /// Where the transcript is.
    pub script: Scroll,
}

/// Draws all of it.
pub fn draw(picture: &Picture, ctx: &Ctx, buf: &mut Buffer) {
    let Some(areas) = picture.content.areas else { return };
    for (row, line) in picture.content.banner.iter().enumerate() {
        paint(buf, areas.banner, row as u16, line, ctx.theme, emphasis(ctx));
    }
    titles(picture, &areas, ctx.theme, buf);
    rows_pane(picture, areas.rows, ctx, buf);
    script_pane(picture, areas.script, ctx, buf);
    for (row, line) in picture.content.why.iter().enumerate().take(usize::from(areas.why.height)) {
        paint(buf, areas.why, row as u16, line, ctx.theme, emphasis(ctx));
    }
    for pane in [areas.script, areas.why] {
        if pane.width > 0 && pane.x > ctx.area.x {
            divider(buf, Rect { x: pane.x - 1, width: 1, ..pane }, ctx.theme.rule);
        }
    }
}

fn emphasis<'a>(ctx: &Ctx<'a>) -> Emphasis<'a> {
    Emphasis { over: None, query: ctx.query }
}

fn divider(buf: &mut Buffer, area: Rect, style: Style) {
    for row in 0..area.height {
        put(buf, area, (0, row), "│", 1, style);
    }
}

/// `─ ROWS 2 ───┬─ TRANSCRIPT 11 ── r x D w R ──── evidence (z all) ─`
fn titles(picture: &Picture, areas: &Areas, theme: &Theme, buf: &mut Buffer) {
    let area = areas.titles;
    if area.height == 0 {
        return;
    }
    put(buf, area, (0, 0), &"─".repeat(usize::from(area.width)), area.width, theme.rule);
    let heading = |focus| if picture.turned.focus == focus { theme.heading } else { theme.dim };
    let part = |pane: Rect| Rect { y: area.y, height: 1, ..pane };
    if areas.rows.width > 0 {
        let count = edits(picture.view).map(|count| format!(" {count}")).unwrap_or_default();
        let part = part(areas.rows);
        Line::of(part, 0).skip(1).put(buf, &format!(" ROWS{count} "), heading(Focus::Rows));
    }
    if areas.script.width > 0 {
        let part = part(areas.script);
        if part.x > area.x {
            put(buf, area, (part.x - 1 - area.x, 0), "┬", 1, theme.rule);
        }
        script_title(picture, part, heading(Focus::Script), theme, buf);
    }
    if areas.why.width > 0 {
        put(buf, area, (areas.why.x - 1 - area.x, 0), "┬", 1, theme.rule);
    }
    // One pane at a time: say that there is another one.
    if areas.rows.width == 0 || areas.script.width == 0 {
        let other = if areas.rows.width == 0 { " ⇥ rows " } else { " ⇥ transcript " };
        let mut line = Line::of(area, 0);
        line.skip(24);
        if line.room() > 16 {
            line.put_right(buf, "─", theme.rule);
            line.put_right(buf, other, theme.dim);
        }
    }
}

fn edits(view: &OpenRun) -> Option<usize> {
    let judged = view.evidence.as_ref().map(|evidence| evidence.deltas.len());
    judged.or_else(|| view.verdict().map(|verdict| verdict.deltas.len()))
}

fn script_title(picture: &Picture, area: Rect, heading: Style, theme: &Theme, buf: &mut Buffer) {
    let messages = transcript(picture.view).map(|transcript| transcript.messages.len());
    let count = messages.map(|count| format!(" {count}")).unwrap_or_default();
    let mut line = Line::of(area, 0);
    line.skip(1).put(buf, &format!(" TRANSCRIPT{count} "), heading);
    let alone = area.width < 60 && area.x == 0;
    if messages.is_some() && !alone {
        let mode = if picture.turned.all { " all (z evidence) " } else { " evidence (z all) " };
        line.put_right(buf, "─", theme.rule);
        line.put_right(buf, mode, theme.dim);
    }
    let Some(digest) = picture.view.entry.digest() else { return };
    line.skip(2);
    let room = usize::from(line.room()).saturating_sub(4);
    let groups = strip::groups(&digest.strip);
    if groups.is_empty() || room < 5 {
        return;
    }
    line.put(buf, " ", theme.text);
    for group in strip::fit(&groups, room) {
        match group {
            Some(group) => line.put(buf, &strip::label(group), mark_style(group.0, theme)),
            None => line.put(buf, "⋯", theme.dim),
        };
        line.put(buf, " ", theme.text);
    }
}

/// How a mark of the strip is shown.
#[must_use]
pub fn mark_style(mark: Mark, theme: &Theme) -> Style {
    match mark {
        Mark::Read | Mark::End => theme.dim,
        Mark::Write => theme.text,
        Mark::Failed | Mark::Stalled | Mark::Errored => theme.warning,
        Mark::Damage => theme.did,
        Mark::Refusal => theme.said,
    }
}

fn rows_pane(picture: &Picture, area: Rect, ctx: &Ctx, buf: &mut Buffer) {
    let Picture { view, content, turned, .. } = picture;
    let selected = content.owner_at(picture.rows.cursor);
    let view_range = content.move_rows(&mut picture.rows.clone(), |scroll, lines| scroll.view(lines));
    for (row, index) in view_range.enumerate() {
        let Some(line) = content.rows.get(index) else { continue };
        let on_cursor = index == picture.rows.cursor && turned.focus == Focus::Rows;
        let over = on_cursor.then_some(ctx.theme.selected);
        let words = rows::worded(view, line);
        paint(buf, area, row as u16, &words, ctx.theme, Emphasis { over, query: ctx.query });
        if line.owner == selected && selected != rows::Owner::None {
            bar(buf, area, row as u16, ctx.theme.did);
        }
    }
}

fn script_pane(picture: &Picture, area: Rect, ctx: &Ctx, buf: &mut Buffer) {
    let Picture { view, content, turned, .. } = picture;
    if area.width == 0 {
        return;
    }
    if transcript(view).is_none() {
        for (row, line) in absence(view).lines().enumerate() {
            let line = Rich::of(Role::Notice, format!(" {line}"));
            paint(buf, area, row as u16, &line, ctx.theme, emphasis(ctx));
        }
        return;
    }
    let call = call_of(view, content.owner_at(picture.rows.cursor));
    let spoken = match view.said() {
        Said::Quote { message, .. } => Some(*message),
        _ => None,
    };
    let Listing { entries, lines } = &content.listing;
    let view_range = content.move_script(&mut picture.script.clone(), |scroll, lines| scroll.view(lines));
    for (row, index) in view_range.enumerate() {
        let Some((line, entry)) = lines.get(index).and_then(|line| Some((line, entries.get(line.entry)?)))
        else {
            continue;
        };
        let words = match &line.text {
            LineText::Head => head(view, entry, usize::from(area.width)),
            LineText::Ready(rich) => rich.clone(),
        };
        let on_cursor = index == picture.script.cursor && turned.focus == Focus::Script;
        let over = on_cursor.then_some(ctx.theme.selected);
        paint(buf, area, row as u16, &words, ctx.theme, Emphasis { over, query: ctx.query });
        match entry {
            Entry::Call(made) | Entry::Result(made) if Some(*made) == call => {
                bar(buf, area, row as u16, ctx.theme.did);
            }
            Entry::Message(message) if Some(*message) == spoken => bar(buf, area, row as u16, ctx.theme.said),
            _ => {}
        }
    }
}

/// Marks a line as belonging to what is selected.
fn bar(buf: &mut Buffer, area: Rect, row: u16, style: Style) {
    put(buf, area, (0, row), "▌", 1, style);
}
