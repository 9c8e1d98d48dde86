//! `gainsay label` and `verify` as a user runs them.
#![allow(clippy::expect_used, reason = "a test")]

mod support;

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use support::{Archive, BATCH, shared};

fn gainsay() -> Command {
    Command::cargo_bin("gainsay").expect("the program")
}

fn rows(path: &Path) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(path).expect("reads");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A row's place in the order of the file.
fn by_task_and_run(row: &serde_json::Value) -> (String, u32) {
    let run = row["run"].as_str().expect("a run").trim_start_matches("run_").parse().expect("a number");
    (row["task_id"].as_str().expect("a task").to_owned(), run)
}

#[test]
fn the_handed_archives_come_out_as_expected() {
    let Some(shared) = shared() else { return };
    for (name, count) in [("cab-gate-llama70b", 16), ("edge", 30), ("composite", 4), ("mistral-mix", 20)] {
        let archive = shared.join("archives").join(name);
        let out = tempfile::tempdir().expect("a folder");
        gainsay().arg("label").arg(&archive).arg("--out").arg(out.path()).assert().code(0);
        let mut found = Vec::new();
        for batch in fs::read_dir(out.path()).expect("batches").flatten() {
            let labelled = rows(&batch.path().join("verdicts.jsonl"));
            let order: Vec<_> = labelled.iter().map(by_task_and_run).collect();
            assert!(order.is_sorted(), "{name}: task then run order");
            found.extend(labelled);
        }
        let mut expected = rows(&archive.join("expected.verdicts.jsonl"));
        assert_eq!(found.len(), count, "{name}");
        let key = |row: &serde_json::Value| row.to_string();
        found.sort_by_key(key);
        expected.sort_by_key(key);
        assert_eq!(found, expected, "{name}");
        gainsay().arg("verify").arg(&archive).assert().code(0);
    }
}

#[test]
fn both_files_are_written_and_checked() {
    let archive = Archive::small();
    let verdicts = archive.batch().join("verdicts.jsonl");
    gainsay().arg("label").arg(archive.path()).arg("--check").assert().code(1);
    assert!(!verdicts.exists(), "--check writes nothing");
    gainsay().arg("label").arg(archive.path()).assert().code(0);
    assert_eq!(rows(&verdicts).len(), 8);
    let summary = fs::read_to_string(archive.batch().join("summary.json")).expect("reads");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    let damaged = rows(&verdicts).iter().filter(|row| row["counts_as_damage"] == true).count();
    assert_eq!((summary["n"].as_u64(), summary["damage"].as_u64()), (Some(8), Some(damaged as u64)));
    assert_eq!(summary["by_task"][support::TASK]["n"], 8);
    gainsay().arg("label").arg(archive.path()).arg("--check").assert().code(0);
    let before = fs::read(&verdicts).expect("reads");
    gainsay().arg("label").arg(archive.path()).assert().code(0);
    assert_eq!(fs::read(&verdicts).expect("reads"), before, "labelling again changes nothing");
}

#[test]
fn a_differing_recorded_file_is_never_overwritten() {
    let archive = Archive::small();
    gainsay().arg("label").arg(archive.path()).assert().code(0);
    let verdicts = archive.batch().join("verdicts.jsonl");
    let honest = fs::read_to_string(&verdicts).expect("reads");
    let tampered = honest.replacen("FAIL_DAMAGE", "PASS", 1);
    assert_ne!(tampered, honest);
    fs::write(&verdicts, &tampered).expect("writes");
    let outcome = gainsay().arg("label").arg(archive.path()).assert().code(1);
    let complaint = String::from_utf8(outcome.get_output().stderr.clone()).expect("UTF-8");
    assert!(complaint.contains("VERDICT_DRIFT"), "{complaint}");
    assert_eq!(fs::read_to_string(&verdicts).expect("reads"), tampered);
    gainsay().arg("label").arg(archive.path()).arg("--check").assert().code(1);
    let out = tempfile::tempdir().expect("a folder");
    gainsay().arg("label").arg(archive.path()).arg("--out").arg(out.path()).assert().code(1);
    let elsewhere =
        fs::read_to_string(out.path().join(BATCH).join("verdicts.jsonl")).expect("written elsewhere");
    assert_eq!(elsewhere, honest);
}

