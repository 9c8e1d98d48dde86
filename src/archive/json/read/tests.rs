//! The reader against Python's dialect, odd text and deep nesting.

use std::collections::HashSet;

use super::*;

fn read(text: &str) -> Value {
    parse(text.as_bytes()).expect("parses")
}

fn error(bytes: &[u8]) -> JsonError {
    parse(bytes).expect_err("is no JSON")
}

#[test]
fn pythons_dialect_is_read() {
    let value = read(" {\"a\": [NaN, Infinity, -Infinity, 1e5, -0.0, -0], \"b\": {}, \"c\": [ ]}\n");
    let items = value.get("a").and_then(Value::as_array).expect("an array");
    assert!(
        matches!(items, [Value::Number(Number::Float(nan)), Value::Number(Number::Float(inf)), ..] if nan.is_nan() && *inf > 1e308)
    );
    assert_eq!(items[2], Value::from(f64::NEG_INFINITY));
    assert!(matches!(items[3], Value::Number(Number::Float(1e5))));
    assert!(matches!(items[4], Value::Number(Number::Float(zero)) if zero.is_sign_negative()));
    assert!(matches!(items[5], Value::Number(Number::Int(0))));
    let long = "123456789012345678901234567890";
    assert!(matches!(read(long), Value::Number(Number::Big(digits)) if *digits == *long));
    assert_eq!(read("\u{feff}7"), Value::from(7));
    assert!(matches!(read("1e999"), Value::Number(Number::Float(float)) if float.is_infinite()));
}

#[test]
fn small_texts_of_many_values_are_refused_before_they_are_built() {
    let value = |bytes: &str, room| parse_within(bytes.as_bytes(), room).map_err(|error| error.too_large);
    for text in ["[{},{},{},{},{},{},{},{}]", "[[[[[[[[[]]]]]]]]]", "[{\"a\":1,\"b\":[]},{\"a\":2}]"] {
        let value_of_all = value(text, 10_000).expect("fits");
        assert_eq!(value_of_all, read(text));
        assert_eq!(value(text, 500), Err(true), "{text}");
        let mut reader = Reader::new(text.as_bytes()).within(500);
        assert!(reader.skip(0).is_err_and(|error| error.too_large), "{text}");
    }
    assert_eq!(value("[1,", 10_000), Err(false));
}

#[test]
fn surrogates_pair_up_or_stay_alone() {
    assert_eq!(read(r#""\ud83d\ude00""#), Value::from("😀"));
    for (text, bytes) in [
        (r#""\ud800""#, &b"\xED\xA0\x80"[..]),
        (r#""\uDFFFx""#, b"\xED\xBF\xBFx"),
        (r#""\ud83d\u0041""#, b"\xED\xA0\xBDA"),
        (r#""\ud83d\ud83d\ude00""#, b"\xED\xA0\xBD\xF0\x9F\x98\x80"),
        (r#""\ude00\ud83d""#, b"\xED\xB8\x80\xED\xA0\xBD"),
    ] {
        assert_eq!(read(text).as_text().expect("a string").as_bytes(), bytes, "{text}");
    }
}

#[test]
fn escapes_are_resolved_in_names_too() {
    assert_eq!(read(r#""a\"\\\/\b\f\n\r\tz\u00e9""#), Value::from("a\"\\/\x08\x0C\n\r\tzé"));
    let value = read(r#"{"\u0061": 1, "a": 2, "a b": 3}"#);
    assert_eq!(value.get("a"), Some(&Value::from(2)));
    assert_eq!(value.as_object().expect("an object").len(), 2);
}

#[test]
fn deep_nesting_is_read_or_refused_but_never_overflows() {
    let work = || {
        let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let value = read(&deep(MAX_DEPTH));
        assert_eq!(value, value.clone());
        assert_eq!(super::super::write(&value), deep(MAX_DEPTH));
        assert_eq!(crate::model::python::repr(&value), deep(MAX_DEPTH));
        let _ = HashSet::from([value.clone()]).contains(&value);
        let objects = format!("{}0{}", "{\"a\":".repeat(MAX_DEPTH), "}".repeat(MAX_DEPTH));
        assert_eq!(read(&objects), read(&objects));
        assert_eq!(error(deep(MAX_DEPTH + 1).as_bytes()).message, "nested too deeply");
        assert_eq!(error("[".repeat(1_000_000).as_bytes()).message, "nested too deeply");
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("spawns");
    thread.join().expect("does not overflow");
}

#[test]
fn what_is_no_json_is_named_with_its_place() {
    for (bytes, offset) in [
        (&b""[..], 0),
        (b"  ", 2),
        (b"[1,]", 3),
        (b"{\"a\" 1}", 5),
        (b"{a: 1}", 1),
        (b"{\"a\": 1,}", 8),
        (b"[1 2]", 3),
        (b"\"abc", 0),
        (b"\"a\nb\"", 2),
        (b"\"a\\x\"", 2),
        (b"\"\\ud8\"", 1),
        (b"\"\\u00g0\"", 1),
        (b"01", 1),
        (b"1.", 1),
        (b"1e", 1),
        (b"-", 1),
        (b"-NaN", 1),
        (b"+1", 0),
        (b"nul", 0),
        (b"{} x", 3),
        (b"\"a\xFFb\"", 2),
        (b"\"\xED\xA0\x80\"", 1),
        (b"[1", 2),
    ] {
        assert_eq!(error(bytes).offset, offset, "{}", String::from_utf8_lossy(bytes));
    }
}
