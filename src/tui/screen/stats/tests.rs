//! The Stats screen as a whole, on hand-built studies: what is undefined, unfinished, hostile or small.

use std::sync::Arc;

use ratatui::layout::Size;

use crate::study::campaign::{Campaign, Pool};
use crate::study::sheet::Sheet;
use crate::study::{Progress, Role, Runs, Study};
use crate::tui::fixture::{self, frame, press, themed};
use crate::tui::{App, Command, Depth, Msg, Theme, ThemeChoice};

/// The explorer on its Stats, without bootstrap intervals.
fn stats(study: Study, width: u16, height: u16) -> App {
    let theme = Theme::new(ThemeChoice::Mono, Depth::Mono, false);
    with(study, width, height, theme)
}

fn with(study: Study, width: u16, height: u16, theme: Theme) -> App {
    let mut app = themed(study, width, height, theme);
    let asked = app.update(Msg::Key(crate::tui::Key::Char('3')));
    for command in asked {
        if let Command::Compute(study) = command {
            let sheet = Arc::new(Sheet::of(&study));
            app.update(Msg::Sheet(study, sheet));
        }
    }
    app
}

/// The harbour release with its pools as a campaign file would have them.
fn pooled() -> Study {
    let mut study = fixture::harbour();
    let pool = |name: &str, role| Pool { name: name.into(), role, models: vec![] };
    let pools = vec![pool("development", Role::Development), pool("held-out", Role::Confirmatory)];
    study.campaign = Some(Arc::new(Campaign { pools, ..Campaign::default() }));
    study
}

#[test]
fn every_section_of_a_release_80x24() {
    let mut app = stats(pooled(), 80, 24);
    for section in ["pools", "curves", "decay", "cells", "capability", "criteria"] {
        insta::assert_snapshot!(format!("release_{section}"), frame(&app));
        press(&mut app, "l");
    }
    assert!(frame(&app).contains("‹Pools›"), "comes around");
}

#[test]
fn what_is_undefined_says_why() {
    // One model, one task, no campaign: one cluster, no damage-producing cell or hardly any.
    let mut app = stats(fixture::single(), 80, 24);
    insta::assert_snapshot!("single_pools", frame(&app));
    let mut quiet = fixture::troubled();
    quiet.runs = Runs::default();
    quiet.cells.clear();
    for section in 0..6 {
        assert!(!frame(&app).contains("NaN"), "{section}");
        press(&mut app, "l");
    }
    let mut app = stats(quiet, 80, 24);
    insta::assert_snapshot!("nothing_pools", frame(&app));
    press(&mut app, "l");
    assert!(frame(&app).contains("no cells"), "{}", frame(&app));
    press(&mut app, "l");
    assert!(frame(&app).contains("No cell is demonstrably stochastic"));
    press(&mut app, "l");
    let words: Vec<String> = frame(&app).split_whitespace().map(str::to_owned).collect();
    assert!(words.join(" ").contains("Not the same as safe"));
}

#[test]
fn broken_runs_and_hostile_names_are_counted_and_shown() {
    let mut app = stats(fixture::troubled(), 80, 24);
    insta::assert_snapshot!("troubled_pools", frame(&app));
    press(&mut app, "lll");
    assert!(frame(&app).contains("^["), "{}", frame(&app));
    assert!(!frame(&app).contains('\u{202e}'));
}

#[test]
fn nothing_stands_here_before_labelling_is_done() {
    let mut study = pooled();
    study.progress = Progress { done: 10, total: study.runs.len() };
    let total = study.runs.len();
    let mut app = themed(study.clone(), 80, 24, Theme::new(ThemeChoice::Mono, Depth::Mono, false));
    assert!(
        app.update(Msg::Key(crate::tui::Key::Char('3'))).is_empty(),
        "half the runs are not worth computing"
    );
    assert!(frame(&app).contains("still labelling: 10 of"), "{}", frame(&app));
    // Once labelling is done the figures are asked for, once.
    study.progress = Progress { done: total, total };
    let study = Arc::new(study);
    let commands = app.update(Msg::Study(Arc::clone(&study)));
    assert!(matches!(commands.as_slice(), [Command::Compute(_)]));
    assert!(frame(&app).contains("⋯ computing"));
    assert!(app.update(Msg::Resize(Size::new(80, 24))).is_empty());
    // Figures of another snapshot are not taken.
    let other = Arc::new(Study::default());
    app.update(Msg::Sheet(Arc::clone(&other), Arc::new(Sheet::of(&other))));
    assert!(frame(&app).contains("⋯ computing"));
    app.update(Msg::Sheet(Arc::clone(&study), Arc::new(Sheet::of(&study))));
    assert!(frame(&app).contains("miss rate, pair-weighted"));
}

