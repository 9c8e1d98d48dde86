//! Decay: how many clean runs of a stochastic cell it takes until a clean audit is unlikely.

use super::entry::{Body, Scene, Stop, Words};
use super::words;
use crate::report::numbers::{count, level, percent, percent_range};
use crate::study::sheet::{CLEAN_AUDIT, Decay};
use crate::tui::text::{cut_middle, pad, pad_left};
use crate::tui::widget::plot::{Curve, Plot, plot};
use crate::tui::widget::rich::{Rich, Role};

/// Columns of what stands beside a cell's name.
const NUMBERS: usize = 22;
/// Columns of what an audit of one run shows, from [`ONE_FROM`] columns on.
const ONE: usize = 19;
const ONE_FROM: usize = 72;

pub(super) fn body(scene: &Scene) -> Body {
    let mut body = Body::default();
    let pools: Vec<_> = scene.sheet.pools.iter().filter(|pool| !pool.decays.is_empty()).collect();
    let all: Vec<&Decay> = pools.iter().flat_map(|pool| &pool.decays).collect();
    if all.is_empty() {
        let words = "No cell is demonstrably stochastic: no exact interval lies strictly inside the band, so \
                     none has a decay to show. A single cell's audit arithmetic stands on the Map's panel.";
        body.text(Role::Dim, words, 1, scene.width);
        return body;
    }
    body.head.push(Rich::of(Role::Dim, " chance that an audit of k runs sees nothing"));
    let height = scene
        .height
        .saturating_sub(all.len() + pools.len() + 3)
        .clamp(12, 20)
        .min(scene.height.saturating_sub(6));
    body.head.extend(chart(scene, &all, height));
    let five = level(CLEAN_AUDIT);
    let one = if scene.width >= ONE_FROM { ONE } else { 0 };
    body.head.push(
        Rich::new()
            .column(scene.width.saturating_sub(NUMBERS + one))
            .add(Role::Dim, pad_left("x/n", 6))
            .add(Role::Dim, pad_left(if one > 0 { "k = 1" } else { "" }, one))
            .add(Role::Dim, pad_left(&format!("≤ {five} from"), 16)),
    );
    let names = scene.width.saturating_sub(NUMBERS + one + 3);
    let mut place = 0;
    for (index, pool) in scene.sheet.pools.iter().enumerate().filter(|(_, pool)| !pool.decays.is_empty()) {
        if scene.sheet.pools.len() > 1 {
            body.say(Rich::of(Role::Dim, format!(" {}", pool.of.name)));
        }
        for (of, decay) in pool.decays.iter().enumerate() {
            let words = Words::Decay { pool: index, place: of, letter: letter(place), name: names };
            body.list(Stop::Cell(decay.cell.id), words);
            place += 1;
        }
    }
    body
}

pub(super) fn row(scene: &Scene, of: &Decay, letter: char, names: usize) -> Rich {
    let name = pad(&cut_middle(&words::cell(scene.study, of.cell.id), names), names);
    let damage = of.cell.damage;
    let one = of
        .clean
        .first()
        .filter(|_| scene.width >= ONE_FROM)
        .map(|miss| format!("{} ({})", percent(miss.seen), percent_range(miss.least, miss.most)))
        .unwrap_or_default();
    let (least, most) = of.until_range;
    let until = format!("k = {} ({}–{})", count(of.until), count(least), count(most));
    Rich::of(Role::Strong, format!(" {letter} "))
        .add(Role::Plain, name)
        .add(Role::Plain, pad_left(&format!("{}/{}", damage.x, damage.n), 6))
        .add(Role::Plain, pad_left(&one, if one.is_empty() { 0 } else { ONE }))
        .add(Role::Damage, pad_left(&until, 16))
}

/// As many curves are drawn as there are letters: more of them are a blot.
const DRAWN: usize = 26;

/// a, b, …; after z none.
fn letter(place: usize) -> char {
    u8::try_from(place)
        .ok()
        .filter(|place| usize::from(*place) < DRAWN)
        .map_or('·', |place| char::from(b'a' + place))
}

/// The first curves quiet, the selected one with its range loud.
fn chart(scene: &Scene, all: &[&Decay], height: usize) -> Vec<Rich> {
    let runs = scene.sheet.audit_runs;
    let chosen = scene.selected.filter(|stop| all.iter().any(|of| Stop::Cell(of.cell.id) == *stop));
    let chosen = chosen.or(all.first().map(|of| Stop::Cell(of.cell.id)));
    let is_chosen = |of: &Decay| Some(Stop::Cell(of.cell.id)) == chosen;
    let line = |points: Vec<(f64, f64)>, role, dotted, letter, label: String| Curve {
        points,
        role,
        dotted,
        letter,
        label,
    };
    let five = level(CLEAN_AUDIT);
    let mut curves =
        vec![line(vec![(0.0, CLEAN_AUDIT), (runs as f64, CLEAN_AUDIT)], Role::Dim, true, '-', five)];
    for of in all.iter().take(DRAWN).filter(|of| !is_chosen(of)) {
        let points = points(of, |miss| miss.seen);
        curves.push(line(points, Role::Dim, false, '.', String::new()));
    }
    let mut marks = Vec::new();
    for (place, of) in all.iter().enumerate().filter(|(place, of)| *place < DRAWN || is_chosen(of)) {
        let role = if is_chosen(of) { Role::Damage } else { Role::Plain };
        marks.push((of.until.min(runs) as f64, CLEAN_AUDIT, letter(place), role));
    }
    if let Some(of) = all.iter().find(|of| is_chosen(of)) {
        curves.push(line(points(of, |miss| miss.least), Role::Damage, true, '.', String::new()));
        curves.push(line(points(of, |miss| miss.most), Role::Damage, true, '.', String::new()));
        curves.push(line(points(of, |miss| miss.seen), Role::Damage, false, '*', String::new()));
    }
    let step = (runs / 12).max(1);
    let ticks = (0..=runs).step_by(usize::try_from(step).unwrap_or(1)).collect();
    let ground = Plot { from: 0.0, to: runs as f64, ticks, marks, ascii: scene.ascii };
    let columns = scene.width.saturating_sub(2).min(96);
    plot(&ground, &curves, columns, height)
        .into_iter()
        .map(|part| {
            let mut line = Rich::new().column(1);
            line.left.extend(part.left);
            line
        })
        .collect()
}

/// From k = 0, where an audit sees nothing for certain.
fn points(of: &Decay, value: impl Fn(&crate::study::AuditMiss) -> f64) -> Vec<(f64, f64)> {
    let seen = of.clean.iter().enumerate().map(|(index, miss)| ((index + 1) as f64, value(miss)));
    std::iter::once((0.0, 1.0)).chain(seen).collect()
}
