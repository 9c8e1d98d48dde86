//! Lines with meaning instead of colours: what a screen says, before it is painted.
//!
//! Content is built from [`Piece`]s, whose text is made printable on the way in, so nothing hostile can
//! be in a [`Rich`] line. The theme turns each [`Role`] into a style when the line is painted.

use memchr::memchr2_iter;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use unicode_segmentation::UnicodeSegmentation;

use crate::tui::paint::put;
use crate::tui::text;
use crate::tui::theme::Theme;

/// What a piece of text means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// running text
    #[default]
    Plain,
    /// labels, units, what may be skipped
    Dim,
    /// names and counts that carry the line
    Strong,
    /// what the database did and was not allowed
    Damage,
    /// what was said
    Said,
    /// a value that is gone
    Removed,
    /// a value that is new
    Added,
    /// the words that differ inside a value that is gone
    RemovedWord,
    /// the words that differ inside a value that is new
    AddedWord,
    /// an absence or a problem, said in its place
    Notice,
}

/// A run of text of one meaning, printable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What it means.
    pub role: Role,
    /// Its text; holds no control or invisible characters.
    pub text: String,
}

/// One line: text from the left, and optionally a tail that keeps to the right edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rich {
    /// From the left; cut with `…` where it would run into the tail.
    pub left: Vec<Piece>,
    /// At the right edge; never cut as long as it fits the line.
    pub right: Vec<Piece>,
}

/// A piece of text that is made printable.
#[must_use]
pub fn piece(role: Role, text: impl AsRef<str>) -> Piece {
    Piece { role, text: text::printable(text.as_ref()).into_owned() }
}

impl Rich {
    /// An empty line.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A line of one piece.
    #[must_use]
    pub fn of(role: Role, text: impl AsRef<str>) -> Self {
        Self::new().add(role, text)
    }

    /// The line with one more piece at its left part's end.
    #[must_use]
    pub fn add(mut self, role: Role, text: impl AsRef<str>) -> Self {
        self.left.push(piece(role, text));
        self
    }

    /// The line with one more piece at its right edge.
    #[must_use]
    pub fn tail(mut self, role: Role, text: impl AsRef<str>) -> Self {
        self.right.push(piece(role, text));
        self
    }

    /// The left part filled with blanks up to `column`, so that what follows is aligned; at least one
    /// blank separates what is already beyond it.
    #[must_use]
    pub fn column(mut self, column: usize) -> Self {
        let width = width_of(&self.left);
        let blanks = column.saturating_sub(width).max(usize::from(width > 0 && width >= column));
        self.left.push(Piece { role: Role::Plain, text: " ".repeat(blanks) });
        self
    }

    /// Columns the left part takes.
    #[must_use]
    pub fn left_width(&self) -> usize {
        width_of(&self.left)
    }

    /// The line laid out for `width` columns: left part, blanks, tail. The tail goes where the left part
    /// leaves no column for it.
    #[must_use]
    pub fn fit(&self, width: usize) -> Vec<Piece> {
        let tail = width_of(&self.right);
        let left = width_of(&self.left);
        // A tail may take at most half of the line from what it stands beside.
        let keeps_tail = tail > 0 && (left + 1 + tail <= width || tail * 2 <= width);
        let room = if keeps_tail { width - tail - 1 } else { width };
        let mut laid = cut(&self.left, room);
        if keeps_tail {
            let blanks = width - tail - width_of(&laid);
            laid.push(Piece { role: Role::Plain, text: " ".repeat(blanks) });
            laid.extend(self.right.iter().cloned());
        }
        laid
    }

    /// The text without its meaning, for copies and tests.
    #[must_use]
    pub fn plain(&self, width: usize) -> String {
        let text: String = self.fit(width).iter().map(|piece| piece.text.as_str()).collect();
        text.trim_end().to_owned()
    }
}

impl Role {
    /// How the theme shows it.
    #[must_use]
    pub fn style(self, theme: &Theme) -> Style {
        match self {
            Self::Plain => theme.text,
            Self::Dim => theme.dim,
            Self::Strong => theme.strong,
            Self::Damage => theme.did,
            Self::Said => theme.said,
            Self::Removed => theme.removed,
            Self::Added => theme.did,
            Self::RemovedWord => theme.removed.add_modifier(Modifier::UNDERLINED),
            Self::AddedWord => theme.added.add_modifier(Modifier::UNDERLINED),
            Self::Notice => theme.warning,
        }
    }
}

