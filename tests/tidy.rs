//! The house keeps its own rules: one package has no walls between modules, so this test is the wall.
#![allow(clippy::expect_used, reason = "a test")]

use std::fs;
use std::path::{Path, PathBuf};

/// Modules in the order data flows: each may use only those before it.
const ORDER: [&str; 10] =
    ["model", "stats", "damage", "archive", "study", "review", "report", "harness", "tui", "cli"];

/// `damage` judges and `archive` reads: neither knows the other. The numbers know nothing of the archive.
const FORBIDDEN: [(&str, &str); 6] = [
    ("damage", "stats"),
    ("archive", "stats"),
    ("archive", "damage"),
    ("stats", "model"),
    ("harness", "report"),
    ("harness", "study"),
];

/// Crates that one room (or one file) has to itself.
const OWNED: [(&str, &[&str]); 5] = [
    ("ratatui", &["src/tui/", "src/report/"]),
    ("crossterm", &["src/tui/"]),
    ("rusqlite", &["src/harness/", "src/archive/sqlite", "src/study/cache/"]),
    ("statrs", &["src/stats/"]),
    ("clap", &["src/cli/"]),
];

const MOST_LINES: usize = 600;

fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    collect(&root.join("src"), &mut files);
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).expect("sources are UTF-8");
            let name = path.strip_prefix(root).expect("below the root").to_string_lossy().into_owned();
            (name, text)
        })
        .collect()
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("src is readable").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Modules of the crate that a source text names.
fn names(text: &str) -> Vec<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.match_indices("crate::").map(move |(at, _)| &line[at + 7..]))
        .map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(""))
        .filter(|name| ORDER.contains(name))
        .collect()
}

/// The text before its unit tests: tests may reach further.
fn without_tests(text: &str) -> &str {
    text.find("#[cfg(test)]").map_or(text, |at| &text[..at])
}

#[test]
fn data_flows_one_way() {
    let place = |module: &str| ORDER.iter().position(|name| *name == module);
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        let module = file.trim_start_matches("src/").split(['/', '.']).next().unwrap_or("").to_owned();
        let Some(own) = place(&module) else { continue };
        for used in names(without_tests(&text)) {
            if place(used) > Some(own) || FORBIDDEN.contains(&(module.as_str(), used)) {
                wrong.push(format!("{file} uses {used}"));
            }
        }
    }
    assert!(wrong.is_empty(), "against the order {ORDER:?}:\n{}", wrong.join("\n"));
}

#[test]
fn crates_stay_in_their_rooms() {
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        for (name, rooms) in OWNED {
            let at_home = rooms.iter().any(|room| file.starts_with(room));
            if !at_home && without_tests(&text).contains(&format!("{name}::")) {
                wrong.push(format!("{file} names {name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_cli_prints() {
    let printers = ["println!", "eprintln!", "print!(", "eprint!(", "io::stdout(", "io::stderr("];
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        // The terminal itself is the explorer's to write to.
        if file.starts_with("src/cli/") || file.starts_with("src/tui/") {
            continue;
        }
        for printer in printers {
            if without_tests(&text).contains(printer) {
                wrong.push(format!("{file} has {printer}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_are_short_and_say_what_they_are() {
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        if !text.starts_with("//!") {
            wrong.push(format!("{file} has no module docs"));
        }
        let lines = text.lines().count();
        if lines > MOST_LINES {
            wrong.push(format!("{file} has {lines} lines"));
        }
        if text.lines().any(|line| line.ends_with(' ')) {
            wrong.push(format!("{file} has trailing blanks"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_wrong_use_is_seen() {
    assert_eq!(
        names("use crate::tui::app;\n// crate::cli\nlet x = crate::study::Study::default();"),
        ["tui", "study"]
    );
}
