//! A drawn screen as SVG, for pictures that are handed on: the same cells, colours and weights.

use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

/// Size of one cell in pixels.
const CELL: (f64, f64) = (8.4, 18.0);
/// Space around the screen in pixels.
const MARGIN: f64 = 12.0;
const FONT: &str = "'DejaVu Sans Mono','Cascadia Mono','SF Mono',Menlo,Consolas,monospace";

/// The ground a screen is drawn on: what `Reset` means.
#[derive(Clone, Copy, Debug)]
pub struct Ground {
    /// Colour of text without a colour of its own, as red, green, blue.
    pub text: (u8, u8, u8),
    /// Colour behind everything.
    pub back: (u8, u8, u8),
}

impl Ground {
    /// A dark terminal.
    pub const DARK: Self = Self { text: (0xd8, 0xde, 0xe9), back: (0x16, 0x18, 0x1d) };
    /// A light terminal.
    pub const LIGHT: Self = Self { text: (0x24, 0x29, 0x2e), back: (0xff, 0xff, 0xff) };
}

/// The screen as one SVG document, titled for readers who cannot see it.
#[must_use]
pub fn svg(buffer: &Buffer, ground: Ground, title: &str) -> String {
    let area = buffer.area;
    let (width, height) =
        (f64::from(area.width) * CELL.0 + 2.0 * MARGIN, f64::from(area.height) * CELL.1 + 2.0 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"{FONT}\" font-size=\"14\" role=\"img\">\n<title>{}</title>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{}\"/>\n",
        escape(title),
        hex(ground.back)
    );
    for y in area.top()..area.bottom() {
        line(&mut out, buffer, y, ground);
    }
    out.push_str("</svg>\n");
    out
}

/// How a stretch of cells looks.
#[derive(Clone, Copy, PartialEq)]
struct Look {
    text: (u8, u8, u8),
    back: Option<(u8, u8, u8)>,
    bold: bool,
    italic: bool,
    underlined: bool,
}

fn look(cell: &Cell, ground: Ground) -> Look {
    let has = |modifier| cell.modifier.contains(modifier);
    let mut text = rgb(cell.fg, ground.text);
    let mut back = if cell.bg == Color::Reset { None } else { Some(rgb(cell.bg, ground.back)) };
    if has(Modifier::REVERSED) {
        (text, back) = (back.unwrap_or(ground.back), Some(text));
    }
    if has(Modifier::DIM) {
        text = mix(text, back.unwrap_or(ground.back));
    }
    Look {
        text,
        back,
        bold: has(Modifier::BOLD),
        italic: has(Modifier::ITALIC),
        underlined: has(Modifier::UNDERLINED),
    }
}

fn line(out: &mut String, buffer: &Buffer, y: u16, ground: Ground) {
    let area = buffer.area;
    let mut x = area.left();
    while x < area.right() {
        let Some(first) = buffer.cell((x, y)) else { break };
        let style = look(first, ground);
        let start = x;
        let mut symbols: Vec<(u16, &str)> = Vec::new();
        while let Some(cell) = buffer.cell((x, y)).filter(|_| x < area.right()) {
            if look(cell, ground) != style {
                break;
            }
            symbols.push((x, cell.symbol()));
            x += u16::try_from(cell.symbol().width().max(1)).unwrap_or(1);
        }
        stretch(
            out,
            (start - area.left(), y - area.top()),
            x.min(area.right()) - start,
            style,
            &symbols,
            area.left(),
        );
    }
}

fn stretch(out: &mut String, at: (u16, u16), columns: u16, look: Look, symbols: &[(u16, &str)], left: u16) {
    let (x, y) = (MARGIN + f64::from(at.0) * CELL.0, MARGIN + f64::from(at.1) * CELL.1);
    if let Some(back) = look.back {
        let width = f64::from(columns) * CELL.0;
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{}\"/>",
            CELL.1,
            hex(back)
        );
    }
    let mut text = String::new();
    for (column, symbol) in symbols {
        match lower_block(symbol) {
            // Drawn, not written: fonts disagree on where a block ends.
            Some(eighths) => {
                let height = CELL.1 * f64::from(eighths) / 8.0;
                let block_x = MARGIN + f64::from(column - left) * CELL.0;
                let _ = writeln!(
                    out,
                    "<rect x=\"{block_x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"{}\"/>",
                    y + CELL.1 - height,
                    CELL.0,
                    hex(look.text)
                );
                text.push(' ');
            }
            None => text.push_str(symbol),
        }
    }
    if text.trim().is_empty() && !look.underlined {
        return;
    }
    let mut style = String::new();
    if look.bold {
        style.push_str(" font-weight=\"bold\"");
    }
    if look.italic {
        style.push_str(" font-style=\"italic\"");
    }
    if look.underlined {
        style.push_str(" text-decoration=\"underline\"");
    }
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{:.1}\" textLength=\"{:.1}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{}\"{style} xml:space=\"preserve\">{}</text>",
        y + CELL.1 * 0.76,
        f64::from(columns) * CELL.0,
        hex(look.text),
        escape(&text)
    );
}

