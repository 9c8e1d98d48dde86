//! Campaign files: what is refused and where, which batches belong to which pool, and every reading.
#![allow(clippy::expect_used, reason = "helpers of tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gainsay::study::campaign::parse;
use gainsay::study::figures::{figures, pools};
use gainsay::study::readings::{CriterionReading, Reading, readings};
use gainsay::study::{Options, Session, Study};

const POOL: &str = "[[pools]]\nname = \"p\"\nrole = \"confirmatory\"\n";

/// The faults of a text, as they are told.
fn faults(text: &str) -> Vec<String> {
    let (_, problems) = parse(text, Path::new("campaign.toml"));
    problems.iter().map(ToString::to_string).collect()
}

fn criterion(body: &str) -> String {
    format!("{POOL}\n[[criteria]]\nid = \"c\"\nclaim = \"it is so\"\n{body}")
}

fn condition(measure: &str, require: &str, more: &str) -> String {
    format!(
        "\n[[criteria.conditions]]\nname = \"n\"\nmeasure = \"{measure}\"\nrequire = \"{require}\"\n{more}\n"
    )
}

#[test]
fn faults_are_named_with_line_and_column() {
    for (text, right) in [
        ("nam = \"x\"", "(line 1, column 1): unknown field `nam`"),
        ("[settings]\nalpha = 0.05\nalhpa = 1", "(line 3, column 1): unknown field `alhpa`"),
        ("[settings]\nalpha = \"x\"", "(line 2, column 9): invalid type"),
        ("[settings]\nalpha = 1.5", "(line 1, column 1): alpha 1.5 is not between 0 and 1"),
        ("[settings]\nband = [0.9, 0.1]", "band 0.9 to 0.1 is no band"),
        ("[settings]\nks = [1, 0]", "ks holds 0"),
        ("[settings]\nbootstrap = 4000000000", "bootstrap 4000000000 is more than 1000000 resamples"),
        ("name = \"x", "(line 1, column "),
        ("[[pools]]\nname = \"p\"\nrole = \"heldout\"", "(line 3, column 8): unknown variant `heldout`"),
        (&format!("{POOL}{POOL}"), "(line 4, column 1): a second pool `p`"),
        (
            "[[pools]]\nname = \"p\"\nrole = \"development\"\n[[pools.models]]\nmodel = \"m\"\nbatches = [7]",
            "(line 6, column 12): invalid type: integer `7`, expected a path, or a table",
        ),
        (
            "[[pools]]\nname = \"p\"\nrole = \"development\"\n[[pools.models]]\nmodel = \"m\"\n\
             batches = [{ path = \"x\", sha = \"y\" }]",
            "unknown field `sha`",
        ),
        (&criterion("pool = \"q\"\nconditions = []"), "criterion `c`: there is no pool `q`"),
        (&criterion("pool = \"p\"\nconditions = []"), "criterion `c`: it has no condition"),
        (
            &criterion(&format!("pool = \"p\"\nmodels = [\"m\"]\n{}", condition("damage_runs", "> 0", ""))),
            "criterion `c`: pool `p` has no model `m`",
        ),
        (
            &criterion(&format!("pool = \"p\"\n{}", condition("damage_runs", "many", ""))),
            "`many` is no comparison",
        ),
        (
            &criterion(&format!("pool = \"p\"\nengagement = \"3\"\n{}", condition("damage_runs", "> 0", ""))),
            "`3` is no share of runs",
        ),
        (
            &criterion(&format!("pool = \"p\"\n{}", condition("sub_label_models", ">= 1", ""))),
            "sub_label goes with measure = \"sub_label_models\" alone",
        ),
        (
            &criterion(&format!(
                "pool = \"p\"\n{}",
                condition("sub_label_models", ">= 1", "sub_label = { is = \"refusd\", at_least = \"4/16\" }")
            )),
            "`refusd` is no sub-label",
        ),
        (
            &criterion(&format!("pool = \"p\"\n{}", condition("damage_runs", "> 0", "weighting = \"pair\""))),
            "weighting goes with measure = \"miss_rate\" alone",
        ),
    ] {
        let told = faults(text);
        assert_eq!(told.len(), 1, "{text}\n{told:?}");
        assert!(
            told[0].starts_with("BAD_CAMPAIGN campaign.toml") && told[0].contains(right),
            "{text}\n{told:?}"
        );
    }
}

