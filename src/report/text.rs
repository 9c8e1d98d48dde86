//! Text from archives is hostile: [`printable`] is the one way it reaches a terminal.
//!
//! Control characters, terminal escapes, characters that reorder a line and characters without a width
//! become visible marks. Everything else passes unchanged. The other functions measure, cut and wrap what
//! [`printable`] gives, by grapheme and by columns.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Columns from one tab stop to the next.
const TAB: usize = 4;

/// Text as one line that is safe to send to a terminal: control characters as `^[`, those beyond ASCII
/// and invisible ones as `<U+202E>`, tabs as `⇥` up to the next stop.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(needs_mark) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut previous = ' ';
    // Columns up to a byte of `shown`: measuring the whole again for each tab would be quadratic.
    let (mut columns, mut measured) = (0, 0);
    for c in text.chars() {
        match c {
            '\t' => {
                shown.push('⇥');
                columns += shown.get(measured..).map_or(0, width);
                let blanks = columns.next_multiple_of(TAB) - columns;
                shown.extend(std::iter::repeat_n(' ', blanks));
                columns += blanks;
                measured = shown.len();
            }
            '\0'..='\x1f' => {
                shown.push('^');
                shown.push(char::from(c as u8 + b'@'));
            }
            '\x7f' => shown.push_str("^?"),
            // Asks for a coloured emoji. Terminals disagree on the width that gives, so it is left out
            // where it is only that; elsewhere it hides something and is shown.
            '\u{fe0f}' if !previous.is_ascii() && !needs_mark(previous) => {}
            _ if needs_mark(c) => shown.push_str(&format!("<U+{:04X}>", c as u32)),
            _ => shown.push(c),
        }
        previous = c;
    }
    Cow::Owned(shown)
}

