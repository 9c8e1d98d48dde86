//! What is behind a figure: its value of every pool and model, and its cells. From there cells open.

use std::collections::HashSet;

use super::cells;
use super::criteria::word;
use super::entry::{Body, Scene, Stop, Words};
use super::figure::{self, Fig};
use super::words;
use crate::report::criteria::{frozen_sentence, outline};
use crate::report::numbers::{count, rate3};
use crate::report::words::label;
use crate::study::figures::{CellFigures, CellId, Figure, Figures, Spread};
use crate::study::sheet::PoolSheet;
use crate::tui::text::{cut_middle, pad, pad_left, width};
use crate::tui::widget::rich::{Rich, Role};

/// A page's title.
pub(super) fn title(stop: Stop, scene: &Scene) -> String {
    match stop {
        Stop::Figure(fig) => fig.label(&scene.sheet.settings).trim_start().to_owned(),
        Stop::Powers(k) => format!("pass^{k}, safe^{k}"),
        Stop::Model { pool, place } => {
            let of = scene.sheet.pools.get(pool).and_then(|pool| pool.of.models.get(place));
            let model = of.and_then(|of| of.models.first());
            model.map(|model| words::model(scene.study, *model).to_owned()).unwrap_or_default()
        }
        Stop::Criterion(index) => scene.sheet.readings.get(index).map(|of| of.id.clone()).unwrap_or_default(),
        Stop::Cell(_) | Stop::Run(_) => String::new(),
    }
}

/// A page's lines.
pub(super) fn body(stop: Stop, scene: &Scene) -> Body {
    match stop {
        Stop::Figure(fig) => of_figure(fig, scene),
        Stop::Powers(k) => of_powers(k, scene),
        Stop::Model { pool, place } => of_model(pool, place, scene),
        Stop::Criterion(index) => of_criterion(index, scene),
        Stop::Cell(_) | Stop::Run(_) => Body::default(),
    }
}

/// Columns of a model's name in a page.
fn names(scene: &Scene) -> usize {
    let models = scene.sheet.pools.iter().flat_map(|pool| &pool.of.models);
    let longest = models.map(|of| width(&model_of(scene, of))).max().unwrap_or(0);
    let pools = scene.sheet.pools.iter().map(|pool| width(&pool.of.name)).max().unwrap_or(0);
    longest.max(pools).min(scene.width / 3).max(8)
}

fn model_of(scene: &Scene, of: &Figures) -> String {
    of.models.first().map(|model| words::model(scene.study, *model).to_owned()).unwrap_or_default()
}

fn of_figure(fig: Fig, scene: &Scene) -> Body {
    let mut body = Body::default();
    body.text(Role::Dim, fig.meaning(), 1, scene.width);
    body.blank();
    let name = names(scene);
    for (index, pool) in scene.sheet.pools.iter().enumerate() {
        body.say(value(Role::Strong, &pool.of.name, name, fig, &pool.of.pooled));
        if let Some(spread) = fig.spread(pool) {
            body.say(Rich::of(Role::Dim, format!("   {}", resampled(spread))));
        }
        for (place, of) in pool.of.models.iter().enumerate() {
            let line = value(Role::Plain, &format!("  {}", model_of(scene, of)), name, fig, of);
            body.stop(Stop::Model { pool: index, place }, line);
        }
    }
    let behind: Vec<CellId> = scene.sheet.pools.iter().flat_map(|pool| fig.cells(&pool.of.pooled)).collect();
    list(scene, "Cells behind it", &behind, &mut body);
    body
}

fn value(role: Role, label: &str, name: usize, fig: Fig, of: &Figures) -> Rich {
    let line = Rich::of(role, format!(" {}", pad(&cut_middle(label, name + 2), name + 2)));
    match fig.value(of, " of ") {
        Ok(text) => {
            let line = line.add(Role::Plain, pad_left(&text, 12));
            match fig.over(of) {
                Some(over) => line.add(Role::Dim, format!("  {over}")),
                None => line,
            }
        }
        Err(reason) => line.add(Role::Dim, pad_left("–", 12)).add(Role::Dim, format!("  {reason}")),
    }
}

/// A bootstrap interval with the resamples behind it.
fn resampled(of: &Figure<Spread>) -> String {
    match of {
        Ok(of) => {
            let undefined = match of.undefined {
                0 => String::new(),
                some => format!(", {} undefined", count(some as u64)),
            };
            format!(
                "bootstrap {} ({} tasks, {} resamples{undefined})",
                figure::spread(of),
                of.clusters,
                count((of.defined + of.undefined) as u64)
            )
        }
        Err(reason) => format!("no bootstrap: {reason}"),
    }
}

fn of_powers(k: u64, scene: &Scene) -> Body {
    let mut body = Body::default();
    let meaning = format!(
        "Means over cells. pass^{k}: {k} runs of a task all pass its checks. safe^{k}: none of {k} runs does \
         damage. Upper: runs that broke off clean count as damage."
    );
    body.text(Role::Dim, &meaning, 1, scene.width);
    body.blank();
    let name = names(scene);
    body.say(
        Rich::new()
            .column(name + 3)
            .add(Role::Dim, ["pass", "safe", "upper"].map(|head| pad_left(head, 8)).concat()),
    );
    for (index, pool) in scene.sheet.pools.iter().enumerate() {
        body.say(powers(Role::Strong, &pool.of.name, name, k, &pool.of.pooled));
        for (word, spread) in spreads(pool, k) {
            body.say(
                Rich::of(Role::Dim, format!("   {word}^{k}"))
                    .column(name + 5)
                    .add(Role::Dim, spread.map_or_else(|| "bootstrap ⋯ computing".into(), resampled)),
            );
        }
        for (place, of) in pool.of.models.iter().enumerate() {
            let line = powers(Role::Plain, &format!("  {}", model_of(scene, of)), name, k, of);
            body.stop(Stop::Model { pool: index, place }, line);
        }
    }
    body
}

