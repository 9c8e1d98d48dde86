//! Strings as Python can write them.

use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The longest text that is held in place. Most names and values are shorter, and taking memory for each is
/// most of what reading a row costs.
const IN_PLACE: usize = 22;

/// A string of Unicode code points, lone surrogates included (Python's JSON writes those as `\ud800`).
///
/// Held as generalized UTF-8 ("WTF-8"): for a string without lone surrogates this is plain UTF-8. Clones
/// are cheap. Equality and order are by bytes, which is by code point, as in Python.
#[derive(Clone)]
pub struct Text(Held);

/// A text of one length is always held in the same way; bytes behind a short one are zero.
#[derive(Clone)]
enum Held {
    InPlace { length: u8, bytes: [u8; IN_PLACE] },
    Shared(Arc<[u8]>),
}

impl Text {
    /// A text from generalized UTF-8 bytes. The caller vouches for the encoding; bytes that are not
    /// generalized UTF-8 are shown as replacement characters and otherwise do no harm.
    #[must_use]
    #[inline]
    pub fn from_wtf8(text: &[u8]) -> Self {
        let mut bytes = [0; IN_PLACE];
        match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(start), Ok(length)) => {
                start.copy_from_slice(text);
                Self(Held::InPlace { length, bytes })
            }
            _ => Self(Held::Shared(Arc::from(text))),
        }
    }

    /// The generalized UTF-8 bytes.
    #[must_use]
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Held::InPlace { length, bytes } => bytes.get(..usize::from(*length)).unwrap_or_default(),
            Held::Shared(bytes) => bytes,
        }
    }

    /// The text as a `str`, or `None` if it holds a lone surrogate.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(self.as_bytes()).ok()
    }

    /// The text for people: each lone surrogate becomes its escape (`\ud800`), all else is unchanged.
    /// Still hostile: control characters are kept, see `report::text` for what reaches a terminal.
    #[must_use]
    pub fn display(&self) -> Cow<'_, str> {
        if let Some(valid) = self.as_str() {
            return Cow::Borrowed(valid);
        }
        let mut shown = String::with_capacity(self.as_bytes().len() + 8);
        for unit in self.code_points() {
            match char::from_u32(unit) {
                Some(c) => shown.push(c),
                None => shown.push_str(&format!("\\u{unit:04x}")),
            }
        }
        Cow::Owned(shown)
    }

    /// The code points, lone surrogates included (as `0xD800..=0xDFFF`).
    pub fn code_points(&self) -> impl Iterator<Item = u32> + '_ {
        let mut rest: &[u8] = self.as_bytes();
        std::iter::from_fn(move || {
            let (unit, length) = decode(rest)?;
            rest = &rest[length..];
            Some(unit)
        })
    }

    /// True if there is not a single character.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.as_bytes().is_empty()
    }
}

/// One code point of generalized UTF-8 and its length; a broken byte counts as U+FFFD.
fn decode(bytes: &[u8]) -> Option<(u32, usize)> {
    let first = *bytes.first()?;
    let length = match first {
        0x00..=0x7F => return Some((u32::from(first), 1)),
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return Some((0xFFFD, 1)),
    };
    let mut unit = u32::from(first) & (0x7F >> length);
    for offset in 1..length {
        match bytes.get(offset) {
            Some(byte) if byte & 0xC0 == 0x80 => unit = unit << 6 | u32::from(byte & 0x3F),
            _ => return Some((0xFFFD, 1)),
        }
    }
    Some((unit, length))
}

impl PartialEq for Text {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            // Of a fixed size, which takes no loop.
            (Held::InPlace { length: a, bytes: one }, Held::InPlace { length: b, bytes: other }) => {
                a == b && one == other
            }
            (Held::Shared(one), Held::Shared(other)) => one == other,
            _ => false,
        }
    }
}

impl Eq for Text {}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::from_wtf8(text.as_bytes())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        *self.as_bytes() == *other.as_bytes()
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

/// Maps and sets keyed by text can be asked with plain bytes (`"case".as_bytes()`).
impl Borrow<[u8]> for Text {
    fn borrow(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.display())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Some(valid) => fmt::Debug::fmt(valid, f),
            // Unlike any text that is spelled like the escape.
            None => write!(f, "\"{}\"", self.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_surrogate_is_kept_and_shown_as_its_escape() {
        let text = Text::from_wtf8(b"a\xED\xA0\x80b");
        assert_eq!(text.as_str(), None);
        assert_eq!(text.display(), "a\\ud800b");
        assert_eq!(text.code_points().collect::<Vec<_>>(), [0x61, 0xD800, 0x62]);
    }

    #[test]
    fn short_and_long_ones_are_told_apart_by_their_bytes_alone() {
        let mut texts: Vec<Text> = (0..60).map(|length| Text::from("x".repeat(length))).collect();
        texts.push("x\0".into());
        for (index, text) in texts.iter().enumerate() {
            for (other_index, other) in texts.iter().enumerate() {
                assert_eq!(text == other, index == other_index);
                assert_eq!(text.cmp(other), text.as_bytes().cmp(other.as_bytes()));
            }
        }
        assert_eq!(Text::default(), "");
        assert!(size_of::<Text>() == 24 && size_of::<crate::model::Value>() == 32);
    }

    #[test]
    fn plain_text_is_borrowed() {
        let text = Text::from("Größe 日本");
        assert!(matches!(text.display(), Cow::Borrowed("Größe 日本")));
        assert_eq!(text, "Größe 日本");
    }
}
