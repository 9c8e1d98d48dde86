//! The pictures of the README, made from the real screens on the sample archive.
//!
//! `cargo test --test screenshots -- --ignored` makes them anew (and PNGs beside them where `rsvg-convert` is
//! installed); the other test fails when they are out of date.
#![allow(clippy::expect_used, reason = "a test")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gainsay::tui::svg::{Ground, svg};
use gainsay::tui::{Depth, Theme, ThemeChoice};
use support::explorer::Labelled;

/// A picture: its file, its size, the theme, and the keys that lead to it.
struct Picture {
    name: &'static str,
    title: &'static str,
    size: (u16, u16),
    theme: (ThemeChoice, Depth),
    keys: &'static str,
}

const DARK: (ThemeChoice, Depth) = (ThemeChoice::Dark, Depth::True);

const PICTURES: [Picture; 7] = [
    Picture { name: "map", title: "Map: models across, tasks down", size: (120, 36), theme: DARK, keys: "" },
    Picture {
        name: "cell",
        title: "Cell: its runs by what they did",
        size: (100, 30),
        theme: DARK,
        keys: "<Enter>",
    },
    Picture { name: "run", title: "Run: said against did", size: (100, 34), theme: DARK, keys: "e" },
    Picture {
        name: "stats",
        title: "Stats: a clean audit, and every cell against the band",
        size: (120, 40),
        theme: DARK,
        keys: "3ll",
    },
    Picture { name: "map-80x24", title: "Map on a projector", size: (80, 24), theme: DARK, keys: "" },
    Picture {
        name: "run-light",
        title: "Run on a light ground",
        size: (80, 24),
        theme: (ThemeChoice::Light, Depth::True),
        keys: "e",
    },
    Picture {
        name: "map-mono",
        title: "Map without colour",
        size: (80, 24),
        theme: (ThemeChoice::Mono, Depth::Mono),
        keys: "",
    },
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn file(picture: &Picture) -> PathBuf {
    root().join("screenshots").join(picture.name).with_extension("svg")
}

fn sample() -> Labelled {
    Labelled::open(Path::new("sample-data"))
}

fn draw(labelled: &Labelled, picture: &Picture) -> String {
    let theme = Theme::new(picture.theme.0, picture.theme.1, false);
    let (columns, rows) = picture.size;
    let mut explorer = labelled.explore_in(theme, columns, rows);
    let ground = if picture.theme.0 == ThemeChoice::Light { Ground::LIGHT } else { Ground::DARK };
    svg(
        &explorer.press(picture.keys).draw(),
        ground,
        &format!("gainsay (synthetic data) · {}", picture.title),
    )
}

#[test]
fn pictures_show_what_the_program_shows() {
    let labelled = sample();
    for picture in &PICTURES {
        let path = file(picture);
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == draw(&labelled, picture),
            "{} is out of date: see the top of this file",
            path.display()
        );
    }
}

#[test]
#[ignore = "writes screenshots/: run it by name when a screen has changed"]
fn make_pictures() {
    fs::create_dir_all(root().join("screenshots")).expect("a folder");
    let labelled = sample();
    for picture in &PICTURES {
        let path = file(picture);
        fs::write(&path, draw(&labelled, picture)).expect("writes");
        let png = path.with_extension("png");
        match Command::new("rsvg-convert").arg("--zoom=2").arg(&path).arg("-o").arg(&png).status() {
            Ok(status) if status.success() => println!("made {} and .png", path.display()),
            _ => println!("made {} (no rsvg-convert, no PNG)", path.display()),
        }
    }
}
