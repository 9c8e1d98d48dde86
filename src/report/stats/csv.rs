//! Figures as CSV (RFC 4180): one row a figure, unrounded.

use super::Stats;
use super::lines::lines;
use crate::report::map_csv::quoted;

const COLUMNS: &str =
    "pool,role,model,figure,parameter,value,low,high,resamples_defined,resamples_undefined,undefined,cells";

/// One row a figure of a pool (`model` empty) or of a model. `low` and `high` are the bootstrap interval;
/// `undefined` says why `value` is empty; `cells` are joined by blanks.
#[must_use]
pub fn stats_csv(stats: &Stats<'_>) -> String {
    let mut out = format!("{COLUMNS}\r\n");
    for pool in &stats.pools {
        for group in &pool.groups {
            for line in lines(group) {
                let spread = line.spread.as_ref().and_then(|spread| spread.as_ref().ok());
                let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
                let count = |value: Option<usize>| value.map(|value| value.to_string()).unwrap_or_default();
                let cells: Vec<String> = line.cells.iter().map(|cell| cell.name(stats.study)).collect();
                let model = stats.name(group).map(str::to_owned);
                let fields = [
                    pool.name.clone(),
                    pool.role.map(|role| role.as_str().to_owned()).unwrap_or_default(),
                    model.unwrap_or_default(),
                    line.name.to_owned(),
                    line.parameter.clone().unwrap_or_default(),
                    number(line.value.as_ref().ok().copied()),
                    number(spread.map(|spread| spread.interval.low)),
                    number(spread.map(|spread| spread.interval.high)),
                    count(spread.map(|spread| spread.defined)),
                    count(spread.map(|spread| spread.undefined)),
                    line.value.as_ref().err().map(ToString::to_string).unwrap_or_default(),
                    cells.join(" "),
                ];
                out.push_str(&fields.map(|field| quoted(&field)).join(","));
                out.push_str("\r\n");
            }
        }
    }
    out
}
