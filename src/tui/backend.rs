//! Frames as bytes for the terminal, no more than are needed: over ssh every byte counts, and a frame in which
//! nothing changed has none.
//!
//! ratatui finds the cells that changed; here they become text. A colour or attribute is sent only where it
//! changes, and not at all for blanks that do not show it. All else is crossterm's.

use std::io::{self, Write};

use ratatui::backend::{Backend as Terminal, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};

use super::text::width;

/// Writes frames.
#[derive(Debug)]
pub struct Backend<W: Write> {
    inner: CrosstermBackend<W>,
    is_cursor_hidden: bool,
    /// The frame's bytes, kept for the next one's.
    bytes: Vec<u8>,
}

impl<W: Write> Backend<W> {
    /// A backend that writes to `out`, which should be buffered.
    pub fn new(out: W) -> Self {
        Self { inner: CrosstermBackend::new(out), is_cursor_hidden: false, bytes: Vec::new() }
    }
}

impl<W: Write> Terminal for Backend<W> {
    type Error = io::Error;

    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, cells: I) -> io::Result<()> {
        self.bytes.clear();
        let mut pen = Pen { out: &mut self.bytes, style: Style::default(), at: None, blanks: 0 };
        for (x, y, cell) in cells {
            pen.put(x, y, cell);
        }
        pen.put_blanks();
        pen.restyle(Style::default());
        self.inner.write_all(&self.bytes)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        if self.is_cursor_hidden {
            return Ok(());
        }
        self.is_cursor_hidden = true;
        self.inner.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.is_cursor_hidden = false;
        self.inner.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.inner.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.inner.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.inner.clear()
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.inner.clear_region(region)
    }

    fn size(&self) -> io::Result<Size> {
        self.inner.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.inner.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Terminal::flush(&mut self.inner)
    }
}

/// How characters look.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Style {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

impl Default for Style {
    fn default() -> Self {
        Self { fg: Color::Reset, bg: Color::Reset, modifier: Modifier::empty() }
    }
}

/// Attributes that show on a blank; of the others only the ground does.
const ON_BLANKS: Modifier = Modifier::REVERSED.union(Modifier::UNDERLINED).union(Modifier::CROSSED_OUT);

/// What attributes are called.
const ATTRIBUTES: [(Modifier, u16); 9] = [
    (Modifier::BOLD, 1),
    (Modifier::DIM, 2),
    (Modifier::ITALIC, 3),
    (Modifier::UNDERLINED, 4),
    (Modifier::SLOW_BLINK, 5),
    (Modifier::RAPID_BLINK, 6),
    (Modifier::REVERSED, 7),
    (Modifier::HIDDEN, 8),
    (Modifier::CROSSED_OUT, 9),
];

/// What ends attributes; some end together.
const ENDS: [(Modifier, u16); 7] = [
    (Modifier::BOLD.union(Modifier::DIM), 22),
    (Modifier::ITALIC, 23),
    (Modifier::UNDERLINED, 24),
    (Modifier::SLOW_BLINK.union(Modifier::RAPID_BLINK), 25),
    (Modifier::REVERSED, 27),
    (Modifier::HIDDEN, 28),
    (Modifier::CROSSED_OUT, 29),
];

struct Pen<'a> {
    out: &'a mut Vec<u8>,
    style: Style,
    /// Where the terminal's cursor is, if that is certain.
    at: Option<(u16, u16)>,
    /// Blanks without ground that are yet to be written there.
    blanks: u16,
}

/// So many blanks take more bytes than to erase them and step over.
const MANY_BLANKS: u16 = 9;

