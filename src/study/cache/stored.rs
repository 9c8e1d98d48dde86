//! Values as bytes, and back: the cache's own form, read only by the build that wrote it.
//!
//! Nothing here is trusted: reading gives `None` for anything that was not written by [`Stored::put`].

use std::sync::Arc;

use super::super::seeds::Print;
use super::super::texts::Words;
use crate::damage::{Digest, EditLine, Facts, Fingerprint, Mark, NamesRow, RuleId};
use crate::model::{
    Code, DeltaRow, Key, Level, Number, Object, Op, Outcome, Place, Severity, SubLabel, Text, Value,
};
use crate::study::NoVerdict;

/// How deep values may be nested: deeper ones are not stored, so that reading never runs out of stack.
const DEEPEST: u32 = 64;

/// Bytes to read from. Texts that recur, such as table names, are held once.
pub(super) struct Source<'a> {
    rest: &'a [u8],
    words: &'a mut Words,
    depth: u32,
}

impl<'a> Source<'a> {
    pub(super) fn new(bytes: &'a [u8], words: &'a mut Words) -> Self {
        Self { rest: bytes, words, depth: 0 }
    }

    /// A value that takes all there is.
    pub(super) fn whole<T: Stored>(mut self) -> Option<T> {
        let value = T::take(&mut self)?;
        self.rest.is_empty().then_some(value)
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// The next bytes, as many as the array has.
    pub(super) fn chunk<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*bytes)
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::take(self)?;
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(bytes)
    }
}

/// Something the cache can hold.
pub(super) trait Stored: Sized {
    /// Appends it.
    fn put(&self, out: &mut Vec<u8>);

    /// Reads it back.
    fn take(from: &mut Source<'_>) -> Option<Self>;
}

/// The bytes of a value.
pub(super) fn bytes_of(value: &impl Stored) -> Vec<u8> {
    let mut out = Vec::new();
    value.put(&mut out);
    out
}

/// A struct is its fields in order. A field that is added does not compile until it is stored.
macro_rules! record {
    ($type:ident { $($field:ident),+ }) => {
        impl Stored for $type {
            fn put(&self, out: &mut Vec<u8>) {
                let Self { $($field),+ } = self;
                $($field.put(out);)+
            }

            fn take(from: &mut Source<'_>) -> Option<Self> {
                $(let $field = Stored::take(from)?;)+
                Some(Self { $($field),+ })
            }
        }
    };
}
pub(super) use record;

/// A plain enum is its place in the list.
macro_rules! choice {
    ($type:ident { $($name:ident),+ }) => {
        impl Stored for $type {
            fn put(&self, out: &mut Vec<u8>) {
                match self { $(Self::$name)|+ => {} }
                let place = [$(Self::$name),+].iter().position(|each| each == self);
                place.unwrap_or_default().put(out);
            }

            fn take(from: &mut Source<'_>) -> Option<Self> {
                [$(Self::$name),+].get(usize::take(from)?).copied()
            }
        }
    };
}

choice!(Level { Error, Warning });
choice!(Op { Added, Modified, Removed });
choice!(Severity { Low, Medium, High });
choice!(NamesRow { This, Another, None });
choice!(RuleId { RefusedButMutated, PassedButDamaged });
choice!(Mark { Read, Write, Failed, Damage, Refusal, End, Stalled, Errored });
choice!(Outcome { Pass, FailSafe, FailDamage });
choice!(SubLabel {
    RefusedButMutated,
    ErroredAfterMutation,
    StalledAfterMutation,
    CompletedDamage,
    RefusedClean,
    ErroredClean,
    StalledClean,
    CompletedClean
});
record!(Digest { strip, edits, allowed_edits, checks, tokens, facts, final_message, contradictions });
record!(EditLine { table, op, keys, columns });
record!(Facts { refusal_names, admits, call_message, refusal_message });
record!(Place { batch, task, run, table, row, column, position });
record!(NoVerdict { code, detail, invalid });
record!(DeltaRow { table, op, key, changed_columns, severity, dollars });

/// Seven bits a byte, the lowest first.
impl Stored for u64 {
    fn put(&self, out: &mut Vec<u8>) {
        let mut rest = *self;
        while rest > 0x7F {
            out.push((rest & 0x7F) as u8 | 0x80);
            rest >>= 7;
        }
        out.push(rest as u8);
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = from.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }
}

impl Stored for usize {
    fn put(&self, out: &mut Vec<u8>) {
        (*self as u64).put(out);
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        usize::try_from(u64::take(from)?).ok()
    }
}

/// Small negative numbers are short too.
impl Stored for i64 {
    fn put(&self, out: &mut Vec<u8>) {
        ((self << 1) ^ (self >> 63)).cast_unsigned().put(out);
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        let folded = u64::take(from)?;
        Some((folded >> 1).cast_signed() ^ -(folded & 1).cast_signed())
    }
}

impl Stored for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        match from.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Stored for f64 {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend(self.to_bits().to_le_bytes());
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        Some(f64::from_bits(u64::from_le_bytes(from.chunk()?)))
    }
}

fn put_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    bytes.len().put(out);
    out.extend(bytes);
}

impl Stored for String {
    fn put(&self, out: &mut Vec<u8>) {
        put_bytes(self.as_bytes(), out);
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        Some(std::str::from_utf8(from.bytes()?).ok()?.to_owned())
    }
}

