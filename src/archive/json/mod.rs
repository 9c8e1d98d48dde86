//! JSON as Python's `json` module reads and writes it.
//!
//! General JSON readers bend what dumps hold: they refuse `NaN`, replace lone surrogates and round long
//! integers. This one keeps all of them, so that equality can be the dumping side's.

mod read;
mod write;

pub(super) use read::Reader;
pub use read::{JsonError, MAX_DEPTH, parse, parse_within};
pub use write::{write, write_in_order, write_indented};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::{Number, Object, Text, Value};

    fn text() -> impl Strategy<Value = Text> {
        let unit = prop_oneof![
            4 => 0x20u32..0x7F,
            1 => 0u32..0x20,
            1 => 0x7Fu32..0xD800,
            1 => 0xD800u32..0xE000,
            1 => 0xE000u32..0x11_0000,
        ];
        proptest::collection::vec(unit, 0..12).prop_map(|units| {
            // Written as escapes and read back, so that two halves of a pair become one code point.
            let mut escaped = String::from("\"");
            for unit in units {
                match char::from_u32(unit) {
                    Some(c) => c.encode_utf16(&mut [0; 2]).iter().for_each(|half| {
                        escaped.push_str(&format!("\\u{half:04X}"));
                    }),
                    None => escaped.push_str(&format!("\\u{unit:04x}")),
                }
            }
            escaped.push('"');
            parse(escaped.as_bytes()).expect("escapes").as_text().expect("a string").clone()
        })
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "-?[1-9][0-9]{0,40}".prop_map(|digits| Value::Number(Number::from_decimal(&digits))),
            text().prop_map(Value::Text),
        ];
        leaf.prop_recursive(5, 64, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
                proptest::collection::vec((text(), inner), 0..6)
                    .prop_map(|entries| Value::Object(Object::from_entries(entries))),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(value in value()) {
            for written in [write(&value), write_in_order(&value)] {
                let read = parse(written.as_bytes()).expect("parses");
                prop_assert_eq!(&read, &value);
                prop_assert_eq!(write(&read), write(&value));
            }
            // Equality does not tell 1 from 1.0; the debug form does.
            let read = parse(write_in_order(&value).as_bytes()).expect("parses");
            prop_assert_eq!(format!("{read:?}"), format!("{value:?}"));
        }

        #[test]
        fn skipping_is_as_strict_as_reading(value in value(), cut in 0usize..400, byte in any::<u8>()) {
            let mut bytes = write_in_order(&value).into_bytes();
            for edit in [false, true] {
                if edit {
                    let place = cut % bytes.len();
                    bytes[place] = byte;
                }
                let (mut read, mut skip) = (Reader::new(&bytes), Reader::new(&bytes));
                prop_assert_eq!(read.read(0).map(drop), skip.skip(0));
                prop_assert_eq!(read.at, skip.at);
            }
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = parse(&bytes);
        }

        #[test]
        fn no_broken_json_makes_it_panic(value in value(), cut in 0usize..400, byte in any::<u8>()) {
            let mut bytes = write(&value).into_bytes();
            let place = cut % (bytes.len() + 1);
            bytes.insert(place, byte);
            let _ = parse(&bytes);
            bytes.truncate(place);
            let _ = parse(&bytes);
        }
    }
}
