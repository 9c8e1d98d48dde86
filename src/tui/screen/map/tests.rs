//! Whole frames of the Map, and how it behaves.

use std::sync::Arc;

use ratatui::layout::{Position, Size};

use crate::study::Study;
use crate::tui::fixture::{self, app, frame, press};
use crate::tui::{App, Msg};

fn snapshot(name: &str, app: &App) {
    let size = app.size();
    insta::assert_snapshot!(format!("{name}_{}x{}", size.width, size.height), frame(app));
}

#[test]
fn frames_at_every_size() {
    for (width, height) in [(80, 24), (120, 40), (200, 60), (60, 15), (20, 5), (1, 1)] {
        snapshot("harbour", &app(fixture::harbour(), width, height));
    }
    for (width, height) in [(80, 24), (120, 40)] {
        snapshot("single", &app(fixture::single(), width, height));
        snapshot("troubled", &app(fixture::troubled(), width, height));
        snapshot("large", &app(fixture::large(), width, height));
    }
}

#[test]
fn frames_of_every_setting() {
    for (name, keys) in [
        ("at_most", "mm"),
        ("transposed", "t"),
        ("by_lever", "ol"),
        ("by_name", "on"),
        ("menu", "o"),
        ("copy", "y"),
        ("source", "i"),
    ] {
        let mut app = app(fixture::harbour(), 80, 24);
        press(&mut app, keys);
        snapshot(name, &app);
    }
    snapshot("labelling", &app(fixture::while_labelling(&fixture::harbour(), 700), 80, 24));
}

#[test]
fn no_size_panics() {
    for study in [fixture::harbour, fixture::troubled, fixture::single, Study::default] {
        for width in (1..90).step_by(13).chain([119, 120, 200]) {
            for height in (1..30).step_by(3).chain([60]) {
                let mut app = app(study(), width, height);
                for keys in ["", "jjl", "t", "z", "mG", "?", "\x1b4"] {
                    press(&mut app, keys);
                    frame(&app);
                }
            }
        }
    }
}

#[test]
fn what_was_labelled_first_does_not_show_in_the_last_frame() {
    let whole = fixture::harbour();
    let forwards = [100, 600, 1200].map(|done| fixture::while_labelling(&whole, done));
    let backwards = [900, 300, 50].map(|done| fixture::while_labelling(&whole, done));
    let end = |parts: [Study; 3]| {
        let mut app = app(fixture::while_labelling(&whole, 0), 80, 24);
        press(&mut app, "jjl");
        for part in parts {
            app.update(Msg::Study(Arc::new(part)));
            assert!(frame(&app).contains("─ finch-3.3-70b × booking-reassign-scoped"), "the selection stays");
        }
        app.update(Msg::Study(Arc::new(whole.clone())));
        assert!(frame(&app).contains("─ finch-3.3-70b × booking-reassign-scoped"), "{}", frame(&app));
        frame(&app)
    };
    assert_eq!(end(forwards), end(backwards));
}

#[test]
fn nothing_sorts_itself_anew_while_labelling() {
    let whole = fixture::harbour();
    let rows = |done| -> Vec<String> {
        let app = app(fixture::while_labelling(&whole, done), 200, 60);
        frame(&app).lines().map(|line| line.chars().take(24).collect()).skip(4).take(22).collect()
    };
    assert_eq!(rows(10), rows(1100));
}

#[test]
fn the_same_selection_outlives_folding_sorting_and_transposing() {
    let mut app = app(fixture::harbour(), 80, 24);
    press(&mut app, "jjll");
    let title = |app: &App| frame(app).lines().find(|line| line.starts_with("─ ")).map(str::to_owned);
    let before = title(&app);
    for keys in ["t", "t", "on", "od", "o0", "ow", "z", "z", "m"] {
        press(&mut app, keys);
        assert_eq!(title(&app), before, "after {keys}");
    }
    app.update(Msg::Resize(Size::new(60, 15)));
    app.update(Msg::Resize(Size::new(80, 24)));
    assert_eq!(title(&app), before);
}

#[test]
fn a_click_selects_and_a_second_one_opens() {
    let mut app = app(fixture::harbour(), 80, 24);
    let text = frame(&app);
    let row = text.lines().position(|line| line.contains("notice-pub")).expect("in view") as u16;
    app.update(Msg::Click(Position::new(27, row)));
    assert!(frame(&app).contains("─ finch-3.1-8b × notice-publish-and-link"));
    app.update(Msg::Click(Position::new(27, row)));
    assert!(frame(&app).starts_with(" finch-3.1-8b × notice-publish-and-link"));
    app.update(Msg::Wheel(Position::new(1, 1), 3));
    frame(&app);
}

#[test]
fn search_finds_tasks_and_models_and_never_runs_its_letters() {
    let mut app = app(fixture::harbour(), 80, 24);
    press(&mut app, "/qtariff\n");
    assert!(frame(&app).contains("no hit for qtariff"));
    press(&mut app, "/tariff\n");
    assert!(frame(&app).contains("× tariff-price-correction"), "{}", frame(&app));
    press(&mut app, "/sea-gull\n");
    assert!(frame(&app).contains("─ sea-gull-120b × "), "{}", frame(&app));
    press(&mut app, "\x1b");
    assert!(!frame(&app).contains("sea-gull\n"), "Esc clears the search");
}

#[test]
fn folded_tasks_unfold_on_enter() {
    let mut app = app(fixture::harbour(), 80, 24);
    press(&mut app, "G");
    assert!(frame(&app).contains("─ 12 tasks, none seen"), "{}", frame(&app));
    press(&mut app, "\n");
    assert!(frame(&app).contains("× account-onboarding-chain"), "{}", frame(&app));
}

#[test]
fn no_zero_stands_without_its_denominator_and_no_bound_rounds_to_an_end() {
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        for keys in ["", "m", "mm", "z", "t", "G"] {
            let mut app = app(fixture::harbour(), width, height);
            press(&mut app, keys);
            let text = frame(&app);
            assert!(!text.contains(" .00") && !text.contains("–.00") && !text.contains("1.00"), "{text}");
            assert!(!text.contains(" 0 ") || text.contains("/"), "{text}");
        }
    }
}

#[test]
fn escape_never_quits_and_q_does() {
    let mut app = app(fixture::harbour(), 80, 24);
    for _ in 0..5 {
        assert!(app.update(Msg::Key(crate::tui::Key::Esc)).is_empty());
    }
    let commands = app.update(Msg::Key(crate::tui::Key::Char('q')));
    assert!(matches!(commands.as_slice(), [crate::tui::Command::Quit]));
}
