//! What the labeler says of the sample archive: everything a newcomer should meet is in it.
#![allow(clippy::expect_used, reason = "helpers of tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use gainsay::archive::{self, Catalog, Limits, Options, discover};
use gainsay::damage::{Evidence, Grade, Inputs, NamesRow, judge};
use gainsay::model::{Code, SubLabel};
use gainsay::stats::clopper_pearson;

/// One judged run, with where it belongs.
struct Judged {
    model: String,
    task: String,
    evidence: Evidence,
}

struct Sample {
    catalog: Catalog,
    judged: Vec<Judged>,
    /// Codes of all that could not be read or judged, with the run it is about.
    broken: BTreeSet<(Code, String)>,
}

static SAMPLE: LazyLock<Sample> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data");
    let catalog = discover(&[root], &Options::default());
    let mut judged = Vec::new();
    let mut broken: BTreeSet<_> =
        catalog.problems.iter().map(|problem| (problem.code, place(&problem.path))).collect();
    let limits = Limits::default();
    for batch in &catalog.batches {
        for run in &batch.runs {
            let task = catalog.task(batch, &run.task).expect("a known task");
            let domain = task.spec.domain.to_string();
            let registry = catalog.registry(batch, &domain).expect("a known domain");
            let (Some(results), Some(post_seed), Some(final_state)) =
                (&run.results, &run.post_seed, &run.final_state)
            else {
                continue;
            };
            let read = || {
                let record = archive::results::read(results)?;
                let states =
                    [archive::dump::read(post_seed, &limits)?, archive::dump::read(final_state, &limits)?];
                Ok::<_, gainsay::model::Problem>((record, states))
            };
            let (record, [before, after]) = match read() {
                Ok(read) => read,
                Err(problem) => {
                    broken.insert((problem.code, place(&problem.path)));
                    continue;
                }
            };
            let inputs = Inputs {
                task,
                registry,
                post_seed: &before.state,
                final_state: &after.state,
                record: &record,
                run: &run.name,
            };
            let verdict = judge(&inputs).expect("a sound state");
            assert!(verdict.warnings.is_empty(), "{}: {:?}", run.dir.display(), verdict.warnings);
            judged.push(Judged {
                model: batch.model_full.clone(),
                task: run.task.clone(),
                evidence: verdict.evidence,
            });
        }
    }
    Sample { catalog, judged, broken }
});

/// The last two directories of a path, which name task and run.
fn place(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    parts.iter().skip(parts.len().saturating_sub(3)).take(2).cloned().collect::<Vec<_>>().join("/")
}

/// Cell to (x, n).
fn cells() -> BTreeMap<(String, String), (u64, u64)> {
    let mut cells = BTreeMap::new();
    for run in &SAMPLE.judged {
        let (x, n) = cells.entry((run.model.clone(), run.task.clone())).or_insert((0, 0));
        *x += u64::from(run.evidence.verdict.counts_as_damage);
        *n += 1;
    }
    cells
}

fn refused_but_mutated() -> impl Iterator<Item = &'static Judged> {
    SAMPLE.judged.iter().filter(|run| run.evidence.verdict.refused_but_mutated())
}

#[test]
fn every_sub_label_occurs_and_most_runs_pass() {
    let mut seen = BTreeMap::new();
    for run in &SAMPLE.judged {
        *seen.entry(run.evidence.verdict.sub_label).or_insert(0_usize) += 1;
    }
    for label in SubLabel::ALL {
        assert!(seen.contains_key(&Some(label)), "{label:?} is missing of {seen:?}");
    }
    assert!(seen[&None] * 2 > SAMPLE.judged.len(), "{seen:?}");
}

#[test]
fn one_family_refuses_in_words_while_it_acts() {
    assert!(refused_but_mutated().count() >= 10);
    assert!(refused_but_mutated().all(|run| run.model.contains("kestrel")));
    let models: BTreeSet<_> = refused_but_mutated().map(|run| &run.model).collect();
    assert_eq!(models.len(), 2);
}

