//! The lines of a group: one figure each, the same lines in the same order for every group.

use super::Group;
use crate::report::numbers;
use crate::stats::{BetaBinomial, Interval, MissRates};
use crate::study::figures::{CellId, Figure, Figures, NoFigure, Spread};

/// One figure.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Its word in exports.
    pub(super) name: &'static str,
    /// `k = 4`, `ε = 0.05`: which of several.
    pub(super) parameter: Option<String>,
    /// What it is, for people.
    pub(super) label: String,
    /// The value, or why there is none.
    pub(super) value: Figure,
    /// How the value is shown.
    pub(super) shape: Shape,
    /// An interval around it.
    pub(super) spread: Option<Figure<Spread>>,
    /// The cells behind it.
    pub(super) cells: Vec<CellId>,
}

/// How a value is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// a number of things
    Count,
    /// a share
    Rate,
    /// a number that may lie anywhere
    Plain,
}

impl Line {
    /// The value for people; nothing if undefined.
    pub(super) fn shown(&self) -> Option<String> {
        let value = *self.value.as_ref().ok()?;
        Some(match self.shape {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
            Shape::Count => numbers::count(value as u64),
            Shape::Rate => numbers::rate3(value),
            Shape::Plain => numbers::plain3(value),
        })
    }

    /// The interval for people.
    pub(super) fn shown_spread(&self) -> Option<String> {
        let spread = self.spread.as_ref()?.as_ref().ok()?;
        let Interval { low, high } = spread.interval;
        let undefined = match spread.undefined {
            0 => String::new(),
            some => format!(" ({} undefined)", numbers::count(some as u64)),
        };
        Some(format!("{}{undefined}", numbers::range3(low, high)))
    }
}

/// Collects lines.
struct Lines(Vec<Line>);

impl Lines {
    fn push(
        &mut self,
        name: &'static str,
        label: impl Into<String>,
        shape: Shape,
        value: Figure,
    ) -> &mut Line {
        let line = Line {
            name,
            parameter: None,
            label: label.into(),
            value,
            shape,
            spread: None,
            cells: Vec::new(),
        };
        self.0.push(line);
        // Just pushed: the last is there.
        let last = self.0.len() - 1;
        &mut self.0[last]
    }

    #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    fn count(&mut self, name: &'static str, label: &str, count: u64) -> &mut Line {
        self.push(name, label, Shape::Count, Ok(count as f64))
    }

    fn cells(&mut self, name: &'static str, label: &str, cells: &[CellId]) {
        self.count(name, label, cells.len() as u64).cells = cells.to_vec();
    }

    fn rate(&mut self, name: &'static str, label: impl Into<String>, value: Figure) -> &mut Line {
        self.push(name, label, Shape::Rate, value)
    }
}

/// A part of a figure that may be undefined.
fn part<T>(figure: &Figure<T>, of: impl Fn(&T) -> f64) -> Figure {
    figure.as_ref().map(of).map_err(NoFigure::clone)
}

/// All lines of a group.
pub(super) fn lines(group: &Group) -> Vec<Line> {
    let of = &group.figures;
    let mut lines = Lines(Vec::new());
    ledger(&mut lines, of);
    powers(&mut lines, group);
    misses(&mut lines, group);
    kinds(&mut lines, of);
    for mass in &of.mass {
        let label = format!("damage-mass share, ε = {}", numbers::exact(mass.epsilon));
        lines.rate("damage_mass_share", label, mass.share.clone()).parameter =
            Some(format!("epsilon = {}", mass.epsilon));
    }
    spread(
        &mut lines,
        [
            "beta_binomial_icc",
            "beta_binomial_icc_raw",
            "beta_binomial_alpha",
            "beta_binomial_beta",
            "beta_binomial_p",
        ],
        "all cells",
        &of.beta_binomial,
    );
    spread(
        &mut lines,
        [
            "beta_binomial_producing_icc",
            "beta_binomial_producing_icc_raw",
            "beta_binomial_producing_alpha",
            "beta_binomial_producing_beta",
            "beta_binomial_producing_p",
        ],
        "pairs",
        &of.beta_binomial_producing,
    );
    lines.rate("success_flip_rate", "flip rate of success", of.success_flips.flip_rate.clone());
    lines.push("success_icc", "ICC of success", Shape::Plain, of.success_flips.icc.clone());
    lines.rate("damage_flip_rate", "flip rate of damage", of.damage_flips.flip_rate.clone());
    lines.push("damage_icc", "ICC of damage", Shape::Plain, of.damage_flips.icc.clone());
    lines.0
}

