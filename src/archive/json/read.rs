//! The reader: bytes to [`Value`].

use crate::model::{Names, Number, Object, Text, Value};

/// How deep arrays and objects may nest. Far beyond what Python itself reads (about 1,000), and low enough
/// that everything that walks a value may recurse.
pub const MAX_DEPTH: usize = 2000;

/// Why bytes are not JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} at byte {offset}")]
pub struct JsonError {
    /// Where, in bytes from 0.
    pub offset: usize,
    /// What is wrong there.
    pub message: String,
    /// The text may be sound, but holds more than may be held.
    pub too_large: bool,
}

/// Reads one JSON document in Python's dialect: `NaN`, `Infinity`, `-Infinity`, lone surrogates, integers
/// of any length, repeated names (the last one wins), a leading byte order mark.
///
/// # Errors
/// Names the byte at which the text stops being JSON; invalid UTF-8, text after the document, and nesting
/// beyond [`MAX_DEPTH`] are errors.
pub fn parse(bytes: &[u8]) -> Result<Value, JsonError> {
    parse_within(bytes, usize::MAX)
}

/// As [`parse`], but of what would take more memory than `room` bytes, its texts aside, nothing is built.
///
/// # Errors
/// As [`parse`]; one that is `too_large`.
pub fn parse_within(bytes: &[u8], room: usize) -> Result<Value, JsonError> {
    // Checked once for the whole text, so that strings are copied in runs.
    if let Err(error) = std::str::from_utf8(bytes) {
        let message = "invalid UTF-8".into();
        return Err(JsonError { offset: error.valid_up_to(), message, too_large: false });
    }
    if bytes.len().saturating_mul(DEAREST) > room {
        Reader::new(bytes).within(room).skip(0)?;
    }
    let mut reader = Reader::new(bytes);
    let value = reader.read(0)?;
    reader.end()?;
    Ok(value)
}

/// What a value takes in its container, with a member's name beside it.
const MEMBER: usize = size_of::<(Text, Value)>();

/// About what a container takes besides: its head, and the room that a list of one has.
const CONTAINER: usize = 64 + 2 * MEMBER;

/// No byte of text takes more than this: `[[` is the dearest.
const DEAREST: usize = MEMBER + CONTAINER;

/// Reads values one after the other, as its user asks for them. Bytes are taken for UTF-8: who has not
/// checked them has to check what was read.
pub(in crate::archive) struct Reader<'a> {
    bytes: &'a [u8],
    /// Where it stands.
    pub at: usize,
    /// The names of the last object. Rows repeat their column names, so the next one is likely to be alike.
    names: Names,
    scratch: Vec<u8>,
    /// How much memory values may still take, their texts aside, which are no longer than the bytes. A value
    /// that is passed over counts as well: who does so reads it later.
    room: usize,
}

/// An array or object whose end has not been seen. Kept on the heap, since nesting must not eat the stack.
enum Open {
    Array(Vec<Value>),
    Object(Members),
}

/// The members of an object so far; while the value of one is read there is a name more than values.
struct Members {
    names: Named,
    values: Vec<Value>,
}

/// The names of an object so far.
enum Named {
    /// so far those of the last object
    Alike(Names),
    /// others
    Own(Vec<Text>),
}

/// What stands at the start of a value.
enum Start {
    Whole(Value),
    Opened(Open),
}

impl<'a> Reader<'a> {
    /// Stands at the start, behind a byte order mark.
    pub fn new(bytes: &'a [u8]) -> Self {
        let at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Self { bytes, at, names: Names::default(), scratch: Vec::new(), room: usize::MAX }
    }

    /// Values may take so many bytes, their texts aside.
    pub fn within(self, room: usize) -> Self {
        Self { room, ..self }
    }

    /// Takes room for the value that begins here.
    fn take_value(&mut self) -> Result<(), JsonError> {
        let container = matches!(self.peek(), Some(b'{' | b'['));
        self.take(if container { MEMBER + CONTAINER } else { MEMBER })
    }

    fn take(&mut self, bytes: usize) -> Result<(), JsonError> {
        match self.room.checked_sub(bytes) {
            Some(left) => {
                self.room = left;
                Ok(())
            }
            None => {
                let too_large = JsonError { too_large: true, ..self.error("more values than may be held") };
                Err(too_large)
            }
        }
    }

    /// Only white space may be left.
    pub fn end(&mut self) -> Result<(), JsonError> {
        self.skip_space();
        if self.at < self.bytes.len() { Err(self.error("text after the document")) } else { Ok(()) }
    }

