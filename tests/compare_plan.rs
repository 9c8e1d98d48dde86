//! `gainsay compare` and `gainsay plan`, on small verdict files and through the program.
#![allow(clippy::expect_used, reason = "helpers of tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gainsay::stats::{Interval, Side, clopper_pearson, fisher_exact, runs_until_width};
use gainsay::study::compare::{Matched, compare};
use gainsay::study::figures::cells_of;
use gainsay::study::plan::{Goal, plans};
use gainsay::study::{ModelRow, Options, Session, Study};

/// A verdict file of one model: task, damage runs, runs.
fn file(dir: &Path, model: &str, cells: &[(&str, usize, usize)]) -> PathBuf {
    let cells: Vec<(&str, usize, usize, usize)> = cells.iter().map(|&(task, x, n)| (task, x, 0, n)).collect();
    file_with_errored(dir, model, &cells)
}

/// The same with runs that broke off clean: task, damage runs, errored runs, runs.
fn file_with_errored(dir: &Path, model: &str, cells: &[(&str, usize, usize, usize)]) -> PathBuf {
    let mut lines = String::new();
    for (task, x, errored, n) in cells {
        for run in 1..=*n {
            let (outcome, label, damage, upper) = if run <= *x {
                ("FAIL_DAMAGE", "\"completed_damage\"", true, true)
            } else if run <= x + errored {
                ("FAIL_SAFE", "\"errored_clean\"", false, true)
            } else {
                ("PASS", "null", false, false)
            };
            lines.push_str(&format!(
                "{{\"task_id\": \"{task}\", \"run\": \"run_{run}\", \"outcome\": \"{outcome}\", \
                 \"sub_label\": {label}, \"eog_success\": {}, \"severity\": null, \"dollars\": null, \
                 \"counts_as_damage\": {damage}, \"counts_as_damage_upper\": {upper}, \
                 \"refusal_declared\": false, \"inconsistency_flags\": [], \"deltas\": []}}\n",
                outcome == "PASS"
            ));
        }
    }
    let path = dir.join(format!("{model}.verdicts.jsonl"));
    fs::create_dir_all(dir).expect("a folder");
    fs::write(&path, lines).expect("writes");
    path
}

fn open(path: &Path) -> Arc<Study> {
    Session::open(&[path.to_owned()], &Options::default()).label_all()
}

#[test]
fn cells_are_compared_by_task_and_adjusted_together() {
    let dir = tempfile::tempdir().expect("a directory");
    let (a, b) = (dir.path().join("a"), dir.path().join("b"));
    file(&a, "wren", &[("only-a", 1, 8), ("t", 8, 8), ("u", 1, 8)]);
    file(&a, "tern", &[("t", 0, 8)]);
    file(&a, "gone", &[("t", 0, 8)]);
    file(&b, "wren", &[("only-b", 1, 8), ("t", 1, 8), ("u", 2, 8)]);
    file(&b, "tern", &[("t", 4, 8)]);
    let (before, after) = (open(&a), open(&b));
    let compared = compare(&before, &after, 0);
    assert_eq!(
        (compared.only_before.as_slice(), compared.only_after.len()),
        (["gone".to_owned()].as_slice(), 0)
    );
    let [tern, wren] = compared.models.as_slice() else { panic!("two models in both") };
    assert_eq!(
        (&wren.only_before, &wren.only_after),
        (&vec!["only-a".to_owned()], &vec!["only-b".to_owned()])
    );
    let [t, u] = wren.cells.as_slice() else { panic!("two tasks in both") };
    assert_eq!((t.task.as_str(), t.difference(), u.difference()), ("t", -0.875, 0.125));
    assert_eq!(t.p, fisher_exact(t.damage_before, t.damage_after).expect("p"));
    // Three tests are one family: the smallest p is multiplied by three.
    assert!((t.holm - 3.0 * t.p).abs() < 1e-15 && u.holm == 1.0);
    assert!((tern.cells[0].holm - 2.0 * tern.cells[0].p).abs() < 1e-15);
    let overall = wren.overall.as_ref().expect("two tasks");
    assert_eq!((overall.tasks, overall.fell, overall.rose), (2, 1, 1));
    assert!((overall.mean_difference - (-0.375)).abs() < 1e-15);
}

#[test]
fn the_only_models_are_compared_whatever_they_are_called() {
    let dir = tempfile::tempdir().expect("a directory");
    let one = file(dir.path(), "wren-1", &[("t", 1, 8)]);
    let two = file(dir.path(), "wren-2", &[("u", 1, 8)]);
    let compared = compare(&open(&one), &open(&two), 0);
    assert_eq!(compared.models.len(), 1);
    assert_eq!(compared.models[0].matched, Matched::OnlyModels);
    let told =
        stdout(&gainsay(&["compare", &one.display().to_string(), &two.display().to_string()]).success());
    assert!(told.contains("\ncomparing different models: wren-1 → wren-2\n"), "{told}");
    assert_eq!(compared.models[0].overall.as_ref().expect_err("nothing in both").reason, "no task in both");
}

