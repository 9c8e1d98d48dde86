//! An archive that changes while it is open: what is new is labelled, the rest is not touched.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use gainsay::study::{Options, RunState, Session, Study, Watch};
use support::terminal::Terminal;
use support::{Archive, K, TASK, copy};

/// An archive that is opened and watched.
struct Open {
    session: Arc<Session>,
    watch: Watch,
    study: Arc<Study>,
}

impl Open {
    fn new(archive: &Archive) -> Self {
        settle();
        let options = Options { watch: true, ..Options::default() };
        Self::of(Session::open(&[archive.path().to_owned()], &options))
    }

    fn of(session: Session) -> Self {
        let session = Arc::new(session);
        let watch = Watch::new(&session);
        Self { study: session.label_all(), watch, session }
    }

    /// Makes a change and takes it in. Gives how many runs were labelled for it.
    fn after(&mut self, what: &str, change: impl FnOnce()) -> usize {
        let before = self.session.labelled_anew().unwrap();
        assert!(!self.watch.changed(), "before {what}");
        change();
        assert!(self.watch.changed(), "{what}");
        settle();
        let opening = self.study.opening;
        *self = Self::of(self.session.reopened());
        assert_eq!(self.study.opening, opening + 1);
        self.session.labelled_anew().unwrap() - before
    }

    /// It is as if it was opened just now.
    fn is_as_found(&self, archive: &Archive) {
        let cold = Session::open(&[archive.path().to_owned()], &Options::default()).label_all();
        let again = Study { opening: 0, ..(*self.study).clone() };
        assert_eq!(format!("{again:#?}"), format!("{cold:#?}"));
    }
}

/// Times are told in steps, and what was written a moment ago is read again.
fn settle() {
    thread::sleep(Duration::from_millis(40));
}

/// Takes a run out of the archive.
fn taken_out(archive: &Archive, number: u32, elsewhere: &Path) {
    copy(&archive.run(number), elsewhere);
    fs::remove_dir_all(archive.run(number)).unwrap();
}

#[test]
fn what_changed_is_labelled_and_nothing_else() {
    let archive = Archive::small();
    let aside = tempfile::tempdir().unwrap();
    taken_out(&archive, 8, aside.path());
    let mut open = Open::new(&archive);
    assert_eq!((open.study.runs.len(), open.session.labelled_anew()), (K - 1, Some(K - 1)));
    let other = archive.path().join("runs/20260303T091500Z_c0ffee");
    let changes: [(&str, usize, &dyn Fn()); 8] = [
        ("a run more", 1, &|| copy(aside.path(), &archive.run(8))),
        ("a dump written again", 1, &|| {
            fs::copy(archive.final_state(1), archive.final_state(2)).unwrap();
        }),
        ("a file less", 0, &|| fs::remove_file(archive.results(3)).unwrap()),
        ("a run less", 0, &|| fs::remove_dir_all(archive.run(8)).unwrap()),
        ("verdicts on record", 0, &|| archive.write("verdicts.jsonl", b"{}\n")),
        ("another plan", 0, &|| archive.edit_manifest(|manifest| manifest["k"] = 5.into())),
        ("a task's spec touched", 0, &|| {
            let domains = fs::read_dir(archive.path().join("tasks")).unwrap();
            let mut specs = domains.map(|domain| domain.unwrap().path().join(TASK).join("damage.json"));
            let spec = specs.find(|spec| spec.is_file()).unwrap();
            let text = fs::read(&spec).unwrap();
            fs::write(&spec, text).unwrap();
        }),
        ("a batch more, of another model", 2, &|| {
            for run in [1, 2] {
                copy(&archive.run(run), &other.join(TASK).join(format!("run_{run}")));
            }
            let manifest = fs::read_to_string(archive.batch().join("manifest.json")).unwrap();
            let mut manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
            manifest["model"] = "harbour/tern-9b".into();
            manifest["batch_id"] = "20260303T091500Z_c0ffee".into();
            fs::write(other.join("manifest.json"), manifest.to_string()).unwrap();
        }),
    ];
    for (what, labelled, change) in changes {
        assert_eq!(open.after(what, change), labelled, "{what}");
        open.is_as_found(&archive);
    }
    assert_eq!(open.study.models.len(), 2);
}