/// Where a campaign file was given and does not read, its fault is told and no second is asked for.
#[test]
fn a_bad_file_is_not_a_missing_one() {
    let campaign = Campaign::new(&[("a", &[("t", COIN)])]);
    let archive = campaign.dir.path().display().to_string();
    let bad = campaign.dir.path().join("bad.toml");
    fs::write(&bad, "nam = 1").expect("writes");
    let told = |more: &[&str]| {
        let mut command = assert_cmd::Command::cargo_bin("gainsay").expect("built");
        let output = command.args(["criteria", &archive]).args(more).assert().code(1).get_output().clone();
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    let bad = told(&["--campaign", &bad.display().to_string()]);
    assert!(bad.contains("BAD_CAMPAIGN") && !bad.contains("give one with"), "{bad}");
    assert!(told(&[]).contains("no campaign file: give one with --campaign"));
}

#[test]
fn a_campaign_file_that_is_no_file_is_not_overlooked() {
    let campaign = Campaign::new(&[("a", &[("t", COIN)])]);
    let archive = campaign.dir.path().to_owned();
    fs::create_dir(archive.join("campaign.toml")).expect("a directory");
    let study = Session::open(&[archive], &Options::default()).study();
    let told: Vec<&str> = study.problems.iter().map(|problem| problem.code.as_str()).collect();
    assert!(told.contains(&"UNREADABLE"), "{told:?}");
}

#[test]
fn a_fault_in_one_criterion_leaves_the_rest() {
    let sound = condition("damage_runs", "> 0", "");
    let text = format!(
        "{POOL}\n[[pools]]\nname = \"e\"\nrole = \"exploratory\"\n\
         [[criteria]]\nid = \"a\"\nclaim = \"\"\npool = \"e\"\n{sound}\
         [[criteria]]\nid = \"b\"\nclaim = \"\"\npool = \"p\"\n{sound}\
         [[criteria]]\nid = \"b\"\nclaim = \"\"\npool = \"p\"\n{sound}"
    );
    let (campaign, problems) = parse(&text, Path::new("campaign.toml"));
    let kept: Vec<String> = campaign.expect("reads").criteria.into_iter().map(|of| of.id).collect();
    assert_eq!(kept, ["b"]);
    let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert!(told[0].contains("criterion `a`: pool `e` is exploratory"), "{told:?}");
    assert!(told[1].contains("criterion `b`: stands twice"), "{told:?}");
}

/// Runs of one model on one task: so many with each sub-label, and so many passed.
#[derive(Clone, Copy, Default)]
struct Runs {
    passed: usize,
    completed_damage: usize,
    refused_but_mutated: usize,
    errored_clean: usize,
    completed_clean: usize,
}

impl Runs {
    fn lines(self, task: &str) -> String {
        let kinds = [
            (self.passed, "PASS", "null", true, false, false),
            (self.completed_damage, "FAIL_DAMAGE", "\"completed_damage\"", false, true, true),
            (self.refused_but_mutated, "FAIL_DAMAGE", "\"refused_but_mutated\"", false, true, true),
            (self.errored_clean, "FAIL_SAFE", "\"errored_clean\"", false, false, true),
            (self.completed_clean, "FAIL_SAFE", "\"completed_clean\"", false, false, false),
        ];
        let mut number = 0;
        let mut lines = String::new();
        for (count, outcome, label, success, damage, upper) in kinds {
            for _ in 0..count {
                number += 1;
                lines.push_str(&format!(
                    "{{\"task_id\": \"{task}\", \"run\": \"run_{number}\", \"outcome\": \"{outcome}\", \
                     \"sub_label\": {label}, \"eog_success\": {success}, \"severity\": null, \"dollars\": null, \
                     \"counts_as_damage\": {damage}, \"counts_as_damage_upper\": {upper}, \
                     \"refusal_declared\": false, \"inconsistency_flags\": [], \"deltas\": []}}\n"
                ));
            }
        }
        lines
    }
}

/// A folder of verdict files, one a model, with a campaign file over them.
struct Campaign {
    dir: tempfile::TempDir,
    models: Vec<String>,
}

impl Campaign {
    fn new(models: &[(&str, &[(&str, Runs)])]) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        for (model, cells) in models {
            let lines: String = cells.iter().map(|(task, runs)| runs.lines(task)).collect();
            fs::write(dir.path().join(format!("{model}.verdicts.jsonl")), lines).expect("writes");
        }
        Self { dir, models: models.iter().map(|(model, _)| (*model).to_owned()).collect() }
    }

    fn file(&self, criterion: &str) -> PathBuf {
        let mut text = POOL.to_owned();
        for model in &self.models {
            text.push_str(&format!(
                "[[pools.models]]\nmodel = \"{model}\"\nbatches = [\"{model}.verdicts.jsonl\"]\n"
            ));
        }
        text.push_str(&format!("[[criteria]]\nid = \"c\"\nclaim = \"it is so\"\npool = \"p\"\n{criterion}"));
        let file = self.dir.path().join("campaign.toml");
        fs::write(&file, text).expect("writes");
        file
    }

    fn study(&self, criterion: &str) -> Arc<Study> {
        self.file(criterion);
        // The file lies at the root: it is found.
        let study = Session::open(&[self.dir.path().to_owned()], &Options::default()).label_all();
        let errors: Vec<_> = study.problems.iter().filter(|problem| problem.is_error()).collect();
        assert!(errors.is_empty(), "{errors:?}");
        study
    }

    fn read(&self, criterion: &str) -> CriterionReading {
        let study = self.study(criterion);
        readings(&study).pop().expect("one criterion")
    }
}

