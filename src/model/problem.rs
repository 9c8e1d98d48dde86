//! What could not be read, or is not as it should be.

use std::cmp::Ordering;
use std::fmt;
use std::path::PathBuf;

/// A named problem, with its path and place. Nothing is silently skipped: what is not judged is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// How grave.
    pub level: Level,
    /// Its name.
    pub code: Code,
    /// The file or directory it is about.
    pub path: PathBuf,
    /// Where in it. Boxed, since most results carry no problem.
    pub place: Box<Place>,
    /// One sentence for people, without a full stop.
    pub detail: String,
}

/// Whether a problem stops batch commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// something is not judged, or not to be trusted: exit code 1
    Error,
    /// worth knowing, nothing is hidden by it
    Warning,
}

/// Where in a file: all that is known of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The batch's id.
    pub batch: Option<String>,
    /// The task's directory name.
    pub task: Option<String>,
    /// The run's directory name.
    pub run: Option<String>,
    /// The table.
    pub table: Option<String>,
    /// The row's key, or its number from 1.
    pub row: Option<String>,
    /// The column.
    pub column: Option<String>,
    /// Line (from 1) or byte offset, as `line 3`, `byte 120`.
    pub position: Option<String>,
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $word:literal, $level:ident;)+) => {
        /// The names of problems, each with its usual level.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[doc = $doc])+ $name,)+ }

        impl Code {
            /// All codes.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// The word in output.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }

            /// The level it has unless stated otherwise.
            #[must_use]
            pub fn level(self) -> Level {
                match self { $(Self::$name => Level::$level,)+ }
            }

            /// What it means, for help.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
}

codes! {
    /// a run directory without both dumps, or without results
    MissingDump = "MISSING_DUMP", Error;
    /// post-seed states differ between runs of one task in one batch
    PostSeedDrift = "POST_SEED_DRIFT", Error;
    /// run directories and the manifest's k differ
    RunCount = "RUN_COUNT", Error;
    /// the recorded verdict is not the recomputed one
    VerdictDrift = "VERDICT_DRIFT", Error;
    /// a sidecar's sha256 or row count does not fit its file
    Checksum = "CHECKSUM", Error;
    /// a table without a known key: a blind spot
    UnknownTable = "UNKNOWN_TABLE", Error;
    /// a row without one of its key columns
    MissingKeyColumn = "MISSING_KEY_COLUMN", Error;
    /// a gzip stream that ends early or fails its checksum
    BadGzip = "BAD_GZIP", Error;
    /// text that is not JSON
    BadJson = "BAD_JSON", Error;
    /// JSON of the wrong shape
    WrongType = "WRONG_TYPE", Error;
    /// a SQLite file that cannot be read
    BadSqlite = "BAD_SQLITE", Error;
    /// a dump larger than the cap
    TooLarge = "TOO_LARGE", Error;
    /// a results file without a run
    EmptyResults = "EMPTY_RESULTS", Error;
    /// a task without a readable spec
    MissingSpec = "MISSING_SPEC", Error;
    /// a domain without its registry
    MissingRegistry = "MISSING_REGISTRY", Error;
    /// a `$task.<name>` that the spec's params do not bind
    UnboundParam = "UNBOUND_PARAM", Error;
    /// a severity, op or tag outside the known words
    UnknownWord = "UNKNOWN_WORD", Error;
    /// a `dollars_from` value that is no number: the row stays unpriced
    BadPrice = "BAD_PRICE", Warning;
    /// a path that leaves the archive, or is absolute
    UnsafePath = "UNSAFE_PATH", Error;
    /// a file or directory that cannot be opened
    Unreadable = "UNREADABLE", Error;
    /// one task in two batches of one model: shown apart, never spliced
    TaskInTwoBatches = "TASK_IN_TWO_BATCHES", Warning;
    /// the same run twice in one verdicts file
    DuplicateRun = "DUPLICATE_RUN", Error;
    /// no manifest: the model's name is taken from the results or the batch
    NoManifest = "NO_MANIFEST", Warning;
    /// a declared key that is not unique in a state
    DuplicateKey = "DUPLICATE_KEY", Warning;
    /// a table that is in one of the two states only
    TableAppeared = "TABLE_IN_ONE_STATE", Warning;
    /// a column that came or went between the states
    ColumnAppeared = "COLUMN_IN_ONE_STATE", Warning;
    /// two batches that would be written to one place
    SameTarget = "SAME_TARGET", Error;
    /// a file that cannot be written
    Unwritable = "UNWRITABLE", Error;
    /// nothing that can be opened at this path
    NothingHere = "NOTHING_HERE", Error;
    /// a campaign file that cannot be read as one, or contradicts itself or a batch
    BadCampaign = "BAD_CAMPAIGN", Error;
    /// a batch that a campaign names was not opened
    PoolIncomplete = "POOL_INCOMPLETE", Warning;
    /// a batch that the campaign file does not name
    NotInCampaign = "NOT_IN_CAMPAIGN", Warning;
}

impl Problem {
    /// A problem of the code's usual level, without a place.
    #[must_use]
    pub fn new(code: Code, path: impl Into<PathBuf>, detail: impl Into<String>) -> Self {
        Self { level: code.level(), code, path: path.into(), place: Box::default(), detail: detail.into() }
    }

    /// The same problem at a place.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        *self.place = place;
        self
    }

    /// True if it stops batch commands.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.level == Level::Error
    }
}

/// By level, code, batch and task, then by the run's number: run_2 before run_10.
impl Ord for Problem {
    fn cmp(&self, other: &Self) -> Ordering {
        fn key(problem: &Problem) -> impl Ord + '_ {
            let place = &problem.place;
            let run = place.run.as_deref();
            let number = run.and_then(|run| run.rsplit('_').next()?.parse::<u64>().ok());
            let at = (&place.batch, &place.task, number, run, &problem.path);
            (problem.level, problem.code, at, place, &problem.detail)
        }
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Problem {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            ("", &self.position),
            ("batch ", &self.batch),
            ("task ", &self.task),
            ("", &self.run),
            ("table ", &self.table),
            ("row ", &self.row),
            ("column ", &self.column),
        ];
        let mut first = true;
        for (label, part) in parts {
            if let Some(part) = part {
                write!(f, "{}{label}{part}", if first { "" } else { ", " })?;
                first = false;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code.as_str(), self.path.display())?;
        if *self.place != Place::default() {
            write!(f, " ({})", self.place)?;
        }
        write!(f, ": {}", self.detail)
    }
}
