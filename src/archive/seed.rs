//! A post-seed dump of either kind, read once and compared with any number of final ones of that kind.

use super::pair::{self, TablePair, Wanted};
use super::{Kind, Limits, sqlite};
use crate::model::{Registry, State, Text};

/// See [`pair`] for JSON, [`sqlite`] for databases.
#[derive(Debug)]
pub enum Seed {
    /// of dumps in JSON
    Json(pair::Seed),
    /// of database files
    Sqlite(sqlite::Seed),
}

impl Seed {
    /// Reads a dump's bytes, as [`Kind`] has them: JSON, or a whole database. Also gives what it holds, where
    /// it was all read. `None` if the dump has to be read on its own.
    #[must_use]
    pub fn index(
        kind: Kind,
        dump: &[u8],
        registry: &Registry,
        limits: &Limits,
    ) -> Option<(Self, Option<State>)> {
        Some(match kind {
            Kind::JsonGz => (Self::Json(pair::Seed::index(dump, registry, limits)?), None),
            Kind::Sqlite => {
                let (seed, state) = sqlite::Seed::index(dump, registry, limits)?;
                (Self::Sqlite(seed), Some(state))
            }
        })
    }

    /// True if this dump holds the same tables, byte for byte.
    #[must_use]
    pub fn is_in(&self, kind: Kind, dump: &[u8]) -> bool {
        match self {
            Self::Json(seed) => kind == Kind::JsonGz && seed.is_in(dump),
            Self::Sqlite(seed) => kind == Kind::Sqlite && seed.is_in(dump),
        }
    }

    /// How much memory it takes, about.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Json(seed) => seed.size(),
            Self::Sqlite(seed) => seed.size(),
        }
    }

    /// The tables of which there is something to say even where nothing changed, as they are before the agent
    /// acts.
    #[must_use]
    pub fn odd_tables(&self) -> State {
        match self {
            Self::Json(seed) => seed.odd_tables(),
            Self::Sqlite(seed) => seed.odd_tables(),
        }
    }

    /// The whole state.
    #[must_use]
    pub fn state(&self) -> State {
        match self {
            Self::Json(seed) => seed.state(),
            Self::Sqlite(seed) => seed.state(),
        }
    }

    /// The key that the dump itself declares for a table.
    #[must_use]
    pub fn declared_key(&self, table: &Text) -> Option<&[Text]> {
        match self {
            Self::Json(_) => None,
            Self::Sqlite(seed) => seed.declared_key(table),
        }
    }

    /// What differs between this seed and a final dump, by table name; its rows have the wanted columns at
    /// least. `None` if the final dump has to be read on its own.
    #[must_use]
    pub fn align(&self, dump: &[u8], wanted: &Wanted<'_>) -> Option<Vec<TablePair>> {
        match self {
            Self::Json(seed) => seed.align(dump, wanted),
            Self::Sqlite(seed) => seed.align(dump),
        }
    }

    /// Of the tables in which a final dump differs, all rows.
    #[must_use]
    pub fn final_tables(&self, dump: &[u8], pairs: &[TablePair]) -> State {
        match self {
            Self::Json(_) => pair::final_tables(dump, pairs),
            Self::Sqlite(seed) => seed.final_tables(dump, pairs),
        }
    }
}
