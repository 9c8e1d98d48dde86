//! `damage.json`: the whitelist and the prices, with every `$task.<name>` bound.

use std::path::Path;

use super::shape::{list, member, object, text, texts, unknown_word, wrong_type};
use crate::model::{
    AllowRule, Code, Condition, DamageSpec, Object, Op, PriceRule, PricedAs, Problem, Severity, Text, Value,
};

/// What begins a value that stands for a parameter.
const PARAM: &[u8] = b"$task.";

/// A spec from the JSON of `damage.json`; `path` is for problems.
///
/// # Errors
/// All that is wrong with it: `WRONG_TYPE`, `UNKNOWN_WORD` for a severity or op outside the known words, and
/// `UNBOUND_PARAM`, also in a rule that would never match.
pub fn from_value(value: &Value, path: &Path) -> Result<DamageSpec, Vec<Problem>> {
    let mut reader = Reader { path, params: Object::default(), problems: Vec::new() };
    let spec = reader.spec(value);
    match spec {
        Ok(spec) if reader.problems.is_empty() => Ok(spec),
        Ok(_) => Err(reader.problems),
        Err(problem) => {
            reader.problems.push(problem);
            Err(reader.problems)
        }
    }
}

struct Reader<'a> {
    path: &'a Path,
    params: Object,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn spec(&mut self, value: &Value) -> Result<DamageSpec, Problem> {
        let top = object(value, self.path, "a damage spec")?;
        self.params = match member(top, "params") {
            Value::Null => Object::default(),
            params => object(params, self.path, "`params`")?.clone(),
        };
        let lever = |name| member(top, "predicted_lever").get(name).and_then(Value::as_text).cloned();
        let allowed = self.rules(top, "allowed", Self::allow_rule)?;
        let pricing = self.rules(top, "pricing", Self::price_rule)?;
        Ok(DamageSpec {
            task_id: top.get("task_id").and_then(Value::as_text).cloned().unwrap_or_default(),
            domain: text(top, "domain", self.path)?,
            params: self.params.clone(),
            lever: lever("lever"),
            predicted_region: lever("predicted_phat_region"),
            allowed,
            pricing,
        })
    }

    /// The rules of a list. A broken one is reported and the others are still looked at.
    fn rules<T>(
        &mut self,
        top: &Object,
        name: &str,
        rule: fn(&mut Self, &Object) -> Result<T, Problem>,
    ) -> Result<Vec<T>, Problem> {
        let mut rules = Vec::new();
        for (index, value) in list(top, name, self.path)?.iter().enumerate() {
            let what = format!("{name}[{index}]");
            let read = object(value, self.path, "the rule").and_then(|object| rule(self, object));
            match read {
                Ok(rule) => rules.push(rule),
                Err(mut problem) => {
                    problem.detail = format!("{what}: {}", problem.detail);
                    self.problems.push(problem);
                }
            }
        }
        Ok(rules)
    }

    fn allow_rule(&mut self, rule: &Object) -> Result<AllowRule, Problem> {
        Ok(AllowRule {
            table: self.table(rule)?,
            op: self.op(rule)?,
            conditions: self.conditions(rule)?,
            columns: match member(rule, "columns") {
                Value::Null => None,
                Value::Array(columns) => Some(texts(columns, self.path, "`columns`")?),
                other => return Err(wrong_type(self.path, "`columns`", "a list of strings", other)),
            },
        })
    }

    fn price_rule(&mut self, rule: &Object) -> Result<PriceRule, Problem> {
        let severity = match member(rule, "severity") {
            Value::Null => None,
            word => Some(match word.as_str() {
                Some("by_tool_tag") => PricedAs::ByToolTag,
                other => PricedAs::Fixed(
                    other
                        .and_then(Severity::parse)
                        .ok_or_else(|| unknown_word(self.path, "`severity`", word))?,
                ),
            }),
        };
        let dollars_from = match member(rule, "dollars_from") {
            Value::Null => None,
            Value::Text(column) => Some(column.clone()),
            other => return Err(wrong_type(self.path, "`dollars_from`", "a string", other)),
        };
        Ok(PriceRule {
            table: self.table(rule)?,
            op: self.op(rule)?,
            conditions: self.conditions(rule)?,
            severity,
            dollars_from,
        })
    }

    /// A rule's table must be named, if only by `*`: a whitelist is not widened by leaving words out.
    fn table(&self, rule: &Object) -> Result<Option<Text>, Problem> {
        text(rule, "table", self.path).map(|table| Some(table).filter(|table| *table != "*"))
    }

    fn op(&self, rule: &Object) -> Result<Option<Op>, Problem> {
        match member(rule, "op") {
            Value::Null => Ok(None),
            word if word.as_str() == Some("*") => Ok(None),
            word => match word.as_str().and_then(Op::parse) {
                Some(op) => Ok(Some(op)),
                None => Err(unknown_word(self.path, "`op`", word)),
            },
        }
    }

    fn conditions(&mut self, rule: &Object) -> Result<Vec<Condition>, Problem> {
        let conditions = match member(rule, "where") {
            Value::Null => return Ok(Vec::new()),
            conditions => object(conditions, self.path, "`where`")?,
        };
        conditions.iter().map(|(column, value)| self.condition(column, value)).collect()
    }

    fn condition(&self, column: &Text, value: &Value) -> Result<Condition, Problem> {
        let column = column.clone();
        let param = value.as_text().and_then(|text| text.as_bytes().strip_prefix(PARAM)).map(Text::from_wtf8);
        let Some(name) = param else { return Ok(Condition { column, value: value.clone(), param: None }) };
        match self.params.column(&name) {
            Some(bound) => Ok(Condition { column, value: bound.clone(), param: Some(name) }),
            None => {
                let detail = format!("`$task.{name}` is not among the params");
                Err(Problem::new(Code::UnboundParam, self.path, detail))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::json;
    use super::*;

    fn spec(text: &str) -> Result<DamageSpec, Vec<String>> {
        let value = json::parse(text.as_bytes()).expect("JSON");
        from_value(&value, Path::new("damage.json"))
            .map_err(|problems| problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn rules_are_bound_and_absent_parts_have_their_meaning() {
        let spec = spec(
            r#"{"task_id": "port/move", "domain": "port", "params": {"ship": 7, "none": null},
                "predicted_lever": {"lever": "scope", "predicted_phat_region": "low"},
                "allowed": [{"table": "*", "op": "*"}, {"table": "ship", "op": "modified", "columns": [],
                    "where": {"id": "$task.ship", "name": "task.ship", "gone": "$task.none"}}],
                "pricing": [{"table": "ship", "severity": "by_tool_tag", "where": {"id": "$task.ship"}},
                    {"table": "*", "op": "added", "severity": "HIGH", "dollars_from": "value"}]}"#,
        )
        .expect("a spec");
        let [any, ship] = &spec.allowed[..] else { panic!("two rules") };
        assert!(
            any.table.is_none() && any.op.is_none() && any.conditions.is_empty() && any.columns.is_none()
        );
        assert_eq!((ship.table.clone(), ship.op), (Some("ship".into()), Some(Op::Modified)));
        assert_eq!(ship.columns, Some(vec![]));
        let bound: Vec<_> = ship.conditions.iter().map(|condition| condition.value.clone()).collect();
        assert_eq!(bound, [Value::from(7), "task.ship".into(), Value::Null]);
        assert_eq!(ship.conditions[0].param, Some("ship".into()));
        assert_eq!(spec.pricing[0].severity, Some(PricedAs::ByToolTag));
        assert_eq!(spec.pricing[0].conditions[0].value, Value::from(7));
        assert_eq!(spec.pricing[1].severity, Some(PricedAs::Fixed(Severity::High)));
        assert_eq!(spec.pricing[1].dollars_from, Some("value".into()));
        assert_eq!((spec.lever, spec.predicted_region), (Some("scope".into()), Some("low".into())));
    }

    #[test]
    fn a_spec_of_nothing_but_its_domain_allows_nothing() {
        let spec = spec(r#"{"domain": "port"}"#).expect("a spec");
        assert!(spec.allowed.is_empty() && spec.pricing.is_empty());
    }

    #[test]
    fn all_that_is_wrong_is_named() {
        let problems = spec(
            r#"{"domain": "port", "allowed": [{"table": "a", "where": {"id": "$task.x"}}, {"op": "added"}, 7,
                    {"table": "a", "op": "moved"}, {"table": "a", "columns": "b"}, {"table": "a", "where": []}],
                "pricing": [{"table": "a", "severity": "GRAVE"}, {"table": "a", "severity": 3},
                    {"table": "a", "dollars_from": 1}]}"#,
        )
        .expect_err("problems");
        assert_eq!(
            problems,
            [
                "UNBOUND_PARAM damage.json: allowed[0]: `$task.x` is not among the params",
                "WRONG_TYPE damage.json: allowed[1]: `table` is not a string but null",
                "WRONG_TYPE damage.json: allowed[2]: the rule is not an object but number",
                "UNKNOWN_WORD damage.json: allowed[3]: `op` is none of the known words: \"moved\"",
                "WRONG_TYPE damage.json: allowed[4]: `columns` is not a list of strings but string",
                "WRONG_TYPE damage.json: allowed[5]: `where` is not an object but array",
                "UNKNOWN_WORD damage.json: pricing[0]: `severity` is none of the known words: \"GRAVE\"",
                "UNKNOWN_WORD damage.json: pricing[1]: `severity` is none of the known words: 3",
                "WRONG_TYPE damage.json: pricing[2]: `dollars_from` is not a string but number",
            ]
        );
        for text in [
            "[]",
            "{}",
            r#"{"domain": 1}"#,
            r#"{"domain": "a", "params": []}"#,
            r#"{"domain": "a", "allowed": {}}"#,
        ] {
            assert_eq!(spec(text).expect_err("a problem").len(), 1, "{text}");
        }
    }
}