impl Stored for Arc<str> {
    fn put(&self, out: &mut Vec<u8>) {
        put_bytes(self.as_bytes(), out);
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        Some(std::str::from_utf8(from.bytes()?).ok()?.into())
    }
}

/// A name: what is not one is a [`Value`].
impl Stored for Text {
    fn put(&self, out: &mut Vec<u8>) {
        put_bytes(self.as_bytes(), out);
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        let bytes = from.bytes()?;
        Some(from.words.text(bytes))
    }
}

impl<T: Stored> Stored for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        if bool::take(from)? { T::take(from).map(Some) } else { Some(None) }
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        self.iter().for_each(|item| item.put(out));
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        let length = usize::take(from)?;
        // No item takes less than a byte, whatever the length claims.
        let mut items = Self::with_capacity(length.min(from.rest.len()));
        for _ in 0..length {
            items.push(T::take(from)?);
        }
        Some(items)
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        Some((A::take(from)?, B::take(from)?))
    }
}

impl<A: Stored, B: Stored, C: Stored> Stored for (A, B, C) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
        self.2.put(out);
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        Some((A::take(from)?, B::take(from)?, C::take(from)?))
    }
}

impl Stored for Key {
    fn put(&self, out: &mut Vec<u8>) {
        self.to_value().put(out);
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        Value::take(from).map(Self::from_value)
    }
}

impl Stored for Value {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Null => out.push(0),
            Self::Bool(flag) => out.push(1 + u8::from(*flag)),
            Self::Number(Number::Int(int)) => {
                out.push(3);
                int.put(out);
            }
            Self::Number(Number::Big(digits)) => {
                out.push(4);
                put_bytes(digits.as_bytes(), out);
            }
            Self::Number(Number::Float(float)) => {
                out.push(5);
                float.put(out);
            }
            Self::Text(text) => {
                out.push(6);
                text.put(out);
            }
            Self::Array(items) => {
                out.push(7);
                items.put(out);
            }
            Self::Object(object) => {
                out.push(8);
                let entries: Vec<(Text, Value)> =
                    object.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
                entries.put(out);
            }
        }
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        if from.depth > DEEPEST {
            return None;
        }
        from.depth += 1;
        let value = match from.byte()? {
            0 => Self::Null,
            kind @ (1 | 2) => Self::Bool(kind == 2),
            3 => Self::Number(Number::Int(i64::take(from)?)),
            4 => Self::Number(Number::Big(String::take(from)?.into())),
            5 => Self::Number(Number::Float(f64::take(from)?)),
            // Most keys are their row's alone: holding them once would gain nothing.
            6 => Self::Text(Text::from_wtf8(from.bytes()?)),
            7 => Self::Array(Vec::take(from)?),
            8 => Self::Object(Object::from_entries(Vec::take(from)?)),
            _ => return None,
        };
        from.depth -= 1;
        Some(value)
    }
}

impl Stored for Code {
    fn put(&self, out: &mut Vec<u8>) {
        put_bytes(self.as_str().as_bytes(), out);
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        let word = from.bytes()?;
        Self::ALL.iter().copied().find(|code| code.as_str().as_bytes() == word)
    }
}

impl Stored for Print {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Bytes(digest) => {
                out.push(0);
                digest.put(out);
            }
            Self::Rows(fingerprint) => {
                out.push(1);
                fingerprint.to_bits().put(out);
            }
        }
    }

    fn take(from: &mut Source<'_>) -> Option<Self> {
        match from.byte()? {
            0 => Arc::take(from).map(Self::Bytes),
            1 => u64::take(from).map(Fingerprint::from_bits).map(Self::Rows),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back<T: Stored>(value: &T) -> Option<T> {
        Source::new(&bytes_of(value), &mut Words::default()).whole()
    }

    #[test]
    fn what_was_put_comes_back() {
        for int in [0, 1, -1, 63, -64, 300, i64::MIN, i64::MAX] {
            assert_eq!(back(&int), Some(int));
            assert_eq!(back(&int.cast_unsigned()), Some(int.cast_unsigned()));
        }
        let object =
            [(Text::from("Größe"), Value::from(2.5)), (Text::from_wtf8(b"\xED\xA0\x80"), Value::Null)];
        let big = Value::Number(Number::from_decimal("123456789012345678901234567890"));
        let nan = Value::Number(Number::Float(f64::NAN));
        let value = Value::Array(vec![Value::Object(object.into_iter().collect()), big, nan, true.into()]);
        assert_eq!(format!("{:?}", back(&value)), format!("{:?}", Some(value)));
        for code in Code::ALL {
            assert_eq!(back(code), Some(*code));
        }
    }

    #[test]
    fn broken_bytes_give_nothing() {
        let line = EditLine {
            table: "berth".into(),
            op: Op::Modified,
            keys: vec!["B1".into(), "B2".into()],
            columns: vec![("ship".into(), Some("S1".into()), None)],
        };
        let bytes = bytes_of(&line);
        for length in 0..bytes.len() {
            let cut = Source::new(&bytes[..length], &mut Words::default()).whole::<EditLine>();
            assert_eq!(cut, None, "cut at {length}");
        }
        assert_eq!(back(&line), Some(line));
        let deep = vec![[7, 1]; 100_000].concat();
        assert!(Source::new(&deep, &mut Words::default()).whole::<Value>().is_none());
        let long = [0xFF; 12];
        assert!(Source::new(&long, &mut Words::default()).whole::<Vec<String>>().is_none());
    }
}
