//! Cells: the exact interval of every damage-producing cell on one line from 0 to 1, against the band.

use super::entry::{Body, Scene, Stop, Words};
use super::words;
use crate::report::numbers::{level, rate};
use crate::study::figures::CellFigures;
use crate::study::sheet::PoolSheet;
use crate::tui::text::{cut_middle, pad, pad_left, width};
use crate::tui::widget::bar::bar;
use crate::tui::widget::rich::{Rich, Role};

/// Columns of count and marks.
const COUNT: usize = 10;

pub(super) fn body(scene: &Scene) -> Body {
    let mut body = Body::default();
    let cells = || scene.sheet.pools.iter().flat_map(PoolSheet::producing);
    if cells().next().is_none() {
        body.text(
            Role::Dim,
            "No judged run did damage in these pools: no cell to draw. Not the same as safe: \
                              the Map shows each cell's bound.",
            1,
            scene.width,
        );
        return body;
    }
    let columns = columns(scene, cells());
    body.head = axis(scene, columns);
    for (index, pool) in scene.sheet.pools.iter().enumerate() {
        if pool.producing().next().is_none() {
            continue;
        }
        if scene.sheet.pools.len() > 1 {
            let stochastic = pool.decays.len();
            let line = Rich::of(Role::Strong, format!(" {}", pool.of.name)).add(
                Role::Dim,
                format!(
                    "  {} of {} cells did damage, {stochastic} ◆",
                    pool.producing().count(),
                    pool.of.pooled.cells.len()
                ),
            );
            body.say(line);
        }
        for (place, cell) in pool.of.cells.iter().enumerate().filter(|(_, cell)| cell.damage.x > 0) {
            body.list(Stop::Cell(cell.id), Words::Cell { pool: index, place, columns });
        }
    }
    let confidence = level(1.0 - scene.sheet.settings.alpha);
    body.text(
        Role::Dim,
        &format!(
            "{confidence} exact, per cell · ◆ inside the band · ▲ every run · ! errored over the ceiling"
        ),
        1,
        scene.width,
    );
    body
}

/// Columns of the names of these cells, and of the line from 0 to 1.
pub(super) fn columns<'a>(scene: &Scene, cells: impl Iterator<Item = &'a CellFigures>) -> (usize, usize) {
    // Names are measured once each: there are far more cells.
    let models: Vec<usize> = scene.study.models.iter().map(|row| width(row.title())).collect();
    let tasks: Vec<usize> = scene.study.tasks.iter().map(|row| width(&row.id)).collect();
    let of = |widths: &[usize], index: usize| widths.get(index).copied().unwrap_or(0);
    let longest = cells.map(|cell| of(&models, cell.id.model) + of(&tasks, cell.id.task)).max();
    let longest = longest.map_or(0, |names| names + width(words::TIMES));
    let name = longest.min(scene.width * 45 / 100);
    (name, scene.width.saturating_sub(name + COUNT + 3).min(72))
}

/// A cell's line; other pages use it too.
pub(super) fn row(scene: &Scene, cell: &CellFigures, (name, columns): (usize, usize)) -> Rich {
    let label = pad(&cut_middle(&words::cell(scene.study, cell.id), name), name);
    let marks: String = [(cell.stochastic, '◆'), (cell.always_fail, '▲'), (cell.over_ceiling, '!')]
        .into_iter()
        .filter_map(|(has, mark)| has.then_some(mark))
        .collect();
    let count = format!("{}/{}", cell.damage.x, cell.damage.n);
    let line = Rich::of(Role::Plain, format!(" {label}"))
        .add(Role::Plain, pad_left(&count, COUNT - 3))
        .add(Role::Damage, format!(" {}", pad(&marks, 2)))
        .add(Role::Plain, " ");
    interval(scene, cell, columns, line)
}

/// The interval over the band's edges.
fn interval(scene: &Scene, cell: &CellFigures, columns: usize, mut line: Rich) -> Rich {
    let seen = cell.damage.rate().unwrap_or(0.0);
    let bounds = cell.interval.as_ref().map_or((0.0, 1.0), |interval| (interval.low, interval.high));
    let drawn = bar((seen, bounds.0, bounds.1), columns);
    let edges = edges(scene, columns);
    for (column, c) in pad(&drawn, columns).chars().enumerate() {
        let is_edge = edges.contains(&column);
        line = match c {
            ' ' if is_edge => line.add(Role::Dim, "┊"),
            c => line.add(Role::Damage, c.encode_utf8(&mut [0; 4])),
        };
    }
    line
}

/// Columns of the band's edges.
fn edges(scene: &Scene, columns: usize) -> [usize; 2] {
    let last = columns.saturating_sub(1) as f64;
    scene.sheet.settings.band.map(|edge| (edge * last).round() as usize)
}

/// Numbers over the line from 0 to 1, edges of the band among them.
pub(super) fn axis(scene: &Scene, (name, columns): (usize, usize)) -> Vec<Rich> {
    let mut numbers = vec![' '; columns + 2];
    let mut ticks = vec!['─'; columns];
    let last = columns.saturating_sub(1);
    let [low, high] = edges(scene, columns);
    let [low_text, high_text] = scene.sheet.settings.band.map(rate);
    let middle = last / 2;
    let places =
        [(0, "0".to_owned()), (last, "1".into()), (low, low_text), (high, high_text), (middle, ".5".into())];
    for (column, text) in places {
        let length = text.chars().count();
        // The band's edges stand over their columns, the right one to the left of it.
        let from = if column > middle && length > 1 { (column + 1).saturating_sub(length) } else { column };
        let is_free = |from: &usize| {
            let around = numbers.get(from.saturating_sub(1)..(from + length + 1).min(numbers.len()));
            around.is_some_and(|room| room.iter().all(|c| *c == ' '))
        };
        // Where another number is too near it gives way towards the middle.
        let near = [0, 1, 2].map(|by| if column > middle { from.saturating_sub(by) } else { from + by });
        if let Some(from) = near.into_iter().find(is_free) {
            for (place, c) in text.chars().enumerate() {
                if let Some(slot) = numbers.get_mut(from + place) {
                    *slot = c;
                }
            }
        }
        if let Some(tick) = ticks.get_mut(column) {
            *tick = '┴';
        }
    }
    let at = 1 + name + COUNT - 3 + 4;
    let line = |text: Vec<char>| {
        let text: String = text.into_iter().collect();
        Rich::new().column(at).add(Role::Dim, text.trim_end())
    };
    vec![line(numbers), line(ticks)]
}
