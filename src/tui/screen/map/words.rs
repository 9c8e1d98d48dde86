//! The Map's words: title, what the numbers are, legend, what is copied, where it comes from.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::MapScreen;
use super::face::{Metric, bounds, count};
use crate::report::numbers;
use crate::study::CellMark;
use crate::tui::action::{Copied, Grouping, Order};
use crate::tui::identity::CellId;
use crate::tui::paint::Line;
use crate::tui::screen::sentence::{cell_address, cell_sentence};
use crate::tui::screen::{Ctx, Effect};
use crate::tui::text::width;
use crate::tui::theme::HEAT_STEPS;

/// The title: the most needed parts first, each whole or not at all.
pub(super) fn title(ctx: &Ctx, area: Rect, buf: &mut Buffer) {
    let (study, theme) = (ctx.study, ctx.theme);
    let totals = study.totals();
    let all = &totals.counts;
    let mut line = Line::of(area, 0);
    if study.synthetic.is_some() {
        line.put_right(buf, "SYNTHETIC ", theme.warning.patch(theme.strong));
    }
    line.skip(1).put(buf, "gainsay", theme.strong).skip(1).put(buf, &study.title, theme.text);
    let wide = area.width >= 160;
    let progress = study.progress;
    let runs = if progress.is_complete() {
        let judged = if wide { " judged" } else { "" };
        format!("{} runs{judged}", numbers::count(all.n))
    } else {
        format!(
            "{} of {} judged ⋯",
            numbers::count(progress.done as u64),
            numbers::count(progress.total as u64)
        )
    };
    let damage = if wide {
        format!("{} with damage in {} of {} cells", numbers::count(all.damage), totals.hit, totals.cells)
    } else {
        format!("{} damage", numbers::count(all.damage))
    };
    let alarm = |on: bool| if on { theme.warning } else { theme.dim };
    let size = format!(
        "{} × {}",
        numbers::plural(study.models.len() as u64, "model"),
        numbers::plural(study.tasks.len() as u64, "task")
    );
    let contradictions = all.refused_but_mutated + all.passed_but_damaged;
    // What must stay comes with the smaller number.
    let mut parts = vec![
        (5, size, theme.dim),
        (1, runs, if progress.is_complete() { theme.dim } else { theme.text }),
        (0, damage, if all.damage > 0 { theme.did } else { theme.dim }),
    ];
    if contradictions > 0 || wide {
        parts.push((3, format!("⚑ {} ≠ {}", all.refused_but_mutated, all.passed_but_damaged), theme.text));
    }
    if all.no_verdict > 0 || wide {
        parts.push((4, format!("{} no verdict", numbers::count(all.no_verdict)), alarm(all.no_verdict > 0)));
    }
    if !study.problems.is_empty() || wide {
        parts.push((
            2,
            numbers::plural(study.problems.len() as u64, "problem"),
            alarm(!study.problems.is_empty()),
        ));
    }
    let needed =
        |parts: &[(u8, String, Style)]| parts.iter().map(|(_, text, _)| width(text) + 3).sum::<usize>();
    while needed(&parts) > usize::from(line.room()) {
        let Some(least) = parts.iter().map(|(rank, ..)| *rank).max() else { break };
        parts.retain(|(rank, ..)| *rank != least);
    }
    for (place, (_, text, style)) in parts.iter().enumerate() {
        line.put(buf, if place == 0 { "  " } else { " · " }, theme.dim).put(buf, text, *style);
    }
}

/// What the numbers are, the order, and what the colour says.
pub(super) fn note(ctx: &Ctx, area: Rect, buf: &mut Buffer, map: &MapScreen) {
    let theme = ctx.theme;
    let order = match map.order {
        Order::Archive => "archive order",
        Order::Name => "by name",
        _ if !ctx.study.progress.is_complete() => "archive order until all is judged",
        Order::WorstFirst => "worst first",
        Order::MostModels => "most models hit first",
    };
    let grouping = match map.grouping {
        Grouping::None => "",
        Grouping::Lever => ", by lever",
        Grouping::Domain => ", by domain",
    };
    let mut line = Line::of(area, 0);
    let (metric, style) = match (map.metric, area.width >= 120) {
        (Metric::Seen, _) => ("seen rate", theme.dim),
        (Metric::AtLeast, false) => ("at least", theme.strong),
        (Metric::AtMost, false) => ("at most", theme.strong),
        (metric, true) => (metric.words(), theme.strong),
    };
    line.skip(1);
    line.put_right(buf, &format!("colour: {metric} "), style);
    line.put(buf, "x/n = runs with damage / judged", theme.dim);
    if area.width >= 120 {
        line.put(buf, " · interval: 95 % exact, per cell", theme.dim);
    }
    line.skip(3);
    line.put_whole(buf, &format!("{order}{grouping}"), theme.dim);
}