/// `wren` in one archive is `wren@…` in another, where its batches stand apart.
#[test]
fn a_model_is_found_in_its_batches() {
    let study = |rows: &[(&str, &str)]| {
        let models = rows.iter().map(|&(name, full_name)| ModelRow {
            name: name.into(),
            full_name: full_name.into(),
            ..ModelRow::default()
        });
        Study { models: models.collect(), ..Study::default() }
    };
    let pairs = |one: &[(&str, &str)], two: &[(&str, &str)]| -> Vec<(usize, usize, Matched)> {
        let compared = compare(&study(one), &study(two), 0);
        compared.models.iter().map(|of| (of.before, of.after, of.matched)).collect()
    };
    let (wren, first, second) = (("wren", "a/wren"), ("wren@x", "a/wren"), ("wren@y", "a/wren"));
    assert_eq!(
        pairs(&[wren], &[first, second]),
        [(0, 0, Matched::SameFullName), (0, 1, Matched::SameFullName)]
    );
    assert_eq!(pairs(&[first, second], &[second, ("tern", "a/tern")]), [(1, 0, Matched::SameName)]);
    let third = ("wren@z", "a/wren");
    assert_eq!(pairs(&[first, second], &[third, ("wren@w", "a/wren")]), []);
    assert_eq!(pairs(&[("tern", "a/tern"), wren], &[("swift", "a/swift")]), []);
}

#[test]
fn plans_reach_what_they_promise() {
    let dir = tempfile::tempdir().expect("a directory");
    let study = open(&file(dir.path(), "wren", &[("clean", 0, 8), ("coin", 4, 8), ("rare", 1, 8)]));
    let cells = cells_of(&study, &[0]);
    let of = |goal| plans(&study, &cells, goal, 0.05);
    let band = Interval { low: 0.05, high: 0.95 };
    let settled = of(Goal::Band(band));
    let sides: Vec<Option<Side>> = settled.iter().map(|plan| plan.seen.side).collect();
    assert_eq!(sides, [Some(Side::Below), Some(Side::Inside), Some(Side::Inside)]);
    let runs: Vec<u64> = settled.iter().map(|plan| *plan.seen.runs.as_ref().expect("a plan")).collect();
    assert_eq!(runs[1], 0, "4 of 8 is settled");
    let clean = |more: u64| clopper_pearson(0, 8 + more, 0.05).expect("an interval").high < 0.05;
    assert!(clean(runs[0]) && !clean(runs[0] - 1));
    for plan in of(Goal::Width(0.2)) {
        assert_eq!(
            *plan.seen.runs.as_ref().expect("a plan"),
            runs_until_width(plan.seen.damage, 0.2, 0.05).expect("a plan")
        );
    }
    let detect = of(Goal::Detect(0.95));
    assert!(detect[0].seen.runs.is_err(), "no rate, no audit");
    // 1 − (1/2)^5 is the first above 0.95.
    assert_eq!(*detect[1].seen.runs.as_ref().expect("a plan"), 5);
    let (low, high) = detect[2].seen.runs_at_bounds.clone().expect("bounds");
    assert!(low.expect("a plan") > 23 && high.expect("a plan") < 23);
}

/// A run that broke off may have been about to do damage: its cell is not settled by what was seen.
#[test]
fn errored_runs_keep_a_cell_from_being_settled() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = file_with_errored(
        dir.path(),
        "wren",
        &[("broken", 0, 6, 16), ("coin", 8, 0, 16), ("same", 6, 4, 16), ("half", 7, 9, 16)],
    );
    let study = open(&path);
    let plans = plans(&study, &cells_of(&study, &[0]), Goal::Width(0.52), 0.05);
    let names: Vec<String> = plans.iter().map(|plan| plan.cell.name(&study)).collect();
    assert_eq!(names, ["wren/broken", "wren/coin", "wren/half", "wren/same"]);
    let upper = plans[0].upper.as_ref().expect("runs broke off");
    assert_eq!((plans[0].seen.damage.x, upper.damage.x, upper.damage.n), (0, 6, 16));
    assert_eq!(upper.interval, clopper_pearson(6, 16, 0.05).expect("an interval"));
    assert!(plans[1].upper.is_none() && plans[1].is_settled());
    let path = path.display().to_string();
    // 0 of 16 is at most .206 wide; 6 of 16 is not.
    let table = stdout(&gainsay(&["plan", &path, "--width", ".3"]).success());
    assert!(table.contains("0/16  ≤.206          settled on the seen count only\n"), "{table}");
    let wider = runs_until_width(upper.damage, 0.3, 0.05).expect("a plan");
    assert!(
        table.contains(&format!("  errored runs as damage       6/16  .152–.646      {wider}\n")),
        "{table}"
    );
    // 7 of 16 lies inside the band and 16 of 16 does not; 6 and 10 of 16 both do.
    let table = stdout(&gainsay(&["plan", &path, "--band", ".05,.95"]).success());
    let said = |name: &str| {
        let line = table.lines().find(|line| line.starts_with(name)).expect("a line");
        line.split("  ").last().expect("a text").trim().to_owned()
    };
    assert_eq!(said("wren/half"), "settled on the seen count only, lies inside", "{table}");
    assert_eq!(said("wren/same"), "settled, lies inside", "{table}");
    let json: serde_json::Value = serde_json::from_str(&stdout(
        &gainsay(&["plan", &path, "--detect", ".95", "--format", "json"]).success(),
    ))
    .expect("JSON");
    assert_eq!(json["format"], "gainsay.plan/1");
    assert_eq!(json["goal"]["detect"], 0.95);
    let broken = &json["cells"][0];
    assert_eq!((broken["seen"]["runs"].is_null(), broken["seen"]["runs_at_high"].as_u64()), (true, Some(13)));
    assert_eq!((broken["upper"]["runs"].as_u64(), broken["settled"].as_bool()), (Some(7), Some(false)));
    let table = stdout(&gainsay(&["plan", &path, "--detect", ".95"]).success());
    assert!(table.contains("  13 at the upper bound; at the seen rate 0 no number is enough\n"), "{table}");
}