/// How a line is painted beyond what its pieces mean.
#[derive(Clone, Copy, Debug, Default)]
pub struct Emphasis<'a> {
    /// Over the whole line: the selection.
    pub over: Option<Style>,
    /// What is searched for; hits are marked.
    pub query: Option<&'a str>,
}

/// Paints a line into row `row` of `area`.
pub fn paint(buf: &mut Buffer, area: Rect, row: u16, line: &Rich, theme: &Theme, emphasis: Emphasis) {
    if row >= area.height || area.width == 0 {
        return;
    }
    let mut x = 0;
    let mut text = String::new();
    for piece in line.fit(usize::from(area.width)) {
        let style = piece.role.style(theme);
        put(buf, area, (x, row), &piece.text, area.width - x.min(area.width), style);
        x = x.saturating_add(text::width(&piece.text) as u16);
        text += &piece.text;
    }
    let on_screen = Rect { y: area.y + row, height: 1, ..area }.intersection(buf.area);
    if let Some(over) = emphasis.over {
        buf.set_style(on_screen, over);
    }
    for (start, end) in emphasis.query.map(|query| hits(&text, query)).unwrap_or_default() {
        let (start, end) = (text::width(&text[..start]) as u16, text::width(&text[..end]) as u16);
        let hit = Rect { x: area.x + start, width: end - start, ..on_screen };
        buf.set_style(hit.intersection(on_screen), theme.hit);
    }
}

/// Where a query stands in a text, in bytes, without regard to the case of ASCII letters.
#[must_use]
pub fn hits(text: &str, query: &str) -> Vec<(usize, usize)> {
    if query.is_empty() {
        return Vec::new();
    }
    let (text, query) = (text.to_ascii_lowercase(), query.to_ascii_lowercase());
    text.match_indices(&query).map(|(start, hit)| (start, start + hit.len())).collect()
}

/// True if a text holds a query, letter case ignored as in [`hits`]. Texts can be long, so nothing is copied.
#[must_use]
pub fn holds(text: &str, query: &str) -> bool {
    let (text, query) = (text.as_bytes(), query.as_bytes());
    let Some(first) = query.first() else { return false };
    let is_here =
        |at: usize| text.get(at..at + query.len()).is_some_and(|part| part.eq_ignore_ascii_case(query));
    memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), text).any(is_here)
}

/// Columns these pieces take.
#[must_use]
pub fn width_of(pieces: &[Piece]) -> usize {
    pieces.iter().map(|piece| text::width(&piece.text)).sum()
}

/// The pieces cut to `room` columns, with `…` where something was cut.
#[must_use]
pub fn cut(pieces: &[Piece], room: usize) -> Vec<Piece> {
    if width_of(pieces) <= room {
        return pieces.to_vec();
    }
    let mut left = room;
    let mut kept = Vec::new();
    for piece in pieces {
        let width = text::width(&piece.text);
        // The last piece that still fits may need its own end for the mark.
        if width < left {
            left -= width;
            kept.push(piece.clone());
        } else {
            kept.push(Piece { role: piece.role, text: text::cut(&format!("{}…", piece.text), left) });
            break;
        }
    }
    kept
}

/// The pieces wrapped to lines of `width` columns at blanks, keeping each piece's role.
#[must_use]
pub fn wrap(pieces: &[Piece], width: usize) -> Vec<Vec<Piece>> {
    let mut lines: Vec<Vec<Piece>> = vec![Vec::new()];
    let mut used = 0;
    for word in words(pieces) {
        let wide = width_of(&word);
        let blank = word.iter().all(|piece| piece.text.trim().is_empty());
        if used + wide > width.max(1) && used > 0 {
            lines.push(Vec::new());
            used = 0;
            if blank {
                continue;
            }
        }
        for piece in word {
            for chunk in chunks(&piece.text, width.max(1), &mut used) {
                if chunk.starts_new_line {
                    lines.push(Vec::new());
                }
                if let Some(line) = lines.last_mut() {
                    push_joined(line, piece.role, chunk.text);
                }
            }
        }
    }
    lines
}

