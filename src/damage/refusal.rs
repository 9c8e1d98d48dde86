//! The declared refusal (DESIGN §5.5).

use super::RefusalLine;
use crate::model::Transcript;

/// The token a line must begin with.
const TOKEN: &[u8] = b"REFUSAL:";

/// The first line of the last agent message that begins with the token. Lines end at `\n` and nothing else;
/// a mention within a line, an indented one and an earlier message do not count.
#[must_use]
pub fn refusal(transcript: &Transcript) -> Option<RefusalLine> {
    let (message, text) = transcript.final_message()?;
    let line = text.as_bytes().split(|byte| *byte == b'\n').position(|line| line.starts_with(TOKEN))?;
    Some(RefusalLine { message, line })
}
