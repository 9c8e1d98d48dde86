//! The cache: what comes from it is what labelling finds, and nothing it holds is believed beyond its time.
#![allow(clippy::expect_used, reason = "a test")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod support;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use gainsay::model::Code;
use gainsay::study::cache::CacheFile;
use gainsay::study::{Options, Session, Study};
use support::{Archive, K, TASK, copy, edit_dump};
use tempfile::TempDir;

/// A cache in a folder of its own.
struct Place {
    dir: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("deep/index.sqlite")
    }

    /// The study, and how many of its runs were labelled anew.
    fn open(&self, archive: &Path) -> (Arc<Study>, usize) {
        self.open_with(archive, false)
    }

    fn verify(&self, archive: &Path) -> (Arc<Study>, usize) {
        self.open_with(archive, true)
    }

    fn open_with(&self, archive: &Path, verify: bool) -> (Arc<Study>, usize) {
        let cache = Some(CacheFile { path: self.path(), verify });
        let session = Session::open(&[archive.to_owned()], &Options { cache, ..Options::default() });
        let study = session.label_all();
        (study, session.labelled_anew().unwrap())
    }

    /// Fills the cache and sees that it is used.
    fn filled(&self, archive: &Path) {
        settle();
        self.open(archive);
        assert_eq!(self.open(archive).1, 0, "all is known");
    }
}

/// Files written a moment ago are not trusted to be finished.
fn settle() {
    thread::sleep(Duration::from_millis(40));
}

fn cold(archive: &Path) -> Arc<Study> {
    Session::open(&[archive.to_owned()], &Options::default()).label_all()
}

fn same(found: &Study, archive: &Path) {
    assert_eq!(format!("{found:#?}"), format!("{:#?}", cold(archive)));
}

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data")
}

/// Gives a file another content and the times of before.
fn rewrite(path: &Path, moved: Duration, edit: impl FnOnce()) {
    let modified = fs::metadata(path).unwrap().modified().unwrap();
    edit();
    File::options().write(true).open(path).unwrap().set_modified(modified - moved).unwrap();
}

#[test]
fn the_sample_reopens_as_it_was_labelled() {
    let place = Place::new();
    let first = place.open(&sample());
    assert!(first.1 > 400, "{}", first.1);
    same(&first.0, &sample());
    let (again, anew) = place.open(&sample());
    assert_eq!(anew, 0);
    same(&again, &sample());
    let (again, anew) = place.verify(&sample());
    assert_eq!(anew, 0);
    same(&again, &sample());
}

#[test]
fn broken_runs_come_from_the_cache_with_their_problems() {
    let archive = Archive::small();
    fs::remove_file(archive.final_state(1)).unwrap();
    fs::write(archive.final_state(2), b"no gzip").unwrap();
    fs::write(archive.results(3), b"{").unwrap();
    edit_dump(&archive.post_seed(4), |tables| {
        tables.pop();
    });
    edit_dump(&archive.final_state(5), |tables| {
        tables.push(("ghost".into(), gainsay::model::Value::Array(vec![])));
    });
    let place = Place::new();
    settle();
    let (first, anew) = place.open(archive.path());
    same(&first, archive.path());
    assert_eq!(anew, K - 1, "a run without a dump is not read");
    let codes: Vec<Code> = first.problems.iter().map(|problem| problem.code).collect();
    for code in [Code::MissingDump, Code::BadGzip, Code::BadJson, Code::PostSeedDrift] {
        assert!(codes.contains(&code), "{code:?} in {codes:?}");
    }
    let (again, anew) = place.open(archive.path());
    same(&again, archive.path());
    assert_eq!(anew, 0);
}

#[test]
fn a_recorded_verdict_that_differs_is_told_from_the_cache_too() {
    let archive = Archive::small();
    let place = Place::new();
    place.filled(archive.path());
    let study = cold(archive.path());
    let rows: Vec<String> = study
        .runs
        .iter()
        .map(|run| {
            let verdict = run.verdict().unwrap();
            gainsay::archive::verdicts::to_line(verdict)
                .replace("\"eog_success\": true", "\"eog_success\": false")
        })
        .collect();
    archive.write("verdicts.jsonl", rows.join("\n").as_bytes());
    let (found, anew) = place.open(archive.path());
    assert_eq!(anew, 0);
    assert!(found.problems.iter().any(|problem| problem.code == Code::VerdictDrift));
    same(&found, archive.path());
}

#[test]
fn a_changed_run_is_labelled_anew_and_no_other() {
    let archive = Archive::small();
    let place = Place::new();
    place.filled(archive.path());
    fs::copy(archive.final_state(1), archive.final_state(2)).unwrap();
    settle();
    let (found, anew) = place.open(archive.path());
    assert_eq!(anew, 1);
    same(&found, archive.path());
    assert_eq!(place.open(archive.path()).1, 0);
    // An older file is another file too.
    rewrite(&archive.results(3), Duration::from_secs(60), || {});
    let (found, anew) = place.open(archive.path());
    assert_eq!(anew, 0, "its content is as it was");
    same(&found, archive.path());
}