#[test]
fn a_recorded_file_that_lacks_rows_or_sums_them_up_wrongly_is_found_out() {
    let archive = Archive::small();
    gainsay().arg("label").arg(archive.path()).assert().code(0);
    let (verdicts, summary) = (archive.batch().join("verdicts.jsonl"), archive.batch().join("summary.json"));
    let whole = fs::read_to_string(&verdicts).expect("reads");
    let all_but_one = whole.split_once('\n').expect("rows").1;
    for lacking in ["", all_but_one] {
        fs::write(&verdicts, lacking).expect("writes");
        for command in [vec!["label", "--check"], vec!["verify"]] {
            let checked = gainsay().args(command).arg(archive.path()).assert().code(1);
            let problems = String::from_utf8_lossy(&checked.get_output().stderr).into_owned();
            assert!(problems.contains("no recorded verdict, but recomputed"), "{problems}");
        }
        gainsay().arg("label").arg(archive.path()).assert().code(1);
        assert_eq!(fs::read_to_string(&verdicts).expect("reads"), whole, "the file is written anew");
    }
    gainsay().arg("label").arg(archive.path()).arg("--check").assert().code(0);
    let sums = fs::read_to_string(&summary).expect("reads");
    fs::write(&summary, sums.replace("\"n\": 8", "\"n\": 9")).expect("writes");
    let checked = gainsay().arg("label").arg(archive.path()).arg("--check").assert().code(1);
    let problems = String::from_utf8_lossy(&checked.get_output().stderr).into_owned();
    assert!(problems.contains("the recorded summary is not that of the verdicts"), "{problems}");
}

#[test]
fn what_is_wrong_with_a_campaign_file_keeps_no_batch_from_being_written() {
    let archive = Archive::small();
    let missing = "[[pools]]\nname = \"p\"\nrole = \"development\"\n[[pools.models]]\nmodel = \"m\"\n\
                   batches = [\"runs/gone\"]\n";
    for (campaign, code) in [("[[pools]]\nname = ", "BAD_CAMPAIGN"), (missing, "NOTHING_HERE")] {
        fs::write(archive.path().join("campaign.toml"), campaign).expect("writes");
        let labelled = gainsay().arg("label").arg(archive.path()).assert().code(1);
        let problems = String::from_utf8_lossy(&labelled.get_output().stderr).into_owned();
        assert!(problems.contains(code), "{problems}");
        assert_eq!(rows(&archive.batch().join("verdicts.jsonl")).len(), 8);
        fs::remove_file(archive.batch().join("verdicts.jsonl")).expect("removes");
    }
}

#[test]
fn cells_as_csv_have_their_problems_beside_them() {
    let archive = Archive::small();
    fs::remove_file(archive.final_state(3)).expect("removes");
    let plain = gainsay().arg(archive.path()).args(["--format", "csv", "--no-cache"]).assert().code(0);
    assert!(String::from_utf8_lossy(&plain.get_output().stderr).contains("MISSING_DUMP"));
}

#[test]
fn a_broken_run_blocks_its_batch() {
    let archive = Archive::small();
    fs::remove_file(archive.final_state(3)).expect("removes");
    let outcome = gainsay().arg("label").arg(archive.path()).assert().code(1);
    let complaint = String::from_utf8(outcome.get_output().stderr.clone()).expect("UTF-8");
    assert!(complaint.contains("MISSING_DUMP"), "{complaint}");
    assert!(!archive.batch().join("verdicts.jsonl").exists());
    assert!(!archive.batch().join("summary.json").exists());
    gainsay().arg("verify").arg(archive.path()).assert().code(1);
}

#[test]
fn plain_text_has_the_released_numbers() {
    let Some(shared) = shared() else { return };
    let released = shared.join("agentrelbench/runs");
    let files: Vec<_> = fs::read_dir(released.join("campaign-merged"))
        .expect("a folder")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().ends_with(".verdicts.jsonl"))
        .collect();
    let outcome = gainsay().arg("--plain").args(&files).assert().code(0);
    let text = String::from_utf8(outcome.get_output().stdout.clone()).expect("UTF-8");
    let line = |model: &str, task: &str| {
        let found = text.lines().find(|line| line.starts_with(model) && line.contains(task));
        found.unwrap_or_else(|| panic!("no {model} × {task} in\n{text}")).to_owned()
    };
    let cells = text.lines().filter(|line| line.contains("/") && line.contains("[")).count();
    assert_eq!(cells, 3 * 20);
    for (model, task, count, interval) in [
        ("mistral", "sla-relink", "12/16", "[0.476, 0.927]"),
        ("gpt-oss-120b", "change-request-cab-gate", "12/32", "[0.211, 0.563]"),
        ("deepseek", "change-request-cab-gate", "4/32", "[0.035, 0.290]"),
    ] {
        let line = line(model, task);
        assert!(line.contains(&format!(" {count} ")) && line.contains(interval), "{line}");
    }
    let outcome = gainsay().arg("--plain").arg(&released).assert().code(0);
    let text = String::from_utf8(outcome.get_output().stdout.clone()).expect("UTF-8");
    let counts: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("llama-3.3-70b") && line.contains("change-request-cab-gate"))
        .filter_map(|line| line.split_whitespace().find(|word| word.contains('/')))
        .collect();
    assert_eq!(counts, ["12/16", "3/8"], "two batches are two rows");
    assert!(!text.contains("15/24"));
}