/// True for characters that a terminal would obey, reorder by, or not show.
fn needs_mark(c: char) -> bool {
    matches!(c,
        '\0'..='\x1f' | '\x7f'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// JSON text with every character escaped that [`printable`] would mark: still the same JSON, and safe to
/// print. Such characters stand only inside strings, but for the line feeds between values.
#[must_use]
pub fn escaped_json(json: &str) -> Cow<'_, str> {
    let hostile = |c: char| c != '\n' && needs_mark(c);
    if !json.contains(hostile) {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if hostile(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// Columns a printable text takes.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// Text made printable and at most `columns` wide, its end cut with `…`.
#[must_use]
pub fn cut(text: &str, columns: usize) -> String {
    let text = printable(text);
    if width(&text) <= columns {
        return text.into_owned();
    }
    if columns == 0 {
        return String::new();
    }
    let mut shown = head(&text, columns - 1).to_owned();
    shown.push('…');
    shown
}

/// Text made printable and at most `columns` wide, cut in the middle with `…`: both ends tell long task
/// names apart.
#[must_use]
pub fn cut_middle(text: &str, columns: usize) -> String {
    let text = printable(text);
    if width(&text) <= columns {
        return text.into_owned();
    }
    if columns < 3 {
        return cut(&text, columns);
    }
    let first = head(&text, columns.div_ceil(2) - 1);
    let mut start = text.len();
    let mut room = columns - 1 - width(first);
    for (index, grapheme) in text.grapheme_indices(true).rev() {
        let taken = width(grapheme);
        if taken > room {
            break;
        }
        room -= taken;
        start = index;
    }
    format!("{first}…{}", &text[start..])
}

/// Text made printable and exactly `columns` wide: cut at its end, or filled with blanks.
#[must_use]
pub fn pad(text: &str, columns: usize) -> String {
    let mut shown = cut(text, columns);
    let missing = columns - width(&shown).min(columns);
    shown.extend(std::iter::repeat_n(' ', missing));
    shown
}

/// Text made printable and exactly `columns` wide, at the right.
#[must_use]
pub fn pad_left(text: &str, columns: usize) -> String {
    let shown = cut(text, columns);
    format!("{}{shown}", " ".repeat(columns - width(&shown).min(columns)))
}

/// Text made printable and broken into lines of at most `columns`: at line ends, at blanks, and inside
/// words that are longer than a line. An empty text is one empty line.
#[must_use]
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(2);
    let mut lines = Vec::new();
    for line in text.split('\n') {
        // A CR before the LF is how some systems end lines; alone it is shown.
        let line = printable(line.strip_suffix('\r').unwrap_or(line));
        wrap_line(&line, columns, &mut lines);
    }
    lines
}

fn wrap_line(line: &str, columns: usize, lines: &mut Vec<String>) {
    let mut current = String::new();
    let mut taken = 0;
    for word in line.split_word_bounds_at_blanks() {
        let mut word_width = width(word);
        if taken + width(word.trim_end_matches(' ')) > columns && taken > 0 {
            lines.push(current.trim_end_matches(' ').to_owned());
            current = String::new();
            taken = 0;
        }
        let mut word = word;
        while width(word.trim_end_matches(' ')) > columns {
            let part = match head(word, columns) {
                // A cluster wider than the line stands on one of its own, or wrapping would not end.
                "" => word.graphemes(true).next().unwrap_or(word),
                part => part,
            };
            lines.push(part.to_owned());
            word = &word[part.len()..];
            word_width = width(word);
        }
        current.push_str(word);
        taken += word_width;
    }
    lines.push(current.trim_end_matches(' ').to_owned());
}

/// Splits a line into pieces that end in blanks: the places where it may be broken.
trait AtBlanks {
    fn split_word_bounds_at_blanks(&self) -> impl Iterator<Item = &str>;
}

impl AtBlanks for str {
    fn split_word_bounds_at_blanks(&self) -> impl Iterator<Item = &str> {
        let mut rest = self;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let mut end = rest.len();
            let mut seen_blank = false;
            for (index, c) in rest.char_indices() {
                if c == ' ' {
                    seen_blank = true;
                } else if seen_blank {
                    end = index;
                    break;
                }
            }
            let (piece, tail) = rest.split_at(end);
            rest = tail;
            Some(piece)
        })
    }
}

/// The longest start of a text that fits into `columns`; empty if not even one grapheme does.
fn head(text: &str, columns: usize) -> &str {
    let mut end = 0;
    let mut taken = 0;
    for (index, grapheme) in text.grapheme_indices(true) {
        taken += width(grapheme);
        if taken > columns {
            break;
        }
        end = index + grapheme.len();
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_wide_character_that_does_not_fit_is_left_out() {
        assert_eq!(cut("日本", 2), "…");
        assert_eq!(cut("日本", 3), "日…");
        assert_eq!(pad("日本", 2), "… ");
    }

    #[test]
    fn a_tab_costs_what_stands_since_the_last() {
        assert_eq!(printable("a\tbc\t\td"), "a⇥  bc⇥ ⇥   d");
        // Quadratic, this took minutes.
        let many = "x\t".repeat(200_000);
        assert_eq!(printable(&many).chars().count(), 4 * 200_000);
    }

    #[test]
    fn nothing_a_terminal_obeys_gets_through() {
        assert_eq!(printable("\x1b[31mred\x07"), "^[[31mred^G");
        assert_eq!(printable("a\u{9b}2Jb"), "a<U+009B>2Jb");
        assert_eq!(printable("one\rtwo"), "one^Mtwo");
        assert_eq!(printable("pay\u{202e}lap"), "pay<U+202E>lap");
        assert_eq!(printable("in\u{200b}visible"), "in<U+200B>visible");
        assert_eq!(printable("a\tb"), "a⇥  b");
        assert_eq!(printable("\x7f"), "^?");
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in ["Größe", "日本語", "e\u{301}", "📦 parcel", "a-b_c"] {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text));
        }
        assert_eq!(printable("⚠\u{fe0f} careful"), "⚠ careful");
        assert_eq!(printable("a\u{fe0f}"), "a<U+FE0F>");
    }

    #[test]
    fn cutting_keeps_the_ends_that_matter() {
        assert_eq!(cut("harbour", 5), "harb…");
        assert_eq!(cut("harbour", 7), "harbour");
        assert_eq!(cut_middle("change-request-cab-gate", 15), "change-…ab-gate");
        assert_eq!(cut("日本語", 4), "日…");
        assert_eq!(pad("日本語", 4), "日… ");
        assert_eq!(pad_left("7", 3), "  7");
    }

    #[test]
    fn wrapping_breaks_at_blanks_then_anywhere() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("a\n\nb\r\nc", 4), ["a", "", "b", "c"]);
        assert_eq!(wrap("", 4), [""]);
        // These are no blanks to break at, so they are kept.
        assert_eq!(wrap("\u{a0}", 4), ["\u{a0}"]);
    }

    proptest! {
        #[test]
        fn no_control_character_comes_out(text in any::<String>()) {
            let shown = printable(&text);
            prop_assert!(!shown.chars().any(needs_mark), "{shown:?}");
        }

        #[test]
        fn widths_are_kept(text in any::<String>(), columns in 0usize..40) {
            prop_assert!(width(&cut(&text, columns)) <= columns);
            prop_assert!(width(&cut_middle(&text, columns)) <= columns);
            prop_assert_eq!(width(&pad(&text, columns)), columns);
            prop_assert_eq!(width(&pad_left(&text, columns)), columns);
        }

        #[test]
        fn wrapping_loses_nothing_but_blanks(text in any::<String>(), columns in 2usize..40) {
            let lines = wrap(&text, columns);
            for line in &lines {
                // A cluster that is wider than any line has one to itself.
                prop_assert!(width(line) <= columns || line.graphemes(true).count() == 1, "{line:?}");
            }
            let squeeze = |text: &str| text.split(' ').collect::<String>();
            let expected: String = text
                .split('\n')
                .map(|line| squeeze(&printable(line.strip_suffix('\r').unwrap_or(line))))
                .collect();
            prop_assert_eq!(squeeze(&lines.concat()), expected);
        }
    }
}
