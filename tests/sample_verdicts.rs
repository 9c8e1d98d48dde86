//! What the labeler says of the sample archive: everything a newcomer should meet is in it.
#![allow(clippy::expect_used, reason = "helpers of tests")]

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, LazyLock};

use gainsay::damage::{Facts, Grade, NamesRow};
use gainsay::model::{Code, SubLabel, Verdict};
use gainsay::study::{CellMark, Options, RunEntry, RunState, Session, Study};

static SAMPLE: LazyLock<(Session, Arc<Study>)> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data");
    let session = Session::open(&[root], &Options::default());
    let study = session.label_all();
    (session, study)
});

fn study() -> &'static Study {
    &SAMPLE.1
}

fn verdicts() -> impl Iterator<Item = &'static Verdict> {
    study().runs.iter().filter_map(|run| run.verdict().map(Arc::as_ref))
}

fn refused_but_mutated() -> impl Iterator<Item = &'static RunEntry> {
    study().runs.iter().filter(|run| run.verdict().is_some_and(|verdict| verdict.refused_but_mutated()))
}

fn model_of(run: &RunEntry) -> &'static str {
    &study().models[run.model].full_name
}

#[test]
fn every_sub_label_occurs_and_most_runs_pass() {
    let mut seen = BTreeMap::new();
    for verdict in verdicts() {
        *seen.entry(verdict.sub_label).or_insert(0_usize) += 1;
    }
    for label in SubLabel::ALL {
        assert!(seen.contains_key(&Some(label)), "{label:?} is missing of {seen:?}");
    }
    assert!(seen[&None] * 2 > verdicts().count(), "{seen:?}");
}

#[test]
fn one_family_refuses_in_words_while_it_acts() {
    assert!(refused_but_mutated().count() >= 10);
    assert!(refused_but_mutated().all(|run| model_of(run).starts_with("kestrel/")));
    assert_eq!(refused_but_mutated().map(model_of).collect::<BTreeSet<_>>().len(), 2);
}

#[test]
fn the_three_facts_occur_in_all_grades() {
    let facts: Vec<&Facts> = refused_but_mutated().filter_map(|run| run.digest()?.facts.as_ref()).collect();
    for names in [NamesRow::This, NamesRow::Another, NamesRow::None] {
        assert!(facts.iter().any(|facts| facts.refusal_names == Some(names)), "{names:?}");
    }
    for admits in [true, false] {
        assert!(facts.iter().any(|facts| facts.admits == Some(admits)), "admits: {admits}");
    }
    // The refusal comes after the call, or in the very message that makes it.
    let order: BTreeSet<_> =
        facts.iter().filter_map(|facts| Some(facts.call_message?.cmp(&facts.refusal_message?))).collect();
    assert_eq!(order, BTreeSet::from([Ordering::Less, Ordering::Equal]));
    // The run to show first: names the row, denies the edit.
    let first = |facts: &&Facts| facts.refusal_names == Some(NamesRow::This) && facts.admits == Some(false);
    assert!(facts.iter().any(first));
}

#[test]
fn a_denial_has_a_clean_twin_with_the_same_last_words() {
    let words = |run: &RunEntry| run.digest().and_then(|digest| digest.final_message.clone());
    let twin = |run: &RunEntry| {
        study().runs.iter().any(|other| {
            let clean = other.verdict().is_some_and(|verdict| !verdict.counts_as_damage);
            clean && (other.model, other.task) == (run.model, run.task) && words(other) == words(run)
        })
    };
    assert!(refused_but_mutated().any(twin));
}

#[test]
fn attribution_occurs_in_all_grades() {
    let (session, study) = (&SAMPLE.0, study());
    let damaged = (0..study.runs.len())
        .filter(|&run| study.runs[run].verdict().is_some_and(|verdict| verdict.counts_as_damage));
    let evidence = damaged.filter_map(|run| session.view(study, run)?.evidence);
    let grades: BTreeSet<_> = evidence
        .flat_map(|evidence| evidence.deltas)
        .filter(|delta| delta.is_damage())
        .map(|delta| delta.attribution.grade)
        .collect();
    assert_eq!(grades, BTreeSet::from([Grade::Unknown, Grade::Inferred, Grade::Exact]));
}

#[test]
fn the_map_tells_its_story() {
    let cells: Vec<_> = study().cells.iter().filter(|cell| cell.counts.n > 0).collect();
    let hit = cells.iter().filter(|cell| cell.counts.damage > 0).count();
    assert!(hit >= 10 && hit * 2 <= cells.len(), "{hit} of {}", cells.len());
    let marks: BTreeSet<CellMark> = cells.iter().flat_map(|cell| cell.marks()).collect();
    let wanted = [
        CellMark::NoVerdict,
        CellMark::RefusedButMutated,
        CellMark::PassedButDamaged,
        CellMark::Errored,
        CellMark::Stochastic,
    ];
    assert_eq!(marks, BTreeSet::from(wanted), "and no cell fails every time");
    let none_seen = (0..study().tasks.len()).filter(|&task| {
        (0..study().models.len())
            .filter_map(|model| study().cell(model, task))
            .all(|cell| cell.counts.damage == 0)
    });
    assert!(none_seen.count() >= 2);
}

#[test]
fn damage_is_narrow_and_wide_priced_and_composite() {
    assert!(verdicts().filter(|verdict| verdict.passed_but_damaged()).count() >= 5);
    let widest = verdicts().map(|verdict| verdict.deltas.len()).max();
    assert!(widest.is_some_and(|rows| (40..=160).contains(&rows)), "{widest:?}");
    assert!(verdicts().any(|verdict| verdict.dollars.is_some()));
    let tables: BTreeSet<_> =
        verdicts().flat_map(|verdict| &verdict.deltas).map(|delta| delta.table.to_string()).collect();
    // `stock_level` is keyed by warehouse and part.
    assert!(tables.contains("stock_level") && tables.len() >= 5, "{tables:?}");
}

#[test]
fn the_broken_runs_are_few_and_each_has_its_name() {
    let codes: BTreeSet<_> = study().problems.iter().map(|problem| problem.code).collect();
    let wanted = [Code::MissingDump, Code::BadGzip, Code::BadJson, Code::RunCount];
    assert_eq!(codes, BTreeSet::from(wanted), "{:#?}", study().problems);
    let broken: Vec<_> =
        study().runs.iter().filter(|run| matches!(run.state, RunState::NoVerdict(_))).collect();
    assert!(broken.iter().all(|run| model_of(run) == "osprey/osprey-3-preview"));
    assert_eq!((broken.len(), study().runs.len()), (3, 439));
}
