//! How many further runs settle a cell.

use super::Study;
use super::figures::{CellId, Figure, NoFigure};
use crate::stats::{self, Count, Interval, Side};

/// What further runs are to achieve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// an interval at most so wide
    Width(f64),
    /// the whole interval on one side of the band's edges: below, inside or above
    Band(Interval),
    /// an audit of fresh runs that sees damage with at least this probability
    Detect(f64),
}

/// The plan of one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The cell.
    pub cell: CellId,
    /// What its damage runs ask for.
    pub seen: Answer,
    /// What they ask for with errored clean runs counted as damage: a run that broke off may have been
    /// about to do damage. Nothing where no run broke off clean.
    pub upper: Option<Answer>,
}

/// How many runs one count asks for. It supposes that its share goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The count, of the cell's judged runs.
    pub damage: Count,
    /// Its exact interval.
    pub interval: Interval,
    /// For a width or band: further runs. For an audit: its runs at the count's share.
    pub runs: Figure<u64>,
    /// For a band: the side on which the share lies.
    pub side: Option<Side>,
    /// For an audit: its runs if the share is the interval's lower bound, and its upper bound.
    pub runs_at_bounds: Option<(Figure<u64>, Figure<u64>)>,
}

impl Plan {
    /// No further runs are needed, whatever the runs that broke off would have done: both counts say so,
    /// and lie on the same side.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let settled = |answer: &Answer| answer.runs_at_bounds.is_none() && answer.runs == Ok(0);
        settled(&self.seen)
            && self.upper.as_ref().is_none_or(|upper| settled(upper) && upper.side == self.seen.side)
    }
}

/// Plans these cells; those without judged runs have none.
#[must_use]
pub fn plans(study: &Study, cells: &[CellId], goal: Goal, alpha: f64) -> Vec<Plan> {
    let plan = |&cell: &CellId| {
        let (damage, upper) = (cell.damage(study), cell.damage_upper(study));
        let answer = |count| answer(study, cell, count, goal, alpha);
        Some(Plan {
            cell,
            seen: answer(damage)?,
            upper: if upper.x > damage.x { answer(upper) } else { None },
        })
    };
    cells.iter().filter_map(plan).collect()
}

fn answer(study: &Study, cell: CellId, damage: Count, goal: Goal, alpha: f64) -> Option<Answer> {
    let interval = stats::clopper_pearson(damage.x, damage.n, alpha).ok()?;
    let named = |undefined| NoFigure::of(undefined, &[cell], study);
    let (mut side, mut runs_at_bounds) = (None, None);
    let runs = match goal {
        Goal::Width(width) => stats::runs_until_width(damage, width, alpha).map_err(named),
        Goal::Band(band) => {
            stats::runs_until_settled(damage, band, alpha).map_err(named).map(|(of, runs)| {
                side = Some(of);
                runs
            })
        }
        Goal::Detect(probability) => {
            let at = |rate: f64| stats::runs_to_detect(rate, probability).map_err(named);
            runs_at_bounds = Some((at(interval.low), at(interval.high)));
            damage.rate().map_err(named).and_then(at)
        }
    };
    Some(Answer { damage, interval, runs, side, runs_at_bounds })
}
