//! The README says what the program does.
#![allow(clippy::expect_used, reason = "a test")]

use std::fs;
use std::path::Path;

use gainsay::tui::keymap;

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("reads")
}

#[test]
fn the_keys_are_those_of_the_program() {
    let text = readme();
    let (_, rest) = text.split_once("<!-- keys -->\n").expect("the mark before");
    let (keys, _) = rest.split_once("<!-- /keys -->").expect("the mark behind");
    assert_eq!(keys.trim(), keymap::markdown().trim());
}

#[test]
fn what_it_points_to_is_there() {
    let text = readme();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut links = 0;
    for rest in text.split("](").skip(1) {
        let target = rest.split(')').next().expect("a target");
        if !target.starts_with("http") && !target.starts_with('#') {
            assert!(root.join(target).exists(), "{target} is not there");
            links += 1;
        }
    }
    assert!(links >= 4, "{links} links to files");
}

#[test]
#[ignore = "writes README.md: run it by name when a key has changed"]
fn write_keys() {
    let text = readme();
    let (before, rest) = text.split_once("<!-- keys -->\n").expect("the mark before");
    let (_, after) = rest.split_once("<!-- /keys -->").expect("the mark behind");
    let keys = keymap::markdown();
    let written = format!("{before}<!-- keys -->\n{}\n<!-- /keys -->{after}", keys.trim());
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"), written).expect("writes");
}