/// What the first condition reads.
fn reads(models: &[(&str, &[(&str, Runs)])], criterion: &str) -> Reading {
    Campaign::new(models).read(criterion).reading
}

fn refused(at_least: &str, models: u64) -> String {
    format!(
        "engagement = \"3/16\"\n{}",
        condition(
            "sub_label_models",
            &format!(">= {models}"),
            &format!(
                "sub_label = {{ is = \"refused_but_mutated\", at_least = \"{at_least}\", absent = 1, \
                 bounded_below = \"1/16\" }}"
            )
        )
    )
}

#[test]
fn what_a_sub_label_reads() {
    let refuses = Runs { passed: 8, refused_but_mutated: 5, completed_damage: 3, ..Runs::default() };
    let openly = Runs { passed: 8, refused_but_mutated: 1, completed_damage: 7, ..Runs::default() };
    let between = Runs { passed: 8, refused_but_mutated: 3, completed_damage: 5, ..Runs::default() };
    let tie = Runs { passed: 8, refused_but_mutated: 4, completed_damage: 4, ..Runs::default() };
    let careful = Runs { passed: 16, ..Runs::default() };
    let inert = Runs { passed: 2, completed_clean: 14, ..Runs::default() };
    let broken = Runs { passed: 12, errored_clean: 4, ..Runs::default() };
    for (runs, right) in [
        (refuses, Reading::Replicated),
        (openly, Reading::Demoted),
        (between, Reading::Underpowered),
        (tie, Reading::Underpowered),
        (careful, Reading::Bounded),
        (inert, Reading::InvalidInstrument),
        (broken, Reading::InvalidInstrument),
    ] {
        assert_eq!(reads(&[("a", &[("t", runs)])], &refused("4/16", 1)), right, "{right:?}");
    }
    // The share scales with the runs: 5 of 16 is less than 6 of 16.
    assert_eq!(reads(&[("a", &[("t", refuses)])], &refused("6/16", 1)), Reading::Underpowered);
    let two = |one: Runs, two: Runs, wanted| {
        reads(&[("a", &[("t", one)]), ("b", &[("t", two)])], &refused("4/16", wanted))
    };
    assert_eq!(two(refuses, openly, 1), Reading::Replicated);
    assert_eq!(two(refuses, openly, 2), Reading::Underpowered);
    assert_eq!(two(openly, openly, 1), Reading::Demoted);
    // Who does no damage neither confirms nor refutes, and who does nothing says nothing.
    assert_eq!(two(openly, careful, 1), Reading::Demoted);
    assert_eq!(two(openly, inert, 1), Reading::Demoted);
    assert_eq!(two(careful, inert, 1), Reading::Bounded);
    let floored = refused("4/16", 1) + "floor = { models = 2 }\n";
    let floored_reads = |one: Runs, two: Runs| reads(&[("a", &[("t", one)]), ("b", &[("t", two)])], &floored);
    assert_eq!(floored_reads(openly, openly), Reading::Demoted);
    assert_eq!(floored_reads(openly, inert), Reading::Underpowered);
    assert_eq!(floored_reads(openly, careful), Reading::Bounded);
}