fn gainsay(arguments: &[&str]) -> assert_cmd::assert::Assert {
    assert_cmd::Command::cargo_bin("gainsay").expect("built").args(arguments).assert()
}

fn stdout(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
}

#[test]
fn the_program_compares_and_plans() {
    let dir = tempfile::tempdir().expect("a directory");
    let one = file(&dir.path().join("a"), "wren", &[("t", 8, 8), ("u", 1, 8)]);
    let two = file(&dir.path().join("b"), "wren", &[("t", 1, 8), ("u", 2, 8)]);
    let (one, two) = (one.display().to_string(), two.display().to_string());
    let table = stdout(&gainsay(&["compare", &one, &two]).success());
    assert!(table.contains("  t          8/8       1/8     −.875"), "{table}");
    assert!(
        table.contains("overall, paired by task: mean change −.375 over 2 tasks, 1 fell, 1 rose"),
        "{table}"
    );
    let csv = stdout(&gainsay(&["compare", &one, &two, "--format", "csv"]).success());
    assert!(csv.contains("\r\nwren,wren,t,8,8,1,8,-0.875,"), "{csv}");
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&gainsay(&["compare", &one, &two, "--format", "json"]).success()))
            .expect("JSON");
    assert_eq!(json["models"][0]["cells"][1]["x_after"], 2);

    let plan = stdout(&gainsay(&["plan", &one, "--detect", "0.95", "--cell", "wren/u"]).success());
    assert!(
        plan.contains("wren/u") && plan.contains("23 (5 at the upper bound, 947 at the lower)"),
        "{plan}"
    );
    let plan = stdout(&gainsay(&["plan", &one, "--band", ".05,.95"]).success());
    assert!(plan.contains("to lie above") && plan.contains("48 to lie inside"), "{plan}");
    gainsay(&["plan", &one, "--cell", "wren/x"]).code(2);
    gainsay(&["plan", &one, "--width", "0.2", "--detect", "0.9"]).code(2);
    gainsay(&["plan", &one, "--width", "1.2"]).code(2);
    gainsay(&["stats", &one, "--pool", "x"]).code(2);
    gainsay(&["criteria", &one]).code(1);
}

/// Without a campaign file all models are one pool, and a pool of one model says the same as the model.
#[test]
fn figures_without_a_campaign_file() {
    let dir = tempfile::tempdir().expect("a directory");
    let one = file(dir.path(), "wren", &[("t", 0, 8)]);
    let csv = stdout(&gainsay(&["stats", &one.display().to_string(), "--format", "csv"]).success());
    assert!(csv.contains("\r\nall,,,miss_rate_pair,,,,,,,no damage-producing cell,\r\n"), "{csv}");
    assert!(csv.contains("\r\nall,,wren,on_disk,,8,,,,,,\r\n"), "{csv}");
    assert!(!csv.contains("NaN"), "{csv}");
    let json = stdout(
        &gainsay(&["stats", &one.display().to_string(), "--format", "json", "--bootstrap", "0"]).success(),
    );
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let rows = json["pools"][0]["groups"][0]["figures"].as_array().expect("rows").clone();
    let row = |name: &str| rows.iter().find(|row| row["figure"] == name).expect("a row").clone();
    assert_eq!(row("on_disk")["value"].to_string(), "8", "a count is a whole number");
    for row in &rows {
        for field in ["figure", "parameter", "value", "undefined", "bootstrap", "cells"] {
            assert!(row.get(field).is_some(), "every row has every field: {row}");
        }
    }
    assert!(row("miss_rate_pair")["value"].is_null() && row("miss_rate_pair")["bootstrap"].is_null());
    let md = stdout(
        &gainsay(&["stats", &one.display().to_string(), "--format", "md", "--bootstrap", "9"]).success(),
    );
    assert!(md.contains("\n## pool all, 1 model\n\n|  | pool | wren |\n| --- | ---: | ---: |\n"), "{md}");
    assert!(md.contains("Bootstrap: 9 resamples by task, seed 0"), "{md}");
}
