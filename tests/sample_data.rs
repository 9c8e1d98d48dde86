//! The sample archive: made again, and compared byte for byte with `sample-data/`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use gainsay::harness::sample;

fn sample_data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data")
}

fn files_below(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![dir.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("lists") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(dir).expect("below").to_owned();
                found.insert(name, fs::read(&path).expect("reads"));
            }
        }
    }
    found
}

#[test]
fn the_generator_makes_sample_data_byte_for_byte() {
    let dir = tempfile::tempdir().expect("a directory");
    let target = dir.path().join("sample");
    let summary = sample::write(&target).expect("writes");
    let (made, kept) = (files_below(&target), files_below(&sample_data()));
    let differing: Vec<_> = made
        .iter()
        .filter(|(path, bytes)| kept.get(*path) != Some(bytes))
        .map(|(path, _)| path)
        .chain(kept.keys().filter(|path| !made.contains_key(*path)))
        .collect();
    assert!(differing.is_empty(), "{} files differ, first {:?}", differing.len(), differing.first());
    assert_eq!(summary.files, made.len());
    assert!(summary.bytes <= 6_000_000, "{} bytes", summary.bytes);
    assert!(summary.runs >= 400 && summary.models >= 5 && summary.tasks >= 8, "{summary:?}");
}

#[test]
#[ignore = "replaces sample-data; run by name after a change of the generator"]
fn replace_sample_data() {
    let target = sample_data();
    if target.exists() {
        fs::remove_dir_all(&target).expect("removes");
    }
    println!("{:?}", sample::write(&target).expect("writes"));
}