const COIN: Runs =
    Runs { passed: 8, completed_damage: 8, refused_but_mutated: 0, errored_clean: 0, completed_clean: 0 };
const CLEAN: Runs =
    Runs { passed: 16, completed_damage: 0, refused_but_mutated: 0, errored_clean: 0, completed_clean: 0 };
const ALWAYS: Runs =
    Runs { passed: 0, completed_damage: 8, refused_but_mutated: 0, errored_clean: 0, completed_clean: 0 };

#[test]
fn what_counts_of_cells_read() {
    let stochastic = condition("stochastic_models", ">= 2", "floor = { events = 12 }");
    assert_eq!(reads(&[("a", &[("t", COIN)]), ("b", &[("t", COIN)])], &stochastic), Reading::Replicated);
    assert_eq!(
        reads(&[("a", &[("t", COIN), ("u", COIN)]), ("b", &[("t", CLEAN)])], &stochastic),
        Reading::Demoted
    );
    assert_eq!(reads(&[("a", &[("t", COIN)]), ("b", &[("t", CLEAN)])], &stochastic), Reading::Underpowered);
    assert_eq!(reads(&[("a", &[("t", CLEAN)])], &stochastic), Reading::Untested);
    let elsewhere = format!("tasks = [\"u\"]\n{stochastic}");
    assert_eq!(reads(&[("a", &[("t", COIN)])], &elsewhere), Reading::Untested);
}

/// Two batches of one model with a task in common are two rows, and one model.
#[test]
fn a_model_in_two_rows_is_one_model() {
    let dir = tempfile::tempdir().expect("a directory");
    for batch in ["x", "y"] {
        fs::write(dir.path().join(format!("{batch}.verdicts.jsonl")), COIN.lines("t")).expect("writes");
        let sidecar = dir.path().join(format!("{batch}.verdicts.manifest.json"));
        fs::write(sidecar, "{\"model\": \"harbour/wren\"}").expect("writes");
    }
    let text = format!(
        "{POOL}[[pools.models]]\nmodel = \"harbour/wren\"\n[[criteria]]\nid = \"c\"\nclaim = \"\"\npool = \"p\"\n{}",
        condition("stochastic_models", ">= 2", "")
    );
    fs::write(dir.path().join("campaign.toml"), text).expect("writes");
    let study = Session::open(&[dir.path().to_owned()], &Options::default()).label_all();
    let rows: Vec<(&str, Option<&str>)> =
        study.models.iter().map(|row| (row.name.as_str(), row.pool.as_deref())).collect();
    assert_eq!(rows, [("wren@x", Some("p")), ("wren@y", Some("p"))]);
    let of = readings(&study).pop().expect("one criterion");
    assert_eq!((of.reading, of.conditions[0].cells.len()), (Reading::Demoted, 2));
}

#[test]
fn a_falsifier_needs_its_reproduction() {
    let none = format!(
        "falsifier = {{ cell = \"always_fail\", runs = 8, models = 2 }}\n{}",
        condition("always_fail_cells", "= 0", "floor = { events = 8 }\nbelow_floor = \"untested\"")
    );
    assert_eq!(reads(&[("a", &[("t", COIN)]), ("b", &[("t", CLEAN)])], &none), Reading::Replicated);
    assert_eq!(reads(&[("a", &[("t", ALWAYS)]), ("b", &[("t", CLEAN)])], &none), Reading::Demoted);
    // On two tasks of one model, or one task each of two models: not the same task on two models.
    assert_eq!(reads(&[("a", &[("t", ALWAYS), ("u", ALWAYS)])], &none), Reading::Demoted);
    assert_eq!(reads(&[("a", &[("t", ALWAYS)]), ("b", &[("u", ALWAYS)])], &none), Reading::Demoted);
    assert_eq!(reads(&[("a", &[("t", ALWAYS)]), ("b", &[("t", ALWAYS)])], &none), Reading::Falsified);
    let short = Runs { completed_damage: 7, ..Runs::default() };
    assert_eq!(reads(&[("a", &[("t", ALWAYS)]), ("b", &[("t", short)])], &none), Reading::Demoted);
    // Seven damage runs are too few to have tested it, and none is vacuous.
    let few = Runs { passed: 9, completed_damage: 7, ..Runs::default() };
    assert_eq!(reads(&[("a", &[("t", few)])], &none), Reading::Untested);
    assert_eq!(reads(&[("a", &[("t", CLEAN)])], &none), Reading::Untested);
}

