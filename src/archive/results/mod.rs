//! Results files: what a run's orchestrator wrote down.

mod flow;
mod outcome;

use std::path::Path;

use super::files::{Limits, parse_json, read_bytes, sha256};
use super::shape::{member, object, wrong_type};
use crate::model::{Check, Code, Number, Problem, RunRecord, Value};

/// Reads `results_<task>.json`: its first run.
///
/// # Errors
/// `EMPTY_RESULTS` if it holds no run, `WRONG_TYPE` if the run, its conversation or its checks have not the
/// shape they need to be judged by; else as [`read_json`](super::read_json). Odd messages inside a
/// conversation are kept as they are.
pub fn read(path: &Path, limits: &Limits) -> Result<Results, Problem> {
    let bytes = read_bytes(path, limits)?;
    let record = from_value(&parse_json(&bytes, path, limits)?, path)?;
    Ok(Results { record, sha256: sha256(&bytes) })
}

/// As [`read`], but only what a verdict rests on: the error, the checks, and of the conversation its last
/// message and the agent's last one. All else is passed over, as strictly as it would be read.
///
/// # Errors
/// As [`read`].
pub fn read_outcome(path: &Path, limits: &Limits) -> Result<RunRecord, Problem> {
    let bytes = read_bytes(path, limits)?;
    match outcome::outcome(&bytes, path) {
        Some(record) => Ok(record),
        None => from_value(&parse_json(&bytes, path, limits)?, path),
    }
}

/// A results file as read.
#[derive(Clone, Debug)]
pub struct Results {
    /// What it says.
    pub record: RunRecord,
    /// The SHA-256 of the file's bytes, in hexadecimal.
    pub sha256: String,
}

/// As [`read`], from the file's JSON; `path` is for problems.
///
/// # Errors
/// As [`read`].
pub fn from_value(value: &Value, path: &Path) -> Result<RunRecord, Problem> {
    let top = object(value, path, "a results file")?;
    let empty = || Problem::new(Code::EmptyResults, path, "`runs` holds no run");
    let run = match member(top, "runs") {
        Value::Null => return Err(empty()),
        Value::Array(runs) => object(runs.first().ok_or_else(empty)?, path, "`runs[0]`")?,
        other => return Err(wrong_type(path, "`runs`", "an array", other)),
    };
    let transcript = match member(run, "conversation_flow") {
        Value::Null => None,
        Value::Array(entries) => Some(flow::transcript(entries)),
        other => return Err(wrong_type(path, "`conversation_flow`", "an array", other)),
    };
    Ok(RunRecord {
        tokens: transcript.as_ref().and_then(flow::tokens),
        transcript,
        checks: checks(member(run, "verification_results"), path)?,
        error: Some(member(run, "error")).filter(|error| !error.is_null()).cloned(),
        model: member(top, "benchmark_config").get("model").and_then(Value::as_text).cloned(),
        started_at: run.get("started_at").and_then(Value::as_text).cloned(),
        execution_time_ms: match member(run, "execution_time_ms") {
            Value::Number(number) => Some(Number::to_f64(number)),
            _ => None,
        },
    })
}

fn checks(results: &Value, path: &Path) -> Result<Vec<Check>, Problem> {
    let results = match results {
        Value::Null => return Ok(Vec::new()),
        results => object(results, path, "`verification_results`")?,
    };
    Ok(results
        .iter()
        .map(|(name, result)| Check {
            name: name.clone(),
            passed: matches!(result.get("passed"), Some(Value::Bool(true))),
            expected: result.get("expected").cloned(),
            actual: result.get("actual").cloned(),
            query: result.get("query").and_then(Value::as_text).cloned(),
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::super::json;
    use super::*;

    fn record(text: &str) -> Result<RunRecord, String> {
        let value = json::parse(text.as_bytes()).expect("JSON");
        from_value(&value, Path::new("r.json")).map_err(|problem| problem.to_string())
    }

    #[test]
    fn a_crashed_run_has_no_transcript() {
        let record =
            record(r#"{"runs": [{"run_number": 1, "error": "", "overall_success": false}]}"#).expect("reads");
        assert!(record.transcript.is_none() && record.checks.is_empty() && !record.success());
        assert_eq!(record.error, Some(Value::from("")));
    }

    #[test]
    fn checks_pass_only_when_they_say_so_literally() {
        let record = record(
            r#"{"benchmark_config": {"model": "harbour/pilot-1"}, "runs": [{"error": null, "execution_time_ms": 12,
                "conversation_flow": [], "started_at": "2031-01-01", "verification_results": {
                "b": {"passed": true, "expected": 1, "actual": 1.0, "query": "SELECT 1"},
                "a": {"passed": 1}, "c": {"passed": "true"}, "d": 7}}]}"#,
        )
        .expect("reads");
        let shown: Vec<_> =
            record.checks.iter().map(|check| (check.name.to_string(), check.passed)).collect();
        assert_eq!(
            shown,
            [("b".into(), true), ("a".into(), false), ("c".into(), false), ("d".into(), false)]
        );
        assert_eq!(record.checks[0].query, Some("SELECT 1".into()));
        assert_eq!(record.error, None);
        assert_eq!(record.model, Some("harbour/pilot-1".into()));
        assert_eq!(record.execution_time_ms, Some(12.0));
        assert!(record.transcript.is_some_and(|transcript| transcript.messages.is_empty()));
    }

    #[test]
    fn files_without_a_run_and_of_the_wrong_shape_are_named() {
        for (text, shown) in [
            ("{}", "EMPTY_RESULTS r.json: `runs` holds no run"),
            (r#"{"runs": []}"#, "EMPTY_RESULTS r.json: `runs` holds no run"),
            (r#"{"runs": {}}"#, "WRONG_TYPE r.json: `runs` is not an array but object"),
            (r#"{"runs": [null]}"#, "WRONG_TYPE r.json: `runs[0]` is not an object but null"),
            ("[]", "WRONG_TYPE r.json: a results file is not an object but array"),
            (
                r#"{"runs": [{"conversation_flow": {}}]}"#,
                "WRONG_TYPE r.json: `conversation_flow` is not an array but object",
            ),
            (
                r#"{"runs": [{"verification_results": []}]}"#,
                "WRONG_TYPE r.json: `verification_results` is not an object but array",
            ),
        ] {
            assert_eq!(record(text).expect_err("a problem"), shown);
        }
    }
}
