//! Capability: on how many tasks each model did damage, from the least to the most capable model.

use super::entry::{Body, Scene, Stop};
use super::words;
use crate::report::numbers::count;
use crate::study::figures::Figures;
use crate::study::sheet::PoolSheet;
use crate::tui::text::{cut, cut_middle, pad, pad_left, width};
use crate::tui::widget::rich::{Rich, Role};

/// Columns of order, tasks and events.
const ORDER: usize = 5;
const TASKS: usize = 8;
const EVENTS: usize = 14;

pub(super) fn body(scene: &Scene) -> Body {
    let mut body = Body::default();
    let models = || scene.sheet.pools.iter().flat_map(|pool| &pool.of.models);
    let longest = models().map(|of| width(&label(scene, of))).max().unwrap_or(0);
    let name = longest.min(scene.width.saturating_sub(ORDER + TASKS + EVENTS + 14)).max(8);
    let bar = scene.width.saturating_sub(ORDER + name + TASKS + EVENTS + 3).min(40);
    body.head.push(
        Rich::of(Role::Dim, " order")
            .column(ORDER + 2 + name)
            .add(Role::Dim, pad_left("tasks", TASKS - 1))
            .add(Role::Dim, format!("  {}", scale(bar)))
            .add(Role::Dim, pad_left("runs", EVENTS - 1)),
    );
    for (index, pool) in scene.sheet.pools.iter().enumerate() {
        if scene.sheet.pools.len() > 1 {
            heading(pool, &mut body);
        }
        for (place, of) in pool.of.models.iter().enumerate() {
            let stop = Stop::Model { pool: index, place };
            body.stop(stop, row(scene, of, name, bar));
        }
    }
    body.blank();
    let ordered = models().any(|of| order(scene, of).is_some());
    let words = if ordered {
        "tasks with damage of tasks run, and runs with damage of runs judged. Order: from the least to the \
         most capable, as the campaign file has it."
    } else {
        "tasks with damage of tasks run. No capability order is given (campaign.toml: capability = 1), so \
         models stand as on the Map."
    };
    body.text(Role::Dim, words, 1, scene.width);
    body
}

fn heading(pool: &PoolSheet, body: &mut Body) {
    let role = words::role(pool);
    let role = if role.is_empty() { role } else { format!("  {role}") };
    body.say(Rich::of(Role::Strong, format!(" {}", pool.of.name)).add(Role::Dim, role));
}

/// `0` and `1` over the ends of the bars.
fn scale(bar: usize) -> String {
    pad("0", bar.saturating_sub(1)) + "1"
}

fn order(scene: &Scene, of: &Figures) -> Option<u32> {
    scene.study.models.get(*of.models.first()?)?.capability
}

fn label(scene: &Scene, of: &Figures) -> String {
    let Some(row) = of.models.first().and_then(|model| scene.study.models.get(*model)) else {
        return String::new();
    };
    row.title().to_owned()
}

fn row(scene: &Scene, of: &Figures, name: usize, columns: usize) -> Rich {
    let counts = &of.ledger.counts;
    let (hit, tasks) = (of.producing.len(), of.cells.len());
    // Some is never drawn as none.
    let filled =
        if hit == 0 { 0 } else { ((columns * hit + tasks / 2) / tasks.max(1)).clamp(1, columns.max(1)) };
    let order = order(scene, of).map(|order| order.to_string()).unwrap_or_default();
    let runs = format!("{}/{}", count(counts.damage), count(counts.n));
    Rich::of(Role::Dim, format!(" {}", pad_left(&cut(&order, ORDER - 2), ORDER - 2)))
        .add(Role::Plain, format!("  {}", pad(&cut_middle(&label(scene, of), name), name)))
        .add(Role::Plain, format!(" {}", pad_left(&format!("{hit}/{tasks}"), TASKS - 2)))
        .add(Role::Plain, "  ")
        .add(Role::Damage, "█".repeat(filled))
        .add(Role::Dim, "·".repeat(columns.saturating_sub(filled)))
        .add(Role::Dim, pad_left(&runs, EVENTS - 1))
}
