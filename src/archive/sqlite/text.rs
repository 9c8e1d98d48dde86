//! Texts of a database, which may be any bytes.

use crate::model::Text;

/// A text. SQLite stores any bytes; those that are not UTF-8 become lone surrogates, as in Python with
/// `surrogateescape`: `\udc80` to `\udcff`. No two texts become one.
pub(super) fn text(bytes: &[u8]) -> Text {
    if std::str::from_utf8(bytes).is_ok() {
        return Text::from_wtf8(bytes);
    }
    let mut escaped = Vec::with_capacity(bytes.len() + 16);
    for chunk in bytes.utf8_chunks() {
        escaped.extend(chunk.valid().as_bytes());
        for byte in chunk.invalid() {
            // U+DC00 + byte, in the three bytes that UTF-8's scheme gives it.
            escaped.extend([0xED, 0xB0 | byte >> 6, 0x80 | byte & 0x3F]);
        }
    }
    Text::from_wtf8(&escaped)
}
