//! Folds a warning that k runs of a batch share into one.

use std::collections::BTreeMap;

use super::BatchInfo;
use crate::model::{Place, Problem};

/// A warning that says the same of several runs of a batch becomes one, about the batch, with the number
/// of runs. Errors are never folded: each is about something that is not judged.
pub(super) fn fold(problems: Vec<Problem>, batches: &[BatchInfo]) -> Vec<Problem> {
    let mut groups: BTreeMap<Problem, Vec<Problem>> = BTreeMap::new();
    let mut kept = Vec::new();
    for problem in problems {
        let batch = problem.place.batch.as_ref().and_then(|id| batches.iter().find(|batch| batch.id == *id));
        match batch {
            Some(batch) if !problem.is_error() && problem.place.run.is_some() => {
                let place = Box::new(Place { task: None, run: None, ..(*problem.place).clone() });
                let key = Problem { path: batch.path.clone(), place, ..problem.clone() };
                groups.entry(key).or_default().push(problem);
            }
            _ => kept.push(problem),
        }
    }
    for (shared, mut members) in groups {
        match (members.len(), members.pop()) {
            (1, Some(only)) => kept.push(only),
            (runs, _) => {
                kept.push(Problem { detail: format!("{} (in {runs} runs)", shared.detail), ..shared });
            }
        }
    }
    kept.sort();
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Code;

    fn problem(code: Code, run: &str) -> Problem {
        let place = Place { batch: Some("b1".into()), run: Some(run.into()), ..Place::default() };
        Problem::new(code, format!("b1/t/{run}"), "same words").at(place)
    }

    fn batch() -> BatchInfo {
        BatchInfo {
            id: "b1".into(),
            path: "b1".into(),
            root: ".".into(),
            k: None,
            started_at: None,
            settings: Vec::new(),
            synthetic: None,
        }
    }

    #[test]
    fn a_shared_warning_is_told_once_and_errors_each() {
        let problems = vec![
            problem(Code::DuplicateKey, "run_1"),
            problem(Code::DuplicateKey, "run_2"),
            problem(Code::MissingDump, "run_1"),
            problem(Code::MissingDump, "run_2"),
            problem(Code::BadPrice, "run_3"),
        ];
        let folded = fold(problems, &[batch()]);
        let told: Vec<String> = folded.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "MISSING_DUMP b1/t/run_1 (batch b1, run_1): same words",
                "MISSING_DUMP b1/t/run_2 (batch b1, run_2): same words",
                "BAD_PRICE b1/t/run_3 (batch b1, run_3): same words",
                "DUPLICATE_KEY b1 (batch b1): same words (in 2 runs)",
            ]
        );
    }
}
