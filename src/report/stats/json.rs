//! Figures as JSON: documented in the README, stable, one format number.

use serde::Serialize;

use super::lines::{Line, Shape, lines};
use super::{Group, Stats};
use crate::study::campaign::Settings;
use crate::study::figures::{CellFigures, Spread};

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
                cells: pool.cells.iter().map(|of| cell(stats, of)).collect(),
            })
            .collect(),
        problems: study.problems.iter().map(ToString::to_string).collect(),
    };
    crate::report::json_text(&document)
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
    cells: Vec<CellOut>,
}

/// One cell by itself.
#[derive(Serialize)]
struct CellOut {
    cell: String,
    n: u64,
    x: u64,
    x_upper: u64,
    s: u64,
    low: Option<f64>,
    high: Option<f64>,
    simultaneous_low: Option<f64>,
    simultaneous_high: Option<f64>,
    stochastic: bool,
    always_fail: bool,
    over_ceiling: bool,
    audits: Vec<AuditOut>,
    audit_length: Option<u64>,
}

/// The chance that k runs of a cell are all clean; null where k > n.
#[derive(Serialize)]
struct AuditOut {
    k: u64,
    plug_in: Option<f64>,
    unbiased: Option<f64>,
}

/// The pool as a whole (`model` is null), or one of its models.
#[derive(Serialize)]
struct Entry {
    model: Option<String>,
    /// The model's name for people.
    title: Option<String>,
    figures: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    figure: &'static str,
    parameter: Option<String>,
    value: Option<serde_json::Value>,
    undefined: Option<String>,
    bootstrap: Option<Interval>,
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
        model: stats.name(group).map(str::to_owned),
        title: group.model.map(|_| stats.title(group).to_owned()),
        figures: lines(group).into_iter().map(|line| row(stats, line)).collect(),
    }
}

fn cell(stats: &Stats<'_>, of: &CellFigures) -> CellOut {
    let (own, together) = (of.interval.as_ref().ok(), of.simultaneous.as_ref().ok());
    CellOut {
        cell: of.id.name(stats.study),
        n: of.damage.n,
        x: of.damage.x,
        x_upper: of.damage_upper.x,
        s: of.success.x,
        low: own.map(|interval| interval.low),
        high: own.map(|interval| interval.high),
        simultaneous_low: together.map(|interval| interval.low),
        simultaneous_high: together.map(|interval| interval.high),
        stochastic: of.stochastic,
        always_fail: of.always_fail,
        over_ceiling: of.over_ceiling,
        audits: of
            .audits
            .iter()
            .map(|audit| AuditOut {
                k: audit.k,
                plug_in: audit.plug_in.as_ref().ok().copied(),
                unbiased: audit.unbiased.as_ref().ok().copied(),
            })
            .collect(),
        audit_length: of.audit_length.as_ref().ok().copied(),
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
    let value =
        line.value.as_ref().ok().map(|&value| match (line.shape, serde_json::Number::from_f64(value)) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
            (Shape::Count, _) => (value as u64).into(),
            (_, Some(number)) => serde_json::Value::Number(number),
            (_, None) => value.to_string().into(),
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