impl Pen<'_> {
    fn put(&mut self, x: u16, y: u16, cell: &Cell) {
        let is_behind = self.at.is_some_and(|(column, row)| (column + self.blanks, row) == (x, y));
        let is_blank =
            cell.symbol() == " " && cell.bg == Color::Reset && !cell.modifier.intersects(ON_BLANKS);
        if self.blanks > 0 && is_blank && is_behind {
            self.blanks += 1;
            return;
        }
        self.put_blanks();
        self.go(x, y);
        if is_blank {
            self.blanks = 1;
        } else {
            self.put_shown(cell);
        }
    }

    fn put_blanks(&mut self) {
        let blanks = std::mem::take(&mut self.blanks);
        if blanks == 0 {
            return;
        }
        // Whatever colour they have, it is not seen.
        let modifier = self.style.modifier - ON_BLANKS;
        self.restyle(Style { bg: Color::Reset, modifier, ..self.style });
        if blanks < MANY_BLANKS {
            self.out.extend((0..blanks).map(|_| b' '));
            self.at = self.at.map(|(x, y)| (x + blanks, y));
        } else {
            self.out.extend(b"\x1b[");
            self.number(blanks);
            self.out.push(b'X');
        }
    }

    fn go(&mut self, x: u16, y: u16) {
        match self.at {
            Some(at) if at == (x, y) => {}
            Some((column, row)) if row == y && column < x => {
                self.out.extend(b"\x1b[");
                // One column is what is meant where no number stands.
                if x - column > 1 {
                    self.number(x - column);
                }
                self.out.push(b'C');
            }
            _ => {
                self.out.extend(b"\x1b[");
                self.number(y + 1);
                self.out.push(b';');
                self.number(x + 1);
                self.out.push(b'H');
            }
        }
        self.at = Some((x, y));
    }

    fn put_shown(&mut self, cell: &Cell) {
        let symbol = cell.symbol();
        let mut style = Style { fg: cell.fg, bg: cell.bg, modifier: cell.modifier };
        if symbol == " " && !(style.modifier | self.style.modifier).intersects(ON_BLANKS) {
            // Whatever colour a blank has, it is not seen.
            style = Style { bg: style.bg, ..self.style };
        }
        self.restyle(style);
        self.out.extend(symbol.as_bytes());
        // Terminals do not agree on how wide some characters are, so after those the cursor is told anew.
        let columns = if symbol.len() == 1 { 1 } else { width(symbol) };
        self.at = self.at.filter(|_| columns == 1).map(|(x, y)| (x + 1, y));
    }

    /// Changes the style to this one, in one sequence.
    fn restyle(&mut self, style: Style) {
        if style == self.style {
            return;
        }
        let from = self.out.len();
        self.out.extend(b"\x1b[");
        if style == Style::default() {
            self.out.extend(b"0;");
            self.style = style;
        }
        let removed = self.style.modifier - style.modifier;
        for (together, code) in ENDS.iter().filter(|(modifiers, _)| removed.intersects(*modifiers)) {
            self.numbers(&[*code]);
            self.style.modifier -= *together;
        }
        let added = style.modifier - self.style.modifier;
        for (_, code) in ATTRIBUTES.iter().filter(|(modifier, _)| added.contains(*modifier)) {
            self.numbers(&[*code]);
        }
        if style.fg != self.style.fg {
            self.color(style.fg, 30);
        }
        if style.bg != self.style.bg {
            self.color(style.bg, 40);
        }
        self.style = style;
        // Each part ends in a semicolon; the last one makes way for the end.
        match self.out.last_mut() {
            Some(last) if *last == b';' => *last = b'm',
            _ => self.out.truncate(from),
        }
    }

    /// A colour of the text (`base` 30) or of the ground (40).
    fn color(&mut self, color: Color, base: u16) {
        let named = |place: u16| base + place;
        let bright = |place: u16| base + 60 + place;
        let code = match color {
            Color::Reset => named(9),
            Color::Black => named(0),
            Color::Red => named(1),
            Color::Green => named(2),
            Color::Yellow => named(3),
            Color::Blue => named(4),
            Color::Magenta => named(5),
            Color::Cyan => named(6),
            Color::Gray => named(7),
            Color::DarkGray => bright(0),
            Color::LightRed => bright(1),
            Color::LightGreen => bright(2),
            Color::LightYellow => bright(3),
            Color::LightBlue => bright(4),
            Color::LightMagenta => bright(5),
            Color::LightCyan => bright(6),
            Color::White => bright(7),
            Color::Indexed(place) => return self.numbers(&[named(8), 5, place.into()]),
            Color::Rgb(red, green, blue) => {
                return self.numbers(&[named(8), 2, red.into(), green.into(), blue.into()]);
            }
        };
        self.numbers(&[code]);
    }

    fn numbers(&mut self, numbers: &[u16]) {
        for number in numbers {
            self.number(*number);
            self.out.push(b';');
        }
    }

    fn number(&mut self, number: u16) {
        if number >= 10 {
            self.number(number / 10);
        }
        self.out.push(b'0' + (number % 10) as u8);
    }
}
