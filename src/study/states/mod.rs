//! The two dumps of a run, read in the cheapest way that leaves nothing out.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;

use super::seeds::{KnownSeed, Print, Seeds};
use crate::archive::gzip::Inflater;
use crate::archive::pair::{self, TablePair};
use crate::archive::{self, Limits, RunFiles, dump};
use crate::damage::{self, Diff, Finding, States};
use crate::model::{Problem, Registry, State, Text};

/// What a worker keeps from run to run: its buffers are as large as the largest dump it met.
#[derive(Default)]
pub(super) struct Buffers {
    inflater: Inflater,
    packed: Vec<u8>,
    before: Vec<u8>,
    after: Vec<u8>,
}

/// The two states of a run.
#[derive(Debug)]
pub(super) enum StatePair<'a> {
    /// both parsed
    Parsed { before: State, after: State },
    /// known as a seed and what differs from it
    Aligned(Aligned<'a>),
}

/// A run's states as a seed and what differs from it. The states themselves are parsed when they are asked
/// for.
#[derive(Debug)]
pub(super) struct Aligned<'a> {
    seeds: &'a Seeds,
    seed: Arc<KnownSeed>,
    pairs: Vec<TablePair>,
    /// The final dump.
    json: &'a [u8],
    before: OnceCell<Arc<State>>,
    after: OnceCell<State>,
}

/// What was read of a run's dumps.
pub(super) struct ReadStates<'a> {
    /// Both states, if both could be read.
    pub(super) pair: Option<StatePair<'a>>,
    /// Of the post-seed state, if it could be read.
    pub(super) print: Option<Print>,
    pub(super) problems: Vec<Problem>,
}

impl StatePair<'_> {
    /// What differs between the two.
    ///
    /// # Errors
    /// As [`damage::diff`].
    pub(super) fn diff(&self, registry: &Registry) -> Result<Diff, Vec<Finding>> {
        match self {
            Self::Parsed { before, after } => damage::diff(before, after, registry),
            Self::Aligned(aligned) => aligned.seed.diff(&aligned.pairs),
        }
    }
}

impl States for StatePair<'_> {
    fn declared_key(&self, table: &Text) -> Option<&[Text]> {
        match self {
            Self::Parsed { before, after } => {
                let tables = [before, after].into_iter().filter_map(|state| state.tables.get(table));
                tables.filter_map(|table| table.declared_key.as_deref()).find(|key| !key.is_empty())
            }
            // Dumps that can be aligned declare none.
            Self::Aligned(_) => None,
        }
    }

    fn post_seed(&self) -> &State {
        match self {
            Self::Parsed { before, .. } => before,
            Self::Aligned(aligned) => aligned.before.get_or_init(|| aligned.seeds.state(&aligned.seed)),
        }
    }

    fn final_state(&self) -> &State {
        match self {
            Self::Parsed { after, .. } => after,
            Self::Aligned(aligned) => {
                aligned.after.get_or_init(|| pair::final_tables(aligned.json, &aligned.pairs))
            }
        }
    }
}

/// Reads a run's dumps: aligned if they allow it, else parsed.
pub(super) fn read<'a>(
    files: &RunFiles,
    registry: &Arc<Registry>,
    seeds: &'a Seeds,
    buffers: &'a mut Buffers,
    limits: &Limits,
) -> ReadStates<'a> {
    let (Some(before_path), Some(after_path)) = (&files.post_seed, &files.final_state) else {
        return parse(files, limits);
    };
    if !is_json(before_path) || !is_json(after_path) {
        return parse(files, limits);
    }
    let Buffers { inflater, packed, before, after } = buffers;
    let mut inflate = |path: &Path, out: &mut Vec<u8>| {
        archive::read_into(path, packed, limits).and_then(|()| inflater.inflate(packed, out, path, limits))
    };
    // Whatever is wrong with a dump, the other way finds it again and names it.
    if inflate(before_path, before).and_then(|()| inflate(after_path, after)).is_err() {
        return parse(files, limits);
    }
    match align(before, after, registry, seeds) {
        Some(aligned) => ReadStates {
            print: Some(aligned.seed.print()),
            pair: Some(StatePair::Aligned(aligned)),
            problems: Vec::new(),
        },
        None => parse(files, limits),
    }
}

/// Aligns two dumps. `None` if one of them has to be read as a whole.
fn align<'a>(
    before: &[u8],
    json: &'a [u8],
    registry: &Arc<Registry>,
    seeds: &'a Seeds,
) -> Option<Aligned<'a>> {
    let seed = seeds.of(before, registry)?;
    let pairs = seed.align(json)?;
    Some(Aligned { seeds, seed, pairs, json, before: OnceCell::new(), after: OnceCell::new() })
}

/// Reads and parses both dumps whole.
pub(super) fn parse<'a>(files: &RunFiles, limits: &Limits) -> ReadStates<'a> {
    let mut problems = Vec::new();
    let mut read = |path: &Option<std::path::PathBuf>| {
        dump::read(path.as_ref()?, limits).map_err(|problem| problems.push(problem)).ok()
    };
    let (before, after) = (read(&files.post_seed), read(&files.final_state));
    let print = before.as_ref().map(|dump| Print::Rows(damage::fingerprint(&dump.state)));
    let pair = before
        .zip(after)
        .map(|(before, after)| StatePair::Parsed { before: before.state, after: after.state });
    ReadStates { pair, print, problems }
}

fn is_json(path: &Path) -> bool {
    path.to_string_lossy().ends_with(".json.gz")
}

#[cfg(test)]
mod tests;
