//! The map as a plain table: one line a cell.

use super::numbers;
use super::text::{pad, printable};
use super::totals::Totals;
use crate::model::{Level, Problem};
use crate::study::{Cell, CellMark, Study};

/// The map as text for people and `grep`: a header, one line a cell (worst first within a model), the
/// legend and the problems.
#[must_use]
pub fn map_table(study: &Study) -> String {
    let mut out = header(study);
    let rows = rows(study);
    let width =
        |pick: fn(&Line) -> &str| rows.iter().map(|row| super::text::width(pick(row))).max().unwrap_or(0);
    let (model, task) = (width(|row| &row.model).max(5), width(|row| &row.task).max(4));
    let (count, range) = (width(|row| &row.count).max(16), 14);
    out.push_str(&format!(
        "{}  {}  {}  {}  marks\n",
        pad("model", model),
        pad("task", task),
        pad("runs with damage", count),
        pad("95 % exact", range)
    ));
    for row in &rows {
        let line = format!(
            "{}  {}  {}  {}  {}",
            pad(&row.model, model),
            pad(&row.task, task),
            pad(&row.count, count),
            pad(&row.interval, range),
            row.marks
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.push('\n');
    out.push_str(&legend(&rows));
    out.push_str(&problem_lines(&study.problems));
    out
}

struct Line {
    model: String,
    task: String,
    count: String,
    interval: String,
    marks: String,
}

fn rows(study: &Study) -> Vec<Line> {
    let mut rows = Vec::new();
    for (model_index, model) in study.models.iter().enumerate() {
        let mut cells: Vec<(&Cell, &str)> = study
            .tasks
            .iter()
            .enumerate()
            .filter_map(|(task, row)| Some((study.cell(model_index, task)?, row.id.as_str())))
            .filter(|(cell, _)| !cell.is_blank())
            .collect();
        let lower = |cell: &Cell| cell.interval.map_or(-1.0, |interval| interval.low);
        cells.sort_by(|(a, _), (b, _)| lower(b).total_cmp(&lower(a)));
        rows.extend(cells.into_iter().map(|(cell, task)| Line {
            model: printable(&model.name).into_owned(),
            task: printable(task).into_owned(),
            count: count(cell),
            interval: interval(cell),
            marks: marks(cell),
        }));
    }
    rows
}

/// `12/16`, `0–6/16` with errored runs over the ceiling, with `?1` for runs without verdict.
fn count(cell: &Cell) -> String {
    let counts = &cell.counts;
    let mut text = if cell.shows_range() {
        format!("{}–{}/{}", counts.damage, counts.damage_upper, counts.n)
    } else {
        format!("{}/{}", counts.damage, counts.n)
    };
    if counts.no_verdict > 0 {
        text.push_str(&format!(" ?{}", counts.no_verdict));
    }
    if counts.pending > 0 {
        text.push_str(&format!(" ⋯{}", counts.pending));
    }
    text
}

/// `[0.476, 0.927]`; the interval of the upper count where that is what `count` shows.
fn interval(cell: &Cell) -> String {
    match cell.interval {
        None => String::new(),
        Some(seen) => {
            let high = if cell.shows_range() {
                cell.upper_interval.map_or(seen.high, |upper| upper.high)
            } else {
                seen.high
            };
            format!("[{}, {}]", bound(seen.low), bound(high))
        }
    }
}

/// A bound with its leading zero, for columns that other programs read: `0.476`, `<0.001`, `0`, `1`.
fn bound(p: f64) -> String {
    numbers::rate3(p).replace('.', "0.")
}

fn marks(cell: &Cell) -> String {
    cell.marks().into_iter().map(|mark| mark.symbol().to_string()).collect::<Vec<_>>().join(" ")
}

fn header(study: &Study) -> String {
    let totals = Totals::of(study);
    let counts = &totals.counts;
    let mut out = format!(
        "{}: {} × {}, {} runs on disk, {} judged, {} with damage in {} of {} cells; ⚑ {}, ≠ {}, no verdict {}\n",
        printable(&study.title),
        numbers::plural(study.models.len() as u64, "model"),
        numbers::plural(study.tasks.len() as u64, "task"),
        numbers::count(counts.on_disk),
        numbers::count(counts.n),
        numbers::count(counts.damage),
        totals.damaged_cells,
        totals.cells,
        counts.refused_but_mutated,
        counts.passed_but_damaged,
        counts.no_verdict
    );
    if let Some(notice) = &study.synthetic {
        out.push_str(&format!("{}\n", printable(notice)));
    }
    out.push_str("Intervals are Clopper–Pearson, 95 % exact, one cell each.\n\n");
    out
}

fn legend(rows: &[Line]) -> String {
    let used: Vec<String> = CellMark::ALL
        .into_iter()
        .filter(|mark| rows.iter().any(|row| row.marks.contains(mark.symbol())))
        .map(|mark| format!("{} {}", mark.symbol(), mark.meaning()))
        .collect();
    if used.is_empty() { String::new() } else { format!("{}\n", used.join("   ")) }
}

/// All problems, errors first, one line each; empty if there is none.
#[must_use]
pub fn problem_lines(problems: &[Problem]) -> String {
    let of = |level: Level| problems.iter().filter(|problem| problem.level == level).count();
    if problems.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "\nProblems: {}, {}\n",
        numbers::plural(of(Level::Error) as u64, "error"),
        numbers::plural(of(Level::Warning) as u64, "warning")
    );
    for problem in problems {
        out.push_str(&format!("  {}\n", problem_line(problem)));
    }
    out
}

/// One problem as one line: `error MISSING_DUMP path (place): detail`.
#[must_use]
pub fn problem_line(problem: &Problem) -> String {
    let level = match problem.level {
        Level::Error => "error",
        Level::Warning => "warning",
    };
    format!("{level} {}", printable(&problem.to_string()))
}
