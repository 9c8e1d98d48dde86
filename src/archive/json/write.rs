//! The writer: [`Value`] to text, spelled as Python's `json.dumps` spells it.

use std::fmt::Write as _;

use crate::model::{Number, Object, Text, Value, python};

/// `json.dumps(value, sort_keys=True)`: names sorted by code point, `", "` and `": "`, ASCII only.
#[must_use]
pub fn write(value: &Value) -> String {
    let mut writer = Writer { out: String::new(), sorted: true, depth: None };
    writer.value(value);
    writer.out
}

/// `json.dumps(value)`: names in their written order, else as [`write()`].
#[must_use]
pub fn write_in_order(value: &Value) -> String {
    let mut writer = Writer { out: String::new(), sorted: false, depth: None };
    writer.value(value);
    writer.out
}

/// `json.dumps(value, indent=2)`: names in their written order, one member or item a line.
#[must_use]
pub fn write_indented(value: &Value) -> String {
    let mut writer = Writer { out: String::new(), sorted: false, depth: Some(0) };
    writer.value(value);
    writer.out
}

struct Writer {
    out: String,
    sorted: bool,
    /// How deep the place is, if members and items have lines of their own.
    depth: Option<usize>,
}

impl Writer {
    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.out.push_str("null"),
            Value::Bool(true) => self.out.push_str("true"),
            Value::Bool(false) => self.out.push_str("false"),
            Value::Number(number) => self.number(number),
            Value::Text(text) => self.text(text),
            Value::Array(items) => self.array(items),
            Value::Object(object) => self.object(object),
        }
    }

    fn array(&mut self, items: &[Value]) {
        self.out.push('[');
        self.deepen();
        for (index, item) in items.iter().enumerate() {
            self.separate(index);
            self.value(item);
        }
        self.close(']', items.is_empty());
    }

    fn object(&mut self, object: &Object) {
        let mut entries: Vec<(&Text, &Value)> = object.iter().collect();
        if self.sorted {
            entries.sort_by(|a, b| a.0.cmp(b.0));
        }
        self.out.push('{');
        self.deepen();
        for (index, (name, value)) in entries.into_iter().enumerate() {
            self.separate(index);
            self.text(name);
            self.out.push_str(": ");
            self.value(value);
        }
        self.close('}', object.is_empty());
    }

    fn deepen(&mut self) {
        self.depth = self.depth.map(|depth| depth + 1);
    }

    /// What stands before the member or item of this index.
    fn separate(&mut self, index: usize) {
        match (index, self.depth) {
            (0, None) => {}
            (_, None) => self.out.push_str(", "),
            (0, Some(_)) => self.new_line(),
            (_, Some(_)) => {
                self.out.push(',');
                self.new_line();
            }
        }
    }

    fn close(&mut self, bracket: char, empty: bool) {
        self.depth = self.depth.map(|depth| depth - 1);
        if self.depth.is_some() && !empty {
            self.new_line();
        }
        self.out.push(bracket);
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", self.depth.unwrap_or(0)));
    }

    fn number(&mut self, number: &Number) {
        match number {
            Number::Int(int) => {
                let _ = write!(self.out, "{int}");
            }
            Number::Big(digits) => self.out.push_str(digits),
            Number::Float(float) if float.is_nan() => self.out.push_str("NaN"),
            Number::Float(f64::INFINITY) => self.out.push_str("Infinity"),
            Number::Float(f64::NEG_INFINITY) => self.out.push_str("-Infinity"),
            Number::Float(float) => self.out.push_str(&python::float_repr(*float)),
        }
    }

    fn text(&mut self, text: &Text) {
        self.out.push('"');
        match text.as_str() {
            Some(plain)
                if plain.bytes().all(|byte| matches!(byte, b' '..=b'~') && !b"\"\\".contains(&byte)) =>
            {
                self.out.push_str(plain);
            }
            _ => text.code_points().for_each(|unit| self.code_point(unit)),
        }
        self.out.push('"');
    }

    fn code_point(&mut self, unit: u32) {
        match char::from_u32(unit) {
            Some('"') => self.out.push_str("\\\""),
            Some('\\') => self.out.push_str("\\\\"),
            Some('\n') => self.out.push_str("\\n"),
            Some('\r') => self.out.push_str("\\r"),
            Some('\t') => self.out.push_str("\\t"),
            Some('\x08') => self.out.push_str("\\b"),
            Some('\x0C') => self.out.push_str("\\f"),
            Some(c @ ' '..='~') => self.out.push(c),
            Some(c) => {
                for half in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(self.out, "\\u{half:04x}");
                }
            }
            None => {
                let _ = write!(self.out, "\\u{unit:04x}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn spelling_is_pythons() {
        // Right sides: printed by CPython 3.11's json.dumps.
        for (text, sorted) in [
            (r#"{"b":1,"a":[1.0,1e16,1e-5,-0.0]}"#, r#"{"a": [1.0, 1e+16, 1e-05, -0.0], "b": 1}"#),
            (r#"[NaN,Infinity,-Infinity,null,true,false]"#, "[NaN, Infinity, -Infinity, null, true, false]"),
            ("\"é😀\u{7f}\\ud800\\u0001\\/\"", r#""\u00e9\ud83d\ude00\u007f\ud800\u0001/""#),
            (r#"{"😀":1,"\uffff":2,"z":{}}"#, r#"{"z": {}, "\uffff": 2, "\ud83d\ude00": 1}"#),
            (r#""\"\\\b\f\n\r\t""#, r#""\"\\\b\f\n\r\t""#),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
        ] {
            assert_eq!(write(&parse(text.as_bytes()).expect("parses")), sorted);
        }
    }

    #[test]
    fn lines_are_indented_as_python_does() {
        let value = parse(br#"{"b":[1,{"c":null}],"a":{},"d":[]}"#).expect("parses");
        let lines = [
            "{",
            "  \"b\": [",
            "    1,",
            "    {",
            "      \"c\": null",
            "    }",
            "  ],",
            "  \"a\": {},",
            "  \"d\": []",
            "}",
        ];
        assert_eq!(write_indented(&value), lines.join("\n"));
    }

    #[test]
    fn order_can_be_kept() {
        let text = r#"{"b": 1, "a": {"d": 2, "c": 3}}"#;
        assert_eq!(write_in_order(&parse(text.as_bytes()).expect("parses")), text);
    }
}
