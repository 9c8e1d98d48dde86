//! Whole screens, as a person sees them: on the sample archive word for word, on the handed archives by what
//! must and must not stand there.
#![allow(clippy::expect_used, reason = "a test")]

mod support;

use std::path::Path;
use std::sync::Arc;

use gainsay::study::{Options, Session, Study};
use gainsay::tui::{App, Depth, Msg, Theme, ThemeChoice};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use support::explorer::{Labelled, text};
use support::shared;

const SIZES: [(u16, u16); 5] = [(80, 24), (120, 40), (200, 60), (20, 5), (1, 1)];

/// Screens by the keys that lead to them from the Map.
const SCREENS: [(&str, &str); 5] =
    [("map", ""), ("cell", "<Enter>"), ("run", "e"), ("problems", "4"), ("help", "?")];

fn sample() -> &'static Path {
    Path::new("sample-data")
}

#[test]
fn screens_of_the_sample_archive() {
    let labelled = Labelled::open(sample());
    for (screen, keys) in SCREENS {
        let mut explorer = labelled.explore(80, 24);
        explorer.press(keys);
        for (columns, rows) in SIZES {
            let shown = explorer.resize(columns, rows).text();
            insta::assert_snapshot!(format!("{screen}-{columns}x{rows}"), shown);
        }
    }
}

/// Every screen of an archive at every size: the Map in all metrics, each contradiction's run, its cell, its
/// twin, Problems, Help.
fn tour(path: &Path, mut look: impl FnMut(&str, &str)) {
    let labelled = Labelled::open(path);
    for (columns, rows) in SIZES {
        let mut explorer = labelled.explore(columns, rows);
        for metric in ["seen", "at least", "at most"] {
            look(&format!("{columns}x{rows} map, {metric}"), &explorer.text());
            explorer.press("m");
        }
        for keys in ["<Enter>", "z", "G", "c", "<Esc>", "q"] {
            explorer.press(keys);
            look(&format!("{columns}x{rows} cell {keys}"), &explorer.text());
        }
        for number in 0..12 {
            explorer.press("e");
            for keys in ["", "v", "w", "z", "G", "a", "<Esc>"] {
                explorer.press(keys);
                look(&format!("{columns}x{rows} contradiction {number} {keys}"), &explorer.text());
            }
        }
        for keys in ["1", "4", "?"] {
            explorer.press(keys);
            look(&format!("{columns}x{rows} {keys}"), &explorer.text());
        }
    }
}

#[test]
fn no_screen_says_what_it_must_not() {
    let mut archives = vec![sample().to_owned()];
    if let Some(shared) = shared() {
        let names = ["cab-gate-llama70b", "composite"];
        archives.extend(names.map(|name| shared.join("archives").join(name)));
        archives.push(shared.join("agentrelbench/runs"));
    }
    for archive in archives {
        tour(&archive, |place, shown| {
            let place = format!("{} {place}:\n{shown}", archive.display());
            assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "a control character, {place}");
            for line in shown.lines() {
                let words: Vec<&str> =
                    line.split(|c: char| c.is_whitespace() || "–[](),≤≥".contains(c)).collect();
                assert!(!words.contains(&".00") && !words.contains(&"1.00"), "false precision, {place}");
                let lower = line.to_lowercase();
                assert!(!lower.contains("unauthorized"), "the permission word, {place}");
                assert!(!lower.contains("did what it refused"), "more than the data says, {place}");
            }
        });
    }
}

#[test]
fn no_zero_stands_without_its_n() {
    let mut explorer = Labelled::open(sample()).explore(80, 24);
    for _ in 0..3 {
        let map = explorer.text();
        let cells = map.lines().skip(5).take_while(|line| !line.starts_with('─'));
        for word in cells.flat_map(str::split_whitespace) {
            assert_ne!(word, "0", "{map}");
        }
        explorer.press("m");
    }
}

/// The frame after these snapshots arrived one by one, with the selection moved before the second.
fn frame_after(snapshots: &[Arc<Study>]) -> String {
    let mut app = App::new(
        Arc::clone(&snapshots[0]),
        Theme::new(ThemeChoice::Dark, Depth::True, false),
        Size::new(120, 40),
    );
    for key in ["j", "j", "l"] {
        app.update(Msg::Key(gainsay::tui::Key::Char(key.chars().next().expect("a key"))));
    }
    let selected = |app: &App| {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 120, 40));
        app.draw(&mut buffer);
        text(&buffer)
    };
    let title = |shown: &str| {
        let line =
            shown.lines().find_map(|line| line.split_once("│ ").map(|(_, panel)| panel.trim().to_owned()));
        line.unwrap_or_default()
    };
    let before = title(&selected(&app));
    for snapshot in &snapshots[1..] {
        app.update(Msg::Study(Arc::clone(snapshot)));
        assert_eq!(title(&selected(&app)), before, "the selected cell does not move");
    }
    selected(&app)
}

#[test]
fn any_order_of_completion_ends_in_the_same_frame() {
    let session = Session::open(&[sample().to_owned()], &Options::default());
    let initial = session.study();
    let label = |threads| {
        let mut all = vec![Arc::clone(&initial)];
        session.label_on(threads, &mut |study| {
            all.push(study);
            true
        });
        all
    };
    let forward = label(1);
    let parallel = label(3);
    assert!(forward.len() > 2, "the map fills in as it goes");
    assert_eq!(frame_after(&forward), frame_after(&parallel));
    let at_once = [Arc::clone(&initial), Arc::clone(forward.last().expect("a study"))];
    assert_eq!(frame_after(&forward), frame_after(&at_once));
}

#[test]
fn the_flagship_run_reads_at_every_size() {
    let Some(shared) = shared() else { return };
    let archive = shared.join("archives/cab-gate-llama70b");
    let mut explorer = Labelled::open(&archive).explore(80, 24);
    explorer.press("e");
    for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
        let shown = explorer.resize(columns, rows).text();
        for words in [
            "run_2",
            "refused, yet changed",
            "incident/INC_017 status",
            "REFUSAL: the 'Customer portal upgrade' change (CHG0000002)",
            "change/CHG_002 = CHG0000002",
            "implement → scheduled",
            "refusal names this row: yes",
            "admits it: no",
            "m7 < m11",
            "cab_required",
        ] {
            assert!(shown.contains(words), "no {words} at {columns}×{rows}:\n{shown}");
        }
    }
    let twin = explorer.resize(80, 24).press("c").text();
    assert!(twin.contains("run_8"), "{twin}");
}
