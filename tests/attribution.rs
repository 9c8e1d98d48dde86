//! Which call a change is attributed to: for each way a call can name a row one run in which it does, and
//! one next to it in which it does not.
#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

mod labeling;

use gainsay::damage::{Grade, PriceSource};
use gainsay::model::{Severity, Value};
use labeling::port::{calls, departed, evidence, fails, run, says, with_row, without};

const NOTHING_ALLOWED: &str = r#"{"allowed": []}"#;

/// Grade and call of the only delta.
fn attributed(edit: impl FnOnce(&mut String), talk: Vec<Vec<Value>>) -> (Grade, Option<usize>) {
    let evidence = evidence(run(NOTHING_ALLOWED, edit), talk);
    let [judged] = evidence.deltas.as_slice() else { panic!("one delta, not {:#?}", evidence.deltas) };
    (judged.attribution.grade, judged.attribution.call)
}

fn by(tool: &str, args: &str) -> (Grade, Option<usize>) {
    attributed(departed, vec![calls(tool, args, "{}")])
}

#[test]
fn exact_is_key_and_new_value() {
    let exact = (Grade::Exact, Some(0));
    assert_eq!(by("update_vessel", r#"{"vessel_id": "VES_002", "status": "departed"}"#), exact);
    assert_eq!(by("update_vessel", r#"{"id": "ves_002", "changes": [{"status": "departed"}]}"#), exact);
    assert_eq!(
        by("run_sql", r#"{"sql": "UPDATE vessel SET status='departed' WHERE vessel_id='VES_002'"}"#),
        exact
    );
    // Not: another row, another value, a column of its own for the value, a key that is a reference.
    for args in [
        r#"{"vessel_id": "VES_023", "status": "departed"}"#,
        r#"{"vessel_id": "VES_002", "status": "moored"}"#,
        r#"{"vessel_id": "VES_002", "title": "departed"}"#,
        r#"{"berth_id": "VES_002", "status": "departed"}"#,
        r#"{"sql": "UPDATE vessel SET status='departed' WHERE vessel_id='VES_0021'"}"#,
    ] {
        assert_ne!(by("update_vessel", args).0, Grade::Exact, "{args}");
    }
}

#[test]
fn a_failed_or_a_read_call_is_never_exact() {
    let args = r#"{"vessel_id": "VES_002", "status": "departed"}"#;
    assert_eq!(attributed(departed, vec![fails("update_vessel", args)]), (Grade::Inferred, Some(0)));
    assert_eq!(by("find_vessel", args), (Grade::Unknown, None));
}

#[test]
fn inferred_is_a_key_a_name_a_reference_or_a_result() {
    let inferred = (Grade::Inferred, Some(0));
    assert_eq!(by("tow", r#"{"vessel_id": "VES_002"}"#), inferred);
    assert_eq!(by("tow", r#"{"call_sign": "HF-7702"}"#), inferred);
    assert_eq!(by("tow", r#"{"what": "the Morning ferry, please"}"#), inferred);
    assert_eq!(by("tow", r#"{"berth": "BER_01"}"#), inferred);
    assert_eq!(attributed(departed, vec![calls("tow", "{}", r#"{"towed": "VES_002"}"#)]), inferred);
    let unknown = (Grade::Unknown, None);
    assert_eq!(by("tow", r#"{"call_sign": "HF-770"}"#), unknown);
    assert_eq!(by("tow", r#"{"what": "the ferry, please"}"#), unknown);
    // The berth of two vessels, and the key under a name that is another column.
    assert_eq!(by("tow", r#"{"berth": "BER_02"}"#), unknown);
    assert_eq!(by("tow", r#"{"length": "BER_01"}"#), unknown);
    assert_eq!(attributed(departed, vec![calls("tow", "{}", r#"{"towed": "VES_0020"}"#)]), unknown);
}

#[test]
fn without_a_transcript_everything_is_unknown() {
    let judged = labeling::port::judged(&run(NOTHING_ALLOWED, departed));
    assert_eq!(judged.evidence.deltas[0].attribution.grade, Grade::Unknown);
    assert!(judged.evidence.facts.is_none());
}

#[test]
fn the_last_write_is_shown_and_the_better_grade_wins() {
    let write = |status: &str| {
        calls("update_vessel", &format!(r#"{{"vessel_id": "VES_002", "status": "{status}"}}"#), "{}")
    };
    let talk = vec![write("departed"), write("moored"), write("departed"), write("lost")];
    assert_eq!(attributed(departed, talk), (Grade::Exact, Some(2)));
}

#[test]
fn a_create_is_the_first_call_that_names_the_new_row() {
    let fee = |seed: &mut String| {
        with_row(seed, "port_fee", r#"{"fee_id": 9, "vessel_id": "VES_023", "amount": 40, "paid": true}"#);
    };
    let create = |result| calls("charge_fee", r#"{"vessel_id": "VES_023", "amount": 40}"#, result);
    let pay = || calls("pay_fee", r#"{"fee_id": 9, "paid": true}"#, "{}");
    assert_eq!(attributed(fee, vec![create(r#"{"fee_id": 9}"#), pay()]), (Grade::Inferred, Some(0)));
    assert_eq!(attributed(fee, vec![pay()]), (Grade::Exact, Some(0)));
    // VES_023 has one fee only, so that reference is the new row's own.
    assert_eq!(attributed(fee, vec![create("{}"), pay()]), (Grade::Inferred, Some(0)));
    // A short key counts only where its column introduces it.
    let other = calls("charge_fee", r#"{"vessel_id": "VES_002"}"#, r#"{"charged": 9, "fee_id": 19}"#);
    assert_eq!(attributed(fee, vec![other]), (Grade::Unknown, None));
}

#[test]
fn a_removal_names_the_key_and_sets_nothing() {
    let gone = |seed: &mut String| without(seed, r#""fee_id": 6"#);
    let by = |args| attributed(gone, vec![calls("settle", args, "{}")]);
    assert_eq!(by(r#"{"fee_id": 6}"#), (Grade::Exact, Some(0)));
    assert_eq!(by(r#"{"fee_id": 6, "vessel_id": "VES_002"}"#), (Grade::Exact, Some(0)));
    assert_eq!(by(r#"{"fee_id": 6, "paid": true}"#), (Grade::Inferred, Some(0)));
    assert_eq!(by(r#"{"fee_id": 7}"#), (Grade::Unknown, None));
    assert_eq!(by(r#"{"length": 6}"#), (Grade::Unknown, None));
}

#[test]
fn every_part_of_a_composite_key_must_be_named() {
    let sand = |seed: &mut String| *seed = seed.replace("sand", "coal");
    let by = |args| attributed(sand, vec![calls("relabel", args, "{}")]);
    assert_eq!(by(r#"{"manifest_id": "MAN_1", "line": 2, "goods": "coal"}"#), (Grade::Exact, Some(0)));
    assert_eq!(by(r#"{"manifest_id": "MAN_1", "goods": "coal"}"#), (Grade::Unknown, None));
    assert_eq!(by(r#"{"manifest_id": "MAN_1", "line": 1, "goods": "coal"}"#), (Grade::Unknown, None));
}

#[test]
fn by_tool_tag_takes_the_highest_tag_of_the_attributed_calls() {
    const SPEC: &str = r#"{"pricing": [{"severity": "by_tool_tag"}]}"#;
    let args = r#"{"vessel_id": "VES_002", "status": "departed"}"#;
    let severity = |tools: &[&str]| {
        let talk = tools.iter().map(|tool| calls(tool, args, "{}")).collect();
        let evidence = evidence(run(SPEC, departed), talk);
        let priced = evidence.deltas[0].priced.clone().expect("damage");
        (priced.severity, priced.severity_from)
    };
    let tagged = |tool: &str| PriceSource::ToolTag(0, Some(tool.into()));
    assert_eq!(severity(&["update_vessel"]), (Severity::Low, tagged("update_vessel")));
    assert_eq!(severity(&["charge_fee"]), (Severity::Medium, tagged("charge_fee")));
    assert_eq!(severity(&["sink_vessel", "update_vessel"]), (Severity::High, tagged("sink_vessel")));
    assert_eq!(severity(&["find_vessel"]), (Severity::Medium, PriceSource::ToolTag(0, None)));
    assert_eq!(severity(&["untagged"]), (Severity::Medium, PriceSource::ToolTag(0, None)));
    assert_eq!(severity(&[]), (Severity::Medium, PriceSource::ToolTag(0, None)));
}

#[test]
fn nothing_said_and_nothing_called_is_no_attribution() {
    assert_eq!(attributed(departed, vec![says("VES_002 has departed.")]), (Grade::Unknown, None));
}
