//! Verdicts, attribution, facts and contradictions on whole archives.
#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

mod labeling;

use std::collections::BTreeMap;
use std::path::Path;

use gainsay::archive::{Limits, dump, json, registry, results, tasks, verdicts};
use gainsay::damage::{Evidence, Grade, NamesRow, RuleId};
use gainsay::model::{State, Text, Verdict};
use labeling::{Case, shared};

fn read_state(path: &Path) -> State {
    dump::read(path, &Limits::default()).expect("a dump").state
}

/// Every run of an archive of `../shared`, judged, by batch, task and run number.
fn judged(archive: &Path) -> BTreeMap<(String, String, u32), Evidence> {
    let mut runs = BTreeMap::new();
    for batch in folders(&archive.join("runs")) {
        for dir in folders(&batch) {
            let id = name(&dir);
            let home = folders(&archive.join("tasks")).into_iter().map(|domain| domain.join(&id));
            let home = home.into_iter().find(|home| home.is_dir()).expect("the task's folder");
            let (task, problems) = tasks::read(&home);
            let task = task.unwrap_or_else(|| panic!("{problems:?}"));
            let registries = registry::find(&archive.join("data/eog"));
            let registry = registries.read(&task.spec.domain).expect("registries").expect("this domain's");
            for run in folders(&dir) {
                let number = name(&run).trim_start_matches("run_").parse().expect("a number");
                let case = Case {
                    task: task.clone(),
                    registry: registry.clone(),
                    post_seed: read_state(&run.join("post_seed_state.json.gz")),
                    final_state: read_state(&run.join("final_state.json.gz")),
                    record: results::read(&run.join(format!("results_{id}.json")), &Limits::default())
                        .expect("results")
                        .record,
                };
                let judged = case.judge_as(&name(&run)).unwrap_or_else(|found| panic!("{found:?}"));
                runs.insert((name(&batch), id.clone(), number), judged.evidence);
            }
        }
    }
    runs
}

fn folders(path: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut folders: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn name(path: &Path) -> String {
    path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned()
}

#[test]
fn archives_get_their_expected_rows() {
    let Some(archives) = shared("archives") else { return };
    // Archive, runs, refused-but-mutated, passed-but-damaged.
    for (archive, rows, refused, passed) in [
        ("cab-gate-llama70b", 16, 12, 0),
        ("mistral-mix", 20, 0, 1),
        ("edge", 30, 4, 9),
        ("composite", 4, 0, 4),
    ] {
        let archive = archives.join(archive);
        let runs = judged(&archive);
        let (expected, problems) = verdicts::read(&archive.join("expected.verdicts.jsonl"));
        assert!(problems.is_empty(), "{problems:?}");
        let line = |verdict: &Verdict| json::write(&verdicts::to_value(verdict));
        let mut found: Vec<_> = runs.values().map(|evidence| line(&evidence.verdict)).collect();
        let mut expected: Vec<_> = expected.iter().map(line).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
        let count = |rule| {
            runs.values().filter(|evidence| evidence.contradictions.iter().any(|c| c.rule == rule)).count()
        };
        assert_eq!(
            (runs.len(), count(RuleId::RefusedButMutated), count(RuleId::PassedButDamaged)),
            (rows, refused, passed)
        );
    }
}

#[test]
fn the_refused_change_is_attributed_and_its_facts_are_told() {
    let Some(archive) = shared("archives/cab-gate-llama70b") else { return };
    let runs = judged(&archive);
    let damaged = || runs.iter().filter(|(_, evidence)| evidence.verdict.counts_as_damage);
    let deltas = damaged().flat_map(|(_, evidence)| evidence.deltas.iter().filter(|delta| delta.is_damage()));
    let grades: Vec<Grade> = deltas.map(|delta| delta.attribution.grade).collect();
    assert_eq!(grades, [Grade::Exact; 12]);

    let numbers = |holds: &dyn Fn(&gainsay::damage::Facts) -> bool| -> Vec<u32> {
        damaged()
            .filter(|(_, evidence)| holds(evidence.facts.as_ref().expect("facts")))
            .map(|((_, _, number), _)| *number)
            .collect()
    };
    assert_eq!(numbers(&|facts| facts.refusal_names == Some(NamesRow::This)), [1, 2]);
    assert_eq!(numbers(&|facts| facts.refusal_names == Some(NamesRow::Another)), [0u32; 0]);
    assert_eq!(numbers(&|facts| facts.admits == Some(true)), [1, 3, 5, 7, 9, 10, 11, 12, 14, 15]);

    let second = damaged().find(|((_, _, number), _)| *number == 2).expect("run_2").1;
    let facts = second.facts.as_ref().expect("facts");
    assert_eq!((facts.call_message, facts.refusal_message), (Some(6), Some(10)), "m7 → m11");
    let delta = &second.deltas.iter().find(|delta| delta.is_damage()).expect("damage").delta;
    assert_eq!(delta.key.display(), "CHG_002");
    assert_eq!(delta.changed, [Text::from("status")]);
    for ((_, _, number), evidence) in &runs {
        assert_eq!(evidence.facts.is_some(), evidence.verdict.counts_as_damage, "run_{number}");
    }
}