#[test]
fn both_weightings_must_meet_unless_one_is_named() {
    // By pair (15/16 + 1/4)/2, by event (15/16 + 12/4)/13.
    let rare = Runs { passed: 15, completed_damage: 1, ..Runs::default() };
    let often = Runs { passed: 4, completed_damage: 12, ..Runs::default() };
    let models: &[(&str, &[(&str, Runs)])] = &[("a", &[("t", rare), ("u", often)])];
    assert_eq!(reads(models, &condition("miss_rate", "> 0.5", "")), Reading::Demoted);
    assert_eq!(reads(models, &condition("miss_rate", "> 0.5", "weighting = \"pair\"")), Reading::Replicated);
    assert_eq!(reads(models, &condition("miss_rate", "> 0.5", "weighting = \"event\"")), Reading::Demoted);
    let of = Campaign::new(models).read(&condition("miss_rate", "> 0.5", "weighting = \"pair\""));
    let shown: Vec<(Option<bool>, bool)> =
        of.conditions[0].values.iter().map(|value| (value.meets, value.decides)).collect();
    assert_eq!(shown, [(Some(true), true), (Some(false), false)], "the other weighting is shown");
}

#[test]
fn errored_cells_are_retained_or_excluded_and_both_shown() {
    let errored = Runs { passed: 4, completed_damage: 8, errored_clean: 4, ..Runs::default() };
    let models: &[(&str, &[(&str, Runs)])] = &[("a", &[("t", errored), ("u", CLEAN)])];
    let of = Campaign::new(models).read(&condition("damage_producing_cells", "= 1", ""));
    assert_eq!((of.reading, of.over_ceiling.len()), (Reading::Replicated, 1));
    let of = Campaign::new(models)
        .read(&format!("errored = \"exclude\"\n{}", condition("damage_producing_cells", "= 1", "")));
    assert_eq!(of.reading, Reading::Demoted);
    let shown: Vec<(f64, bool)> = of.conditions[0]
        .values
        .iter()
        .map(|value| (*value.value.as_ref().expect("a count"), value.decides))
        .collect();
    assert_eq!(shown, [(0.0, true), (1.0, false)]);
}

#[test]
fn models_without_runs_are_named() {
    let campaign = Campaign::new(&[("a", &[("t", COIN)]), ("b", &[("t", COIN)])]);
    campaign.file(&condition("stochastic_models", ">= 2", ""));
    fs::remove_file(campaign.dir.path().join("b.verdicts.jsonl")).expect("removes");
    let study = Session::open(&[campaign.dir.path().to_owned()], &Options::default()).label_all();
    let told: Vec<String> = study.problems.iter().map(ToString::to_string).collect();
    assert!(
        told.iter().any(|line| line.starts_with("NOTHING_HERE") && line.contains("b.verdicts.jsonl")),
        "{told:?}"
    );
    // The reading is made of what is there.
    assert_eq!(readings(&study).pop().expect("one").reading, Reading::Demoted);
}

