//! Curves of shares: k across, 0 to 1 up, never stretched. Labels stand at the curves' ends.
//!
//! ```text
//!  1 ┤⠑⠢⢄
//! .5 ┤    ⠑⠢⢄⣀       safe .63
//!  0 └┬───┬───┬───   pass .20
//!     1   4   8
//! ```

use super::rich::{Rich, Role};

/// One curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Its points, by x; x in the plot's range, y a share.
    pub points: Vec<(f64, f64)>,
    /// How it is painted.
    pub role: Role,
    /// Every other dot only.
    pub dotted: bool,
    /// Its character where there are no braille dots.
    pub letter: char,
    /// What stands at its end.
    pub label: String,
}

/// The ground curves are drawn on.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The first and the last x.
    pub from: f64,
    /// The last x.
    pub to: f64,
    /// Where the axis has its numbers.
    pub ticks: Vec<u64>,
    /// Letters at places of their own: x, y, the letter, how it is painted.
    pub marks: Vec<(f64, f64, char, Role)>,
    /// ASCII letters instead of braille dots.
    pub ascii: bool,
}

/// Columns of the numbers at the left: `.5 ┤`.
const MARGIN: usize = 4;
/// So many letters stand beside one another before they are stacked.
const BESIDE: usize = 4;

/// One character of the plot.
#[derive(Clone, Copy)]
struct Spot {
    dots: u8,
    letter: Option<char>,
    role: Role,
}

/// Bits of the dots of a braille character, by column and row.
const DOTS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// Curves are drawn in their order: later ones lie over earlier ones. Gives `height` lines of at most
/// `width` columns; nothing where there is no room.
#[must_use]
pub fn plot(of: &Plot, curves: &[Curve], width: usize, height: usize) -> Vec<Rich> {
    let labels = curves.iter().map(|curve| curve.label.chars().count()).max().unwrap_or(0);
    let room = if labels > 0 { labels + 1 } else { 0 };
    let (Some(columns), Some(rows)) = (width.checked_sub(MARGIN + room), height.checked_sub(2)) else {
        return Vec::new();
    };
    if columns < 2 || rows < 2 {
        return Vec::new();
    }
    let mut canvas = Canvas { of, columns, rows, spots: vec![EMPTY; columns * rows] };
    for curve in curves {
        canvas.curve(curve);
    }
    for &(x, y, letter, role) in &of.marks {
        canvas.mark(x, y, letter, role);
    }
    let mut ends = canvas.ends(curves);
    ends.retain(|(row, curve)| !canvas.write_inside(*row, curve));
    let mut lines: Vec<Rich> = (0..rows).map(|row| canvas.line(row, &ends)).collect();
    let (axis, numbers) = canvas.axis();
    lines.extend([axis, numbers]);
    lines
}

const EMPTY: Spot = Spot { dots: 0, letter: None, role: Role::Plain };

struct Canvas<'a> {
    of: &'a Plot,
    columns: usize,
    rows: usize,
    spots: Vec<Spot>,
}

