//! Figures as Markdown, for reports.

use super::pivot::Pivot;
use super::{Stats, cells};
use crate::report::text::printable;

/// One heading and table a pool, with its footnotes.
#[must_use]
pub fn stats_markdown(stats: &Stats<'_>) -> String {
    let mut out = format!("# {}\n\n", escaped(&printable(&stats.study.title)));
    if let Some(notice) = &stats.study.synthetic {
        out.push_str(&format!("*{}*\n\n", escaped(&printable(notice))));
    }
    out.push_str(&format!("{}\n", stats.head()));
    let legend = stats.legend();
    if !legend.is_empty() {
        out.push_str(&format!("\n{}\n", escaped(legend.trim_end())));
    }
    let pivots = stats
        .pools
        .iter()
        .flat_map(|pool| std::iter::once(Pivot::of(stats, pool)).chain(cells::pivot(stats, pool)));
    for pivot in pivots {
        out.push_str(&format!("\n## {}\n\n", escaped(&pivot.title)));
        out.push_str(&row("", &pivot.columns));
        out.push_str(&format!("| --- |{}\n", " ---: |".repeat(pivot.columns.len())));
        for (label, texts) in &pivot.rows {
            out.push_str(&row(label.trim_start(), texts));
        }
        out.push('\n');
        for note in &pivot.notes {
            out.push_str(&format!("- {}\n", escaped(note)));
        }
    }
    out
}

fn row(label: &str, texts: &[String]) -> String {
    let cells = std::iter::once(label).chain(texts.iter().map(String::as_str)).map(escaped);
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

/// Text that Markdown would take for markup stays text.
pub(in crate::report) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '&') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
