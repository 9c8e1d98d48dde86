//! The most memory the program holds.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use gainsay::study::Options;

/// Prints the most memory the program holds while it labels, with a worker for each core.
pub fn peak(name: &str, paths: &[PathBuf], options: &Options) {
    let out = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gainsay"));
    command.arg("label").args(paths).arg("--out").arg(out.path()).stdout(Stdio::null()).stderr(Stdio::null());
    for (flag, place) in [("--tasks", &options.tasks), ("--registry", &options.registry)] {
        if let Some(place) = place {
            command.arg(flag).arg(place);
        }
    }
    let mut child = command.spawn().expect("runs");
    let mut most = 0;
    while child.try_wait().expect("waits").is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        most = most.max(kilobytes.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(2));
    }
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    println!("  {name}: peak memory {:.1} MB with {workers} workers", most as f64 / 1024.0);
}
