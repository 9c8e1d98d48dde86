//! A frame for terminals that show ASCII only: one pass over the finished buffer.
//!
//! Screens draw as always; here each character beyond ASCII becomes the one that stands for it, or `?`.

use ratatui::buffer::Buffer;

/// Replaces every character beyond ASCII, column by column, so that nothing moves.
pub fn fold(buf: &mut Buffer) {
    for cell in &mut buf.content {
        let symbol = cell.symbol();
        if symbol.is_ascii() {
            continue;
        }
        let stand_in = symbol.chars().next().map_or(' ', stand_in);
        cell.set_char(stand_in);
    }
}

fn stand_in(c: char) -> char {
    match c {
        '⚑' => 'R',
        '≠' => 'P',
        '▲' => 'A',
        '◆' => '~',
        '▁' => '.',
        '▂' => ':',
        '▄' => '=',
        '▆' => '#',
        '█' | '▌' | '▐' => '@',
        '─' | '╴' | '╶' | '–' | '━' => '-',
        '│' | '┊' | '┃' => '|',
        '┬' | '┴' | '┼' | '├' | '┤' | '┌' | '┐' | '└' | '┘' | '╭' | '╮' | '╰' | '╯' => {
            '+'
        }
        '●' => 'o',
        '○' => '0',
        '·' | '⋅' => '.',
        '×' => 'x',
        '…' | '⋯' => '~',
        '→' | '▸' | '›' | '⇥' => '>',
        '‹' | '←' | '≤' => '<',
        '≥' => '>',
        '↑' => '^',
        '↓' | '▾' => 'v',
        '⏎' => '$',
        '“' | '”' => '"',
        '‘' | '’' => '\'',
        '∎' => '!',
        '✓' => '+',
        '✗' => 'x',
        '−' => '-',
        _ => '?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    #[test]
    fn only_ascii_is_left_and_nothing_moves() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 12, 1));
        buf.set_string(0, 0, "12/16▆≠ 日 é", Style::new());
        fold(&mut buf);
        let line: String = buf.content.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert_eq!(line, "12/16#P ?  ?");
    }
}
