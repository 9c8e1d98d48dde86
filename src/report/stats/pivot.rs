//! One pool as a table for people: figures down, the pool and its models across.

use super::lines::{Line, lines};
use super::{PoolStats, Stats};
use crate::report::numbers;
use crate::report::reasons::Reasons;
use crate::report::text::printable;

/// A table with its footnotes.
pub(super) struct Pivot {
    /// `development pool dev: 4 models`.
    pub(super) title: String,
    /// The pool, then its models.
    pub(super) columns: Vec<String>,
    /// Label and one text a column.
    pub(super) rows: Vec<(String, Vec<String>)>,
    /// Why figures are undefined, and which cells are meant.
    pub(super) notes: Vec<String>,
}

impl Pivot {
    pub(super) fn of(stats: &Stats<'_>, pool: &PoolStats) -> Self {
        let role = pool.role.map(|role| role.as_str()).filter(|role| *role != pool.name);
        let role = role.map(|role| format!(" ({role})")).unwrap_or_default();
        let groups: Vec<Vec<Line>> = pool.groups.iter().map(lines).collect();
        let mut reasons = Reasons::default();
        let mut rows = Vec::new();
        let height = groups.first().map_or(0, Vec::len);
        for row in 0..height {
            let across: Vec<&Line> = groups.iter().filter_map(|lines| lines.get(row)).collect();
            let Some(first) = across.first() else { continue };
            let texts = across.iter().map(|line| {
                line.shown()
                    .unwrap_or_else(|| reasons.mark(line.value.as_ref().err().map(ToString::to_string)))
            });
            rows.push((first.label.clone(), texts.collect()));
            if across.iter().any(|line| line.spread.is_some()) {
                let texts = across.iter().map(|line| match &line.spread {
                    None => String::new(),
                    Some(Err(reason)) => reasons.mark(Some(reason.to_string())),
                    Some(Ok(_)) => line.shown_spread().unwrap_or_default(),
                });
                rows.push(("  bootstrap".to_owned(), texts.collect()));
            }
        }
        let mut notes = reasons.notes();
        for (name, label) in NAMED {
            let cells = groups.first().and_then(|lines| lines.iter().find(|line| line.name == name));
            let cells: Vec<String> =
                cells.into_iter().flat_map(|line| &line.cells).map(|cell| cell.title(stats.study)).collect();
            if !cells.is_empty() {
                notes.push(format!("{label}: {}", printable(&cells.join(", "))));
            }
        }
        let name = printable(&pool.name);
        Self {
            title: format!(
                "pool {name}{role}, {}",
                numbers::plural(pool.groups.len().saturating_sub(1) as u64, "model")
            ),
            columns: pool.groups.iter().map(|group| printable(stats.title(group)).into_owned()).collect(),
            rows,
            notes,
        }
    }
}

/// Lines whose cells are listed below the table.
const NAMED: [(&str, &str); 4] = [
    ("stochastic_cells", "stochastic"),
    ("always_fail_cells", "always-fail"),
    ("over_ceiling", "over the errored ceiling"),
    ("no_verdict", "with runs without verdict"),
];
