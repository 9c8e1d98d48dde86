//! Bootstrap intervals of a set of cells.

use std::num::NonZero;
use std::thread;

use super::{CellId, Figure, Figures, NoFigure};
use crate::stats::{self, Count, Interval, Resampling, Undefined};
use crate::study::Study;
use crate::study::campaign::Settings;

/// What is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unit {
    /// tasks, with the cells of all models moving together
    #[default]
    Task,
    /// single cells, as the reference does: for miss rates the damage-producing ones
    Cell,
}

impl Unit {
    /// The word in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Cell => "cell",
        }
    }
}

/// How to resample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resample {
    /// What is drawn.
    pub unit: Unit,
    /// How many resamples.
    pub resamples: usize,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// Percentile intervals.
#[derive(Clone, Debug, PartialEq)]
pub struct Bootstrap {
    /// How it was made.
    pub plan: Resample,
    /// Of the pair-weighted miss rate at k = 1.
    pub miss_pair: Figure<Spread>,
    /// Of the event-weighted miss rate at k = 1.
    pub miss_event: Figure<Spread>,
    /// Of mean pass^k, for each k of the settings.
    pub pass: Vec<(u64, Figure<Spread>)>,
    /// Of mean safe^k, for each k of the settings.
    pub safe: Vec<(u64, Figure<Spread>)>,
}

/// An interval and the resamples behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The percentile interval.
    pub interval: Interval,
    /// Resamples in which the figure has a value.
    pub defined: usize,
    /// Resamples in which it has none, such as those without damage.
    pub undefined: usize,
    /// How many tasks or cells were drawn from.
    pub clusters: usize,
}

/// Bootstrap intervals of a set of cells. Takes tens of milliseconds a figure at 10,000 resamples: call it
/// off the UI thread.
#[must_use]
pub fn bootstrap(study: &Study, figures: &Figures, settings: &Settings, plan: Resample) -> Bootstrap {
    let job = Job { study, settings, plan };
    let miss_cells = match plan.unit {
        Unit::Task => &figures.cells,
        Unit::Cell => &figures.producing,
    };
    let powers = |of: fn(CellId, &Study) -> Count, mean: fn(&[Count], u64) -> Result<f64, Undefined>| {
        let one = |&k: &u64| (k, job.spread(&figures.cells, of, |cells| mean(cells, k)));
        settings.ks.iter().map(one).collect()
    };
    Bootstrap {
        plan,
        miss_pair: job.spread(miss_cells, CellId::damage, |cells| Ok(stats::miss_rates(cells)?.pair)),
        miss_event: job.spread(miss_cells, CellId::damage, |cells| Ok(stats::miss_rates(cells)?.event)),
        pass: powers(CellId::success, stats::mean_pass_hat_k),
        safe: powers(CellId::damage, stats::mean_safe_hat_k),
    }
}

struct Job<'a> {
    study: &'a Study,
    settings: &'a Settings,
    plan: Resample,
}

impl Job<'_> {
    fn spread(
        &self,
        cells: &[CellId],
        of: fn(CellId, &Study) -> Count,
        statistic: impl Fn(&[Count]) -> Result<f64, Undefined> + Sync,
    ) -> Figure<Spread> {
        let named = |undefined| NoFigure::of(undefined, cells, self.study);
        // What the cells themselves do not have needs no resamples to say so.
        let whole: Vec<Count> = cells.iter().map(|&id| of(id, self.study)).collect();
        if let Err(undefined) = statistic(&whole) {
            return Err(named(undefined));
        }
        let clusters = self.clusters(cells, of);
        if self.plan.unit == Unit::Task && clusters.len() == 1 {
            return Err(NoFigure { reason: "one task only: nothing to resample".into(), cell: None });
        }
        let plan = Resampling {
            resamples: self.plan.resamples,
            seed: self.plan.seed,
            threads: thread::available_parallelism().map_or(1, NonZero::get),
        };
        let drawn = stats::cluster_bootstrap(&clusters, statistic, plan).map_err(named)?;
        Ok(Spread {
            interval: drawn.interval(self.settings.alpha).map_err(named)?,
            defined: drawn.values().len(),
            undefined: drawn.undefined,
            clusters: clusters.len(),
        })
    }

    /// By task in the study's order, or each cell by itself.
    fn clusters(&self, cells: &[CellId], of: fn(CellId, &Study) -> Count) -> Vec<Vec<Count>> {
        if self.plan.unit == Unit::Cell {
            return cells.iter().map(|&id| vec![of(id, self.study)]).collect();
        }
        let by_task = |task| -> Vec<Count> {
            cells.iter().filter(|id| id.task == task).map(|&id| of(id, self.study)).collect()
        };
        (0..self.study.tasks.len()).map(by_task).filter(|cells| !cells.is_empty()).collect()
    }
}
