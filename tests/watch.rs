//! An archive that changes while it is open: what is new is labelled, the rest is not touched.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use gainsay::study::{Options, Session, Study, Watch};
use support::terminal::Terminal;
use support::{Archive, K, TASK, copy};

fn options() -> Options {
    Options { watch: true, ..Options::default() }
}

/// Times are told in steps, and what was written a moment ago is read again.
fn settle() {
    thread::sleep(Duration::from_millis(40));
}

fn same(found: &Study, archive: &Path) {
    let cold = Session::open(&[archive.to_owned()], &Options::default()).label_all();
    let again = Study { opening: 0, ..found.clone() };
    assert_eq!(format!("{again:#?}"), format!("{cold:#?}"));
}

/// Takes a run out of the archive; gives where it is.
fn taken_out(archive: &Archive, elsewhere: &Path) {
    fs::rename(archive.run(8), elsewhere.join("run_8"))
        .or_else(|_| {
            copy(&archive.run(8), &elsewhere.join("run_8"));
            fs::remove_dir_all(archive.run(8))
        })
        .unwrap();
}

#[test]
fn what_changed_is_labelled_and_nothing_else() {
    let archive = Archive::small();
    let aside = tempfile::tempdir().unwrap();
    taken_out(&archive, aside.path());
    settle();
    let mut session = Session::open(&[archive.path().to_owned()], &options());
    let mut watch = Watch::new(&session);
    let mut study = session.label_all();
    assert_eq!((study.runs.len(), session.labelled_anew()), (K - 1, Some(K - 1)));
    assert!(!watch.changed(&session));
    let changes: [(&str, usize, &dyn Fn()); 6] = [
        ("a run more", 1, &|| copy(&aside.path().join("run_8"), &archive.run(8))),
        ("a dump written again", 1, &|| {
            fs::copy(archive.final_state(1), archive.final_state(2)).unwrap();
        }),
        ("a file less", 0, &|| fs::remove_file(archive.results(3)).unwrap()),
        ("a run less", 0, &|| fs::remove_dir_all(archive.run(8)).unwrap()),
        ("verdicts on record", 0, &|| archive.write("verdicts.jsonl", b"{}\n")),
        ("another plan", 0, &|| archive.edit_manifest(|manifest| manifest["k"] = 5.into())),
    ];
    for (what, labelled, change) in changes {
        let before = session.labelled_anew().unwrap();
        change();
        assert!(watch.changed(&session), "{what}");
        settle();
        session = session.reopened();
        watch = Watch::new(&session);
        let now = session.label_all();
        assert_eq!(session.labelled_anew().unwrap() - before, labelled, "{what}");
        assert_eq!(now.opening, study.opening + 1);
        study = now;
        same(&study, archive.path());
        assert!(!watch.changed(&session), "{what}: seen");
    }
}

#[test]
fn results_that_still_hold_are_the_very_same() {
    let archive = Archive::small();
    settle();
    let session = Session::open(&[archive.path().to_owned()], &options());
    let before = session.label_all();
    fs::write(archive.results(2), "{").unwrap();
    settle();
    let after = session.reopened().label_all();
    let kept = before.runs.iter().zip(after.runs.iter());
    let kept: Vec<u32> = kept.filter(|(a, b)| a.state.is_same(&b.state)).map(|(run, _)| run.number).collect();
    assert_eq!(kept, [1, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn what_was_written_while_it_was_opened_is_looked_at_again() {
    let archive = Archive::small();
    settle();
    let session = Session::open(&[archive.path().to_owned()], &options());
    // After the listing, and before anything was looked at.
    settle();
    fs::copy(archive.final_state(1), archive.final_state(2)).unwrap();
    let mut watch = Watch::new(&session);
    assert!(watch.changed(&session));
}

#[test]
fn the_explorer_shows_a_run_that_comes_and_keeps_the_selection() {
    let archive = Archive::small();
    let aside = tempfile::tempdir().unwrap();
    taken_out(&archive, aside.path());
    let mut terminal = Terminal::start(120, 30, &[archive.path().to_str().unwrap(), "--theme", "dark"], &[]);
    terminal.wait_for(TASK);
    terminal.wait_for("7 runs");
    terminal.press("\r");
    terminal.press("jj");
    terminal.wait_until("the cell is open", |text| text.contains("run_"));
    terminal.press("\x1b");
    terminal.wait_for("7 runs");
    copy(&aside.path().join("run_8"), &archive.run(8));
    terminal.wait_for("8 runs");
    terminal.press("Q");
    terminal.wait_for_end();
}
