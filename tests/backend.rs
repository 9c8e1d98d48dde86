//! What is written to the terminal, read back by one: it shows the frames that were drawn, and nothing is
//! written for what did not change.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;

use gainsay::tui::Backend;
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::{Terminal, TerminalOptions, Viewport};
use support::explorer::{Explorer, Labelled};
use vt100::Parser;

const AREA: Rect = Rect { x: 0, y: 0, width: 12, height: 4 };

#[derive(Clone, Default)]
struct Sent(Rc<RefCell<Vec<u8>>>);

impl Write for Sent {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Screen {
    terminal: Terminal<Backend<Sent>>,
    sent: Sent,
    parser: Parser,
}

impl Screen {
    fn new() -> Self {
        let sent = Sent::default();
        let options = TerminalOptions { viewport: Viewport::Fixed(AREA) };
        let terminal = Terminal::with_options(Backend::new(sent.clone()), options).unwrap();
        let size = |length: u16| std::num::NonZero::new(length).unwrap();
        Self { terminal, sent, parser: Parser::new(size(AREA.height), size(AREA.width), 0) }
    }

    /// Draws a frame; gives how many bytes that took.
    fn draw(&mut self, buffer: &Buffer) -> usize {
        self.terminal.draw(|frame| frame.buffer_mut().clone_from(buffer)).unwrap();
        let bytes = std::mem::take(&mut *self.sent.0.borrow_mut());
        self.parser.process(&bytes);
        bytes.len()
    }

    /// What the terminal shows, told as the buffer tells it.
    fn shows(&self, buffer: &Buffer) {
        for y in 0..AREA.height {
            let mut x = 0;
            while x < AREA.width {
                let (cell, shown) = (&buffer[(x, y)], self.parser.screen().cell(y, x).unwrap());
                let text = if shown.has_contents() { shown.contents() } else { " " };
                assert_eq!(text, cell.symbol(), "at {x}, {y}");
                assert_eq!(shown.bgcolor(), color(cell.bg), "ground at {x}, {y}");
                assert_eq!(shown.inverse(), cell.modifier.contains(Modifier::REVERSED), "at {x}, {y}");
                assert_eq!(shown.underline(), cell.modifier.contains(Modifier::UNDERLINED), "at {x}, {y}");
                if cell.symbol() != " " {
                    assert_eq!(shown.fgcolor(), color(cell.fg), "colour at {x}, {y}");
                    // A terminal is either bold or dim.
                    if !cell.modifier.contains(Modifier::BOLD | Modifier::DIM) {
                        assert_eq!(shown.bold(), cell.modifier.contains(Modifier::BOLD), "at {x}, {y}");
                        assert_eq!(shown.dim(), cell.modifier.contains(Modifier::DIM), "at {x}, {y}");
                    }
                    assert_eq!(shown.italic(), cell.modifier.contains(Modifier::ITALIC), "at {x}, {y}");
                }
                x += if shown.is_wide() { 2 } else { 1 };
            }
        }
    }
}

fn color(of: Color) -> vt100::Color {
    match of {
        Color::Red => vt100::Color::Idx(1),
        Color::White => vt100::Color::Idx(15),
        Color::Indexed(place) => vt100::Color::Idx(place),
        Color::Rgb(red, green, blue) => vt100::Color::Rgb(red, green, blue),
        _ => vt100::Color::Default,
    }
}

fn colors() -> impl Strategy<Value = Color> {
    prop_oneof![
        Just(Color::Reset),
        Just(Color::Red),
        Just(Color::White),
        (16u8..).prop_map(Color::Indexed),
        (0u8.., 0u8.., 0u8..).prop_map(|(red, green, blue)| Color::Rgb(red, green, blue)),
    ]
}

fn styles() -> impl Strategy<Value = Style> {
    let modifiers =
        [Modifier::BOLD, Modifier::DIM, Modifier::ITALIC, Modifier::UNDERLINED, Modifier::REVERSED];
    let modifier = proptest::sample::subsequence(modifiers.to_vec(), 0..3);
    (colors(), colors(), modifier).prop_map(|(fg, bg, modifiers)| {
        let all = modifiers.into_iter().fold(Modifier::empty(), |all, one| all | one);
        Style::new().fg(fg).bg(bg).add_modifier(all)
    })
}

fn frames() -> impl Strategy<Value = Buffer> {
    let texts = vec!["berth", "  ", "▌─", "é", "a  b", " ", "x", "           "];
    let texts = proptest::sample::select(texts);
    let piece = (0..AREA.width, 0..AREA.height, texts, styles());
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| {
        let mut buffer = Buffer::empty(AREA);
        for (x, y, text, style) in pieces {
            buffer.set_string(x, y, text, style);
        }
        buffer
    })
}

