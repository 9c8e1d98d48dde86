//! One run as JSON: documented in the README, stable, one format number.
//!
//! Strict JSON: numbers JSON has no form for (`NaN`, `Infinity`) become strings; integers keep all digits.

use crate::archive::{json, verdicts};
use crate::damage::{Evidence, Facts, JudgedDelta, Miss, NamesRow, PriceSource, RuleCheck};
use crate::model::{
    CallStatus, Check, MessageKind, Number, Object, Problem, Row, RunRecord, Text, Transcript, Value, Verdict,
};
use crate::study::RunView;

/// Counts up when a field changes its meaning or goes; new fields do not count.
const FORMAT: &str = "gainsay.run/1";

/// The run: verdict, facts, contradictions, every delta with its rules, checks, transcript, provenance.
/// Message and call numbers are those on screen, from 1.
#[must_use]
pub fn run_json(view: &RunView) -> String {
    let evidence = view.evidence.as_ref();
    let document = object([
        ("format", FORMAT.into()),
        ("address", text(&view.address.to_string())),
        ("verdict", view.verdict().map_or(Value::Null, verdict)),
        ("verdict_from", if evidence.is_some() { "dumps".into() } else { "recorded".into() }),
        ("recorded", view.recorded.as_deref().map_or(Value::Null, verdict)),
        ("facts", evidence.and_then(|evidence| evidence.facts.as_ref()).map_or(Value::Null, facts)),
        ("contradictions", evidence.map_or(Value::Null, contradictions)),
        ("deltas", evidence.map_or(Value::Null, |evidence| list(&evidence.deltas, delta))),
        ("checks", view.record.as_ref().map_or(Value::Null, |record| list(&record.checks, check))),
        ("error", view.record.as_ref().and_then(|record| record.error.clone()).unwrap_or(Value::Null)),
        (
            "transcript",
            view.record
                .as_ref()
                .and_then(|record: &RunRecord| record.transcript.as_ref())
                .map_or(Value::Null, transcript),
        ),
        (
            "files",
            list(&view.provenance.files, |file| {
                object([
                    ("role", file.role.into()),
                    ("path", text(&file.path.display().to_string())),
                    ("sha256", optional(file.sha256.as_deref().map(text))),
                ])
            }),
        ),
        (
            "settings",
            object_of(
                view.provenance.facts.iter().map(|(label, value)| (Text::from(label.as_str()), text(value))),
            ),
        ),
        ("problems", list(&view.problems, problem)),
    ]);
    json::write_in_order(&strict(&document)) + "\n"
}

fn object<const N: usize>(entries: [(&str, Value); N]) -> Value {
    object_of(entries.into_iter().map(|(name, value)| (Text::from(name), value)))
}

fn object_of(entries: impl Iterator<Item = (Text, Value)>) -> Value {
    Value::Object(entries.collect())
}