#[test]
fn a_batch_is_seen_to_come_folder_by_folder() {
    let archive = Archive::small();
    let mut open = Open::new(&archive);
    let batch = archive.path().join("runs/20260304T091500Z_facade");
    let run = batch.join(TASK).join("run_1");
    for (what, folder) in
        [("a batch's folder", batch.clone()), ("a task's", batch.join(TASK)), ("a run's", run.clone())]
    {
        assert_eq!(open.after(what, || fs::create_dir(&folder).unwrap()), 0);
    }
    assert_eq!(open.study.runs.len(), K + 1);
    let files = fs::read_dir(archive.run(1)).unwrap().map(|entry| entry.unwrap().path());
    let labelled: Vec<usize> = files
        .map(|file| {
            open.after("a file of the run", || {
                fs::copy(&file, run.join(file.file_name().unwrap())).unwrap();
            })
        })
        .collect();
    assert_eq!(labelled, [0, 0, 1], "judged once all three are there");
    open.is_as_found(&archive);
}

#[test]
fn a_dump_half_written_is_a_problem_and_then_a_verdict() {
    let archive = Archive::small();
    let whole = fs::read(archive.final_state(2)).unwrap();
    let half = &whole[..whole.len() / 2];
    let mut open = Open::new(&archive);
    let state = |open: &Open| open.study.runs[1].state.clone();
    let before = state(&open);
    assert!(matches!(before, RunState::Judged { .. }));
    assert_eq!(open.after("a half", || fs::write(archive.final_state(2), half).unwrap()), 1);
    assert!(matches!(state(&open), RunState::NoVerdict(why) if why.invalid));
    assert_eq!(open.study.totals().counts.invalid, 1);
    assert_eq!(open.after("the rest", || fs::write(archive.final_state(2), &whole).unwrap()), 1);
    assert_eq!(format!("{before:?}"), format!("{:?}", state(&open)));
    open.is_as_found(&archive);
}

#[test]
fn results_that_still_hold_are_the_very_same() {
    let archive = Archive::small();
    let mut open = Open::new(&archive);
    let before = Arc::clone(&open.study);
    open.after("one broken", || fs::write(archive.results(2), "{").unwrap());
    let kept = before.runs.iter().zip(open.study.runs.iter());
    let kept: Vec<u32> = kept.filter(|(a, b)| a.state.is_same(&b.state)).map(|(run, _)| run.number).collect();
    assert_eq!(kept, [1, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn what_was_written_while_it_was_opened_is_looked_at_again() {
    let archive = Archive::small();
    settle();
    let session = Session::open(&[archive.path().to_owned()], &Options::default());
    // After the listing, and before anything was looked at.
    fs::copy(archive.final_state(1), archive.final_state(2)).unwrap();
    assert!(Watch::new(&Arc::new(session)).changed());
}

#[test]
fn of_very_many_runs_those_long_untouched_are_looked_at_in_turn() {
    let archive = Archive::small();
    let yesterday = SystemTime::now() - Duration::from_secs(86_400);
    let results = |run: usize| archive.run(run as u32).join(format!("results_{TASK}.json"));
    let touch = |path: &Path| File::open(path).unwrap().set_modified(yesterday).unwrap();
    for run in K + 1..=3000 {
        fs::create_dir(archive.run(run as u32)).unwrap();
        fs::write(results(run), "{}").unwrap();
        touch(&results(run));
        touch(&archive.run(run as u32));
    }
    let mut open = Open::new(&archive);
    assert_eq!((open.study.runs.len(), open.watch.round()), (3000, 6));
    // In place: the folder does not tell.
    fs::write(results(2999), "{ }").unwrap();
    let looks: Vec<bool> = (0..6).map(|_| open.watch.changed()).collect();
    assert_eq!(looks, [false, false, false, false, false, true]);
    // That one was written to of late now.
    let mut watch = Watch::new(&open.session);
    fs::write(results(2999), "{  }").unwrap();
    assert!(watch.changed());
}

#[test]
fn the_explorer_shows_a_run_that_comes_and_keeps_the_selection() {
    let archive = Archive::small();
    let aside = tempfile::tempdir().unwrap();
    taken_out(&archive, 1, aside.path());
    let mut terminal = Terminal::start(120, 30, &[archive.path().to_str().unwrap(), "--theme", "dark"], &[]);
    terminal.wait_for("7 runs");
    terminal.press("\r");
    terminal.wait_for("2 of 7 runs did damage");
    terminal.press("G");
    terminal.wait_until("the last run is selected", |text| selected(text).as_deref() == Some("4"));
    copy(aside.path(), &archive.run(1));
    terminal.wait_for("the archive has changed: 1 run more");
    assert_eq!(selected(&terminal.text()).as_deref(), Some("4"));
    terminal.press("\x7f");
    terminal.wait_for("1 model × 1 task · 8 runs");
    terminal.press("Q");
    terminal.wait_for_end();
}

/// The run on the selection's line.
fn selected(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix('▌'))?;
    line.split_whitespace().next().map(ToOwned::to_owned)
}