    /// Reads the value that begins here; `depth` containers are open around it.
    pub fn read(&mut self, depth: usize) -> Result<Value, JsonError> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let mut value = match self.value(depth + open.len())? {
                Start::Whole(value) => value,
                Start::Opened(container) => {
                    open.push(container);
                    continue;
                }
            };
            // A value is complete: hand it to its container, and close containers as long as they end.
            loop {
                let more = match open.last_mut() {
                    None => return Ok(value),
                    Some(Open::Array(items)) => {
                        items.push(value);
                        self.more(b']')?
                    }
                    Some(Open::Object(members)) => {
                        members.values.push(value);
                        let more = self.more(b'}')?;
                        if more {
                            self.member(members)?;
                        }
                        more
                    }
                };
                if more {
                    break;
                }
                value = match open.pop() {
                    Some(Open::Array(items)) => Value::Array(items),
                    Some(Open::Object(members)) => Value::Object(self.object(members)),
                    None => Value::Null,
                };
            }
        }
    }

    /// Reads a scalar or an empty container whole, or opens a container and stops before its first value;
    /// `depth` containers are open around it.
    fn value(&mut self, depth: usize) -> Result<Start, JsonError> {
        self.skip_space();
        self.take_value()?;
        let whole = match self.peek() {
            Some(b'{' | b'[') if depth >= MAX_DEPTH => return Err(self.error("nested too deeply")),
            Some(b'"') => Value::Text(self.string()?),
            Some(b'{') => {
                if !self.is_empty(b'}') {
                    // Capped, or one huge object could make many small ones dear.
                    let values = Vec::with_capacity(self.names.len().min(64));
                    let mut members = Members { names: Named::Alike(self.names.clone()), values };
                    self.member(&mut members)?;
                    return Ok(Start::Opened(Open::Object(members)));
                }
                Value::Object(Object::default())
            }
            Some(b'[') => {
                if !self.is_empty(b']') {
                    return Ok(Start::Opened(Open::Array(Vec::new())));
                }
                Value::Array(Vec::new())
            }
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            Some(_) => self.word()?,
            None => return Err(self.error("the text ends where a value is expected")),
        };
        Ok(Start::Whole(whole))
    }

    /// Passes over the value that begins here, as strict as [`Reader::read`]; `depth` containers are open
    /// around it.
    pub fn skip(&mut self, depth: usize) -> Result<(), JsonError> {
        let mut ends: Vec<u8> = Vec::new();
        loop {
            self.skip_space();
            self.take_value()?;
            match self.peek() {
                Some(b'"') => _ = self.string_bytes()?,
                Some(b'-' | b'0'..=b'9') => _ = self.digits()?,
                Some(b'{' | b'[') if depth + ends.len() >= MAX_DEPTH => {
                    return Err(self.error("nested too deeply"));
                }
                Some(open @ (b'{' | b'[')) => {
                    // In ASCII both closing brackets stand two behind their opening ones.
                    let end = open + 2;
                    if !self.is_empty(end) {
                        if end == b'}' {
                            self.name_bytes()?;
                        }
                        ends.push(end);
                        continue;
                    }
                }
                Some(_) => _ = self.word()?,
                None => return Err(self.error("the text ends where a value is expected")),
            }
            loop {
                let Some(&end) = ends.last() else { return Ok(()) };
                if self.more(end)? {
                    if end == b'}' {
                        self.name_bytes()?;
                    }
                    break;
                }
                ends.pop();
            }
        }
    }

    /// Steps into the container that begins here; true if it is empty, and then behind it.
    pub fn is_empty(&mut self, end: u8) -> bool {
        self.at += 1;
        self.skip_space();
        let empty = self.peek() == Some(end);
        self.at += usize::from(empty);
        empty
    }

    /// After a value: true on a comma, false at the container's end.
    pub fn more(&mut self, end: u8) -> Result<bool, JsonError> {
        self.skip_space();
        let more = match self.peek() {
            Some(b',') => true,
            Some(byte) if byte == end => false,
            Some(_) => return Err(self.error(&format!("expected `,` or `{}`", char::from(end)))),
            None => return Err(self.error(&format!("the text ends before `{}`", char::from(end)))),
        };
        self.at += 1;
        Ok(more)
    }

    /// A member's name and its colon.
    pub fn name(&mut self) -> Result<Text, JsonError> {
        let raw = self.name_bytes()?;
        Ok(Text::from_wtf8(raw.unwrap_or(&self.scratch)))
    }

    /// The name of the next member.
    fn member(&mut self, members: &mut Members) -> Result<(), JsonError> {
        let raw = self.name_bytes()?;
        let name = raw.unwrap_or(&self.scratch);
        let place = members.values.len();
        match &mut members.names {
            Named::Alike(last) if last.get(place).is_some_and(|seen| seen.as_bytes() == name) => {}
            Named::Alike(last) => {
                let mut own = last.get(..place).unwrap_or_default().to_vec();
                own.push(Text::from_wtf8(name));
                members.names = Named::Own(own);
            }
            Named::Own(own) => own.push(Text::from_wtf8(name)),
        }
        Ok(())
    }

    fn object(&mut self, Members { names, mut values }: Members) -> Object {
        if values.capacity() > 2 * values.len() {
            values.shrink_to_fit();
        }
        let object = match names {
            Named::Alike(last) if last.len() == values.len() => {
                return Object::from_unique(last, values);
            }
            Named::Alike(last) => {
                Object::from_columns(last.get(..values.len()).unwrap_or_default().to_vec(), values)
            }
            Named::Own(names) => Object::from_columns(names, values),
        };
        self.names = object.shared_names().clone();
        object
    }

    /// As [`Reader::string_bytes`] for a member's name and its colon.
    pub fn name_bytes(&mut self) -> Result<Option<&'a [u8]>, JsonError> {
        self.skip_space();
        if self.peek() != Some(b'"') {
            return Err(self.error("expected a name in quotes"));
        }
        let name = self.string_bytes()?;
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.error("expected `:`"));
        }
        self.at += 1;
        Ok(name)
    }

    /// A string; the reader stands on its opening quote.
    fn string(&mut self) -> Result<Text, JsonError> {
        Ok(match self.string_bytes()? {
            Some(raw) => Text::from_wtf8(raw),
            None => Text::from_wtf8(&self.scratch),
        })
    }

    /// What a string holds, if it stands there as it is; else it is in the scratch buffer, its escapes
    /// resolved.
    pub fn string_bytes(&mut self) -> Result<Option<&'a [u8]>, JsonError> {
        let opening = self.at;
        let mut start = opening + 1;
        let mut end = self.plain_run(start);
        if self.bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(Some(self.slice(start, end)));
        }
        self.scratch.clear();
        loop {
            let run = self.slice(start, end);
            self.scratch.extend_from_slice(run);
            self.at = end;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(None);
                }
                Some(b'\\') => self.escape()?,
                Some(_) => return Err(self.error("a control character in a string")),
                None => {
                    return Err(JsonError {
                        offset: opening,
                        message: "a string without an end, begun".into(),
                        too_large: false,
                    });
                }
            }
            start = self.at;
            end = self.plain_run(start);
        }
    }

    /// One escape, appended to the scratch buffer; the reader stands on the backslash.
    fn escape(&mut self) -> Result<(), JsonError> {
        let plain = match self.bytes.get(self.at + 1) {
            Some(b'u') => return self.unicode_escape(),
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'b') => 0x08,
            Some(b'f') => 0x0C,
            Some(same @ (b'"' | b'\\' | b'/')) => *same,
            _ => return Err(self.error("an unknown escape")),
        };
        self.scratch.push(plain);
        self.at += 2;
        Ok(())
    }

    fn unicode_escape(&mut self) -> Result<(), JsonError> {
        let first = self.hex(self.at).ok_or_else(|| self.error("an unfinished \\u escape"))?;
        self.at += 6;
        let mut unit = first;
        if (0xD800..0xDC00).contains(&first)
            && let Some(second @ 0xDC00..0xE000) = self.hex(self.at)
        {
            self.at += 6;
            unit = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        }
        match char::from_u32(unit) {
            Some(c) => self.scratch.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            // A lone surrogate: the three bytes that UTF-8's scheme gives it.
            None => self.scratch.extend([0xED, low_bits(unit >> 6), low_bits(unit)]),
        }
        Ok(())
    }

    /// The code unit of `\uXXXX` at `at`, if there is one.
    fn hex(&self, at: usize) -> Option<u32> {
        let escape = self.bytes.get(at..at + 6)?;
        let digits = escape.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0, |unit, byte| Some(unit << 4 | char::from(*byte).to_digit(16)?))
    }

    fn number(&mut self) -> Result<Number, JsonError> {
        let start = self.at;
        let integral = self.digits()?;
        let digits = std::str::from_utf8(self.slice(start, self.at)).unwrap_or_default();
        if integral {
            return Ok(Number::from_decimal(digits));
        }
        // `-Infinity` is read by this as well.
        digits.parse().map(Number::Float).map_err(|_| self.error("a number that cannot be read"))
    }

    /// Passes a number; true if it has neither fraction nor exponent.
    fn digits(&mut self) -> Result<bool, JsonError> {
        if self.peek() == Some(b'-') {
            self.at += 1;
            if self.peek() == Some(b'I') {
                self.literal("Infinity")?;
                return Ok(false);
            }
        }
        match self.peek() {
            // Python reads a leading zero alone, so that `01` is `0` with text after it.
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.skip_digits(),
            _ => return Err(self.error("expected a digit")),
        }
        let mut integral = true;
        if self.peek() == Some(b'.') && self.digit_at(self.at + 1) {
            integral = false;
            self.at += 1;
            self.skip_digits();
        }
        if let Some(b'e' | b'E') = self.peek() {
            let sign = usize::from(matches!(self.bytes.get(self.at + 1), Some(b'+' | b'-')));
            if self.digit_at(self.at + 1 + sign) {
                integral = false;
                self.at += 1 + sign;
                self.skip_digits();
            }
        }
        Ok(integral)
    }

    fn word(&mut self) -> Result<Value, JsonError> {
        let (word, value) = match self.peek() {
            Some(b'n') => ("null", Value::Null),
            Some(b't') => ("true", Value::Bool(true)),
            Some(b'f') => ("false", Value::Bool(false)),
            Some(b'N') => ("NaN", Value::from(f64::NAN)),
            Some(b'I') => ("Infinity", Value::from(f64::INFINITY)),
            _ => return Err(self.error("expected a value")),
        };
        self.literal(word)?;
        Ok(value)
    }

    fn literal(&mut self, word: &str) -> Result<(), JsonError> {
        if !self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes())) {
            return Err(self.error("expected a value"));
        }
        self.at += word.len();
        Ok(())
    }

    /// The end of the run of bytes from `start` that stand for themselves in a string.
    fn plain_run(&self, start: usize) -> usize {
        let rest = self.bytes.get(start..).unwrap_or_default();
        let mut passed = 0;
        let (words, _) = rest.as_chunks::<8>();
        for word in words {
            match first_special(*word) {
                Some(offset) => return start + passed + offset,
                None => passed += 8,
            }
        }
        let tail = rest.get(passed..).unwrap_or_default();
        let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
        start + passed + tail.iter().position(special).unwrap_or(tail.len())
    }

    /// Passes what is spelled by these bytes, a whole value or one with its name, if that is what stands here.
    pub fn pass(&mut self, spelled: &[u8]) -> bool {
        let end = self.at + spelled.len();
        // A number or word could go on.
        let is_whole = matches!(self.bytes.get(end), Some(b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t'));
        let passed = is_whole && self.slice(self.at, end) == spelled;
        if passed {
            self.at = end;
        }
        passed
    }

    pub fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn skip_digits(&mut self) {
        while self.digit_at(self.at) {
            self.at += 1;
        }
    }

    fn digit_at(&self, at: usize) -> bool {
        self.bytes.get(at).is_some_and(u8::is_ascii_digit)
    }

    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// The bytes between two places.
    pub fn slice(&self, start: usize, end: usize) -> &'a [u8] {
        self.bytes.get(start..end).unwrap_or_default()
    }

    fn error(&self, message: &str) -> JsonError {
        JsonError { offset: self.at, message: message.into(), too_large: false }
    }
}

/// The first of eight bytes that is a quote, a backslash or a control character. All eight are tried at once:
/// a subtraction borrows into a byte's top bit where the byte is smaller. It may also borrow into the bytes
/// behind the first one found, but never before it.
fn first_special(bytes: [u8; 8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 255;
    let word = u64::from_le_bytes(bytes);
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word;
    let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    let found = (below(word, 0x20) | equal(b'"') | equal(b'\\')) & (ONES << 7);
    (found != 0).then_some(found.trailing_zeros() as usize / 8)
}

/// A UTF-8 continuation byte with the six low bits of `unit`.
fn low_bits(unit: u32) -> u8 {
    0x80 | (unit & 0x3F) as u8
}

#[cfg(test)]
mod tests;
