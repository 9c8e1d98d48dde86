//! Each way an archive can be broken shows as its named problem, and the rest still opens.
#![allow(clippy::expect_used, reason = "a test")]

mod support;

use std::fs;
use std::sync::Arc;

use gainsay::archive::json;
use gainsay::model::{Code, Problem, Row, Text, Value};
use gainsay::study::{Options, Session, Study};
use support::{Archive, BATCH, K, TASK, edit_dump};

fn label(archive: &Archive) -> Arc<Study> {
    Session::open(&[archive.path().to_owned()], &Options::default()).label_all()
}

fn judged(study: &Study) -> usize {
    study.runs.iter().filter(|run| run.verdict().is_some()).count()
}

/// The only error of a study.
fn only_error(study: &Study) -> &Problem {
    let errors: Vec<&Problem> = study.problems.iter().filter(|problem| problem.is_error()).collect();
    assert_eq!(errors.len(), 1, "{errors:#?}");
    errors[0]
}

#[test]
fn the_small_archive_is_sound() {
    let study = label(&Archive::small());
    assert_eq!(study.problems, []);
    assert_eq!(judged(&study), K);
}

#[test]
fn a_truncated_dump() {
    let archive = Archive::small();
    let bytes = fs::read(archive.final_state(3)).expect("reads");
    fs::write(archive.final_state(3), &bytes[..bytes.len() / 2]).expect("writes");
    let study = label(&archive);
    let problem = only_error(&study);
    assert_eq!((problem.code, &problem.path), (Code::BadGzip, &archive.final_state(3)));
    assert_eq!(problem.place.run.as_deref(), Some("run_3"));
    assert_eq!(judged(&study), K - 1);
}

#[test]
fn a_dump_of_more_values_than_may_be_held() {
    let archive = Archive::small();
    edit_dump(&archive.final_state(3), |tables| {
        let rows = vec![Value::Object(Row::default()); 20_000];
        tables.push((Text::from("side_ledger"), Value::Array(rows)));
    });
    let limits = gainsay::archive::Limits { max_inflated: 200_000 };
    let options = Options { limits, ..Options::default() };
    let study = Session::open(&[archive.path().to_owned()], &options).label_all();
    let problem = only_error(&study);
    assert_eq!((problem.code, &problem.path), (Code::TooLarge, &archive.final_state(3)));
    assert_eq!(judged(&study), K - 1);
}

#[test]
fn an_empty_results_file() {
    let archive = Archive::small();
    fs::write(archive.results(2), "").expect("writes");
    let study = label(&archive);
    assert_eq!((only_error(&study).code, &only_error(&study).path), (Code::BadJson, &archive.results(2)));
    fs::write(archive.results(2), "{\"runs\": []}").expect("writes");
    let study = label(&archive);
    assert_eq!(
        (only_error(&study).code, &only_error(&study).path),
        (Code::EmptyResults, &archive.results(2))
    );
    assert_eq!(judged(&study), K - 1);
}

#[test]
fn a_missing_dump() {
    let archive = Archive::small();
    fs::remove_file(archive.post_seed(5)).expect("removes");
    let study = label(&archive);
    let problem = only_error(&study);
    assert_eq!((problem.code, &problem.path), (Code::MissingDump, &archive.run(5)));
    assert_eq!(problem.detail, "no post-seed dump");
    assert_eq!(judged(&study), K - 1);
}

#[test]
fn an_unknown_table() {
    let archive = Archive::small();
    edit_dump(&archive.final_state(4), |tables| {
        tables.push((Text::from("side_ledger"), Value::Array(Vec::new())));
    });
    let study = label(&archive);
    let problem = only_error(&study);
    assert_eq!(problem.code, Code::UnknownTable);
    assert_eq!(problem.place.table.as_deref(), Some("side_ledger"));
    assert_eq!(problem.place.run.as_deref(), Some("run_4"));
    assert_eq!(judged(&study), K - 1);
}

#[test]
fn bookkeeping_tables_are_no_blind_spot() {
    let archive = Archive::small();
    edit_dump(&archive.final_state(4), |tables| {
        tables.push((Text::from("sqlite_sequence"), Value::Array(Vec::new())));
    });
    let study = label(&archive);
    assert!(!study.problems.iter().any(Problem::is_error), "{:?}", study.problems);
}

/// Changes the first row's `column` of the first table that has rows.
fn change_first_row(tables: &mut [(Text, Value)]) -> (Text, Value) {
    let (name, rows) = tables
        .iter_mut()
        .find(|(_, rows)| rows.as_array().is_some_and(|rows| !rows.is_empty()))
        .expect("a table with rows");
    let Value::Array(rows) = rows else { unreachable!() };
    let row = rows[0].as_object().expect("a row").clone();
    let (column, _) = row.iter().last().expect("a column");
    let changed = row.iter().map(|(name, value)| {
        (name.clone(), if name == column { Value::from("drifted") } else { value.clone() })
    });
    let changed: Row = changed.collect();
    rows[0] = Value::Object(changed);
    (name.clone(), rows[0].clone())
}

