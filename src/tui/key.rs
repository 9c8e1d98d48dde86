//! Keys, normalised once, so that every terminal's dialect reads the same.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// One key press. Shift is part of the character; Alt is never used (it looks like Esc and a key).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// a printable character
    Char(char),
    /// a lower-case letter with Ctrl
    Ctrl(char),
    /// Enter
    Enter,
    /// Esc
    Esc,
    /// Backspace
    Backspace,
    /// Tab
    Tab,
    /// Shift-Tab
    BackTab,
    /// arrow up
    Up,
    /// arrow down
    Down,
    /// arrow left
    Left,
    /// arrow right
    Right,
    /// Home
    Home,
    /// End
    End,
    /// page up
    PageUp,
    /// page down
    PageDown,
    /// Delete
    Delete,
    /// a function key
    F(u8),
}

impl Key {
    /// The key of a terminal event; `None` for releases and for keys that are never bound.
    #[must_use]
    pub fn from_event(event: KeyEvent) -> Option<Self> {
        if event.kind == KeyEventKind::Release || event.modifiers.contains(KeyModifiers::ALT) {
            return None;
        }
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        let shift = event.modifiers.contains(KeyModifiers::SHIFT);
        Some(match event.code {
            KeyCode::Char(c) if ctrl => match c.to_ascii_lowercase() {
                // What these keys send where the terminal knows no better.
                'h' => Self::Backspace,
                'i' => Self::Tab,
                'j' | 'm' => Self::Enter,
                '[' => Self::Esc,
                letter => Self::Ctrl(letter),
            },
            KeyCode::Char(c) if shift => Self::Char(c.to_ascii_uppercase()),
            KeyCode::Char(c) => Self::Char(c),
            KeyCode::Tab if shift => Self::BackTab,
            KeyCode::Enter => Self::Enter,
            KeyCode::Esc => Self::Esc,
            KeyCode::Backspace => Self::Backspace,
            KeyCode::Tab => Self::Tab,
            KeyCode::BackTab => Self::BackTab,
            KeyCode::Up => Self::Up,
            KeyCode::Down => Self::Down,
            KeyCode::Left => Self::Left,
            KeyCode::Right => Self::Right,
            KeyCode::Home => Self::Home,
            KeyCode::End => Self::End,
            KeyCode::PageUp => Self::PageUp,
            KeyCode::PageDown => Self::PageDown,
            KeyCode::Delete => Self::Delete,
            KeyCode::F(number) => Self::F(number),
            _ => return None,
        })
    }

    /// How the key is written in hints and help.
    #[must_use]
    pub fn label(self) -> String {
        match self {
            Self::Char(' ') => "Space".into(),
            Self::Char(c) => c.into(),
            Self::Ctrl(c) => format!("Ctrl-{}", c.to_ascii_uppercase()),
            Self::Enter => "⏎".into(),
            Self::Esc => "Esc".into(),
            Self::Backspace => "Backspace".into(),
            Self::Tab => "Tab".into(),
            Self::BackTab => "Shift-Tab".into(),
            Self::Up => "↑".into(),
            Self::Down => "↓".into(),
            Self::Left => "←".into(),
            Self::Right => "→".into(),
            Self::Home => "Home".into(),
            Self::End => "End".into(),
            Self::PageUp => "PgUp".into(),
            Self::PageDown => "PgDn".into(),
            Self::Delete => "Del".into(),
            Self::F(number) => format!("F{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Option<Key> {
        Key::from_event(KeyEvent::new(code, modifiers))
    }

    #[test]
    fn shift_is_part_of_the_character() {
        for modifiers in [KeyModifiers::NONE, KeyModifiers::SHIFT] {
            assert_eq!(key(KeyCode::Char('G'), modifiers), Some(Key::Char('G')));
            assert_eq!(key(KeyCode::Char('?'), modifiers), Some(Key::Char('?')));
        }
        assert_eq!(key(KeyCode::Char('g'), KeyModifiers::SHIFT), Some(Key::Char('G')));
        assert_eq!(key(KeyCode::Tab, KeyModifiers::SHIFT), Some(Key::BackTab));
    }

    #[test]
    fn control_codes_are_the_keys_that_send_them() {
        assert_eq!(key(KeyCode::Char('j'), KeyModifiers::CONTROL), Some(Key::Enter));
        assert_eq!(key(KeyCode::Char('h'), KeyModifiers::CONTROL), Some(Key::Backspace));
        assert_eq!(key(KeyCode::Char('d'), KeyModifiers::CONTROL), Some(Key::Ctrl('d')));
    }

    #[test]
    fn alt_and_releases_are_nothing() {
        assert_eq!(key(KeyCode::Char('q'), KeyModifiers::ALT), None);
        let release = KeyEvent::new_with_kind(KeyCode::Enter, KeyModifiers::NONE, KeyEventKind::Release);
        assert_eq!(Key::from_event(release), None);
    }
}
