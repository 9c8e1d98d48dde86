//! The Cell screen as a whole.

use super::CellScreen;
use crate::tui::action::{Action, Copied, RunOrder};
use crate::tui::identity::CellId;
use crate::tui::screen::stage::Stage;
use crate::tui::screen::{Effect, Screen, Seek, Target, fixture};

fn stage(size: (u16, u16)) -> Stage<CellScreen> {
    let study = fixture::gate_study();
    let cell = CellId::at(&study, 0, 0).expect("a cell");
    Stage::new(CellScreen::new(cell, None), study, vec![fixture::gate_view(), fixture::clean_view()], size)
}

#[test]
fn a_cell_at_every_size() {
    for (width, height) in [(80, 24), (120, 40), (200, 60), (60, 15), (20, 5), (1, 1)] {
        insta::assert_snapshot!(format!("cell_{width}x{height}"), stage((width, height)).shown());
    }
}

#[test]
fn the_most_telling_run_comes_first_under_the_cursor() {
    let mut stage = stage((80, 24));
    let run = stage.screen.run(&stage.ctx()).expect("a run");
    assert_eq!(run.run, "run_2");
    assert!(matches!(stage.press(Action::Open), Effect::Open(Target::Run(run)) if run.run == "run_2"));
}

#[test]
fn patterns_fold_and_keep_the_selection() {
    let mut stage = stage((80, 24));
    assert!(!stage.shown().contains("\n     3 "), "a pattern of four comes folded");
    stage.press(Action::Fold);
    assert!(stage.shown().contains("\n     3 "));
    stage.press(Action::Fold);
    assert!(!stage.shown().contains("\n     3 "));
    assert_eq!(stage.screen.run(&stage.ctx()).expect("a run").run, "run_2", "its pattern is selected");
    stage.press(Action::NextPattern);
    assert_eq!(stage.screen.run(&stage.ctx()).expect("a run").run, "run_10");
}

#[test]
fn another_order_is_one_plain_list_and_keeps_the_selection() {
    let mut stage = stage((80, 24));
    let before = stage.screen.run(&stage.ctx());
    stage.press(Action::OrderRuns(RunOrder::Calls));
    insta::assert_snapshot!("most_calls_80x24", stage.shown());
    assert_eq!(stage.screen.chosen(), [Action::OrderRuns(RunOrder::Calls)]);
    assert_eq!(stage.screen.run(&stage.ctx()), before);
    assert!(matches!(stage.press(Action::Fold), Effect::Status(_)));
    stage.press(Action::First);
    stage.press(Action::NextRun);
    let second = stage.screen.run(&stage.ctx()).expect("a run");
    stage.press(Action::OrderRuns(RunOrder::Pattern));
    assert_eq!(stage.screen.run(&stage.ctx()), Some(second), "unfolded where it is in a folded pattern");
}

#[test]
fn every_run_is_reached_by_stepping() {
    let mut stage = stage((80, 24));
    stage.press(Action::First);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..30 {
        seen.insert(stage.screen.run(&stage.ctx()).expect("a run").run);
        stage.press(Action::NextRun);
    }
    assert_eq!(seen.len(), 11);
}

#[test]
fn a_search_finds_a_run_by_what_it_said() {
    let mut stage = stage((80, 24));
    let hit = stage.find("no deposit is on record for booking", Seek::Here);
    assert_eq!(hit, Some((1, 1)));
    assert_eq!(stage.screen.run(&stage.ctx()).expect("a run").run, "run_9");
    assert_eq!(stage.find("nowhere", Seek::Here), None);
}

#[test]
fn no_size_and_no_key_does_harm() {
    let actions = [
        Action::Down,
        Action::Left,
        Action::Right,
        Action::Fold,
        Action::PageDown,
        Action::Last,
        Action::Open,
        Action::Up,
        Action::First,
        Action::NextRun,
        Action::PreviousRun,
        Action::NextPattern,
        Action::PreviousPattern,
        Action::OrderMenu,
        Action::OrderRuns(RunOrder::Tokens),
        Action::Fold,
        Action::Left,
        Action::NextRun,
        Action::NextPattern,
        Action::PreviousPattern,
        Action::OrderRuns(RunOrder::Pattern),
        Action::Twin,
        Action::Down,
        Action::Escape,
        Action::Provenance,
    ];
    for size in [(80, 24), (200, 60), (60, 15), (20, 5), (1, 1), (3, 30), (300, 2)] {
        let mut stage = stage(size);
        for action in actions {
            stage.press(action);
            stage.shown();
            stage.click(size.0 / 2, size.1 / 2);
        }
    }
}

#[test]
fn the_sentence_has_its_denominator_and_the_run_its_address() {
    let mut stage = stage((80, 24));
    let sentence = stage.copied(Copied::Sentence).expect("a sentence");
    assert!(
        sentence.starts_with("7 of 10 runs of finch-9b on confirm-held-booking did damage (exact 95 %: ")
    );
    assert!(
        sentence
            .ends_with("0 errored, 1 without verdict). gainsay harbour#finch-9b/confirm-held-booking/run_2")
    );
}
