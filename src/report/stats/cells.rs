//! The damage-producing cells of a pool, one by one.

use super::pivot::Pivot;
use super::{PoolStats, Stats};
use crate::report::numbers;
use crate::report::text::printable;
use crate::stats::Interval;
use crate::study::figures::Figure;

/// A table of the cells with damage, the highest rate first; none without any.
pub(super) fn pivot(stats: &Stats<'_>, pool: &PoolStats) -> Option<Pivot> {
    let mut cells: Vec<_> = pool.cells.iter().filter(|cell| cell.damage.x > 0).collect();
    if cells.is_empty() {
        return None;
    }
    let low = |interval: &Figure<Interval>| interval.as_ref().map_or(0.0, |interval| interval.low);
    cells.sort_by(|a, b| low(&b.interval).total_cmp(&low(&a.interval)));
    let range = |interval: &Figure<Interval>| match interval {
        Ok(interval) => numbers::range3(interval.low, interval.high),
        Err(_) => "–".into(),
    };
    let rows = cells.iter().map(|cell| {
        let kind = match (cell.stochastic, cell.always_fail) {
            (true, _) => "stochastic",
            (_, true) => "always",
            _ => "",
        };
        let texts = vec![
            format!("{}/{}", cell.damage.x, cell.damage.n),
            range(&cell.interval),
            range(&cell.simultaneous),
            cell.audit_length.as_ref().map_or("–".into(), |&runs| numbers::count(runs)),
            kind.to_owned(),
        ];
        (printable(&cell.id.title(stats.study)).into_owned(), texts)
    });
    let unlikely = numbers::level(stats.settings.alpha);
    Some(Pivot {
        title: format!("damage-producing cells of {}", printable(&pool.name)),
        columns: ["damage", "exact", "all cells at once", "audit", "kind"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
        notes: vec![format!(
            "all cells at once: Bonferroni over the pool's {}; audit: runs from which a clean audit is at \
             most {unlikely} likely, at the seen rate",
            numbers::plural(pool.cells.len() as u64, "cell")
        )],
    })
}