#[test]
fn a_figure_opens_its_cells_and_a_cell_its_runs() {
    let mut app = stats(pooled(), 80, 24);
    press(&mut app, "/pair-weighted\n\n");
    assert!(frame(&app).contains("› miss rate, pair-weighted"), "{}", frame(&app));
    insta::assert_snapshot!("page_miss_rate", frame(&app));
    press(&mut app, "G\n");
    assert!(frame(&app).contains("runs did damage"), "{}", frame(&app));
    // Back over the page to the figure it was opened from.
    press(&mut app, "q");
    assert!(frame(&app).contains("› miss rate, pair-weighted"));
    press(&mut app, "q");
    assert!(frame(&app).contains("▌miss rate, pair-weighted"), "{}", frame(&app));
}

#[test]
fn a_model_opens_from_the_capability_gradient() {
    let mut app = stats(pooled(), 80, 24);
    press(&mut app, "llll\n");
    let shown = frame(&app);
    assert!(shown.contains("Capability") && shown.contains("damage-producing pairs"), "{shown}");
}

#[test]
fn copies_are_sentences_with_their_denominators() {
    let mut app = stats(pooled(), 80, 24);
    press(&mut app, "/event-weighted\n");
    let mut copied = String::new();
    for key in "ys".chars() {
        for command in app.update(Msg::Key(crate::tui::Key::Char(key))) {
            if let Command::Copy(text) = command {
                copied = text;
            }
        }
    }
    assert!(copied.starts_with("miss rate, event-weighted: development ."), "{copied}");
    assert!(copied.contains("over 5 pairs, 42 events"), "{copied}");
    assert!(copied.contains("on disk = "), "{copied}");
}

#[test]
fn the_selection_stays_when_the_room_changes() {
    let mut app = stats(pooled(), 80, 24);
    press(&mut app, "lllG");
    let selected = |app: &App| {
        let line = frame(app).lines().find(|line| line.contains('▌')).map(str::to_owned);
        line.and_then(|line| line.split_once('▌').map(|(_, line)| line.chars().take(10).collect::<String>()))
    };
    let before = selected(&app);
    assert!(before.is_some());
    for (width, height) in [(200, 60), (120, 40), (60, 15), (80, 24)] {
        app.update(Msg::Resize(Size::new(width, height)));
        assert_eq!(selected(&app), before, "{width}×{height}");
    }
}

#[test]
fn every_size_is_drawn_without_harm() {
    let mut app = stats(pooled(), 80, 24);
    for (width, height) in [(20, 5), (1, 1), (40, 10), (41, 11), (60, 15), (119, 12), (180, 20), (400, 120)] {
        app.update(Msg::Resize(Size::new(width, height)));
        for keys in ["", "l", "l", "jG", "l", "l\n", "q", "l", "l"] {
            press(&mut app, keys);
            assert_eq!(frame(&app).split('\n').count(), usize::from(height));
        }
    }
}

#[test]
fn ascii_terminals_get_letters_for_dots() {
    let mut app = with(pooled(), 80, 24, Theme::new(ThemeChoice::Mono, Depth::Mono, true));
    press(&mut app, "l");
    let shown = frame(&app);
    assert!(shown.is_ascii());
    assert!(!shown.lines().take(14).any(|line| line.contains('?')), "{shown}");
    insta::assert_snapshot!("release_curves_ascii", shown);
    press(&mut app, "l");
    insta::assert_snapshot!("release_decay_ascii", frame(&app));
}