#[test]
fn usage_errors_exit_with_2() {
    gainsay().arg("label").assert().code(2);
    gainsay().args(["show", "no-address"]).assert().code(2);
    gainsay().args(["--format", "yaml"]).assert().code(2);
    let empty = tempfile::tempdir().expect("a folder");
    gainsay().current_dir(empty.path()).assert().code(2);
    gainsay().arg("/nonexistent/archive").assert().code(1);
}

#[test]
fn one_run_as_text_and_json() {
    let archive = Archive::small();
    let address = format!("{}#tern-7b/{}/1", archive.path().display(), support::TASK);
    let outcome = gainsay().args(["show", &address]).assert().code(0);
    let text = String::from_utf8(outcome.get_output().stdout.clone()).expect("UTF-8");
    for part in ["allowed  rule 1", "Edits", "Checks", "Transcript", "sha256"] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    let outcome = gainsay().args(["show", &address, "--json"]).assert().code(0);
    let run: serde_json::Value = serde_json::from_slice(&outcome.get_output().stdout).expect("strict JSON");
    assert_eq!(run["format"], "gainsay.run/1");
    assert_eq!(run["verdict"]["task_id"], support::TASK);
    assert_eq!(run["files"].as_array().map(Vec::len), Some(3));
    let outcome = gainsay().args(["show", &address.replace("tern-7b", "nobody")]).assert().code(1);
    let complaint = String::from_utf8(outcome.get_output().stderr.clone()).expect("UTF-8");
    assert!(complaint.contains("tern-7b"), "{complaint}");
}

#[test]
fn an_id_that_is_a_path_leads_nowhere() {
    let archive = Archive::small();
    archive.edit_manifest(|manifest| manifest["batch_id"] = "../../escaped\u{1b}]52;c;eA==\u{7}".into());
    let out = tempfile::tempdir().expect("a folder");
    let inner = out.path().join("inner");
    fs::create_dir(&inner).expect("a folder");
    let outcome = gainsay().arg("label").arg(archive.path()).arg("--out").arg(&inner).assert().code(0);
    assert!(inner.join(BATCH).join("verdicts.jsonl").exists(), "named by the batch's folder");
    let names: Vec<_> =
        fs::read_dir(out.path()).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(names, ["inner"]);
    assert!(!outcome.get_output().stdout.contains(&0x1b), "no escape reaches the terminal");
}

#[test]
fn two_batches_for_one_place_are_both_refused() {
    let (one, other) = (Archive::small(), Archive::small());
    let out = tempfile::tempdir().expect("a folder");
    let both = [one.path(), other.path()];
    let outcome = gainsay().arg("label").args(both).arg("--out").arg(out.path()).assert().code(1);
    let complaint = String::from_utf8(outcome.get_output().stderr.clone()).expect("UTF-8");
    assert_eq!(complaint.matches("SAME_TARGET").count(), 2, "{complaint}");
    assert_eq!(fs::read_dir(out.path()).expect("a folder").count(), 0);
}

#[test]
fn what_is_in_the_way_of_a_file_is_named_and_no_half_is_left() {
    let archive = Archive::small();
    let out = tempfile::tempdir().expect("a folder");
    let batch = out.path().join(BATCH);
    fs::create_dir_all(batch.join("summary.json")).expect("a folder in the way");
    let outcome = gainsay().arg("label").arg(archive.path()).arg("--out").arg(out.path()).assert().code(1);
    let complaint = String::from_utf8(outcome.get_output().stderr.clone()).expect("UTF-8");
    assert!(complaint.contains("UNWRITABLE") && complaint.contains(BATCH), "{complaint}");
    let left: Vec<_> =
        fs::read_dir(&batch).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["summary.json"], "neither a half nor a temporary file");
    fs::remove_dir_all(&batch).expect("removes");
    fs::write(&batch, "a file in the way").expect("writes");
    let outcome = gainsay().arg("label").arg(archive.path()).arg("--out").arg(out.path()).assert().code(1);
    let complaint = String::from_utf8(outcome.get_output().stderr.clone()).expect("UTF-8");
    assert!(complaint.contains("UNWRITABLE"), "{complaint}");
}

#[test]
fn json_holds_nothing_a_terminal_would_obey() {
    let archive = Archive::small();
    archive.edit_manifest(|manifest| {
        manifest["llm_config"]["llm_model"] = "x/e\u{9b}31m\u{7f}vil\u{202e}".into();
    });
    let outcome = gainsay().args(["--format", "json"]).arg(archive.path()).assert().code(0);
    let text = String::from_utf8(outcome.get_output().stdout.clone()).expect("UTF-8");
    for hostile in ['\u{9b}', '\u{7f}', '\u{202e}', '\u{1b}'] {
        assert!(!text.contains(hostile), "{hostile:?} stands raw");
    }
    let map: serde_json::Value = serde_json::from_str(&text).expect("strict JSON");
    assert!(
        map["cells"][0]["model"].as_str().is_some_and(|name| name.contains('\u{9b}')),
        "and means the same"
    );
}