fn ledger(lines: &mut Lines, of: &Figures) {
    let counts = &of.ledger.counts;
    lines.count("on_disk", "runs on disk", counts.on_disk);
    lines.count("no_verdict", "− no verdict, in no rate", counts.no_verdict + counts.pending).cells =
        [of.ledger.empty.as_slice(), of.ledger.partial.as_slice()].concat();
    lines.count("invalid", "  of them invalid", counts.invalid);
    lines.count("n", "= runs judged, n", counts.n);
    lines.count("errored", "  of them errored", counts.errored);
    lines.count("stalled", "  of them stalled", counts.stalled);
    lines.count("x", "damage events, x", counts.damage);
    lines.count("x_upper", "damage or errored, x upper", counts.damage_upper);
    lines.count("s", "successes, s", counts.success);
    lines.count("cells", "cells", of.ledger.cells as u64);
    lines.cells("pairs", "damage-producing pairs", &of.producing);
    lines.cells("over_ceiling", "cells over the errored ceiling", &of.over_ceiling);
}

fn powers(lines: &mut Lines, group: &Group) {
    for powers in &group.figures.powers {
        let k = powers.k;
        let find = |list: &[(u64, Figure<Spread>)]| {
            list.iter().find(|(own, _)| *own == k).map(|(_, spread)| spread.clone())
        };
        let mut line = |name, label: String, value: &Figure, spread| {
            let line = lines.rate(name, label, value.clone());
            line.parameter = Some(format!("k = {k}"));
            line.spread = spread;
        };
        let bootstrap = group.bootstrap.as_ref();
        line("pass_k", format!("pass^{k}"), &powers.pass, bootstrap.and_then(|of| find(&of.pass)));
        line("safe_k", format!("safe^{k}"), &powers.safe, bootstrap.and_then(|of| find(&of.safe)));
        line("safe_k_upper", format!("safe^{k} upper"), &powers.safe_upper, None);
    }
}

fn misses(lines: &mut Lines, group: &Group) {
    let of = &group.figures;
    let pair = |miss: &Figure<MissRates>| part(miss, |miss| miss.pair);
    let event = |miss: &Figure<MissRates>| part(miss, |miss| miss.event);
    let bootstrap = group.bootstrap.as_ref();
    let line = lines.rate("miss_rate_pair", "audit miss rate, by pair", pair(&of.miss));
    line.spread = bootstrap.map(|of| of.miss_pair.clone());
    line.cells.clone_from(&of.producing);
    let line = lines.rate("miss_rate_event", "audit miss rate, by event", event(&of.miss));
    line.spread = bootstrap.map(|of| of.miss_event.clone());
    line.cells.clone_from(&of.producing);
    let below = &of.miss_below_ceiling;
    lines.rate("miss_rate_pair_below_ceiling", "  below the ceiling, by pair", pair(below));
    lines.rate("miss_rate_event_below_ceiling", "  below the ceiling, by event", event(below));
    #[allow(clippy::cast_precision_loss, reason = "a count of cells")]
    let pairs = part(below, |miss| miss.pairs as f64);
    lines.push("pairs_below_ceiling", "  pairs below the ceiling", Shape::Count, pairs);
    for audit in of.audits.iter().filter(|audit| audit.k > 1) {
        let k = audit.k;
        for (name, estimator, weight, value) in [
            ("audit_miss_pair_plug_in", "(1−p̂)^k", "pair", pair(&audit.plug_in)),
            ("audit_miss_event_plug_in", "(1−p̂)^k", "event", event(&audit.plug_in)),
            ("audit_miss_pair_unbiased", "C(n−x,k)/C(n,k)", "pair", pair(&audit.unbiased)),
            ("audit_miss_event_unbiased", "C(n−x,k)/C(n,k)", "event", event(&audit.unbiased)),
        ] {
            let label = format!("{k} runs all miss, by {weight}, {estimator}");
            lines.rate(name, label, value).parameter = Some(format!("k = {k}"));
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts of cells and models")]
fn kinds(lines: &mut Lines, of: &Figures) {
    lines.cells("stochastic_cells", "stochastic cells", &of.stochastic.cells);
    lines.count("stochastic_models", "  on so many models", of.stochastic.models as u64);
    lines.rate("stochastic_damage_share", "  share of damage in them", of.stochastic.damage_share());
    let below = &of.stochastic_below_ceiling;
    lines.cells("stochastic_cells_below_ceiling", "  cells below the ceiling", &below.cells);
    lines.count("stochastic_models_below_ceiling", "  on so many models", below.models as u64);
    lines.cells("always_fail_cells", "always-fail cells", &of.always_fail);
    lines.rate("always_fail_bound_pairs", "  bound among pairs", of.always_fail_bound_producing.clone());
    lines.rate("always_fail_bound_cells", "  bound among all cells", of.always_fail_bound.clone());
}

fn spread(lines: &mut Lines, names: [&'static str; 5], over: &str, fit: &Figure<BetaBinomial>) {
    let [icc, icc_raw, alpha, beta, p] = names;
    lines.rate(icc, format!("beta-binomial ICC, {over}"), part(fit, |fit| fit.icc));
    lines.push(icc_raw, "  raw", Shape::Plain, part(fit, |fit| fit.icc_raw));
    lines.push(alpha, "  α", Shape::Plain, part(fit, |fit| fit.alpha));
    lines.push(beta, "  β", Shape::Plain, part(fit, |fit| fit.beta));
    lines.rate(p, "  p against one common rate", part(fit, |fit| fit.p));
}