impl Canvas<'_> {
    /// Dots a character has, across and down.
    fn grain(&self) -> (usize, usize) {
        if self.of.ascii { (1, 1) } else { (2, 4) }
    }

    /// The dot of a point.
    fn dot(&self, (x, y): (f64, f64)) -> (usize, usize) {
        let (across, down) = self.grain();
        let share = |value: f64, dots: usize| {
            let last = dots.saturating_sub(1);
            ((value.clamp(0.0, 1.0) * last as f64).round() as usize).min(last)
        };
        let span = (self.of.to - self.of.from).max(f64::MIN_POSITIVE);
        (share((x - self.of.from) / span, self.columns * across), share(1.0 - y, self.rows * down))
    }

    fn spot(&mut self, column: usize, row: usize) -> Option<&mut Spot> {
        (column < self.columns).then_some(())?;
        self.spots.get_mut(row * self.columns + column)
    }

    fn set(&mut self, (x, y): (usize, usize), curve: &Curve) {
        let (across, down) = self.grain();
        let ascii = self.of.ascii;
        let bit = DOTS.get(x % across).and_then(|column| column.get(y % down)).copied().unwrap_or(0);
        if let Some(spot) = self.spot(x / across, y / down) {
            spot.dots |= bit;
            spot.role = curve.role;
            if ascii {
                spot.letter = Some(curve.letter);
            }
        }
    }

    fn curve(&mut self, curve: &Curve) {
        let dots: Vec<(usize, usize)> = curve.points.iter().map(|point| self.dot(*point)).collect();
        if let [only] = dots.as_slice() {
            self.set(*only, curve);
        }
        let mut drawn = 0;
        for pair in dots.windows(2) {
            let &[(x0, y0), (x1, y1)] = pair else { continue };
            let steps = x0.abs_diff(x1).max(y0.abs_diff(y1)).max(1);
            for step in 0..=steps {
                let at = |a: usize, b: usize| {
                    (a as f64 + (b as f64 - a as f64) * step as f64 / steps as f64).round() as usize
                };
                drawn += 1;
                if !curve.dotted || drawn % 3 == 0 {
                    self.set((at(x0, x1), at(y0, y1)), curve);
                }
            }
        }
    }

    /// A letter; where another stands it goes beside it, or above.
    fn mark(&mut self, x: f64, y: f64, letter: char, role: Role) {
        let (across, down) = self.grain();
        let (column, row) = self.dot((x, y));
        let (column, row) = (column / across, row / down);
        let places = (0..=row).rev().flat_map(|row| (column..column + BESIDE).map(move |at| (at, row)));
        for (column, row) in places {
            let Some(spot) = self.spot(column, row) else { continue };
            if !spot.letter.is_some_and(|letter| letter.is_ascii_alphabetic()) {
                (spot.letter, spot.role) = (Some(letter), role);
                return;
            }
        }
    }

    /// The row each label stands in: beside its curve's last point, moved as little as keeps them apart.
    fn ends<'c>(&self, curves: &'c [Curve]) -> Vec<(usize, &'c Curve)> {
        let (_, down) = self.grain();
        let mut ends: Vec<(usize, &Curve)> = curves
            .iter()
            .filter(|curve| !curve.label.is_empty())
            .filter_map(|curve| Some((self.dot(*curve.points.last()?).1 / down, curve)))
            .collect();
        // Where two end in one row the higher one stands higher.
        let height = |curve: &Curve| curve.points.last().map_or(0.0, |(_, y)| *y);
        ends.sort_by(|a, b| height(b.1).total_cmp(&height(a.1)));
        let mut free = 0;
        for (row, _) in &mut ends {
            *row = (*row).max(free);
            free = *row + 1;
        }
        let mut below = self.rows;
        for (row, _) in ends.iter_mut().rev() {
            *row = (*row).min(below.saturating_sub(1));
            below = *row;
        }
        ends
    }

    /// Writes the label of a curve that ends early right behind its end, where nothing stands in its way.
    fn write_inside(&mut self, row: usize, curve: &Curve) -> bool {
        let (across, _) = self.grain();
        let Some(last) = curve.points.last() else { return false };
        let from = self.dot(*last).0 / across + 2;
        let until = from + curve.label.chars().count();
        let place = row * self.columns;
        let Some(spots) = self.spots.get_mut(place + from..place + until).filter(|_| until <= self.columns)
        else {
            return false;
        };
        let is_free = spots.iter().all(|spot| spot.dots == 0 && spot.letter.is_none());
        if is_free {
            for (spot, letter) in spots.iter_mut().zip(curve.label.chars()) {
                *spot = Spot { dots: 0, letter: Some(letter), role: curve.role };
            }
        }
        is_free
    }

    fn line(&self, row: usize, ends: &[(usize, &Curve)]) -> Rich {
        let (_, down) = self.grain();
        let at = |y: f64| self.dot((self.of.from, y)).1 / down == row;
        let number = if at(1.0) {
            " 1 ┤"
        } else if at(0.5) {
            ".5 ┤"
        } else if at(0.0) {
            " 0 ┤"
        } else {
            "   │"
        };
        let mut line = Rich::of(Role::Dim, number);
        for spot in self.spots.iter().skip(row * self.columns).take(self.columns) {
            let letter = match (spot.letter, spot.dots) {
                (Some(letter), _) => letter,
                (None, 0) => ' ',
                (None, dots) => char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' '),
            };
            line = line.add(spot.role, letter.encode_utf8(&mut [0; 4]));
        }
        for (_, curve) in ends.iter().filter(|(at, _)| *at == row) {
            line = line.add(Role::Plain, " ").add(curve.role, &curve.label);
        }
        line
    }

    /// The axis and its numbers.
    fn axis(&self) -> (Rich, Rich) {
        let (across, _) = self.grain();
        let mut axis: Vec<char> = vec!['─'; self.columns];
        let mut numbers = vec![' '; self.columns + 2];
        for tick in &self.of.ticks {
            let column = self.dot((*tick as f64, 0.0)).0 / across;
            if let Some(mark) = axis.get_mut(column) {
                *mark = '┬';
            }
            let text = tick.to_string();
            let free = |from: usize| {
                numbers
                    .get(from.saturating_sub(1)..from + text.len() + 1)
                    .is_some_and(|room| room.iter().all(|c| *c == ' '))
            };
            if free(column) {
                for (place, c) in text.chars().enumerate() {
                    if let Some(slot) = numbers.get_mut(column + place) {
                        *slot = c;
                    }
                }
            }
        }
        let axis: String = axis.into_iter().collect();
        let numbers: String = numbers.into_iter().collect();
        (
            Rich::of(Role::Dim, "   └").add(Role::Dim, axis),
            Rich::of(Role::Dim, "    ").add(Role::Dim, numbers.trim_end()),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ground(ascii: bool) -> Plot {
        Plot { from: 1.0, to: 8.0, ticks: vec![1, 4, 8], marks: vec![], ascii }
    }

    fn curve(points: &[(f64, f64)], label: &str) -> Curve {
        Curve { points: points.to_vec(), role: Role::Plain, dotted: false, letter: '*', label: label.into() }
    }

    fn shown(plot_of: &Plot, curves: &[Curve], width: usize, height: usize) -> Vec<String> {
        plot(plot_of, curves, width, height).iter().map(|line| line.plain(width)).collect()
    }

    #[test]
    fn a_curve_from_one_to_zero_runs_from_corner_to_corner() {
        let lines = shown(&ground(true), &[curve(&[(1.0, 1.0), (8.0, 0.0)], "")], 12, 10);
        assert_eq!(
            lines,
            [
                " 1 ┤*",
                "   │ *",
                "   │  *",
                "   │   *",
                ".5 ┤    *",
                "   │     *",
                "   │      *",
                " 0 ┤       *",
                "   └┬──┬───┬",
                "    1  4   8"
            ]
        );
    }

    #[test]
    fn braille_is_finer_and_labels_keep_apart() {
        let curves = [curve(&[(1.0, 1.0), (8.0, 0.5)], "a .50"), curve(&[(1.0, 0.9), (8.0, 0.5)], "b .50")];
        let lines = shown(&ground(false), &curves, 26, 8);
        let rows: Vec<usize> = ["a .50", "b .50"]
            .iter()
            .map(|label| lines.iter().position(|line| line.ends_with(label)).expect("stands"))
            .collect();
        assert_eq!(rows[0] + 1, rows[1]);
        assert!(lines[0].chars().any(|c| ('\u{2801}'..='\u{28ff}').contains(&c)));
    }

    #[test]
    fn a_curve_that_ends_early_has_its_label_at_its_end() {
        let lines = shown(&ground(true), &[curve(&[(1.0, 1.0), (4.0, 0.5)], "end")], 30, 8);
        assert!(lines[3].ends_with("* end"), "{lines:?}");
        assert!(lines[3].chars().count() < 20, "{lines:?}");
    }

    #[test]
    fn letters_at_one_place_stand_beside_each_other_then_above() {
        let mut of = ground(true);
        of.marks = "abcde".chars().map(|letter| (3.0, 0.0, letter, Role::Plain)).collect();
        let lines = shown(&of, &[], 12, 6);
        assert!(lines[3].contains("abcd") && lines[2].contains('e'), "{lines:?}");
    }

    #[test]
    fn without_room_nothing_is_drawn() {
        for (width, height) in [(0, 0), (5, 20), (20, 3), (20, 2)] {
            assert!(plot(&ground(false), &[curve(&[(1.0, 0.0)], "")], width, height).is_empty());
        }
        assert_eq!(plot(&ground(false), &[curve(&[], "x")], 20, 5).len(), 5);
    }
}
