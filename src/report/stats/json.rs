//! Figures as JSON: documented in the README, stable, one format number.

use serde::Serialize;

use super::lines::{Line, lines};
use super::{Group, Stats};
use crate::study::campaign::Settings;
use crate::study::figures::Spread;

/// Counts up when a field changes its meaning or goes; new fields do not count.
const FORMAT: &str = "gainsay.stats/1";

/// All figures, unrounded. What is undefined is `null` beside its reason; an infinite value is a string.
#[must_use]
pub fn stats_json(stats: &Stats<'_>) -> String {
    let study = stats.study;
    let document = Document {
        format: FORMAT,
        title: &study.title,
        synthetic: study.synthetic.as_deref(),
        campaign: study.campaign.as_ref().and_then(|campaign| campaign.name.as_deref()),
        settings: stats.settings,
        bootstrap: Plan {
            unit: stats.resample.unit.as_str(),
            resamples: stats.resample.resamples,
            seed: stats.resample.seed,
        },
        pools: stats
            .pools
            .iter()
            .map(|pool| Pool {
                name: &pool.name,
                role: pool.role.map(|role| role.as_str()),
                groups: pool.groups.iter().map(|group| entry(stats, group)).collect(),
            })
            .collect(),
        problems: study.problems.iter().map(ToString::to_string).collect(),
    };
    // Plain structs of strings and numbers always serialize.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    title: &'a str,
    synthetic: Option<&'a str>,
    campaign: Option<&'a str>,
    settings: &'a Settings,
    bootstrap: Plan,
    pools: Vec<Pool<'a>>,
    problems: Vec<String>,
}

#[derive(Serialize)]
struct Plan {
    unit: &'static str,
    resamples: usize,
    seed: u64,
}

#[derive(Serialize)]
struct Pool<'a> {
    name: &'a str,
    role: Option<&'static str>,
    groups: Vec<Entry>,
}

/// The pool as a whole (`model` is null), or one of its models.
#[derive(Serialize)]
struct Entry {
    model: Option<String>,
    figures: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    figure: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<String>,
    value: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undefined: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bootstrap: Option<Interval>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cells: Vec<String>,
}

#[derive(Serialize)]
struct Interval {
    low: Option<f64>,
    high: Option<f64>,
    defined: usize,
    undefined: usize,
    clusters: usize,
    reason: Option<String>,
}

fn entry(stats: &Stats<'_>, group: &Group) -> Entry {
    Entry {
        model: group.model.map(|_| stats.title(group).to_owned()),
        figures: lines(group).into_iter().map(|line| row(stats, line)).collect(),
    }
}

fn row(stats: &Stats<'_>, line: Line) -> Row {
    let bootstrap = line.spread.map(|spread| match spread {
        Ok(Spread { interval, defined, undefined, clusters }) => Interval {
            low: Some(interval.low),
            high: Some(interval.high),
            defined,
            undefined,
            clusters,
            reason: None,
        },
        Err(reason) => Interval {
            low: None,
            high: None,
            defined: 0,
            undefined: 0,
            clusters: 0,
            reason: Some(reason.to_string()),
        },
    });
    let value = line.value.as_ref().ok().map(|value| match serde_json::Number::from_f64(*value) {
        Some(number) => serde_json::Value::Number(number),
        None => serde_json::Value::String(value.to_string()),
    });
    Row {
        figure: line.name,
        parameter: line.parameter,
        value,
        undefined: line.value.err().map(|reason| reason.to_string()),
        bootstrap,
        cells: line.cells.iter().map(|cell| cell.name(stats.study)).collect(),
    }
}