#[test]
fn a_dump_behind_the_caches_back_is_found_when_asked() {
    let archive = Archive::small();
    let place = Place::new();
    let path = archive.results(1);
    place.filled(archive.path());
    let text = fs::read_to_string(&path).unwrap();
    let other = text.replacen("\"passed\": true", "\"passed\": null", 1);
    assert!(other != text && other.len() == text.len());
    rewrite(&path, Duration::ZERO, || fs::write(&path, other).unwrap());
    assert_eq!(place.open(archive.path()).1, 0, "size and time are those of before");
    let (found, anew) = place.verify(archive.path());
    assert_eq!(anew, 1);
    same(&found, archive.path());
    let (found, anew) = place.open(archive.path());
    assert_eq!(anew, 0);
    same(&found, archive.path());
}

#[test]
fn another_spec_or_registry_is_another_verdict() {
    let archive = Archive::small();
    let place = Place::new();
    place.filled(archive.path());
    let edit = |name: &str, from: &str, to: &str| {
        let path = find(archive.path(), name);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from} in {text}");
        rewrite(&path, Duration::ZERO, || fs::write(&path, text.replace(from, to)).unwrap());
        let (found, anew) = place.open(archive.path());
        same(&found, archive.path());
        assert_eq!(place.open(archive.path()).1, 0);
        anew
    };
    let spec = format!("{TASK}/damage.json");
    assert_eq!(edit(&spec, "\"allowed\"", "\"disallowed\""), K);
    assert_eq!(edit(&spec, "\"disallowed\"", "\"allowed\""), 0, "what was found before holds again");
    assert_eq!(edit("volatile-columns-", "\"updated_at\"", "\"none_such\""), K);
    assert_eq!(edit("tool-tags-", "\"read\"", "\"irreversible\""), K);
}

/// The file below a folder whose path holds `name`; of the sample's domain.
fn find(dir: &Path, name: &str) -> PathBuf {
    let mut todo = vec![dir.to_owned()];
    let domain = gainsay::archive::tasks::list(&dir.join("tasks"))[TASK][0]
        .parent()
        .unwrap()
        .file_name()
        .unwrap()
        .to_owned();
    while let Some(dir) = todo.pop() {
        for entry in fs::read_dir(dir).unwrap().flatten() {
            let path = entry.path();
            let text = path.to_string_lossy().into_owned();
            if path.is_dir() {
                todo.push(path);
            } else if text.contains(name) && text.contains(domain.to_str().unwrap()) {
                return path;
            }
        }
    }
    panic!("no {name}");
}

#[test]
fn an_archive_that_was_moved_is_known_by_its_content() {
    let archive = Archive::small();
    fs::write(archive.results(3), b"{").unwrap();
    let place = Place::new();
    place.filled(archive.path());
    let elsewhere = tempfile::tempdir().unwrap();
    copy(archive.path(), elsewhere.path());
    let (found, anew) = place.open(elsewhere.path());
    assert_eq!(anew, 0);
    same(&found, elsewhere.path());
}

/// How a file is broken.
type Break<'a> = (&'a str, &'a dyn Fn(&Path));

#[test]
fn a_broken_cache_is_made_anew() {
    let archive = Archive::small();
    let breaks: [Break; 5] = [
        ("garbage", &|path| fs::write(path, "no database at all, but long enough to be looked at").unwrap()),
        ("empty", &|path| fs::write(path, "").unwrap()),
        ("cut", &|path| {
            let length = fs::metadata(path).unwrap().len();
            File::options().write(true).open(path).unwrap().set_len(length / 2).unwrap();
        }),
        ("bent", &|path| {
            // Every page but the first, which makes it a database.
            let mut bytes = fs::read(path).unwrap();
            bytes.iter_mut().skip(4096).for_each(|byte| *byte ^= 0x55);
            fs::write(path, bytes).unwrap();
        }),
        ("another schema", &|path| {
            let mut bytes = fs::read(path).unwrap();
            bytes[63] = 99;
            fs::write(path, bytes).unwrap();
        }),
    ];
    for (what, harm) in breaks {
        let place = Place::new();
        place.filled(archive.path());
        harm(&place.path());
        let (found, anew) = place.open(archive.path());
        assert_eq!(anew, K, "{what}");
        same(&found, archive.path());
        let (found, anew) = place.open(archive.path());
        assert_eq!(anew, 0, "{what}: made anew");
        same(&found, archive.path());
    }
}

#[test]
fn a_single_bent_byte_is_never_believed() {
    let archive = Archive::small();
    let place = Place::new();
    place.filled(archive.path());
    let whole = fs::read(place.path()).unwrap();
    let expected = format!("{:?}", cold(archive.path()));
    for at in (100..whole.len()).step_by(911) {
        let mut bent = whole.clone();
        bent[at] ^= 0x10;
        fs::write(place.path(), bent).unwrap();
        let (found, _) = place.open(archive.path());
        assert_eq!(format!("{found:?}"), expected, "byte {at}");
    }
}

