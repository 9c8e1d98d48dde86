//! What stands under an open edit: each changed column with old and new value, what tells, and why.

use super::telling::telling;
use super::values::Values;
use crate::damage::JudgedDelta;
use crate::model::{Delta, Op, Row, Text, Value};
use crate::report::{why as reasons, words};
use crate::tui::open_run::OpenRun;
use crate::tui::widget::rich::{Rich, Role, piece, wrap};
use crate::tui::widget::word_diff::DiffLine;

/// Where names of columns begin.
const INDENT: usize = 5;

/// The lines under an open edit.
#[must_use]
pub fn detail(
    view: &OpenRun,
    index: usize,
    judged: &JudgedDelta,
    whole: bool,
    values: &mut Values,
    width: usize,
) -> Vec<Rich> {
    let mut lines = Vec::new();
    let delta = &judged.delta;
    match delta.op {
        Op::Modified => {
            // What is not allowed comes first.
            let residue = &judged.authorization.residue;
            let allowed = delta.changed.iter().filter(|column| !residue.contains(column));
            for column in residue.iter().chain(allowed) {
                changed(index, judged, column, values, width, &mut lines);
            }
        }
        Op::Added | Op::Removed if !whole => key_columns(delta, width, &mut lines),
        Op::Added | Op::Removed => {}
    }
    if whole {
        whole_row(delta, width, &mut lines);
    } else {
        for (column, value) in telling(view, judged) {
            lines.push(pair(&column, &words::value(Some(&value)), Role::Plain));
        }
    }
    if judged.is_damage() || whole {
        lines.extend(why(view, judged, width));
    }
    lines
}

/// Why the edit is allowed or not, wrapped.
#[must_use]
pub fn why(view: &OpenRun, judged: &JudgedDelta, width: usize) -> Vec<Rich> {
    let Some(task) = &view.task else { return Vec::new() };
    // The pane shows the deciding reason; `w` shows all of them.
    let Some(reason) = reasons::why(judged, &task.spec).into_iter().next() else { return Vec::new() };
    indented(&[piece(Role::Dim, "why: "), piece(Role::Dim, reason)], INDENT, width)
}

fn indented(pieces: &[crate::tui::widget::rich::Piece], indent: usize, width: usize) -> Vec<Rich> {
    wrap(pieces, width.saturating_sub(indent).max(4))
        .into_iter()
        .map(|pieces| {
            let mut rich = Rich::new().column(indent);
            rich.left.extend(pieces);
            rich
        })
        .collect()
}

fn pair(column: &Text, value: &str, role: Role) -> Rich {
    Rich::new().column(INDENT).add(Role::Dim, column.display()).add(Role::Plain, " ").add(role, value)
}

/// A changed column: its name, `−` the value before, `+` the value after.
fn changed(
    index: usize,
    judged: &JudgedDelta,
    column: &Text,
    values: &mut Values,
    width: usize,
    lines: &mut Vec<Rich>,
) {
    let allowed = judged.is_damage() && !judged.authorization.residue.contains(column);
    let name = Rich::new().column(INDENT).add(Role::Strong, column.display());
    let name = if allowed { name.add(Role::Dim, "  allowed") } else { name };
    let value = values.of(index, judged, column);
    // It stands where there is a line anyway: nothing moves when it goes.
    lines.push(if value.comparing { name.tail(Role::Dim, "⋯ comparing ") } else { name });
    lines.extend_from_slice(value.lines(width, |diff| {
        let mut lines = side("−", &diff.old, (Role::Removed, Role::RemovedWord), width);
        lines.extend(side("+", &diff.new, (Role::Added, Role::AddedWord), width));
        lines
    }));
}

fn side(sign: &str, value: &[DiffLine], (same, differs): (Role, Role), width: usize) -> Vec<Rich> {
    let mut lines = Vec::new();
    let room = width.saturating_sub(INDENT + 2).max(4);
    let mut first = true;
    for line in value {
        let pieces: Vec<_> = line
            .iter()
            .map(|stretch| piece(if stretch.differs { differs } else { same }, &stretch.text))
            .collect();
        for wrapped in wrap(&pieces, room) {
            let mark = if first { format!("{sign} ") } else { "  ".into() };
            let mut rich = Rich::new().column(INDENT).add(same, mark);
            rich.left.extend(wrapped);
            lines.push(rich);
            first = false;
        }
    }
    lines
}

/// An added or removed row in short: what people call it.
fn key_columns(delta: &Delta, width: usize, lines: &mut Vec<Rich>) {
    let Some(row) = delta.raw_row() else { return };
    let (reference, name) = words::human_name(row, &delta.key);
    let name = reference.map(|text| text.to_string()).into_iter().chain(name.map(|text| format!("“{text}”")));
    let name = name.collect::<Vec<_>>().join(" ");
    if !name.is_empty() {
        lines.extend(indented(&[piece(Role::Plain, name)], INDENT, width));
    }
    lines.push(Rich::new().column(INDENT).add(Role::Dim, format!("{} columns  v whole row", row.len())));
}

/// Every column that is not shown above: unchanged ones, and those that are not compared.
fn whole_row(delta: &Delta, width: usize, lines: &mut Vec<Rich>) {
    let Some(row) = delta.raw_row() else { return };
    for (column, value) in row.iter().filter(|(column, _)| !delta.changed.contains(column)) {
        if delta.masked.contains(column) {
            let (old, new) = (value_in(&delta.before, column), value_in(&delta.after, column));
            let text = format!("not compared: {} {old} → {new}", column.display());
            lines.extend(indented(&[piece(Role::Dim, text)], INDENT, width));
        } else {
            let pieces = [
                piece(Role::Dim, column.display()),
                piece(Role::Plain, format!(" {}", words::value(Some(value)))),
            ];
            lines.extend(indented(&pieces, INDENT, width));
        }
    }
    // A masked column can have gone with the edit.
    let gone = delta.masked.iter().filter(|column| row.column(column).is_none());
    for column in gone {
        let text = format!("not compared: {} {} → absent", column.display(), value_in(&delta.before, column));
        lines.extend(indented(&[piece(Role::Dim, text)], INDENT, width));
    }
}

fn value_in(row: &Option<Row>, column: &Text) -> String {
    let value: Option<&Value> = row.as_ref().and_then(|row| row.column(column));
    words::value(value)
}
