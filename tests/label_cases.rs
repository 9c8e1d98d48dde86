//! The labeler against rows that AgentRelBench wrote for random small tasks: every equality, condition,
//! column, price, termination and refusal corner.
#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

mod labeling;

use gainsay::archive::{json, verdicts};
use gainsay::model::Value;
use labeling::{Case, parse, record, registry, shared, state, task};

#[test]
fn every_case_gets_its_expected_row() {
    let Some(path) = shared("cases/labels.jsonl") else { return };
    let text = std::fs::read_to_string(path).expect("the cases");
    let (mut rows, mut failures) = (0, Vec::new());
    for line in text.lines() {
        let case = parse(line);
        let get = |name| case.get(name).unwrap_or_else(|| panic!("a case without {name}"));
        let name = get("case").as_str().expect("a name");
        let id = name.rsplit('/').next().unwrap_or(name);
        for run in get("runs").as_array().expect("runs") {
            let run_name = run.get("run").and_then(Value::as_str).expect("a run's name");
            let inputs = Case {
                task: task(id, get("damage")),
                registry: registry(get("primary_keys"), get("volatile_columns"), &Value::Array(Vec::new())),
                post_seed: state(get("post_seed")),
                final_state: state(run.get("final").expect("a final state")),
                record: record(run.get("results").expect("results")),
            };
            let expected = run.get("expected").expect("an expected row");
            rows += 1;
            let found = match inputs.judge_as(run_name) {
                Ok(judged) => json::write(&verdicts::to_value(&judged.evidence.verdict)),
                Err(findings) => {
                    failures.push(format!("{name} {run_name}: {findings:?}"));
                    continue;
                }
            };
            // As text: values would compare as Python's, `true` equal to `1`.
            let expected = json::write(expected);
            if found != expected {
                failures.push(format!("{name} {run_name}\n   found    {found}\n   expected {expected}"));
            }
        }
    }
    assert_eq!(rows, 1080);
    assert!(failures.is_empty(), "{} of {rows} rows differ:\n{}", failures.len(), failures.join("\n"));
}