#[test]
fn a_database_of_something_else_is_left_alone() {
    let place = Place::new();
    fs::create_dir_all(place.path().parent().unwrap()).unwrap();
    let other = rusqlite::Connection::open(place.path()).unwrap();
    other.execute_batch("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1);").unwrap();
    drop(other);
    let before = fs::read(place.path()).unwrap();
    let archive = Archive::small();
    settle();
    let (found, anew) = place.open(archive.path());
    assert_eq!(anew, K);
    same(&found, archive.path());
    assert!(fs::read(place.path()).unwrap() == before);
}

#[test]
fn a_cache_that_cannot_be_written_stops_nothing() {
    let archive = Archive::small();
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    for path in [dir.path().join("file/below/index.sqlite"), dir.path().to_owned()] {
        let cache = Some(CacheFile { path, verify: false });
        let options = Options { cache, ..Options::default() };
        let study = Session::open(&[archive.path().to_owned()], &options).label_all();
        same(&study, archive.path());
    }
    assert!(dir.path().is_dir());
}

#[test]
fn two_sessions_at_once_do_no_harm() {
    let archive = Archive::small();
    let place = Place::new();
    settle();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| same(&place.open(archive.path()).0, archive.path()));
        }
    });
    let (found, anew) = place.open(archive.path());
    assert_eq!(anew, 0);
    same(&found, archive.path());
}

#[test]
fn a_session_lets_others_write_and_does_without_a_file_that_others_keep() {
    let archive = Archive::small();
    let place = Place::new();
    place.filled(archive.path());
    let cache = Some(CacheFile { path: place.path(), verify: false });
    let session = Session::open(&[archive.path().to_owned()], &Options { cache, ..Options::default() });
    drop(session.label_all());
    assert_eq!(session.labelled_anew(), Some(0));
    let other = rusqlite::Connection::open(place.path()).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").expect("nothing holds the file while the session is open");
    assert_eq!(place.open(archive.path()).1, K);
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(place.open(archive.path()).1, 0);
}

#[test]
fn a_file_written_just_now_is_not_kept() {
    let archive = Archive::small();
    let place = Place::new();
    let path = archive.results(1);
    File::options().write(true).open(&path).unwrap().set_modified(SystemTime::now()).unwrap();
    let later = SystemTime::now() + Duration::from_secs(3600);
    File::options().write(true).open(archive.results(2)).unwrap().set_modified(later).unwrap();
    settle();
    place.open(archive.path());
    assert_eq!(place.open(archive.path()).1, 1, "the time of one is yet to come");
}

#[test]
fn verdict_files_come_from_the_cache() {
    let archive = Archive::small();
    let study = cold(archive.path());
    let mut lines: Vec<String> =
        study.runs.iter().map(|run| gainsay::archive::verdicts::to_line(run.verdict().unwrap())).collect();
    lines.extend([String::new(), "{".into(), lines[0].clone(), lines[1].replace("run_", "run_1")]);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("harbour.verdicts.jsonl");
    fs::write(&file, lines.join("\n")).unwrap();
    let place = Place::new();
    settle();
    same(&place.open(dir.path()).0, dir.path());
    let stat = CacheFile { path: place.path(), verify: false }.stat();
    assert_eq!((stat.entries, stat.verdicts), (1, K as u64 + 1));
    same(&place.open(dir.path()).0, dir.path());
    // The cache is what is read: a change behind its back shows only when digests are compared.
    let text = fs::read_to_string(&file).unwrap();
    let other = text.replacen("run_1", "run_9", 1);
    rewrite(&file, Duration::ZERO, || fs::write(&file, other).unwrap());
    assert_ne!(format!("{:#?}", place.open(dir.path()).0), format!("{:#?}", cold(dir.path())));
    same(&place.verify(dir.path()).0, dir.path());
    same(&place.open(dir.path()).0, dir.path());
}

/// `gainsay` with a cache of its own.
fn gainsay(place: &Place, arguments: &[&str]) -> String {
    let mut command = assert_cmd::Command::cargo_bin("gainsay").unwrap();
    let command = command.env("GAINSAY_CACHE", place.path()).args(arguments);
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

#[test]
fn the_program_keeps_and_clears_its_cache() {
    let archive = Archive::small();
    let path = archive.path().to_str().unwrap();
    let place = Place::new();
    settle();
    let without = gainsay(&place, &[path, "--plain", "--no-cache"]);
    assert!(!place.path().exists());
    let stat = |entries: usize| {
        let text = gainsay(&place, &["cache", "stat"]);
        assert!(text.contains(&format!("{entries} runs and verdict files")), "{text}");
    };
    stat(0);
    for extra in [&[][..], &[], &["--verify-cache"]] {
        assert_eq!(gainsay(&place, &[&[path, "--plain"], extra].concat()), without);
        stat(K);
    }
    assert_eq!(gainsay(&place, &["cache", "path"]).trim_end(), place.path().to_str().unwrap());
    gainsay(&place, &["cache", "clear"]);
    assert!(!place.path().exists());
    // What must prove itself reads everything, always.
    gainsay(&place, &["verify", path]);
    assert!(!place.path().exists());
}
