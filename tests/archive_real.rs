//! Discovery and reading over the real archives and released files beside the project, where they are.
#![allow(clippy::expect_used, clippy::print_stdout, reason = "helpers of tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use gainsay::archive::{self, BatchKind, Catalog, Limits, ModelSource, Options, discover, verdicts};
use gainsay::model::Problem;

/// The directory of real material, or `None` with a word on why the test does nothing.
fn shared() -> Option<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    if dir.is_dir() {
        return Some(dir);
    }
    println!("skipped: {} is absent", dir.display());
    None
}

fn find(paths: &[PathBuf]) -> Catalog {
    discover(paths, &Options::default())
}

fn shown(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}

fn children(dir: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(dir).expect("lists").map(|entry| entry.expect("lists").path()).collect();
    paths.sort();
    paths
}

/// All files below a directory: an independent listing.
fn files_below(dir: &Path, found: &mut Vec<PathBuf>) {
    for path in children(dir) {
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

fn name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

#[test]
fn every_archive_is_found_whole() {
    let Some(shared) = shared() else { return };
    let roots = children(&shared.join("archives"));
    let catalog = find(&roots);
    assert_eq!(shown(&catalog.problems), [""; 0]);
    assert_eq!(catalog.contexts.len(), roots.len());
    for root in &roots {
        let mut files = Vec::new();
        files_below(&root.join("runs"), &mut files);
        let batches: Vec<_> = catalog.batches.iter().filter(|batch| batch.root == *root).collect();
        let mut found: Vec<PathBuf> =
            batches.iter().map(|batch| batch.manifest.as_ref().expect("a manifest").path.clone()).collect();
        for batch in &batches {
            assert_eq!((batch.kind, batch.model_from), (BatchKind::Runs, ModelSource::Manifest));
            assert_eq!(batch.id, name(&batch.path));
            for run in &batch.runs {
                assert_eq!(run.name, format!("run_{}", run.number));
                let all = [&run.results, &run.post_seed, &run.final_state];
                found.extend(all.into_iter().flatten().cloned());
                let task = catalog.task(batch, &run.task).expect("a task");
                let domain = task.spec.domain.to_string();
                assert!(
                    catalog.registry(batch, &domain).is_some_and(|registry| !registry.tool_tags.is_empty())
                );
            }
            let order: Vec<_> = batch.runs.iter().map(|run| (run.task.clone(), run.number)).collect();
            assert!(order.is_sorted(), "{order:?}");
        }
        found.sort();
        assert_eq!(found, files, "{}", root.display());
    }
    let runs: usize = catalog.batches.iter().map(|batch| batch.runs.len()).sum();
    assert_eq!((roots.len(), catalog.batches.len(), runs), (4, 9, 70));
}

#[test]
fn every_dump_and_results_file_is_read() {
    let Some(shared) = shared() else { return };
    let catalog = find(&children(&shared.join("archives")));
    let (started, mut packed) = (Instant::now(), 0);
    for run in catalog.batches.iter().flat_map(|batch| &batch.runs) {
        for path in [&run.post_seed, &run.final_state] {
            let dump =
                archive::dump::read(path.as_ref().expect("a dump"), &Limits::default()).expect("reads");
            assert!(!dump.state.tables.is_empty() && dump.sha256.len() == 64);
            packed += dump.file_bytes;
        }
        let results = archive::results::read(run.results.as_ref().expect("results"), &Limits::default());
        let record = results.expect("reads").record;
        assert!(record.transcript.is_some() != record.error.is_some());
        for call in record.transcript.iter().flat_map(|transcript| &transcript.calls) {
            assert!(call.result.is_some_and(|result| result > call.message), "{call:?}");
        }
    }
    println!("{packed} bytes of packed dumps in {:?}", started.elapsed());
}

#[test]
fn an_archive_its_runs_folder_and_one_batch_are_the_same_place() {
    let Some(shared) = shared() else { return };
    let root = shared.join("archives/mistral-mix");
    let runs = |catalog: &Catalog| -> BTreeSet<PathBuf> {
        catalog.batches.iter().flat_map(|batch| batch.runs.iter().map(|run| run.dir.clone())).collect()
    };
    let whole = find(std::slice::from_ref(&root));
    let batches = children(&root.join("runs"));
    for paths in [vec![root.join("runs")], batches.clone(), [vec![root.clone()], batches].concat()] {
        let catalog = find(&paths);
        assert_eq!(shown(&catalog.problems), [""; 0]);
        assert_eq!(runs(&catalog), runs(&whole));
        assert_eq!(catalog.batches.len(), whole.batches.len());
        for batch in &catalog.batches {
            assert!(batch.runs.iter().all(|run| catalog.task(batch, &run.task).is_some()));
        }
    }
}

#[test]
fn released_verdicts_are_found_with_their_sidecars() {
    let Some(shared) = shared() else { return };
    let root = shared.join("agentrelbench");
    let mut files = Vec::new();
    files_below(&root.join("runs"), &mut files);
    files.retain(|file| file.extension().is_some_and(|extension| extension == "jsonl"));
    for paths in [vec![root.clone()], vec![root.join("runs")], files.clone(), children(&root.join("runs"))] {
        let catalog = find(&paths);
        assert_eq!(shown(&catalog.problems), [""; 0]);
        assert_eq!(catalog.batches.len(), 8);
        let found: BTreeSet<PathBuf> = catalog.batches.iter().map(|batch| batch.path.clone()).collect();
        assert_eq!(found, files.iter().cloned().collect());
        let rows: usize = catalog
            .batches
            .iter()
            .flat_map(|batch| &batch.recorded)
            .map(|recorded| recorded.rows.len())
            .sum();
        assert_eq!(rows, 1312);
        for batch in &catalog.batches {
            assert_eq!((batch.kind, batch.model_from), (BatchKind::VerdictsOnly, ModelSource::Manifest));
            let recorded = batch.recorded.as_ref().expect("rows");
            let mut counts: BTreeMap<String, u32> = BTreeMap::new();
            for row in recorded.rows.iter() {
                *counts.entry(row.task_id.to_string()).or_default() += 1;
                assert!(catalog.task(batch, &row.task_id.to_string()).is_some());
            }
            assert_eq!(counts, batch.k_by_task);
        }
        assert_eq!(catalog.contexts.len(), 1);
        assert_eq!(catalog.contexts[0].tasks.len(), 20);
        let fulls: BTreeSet<String> = catalog.batches.iter().map(|batch| batch.model_full.clone()).collect();
        let fulls: Vec<String> = fulls.into_iter().collect();
        assert_eq!(
            archive::model_names(&fulls),
            [
                "deepseek-v3.2",
                "llama-3.1-8b",
                "llama-3.3-70b",
                "mistral-small-3.2-24b",
                "gpt-oss-120b",
                "qwen3-14b",
                "qwen3-32b"
            ]
        );
    }
}

#[test]
fn every_released_row_is_written_as_it_was_read() {
    let Some(shared) = shared() else { return };
    let mut files = Vec::new();
    files_below(&shared.join("agentrelbench/runs"), &mut files);
    files.extend(
        children(&shared.join("archives")).into_iter().map(|root| root.join("expected.verdicts.jsonl")),
    );
    let mut rows_seen = 0;
    for file in files.iter().filter(|file| name(file).ends_with("verdicts.jsonl")) {
        let (rows, problems) = verdicts::read(file);
        assert_eq!(shown(&problems), [""; 0]);
        let text = fs::read_to_string(file).expect("reads");
        assert_eq!(rows.len(), text.lines().count());
        for (row, line) in rows.iter().zip(text.lines()) {
            assert_eq!(verdicts::to_line(row), line);
        }
        rows_seen += rows.len();
    }
    assert_eq!(rows_seen, 1312 + 70);
}

#[test]
fn options_name_tasks_and_registries_from_elsewhere() {
    let Some(shared) = shared() else { return };
    let elsewhere = shared.join("archives/composite");
    let path = shared.join("archives/edge");
    for (tasks, registry) in [("", ""), ("tasks", "data"), ("tasks/itsm", "data/eog")] {
        let options = Options {
            tasks: Some(elsewhere.join(tasks)),
            registry: Some(elsewhere.join(registry)),
            ..Options::default()
        };
        let catalog = discover(std::slice::from_ref(&path), &options);
        let context = &catalog.contexts[0];
        assert!(context.tasks_dir.as_ref().is_some_and(|dir| dir.starts_with(&elsewhere)));
        let keys = &context.registries["itsm"].primary_keys;
        assert!(keys.values().any(|key| key.len() > 1), "the composite registry");
    }
}
