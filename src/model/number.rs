//! Numbers as Python compares them.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

/// A JSON number, kept exactly.
///
/// Equality is Python's: by exact mathematical value, so `1` equals `1.0` and `9007199254740993` does not
/// equal `9007199254740992.0`. One deviation from Python, and so from AgentRelBench: `NaN` equals `NaN`,
/// since otherwise every row that holds one would read as changed (DESIGN §5.1).
#[derive(Clone, Debug)]
pub enum Number {
    /// An integer that fits 64 bits.
    Int(i64),
    /// A longer integer: optional `-`, then decimal digits without leading zeros.
    Big(Box<str>),
    /// Anything written with a fraction or exponent, and `NaN`, `Infinity`, `-Infinity`.
    Float(f64),
}

/// What equality and hash look at: one form for each mathematical value.
#[derive(PartialEq, Eq, Hash)]
enum Canonical<'a> {
    Int(i64),
    Big(Cow<'a, str>),
    Float(u64),
}

impl Number {
    /// An integer from its decimal digits (optional leading `-`).
    #[must_use]
    pub fn from_decimal(digits: &str) -> Self {
        if let Ok(int) = digits.parse() {
            return Self::Int(int);
        }
        let (sign, magnitude) = match digits.strip_prefix('-') {
            Some(rest) => ("-", rest),
            None => ("", digits),
        };
        let magnitude = magnitude.trim_start_matches('0');
        let text = format!("{sign}{magnitude}");
        text.parse().map_or_else(|_| Self::Big(text.into()), Self::Int)
    }

    /// The nearest `f64`.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "the nearest double is what is asked for")]
    pub fn to_f64(&self) -> f64 {
        match self {
            Self::Int(int) => *int as f64,
            Self::Big(digits) => digits.parse().unwrap_or(f64::NAN),
            Self::Float(float) => *float,
        }
    }

    fn canonical(&self) -> Canonical<'_> {
        match self {
            Self::Int(int) => Canonical::Int(*int),
            Self::Big(digits) => Canonical::Big(Cow::Borrowed(digits)),
            Self::Float(float) if float.is_nan() => Canonical::Float(f64::NAN.to_bits()),
            Self::Float(float) if float.is_finite() && float.fract() == 0.0 => {
                // `{:.0}` prints every digit of an integral double, so this is exact.
                let digits = format!("{:.0}", if *float == 0.0 { 0.0 } else { *float });
                match digits.parse() {
                    Ok(int) => Canonical::Int(int),
                    Err(_) => Canonical::Big(Cow::Owned(digits)),
                }
            }
            Self::Float(float) => Canonical::Float(float.to_bits()),
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
            _ => self.canonical() == other.canonical(),
        }
    }
}

impl Eq for Number {}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.canonical().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(number: &Number) -> u64 {
        let mut hasher = std::collections::hash_map::DefaultHasher::new();
        number.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn equality_is_by_exact_value_and_agrees_with_hash() {
        let equal = [
            (Number::Int(1), Number::Float(1.0)),
            (Number::Int(0), Number::Float(-0.0)),
            (Number::Float(0.0), Number::Float(-0.0)),
            (Number::Float(f64::NAN), Number::Float(-f64::NAN)),
            (Number::from_decimal("10000000000000000000000"), Number::Float(1e22)),
            (Number::from_decimal("9007199254740992"), Number::Float(9007199254740992.0)),
        ];
        for (a, b) in equal {
            assert_eq!(a, b);
            assert_eq!(hash(&a), hash(&b), "{a:?} {b:?}");
        }
        assert_ne!(Number::Int(9007199254740993), Number::Float(9007199254740992.0));
        assert_ne!(
            Number::from_decimal("123456789012345678901234567890"),
            Number::Float(1.2345678901234568e29)
        );
        assert_ne!(Number::Float(f64::INFINITY), Number::Float(f64::NEG_INFINITY));
    }

    #[test]
    fn small_integers_written_long_are_small() {
        assert!(matches!(Number::from_decimal("-0"), Number::Int(0)));
        assert!(matches!(Number::from_decimal("00000000000000000000012"), Number::Int(12)));
    }
}
