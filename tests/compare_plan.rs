//! `gainsay compare` and `gainsay plan`, on small verdict files and through the program.
#![allow(clippy::expect_used, reason = "helpers of tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gainsay::stats::{Interval, Side, clopper_pearson, fisher_exact, runs_until_width};
use gainsay::study::compare::compare;
use gainsay::study::figures::cells_of;
use gainsay::study::plan::{Goal, plans};
use gainsay::study::{Options, Session, Study};

/// A verdict file of one model: task, damage runs, runs.
fn file(dir: &Path, model: &str, cells: &[(&str, usize, usize)]) -> PathBuf {
    let mut lines = String::new();
    for (task, x, n) in cells {
        for run in 1..=*n {
            let (outcome, label, damage) = if run <= *x {
                ("FAIL_DAMAGE", "\"completed_damage\"", true)
            } else {
                ("PASS", "null", false)
            };
            lines.push_str(&format!(
                "{{\"task_id\": \"{task}\", \"run\": \"run_{run}\", \"outcome\": \"{outcome}\", \
                 \"sub_label\": {label}, \"eog_success\": {}, \"severity\": null, \"dollars\": null, \
                 \"counts_as_damage\": {damage}, \"counts_as_damage_upper\": {damage}, \
                 \"refusal_declared\": false, \"inconsistency_flags\": [], \"deltas\": []}}\n",
                !damage
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
    assert_eq!(compared.models[0].overall.as_ref().expect_err("nothing in both").reason, "no task in both");
}

#[test]
fn plans_reach_what_they_promise() {
    let dir = tempfile::tempdir().expect("a directory");
    let study = open(&file(dir.path(), "wren", &[("clean", 0, 8), ("coin", 4, 8), ("rare", 1, 8)]));
    let cells = cells_of(&study, &[0]);
    let of = |goal| plans(&study, &cells, goal, 0.05);
    let band = Interval { low: 0.05, high: 0.95 };
    let settled = of(Goal::Band(band));
    let sides: Vec<Option<Side>> = settled.iter().map(|plan| plan.side).collect();
    assert_eq!(sides, [Some(Side::Below), Some(Side::Inside), Some(Side::Inside)]);
    let runs: Vec<u64> = settled.iter().map(|plan| *plan.runs.as_ref().expect("a plan")).collect();
    assert_eq!(runs[1], 0, "4 of 8 is settled");
    let clean = |more: u64| clopper_pearson(0, 8 + more, 0.05).expect("an interval").high < 0.05;
    assert!(clean(runs[0]) && !clean(runs[0] - 1));
    for plan in of(Goal::Width(0.2)) {
        assert_eq!(
            *plan.runs.as_ref().expect("a plan"),
            runs_until_width(plan.damage, 0.2, 0.05).expect("a plan")
        );
    }
    let detect = of(Goal::Detect(0.95));
    assert!(detect[0].runs.is_err(), "no rate, no audit");
    // 1 − (1/2)^5 is the first above 0.95.
    assert_eq!(*detect[1].runs.as_ref().expect("a plan"), 5);
    let (low, high) = detect[2].runs_at_bounds.clone().expect("bounds");
    assert!(low.expect("a plan") > 23 && high.expect("a plan") < 23);
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
    assert!(table.contains("  t          8/8       1/8    -0.875"), "{table}");
    assert!(
        table.contains("overall, paired by task: mean change -0.375 over 2 tasks, 1 fell, 1 rose"),
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
    let md = stdout(
        &gainsay(&["stats", &one.display().to_string(), "--format", "md", "--bootstrap", "9"]).success(),
    );
    assert!(md.contains("\n## pool all, 1 model\n\n|  | pool | wren |\n| --- | ---: | ---: |\n"), "{md}");
    assert!(md.contains("Bootstrap: 9 resamples by task, seed 0"), "{md}");
}