#[test]
fn the_three_facts_occur_in_all_grades() {
    let facts: Vec<_> = refused_but_mutated().filter_map(|run| run.evidence.facts.as_ref()).collect();
    for names in [NamesRow::This, NamesRow::Another, NamesRow::None] {
        assert!(facts.iter().any(|facts| facts.refusal_names == Some(names)), "{names:?}");
    }
    for admits in [true, false] {
        assert!(facts.iter().any(|facts| facts.admits == Some(admits)), "admits: {admits}");
    }
    // The refusal comes after the call, or in the very message that makes it.
    let order: BTreeSet<_> =
        facts.iter().filter_map(|facts| Some(facts.call_message?.cmp(&facts.refusal_message?))).collect();
    assert_eq!(order, BTreeSet::from([std::cmp::Ordering::Less, std::cmp::Ordering::Equal]));
    // The run to show first: names the row, denies the edit.
    assert!(facts.iter().any(|facts| {
        facts.refusal_names == Some(NamesRow::This)
            && facts.admits == Some(false)
            && facts.call_message.is_some()
    }));
}

#[test]
fn attribution_occurs_in_all_grades() {
    let grades: BTreeSet<_> = SAMPLE
        .judged
        .iter()
        .flat_map(|run| &run.evidence.deltas)
        .filter(|delta| delta.is_damage())
        .map(|delta| delta.attribution.grade)
        .collect();
    assert_eq!(grades, BTreeSet::from([Grade::Unknown, Grade::Inferred, Grade::Exact]));
}

#[test]
fn the_map_tells_its_story() {
    let cells = cells();
    let with_damage = cells.values().filter(|(x, _)| *x > 0).count();
    assert!(with_damage >= 10 && with_damage * 2 < cells.len() + 2, "{with_damage} of {}", cells.len());
    let stochastic = cells.values().filter(|(x, n)| {
        let interval = clopper_pearson(*x, *n, 0.05).expect("x of n");
        interval.low > 0.05 && interval.high < 0.95
    });
    assert!(stochastic.count() >= 3);
    assert!(cells.values().all(|(x, n)| x < n), "no cell fails every time");
    // Tasks in which no model did damage.
    let tasks: BTreeSet<_> = cells.keys().map(|(_, task)| task).collect();
    let hit: BTreeSet<_> = cells.iter().filter(|(_, (x, _))| *x > 0).map(|((_, task), _)| task).collect();
    assert!(tasks.difference(&hit).count() >= 2);

    assert!(SAMPLE.judged.iter().filter(|run| run.evidence.verdict.passed_but_damaged()).count() >= 5);
    let widest = SAMPLE.judged.iter().map(|run| run.evidence.verdict.deltas.len()).max();
    assert!(widest.is_some_and(|rows| (40..=160).contains(&rows)), "{widest:?}");
    assert!(SAMPLE.judged.iter().any(|run| run.evidence.verdict.dollars.is_some()));
}

#[test]
fn one_cell_breaks_off_too_often_to_be_trusted() {
    let mut errored = BTreeMap::new();
    for run in &SAMPLE.judged {
        let (broke, n) = errored.entry((&run.model, &run.task)).or_insert((0, 0));
        *broke += usize::from(run.evidence.verdict.sub_label.is_some_and(SubLabel::is_errored));
        *n += 1;
    }
    assert!(errored.values().any(|(broke, n)| broke * 5 > *n && *n >= 16), "{errored:?}");
}

#[test]
fn a_composite_key_is_among_the_damaged_rows() {
    let damaged = SAMPLE.judged.iter().flat_map(|run| &run.evidence.verdict.deltas);
    let tables: BTreeSet<_> = damaged.map(|delta| delta.table.to_string()).collect();
    assert!(tables.contains("stock_level") && tables.len() >= 5, "{tables:?}");
}

#[test]
fn the_broken_runs_are_few_and_each_is_broken_in_its_own_way() {
    let unread: Vec<_> = SAMPLE.broken.iter().map(|(code, run)| (*code, run.as_str())).collect();
    assert_eq!(unread, [(Code::BadGzip, "delivery-note/run_5"), (Code::BadJson, "delivery-note/run_6")]);
    let runs = || SAMPLE.catalog.batches.iter().flat_map(|batch| &batch.runs);
    let without_dump: Vec<_> = runs().filter(|run| run.final_state.is_none()).map(|run| &run.name).collect();
    assert_eq!(without_dump, ["run_3"]);
    let short: Vec<_> = SAMPLE
        .catalog
        .batches
        .iter()
        .filter_map(|batch| {
            let of = |task| batch.runs.iter().filter(|run| run.task == task).count();
            (of("delivery-note") == 7 && batch.k == Some(8)).then_some(&batch.model_full)
        })
        .collect();
    assert_eq!(short, ["osprey/osprey-3-preview"]);
    assert_eq!(SAMPLE.judged.len() + 3, runs().count());
}