/// Appends text, joining it to the last piece if that has the same role.
fn push_joined(line: &mut Vec<Piece>, role: Role, text: &str) {
    match line.last_mut() {
        Some(last) if last.role == role => last.text.push_str(text),
        _ => line.push(Piece { role, text: text.to_owned() }),
    }
}

/// Words and the blanks between them; a word may run over several pieces.
fn words(pieces: &[Piece]) -> Vec<Vec<Piece>> {
    let mut words: Vec<Vec<Piece>> = Vec::new();
    let mut last_blank = None;
    for piece in pieces {
        let mut start = 0;
        let mut push = |text: &str, blank: bool| {
            if text.is_empty() {
                return;
            }
            let part = Piece { role: piece.role, text: text.to_owned() };
            match words.last_mut() {
                Some(word) if last_blank == Some(blank) => word.push(part),
                _ => words.push(vec![part]),
            }
            last_blank = Some(blank);
        };
        let mut blank = piece.text.starts_with(' ');
        for (index, c) in piece.text.char_indices() {
            if (c == ' ') != blank {
                push(&piece.text[start..index], blank);
                start = index;
                blank = !blank;
            }
        }
        push(&piece.text[start..], blank);
    }
    words
}

struct Chunk<'a> {
    text: &'a str,
    starts_new_line: bool,
}

/// Cuts what does not fit the rest of the line, between grapheme clusters.
fn chunks<'a>(word: &'a str, width: usize, used: &mut usize) -> Vec<Chunk<'a>> {
    let mut chunks = Vec::new();
    let mut start = 0;
    let mut starts_new_line = false;
    for (index, cluster) in word.grapheme_indices(true) {
        let wide = text::width(cluster);
        if *used + wide > width && *used > 0 {
            chunks.push(Chunk { text: &word[start..index], starts_new_line });
            start = index;
            starts_new_line = true;
            *used = 0;
        }
        *used += wide;
    }
    chunks.push(Chunk { text: &word[start..], starts_new_line });
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(lines: &[Vec<Piece>]) -> Vec<String> {
        lines.iter().map(|line| line.iter().map(|piece| piece.text.as_str()).collect()).collect()
    }

    #[test]
    fn the_tail_keeps_to_the_right_edge_and_the_left_gives_way() {
        let line = Rich::of(Role::Plain, "update_change CHG_002 scheduled").tail(Role::Damage, "‹ DID");
        assert_eq!(line.plain(40), "update_change CHG_002 scheduled    ‹ DID");
        assert_eq!(line.plain(20), "update_change… ‹ DID");
        assert_eq!(line.plain(8), "update_…");
        assert_eq!(line.plain(3), "up…");
        assert_eq!(line.plain(0), "");
    }

    #[test]
    fn columns_align_and_never_touch() {
        assert_eq!(Rich::of(Role::Plain, "ab").column(4).add(Role::Plain, "c").plain(9), "ab  c");
        assert_eq!(Rich::of(Role::Plain, "abcde").column(4).add(Role::Plain, "c").plain(9), "abcde c");
    }

    #[test]
    fn wrapping_keeps_roles_and_breaks_long_words() {
        let pieces = [piece(Role::Plain, "a cat sat on "), piece(Role::Added, "mattresses and sofas")];
        assert_eq!(plain(&wrap(&pieces, 10)), ["a cat sat ", "on ", "mattresses", "and sofas"]);
        assert_eq!(
            plain(&wrap(&pieces, 4)),
            ["a ", "cat ", "sat ", "on ", "matt", "ress", "es ", "and ", "sofa", "s"]
        );
        assert!(wrap(&pieces, 10)[2].iter().all(|piece| piece.role == Role::Added));
        assert_eq!(wrap(&[], 5), [Vec::new()]);
        assert_eq!(wrap(&pieces, 0).len(), 27, "one a line, blanks dropped");
    }

    #[test]
    fn a_text_holds_what_has_a_hit_in_it() {
        for (text, query) in [
            ("Berth 7", "berth"),
            ("berth", "BERTH 7"),
            ("abab", "bA"),
            ("", "x"),
            ("x", ""),
            ("Ärger", "ärger"),
            ("ärger", "ärg"),
            ("aab", "ab"),
        ] {
            assert_eq!(holds(text, query), !hits(text, query).is_empty(), "{text} {query}");
        }
    }
}
