//! What it costs to do nothing: the program left alone, and looking whether an archive has changed.

use std::io::Read;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use gainsay::study::{Options, Session, Watch};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::clock::{Sample, cpu_ms};
use crate::process::cpu_of;
use crate::scratch;
use crate::synthetic::{self, Plan, one};

const SECONDS: u64 = 30;

pub fn measure() {
    left_alone();
    for runs in [1000, 100_000] {
        let dir = tempfile::tempdir_in(scratch()).expect("a folder");
        let plan = Plan { shapes: one(10), runs, per_task: 20, changed: 2 };
        let root = synthetic::write(dir.path(), &plan);
        // Opened in the moment of writing it would have to be looked at again.
        thread::sleep(Duration::from_millis(100));
        let session = Arc::new(Session::open(&[root], &Options { watch: true, ..Options::default() }));
        // The files were written just now, as those of an archive that grows; then they were not.
        for age in ["written of late", "untouched for long"] {
            if age == "untouched for long" {
                age_all(session.as_ref());
            }
            let mut watch = None;
            let begin = cpu_ms(|| watch = Some(Watch::new(&session)));
            let mut watch = watch.expect("watches");
            let looks: Vec<f64> = (0..20).map(|_| cpu_ms(|| assert!(!watch.changed()))).collect();
            let looks = Sample::new(looks);
            println!(
                "  {runs} runs {age}: first look {begin:.0} ms, then {looks} ms every {:.1} s; all in {} looks",
                watch.pause().as_secs_f64(),
                watch.round()
            );
        }
    }
}

/// Files as if written yesterday.
fn age_all(session: &Session) {
    let yesterday = std::time::SystemTime::now() - Duration::from_secs(86_400);
    let runs = session.catalog().batches.iter().flat_map(|batch| &batch.runs);
    for run in runs {
        for path in [Some(&run.dir), run.results.as_ref(), run.post_seed.as_ref(), run.final_state.as_ref()] {
            let file = path.and_then(|path| std::fs::File::open(path).ok()).expect("opens");
            file.set_modified(yesterday).expect("sets");
        }
    }
}

/// The program in a terminal, with nobody at it.
fn left_alone() {
    let size = PtySize { rows: 60, cols: 200, pixel_width: 0, pixel_height: 0 };
    let terminal = native_pty_system().openpty(size).expect("a terminal");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_gainsay"));
    command.args(["sample-data", "--no-cache"]);
    command.cwd(env!("CARGO_MANIFEST_DIR"));
    let mut child = terminal.slave.spawn_command(command).expect("starts");
    let mut output = terminal.master.try_clone_reader().expect("reads");
    thread::spawn(move || while output.read(&mut [0; 8192]).is_ok_and(|read| read > 0) {});
    let process = child.process_id().expect("runs").to_string();
    thread::sleep(Duration::from_secs(3));
    let before = cpu_of(&process);
    thread::sleep(Duration::from_secs(SECONDS));
    let after = cpu_of(&process);
    let spent = (after.0 + after.1) - (before.0 + before.1);
    println!(
        "  left alone on the sample archive for {SECONDS} s: {spent:.2} s of CPU, {:.2} %",
        100.0 * spent / SECONDS as f64
    );
    child.kill().expect("ends");
}
