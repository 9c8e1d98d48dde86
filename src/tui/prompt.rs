//! A prompt: one line in which every letter is a letter.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use tui_input::{Input, InputRequest};

use super::key::Key;
use super::paint::Line;
use super::theme::Theme;

/// What a key came to.
pub(super) enum Answer {
    /// still typing
    Typing,
    /// accepted
    Done(String),
    /// left without
    Cancelled,
}

/// Takes a key in.
pub(super) fn on_key(input: &mut Input, key: Key) -> Answer {
    let request = match key {
        Key::Enter => return Answer::Done(input.value().to_owned()),
        Key::Esc | Key::Ctrl('c') => return Answer::Cancelled,
        Key::Backspace if input.value().is_empty() => return Answer::Cancelled,
        Key::Char(c) => InputRequest::InsertChar(c),
        Key::Backspace => InputRequest::DeletePrevChar,
        Key::Delete => InputRequest::DeleteNextChar,
        Key::Left => InputRequest::GoToPrevChar,
        Key::Right => InputRequest::GoToNextChar,
        Key::Home => InputRequest::GoToStart,
        Key::End => InputRequest::GoToEnd,
        Key::Ctrl('u') => InputRequest::DeleteLine,
        Key::Ctrl('w') => InputRequest::DeletePrevWord,
        _ => return Answer::Typing,
    };
    input.handle(request);
    Answer::Typing
}

/// Takes pasted text in, as far as it is one line.
pub(super) fn paste(input: &mut Input, text: &str) {
    for c in text.chars().filter(|c| !c.is_control()) {
        input.handle(InputRequest::InsertChar(c));
    }
}

/// Draws it into the last line, after the sign of what asks.
pub(super) fn draw(buf: &mut Buffer, area: Rect, theme: &Theme, sign: &str, input: &Input) {
    let mut line = Line::of(area, area.height.saturating_sub(1));
    let cursor = input.cursor();
    let before: String = input.value().chars().take(cursor).collect();
    let under: String = input.value().chars().skip(cursor).take(1).collect();
    let after: String = input.value().chars().skip(cursor + 1).collect();
    let caret = Style::new().add_modifier(Modifier::REVERSED);
    line.skip(1)
        .put(buf, sign, theme.key)
        .put(buf, &before, theme.text)
        .put(buf, if under.is_empty() { " " } else { &under }, caret)
        .put(buf, &after, theme.text);
}
