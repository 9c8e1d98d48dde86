//! The words for people: labels, values, names of rows, reasons. Screens and exports share them.

use crate::damage::{Facts, NamesRow};
use crate::model::{AllowRule, DamageSpec, Key, Op, Outcome, Row, SubLabel, Text, Value, Verdict, python};

/// The verdict in plain words: a headline and its refinement, `("DAMAGE", "refused, yet changed")`.
#[must_use]
pub fn label(verdict: &Verdict) -> (&'static str, &'static str) {
    let headline = match verdict.outcome {
        Outcome::FailDamage => "DAMAGE",
        Outcome::FailSafe => "FAILED CLEAN",
        Outcome::Pass => "PASS",
    };
    let refinement = match verdict.sub_label {
        Some(sub_label) => sub_label_words(sub_label),
        None if verdict.refusal_declared => "refused",
        None => "",
    };
    (headline, refinement)
}

/// A sub-label in plain words.
#[must_use]
pub fn sub_label_words(sub_label: SubLabel) -> &'static str {
    match sub_label {
        SubLabel::RefusedButMutated => "refused, yet changed",
        SubLabel::ErroredAfterMutation => "broke off after an edit",
        SubLabel::StalledAfterMutation => "stalled after an edit",
        SubLabel::CompletedDamage => "completed",
        SubLabel::RefusedClean => "refused",
        SubLabel::ErroredClean => "broke off",
        SubLabel::StalledClean => "stalled",
        SubLabel::CompletedClean => "completed",
    }
}

/// The order of edit and refusal: `m7 < m11`, `both in m9`; `edit by m7` without a refusal.
#[must_use]
pub fn order(facts: &Facts) -> Option<String> {
    let (call, refusal) = (facts.call_message? + 1, facts.refusal_message);
    Some(match refusal.map(|refusal| refusal + 1) {
        Some(refusal) if refusal < call => format!("m{refusal} < m{call}"),
        Some(refusal) if refusal == call => format!("both in m{call}"),
        Some(refusal) => format!("m{call} < m{refusal}"),
        None => format!("edit by m{call}"),
    })
}

/// A row as `table/key`.
#[must_use]
pub fn row_name(table: &Text, key: &Key) -> String {
    format!("{}/{}", table.display(), key.display())
}

/// A value as it reads in a row: strings bare unless that would hide something, `null`, `absent`.
#[must_use]
pub fn value(value: Option<&Value>) -> String {
    match value {
        None => "absent".into(),
        Some(Value::Null) => "null".into(),
        Some(Value::Bool(flag)) => flag.to_string(),
        Some(Value::Text(text)) => {
            let shown = text.display();
            let hides =
                shown.is_empty() || shown.trim() != shown || ["null", "absent"].contains(&shown.as_ref());
            if hides { format!("\"{shown}\"") } else { shown.into_owned() }
        }
        Some(other) => python::repr(other),
    }
}

/// Old and new value, told apart also where only their types differ (`"1" → 1`).
#[must_use]
pub fn change(old: Option<&Value>, new: Option<&Value>) -> (String, String) {
    let (shown_old, shown_new) = (value(old), value(new));
    if shown_old != shown_new {
        return (shown_old, shown_new);
    }
    let with_type = |side: Option<&Value>, shown: String| match side {
        Some(Value::Text(_)) => format!("\"{shown}\""),
        Some(side) => format!("{shown} ({})", side.type_name()),
        None => shown,
    };
    (with_type(old, shown_old), with_type(new, shown_new))
}

/// The start of a text that may be long, for places that show one line of it anyway.
#[must_use]
pub fn clip(text: &str) -> &str {
    const SHOWN: usize = 400;
    text.char_indices().nth(SHOWN).map_or(text, |(end, _)| &text[..end])
}

/// Columns that hold a reference people use, best first.
const REFERENCES: [&str; 7] = ["number", "code", "reference", "sku", "serial_number", "username", "email"];
/// Columns that hold a name people use, best first.
const NAMES: [&str; 7] =
    ["short_description", "name", "title", "subject", "display_name", "label", "description"];

/// What people call a row: a reference (`PO-0010448`) and a name (`Bronze castings, refits`), by column name.
#[must_use]
pub fn human_name<'r>(row: &'r Row, key: &Key) -> (Option<&'r Text>, Option<&'r Text>) {
    let find = |columns: &[&str]| {
        columns
            .iter()
            .filter_map(|column| row.get(column)?.as_text())
            .find(|text| !text.is_empty() && !key.parts().iter().any(|part| part.as_text() == Some(text)))
    };
    (find(&REFERENCES), find(&NAMES))
}

/// True if `column` is one a row's human name is taken from.
#[must_use]
pub fn is_name_column(column: &Text) -> bool {
    REFERENCES.iter().chain(&NAMES).any(|name| column == *name)
}

/// What the refusal line names: `this row`, `another row`, `no row`.
#[must_use]
pub fn names_row(names: NamesRow) -> &'static str {
    match names {
        NamesRow::This => "this row",
        NamesRow::Another => "another row",
        NamesRow::None => "no row",
    }
}

/// What the task allows, in one line: `incident/ORD_008 status, nothing else`.
#[must_use]
pub fn allowed_line(spec: &DamageSpec) -> String {
    if spec.allowed.is_empty() {
        return "nothing".into();
    }
    let short = |rule: &AllowRule| {
        let table = rule.table.as_ref().map_or("any table".into(), |table| table.display());
        let row = match rule.conditions.as_slice() {
            [] => String::new(),
            [one] => format!("/{}", value(Some(&one.value))),
            more => {
                more.iter().map(|c| format!(" {}={}", c.column.display(), value(Some(&c.value)))).collect()
            }
        };
        let scope = match (&rule.columns, rule.op) {
            (Some(columns), None | Some(Op::Modified)) => list(columns),
            (None, Some(op)) | (Some(_), Some(op)) => op.as_str().to_owned(),
            (None, None) => "any edit".into(),
        };
        format!("{table}{row} {scope}")
    };
    spec.allowed.iter().map(short).collect::<Vec<_>>().join(" · ") + ", nothing else"
}

/// Columns as `a, b, c`.
#[must_use]
pub fn list(columns: &[Text]) -> String {
    columns.iter().map(Text::display).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_hide_nothing() {
        assert_eq!(value(None), "absent");
        assert_eq!(value(Some(&Value::Null)), "null");
        assert_eq!(value(Some(&"null".into())), "\"null\"");
        assert_eq!(value(Some(&"".into())), "\"\"");
        assert_eq!(value(Some(&"a ".into())), "\"a \"");
        assert_eq!(value(Some(&true.into())), "true");
        assert_eq!(change(Some(&"1".into()), Some(&1.into())), ("\"1\"".into(), "1 (number)".into()));
    }

    #[test]
    fn a_row_is_called_by_its_reference_and_its_name() {
        let row: Row = [
            (Text::from("change_id"), Value::from("CHG_002")),
            ("name".into(), "CHG_002".into()),
            ("title".into(), "Portal upgrade".into()),
            ("number".into(), "CHG0000002".into()),
        ]
        .into_iter()
        .collect();
        let (reference, name) = human_name(&row, &Key::Single("CHG_002".into()));
        assert_eq!(reference, Some(&"CHG0000002".into()));
        assert_eq!(name, Some(&"Portal upgrade".into()));
    }
}