proptest! {
    #[test]
    fn a_terminal_shows_what_was_drawn(frames in proptest::collection::vec(frames(), 1..5)) {
        let mut screen = Screen::new();
        for frame in &frames {
            screen.draw(frame);
            screen.shows(frame);
            prop_assert_eq!(screen.draw(frame), 0, "nothing changed");
        }
    }
}

#[test]
fn what_follows_a_wide_character_stands_where_it_should() {
    let mut screen = Screen::new();
    let mut buffer = Buffer::empty(AREA);
    for text in ["a 港 b 港港", "a 港 c 港港", "z 港 c 港港x"] {
        buffer.set_string(0, 1, text, Style::new());
        screen.draw(&buffer);
        screen.shows(&buffer);
    }
}

/// The sample archive's Map while the selection moves: bytes of each move.
#[test]
fn a_moved_selection_writes_little() {
    for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
        let mut explorer = Labelled::open(Path::new("sample-data")).explore(columns, rows);
        let sent = Sent::default();
        let options = TerminalOptions { viewport: Viewport::Fixed(Rect::new(0, 0, columns, rows)) };
        let mut terminal = Terminal::with_options(Backend::new(sent.clone()), options).unwrap();
        let mut draw = |explorer: &Explorer| {
            terminal.draw(|frame| *frame.buffer_mut() = explorer.draw()).unwrap();
            std::mem::take(&mut *sent.0.borrow_mut()).len()
        };
        draw(&explorer);
        let moves: Vec<usize> = "jljkhlkj"
            .chars()
            .map(|key| {
                explorer.press(&key.to_string());
                draw(&explorer)
            })
            .collect();
        // The first one leaves a cell with damage: where there is room, a whole panel is emptied.
        let first = if rows > 24 { 1300 } else { 1024 };
        assert!(
            moves[0] < first && moves[1..].iter().all(|bytes| *bytes < 1024),
            "{columns}×{rows}: {moves:?}"
        );
        assert_eq!(draw(&explorer), 0);
    }
}

#[test]
fn only_what_changed_is_written() {
    let mut screen = Screen::new();
    let mut buffer = Buffer::empty(AREA);
    buffer.set_string(0, 1, "berth 7", Style::new().fg(Color::Rgb(200, 100, 50)));
    screen.draw(&buffer);
    buffer.set_string(6, 1, "8", Style::new());
    // Where, the colour, the digit, and as it was.
    assert_eq!(screen.draw(&buffer), "\x1b[2;7H\x1b[38;2;200;100;50m8\x1b[0m".len());
    buffer.set_string(0, 1, "       ", Style::reset());
    assert_eq!(screen.draw(&buffer), "\x1b[2;1H       ".len(), "blanks have no colour");
    screen.shows(&buffer);
    buffer.set_string(1, 2, "bollards12", Style::new());
    screen.draw(&buffer);
    buffer.set_string(1, 2, "          !", Style::new());
    assert_eq!(screen.draw(&buffer), "\x1b[3;2H\x1b[10X\x1b[10C!".len(), "many blanks are erased");
    screen.shows(&buffer);
}
