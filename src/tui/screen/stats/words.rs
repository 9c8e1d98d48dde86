//! Sentences of the Stats: ledgers, names, and what `y` copies. Every rate with its denominator.

use super::entry::{Scene, Stop};
use super::figure::Fig;
use crate::report::criteria::verdict;
use crate::report::numbers::{self, count, level, percent, percent_range, rate3};
use crate::study::figures::{CellId, Figure};
use crate::study::sheet::{CLEAN_AUDIT, Decay, PoolSheet, Sheet};
use crate::study::{Counts, Study};
use crate::tui::identity;
use crate::tui::screen::sentence::cell_sentence;

/// `240 on disk = 240 judged (3 errored, 4 stalled) + 0 no verdict (0 invalid)`: what is in every rate, and
/// what is in none.
pub(super) fn ledger(of: &Counts) -> String {
    ledger_parts(of).concat()
}

/// The ledger, and how many of those without verdict are invalid.
fn ledger_parts(of: &Counts) -> [String; 2] {
    [
        format!(
            "{} on disk = {} judged ({} errored, {} stalled) + {} no verdict",
            count(of.on_disk),
            count(of.n),
            count(of.errored),
            count(of.stalled),
            count(of.no_verdict + of.pending)
        ),
        format!(" ({} invalid)", count(of.invalid)),
    ]
}

/// The ledger of what is selected, in parts from the most to the least needed.
pub(super) fn ledger_of(stop: Option<Stop>, study: &Study, sheet: &Sheet) -> Vec<String> {
    let counts = match stop {
        Some(Stop::Cell(id)) => id.cell(study).map(|cell| ("cell", cell.counts)),
        Some(Stop::Model { pool, place }) => sheet
            .pools
            .get(pool)
            .and_then(|pool| pool.of.models.get(place))
            .map(|of| ("model", of.ledger.counts)),
        _ => None,
    };
    let (whose, counts) = counts.unwrap_or(("all pools", sheet.total.counts));
    let [ledger, invalid] = ledger_parts(&counts);
    let mut parts = vec![format!("{whose}: {ledger}"), invalid];
    let outside = sheet.outside.counts.on_disk;
    if outside > 0 {
        parts.push(format!(" · {} more in no pool", count(outside)));
    }
    parts
}

/// `Tern 7B`: a model's name for people.
pub(super) fn model(study: &Study, index: usize) -> &str {
    study.models.get(index).map_or("", |row| row.title())
}

/// Between a cell's model and its task.
pub(super) const TIMES: &str = " × ";

/// `Tern 7B × po-approval-gate`.
pub(super) fn cell(study: &Study, id: CellId) -> String {
    let task = study.tasks.get(id.task).map_or("", |row| row.id.as_str());
    format!("{}{TIMES}{task}", model(study, id.model))
}

/// The cell's identity, to open it.
pub(super) fn identity(study: &Study, id: CellId) -> Option<identity::CellId> {
    identity::CellId::at(study, id.model, id.task)
}

/// What a pool may be used for, where that is not its name.
pub(super) fn role(pool: &PoolSheet) -> String {
    match pool.of.role {
        _ if pool.is_exploratory() => "in no claim".into(),
        Some(role) if role.as_str() != pool.of.name => role.as_str().into(),
        _ => String::new(),
    }
}

/// A number or why there is none, for sentences.
fn or_reason(figure: &Figure) -> String {
    match figure {
        Ok(number) => rate3(*number),
        Err(reason) => format!("undefined ({reason})"),
    }
}

/// What is selected in one sentence with its denominator.
pub(super) fn sentence(stop: Stop, scene: &Scene) -> String {
    let (study, sheet) = (scene.study, scene.sheet);
    match stop {
        Stop::Figure(fig) => figure(fig, scene),
        Stop::Powers(k) => powers(k, sheet),
        Stop::Cell(id) => {
            let decays = sheet.pools.iter().flat_map(|pool| &pool.decays);
            let decay = decays.clone().find(|decay| decay.cell.id == id).map(decay).unwrap_or_default();
            identity(study, id).map(|id| cell_sentence(&id, study) + &decay).unwrap_or_default()
        }
        Stop::Model { pool, place } => {
            let Some(pool) = sheet.pools.get(pool) else { return String::new() };
            let Some(of) = pool.of.models.get(place) else { return String::new() };
            let counts = &of.ledger.counts;
            format!(
                "{} (pool {}) did damage on {} of {} tasks, in {} of {} runs. {}.",
                of.models.first().map_or("", |index| model(study, *index)),
                pool.of.name,
                of.producing.len(),
                of.cells.len(),
                count(counts.damage),
                count(counts.n),
                ledger(counts)
            )
        }
        Stop::Criterion(index) => {
            let Some(reading) = sheet.readings.get(index) else { return String::new() };
            let whys: Vec<String> = reading
                .conditions
                .iter()
                .map(|of| format!("{}: {}: {}", of.name, of.reading.as_str(), of.why))
                .collect();
            format!(
                "{} (“{}”, pool {}) reads {}. {}.",
                reading.id,
                reading.claim,
                reading.pool,
                verdict(reading),
                whys.join(". ")
            )
        }
        Stop::Run(run) => {
            let Some(entry) = study.runs.get(run) else { return String::new() };
            format!("{} {}", cell(study, CellId { model: entry.model, task: entry.task }), entry.name)
        }
    }
}

fn figure(fig: Fig, scene: &Scene) -> String {
    let label = fig.label(&scene.sheet.settings);
    let label = label.trim_start_matches([' ', '◆', '▲', '!']);
    let of_pool = |pool: &PoolSheet| {
        let value = match fig.value(&pool.of.pooled, " of ") {
            Ok(value) => value,
            Err(reason) => format!("undefined ({reason})"),
        };
        let over = fig.over(&pool.of.pooled).map(|over| format!(" {over}")).unwrap_or_default();
        let spread = match fig.spread(pool) {
            Some(Ok(spread)) => format!(
                " (bootstrap over {} tasks {}, {} resamples, {} undefined)",
                spread.clusters,
                super::figure::spread(spread),
                count((spread.defined + spread.undefined) as u64),
                count(spread.undefined as u64)
            ),
            _ => String::new(),
        };
        format!("{} {value}{over}{spread}; {}", pool.of.name, ledger(&pool.of.pooled.ledger.counts))
    };
    let pools: Vec<String> = scene.sheet.pools.iter().map(of_pool).collect();
    format!("{label}: {}.", pools.join(". "))
}

fn powers(k: u64, sheet: &Sheet) -> String {
    let of_pool = |pool: &PoolSheet| {
        let of = pool.curve.iter().find(|of| of.k == k)?;
        Some(format!(
            "{} pass^{k} {}, safe^{k} {} (upper {}), means over {} cells; {}",
            pool.of.name,
            or_reason(&of.pass),
            or_reason(&of.safe),
            or_reason(&of.safe_upper),
            pool.of.pooled.cells.len(),
            ledger(&pool.of.pooled.ledger.counts)
        ))
    };
    let pools: Vec<String> = sheet.pools.iter().filter_map(of_pool).collect();
    format!("{}.", pools.join(". "))
}

fn decay(of: &Decay) -> String {
    let (least, most) = of.until_range;
    let one = of.clean.first().map(|miss| {
        format!("one run sees nothing {} ({})", percent(miss.seen), percent_range(miss.least, miss.most))
    });
    format!(
        " An audit of {}; a clean audit is at most {} likely from k = {} ({}–{}).",
        one.unwrap_or_default(),
        level(CLEAN_AUDIT),
        of.until,
        numbers::count(least),
        numbers::count(most)
    )
}
