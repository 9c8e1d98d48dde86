//! Values in Python's own spelling: `str(x)` and `repr(x)`.
//!
//! AgentRelBench orders deltas by `str(key)`, so files stay interchangeable only if this matches.

use std::fmt::Write as _;

use super::{Number, Object, Text, Value};

/// `str(value)`: strings bare, all else as [`repr`].
#[must_use]
pub fn str(value: &Value) -> String {
    match value {
        Value::Text(text) => text.display().into_owned(),
        other => repr(other),
    }
}

/// `repr(value)`.
#[must_use]
pub fn repr(value: &Value) -> String {
    let mut out = String::new();
    write_repr(&mut out, value);
    out
}

/// `repr` of a float: the shortest digits that read back the same, with an exponent where Python has one
/// (below 1e-4 and from 1e16 on).
#[must_use]
pub fn float_repr(float: f64) -> String {
    if float.is_nan() {
        return "nan".into();
    }
    if float.is_infinite() {
        return if float > 0.0 { "inf".into() } else { "-inf".into() };
    }
    let magnitude = float.abs();
    if magnitude != 0.0 && !(1e-4..1e16).contains(&magnitude) {
        // Rust writes `1e-5` and `1.5e300`, Python `1e-05` and `1.5e+300`.
        let text = format!("{float:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, digits) = match exponent.strip_prefix('-') {
            Some(digits) => ('-', digits),
            None => ('+', exponent),
        };
        return format!("{mantissa}e{sign}{digits:0>2}");
    }
    // `{:?}` keeps the `.0` of integral values but turns to exponents early, `{}` never does.
    let text = format!("{float}");
    if text.contains('.') { text } else { format!("{text}.0") }
}

/// `repr` of a `bytes` object.
#[must_use]
pub fn bytes_repr(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    let mut out = String::with_capacity(bytes.len() + 3);
    out.push('b');
    out.push(quote);
    for byte in bytes {
        match char::from(*byte) {
            c if c == quote || c == '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c @ ' '..='~' => out.push(c),
            _ => {
                out.push_str("\\x");
                let digits = [byte >> 4, byte & 0xF].into_iter();
                out.extend(digits.filter_map(|digit| char::from_digit(u32::from(digit), 16)));
            }
        }
    }
    out.push(quote);
    out
}

fn write_repr(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Number(Number::Int(int)) => {
            let _ = write!(out, "{int}");
        }
        Value::Number(Number::Big(digits)) => out.push_str(digits),
        Value::Number(Number::Float(float)) => out.push_str(&float_repr(*float)),
        Value::Text(text) => write_text_repr(out, text),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_repr(out, item);
            }
            out.push(']');
        }
        Value::Object(object) => write_object_repr(out, object),
    }
}

fn write_object_repr(out: &mut String, object: &Object) {
    out.push('{');
    for (index, (name, value)) in object.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write_text_repr(out, name);
        out.push_str(": ");
        write_repr(out, value);
    }
    out.push('}');
}

fn write_text_repr(out: &mut String, text: &Text) {
    let has = |quote: u8| text.as_bytes().contains(&quote);
    let quote = if has(b'\'') && !has(b'"') { '"' } else { '\'' };
    out.push(quote);
    for unit in text.code_points() {
        match char::from_u32(unit) {
            Some(c) if c == quote || c == '\\' => {
                out.push('\\');
                out.push(c);
            }
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some(c) if c.is_control() && unit < 0x100 => {
                let _ = write!(out, "\\x{unit:02x}");
            }
            Some(c) => out.push(c),
            None => {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out.push(quote);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_spelled_as_python_does() {
        // Right sides: printed by CPython 3.11.
        for (float, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (250.5, "250.5"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1e16, "1e+16"),
            (9007199254740992.0, "9007199254740992.0"),
            (1.5e300, "1.5e+300"),
            (123456789.123, "123456789.123"),
        ] {
            assert_eq!(float_repr(float), text);
        }
    }

    #[test]
    fn bytes_are_spelled_as_python_does() {
        // Right sides: printed by CPython 3.11.
        for (bytes, text) in [
            (&b""[..], "b''"),
            (b"ab \\ ~", r"b'ab \\ ~'"),
            (b"it's", r#"b"it's""#),
            (b"'\"", r#"b'\'"'"#),
            (b"\n\r\t\0\x7f\x80\xff", r"b'\n\r\t\x00\x7f\x80\xff'"),
        ] {
            assert_eq!(bytes_repr(bytes), text);
        }
    }

    #[test]
    fn composite_keys_read_as_python_lists() {
        let key = Value::Array(vec!["ROLE_1".into(), 2.into(), Value::Null, "it's".into()]);
        assert_eq!(str(&key), "['ROLE_1', 2, None, \"it's\"]");
        assert_eq!(str(&Value::from("CHG_002")), "CHG_002");
    }
}
