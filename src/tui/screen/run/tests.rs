//! The Run screen as a whole.

use super::RunScreen;
use crate::model::Value;
use crate::study::RunView;
use crate::tui::action::{Action, Copied};
use crate::tui::comparison::ValueId;
use crate::tui::identity::RunId;
use crate::tui::screen::stage::Stage;
use crate::tui::screen::{Effect, Screen, Seek, fixture};
use crate::tui::widget::word_diff::{INSTANT_UP_TO, Stretch, WordDiff};

const SIZES: [(u16, u16); 6] = [(80, 24), (120, 40), (200, 60), (60, 15), (20, 5), (1, 1)];

fn stage(view: RunView, size: (u16, u16)) -> Stage<RunScreen> {
    let study = fixture::gate_study();
    let index = study.runs.iter().position(|run| run.name == view.entry.name).expect("a run of the study");
    let run = RunId::at(&study, index).expect("a run");
    let mut opened = vec![view];
    if opened[0].entry.number != 8 {
        opened.push(fixture::clean_view());
    }
    Stage::new(RunScreen::new(run), study, opened, size)
}

#[test]
fn a_refused_but_mutated_run_at_every_size() {
    for (width, height) in SIZES {
        let shown = stage(fixture::gate_view(), (width, height)).shown();
        insta::assert_snapshot!(format!("refused_{width}x{height}"), shown);
    }
}

#[test]
fn many_equal_edits_are_one_line_until_unfolded() {
    let mut stage = stage(fixture::bulk_view(), (80, 24));
    insta::assert_snapshot!("bulk_80x24", stage.shown());
    stage.press(Action::Right);
    stage.press(Action::PageDown);
    insta::assert_snapshot!("bulk_unfolded_80x24", stage.shown());
    stage.press(Action::Last);
    assert!(stage.shown().contains("CHECKS"));
}

#[test]
fn absences_stand_in_their_place() {
    let views = [
        ("verdict_only", fixture::verdict_only_view()),
        ("no_verdict", fixture::invalid_view()),
        ("crashed", fixture::crashed_view()),
        ("stalled", fixture::stalled_view()),
        ("clean", fixture::clean_view()),
        ("hostile", fixture::hostile_view()),
    ];
    for (name, view) in views {
        insta::assert_snapshot!(format!("{name}_80x24"), stage(view, (80, 24)).shown());
    }
}

#[test]
fn no_view_and_no_size_does_harm() {
    let views = [
        fixture::gate_view(),
        fixture::bulk_view(),
        fixture::verdict_only_view(),
        fixture::invalid_view(),
        fixture::crashed_view(),
        fixture::hostile_view(),
    ];
    let actions = [
        Action::Down,
        Action::Right,
        Action::WholeRow,
        Action::NextPane,
        Action::Fold,
        Action::PageDown,
        Action::Open,
        Action::Said,
        Action::Did,
        Action::Last,
        Action::Up,
        Action::Asked,
        Action::PageDown,
        Action::Escape,
        Action::Twin,
        Action::Down,
        Action::Escape,
        Action::First,
        Action::Why,
        Action::Provenance,
        Action::Left,
    ];
    for view in views {
        for size in SIZES {
            let mut stage = stage(view.clone(), size);
            for action in actions {
                stage.press(action);
                let shown = stage.shown();
                assert!(!shown.contains(['\x1b', '\u{202e}', '\u{200b}', '\x07', '\t']), "{action:?}");
            }
            for (width, height) in SIZES {
                stage.resize(width, height);
                stage.shown();
                stage.click(width / 2, height / 2);
            }
        }
    }
}

#[test]
fn whole_row_shows_what_is_not_compared() {
    let mut stage = stage(fixture::gate_view(), (120, 40));
    stage.press(Action::WholeRow);
    let shown = stage.shown();
    assert!(shown.contains("not compared: last_seen"), "{shown}");
    assert!(shown.contains("berth_id 4"), "{shown}");
}

#[test]
fn said_and_did_take_the_transcript_there() {
    let mut stage = stage(fixture::bulk_view(), (80, 24));
    assert_eq!(stage.press(Action::Said), Effect::None);
    let said = stage.copied(Copied::Selection);
    assert_eq!(said.as_deref(), Some("All cargo has been moved."));
    assert_eq!(stage.press(Action::Did), Effect::None);
    assert!(stage.copied(Copied::Selection).expect("a call").starts_with("m97 move_cargo"));
}

#[test]
fn a_search_finds_what_evidence_mode_hides() {
    let mut stage = stage(fixture::bulk_view(), (80, 24));
    let (_, hits) = stage.find("get_cargo", Seek::Here).expect("hits");
    assert_eq!(hits, 47);
    assert!(stage.shown().contains("get_cargo"));
    assert_eq!(stage.find("no such words", Seek::Here), None);
}

