//! What a verdict depends on, as one digest.

use std::fmt::{self, Debug, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::archive::{self, Limits, RunFiles};
use crate::damage;
use crate::model::{Registry, Task};

/// A SHA-256.
pub(in crate::study) type Key = [u8; 32];

/// Who labels: the build, its labeler's version, and how much it may hold of a file.
#[derive(Clone, Copy, Debug)]
pub(in crate::study) struct Reader {
    labeler: u32,
    max_inflated: u64,
}

impl Reader {
    pub(in crate::study) fn new(limits: &Limits) -> Self {
        Self { labeler: damage::LABELER, max_inflated: limits.max_inflated }
    }

    /// A later version of the same.
    #[cfg(test)]
    pub(in crate::study) fn later(self, by: u32) -> Self {
        Self { labeler: self.labeler + by, ..self }
    }

    fn begin(self, what: &str) -> Hashed {
        let mut hashed = Hashed(Sha256::new());
        hashed.part(what.as_bytes());
        hashed.part(env!("CARGO_PKG_VERSION").as_bytes());
        hashed.part(&self.labeler.to_le_bytes());
        hashed.part(&self.max_inflated.to_le_bytes());
        hashed
    }

    /// What runs of a task are judged by: the spec and the registry as the labeler is given them, which
    /// covers whatever files they are from. Their `Debug` form tells all values apart.
    pub(in crate::study) fn rules(self, task: Option<&Task>, registry: Option<&Key>) -> Key {
        let mut hashed = self.begin("rules");
        hashed.debug(&task.map(|task| (&task.id, &task.spec)));
        hashed.debug(&registry);
        hashed.0.finalize().into()
    }

    /// A registry, to be hashed once for many tasks.
    pub(in crate::study) fn registry(self, registry: &Registry) -> Key {
        let mut hashed = self.begin("registry");
        hashed.debug(registry);
        hashed.0.finalize().into()
    }

    /// A run, from its rules and its files' digests.
    pub(super) fn run(self, rules: &Key, run: &RunFiles, digests: &[Option<Key>]) -> Key {
        let mut hashed = self.begin("run");
        hashed.part(rules);
        hashed.part(run.task.as_bytes());
        hashed.part(run.name.as_bytes());
        for path in [&run.post_seed, &run.final_state].into_iter().flatten() {
            // The name's end tells how a dump is read.
            hashed.part(path.extension().unwrap_or_default().as_encoded_bytes());
        }
        for digest in digests {
            hashed.part(digest.as_ref().map_or(&[], |digest| digest.as_slice()));
        }
        hashed.0.finalize().into()
    }

    /// A verdict file.
    pub(super) fn file(self, digest: &Key) -> Key {
        let mut hashed = self.begin("verdict file");
        hashed.part(digest);
        hashed.0.finalize().into()
    }
}

/// A place in the file system: a folder with links resolved, and files in it. A number, since that is what
/// tables are searched for fastest.
pub(in crate::study) fn place<'a>(folder: &Path, files: impl IntoIterator<Item = &'a Path>) -> i64 {
    let mut hashed = Hashed(Sha256::new());
    hashed.part(folder.as_os_str().as_encoded_bytes());
    for file in files {
        hashed.part(file.as_os_str().as_encoded_bytes());
    }
    let digest: Key = hashed.0.finalize().into();
    i64::from_le_bytes(*digest.first_chunk().unwrap_or(&[0; 8]))
}

/// The digests of files, as many as can be read.
pub(super) fn digests(files: &[PathBuf], limits: &Limits) -> Vec<Option<Key>> {
    let of =
        |path: &PathBuf| archive::read_bytes(path, limits).ok().map(|bytes| Sha256::digest(bytes).into());
    files.iter().map(of).collect()
}

/// Parts are hashed with their lengths: where one ends and the next begins is part of the whole.
struct Hashed(Sha256);

impl Hashed {
    fn part(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn debug(&mut self, value: &impl Debug) {
        // Writing into a digest cannot fail.
        let _ = write!(self, "{value:?}");
        self.part(b"");
    }
}

impl Write for Hashed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AllowRule, DamageSpec, Text, Value};

    fn task(id: Text) -> Task {
        Task {
            id,
            system_prompt: None,
            user_prompt: None,
            spec: DamageSpec::default(),
            definition: Value::Null,
        }
    }

    #[test]
    fn rules_that_differ_have_other_keys() {
        let reader = Reader::new(&Limits::default());
        let rules = |task: Option<&Task>, registry: Option<&Registry>| {
            reader.rules(task, registry.map(|registry| reader.registry(registry)).as_ref())
        };
        let registry = Registry::default();
        let base = task("berth".into());
        let mut ruled = base.clone();
        ruled.spec.allowed =
            vec![AllowRule { table: None, op: None, conditions: Vec::new(), columns: Some(Vec::new()) }];
        // A lone surrogate, and the six characters of its escape.
        let odd = [task(Text::from_wtf8(b"\xED\xA0\x80")), task("\\ud800".into())];
        let mut keys: Vec<Key> =
            [&base, &ruled, &odd[0], &odd[1]].map(|task| rules(Some(task), Some(&registry))).into();
        keys.push(rules(None, Some(&registry)));
        keys.push(rules(Some(&base), None));
        let other = Registry { domain: "port".into(), ..Registry::default() };
        keys.push(rules(Some(&base), Some(&other)));
        let registry = reader.registry(&registry);
        keys.push(Reader { labeler: reader.labeler + 1, ..reader }.rules(Some(&base), Some(&registry)));
        keys.push(Reader { max_inflated: 7, ..reader }.rules(Some(&base), Some(&registry)));
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
        assert_eq!(rules(Some(&base), None), rules(Some(&base.clone()), None));
    }
}