/// What marks mean, and from 120 columns on what colours do.
pub(super) fn legend(ctx: &Ctx, area: Rect, buf: &mut Buffer) {
    let theme = ctx.theme;
    let marks = [
        CellMark::RefusedButMutated,
        CellMark::PassedButDamaged,
        CellMark::Errored,
        CellMark::NoVerdict,
        CellMark::Stochastic,
        CellMark::Always,
    ];
    let mut line = Line::of(area, 0);
    line.skip(1);
    for mark in marks {
        let words = match mark {
            CellMark::Errored if area.width < 160 => "errored",
            CellMark::NoVerdict if area.width < 160 => "no verdict",
            CellMark::Stochastic if area.width < 160 => "stochastic",
            mark => mark.meaning(),
        };
        let needed = 2 + width(words);
        if needed <= usize::from(line.room()) {
            line.put(buf, &mark.symbol().to_string(), theme.strong)
                .skip(1)
                .put(buf, words, theme.dim)
                .skip(3);
        }
    }
    line.put_whole(buf, "⋯ still labelling", theme.dim);
    if area.height > 1 {
        let mut line = Line::of(area, 1);
        line.skip(1).put(buf, "colour and block, on fixed steps:", theme.dim).skip(2);
        let steps = ["none", "▁ ≤.125", "▂ ≤.25", "▄ ≤.50", "▆ ≤.75", "█ >.75"];
        for (step, words) in steps.iter().enumerate().take(HEAT_STEPS) {
            let style: Style = theme.heat(step);
            line.put(buf, &format!(" {words} "), style).skip(1);
        }
        line.skip(1).put_whole(buf, "blank: not run", theme.dim);
    }
}

/// The text of a cell for the clipboard.
pub(super) fn copied(ctx: &Ctx, id: &CellId, what: Copied) -> Option<String> {
    let cell = id.find(ctx.study)?;
    match what {
        Copied::Selection => {
            let interval =
                bounds(cell).map(|bounds| numbers::range(bounds.low, bounds.high)).unwrap_or_default();
            Some(format!("{} × {}: {} {interval}", id.model, id.task, count(cell)))
        }
        Copied::Address => Some(cell_address(id, ctx.study)),
        Copied::Sentence => {
            Some(format!("{} gainsay {}", cell_sentence(id, ctx.study), cell_address(id, ctx.study)))
        }
        Copied::Evidence => None,
    }
}

/// Where a cell comes from.
pub(super) fn provenance(ctx: &Ctx, selected: Option<CellId>) -> Effect {
    let Some((id, cell)) = selected.and_then(|id| id.find(ctx.study).map(|cell| (id, cell))) else {
        return Effect::Status("nothing selected".into());
    };
    let study = ctx.study;
    let mut lines = vec![("address".to_owned(), cell_address(&id, study))];
    if let Some(row) = id.indices(study).and_then(|(model, _)| study.models.get(model)) {
        lines.push(("model".into(), row.full_name.clone()));
        if let Some(pool) = &row.pool {
            lines.push(("pool".into(), pool.clone()));
        }
    }
    let mut batches: Vec<usize> = study.runs_of(cell).iter().map(|run| run.batch).collect();
    batches.dedup();
    for batch in batches.into_iter().filter_map(|batch| study.batches.get(batch)) {
        lines.push(("batch".into(), batch.id.clone()));
        lines.push(("path".into(), batch.path.display().to_string()));
        lines.extend(batch.k.map(|k| ("planned".into(), format!("k = {k}"))));
        lines.extend(batch.settings.iter().cloned());
        lines.extend(batch.synthetic.iter().map(|notice| ("notice".into(), notice.clone())));
    }
    Effect::Popup(format!("{} × {}", id.model, id.task), lines)
}
