//! The two dumps of a run, read in the cheapest way that leaves nothing out.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;

use super::seeds::{KnownSeed, Print, Seeds};
use crate::archive::gzip::Inflater;
use crate::archive::pair::{Differing, TablePair, Wanted};
use crate::archive::{self, Kind, Limits, RunFiles, dump, sqlite};
use crate::damage::{self, Diff, Finding, States};
use crate::model::{Problem, Registry, State, Text};

/// What a worker keeps from run to run: its buffers are as large as the largest dump it met.
#[derive(Default)]
pub(super) struct Buffers {
    inflater: Inflater,
    packed: Vec<u8>,
    /// The post-seed dump, until its seed is found; then the final one. Memory used again at once is memory
    /// that is still near.
    dump: Vec<u8>,
}

impl Buffers {
    /// A dump's JSON, or its database. Whatever is wrong with it, [`parse`] finds it again and names it.
    fn unpack(&mut self, kind: Kind, path: &Path, limits: &Limits) -> Option<&[u8]> {
        match kind {
            Kind::JsonGz => {
                archive::read_into(path, &mut self.packed, limits).ok()?;
                self.inflater.inflate(&self.packed, &mut self.dump, path, limits).ok()?;
            }
            Kind::Sqlite => sqlite::read_image(path, &mut self.dump, limits).ok()?,
        }
        Some(&self.dump)
    }
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
    dump: &'a [u8],
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
    /// What differs between the two; to be asked once.
    ///
    /// # Errors
    /// As [`damage::diff`].
    pub(super) fn diff(&mut self, registry: &Registry) -> Result<Diff, Vec<Finding>> {
        match self {
            Self::Parsed { before, after } => damage::diff(before, after, registry),
            Self::Aligned(aligned) => aligned.seed.diff(&mut aligned.pairs),
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
            Self::Aligned(aligned) => aligned.declared_key(table),
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
                aligned.after.get_or_init(|| aligned.seed.final_tables(aligned.dump, &aligned.pairs))
            }
        }
    }
}

/// Reads a run's dumps: aligned if they allow it, else parsed. `wanted`: columns that a delta's rows have to
/// have.
pub(super) fn read<'a>(
    files: &RunFiles,
    registry: &Arc<Registry>,
    seeds: &'a Seeds,
    wanted: &Wanted<'_>,
    buffers: &'a mut Buffers,
    limits: &Limits,
) -> ReadStates<'a> {
    let (Some(before), Some(after)) = (&files.post_seed, &files.final_state) else {
        return parse(files, limits);
    };
    let kind = Kind::of(before).filter(|kind| Kind::of(after) == Some(*kind));
    let aligned = kind.and_then(|kind| {
        let seed = seeds.of(kind, buffers.unpack(kind, before, limits)?, registry)?;
        Aligned::new(seeds, seed, buffers.unpack(kind, after, limits)?, wanted)
    });
    match aligned {
        Some(aligned) => ReadStates {
            print: Some(aligned.seed.print()),
            pair: Some(StatePair::Aligned(aligned)),
            problems: Vec::new(),
        },
        None => parse(files, limits),
    }
}

impl<'a> Aligned<'a> {
    /// `None` if the final dump has to be read as a whole.
    fn new(seeds: &'a Seeds, seed: Arc<KnownSeed>, dump: &'a [u8], wanted: &Wanted<'_>) -> Option<Self> {
        let pairs = seed.align(dump, wanted)?;
        Some(Self { seeds, seed, pairs, dump, before: OnceCell::new(), after: OnceCell::new() })
    }

    /// The key that either dump declares. Only of a table that was compared whole can it be the final dump
    /// alone that does.
    fn declared_key(&self, table: &Text) -> Option<&[Text]> {
        let of_final = || {
            let pair = self.pairs.iter().find(|pair| pair.name == *table)?;
            let Differing::Whole(_, Some(after)) = &pair.rows else { return None };
            after.declared_key.as_deref()
        };
        self.seed.declared_key(table).or_else(of_final)
    }
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

#[cfg(test)]
mod tests;
