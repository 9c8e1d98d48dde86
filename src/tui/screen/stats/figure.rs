//! The figures of the Pools section: what each is, of a pool or of one of its models.

use crate::report::numbers::{self, rate3};
use crate::stats::{Interval, MissRates};
use crate::study::campaign::Settings;
use crate::study::figures::{CellId, Figure, Figures, NoFigure, Spread};
use crate::study::sheet::PoolSheet;

/// One figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fig {
    Runs,
    Cells,
    Pairs,
    Events,
    MissPair,
    MissEvent,
    Stochastic,
    StochasticDamage,
    Always,
    BoundPairs,
    BoundCells,
    OverCeiling,
    MissPairBelow,
    MissEventBelow,
    Success,
    OnDisk,
    NoVerdict,
    Broken,
}

impl Fig {
    /// All, in the order they are listed.
    pub(super) const ALL: [Self; 18] = [
        Self::Runs,
        Self::Cells,
        Self::Pairs,
        Self::Events,
        Self::MissPair,
        Self::MissEvent,
        Self::Stochastic,
        Self::StochasticDamage,
        Self::Always,
        Self::BoundPairs,
        Self::BoundCells,
        Self::OverCeiling,
        Self::MissPairBelow,
        Self::MissEventBelow,
        Self::OnDisk,
        Self::NoVerdict,
        Self::Broken,
        Self::Success,
    ];

    /// What it is, in a few words.
    pub(super) fn label(self, settings: &Settings) -> String {
        let most = numbers::level(settings.errored_ceiling);
        let sure = numbers::level(1.0 - settings.alpha);
        match self {
            Self::Runs => "runs judged, n".into(),
            Self::Cells => "cells (models)".into(),
            Self::Pairs => "damage-producing pairs".into(),
            Self::Events => "runs with damage (events)".into(),
            Self::MissPair => "miss rate, pair-weighted".into(),
            Self::MissEvent => "miss rate, event-weighted".into(),
            Self::Stochastic => "◆ stochastic (models)".into(),
            Self::StochasticDamage => "  of all events, in these".into(),
            Self::Always => "▲ always-fail cells".into(),
            Self::BoundPairs => format!("  of pairs at most, {sure}"),
            Self::BoundCells => format!("  of cells at most, {sure}"),
            Self::OverCeiling => format!("! cells over {most} errored"),
            Self::MissPairBelow => "  without: pair-weighted".into(),
            Self::MissEventBelow => "  without: event-weighted".into(),
            Self::Success => "all checks passed".into(),
            Self::OnDisk => "runs on disk".into(),
            Self::NoVerdict => "  no verdict (invalid)".into(),
            Self::Broken => "  errored, stalled, in n".into(),
        }
    }

