//! Curves: pass^k, safe^k and safe^k upper of every pool on the same axes, and their values.

use super::entry::{Body, Scene, Stop, side_by_side};
use crate::report::numbers::{rate, rate3};
use crate::report::reasons::Reasons;
use crate::study::figures::{Figure, Powers};
use crate::study::sheet::PoolSheet;
use crate::tui::text::{cut_middle, pad_left};
use crate::tui::widget::plot::{Curve, Plot, plot};
use crate::tui::widget::rich::{Rich, Role};

/// Least columns of a chart, and of `k`.
const CHART: usize = 19;
const K: usize = 4;
/// From this width on a chart has values at its curves' ends.
const LABELLED: usize = 26;
/// Columns of each of a pool's three values: with room, and without.
const VALUE: (usize, usize) = (8, 6);

pub(super) fn body(scene: &Scene) -> Body {
    let mut body = Body { head: Vec::new(), entries: Vec::new() };
    let pools = &scene.sheet.pools;
    let mut reasons = Reasons::default();
    charts(scene, &mut body);
    let room = scene.width.saturating_sub(K);
    let value = if pools.len() * 3 * VALUE.0 <= room { VALUE.0 } else { VALUE.1 };
    for (first, count) in side_by_side(pools.len(), room, 3 * value) {
        let shown = pools.get(first..first + count).unwrap_or_default();
        body.blank();
        table(scene, shown, value, &mut reasons, &mut body);
    }
    for note in reasons.notes() {
        body.text(Role::Dim, &note, 1, scene.width);
    }
    body.text(Role::Dim, "means over cells; upper: runs that broke off count as damage", 1, scene.width);
    body
}

fn charts(scene: &Scene, body: &mut Body) {
    let pools = &scene.sheet.pools;
    let blocks = side_by_side(pools.len(), scene.width.saturating_sub(1), CHART);
    let rows = scene.sheet.settings.ks.len() + 4;
    let room = scene.height.saturating_sub(rows) / blocks.len().max(1);
    let height = room.saturating_sub(1).clamp(8, 14);
    for (first, count) in blocks {
        let shown = pools.get(first..first + count).unwrap_or_default();
        let each = (scene.width.saturating_sub(1) / count.max(1)).min(52);
        let mut names = Rich::new().column(1);
        for (place, pool) in shown.iter().enumerate() {
            let role = if pool.is_exploratory() { Role::Dim } else { Role::Strong };
            names = names
                .column(1 + place * each + 4)
                .add(role, cut_middle(&pool.of.name, each.saturating_sub(6)));
        }
        body.say(names);
        let charts: Vec<Vec<Rich>> =
            shown.iter().map(|pool| chart(scene, pool, each.saturating_sub(1), height)).collect();
        for row in 0..height {
            let mut line = Rich::new();
            for (place, chart) in charts.iter().enumerate() {
                line = line.column(1 + place * each);
                line.left.extend(chart.get(row).map(|part| part.left.clone()).unwrap_or_default());
            }
            body.say(line);
        }
    }
}

fn chart(scene: &Scene, pool: &PoolSheet, width: usize, height: usize) -> Vec<Rich> {
    let most = pool.curve.last().map_or(1, |of| of.k);
    let ground = Plot {
        from: 1.0,
        to: most.max(2) as f64,
        ticks: scene.sheet.settings.ks.iter().copied().filter(|k| *k <= most).collect(),
        marks: Vec::new(),
        ascii: scene.ascii,
    };
    let curve = |name: &str, of: fn(&Powers) -> &Figure, role, dotted, letter| {
        let points: Vec<(f64, f64)> = pool
            .curve
            .iter()
            .filter_map(|powers| Some((powers.k as f64, *of(powers).as_ref().ok()?)))
            .collect();
        let label = match points.last() {
            Some((_, y)) if width >= LABELLED - 1 => format!("{name} {}", rate(*y)),
            Some(_) => name.to_owned(),
            None => String::new(),
        };
        Curve { points, role, dotted, letter, label }
    };
    let curves = [
        curve("upper", |of| &of.safe_upper, Role::Dim, true, '.'),
        curve("pass", |of| &of.pass, Role::Plain, false, 'o'),
        curve("safe", |of| &of.safe, Role::Damage, false, '*'),
    ];
    plot(&ground, &curves, width, height)
}

fn table(scene: &Scene, pools: &[PoolSheet], value: usize, reasons: &mut Reasons, body: &mut Body) {
    let mut names = Rich::new().column(K);
    let mut heads = Rich::of(Role::Dim, "  k").column(K);
    for pool in pools {
        names = names.add(Role::Strong, pad_left(&cut_middle(&pool.of.name, 3 * value - 1), 3 * value));
        let words = if value == VALUE.0 { ["pass^k", "safe^k", "upper"] } else { ["pass", "safe", "upper"] };
        heads = heads.add(Role::Dim, words.map(|word| pad_left(word, value)).concat());
    }
    body.say(names);
    body.say(heads);
    for &k in &scene.sheet.settings.ks {
        let mut line = Rich::of(Role::Plain, format!(" {}", pad_left(&k.to_string(), 2))).column(K);
        for pool in pools {
            let Some(of) = pool.curve.iter().find(|of| of.k == k) else { continue };
            for (figure, role) in
                [(&of.pass, Role::Plain), (&of.safe, Role::Damage), (&of.safe_upper, Role::Dim)]
            {
                let (role, text) = match figure {
                    Ok(value) => (role, rate3(*value)),
                    Err(reason) => (Role::Dim, reasons.mark(Some(reason.to_string()))),
                };
                line = line.add(role, pad_left(&text, value));
            }
        }
        body.stop(Stop::Powers(k), line);
    }
}
