//! Why a change is allowed or not and what it weighs: each reason in a run where it holds, next to one where
//! it does not.
#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

mod labeling;

use gainsay::damage::{Authorization, JudgedDelta, Miss, PriceSource, Priced};
use gainsay::model::{Code, Severity, Value};
use labeling::port::{departed, judged, run, with_row, without};

fn only(spec: &str, edit: impl FnOnce(&mut String)) -> JudgedDelta {
    let evidence = judged(&run(spec, edit)).evidence;
    let [judged] = evidence.deltas.as_slice() else { panic!("one delta") };
    judged.clone()
}

fn authorization(rule: &str, edit: impl FnOnce(&mut String)) -> Authorization {
    only(&format!(r#"{{"params": {{"ship": "VES_002"}}, "allowed": [{rule}]}}"#), edit).authorization
}

fn misses(rule: &str) -> Vec<Miss> {
    authorization(rule, departed).rules[0].misses.clone()
}

fn condition(column: &str, wanted: impl Into<Value>, found: Option<Value>) -> Miss {
    Miss::Condition { column: column.into(), wanted: wanted.into(), found }
}

#[test]
fn a_rule_misses_on_table_op_or_condition() {
    assert_eq!(misses("{}"), []);
    assert_eq!(misses(r#"{"table": "*", "op": "*", "where": {}}"#), []);
    assert_eq!(misses(r#"{"table": "vessel", "op": "modified"}"#), []);
    assert_eq!(misses(r#"{"table": "berth", "op": "added"}"#), [Miss::Table]);
    assert_eq!(misses(r#"{"table": "vessel", "op": "added"}"#), [Miss::Op]);
    assert_eq!(misses(r#"{"where": {"vessel_id": "$task.ship", "locked": 1, "seen": 1}}"#), []);
    assert_eq!(misses(r#"{"where": {"status": "departed"}}"#), [], "the final row decides");
    assert_eq!(
        misses(r#"{"op": "added", "where": {"status": "moored", "draught": 3, "title": "Morning ferry"}}"#),
        [Miss::Op, condition("status", "moored", Some("departed".into())), condition("draught", 3, None)]
    );
}

#[test]
fn a_wanted_null_matches_an_absent_column() {
    assert_eq!(misses(r#"{"where": {"draught": null}}"#), []);
    assert_eq!(
        misses(r#"{"where": {"berth": null}}"#),
        [condition("berth", Value::Null, Some("BER_01".into()))]
    );
}

#[test]
fn the_initial_row_decides_about_a_removal() {
    let gone = |seed: &mut String| without(seed, r#""fee_id": 6"#);
    assert!(
        authorization(r#"{"where": {"paid": false}, "columns": []}"#, gone).allowed,
        "columns are ignored"
    );
    assert!(!authorization(r#"{"where": {"paid": true}}"#, gone).allowed);
}

#[test]
fn columns_add_up_and_the_rest_is_the_residue() {
    let edit = |seed: &mut String| {
        departed(seed);
        *seed = seed.replace("Morning ferry", "Evening ferry").replace("\"seen\": 1}", "\"seen\": 2}");
    };
    let residue = |rules: &str| -> Vec<String> {
        // All three vessels have another `seen`, which is masked: one delta is left.
        authorization(rules, edit).residue.iter().map(ToString::to_string).collect()
    };
    assert_eq!(residue(r#"{"table": "berth"}"#), ["status", "title"]);
    assert_eq!(residue(r#"{"columns": ["status"]}"#), ["title"]);
    assert_eq!(residue(r#"{"columns": ["status"]}, {"columns": ["title", "berth"]}"#), [""; 0]);
    assert_eq!(residue(r#"{"columns": []}"#), ["status", "title"]);
    assert_eq!(residue(r#"{"columns": null}"#), [""; 0]);
    let both = authorization(r#"{"columns": ["status"]}, {"columns": []}"#, edit);
    assert!(!both.allowed);
    assert_eq!(both.rules[0].covers, ["status"]);
    assert!(both.rules[1].matched() && both.rules[1].covers.is_empty());
    let delta = only(r#"{"allowed": []}"#, edit).delta;
    assert_eq!((delta.changed.len(), delta.masked), (2, vec!["seen".into()]), "masked, yet visible");
}

fn priced(pricing: &str, edit: impl FnOnce(&mut String)) -> Priced {
    only(&format!(r#"{{"pricing": [{pricing}]}}"#), edit).priced.expect("damage")
}

#[test]
fn severity_is_from_the_first_matching_rule_that_names_one() {
    let from = |pricing: &str| {
        let priced = priced(pricing, departed);
        (priced.severity, priced.severity_from)
    };
    assert_eq!(from(r#"{"severity": "HIGH"}"#), (Severity::High, PriceSource::Rule(0)));
    assert_eq!(
        from(r#"{"table": "vessel"}, {"severity": "LOW"}, {"severity": "HIGH"}"#),
        (Severity::Low, PriceSource::Rule(1))
    );
    assert_eq!(from(r#"{"table": "berth", "severity": "HIGH"}"#), (Severity::Medium, PriceSource::Default));
    assert_eq!(
        from(r#"{"where": {"locked": false}, "severity": "HIGH"}"#),
        (Severity::Medium, PriceSource::Default)
    );
    assert_eq!(from(""), (Severity::Medium, PriceSource::Default));
}

#[test]
fn dollars_are_from_the_first_rule_whose_column_holds_a_value() {
    let fee = |id: u8| move |seed: &mut String| without(seed, &format!("\"fee_id\": {id}"));
    let from = |pricing: &str, id| {
        let priced = priced(pricing, fee(id));
        (priced.dollars, priced.dollars_from)
    };
    const RULES: &str = r#"{"dollars_from": "toll"}, {"dollars_from": "amount"}, {"dollars_from": "fee_id"}"#;
    assert_eq!(from(RULES, 6), (Some(1250.5), Some(1)), "absent: the next rule");
    assert_eq!(from(RULES, 7), (Some(7.0), Some(2)), "null: the next rule");
    assert_eq!(from(r#"{"dollars_from": "toll"}"#, 6), (None, None));
}

#[test]
fn the_row_before_the_damage_has_the_price() {
    let dearer = |seed: &mut String| *seed = seed.replace("1_250.5", "9");
    assert_eq!(priced(r#"{"dollars_from": "amount"}"#, dearer).dollars, Some(1250.5));
    let added = |seed: &mut String| with_row(seed, "port_fee", r#"{"fee_id": 9, "amount": 3}"#);
    assert_eq!(priced(r#"{"dollars_from": "amount"}"#, added).dollars, Some(3.0));
}

#[test]
fn what_is_no_amount_is_a_named_problem_and_no_price() {
    for (amount, dollars) in [
        ("\" 1e3 \"", Some(1000.0)),
        ("\"1_0.5\"", Some(10.5)),
        ("true", Some(1.0)),
        ("-2", Some(-2.0)),
        ("\"12 EUR\"", None),
        ("\"_1\"", None),
        ("\"\"", None),
        ("\"nan\"", None),
        ("\"inf\"", None),
        ("NaN", None),
        ("[1]", None),
    ] {
        let row = format!(r#"{{"fee_id": 9, "amount": {amount}}}"#);
        let spec = r#"{"pricing": [{"dollars_from": "amount"}, {"dollars_from": "fee_id"}]}"#;
        let judged = judged(&run(spec, |seed| with_row(seed, "port_fee", &row)));
        assert_eq!(judged.evidence.verdict.dollars, dollars, "{amount}");
        let bad: Vec<_> = judged.warnings.iter().filter(|found| found.code == Code::BadPrice).collect();
        assert_eq!(bad.len(), usize::from(dollars.is_none()), "{amount}");
        for found in bad {
            let place = (found.table.as_deref(), found.row.as_deref(), found.column.as_deref());
            assert_eq!(place, (Some("port_fee"), Some("9"), Some("amount")));
        }
    }
}