    /// What it is, in a sentence.
    pub(super) fn meaning(self) -> &'static str {
        match self {
            Self::Runs => "Runs with a verdict: the n of every rate. Errored and stalled runs are in it.",
            Self::Cells => "Cells with judged runs: one model on one task.",
            Self::Pairs => "Cells in which at least one run did damage.",
            Self::Events => "Judged runs that did damage.",
            Self::MissPair | Self::MissPairBelow => {
                "The chance that an audit of one run sees nothing, (n−x)/n, as the mean over damage-producing \
                 pairs: of the pairs that do damage, how often does the audit pass one?"
            }
            Self::MissEvent | Self::MissEventBelow => {
                "The chance that an audit of one run sees nothing, (n−x)/n, weighted by each pair's damage \
                 runs: how much of the damage sits in cells that the audit passes?"
            }
            Self::Stochastic | Self::StochasticDamage => {
                "Cells whose exact interval lies strictly inside the band: neither never nor always."
            }
            Self::Always => "Cells in which every judged run did damage.",
            Self::BoundPairs | Self::BoundCells => {
                "With none seen in m cells, the share of always-fail cells is at most 1 − α^(1/m)."
            }
            Self::OverCeiling => {
                "Cells in which more runs broke off than the ceiling allows (strictly more)."
            }
            Self::Success => "Runs whose own checks all passed, damage or not.",
            Self::OnDisk => "Run directories, or rows of a verdicts file.",
            Self::NoVerdict => "Runs that cannot be judged: in no rate, always counted.",
            Self::Broken => {
                "Runs that broke off or stopped before their end: in n, as damage only if they did any."
            }
        }
    }

    /// Its value of a set of cells; `x of n` is written with `join` between.
    pub(super) fn value(self, of: &Figures, join: &str) -> Figure<String> {
        let counts = &of.ledger.counts;
        let number = |n: usize| numbers::count(n as u64);
        let of_all = |x: u64, n: u64| Ok(format!("{}{join}{}", numbers::count(x), numbers::count(n)));
        match self {
            Self::Runs => Ok(numbers::count(counts.n)),
            Self::Cells => Ok(format!("{} ({})", number(of.cells.len()), of.models.len())),
            Self::Pairs => of_all(of.producing.len() as u64, of.cells.len() as u64),
            Self::Events => of_all(counts.damage, counts.n),
            Self::MissPair => share(&of.miss, |miss| miss.pair),
            Self::MissEvent => share(&of.miss, |miss| miss.event),
            Self::Stochastic => {
                Ok(format!("{} ({})", number(of.stochastic.cells.len()), of.stochastic.models))
            }
            Self::StochasticDamage => match of.stochastic.damage_share() {
                Ok(_) => of_all(of.stochastic.events, of.stochastic.of_events),
                Err(reason) => Err(reason),
            },
            Self::Always => Ok(number(of.always_fail.len())),
            Self::BoundPairs => share(&of.always_fail_bound_producing, |bound| *bound),
            Self::BoundCells => share(&of.always_fail_bound, |bound| *bound),
            Self::OverCeiling => Ok(number(of.over_ceiling.len())),
            Self::MissPairBelow => share(&of.miss_below_ceiling, |miss| miss.pair),
            Self::MissEventBelow => share(&of.miss_below_ceiling, |miss| miss.event),
            Self::Success => of_all(counts.success, counts.n),
            Self::OnDisk => Ok(numbers::count(counts.on_disk)),
            Self::NoVerdict => Ok(format!("{} ({})", numbers::count(counts.no_verdict), counts.invalid)),
            Self::Broken => {
                Ok(format!("{}, {}", numbers::count(counts.errored), numbers::count(counts.stalled)))
            }
        }
    }

    /// What a rate is taken over, in words; nothing for counts, which say so themselves.
    pub(super) fn over(self, of: &Figures) -> Option<String> {
        let pairs = |miss: &Figure<MissRates>| {
            let miss = miss.as_ref().ok()?;
            Some(format!("over {}, {}", plural(miss.pairs, "pair"), plural(miss.events, "event")))
        };
        match self {
            Self::MissPair | Self::MissEvent => pairs(&of.miss),
            Self::MissPairBelow | Self::MissEventBelow => pairs(&of.miss_below_ceiling),
            Self::BoundPairs => Some(format!("none in {}", plural(of.producing.len(), "pair"))),
            Self::BoundCells => Some(format!("none in {}", plural(of.cells.len(), "cell"))),
            Self::Always => Some(format!("of {}", plural(of.cells.len(), "cell"))),
            _ => None,
        }
    }

    /// Its bootstrap interval, where it has one.
    pub(super) fn spread(self, of: &PoolSheet) -> Option<&Figure<Spread>> {
        let bootstrap = of.bootstrap.as_ref()?;
        match self {
            Self::MissPair => Some(&bootstrap.miss_pair),
            Self::MissEvent => Some(&bootstrap.miss_event),
            _ => None,
        }
    }

    /// It has a bootstrap interval, now or soon.
    pub(super) fn is_resampled(self, settings: &Settings) -> bool {
        settings.bootstrap > 0 && matches!(self, Self::MissPair | Self::MissEvent)
    }

    /// The figures people look for first.
    pub(super) fn leads(self) -> bool {
        matches!(self, Self::MissPair | Self::MissEvent)
    }

    /// The cells behind it.
    pub(super) fn cells(self, of: &Figures) -> Vec<CellId> {
        match self {
            Self::Pairs | Self::Events | Self::MissPair | Self::MissEvent | Self::BoundPairs => {
                of.producing.clone()
            }
            Self::MissPairBelow | Self::MissEventBelow => {
                of.producing.iter().copied().filter(|id| !of.over_ceiling.contains(id)).collect()
            }
            Self::Stochastic | Self::StochasticDamage => of.stochastic.cells.clone(),
            Self::Always => of.always_fail.clone(),
            Self::OverCeiling => of.over_ceiling.clone(),
            Self::NoVerdict => [of.ledger.empty.as_slice(), of.ledger.partial.as_slice()].concat(),
            Self::Runs | Self::Cells | Self::BoundCells | Self::Success | Self::OnDisk | Self::Broken => {
                of.cells.clone()
            }
        }
    }
}

/// A share with three digits, or why there is none.
fn share<T>(figure: &Figure<T>, of: impl Fn(&T) -> f64) -> Figure<String> {
    figure.as_ref().map(|figure| rate3(of(figure))).map_err(NoFigure::clone)
}

/// `1 pair`, `2 pairs`.
fn plural<N: TryInto<u64>>(n: N, word: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    format!("{} {word}{}", numbers::count(n), if n == 1 { "" } else { "s" })
}

/// A bootstrap interval in little room: `.58–.82`.
pub(super) fn short_spread(of: &Spread) -> String {
    let Interval { low, high } = of.interval;
    format!("{}–{}", numbers::rate(low), numbers::rate(high))
}

/// A bootstrap interval: `.580–.820`.
pub(super) fn spread(of: &Spread) -> String {
    let Interval { low, high } = of.interval;
    format!("{}–{}", rate3(low), rate3(high))
}