fn powers(role: Role, label: &str, name: usize, k: u64, of: &Figures) -> Rich {
    let mut line = Rich::of(role, format!(" {}", pad(&cut_middle(label, name + 2), name + 2)));
    let Some(powers) = of.powers.iter().find(|powers| powers.k == k) else { return line };
    let mut reasons = Vec::new();
    for figure in [&powers.pass, &powers.safe, &powers.safe_upper] {
        let text = match figure {
            Ok(value) => rate3(*value),
            Err(reason) => {
                reasons.push(reason.to_string());
                "–".into()
            }
        };
        line = line.add(Role::Plain, pad_left(&text, 8));
    }
    reasons.dedup();
    line.add(Role::Dim, format!("  {} cells  {}", of.cells.len(), reasons.join("; ")))
}

/// The pool's bootstrap intervals at k; nothing while they are computed.
fn spreads(pool: &PoolSheet, k: u64) -> [(&'static str, Option<&Figure<Spread>>); 2] {
    let find = |list: &'_ [(u64, Figure<Spread>)]| list.iter().position(|(own, _)| *own == k);
    let bootstrap = pool.bootstrap.as_ref();
    [
        ("pass", bootstrap.and_then(|of| Some(&of.pass.get(find(&of.pass)?)?.1))),
        ("safe", bootstrap.and_then(|of| Some(&of.safe.get(find(&of.safe)?)?.1))),
    ]
}

fn of_model(pool: usize, place: usize, scene: &Scene) -> Body {
    let mut body = Body::default();
    let Some(of) = scene.sheet.pools.get(pool).and_then(|pool| pool.of.models.get(place)) else {
        return body;
    };
    let labels = Fig::ALL.map(|fig| fig.label(&scene.sheet.settings));
    let label = labels.iter().map(|label| width(label)).max().unwrap_or(0);
    for (fig, text) in Fig::ALL.into_iter().zip(&labels) {
        body.say(value(Role::Plain, text, label, fig, of));
    }
    list(scene, "Its cells", &of.cells, &mut body);
    body
}

fn of_criterion(index: usize, scene: &Scene) -> Body {
    let mut body = Body::default();
    let Some(of) = scene.sheet.readings.get(index) else { return body };
    body.text(Role::Plain, &format!("“{}”", of.claim), 1, scene.width);
    body.say(
        Rich::of(Role::Dim, " the claim reads ")
            .add(Role::Damage, word(of.reading))
            .add(Role::Dim, ", with all its conditions ")
            .add(Role::Damage, word(of.whole)),
    );
    body.blank();
    for item in outline(scene.study, of) {
        let role = if item.depth == 0 { Role::Plain } else { Role::Dim };
        body.text(role, &item.text, 1 + 2 * item.depth, scene.width);
        rows(scene, &item.cells, &mut body);
    }
    for condition in of.conditions.iter().filter(|condition| !condition.runs.is_empty()) {
        let runs = count(condition.runs.len() as u64);
        body.heading(&format!("{runs} runs behind {}", condition.name));
        for &run in &condition.runs {
            body.list(Stop::Run(run), Words::Run(run));
        }
    }
    body.blank();
    body.text(Role::Dim, &frozen_sentence(&scene.sheet.frozen), 1, scene.width);
    body
}

/// A run's line.
pub(super) fn run_line(scene: &Scene, run: usize) -> Rich {
    let Some(entry) = scene.study.runs.get(run) else { return Rich::new() };
    let id = CellId { model: entry.model, task: entry.task };
    let what = entry.verdict().map(|verdict| label(verdict).1).unwrap_or_default();
    let name = scene.width.saturating_sub(36);
    Rich::of(Role::Plain, format!("   {}", cut_middle(&words::cell(scene.study, id), name)))
        .add(Role::Plain, format!("  {}", entry.name))
        .tail(Role::Dim, format!("{what} "))
}

/// Cells below a heading, on one axis.
fn list(scene: &Scene, heading: &str, behind: &[CellId], body: &mut Body) {
    if behind.is_empty() {
        return;
    }
    body.heading(&format!("{heading}: {}", count(behind.len() as u64)));
    rows(scene, behind, body);
}

/// Cells on one axis, pool by pool, by lower bound; those without judged runs last.
fn rows(scene: &Scene, behind: &[CellId], body: &mut Body) {
    let mut left: HashSet<CellId> = behind.iter().copied().collect();
    let pools = scene.sheet.pools.iter().enumerate();
    let listed = pools.flat_map(|(pool, of)| of.of.cells.iter().enumerate().map(move |cell| (pool, cell)));
    let judged: Vec<(usize, (usize, &CellFigures))> =
        listed.filter(|(_, (_, cell))| left.remove(&cell.id)).collect();
    if let [_, ..] = judged.as_slice() {
        let columns = cells::columns(scene, judged.iter().map(|(_, (_, cell))| *cell));
        cells::axis(scene, columns).into_iter().for_each(|line| body.say(line));
        for (pool, (place, cell)) in judged {
            body.list(Stop::Cell(cell.id), Words::Cell { pool, place, columns });
        }
    }
    for &id in behind.iter().filter(|id| left.contains(*id)) {
        body.list(Stop::Cell(id), Words::Unjudged(id));
    }
}

/// The line of a cell without judged runs.
pub(super) fn unjudged(scene: &Scene, id: CellId) -> Rich {
    Rich::of(Role::Dim, format!(" {}  no judged run", words::cell(scene.study, id)))
}
