//! The right answers of `../shared/cases`, where they are there.
#![allow(clippy::expect_used, clippy::print_stdout, reason = "helpers of tests")]

use std::path::Path;

use gainsay::stats::clopper_pearson;
use serde_json::Value;

/// The parsed file, or none where the shared folder is absent.
fn cases(name: &str) -> Option<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: no {}", path.display());
        return None;
    };
    Some(serde_json::from_str(&text).expect("the cases are JSON"))
}

/// A number written as a number or as a string of digits.
fn number(value: &Value) -> f64 {
    value.as_f64().or_else(|| value.as_str()?.parse().ok()).expect("a number")
}

fn count(value: &Value) -> u64 {
    value.as_u64().expect("a count")
}

#[test]
fn intervals() {
    let Some(cases) = cases("statistics.json") else { return };
    let cases = cases["clopper_pearson"].as_array().expect("a list");
    assert_eq!(cases.len(), 292);
    let mut worst = 0.0_f64;
    for case in cases {
        let got = clopper_pearson(count(&case[0]), count(&case[1]), number(&case[2])).expect("an interval");
        for (got, right) in [(got.low, number(&case[3])), (got.high, number(&case[4]))] {
            worst = worst.max((got - right).abs());
            assert!((got - right).abs() <= 1e-10, "{case}: {got}");
            // Far below the task's tolerance: 40 units in the last place.
            assert!((got - right).abs() <= right * 1e-14, "{case}: {got}");
        }
    }
    println!("largest error {worst:e}");
}
