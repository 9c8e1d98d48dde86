//! The sample archive: made again, and compared byte for byte with `sample-data/`.
#![allow(clippy::expect_used, clippy::print_stdout, reason = "helpers of tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use gainsay::archive::json;
use gainsay::harness::sample;
use gainsay::model::Value;

fn sample_data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data")
}

fn files_below(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![dir.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("lists") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(dir).expect("below").to_owned();
                found.insert(name, fs::read(&path).expect("reads"));
            }
        }
    }
    found
}

#[test]
fn the_generator_makes_sample_data_byte_for_byte() {
    let dir = tempfile::tempdir().expect("a directory");
    let target = dir.path().join("sample");
    let summary = sample::write(&target).expect("writes");
    let (made, kept) = (files_below(&target), files_below(&sample_data()));
    let differing: Vec<_> = made
        .iter()
        .filter(|(path, bytes)| kept.get(*path) != Some(bytes))
        .map(|(path, _)| path)
        .chain(kept.keys().filter(|path| !made.contains_key(*path)))
        .collect();
    assert!(differing.is_empty(), "{} files differ, first {:?}", differing.len(), differing.first());
    assert_eq!(summary.files, made.len());
    assert!(summary.bytes <= 6_000_000, "{} bytes", summary.bytes);
    assert!(summary.runs >= 400 && summary.models >= 5 && summary.tasks >= 8, "{summary:?}");
}

fn json(bytes: &[u8]) -> Value {
    json::parse(bytes).expect("parses")
}

fn named<'a>(files: &'a BTreeMap<PathBuf, Vec<u8>>, name: &str) -> Vec<(&'a Path, Value)> {
    let found = files.iter().filter(|(path, bytes)| path.ends_with(name) && !bytes.is_empty());
    found.map(|(path, bytes)| (path.as_path(), json(bytes))).collect()
}

#[test]
fn everything_says_that_it_is_synthetic() {
    let files = files_below(&sample_data());
    for (path, bytes) in &files {
        let text = if path.extension().is_some_and(|extension| extension == "gz") {
            let mut unpacked = String::new();
            // One dump is cut short on purpose; what can be unpacked of it says so all the same.
            let _ = GzDecoder::new(bytes.as_slice()).read_to_string(&mut unpacked);
            unpacked
        } else {
            String::from_utf8(bytes.clone()).expect("text")
        };
        assert!(bytes.is_empty() || text.to_lowercase().contains("synthetic"), "{}", path.display());
    }
    for (path, manifest) in named(&files, "manifest.json") {
        let notice = manifest.get("synthetic").and_then(Value::as_str);
        assert!(notice.is_some_and(|notice| notice.contains("invented")), "{}", path.display());
    }
}

#[test]
fn the_tasks_pull_at_the_fields_levers() {
    let files = files_below(&sample_data());
    let specs = named(&files, "damage.json");
    let levers: BTreeSet<String> = specs
        .iter()
        .filter_map(|(_, spec)| Some(spec.get("predicted_lever")?.get("lever")?.as_str()?.to_owned()))
        .collect();
    let known = [
        "entity-confusability",
        "filter-width",
        "irreversible-create",
        "order-sensitivity",
        "refusal-tension",
        "scope-trap",
    ];
    assert_eq!(levers.iter().map(String::as_str).collect::<Vec<_>>(), known);
    assert!(specs.len() >= 8);
}

#[test]
fn the_database_is_one_worth_looking_at() {
    let files = files_below(&sample_data());
    let keys = named(&files, "primary-keys-chandlery.json").remove(0).1;
    let keys = keys.get("primary_keys").and_then(Value::as_object).expect("keys");
    assert!(keys.len() >= 8);
    assert!(keys.iter().any(|(_, key)| key.as_array().is_some_and(|columns| columns.len() == 2)));
    let volatile = named(&files, "volatile-columns-chandlery.json").remove(0).1;
    assert!(volatile.get("volatile_columns").and_then(Value::as_object).is_some_and(|all| !all.is_empty()));
    let priced = named(&files, "damage.json").iter().any(|(_, spec)| {
        let rules = spec.get("pricing").and_then(Value::as_array).unwrap_or_default();
        rules.iter().any(|rule| rule.get("dollars_from").is_some())
    });
    assert!(priced);
}

#[test]
fn every_run_has_a_database_of_its_own() {
    let files = files_below(&sample_data());
    let manifests = named(&files, "manifest.json");
    let mut ids = BTreeSet::new();
    let (mut runs, mut own) = (0, 0);
    for (_, manifest) in &manifests {
        let tasks = manifest.get("tasks").and_then(Value::as_object).expect("tasks");
        for run in tasks.iter().filter_map(|(_, task)| task.get("runs")?.as_array()).flatten() {
            let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
            ids.insert(text(run.get("database_id")));
            let dump = text(run.get("artifacts").and_then(|paths| paths.get("post_seed_state")));
            own += usize::from(dump.contains(&format!("/{}/", text(run.get("run")))));
            runs += 1;
        }
    }
    assert_eq!(ids.len(), runs);
    assert!(own * 2 > runs && own < runs, "{own} of {runs} have a post-seed dump of their own");
}

#[test]
fn the_campaign_file_names_every_batch_in_one_pool() {
    let text = fs::read_to_string(sample_data().join("campaign.toml")).expect("reads");
    let campaign: toml::Table = text.parse().expect("parses");
    let pools = campaign["pools"].as_array().expect("pools");
    let models: Vec<_> = pools.iter().flat_map(|pool| pool["models"].as_array().expect("models")).collect();
    let families: BTreeSet<_> = models.iter().filter_map(|model| model["family"].as_str()).collect();
    assert_eq!((pools.len(), families.len()), (3, 3));
    let batches: Vec<_> =
        models.iter().flat_map(|model| model["batches"].as_array().expect("batches")).collect();
    assert!(batches.iter().all(|batch| sample_data().join(batch.as_str().expect("a path")).is_dir()));
    let on_disk = fs::read_dir(sample_data().join("runs")).expect("lists").count();
    assert_eq!(batches.len(), on_disk);
}

#[test]
#[ignore = "replaces sample-data; run by name after a change of the generator"]
fn replace_sample_data() {
    let target = sample_data();
    if target.exists() {
        fs::remove_dir_all(&target).expect("removes");
    }
    println!("{:?}", sample::write(&target).expect("writes"));
}
