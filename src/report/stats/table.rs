//! Figures as text for people.

use super::pivot::Pivot;
use super::{Stats, cells};
use crate::report::text::{pad, pad_left, printable, width};

/// One table a pool, with its footnotes.
#[must_use]
pub fn stats_table(stats: &Stats<'_>) -> String {
    let mut out = format!("{}\n", printable(&stats.study.title));
    if let Some(notice) = &stats.study.synthetic {
        out.push_str(&format!("{}\n", printable(notice)));
    }
    out.push_str(&format!("{}\n{}", stats.head(), stats.legend()));
    for pool in &stats.pools {
        out.push('\n');
        out.push_str(&table(&Pivot::of(stats, pool)));
        if let Some(cells) = cells::pivot(stats, pool) {
            out.push('\n');
            out.push_str(&table(&cells));
        }
    }
    out
}

fn table(pivot: &Pivot) -> String {
    let label = pivot.rows.iter().map(|(label, _)| width(label)).max().unwrap_or(0).max(width(&pivot.title));
    let widths: Vec<usize> = pivot
        .columns
        .iter()
        .enumerate()
        .map(|(column, head)| {
            let cells = pivot.rows.iter().filter_map(|(_, texts)| texts.get(column));
            cells.map(|text| width(text)).max().unwrap_or(0).max(width(head))
        })
        .collect();
    let line = |label_text: &str, texts: &[String]| {
        let mut line = pad(label_text, label);
        for (text, width) in texts.iter().zip(&widths) {
            line.push_str("  ");
            line.push_str(&pad_left(text, *width));
        }
        format!("{}\n", line.trim_end())
    };
    let mut out = line(&pivot.title, &pivot.columns);
    for (label, texts) in &pivot.rows {
        out.push_str(&line(label, texts));
    }
    for note in &pivot.notes {
        out.push_str(note);
        out.push('\n');
    }
    out
}