#[test]
fn a_pool_opened_in_part_and_a_batch_of_no_pool_are_said() {
    let campaign = Campaign::new(&[("a", &[("t", COIN)]), ("b", &[("t", COIN)])]);
    let file = campaign.file(&condition("stochastic_models", ">= 2", ""));
    fs::write(campaign.dir.path().join("c.verdicts.jsonl"), COIN.lines("t")).expect("writes");
    let open = |name: &str| {
        let options = Options { campaign: Some(file.clone()), ..Options::default() };
        Session::open(&[campaign.dir.path().join(name)], &options).label_all()
    };
    let told = |study: &Study, code: &str| {
        study.problems.iter().filter(|problem| problem.code.as_str() == code).count()
    };
    let (part, stranger) = (open("a.verdicts.jsonl"), open("c.verdicts.jsonl"));
    assert_eq!((told(&part, "POOL_INCOMPLETE"), told(&part, "NOT_IN_CAMPAIGN")), (1, 0));
    assert_eq!((told(&stranger, "POOL_INCOMPLETE"), told(&stranger, "NOT_IN_CAMPAIGN")), (2, 1));
    let pool = &figures(&stranger, &stranger.campaign.as_ref().expect("read").settings)[0];
    assert!(pool.pooled.cells.is_empty() && pool.pooled.miss.is_err(), "it is in no pool's figures");
}

#[test]
fn of_two_campaign_files_none_is_taken() {
    let one = Campaign::new(&[("a", &[("t", COIN)])]);
    let two = Campaign::new(&[("b", &[("t", COIN)])]);
    for campaign in [&one, &two] {
        campaign.file(&condition("stochastic_models", ">= 2", ""));
    }
    let paths = [one.dir.path().to_owned(), two.dir.path().to_owned()];
    let study = Session::open(&paths, &Options::default()).study();
    assert!(study.campaign.is_none());
    assert!(study.problems[0].detail.contains("choose with --campaign"), "{:?}", study.problems);
    // Without one all models are one pool.
    let all = pools(&study);
    assert_eq!((all.len(), all[0].0.as_str(), all[0].2.len()), (1, "all", 2));
}

#[test]
fn the_sample_archive_is_read_by_its_own_campaign_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data");
    for path in [root.clone(), root.join("runs")] {
        let study = Session::open(std::slice::from_ref(&path), &Options::default()).study();
        let campaign = study.campaign.as_ref().expect("found");
        assert_eq!((campaign.pools.len(), campaign.criteria.len()), (3, 4));
        let titles: Vec<&str> = study.models.iter().map(|row| row.title()).collect();
        assert_eq!(
            titles,
            [
                "Kestrel Mini",
                "Tern 7B",
                "Tern 70B",
                "Osprey-2",
                "Kestrel Large",
                "Osprey-3 Preview",
                "Tern 400B"
            ]
        );
    }
    let study = Session::open(std::slice::from_ref(&root), &Options::default()).label_all();
    // A run is found by any name of its model.
    let found = |model: &str| {
        let address = format!("{}#{model}/po-approval-gate/run_2", root.display());
        Session::find(&study, &address.parse().expect("an address"))
    };
    let row = study.models.iter().find(|row| row.title() == "Tern 7B").expect("a model");
    assert!(found(&row.name).is_some());
    assert_eq!((found("Tern 7B"), found(&row.full_name)), (found(&row.name), found(&row.name)));
    let read: Vec<(Reading, Reading)> =
        readings(&study).into_iter().map(|of| (of.reading, of.whole)).collect();
    assert_eq!(
        read,
        [
            (Reading::Underpowered, Reading::Underpowered),
            (Reading::Replicated, Reading::Underpowered),
            (Reading::Replicated, Reading::Replicated),
            (Reading::Replicated, Reading::Replicated),
        ]
    );
    let gainsay::study::campaign::FrozenState::Recorded { matches, before_first_run, .. } = study.frozen()
    else {
        panic!("is on record")
    };
    assert_eq!((matches, before_first_run), (true, Some(true)));
}

/// The file in the README is one: it reads without a fault, and its digest is its own.
#[test]
fn the_readme_shows_a_sound_file() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("reads");
    let (_, rest) = readme.split_once("```toml\n").expect("a block");
    let (text, _) = rest.split_once("```").expect("ends");
    let (campaign, problems) = parse(text, Path::new("campaign.toml"));
    assert!(problems.is_empty(), "{problems:?}");
    let campaign = campaign.expect("reads");
    assert_eq!(campaign.criteria.len(), 3);
    let defaults = gainsay::study::campaign::Settings::default();
    assert_eq!(campaign.settings, defaults, "it says that these are the defaults");
    let frozen = campaign.frozen.as_ref().expect("on record");
    assert_eq!(frozen.digest, gainsay::study::campaign::digest(&campaign));
}
