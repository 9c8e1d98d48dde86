//! Pools: figures down, pools across.

use super::entry::{Body, Scene, Stop, side_by_side};
use super::figure::{self, Fig};
use super::words;
use crate::report::reasons::Reasons;
use crate::study::sheet::PoolSheet;
use crate::tui::text::{cut, pad_left, width};
use crate::tui::widget::rich::{Rich, Role};

/// The least columns of a pool, and the most it needs unless a value is longer.
const COLUMN: (usize, usize) = (10, 18);
/// Below so many columns values are written short.
const SHORT: usize = 13;

pub(super) fn body(scene: &Scene) -> Body {
    let mut body = Body::default();
    let settings = &scene.sheet.settings;
    let label = Fig::ALL.iter().map(|fig| width(&fig.label(settings))).max().unwrap_or(0) + 1;
    let blocks = side_by_side(scene.sheet.pools.len(), scene.width.saturating_sub(label + 1), COLUMN.0);
    let mut reasons = Reasons::default();
    for (block, (first, count)) in blocks.into_iter().enumerate() {
        let pools = scene.sheet.pools.get(first..first + count).unwrap_or_default();
        let values = pools.iter().flat_map(|pool| Fig::ALL.map(|fig| fig.value(&pool.of.pooled, " of ")));
        let widest = values.flatten().map(|value| width(&value) + 1).max().unwrap_or(0).max(COLUMN.1);
        let column = (scene.width.saturating_sub(label + 1) / count.max(1)).clamp(COLUMN.0, widest);
        let head = heads(pools, label, column);
        if block == 0 {
            body.head = head;
        } else {
            body.blank();
            head.into_iter().for_each(|line| body.say(line));
        }
        for fig in Fig::ALL {
            body.stop(Stop::Figure(fig), row(fig, pools, (label, column), &mut reasons, scene));
            if fig.is_resampled(settings) {
                body.say(spreads(fig, pools, (label, column), &mut reasons));
            }
        }
    }
    for note in reasons.notes() {
        body.text(Role::Dim, &note, 1, scene.width);
    }
    let left_out = |pool: &PoolSheet| {
        let spreads = Fig::ALL.iter().filter_map(|fig| fig.spread(pool)?.as_ref().ok());
        spreads.map(|spread| spread.undefined).sum::<usize>() > 0
    };
    if scene.sheet.pools.iter().any(left_out) {
        let words = "* resamples without damage have no miss rate and are left out: Enter counts them";
        body.text(Role::Dim, words, 1, scene.width);
    }
    if scene.study.campaign.is_none() {
        body.blank();
        let words = "No campaign file: all models are one pool. Pools, names and criteria come from a \
                     campaign.toml at the archive's root, or from --campaign FILE.";
        body.text(Role::Notice, words, 1, scene.width);
    }
    body
}

/// Names of pools, and below them what they may be used for.
fn heads(pools: &[PoolSheet], label: usize, column: usize) -> Vec<Rich> {
    let mut names = Rich::new().column(label + 1);
    let mut roles = Rich::new().column(label + 1);
    for pool in pools {
        let name = match pool.of.name.as_str() {
            "all" if pool.of.role.is_none() => "all models",
            name => name,
        };
        names = names.add(Role::Strong, pad_left(&cut(name, column - 1), column));
        roles = roles.add(Role::Dim, pad_left(&cut(&words::role(pool), column - 1), column));
    }
    // Only where there is something to say.
    let has_roles = pools.iter().any(|pool| !words::role(pool).is_empty());
    if has_roles { vec![names, roles] } else { vec![names] }
}

fn row(
    fig: Fig,
    pools: &[PoolSheet],
    (label, column): (usize, usize),
    reasons: &mut Reasons,
    scene: &Scene,
) -> Rich {
    let alone = scene.sheet.pools.len() == 1;
    let lead = if fig.leads() { Role::Strong } else { Role::Plain };
    let mut line = Rich::of(lead, format!(" {}", fig.label(&scene.sheet.settings))).column(label + 1);
    for pool in pools {
        let (role, text) = match fig.value(&pool.of.pooled, if column < SHORT { "/" } else { " of " }) {
            Ok(text) => (if fig.leads() { Role::Damage } else { Role::Plain }, text),
            // A pool by itself leaves room for the reason.
            Err(reason) if alone => {
                line = line.add(Role::Dim, pad_left("–", column)).add(Role::Dim, format!("  {reason}"));
                continue;
            }
            Err(reason) => (Role::Dim, reasons.mark(Some(reason.to_string()))),
        };
        line = line.add(role, pad_left(&text, column));
    }
    line
}

/// Bootstrap intervals, or that they are still computed.
fn spreads(fig: Fig, pools: &[PoolSheet], (label, column): (usize, usize), reasons: &mut Reasons) -> Rich {
    let mut line = Rich::of(Role::Dim, "   bootstrap over tasks").column(label + 1);
    for pool in pools {
        let text = match fig.spread(pool) {
            None if column < SHORT => "⋯".into(),
            None => "⋯ computing".into(),
            Some(Ok(spread)) => {
                let text = if column < SHORT { figure::short_spread(spread) } else { figure::spread(spread) };
                text + if spread.undefined > 0 { "*" } else { "" }
            }
            Some(Err(reason)) => reasons.mark(Some(reason.to_string())),
        };
        line = line.add(Role::Dim, pad_left(&text, column));
    }
    line
}
