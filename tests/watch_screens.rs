//! An archive that grows under open screens: what is selected, unfolded and in view stays where it is.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::fs;

use support::explorer::{Explorer, Labelled};
use support::{Archive, BATCH, TASK, copy};

/// An archive without its first run, to which it comes while screens are open.
fn grown(size: (u16, u16), before: impl FnOnce(&mut Explorer)) -> (String, String) {
    let archive = Archive::small();
    let aside = tempfile::tempdir().unwrap();
    copy(&archive.run(1), aside.path());
    fs::remove_dir_all(archive.run(1)).unwrap();
    let mut explorer = Labelled::open(archive.path()).explore(size.0, size.1);
    before(&mut explorer);
    let was = explorer.text();
    copy(aside.path(), &archive.run(1));
    // A model and a task that sort before those there are.
    let other = archive.path().join("runs/20260101T091500Z_c0ffee");
    copy(&archive.run(2), &other.join("a-first-task/run_1"));
    copy(&archive.run(2), &other.join(TASK).join("run_1"));
    let manifest = fs::read_to_string(archive.batch().join("manifest.json")).unwrap();
    let manifest = manifest.replace(BATCH, "20260101T091500Z_c0ffee").replace("tern-7b", "auk-1b");
    fs::write(other.join("manifest.json"), manifest).unwrap();
    explorer.reopen();
    (was, explorer.text())
}

/// The words of the marked lines.
fn marked(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.contains('▌') || line.contains('‹'));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

fn has(text: &str, words: &str) {
    assert!(text.contains(words), "no {words} in\n{text}");
}

#[test]
fn the_map_stays_on_its_cell() {
    let (was, now) = grown((120, 40), |explorer| {
        explorer.press("jk");
    });
    has(&was, "7 runs");
    has(&now, "2 models");
    has(&now, "the archive has changed: 3 runs more");
    // The panel speaks of the selected cell.
    for text in [&was, &now] {
        has(text, &format!("tern-7b × {TASK}"));
    }
}

#[test]
fn the_cell_stays_on_its_run_and_where_it_stood() {
    for keys in ["<Enter>G", "<Enter>Gk", "<Enter>zj", "<Enter>onG"] {
        let (was, now) = grown((80, 24), |explorer| {
            explorer.press(keys);
        });
        has(&was, "2 of 7 runs did damage");
        has(&now, "of 8 runs did damage");
        assert_eq!(marked(&was), marked(&now), "{keys}");
        assert_eq!(marked(&was).len(), 1);
    }
}

#[test]
fn the_run_stays_open() {
    let (was, now) = grown((120, 40), |explorer| {
        explorer.press("<Enter><Enter>j<Tab>jj");
    });
    let body = |text: &str| {
        let lines = text.lines().skip(1).filter(|line| !line.contains("the archive has changed"));
        lines.map(ToOwned::to_owned).collect::<Vec<_>>()
    };
    has(&was, "run 1 of 7 in cell");
    has(&now, "run 2 of 8 in cell");
    assert_eq!(body(&was)[..30], body(&now)[..30]);
}

#[test]
fn the_stats_stay_on_what_is_selected() {
    let (was, now) = grown((80, 24), |explorer| {
        // The section of cells; its second line.
        explorer.press("3<Tab><Tab><Tab>");
    });
    has(&was, &format!("tern-7b × {TASK}"));
    for text in [&was, &now] {
        let selected = text.lines().find(|line| line.starts_with('▌')).unwrap();
        has(selected, "tern-7b");
    }
    has(&now, "auk-1b");
}
