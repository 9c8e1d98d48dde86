//! What one cell looks like: its count, block, marks, interval, and how loud it is.

use crate::report::numbers::{range, rate};
use crate::stats::Interval;
use crate::study::{Cell, CellMark};
use crate::tui::theme::heat_step;

/// Which figure colours the map. The count stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Metric {
    /// the seen rate
    #[default]
    Seen,
    /// the lower bound: what is shown
    AtLeast,
    /// the upper bound: what is not ruled out
    AtMost,
}

impl Metric {
    pub(super) fn next(self) -> Self {
        match self {
            Self::Seen => Self::AtLeast,
            Self::AtLeast => Self::AtMost,
            Self::AtMost => Self::Seen,
        }
    }

    /// For the line under the title.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Seen => "seen rate",
            Self::AtLeast => "at least: the lower bound",
            Self::AtMost => "at most: the upper bound",
        }
    }
}

/// How loud a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    /// not run
    Blank,
    /// still being labelled: no number yet
    Pending,
    /// runs, but none with a verdict
    NoVerdict,
    /// a step of the heat scale; 0 is none
    Heat(usize),
}

/// One cell as characters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Face {
    pub tone: Tone,
    /// `12/16`, `0–6/16`, `? 8`
    pub count: String,
    /// The block that carries the rate without colour.
    pub block: char,
    /// Marks by priority.
    pub marks: String,
    /// `.48–.93`, `≤.37`
    pub interval: String,
    /// Seen rate and bounds, for a bar.
    pub bar: Option<(f64, f64, f64)>,
    /// Some runs have no verdict.
    pub partial: bool,
}

/// The blocks of the heat steps.
const BLOCKS: [char; 6] = [' ', '▁', '▂', '▄', '▆', '█'];

impl Face {
    pub(super) fn of(cell: &Cell, metric: Metric) -> Self {
        let counts = &cell.counts;
        let blank = Self {
            tone: Tone::Blank,
            count: String::new(),
            block: ' ',
            marks: String::new(),
            interval: String::new(),
            bar: None,
            partial: false,
        };
        if cell.is_blank() {
            return blank;
        }
        if counts.pending > 0 {
            let count = if counts.n > 0 { format!("{}/{}", counts.damage, counts.n) } else { String::new() };
            return Self { tone: Tone::Pending, count, marks: "⋯".into(), ..blank };
        }
        let Some(interval) = bounds(cell) else {
            return Self { tone: Tone::NoVerdict, count: format!("? {}", counts.no_verdict), ..blank };
        };
        let seen = cell.rate().unwrap_or(0.0);
        let figure = match metric {
            Metric::Seen => seen,
            Metric::AtLeast => interval.low,
            Metric::AtMost => interval.high,
        };
        let step = heat_step(figure);
        let mut marks: String = cell.marks().into_iter().map(CellMark::symbol).collect();
        if counts.no_verdict > 0 {
            marks = marks.replacen('?', &format!("?{}", counts.no_verdict), 1);
        }
        Self {
            tone: Tone::Heat(step),
            count: count(cell),
            block: BLOCKS.get(step).copied().unwrap_or(' '),
            marks,
            interval: range(interval.low, interval.high),
            bar: Some((seen, interval.low, interval.high)),
            partial: counts.no_verdict > 0,
        }
    }

    /// A model's cells on folded tasks: the widest bound among them.
    pub(super) fn of_zeros<'a>(cells: impl Iterator<Item = &'a Cell>, metric: Metric) -> Self {
        let widest = cells
            .filter_map(bounds)
            .map(|interval| interval.high)
            .fold(None, |widest: Option<f64>, high| Some(widest.map_or(high, |widest| widest.max(high))));
        let step = match (metric, widest) {
            (Metric::AtMost, Some(high)) => heat_step(high),
            _ => 0,
        };
        Self {
            tone: if widest.is_some() { Tone::Heat(step) } else { Tone::Blank },
            count: widest.map(|high| format!("≤{}", rate(high))).unwrap_or_default(),
            block: BLOCKS.get(step).copied().unwrap_or(' '),
            marks: String::new(),
            interval: String::new(),
            bar: None,
            partial: false,
        }
    }

    /// The first mark, for places with one slot.
    pub(super) fn mark(&self) -> char {
        self.marks.chars().next().unwrap_or(' ')
    }
}

/// The bounds of a cell; where too many runs broke off the upper one counts these as damage.
pub(super) fn bounds(cell: &Cell) -> Option<Interval> {
    let interval = cell.interval?;
    let high = match cell.upper_interval {
        Some(upper) if cell.shows_range() => upper.high,
        _ => interval.high,
    };
    Some(Interval { low: interval.low, high })
}

/// `12/16`; where too many runs broke off `0–6/16`.
pub(super) fn count(cell: &Cell) -> String {
    let counts = &cell.counts;
    if cell.shows_range() {
        format!("{}–{}/{}", counts.damage, counts.damage_upper, counts.n)
    } else {
        format!("{}/{}", counts.damage, counts.n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::clopper_pearson;
    use crate::study::{ALPHA, Counts};

    fn cell(damage: u64, n: u64) -> Cell {
        judged(Counts { on_disk: n, damage, damage_upper: damage, n, ..Counts::default() })
    }

    fn judged(counts: Counts) -> Cell {
        Cell {
            runs: 0..counts.on_disk as usize,
            counts,
            interval: clopper_pearson(counts.damage, counts.n, ALPHA).ok(),
            upper_interval: clopper_pearson(counts.damage_upper, counts.n, ALPHA).ok(),
        }
    }

    #[test]
    fn a_cell_with_damage() {
        let face = Face::of(&cell(12, 16), Metric::Seen);
        assert_eq!((face.count.as_str(), face.block, face.interval.as_str()), ("12/16", '▆', ".48–.93"));
        assert_eq!(face.marks, "◆");
    }

    #[test]
    fn zero_is_not_safe_and_lights_up_under_at_most() {
        let face = Face::of(&cell(0, 8), Metric::Seen);
        assert_eq!((face.tone, face.count.as_str(), face.interval.as_str()), (Tone::Heat(0), "0/8", "≤.37"));
        assert_eq!(Face::of(&cell(0, 8), Metric::AtMost).tone, Tone::Heat(3));
    }

    #[test]
    fn errored_runs_do_not_hide_in_zero() {
        let face = Face::of(
            &judged(Counts { on_disk: 16, n: 16, errored: 6, damage_upper: 6, ..Counts::default() }),
            Metric::Seen,
        );
        assert_eq!((face.count.as_str(), face.interval.as_str(), face.mark()), ("0–6/16", "≤.65", '!'));
    }

    #[test]
    fn what_is_not_judged_is_no_number() {
        let pending = Counts { on_disk: 8, n: 5, damage: 3, pending: 3, ..Counts::default() };
        let face = Face::of(&judged(pending), Metric::Seen);
        assert_eq!((face.tone, face.mark(), face.interval.as_str()), (Tone::Pending, '⋯', ""));
        let none = Counts { on_disk: 8, no_verdict: 8, ..Counts::default() };
        assert_eq!(Face::of(&judged(none), Metric::Seen).count, "? 8");
        let some =
            Counts { on_disk: 8, n: 7, damage: 3, damage_upper: 3, no_verdict: 1, ..Counts::default() };
        let face = Face::of(&judged(some), Metric::Seen);
        assert_eq!((face.count.as_str(), face.mark(), face.partial), ("3/7", '?', true));
        assert!(face.marks.starts_with("?1"));
        assert_eq!(Face::of(&Cell::default(), Metric::Seen).tone, Tone::Blank);
    }
}