/// Eighths of a lower block element.
fn lower_block(symbol: &str) -> Option<u8> {
    const BLOCKS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
    let place = BLOCKS.iter().position(|block| *block == symbol)?;
    u8::try_from(place + 1).ok()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn hex((red, green, blue): (u8, u8, u8)) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Halfway to the ground: how terminals dim.
fn mix(text: (u8, u8, u8), back: (u8, u8, u8)) -> (u8, u8, u8) {
    (text.0.midpoint(back.0), text.1.midpoint(back.1), text.2.midpoint(back.2))
}

fn rgb(color: Color, reset: (u8, u8, u8)) -> (u8, u8, u8) {
    match color {
        Color::Reset => reset,
        Color::Rgb(red, green, blue) => (red, green, blue),
        Color::Indexed(index) => indexed(index),
        named => indexed(named_index(named)),
    }
}

fn named_index(color: Color) -> u8 {
    const NAMED: [Color; 16] = [
        Color::Black,
        Color::Red,
        Color::Green,
        Color::Yellow,
        Color::Blue,
        Color::Magenta,
        Color::Cyan,
        Color::Gray,
        Color::DarkGray,
        Color::LightRed,
        Color::LightGreen,
        Color::LightYellow,
        Color::LightBlue,
        Color::LightMagenta,
        Color::LightCyan,
        Color::White,
    ];
    NAMED.iter().position(|named| *named == color).and_then(|place| u8::try_from(place).ok()).unwrap_or(7)
}

/// The 256-colour palette of xterm.
fn indexed(index: u8) -> (u8, u8, u8) {
    const BASE: [(u8, u8, u8); 16] = [
        (0, 0, 0),
        (205, 49, 49),
        (13, 188, 121),
        (229, 229, 16),
        (36, 114, 200),
        (188, 63, 188),
        (17, 168, 205),
        (204, 204, 204),
        (118, 118, 118),
        (241, 76, 76),
        (35, 209, 139),
        (245, 245, 67),
        (59, 142, 234),
        (214, 112, 214),
        (41, 184, 219),
        (242, 242, 242),
    ];
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let level = |n: u8| LEVELS.get(usize::from(n % 6)).copied().unwrap_or(0);
    match index {
        0..=15 => BASE.get(usize::from(index)).copied().unwrap_or_default(),
        16..=231 => {
            let n = index - 16;
            (level(n / 36), level(n / 6), level(n))
        }
        232..=255 => {
            let grey = 8 + 10 * (index - 232);
            (grey, grey, grey)
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn text_is_escaped_and_blocks_are_drawn() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 10, 1));
        buffer.set_string(0, 0, "a<b & ▄", Style::new().fg(Color::Rgb(1, 2, 3)));
        let picture = svg(&buffer, Ground::DARK, "a \"title\"");
        assert!(picture.contains(">a&lt;b &amp;  <"), "{picture}");
        assert!(picture.contains("height=\"9.0\" fill=\"#010203\""), "{picture}");
        assert!(picture.contains("<title>a &quot;title&quot;</title>"));
    }

    #[test]
    fn reversed_cells_swap_text_and_ground() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 3, 1));
        buffer.set_string(0, 0, "abc", Style::new().add_modifier(Modifier::REVERSED));
        let picture = svg(&buffer, Ground::DARK, "");
        assert!(
            picture.contains("<rect x=\"12.0\" y=\"12.0\" width=\"25.2\" height=\"18.0\" fill=\"#d8dee9\"/>")
        );
    }
}