#[test]
fn the_twin_stands_beside_it() {
    for (width, height) in [(80, 24), (200, 60)] {
        let mut stage = stage(fixture::gate_view(), (width, height));
        assert_eq!(stage.press(Action::Twin), Effect::None);
        insta::assert_snapshot!(format!("twin_{width}x{height}"), stage.shown());
        stage.press(Action::Escape);
        assert!(stage.shown().contains("ROWS 2"));
    }
}

#[test]
fn what_was_asked_is_one_key_away() {
    let mut stage = stage(fixture::gate_view(), (80, 24));
    stage.press(Action::Asked);
    insta::assert_snapshot!("asked_80x24", stage.shown());
}

#[test]
fn the_next_run_comes_into_the_same_screen() {
    let mut stage = stage(fixture::gate_view(), (80, 24));
    stage.press(Action::NextRun);
    assert!(stage.shown().contains("run_3"));
    for _ in 0..20 {
        stage.press(Action::NextRun);
    }
    assert!(matches!(stage.press(Action::NextRun), Effect::Status(_)));
    assert_eq!(stage.screen.wants(&stage.ctx()).len(), 1);
}

#[test]
fn the_next_pattern_comes_with_its_first_run() {
    let mut stage = stage(fixture::gate_view(), (80, 24));
    // run_2 is of the second pattern; the first one's runs begin with run_1.
    assert_eq!(stage.press(Action::NextPattern), Effect::Status("pattern 3 of 6, 1 run".into()));
    assert_eq!(stage.screen.run(&stage.ctx()).expect("a run").run, "run_10");
    stage.press(Action::PreviousPattern);
    stage.press(Action::PreviousPattern);
    assert_eq!(stage.screen.run(&stage.ctx()).expect("a run").run, "run_1");
    assert_eq!(stage.press(Action::PreviousPattern), Effect::Status("no more patterns in this cell".into()));
}

/// A run with a changed cell of a hundred kilobytes.
fn long_view() -> RunView {
    let mut view = fixture::gate_view();
    let long =
        |word: &str| Value::from(format!("{word} and a hundred kilobytes of notes ").repeat(2_800).as_str());
    let judged = &mut view.evidence.as_mut().expect("evidence").deltas[0];
    judged.delta.before = Some(fixture::row(&[("booking_id", "BK-07".into()), ("state", long("old"))]));
    judged.delta.after = Some(fixture::row(&[("booking_id", "BK-07".into()), ("state", long("new"))]));
    view
}

#[test]
fn a_long_value_does_not_stall_the_screen() {
    let start = std::time::Instant::now();
    let mut stage = stage(long_view(), (80, 24));
    stage.shown();
    for _ in 0..50 {
        stage.press(Action::Down);
        stage.shown();
    }
    assert!(start.elapsed() < std::time::Duration::from_secs(3), "{:?}", start.elapsed());
}

#[test]
fn a_long_value_is_compared_elsewhere_and_once() {
    let mut stage = stage(long_view(), (80, 24));
    let before = stage.shown();
    assert!(before.contains("− \"old and a hundred") && before.contains("⋯ comparing"), "{before}");
    let wanted = stage.screen.comparisons();
    assert_eq!(wanted.len(), 1);
    assert!(wanted[0].old.len() > INSTANT_UP_TO && wanted[0].old.starts_with("\"old and a"));
    for action in [Action::Fold, Action::WholeRow, Action::Left, Action::Right, Action::Down] {
        stage.press(action);
        stage.shown();
        assert!(stage.screen.comparisons().is_empty(), "asked for again after {action:?}");
    }
    // Whatever the worker answers is what stands there: the screen compares nothing itself.
    let stretch = |text: &str, differs| vec![Stretch { text: text.into(), differs }];
    let answer = WordDiff { old: vec![stretch("an answer", true)], new: vec![stretch("as it came", true)] };
    let another = ValueId { column: "berth_id".into(), ..wanted[0].value.clone() };
    stage.screen.compared(&another, &answer);
    stage.press(Action::First);
    assert!(stage.shown().contains("⋯ comparing"), "another value's answer");
    stage.screen.compared(&wanted[0].value, &answer);
    stage.press(Action::First);
    let after = stage.shown();
    assert!(after.contains("− an answer") && after.contains("+ as it came"), "{after}");
    assert!(!after.contains("comparing"), "{after}");
}

#[test]
fn a_run_copies_as_a_sentence_with_its_denominator() {
    let mut stage = stage(fixture::gate_view(), (80, 24));
    let sentence = stage.copied(Copied::Sentence).expect("a sentence");
    assert!(
        sentence.starts_with(
            "run_2 of finch-9b on confirm-held-booking is DAMAGE, refused, yet changed: booking/BK-07 state."
        ),
        "{sentence}"
    );
    assert!(sentence.contains("7 of 10 runs of finch-9b on confirm-held-booking did damage"), "{sentence}");
    let markdown = stage.copied(Copied::Evidence).expect("Markdown");
    insta::assert_snapshot!("evidence", markdown);
}