fn list<T>(items: &[T], one: impl Fn(&T) -> Value) -> Value {
    Value::Array(items.iter().map(one).collect())
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn optional(value: Option<Value>) -> Value {
    value.unwrap_or(Value::Null)
}

/// Numbers from 1, as on screen.
fn number(index: Option<usize>) -> Value {
    optional(index.and_then(|index| i64::try_from(index + 1).ok()).map(Value::from))
}

fn verdict(row: &Verdict) -> Value {
    verdicts::to_value(row)
}

fn facts(facts: &Facts) -> Value {
    let names = facts.refusal_names.map(|names| match names {
        NamesRow::This => "this_row".into(),
        NamesRow::Another => "another_row".into(),
        NamesRow::None => "no_row".into(),
    });
    object([
        ("refusal_names", optional(names)),
        ("message_admits_edit", optional(facts.admits.map(Value::from))),
        ("call_message", number(facts.call_message)),
        ("refusal_message", number(facts.refusal_message)),
    ])
}

fn contradictions(evidence: &Evidence) -> Value {
    list(&evidence.contradictions, |contradiction| {
        object([
            ("rule", contradiction.rule.as_str().into()),
            ("message", number(contradiction.message)),
            ("call", number(contradiction.call)),
            ("delta", number(contradiction.delta)),
        ])
    })
}

fn delta(judged: &JudgedDelta) -> Value {
    let raw = &judged.delta;
    let row = |row: &Option<Row>| optional(row.clone().map(Value::Object));
    let names = |names: &[Text]| list(names, |name| Value::Text(name.clone()));
    let price = judged.priced.as_ref().map(|priced| {
        object([
            ("severity", priced.severity.as_str().into()),
            ("severity_from", severity_from(&priced.severity_from)),
            ("dollars", optional(priced.dollars.map(Value::from))),
            ("dollars_rule", number(priced.dollars_from)),
        ])
    });
    object([
        ("table", Value::Text(raw.table.clone())),
        ("op", raw.op.as_str().into()),
        ("key", raw.key.to_value()),
        ("allowed", judged.authorization.allowed.into()),
        ("changed_columns", names(&raw.changed)),
        ("not_allowed_columns", names(&judged.authorization.residue)),
        ("not_compared_columns", names(&raw.masked)),
        ("before", row(&raw.before)),
        ("after", row(&raw.after)),
        ("rules", list(&judged.authorization.rules, rule)),
        ("price", optional(price)),
        ("attribution", judged.attribution.grade.as_str().into()),
        ("call", number(judged.attribution.call)),
    ])
}

fn severity_from(source: &PriceSource) -> Value {
    match source {
        PriceSource::Rule(rule) => object([("rule", number(Some(*rule)))]),
        PriceSource::ToolTag(rule, tool) => {
            object([("rule", number(Some(*rule))), ("tool", optional(tool.clone().map(Value::Text)))])
        }
        PriceSource::Default => "default".into(),
    }
}

fn rule(check: &RuleCheck) -> Value {
    object([
        ("rule", number(Some(check.rule))),
        ("matched", check.matched().into()),
        ("covers", list(&check.covers, |name| Value::Text(name.clone()))),
        ("misses", list(&check.misses, miss)),
    ])
}

fn miss(miss: &Miss) -> Value {
    match miss {
        Miss::Table => "table".into(),
        Miss::Op => "op".into(),
        Miss::Condition { column, wanted, found } => object([
            ("column", Value::Text(column.clone())),
            ("wanted", wanted.clone()),
            ("found", optional(found.clone())),
        ]),
    }
}

fn check(check: &Check) -> Value {
    object([
        ("name", Value::Text(check.name.clone())),
        ("passed", check.passed.into()),
        ("expected", optional(check.expected.clone())),
        ("actual", optional(check.actual.clone())),
        ("query", optional(check.query.clone().map(Value::Text))),
    ])
}

fn transcript(transcript: &Transcript) -> Value {
    let messages = transcript.messages.iter().enumerate().map(|(index, message)| {
        let kind = match &message.kind {
            MessageKind::System(_) => "system".into(),
            MessageKind::User(_) => "user".into(),
            MessageKind::Agent(_) => "agent".into(),
            MessageKind::ToolResult { .. } => "tool_result".into(),
            MessageKind::Other { kind, .. } => Value::Text(kind.clone()),
        };
        let calls = transcript.calls_of(index).map(|call| {
            let status = match call.status {
                CallStatus::Ok => "ok",
                CallStatus::Failed => "failed",
                CallStatus::Unanswered => "unanswered",
            };
            object([
                ("tool", Value::Text(call.tool.clone())),
                ("args", call.args.clone()),
                ("status", status.into()),
                ("result_message", number(call.result)),
            ])
        });
        object([
            ("message", number(Some(index))),
            ("kind", kind),
            ("text", text(&message.text())),
            ("calls", Value::Array(calls.collect())),
        ])
    });
    Value::Array(messages.collect())
}

fn problem(problem: &Problem) -> Value {
    object([
        ("code", problem.code.as_str().into()),
        ("path", text(&problem.path.display().to_string())),
        ("place", text(&problem.place.to_string())),
        ("detail", text(&problem.detail)),
    ])
}

/// The same value with every number JSON has a form for.
fn strict(value: &Value) -> Value {
    match value {
        Value::Number(Number::Float(float)) if !float.is_finite() => {
            text(&crate::model::python::float_repr(*float))
        }
        Value::Array(items) => list(items, strict),
        Value::Object(object) => Value::Object(
            object.iter().map(|(name, value)| (name.clone(), strict(value))).collect::<Object>(),
        ),
        other => other.clone(),
    }
}