#[test]
fn a_drifted_seed_is_named_with_table_and_row() {
    let archive = Archive::small();
    let mut table = None;
    edit_dump(&archive.post_seed(6), |tables| table = Some(change_first_row(tables).0));
    let study = label(&archive);
    let drifts: Vec<&Problem> =
        study.problems.iter().filter(|problem| problem.code == Code::PostSeedDrift).collect();
    assert_eq!(drifts.len(), 1, "{:#?}", study.problems);
    assert_eq!(drifts[0].path, archive.post_seed(6));
    assert_eq!(drifts[0].place.table, table.map(|table| table.to_string()));
    assert!(drifts[0].place.row.is_some());
    assert_eq!(judged(&study), K, "the verdicts stand");
}

#[test]
fn reordered_rows_are_no_drift() {
    let archive = Archive::small();
    edit_dump(&archive.post_seed(6), |tables| {
        tables.reverse();
        for (_, rows) in tables {
            if let Value::Array(rows) = rows {
                rows.reverse();
            }
        }
    });
    assert_eq!(label(&archive).problems, []);
}

#[test]
fn a_tampered_verdict_is_shown_and_not_believed() {
    let archive = Archive::small();
    let sound = label(&archive);
    let mut lines: Vec<String> = sound
        .runs
        .iter()
        .filter_map(|run| Some(gainsay::archive::verdicts::to_line(run.verdict()?)))
        .collect();
    let damaged = lines.iter().position(|line| line.contains("FAIL_DAMAGE")).expect("one with damage");
    let honest = lines[damaged].clone();
    lines[damaged] = honest.replace("\"eog_success\": false", "\"eog_success\": true");
    assert_ne!(lines[damaged], honest);
    archive.write("verdicts.jsonl", (lines.join("\n") + "\n").as_bytes());
    let study = label(&archive);
    let problem = only_error(&study);
    assert_eq!(problem.code, Code::VerdictDrift);
    assert!(problem.detail.contains("recorded {") && problem.detail.contains("recomputed {"));
    let shown: Vec<String> = study
        .runs
        .iter()
        .filter_map(|run| Some(gainsay::archive::verdicts::to_line(run.verdict()?)))
        .collect();
    assert!(shown.contains(&honest), "the recomputed verdict counts");
}

#[test]
fn a_path_that_leaves_the_archive() {
    let archive = Archive::small();
    archive.edit_manifest(|manifest| {
        manifest["tasks"][TASK]["runs"][0]["artifacts"]["final_state"] = "../../../../etc/passwd".into();
    });
    let study = label(&archive);
    let codes: Vec<Code> =
        study.problems.iter().filter(|problem| problem.is_error()).map(|problem| problem.code).collect();
    assert_eq!(codes, [Code::MissingDump, Code::UnsafePath], "{:#?}", study.problems);
    assert_eq!(judged(&study), K - 1);
}

#[test]
fn fewer_runs_than_planned() {
    let archive = Archive::small();
    fs::remove_dir_all(archive.run(8)).expect("removes");
    let study = label(&archive);
    let problem = only_error(&study);
    assert_eq!(problem.code, Code::RunCount);
    assert_eq!(problem.detail, "the manifest plans 8 runs, 7 are on disk");
    assert_eq!(problem.place.batch.as_deref(), Some(BATCH));
}

#[test]
fn a_crashed_run_is_no_liar() {
    let archive = Archive::small();
    let crashed = "{\"runs\": [{\"run_number\": 1, \"error\": \"502\", \"overall_success\": false}]}";
    let damaged = label(&archive)
        .runs
        .iter()
        .find(|run| run.verdict().is_some_and(|verdict| verdict.counts_as_damage))
        .map(|run| run.number);
    let number = damaged.expect("one with damage");
    fs::write(archive.results(number), crashed).expect("writes");
    let study = label(&archive);
    assert_eq!(study.problems, []);
    let run = study.runs.iter().find(|run| run.number == number).expect("the run");
    let verdict = run.verdict().expect("judged");
    assert_eq!(verdict.sub_label.map(|label| label.as_str()), Some("errored_after_mutation"));
    assert!(!verdict.refused_but_mutated());
    assert_eq!(run.digest().expect("a digest").contradictions, []);
}

#[test]
fn labelling_does_not_depend_on_threads_or_order() {
    let archive = Archive::small();
    fs::remove_file(archive.final_state(2)).expect("removes");
    edit_dump(&archive.post_seed(6), |tables| {
        change_first_row(tables);
    });
    let session = Session::open(&[archive.path().to_owned()], &Options::default());
    let with = |threads| {
        let mut last = None;
        session.label_on(threads, &mut |study| {
            last = Some(study);
            true
        });
        format!("{:#?}", last.expect("a study"))
    };
    let one = with(1);
    for _ in 0..5 {
        assert_eq!(with(4), one);
    }
}

#[test]
fn every_dump_keeps_what_json_readers_bend() {
    let odd = "[NaN, Infinity, \"\\ud800\", 123456789012345678901234567890]";
    let value = json::parse(odd.as_bytes()).expect("parses");
    assert_eq!(json::write(&value), odd);
}
