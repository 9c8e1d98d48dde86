//! Why a delta carries its label, as sentences: which rule allowed it, or which nearly did and on what they
//! failed; where severity and dollars are from.

use super::numbers;
use crate::damage::{JudgedDelta, Miss, PriceSource, RuleCheck};
use crate::model::{AllowRule, DamageSpec, Op, Text, python};

/// The reasons, one line each, not yet made printable.
#[must_use]
pub fn why(judged: &JudgedDelta, spec: &DamageSpec) -> Vec<String> {
    let mut lines =
        if judged.authorization.allowed { allowed(judged, spec) } else { not_allowed(judged, spec) };
    lines.extend(price(judged));
    lines
}

fn allowed(judged: &JudgedDelta, spec: &DamageSpec) -> Vec<String> {
    let matched = judged.authorization.rules.iter().filter(|check| check.matched());
    matched
        .filter_map(|check| {
            Some(format!("allowed by {}", rule_text(check.rule, spec.allowed.get(check.rule)?)))
        })
        .collect()
}

fn not_allowed(judged: &JudgedDelta, spec: &DamageSpec) -> Vec<String> {
    let table = &judged.delta.table;
    let concerned: Vec<&RuleCheck> =
        judged.authorization.rules.iter().filter(|check| !check.misses.contains(&Miss::Table)).collect();
    if concerned.is_empty() {
        return vec![format!("no rule covers table {table}")];
    }
    let mut lines = Vec::new();
    for check in concerned {
        let Some(rule) = spec.allowed.get(check.rule) else { continue };
        let text = rule_text(check.rule, rule);
        if !check.matched() {
            let misses: Vec<String> =
                check.misses.iter().map(|miss| miss_text(miss, judged.delta.op)).collect();
            lines.push(format!("{text} does not match: {}", misses.join("; ")));
        } else if !judged.authorization.residue.is_empty() {
            lines.push(format!("{text} matches, but not for {}", names(&judged.authorization.residue)));
        }
    }
    lines
}

fn miss_text(miss: &Miss, op: Op) -> String {
    match miss {
        Miss::Table => "it is about another table".into(),
        Miss::Op => format!("this row was {op}"),
        Miss::Condition { column, wanted, found } => match found {
            Some(found) => format!("{column} is {}, not {}", python::repr(found), python::repr(wanted)),
            None => format!("{column} is absent, not {}", python::repr(wanted)),
        },
    }
}

/// A rule as one line: `rule 1: incident modified where id = 'INC_1', columns status`.
#[must_use]
pub fn rule_text(index: usize, rule: &AllowRule) -> String {
    let mut text = format!("rule {}: {}", index + 1, allowance(rule));
    if let Some(columns) = &rule.columns
        && rule.op.is_none_or(|op| op == Op::Modified)
    {
        let columns = if columns.is_empty() { "none".into() } else { names(columns) };
        text.push_str(&format!(", columns {columns}"));
    }
    text
}

/// What a rule is about, without its columns: `incident modified where id = 'INC_1'`.
fn allowance(rule: &AllowRule) -> String {
    let table = rule.table.as_ref().map_or("any table".into(), Text::to_string);
    let op = rule.op.map_or("any edit", Op::as_str);
    let conditions: Vec<String> = rule
        .conditions
        .iter()
        .map(|condition| format!("{} = {}", condition.column, python::repr(&condition.value)))
        .collect();
    let filter =
        if conditions.is_empty() { String::new() } else { format!(" where {}", conditions.join(" and ")) };
    format!("{table} {op}{filter}")
}

fn names(columns: &[Text]) -> String {
    columns.iter().map(Text::to_string).collect::<Vec<_>>().join(", ")
}

fn price(judged: &JudgedDelta) -> Vec<String> {
    let Some(priced) = &judged.priced else { return Vec::new() };
    let source = match &priced.severity_from {
        PriceSource::Rule(rule) => format!("pricing rule {}", rule + 1),
        PriceSource::ToolTag(rule, Some(tool)) => format!("pricing rule {}, by the tag of {tool}", rule + 1),
        PriceSource::ToolTag(rule, None) => {
            format!("pricing rule {}, by tool tag: no call is attributed", rule + 1)
        }
        PriceSource::Default => "no pricing rule names one: the default".into(),
    };
    let mut lines = vec![format!("severity {}: {source}", priced.severity.as_str())];
    if let (Some(dollars), Some(rule)) = (priced.dollars, priced.dollars_from) {
        lines.push(format!("{}: pricing rule {}", numbers::dollars(dollars), rule + 1));
    }
    lines
}
