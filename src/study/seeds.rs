//! Post-seed dumps that were met, so that each is read once for all runs that begin with it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::archive::pair::{Differing, TablePair, Wanted};
use crate::archive::seed::Seed;
use crate::archive::{Kind, Limits};
use crate::damage::{self, Diff, Differ, Finding, Fingerprint};
use crate::model::{Registry, State, Text};

/// How many bytes of seeds are kept, those in use aside.
const MOST_BYTES: usize = 48 << 20;

/// How many seeds are kept as parsed states, which take many times the memory of their bytes.
const MOST_PARSED: usize = 2;

/// What a comparison of one table found.
type TableDiff = Result<Diff, Vec<Finding>>;

/// A seed with what its domain's registry makes of it.
#[derive(Debug)]
pub(super) struct KnownSeed {
    seed: Seed,
    registry: Arc<Registry>,
    print: Print,
    /// What there is to say of its odd tables as long as they do not change.
    unchanged: BTreeMap<Text, TableDiff>,
}

/// A post-seed state, so that those of many runs need not be kept to be compared. Two that differ may still
/// be of equal states: only parsed states tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Print {
    /// the digest of a dump's tables as they are written
    Bytes(Arc<str>),
    /// of what they hold
    Rows(Fingerprint),
}

/// The seeds met last, the latest first. Shared between workers.
#[derive(Debug, Default)]
pub(super) struct Seeds {
    known: Mutex<Vec<Arc<KnownSeed>>>,
    parsed: Mutex<Vec<(Arc<KnownSeed>, Arc<State>)>>,
    limits: Limits,
}

impl Seeds {
    /// None so far; dumps are held to these limits.
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// The seed a post-seed dump holds. `None` if the dump has to be read as a whole.
    pub(super) fn of(&self, kind: Kind, dump: &[u8], registry: &Arc<Registry>) -> Option<Arc<KnownSeed>> {
        let known: Vec<Arc<KnownSeed>> = lock(&self.known).clone();
        let found = known.into_iter().find(|known| known.is_for(registry) && known.seed.is_in(kind, dump));
        let seed = match found {
            Some(seed) => seed,
            None => {
                let (seed, state) = Seed::index(kind, dump, registry, &self.limits)?;
                Arc::new(KnownSeed::new(seed, state.as_ref(), Arc::clone(registry)))
            }
        };
        let mut known = lock(&self.known);
        known.retain(|other| !Arc::ptr_eq(other, &seed));
        known.insert(0, Arc::clone(&seed));
        let mut bytes = 0;
        known.retain(|seed| {
            bytes += seed.seed.size();
            bytes <= MOST_BYTES || Arc::strong_count(seed) > 1
        });
        Some(seed)
    }

    /// The whole state of a seed.
    pub(super) fn state(&self, seed: &Arc<KnownSeed>) -> Arc<State> {
        let found = lock(&self.parsed)
            .iter()
            .find(|(of, _)| Arc::ptr_eq(of, seed))
            .map(|(_, state)| Arc::clone(state));
        found.unwrap_or_else(|| {
            let state = Arc::new(seed.seed.state());
            let mut parsed = lock(&self.parsed);
            parsed.insert(0, (Arc::clone(seed), Arc::clone(&state)));
            parsed.truncate(MOST_PARSED);
            state
        })
    }
}

/// A worker that died has left the list whole: it is only ever changed in single steps.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl KnownSeed {
    fn new(seed: Seed, state: Option<&State>, registry: Arc<Registry>) -> Self {
        let odd = seed.odd_tables().tables;
        let unchanged = odd.into_iter().map(|(name, table)| {
            let mut differ = Differ::new(&registry, 0);
            differ.table(&name, [Some(&table), Some(&table)]);
            (name, differ.finish())
        });
        let print = match (&seed, state) {
            (Seed::Json(seed), _) => Print::Bytes(seed.sha256().into()),
            (_, Some(state)) => Print::Rows(damage::fingerprint(state)),
            (_, None) => Print::Rows(damage::fingerprint(&seed.state())),
        };
        Self { unchanged: unchanged.collect(), print, seed, registry }
    }

    /// True if it was read with the same keys and masks.
    fn is_for(&self, registry: &Arc<Registry>) -> bool {
        Arc::ptr_eq(&self.registry, registry)
            || (self.registry.primary_keys == registry.primary_keys
                && self.registry.volatile_columns == registry.volatile_columns)
    }

    pub(super) fn print(&self) -> Print {
        self.print.clone()
    }

    /// What has to be compared with a final dump; see [`Seed::align`].
    pub(super) fn align(&self, dump: &[u8], wanted: &Wanted<'_>) -> Option<Vec<TablePair>> {
        self.seed.align(dump, wanted)
    }

    /// The key that the dump declares for a table.
    pub(super) fn declared_key(&self, table: &Text) -> Option<&[Text]> {
        self.seed.declared_key(table)
    }

    /// Of the tables in which a final dump differs, all rows.
    pub(super) fn final_tables(&self, dump: &[u8], pairs: &[TablePair]) -> State {
        self.seed.final_tables(dump, pairs)
    }

    /// What differs between this seed and a final dump, as the comparison of both whole states would find it.
    /// It takes the rows out of the pairs.
    pub(super) fn diff(&self, pairs: &mut [TablePair]) -> TableDiff {
        let most = pairs.iter().map(|pair| match &pair.rows {
            Differing::Rows(pairs) => pairs.len(),
            Differing::Whole(..) => 0,
        });
        let mut differ = Differ::new(&self.registry, most.sum());
        // Both come in the order of their names.
        let mut unchanged = self.unchanged.iter().peekable();
        for TablePair { name, rows, .. } in pairs {
            while let Some((_, found)) = unchanged.next_if(|(other, _)| *other < name) {
                differ.known(found);
            }
            unchanged.next_if(|(other, _)| *other == name);
            match rows {
                Differing::Rows(pairs) => differ.rows(name, std::mem::take(pairs)),
                Differing::Whole(before, after) => differ.table(name, [before.as_ref(), after.as_ref()]),
            }
        }
        unchanged.for_each(|(_, found)| differ.known(found));
        differ.finish()
    }
}
