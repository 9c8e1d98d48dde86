//! Sections on the archives rebuilt from released verdicts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::clock::{Sample, cpu_ms};
use crate::compare::{compare, label, open, runs};
use crate::memory::peak;
use crate::places::{children, target};
use crate::ratio::times;
use crate::rebuilt::Released;

/// Links the runs of one domain's tasks into an archive of their own.
fn only(released: &Released, archive: &Path, domain: &str, scratch: &Path) -> PathBuf {
    let tasks = released.tasks().join(domain);
    let task = |run: &Path| run.parent().and_then(Path::file_name).map(|task| tasks.join(task));
    linked(archive, scratch, |run| task(run).is_some_and(|task| task.is_dir()))
}

/// Links the wanted runs into an archive of their own.
fn linked(archive: &Path, scratch: &Path, wanted: impl Fn(&Path) -> bool) -> PathBuf {
    let root = scratch.join(archive.file_name().expect("a name"));
    for run in runs(archive).into_iter().filter(|run| wanted(run)) {
        let place = root.join(run.strip_prefix(archive).expect("below"));
        fs::create_dir_all(&place).expect("makes folders");
        for file in children(&run) {
            fs::hard_link(&file, place.join(file.file_name().expect("a name"))).expect("links");
        }
    }
    root
}

/// Apart by domain.
pub fn by_domain() {
    let Some(released) = Released::find() else { return };
    for domain in ["csm", "itsm"] {
        let scratch = tempfile::tempdir_in(target()).expect("a folder");
        let archives = released.archives.iter();
        let paths: Vec<PathBuf> =
            archives.map(|archive| only(&released, archive, domain, scratch.path())).collect();
        compare(domain, &paths, &released.options(), 7);
        peak(domain, &paths, &released.options());
    }
}

/// Labels batches by the checkout's own tasks and registries, and says how many milliseconds of CPU it took.
const REFERENCE: &str = "\
import sys, time
from pathlib import Path
from agentrelbench.labeling import label_batch
start = time.process_time()
for batch in sys.argv[1:]:
    label_batch(Path(batch), Path('tasks'))
print('took', 1000 * (time.process_time() - start))";

/// The Python reference on all of them, in turn with ours: CPU time on one core, without its start.
pub fn reference() {
    let Some(checkout) = std::env::var_os("ARB") else {
        println!("  skipped: set ARB=<checkout of the reference>");
        return;
    };
    let Some(released) = Released::find() else { return };
    let options = released.options();
    let scratch = tempfile::tempdir_in(target()).expect("a folder");
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for archive in &released.archives {
        // It writes its verdicts beside the runs.
        let archive = &linked(archive, scratch.path(), |_| true);
        let output = Command::new("python3")
            .args(["-c", REFERENCE])
            .args(children(&archive.join("runs")))
            .current_dir(&checkout)
            .env("PYTHONPATH", Path::new(&checkout).join("src"))
            .output()
            .expect("python3 runs");
        let said = String::from_utf8_lossy(&output.stdout);
        let took = said.lines().find_map(|line| line.strip_prefix("took ")?.parse().ok());
        let Some(took) = took else {
            let why = String::from_utf8_lossy(&output.stderr);
            println!("  the reference failed: {}", why.lines().last().unwrap_or_default());
            return;
        };
        theirs.push(took);
        let paths = std::slice::from_ref(archive);
        ours.push(cpu_ms(|| label(&open(paths, &options), 1)));
    }
    println!(
        "  {} ms of CPU, the reference {}, each for one of {} archives: {} × as fast on one core",
        Sample::new(ours.clone()),
        Sample::new(theirs.clone()),
        released.archives.len(),
        times(&theirs, &ours)
    );
}
