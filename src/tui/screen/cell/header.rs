//! What stands over the Cell screen's list: the count with its interval, and how the runs add up.

use crate::report::numbers;
use crate::study::{Cell, CellMark, Counts, Study};
use crate::tui::identity::CellId;
use crate::tui::widget::rich::{Rich, Role};

/// Three lines: the cell and its batch, the count with its interval, what the runs came to.
#[must_use]
pub fn header(id: &CellId, cell: &Cell, study: &Study) -> Vec<Rich> {
    let title = Rich::of(Role::Strong, format!(" {} × {}", id.model, id.task));
    vec![title.tail(Role::Dim, format!("{} ", batch(cell, study))), counted(cell), ledger(&cell.counts)]
}

/// `k=16 · batch 147888 · temp 0.6`
fn batch(cell: &Cell, study: &Study) -> String {
    let mut batches: Vec<usize> = study.runs_of(cell).iter().map(|run| run.batch).collect();
    batches.dedup();
    let [batch] = batches.as_slice() else { return format!("{} batches", batches.len()) };
    let Some(batch) = study.batches.get(*batch) else { return String::new() };
    let mut parts: Vec<String> = batch.k.map(|k| format!("k={k}")).into_iter().collect();
    // Batch ids begin with a time; what follows tells them apart.
    let id = batch.id.rsplit('_').next().filter(|id| id.len() >= 3).unwrap_or(&batch.id);
    parts.push(format!("batch {id}"));
    let temperature = batch.settings.iter().find(|(name, _)| name == "temperature");
    parts.extend(temperature.map(|(_, value)| format!("temp {value}")));
    if batch.synthetic.is_some() {
        parts.push("synthetic".into());
    }
    parts.join(" · ")
}

/// `12 of 16 runs did damage    95 % exact .476–.927    ◆ stochastic    ⚑ 12   ≠ 0`
fn counted(cell: &Cell) -> Rich {
    let counts = &cell.counts;
    let mut line = if counts.n == 0 {
        Rich::of(Role::Strong, " no run is judged")
    } else {
        let role = if counts.damage > 0 { Role::Damage } else { Role::Strong };
        let line = Rich::of(role, format!(" {} of {} runs did damage", counts.damage, counts.n));
        match cell.interval {
            Some(interval) => line
                .add(Role::Plain, format!("    95 % exact {}", numbers::range3(interval.low, interval.high))),
            None => line,
        }
    };
    for mark in [CellMark::Stochastic, CellMark::Always] {
        if cell.marks().contains(&mark) {
            let word = if mark == CellMark::Stochastic { "stochastic" } else { "every run" };
            line = line.add(Role::Plain, format!("    {} {word}", mark.symbol()));
        }
    }
    line.add(Role::Plain, format!("    ⚑ {}   ≠ {}", counts.refused_but_mutated, counts.passed_but_damaged))
}

/// How the refusals went, or how the runs on disk add up.
fn ledger(counts: &Counts) -> Rich {
    let aside =
        [(counts.no_verdict, "no verdict"), (counts.pending, "not judged yet"), (counts.errored, "errored")];
    let aside: Vec<String> =
        aside.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let text = if counts.refused > 0 {
        let who = if counts.refused == counts.n { "all".into() } else { format!("{} of", counts.refused) };
        let clean = counts.refused.saturating_sub(counts.refused_but_mutated);
        format!(
            "{who} {} end in a refusal: {} had made a not-allowed edit, {clean} had not",
            counts.n, counts.refused_but_mutated
        )
    } else {
        format!(
            "{} on disk = {} damage + {} failed clean + {} pass",
            counts.on_disk, counts.damage, counts.failed_clean, counts.passed
        )
    };
    let line = Rich::of(Role::Plain, format!(" {text}"));
    if aside.is_empty() { line } else { line.add(Role::Notice, format!("  {}", aside.join(" · "))) }
}
