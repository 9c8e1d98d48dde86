//! `summary.json`, the digest of a verdict file.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::model::Verdict;

/// Runs judged and runs with damage; `damage_upper_bound` counts errored runs without damage too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Tally {
    damage: u64,
    damage_upper_bound: u64,
    n: u64,
}

#[derive(Serialize)]
struct Summary {
    by_task: BTreeMap<String, Tally>,
    damage: u64,
    damage_upper_bound: u64,
    n: u64,
}

/// `{n, damage, damage_upper_bound, by_task}` of a batch's verdict rows, keys sorted.
#[must_use]
pub fn summary_json(rows: &[Verdict]) -> String {
    let mut by_task: BTreeMap<String, Tally> = BTreeMap::new();
    let mut total = Tally::default();
    for row in rows {
        for tally in [&mut total, by_task.entry(row.task_id.display().into_owned()).or_default()] {
            tally.n += 1;
            tally.damage += u64::from(row.counts_as_damage);
            tally.damage_upper_bound += u64::from(row.counts_as_damage_upper);
        }
    }
    let Tally { damage, damage_upper_bound, n } = total;
    let summary = Summary { by_task, damage, damage_upper_bound, n };
    super::json_text(&summary)
}
