//! What can be said on the command line.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use crate::archive::Limits;
use crate::study::Options;
use crate::study::campaign::MOST_RESAMPLES;

/// Shows where an agent's database contradicts its transcript.
#[derive(Debug, Parser)]
#[command(name = "gainsay", version, args_conflicts_with_subcommands = true)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) explore: ExploreArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Label batches: write verdicts.jsonl and summary.json
    Label(LabelArgs),
    /// Show one run as text: verdict, why, edits, transcript
    Show(ShowArgs),
    /// Check archives without writing anything; exit 1 if anything is wrong
    Verify(VerifyArgs),
    /// Write the synthetic sample archive
    Sample(SampleArgs),
    /// Compute every figure of every pool
    Stats(StatsArgs),
    /// Read the criteria of a campaign file
    Criteria(CriteriaArgs),
    /// Compare two archives cell by cell: a model before and after
    Compare(CompareArgs),
    /// Say how many further runs settle a cell
    Plan(PlanArgs),
    /// Look after the cache that lets labelled archives reopen at once
    Cache(CacheArgs),
}

/// Where tasks, registries and the campaign file are.
#[derive(Debug, ClapArgs)]
pub(super) struct Places {
    /// Look for tasks here instead of in the archive or its parent folders
    #[arg(long, value_name = "DIR")]
    pub(super) tasks: Option<PathBuf>,
    /// Look for registries here instead of in the archive or its parent folders
    #[arg(long, value_name = "DIR")]
    pub(super) registry: Option<PathBuf>,
    /// Pools, names and criteria; the archive's own campaign.toml if not given
    #[arg(long, value_name = "FILE")]
    pub(super) campaign: Option<PathBuf>,
    #[command(flatten)]
    pub(super) caps: Caps,
}

/// How much may be held.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(super) struct Caps {
    /// Refuse files of more than this many MiB, unpacked, and of values that take four times as much
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..))]
    max_inflated: u64,
}

impl Caps {
    pub(super) fn limits(self) -> Limits {
        Limits { max_inflated: self.max_inflated.saturating_mul(1 << 20) }
    }
}

impl Places {
    /// The options of a session.
    pub(super) fn options(&self, batches: &[String]) -> Options {
        Options {
            tasks: self.tasks.clone(),
            registry: self.registry.clone(),
            batches: batches.to_vec(),
            campaign: self.campaign.clone(),
            limits: self.caps.limits(),
            ..Options::default()
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(super) struct ExploreArgs {
    /// Archives, runs folders, batches or verdict files; ./sample-data if nothing is given
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) places: Places,
    /// Only this batch (its id, or the part behind the last underscore); may be repeated
    #[arg(long, value_name = "ID")]
    pub(super) batch: Vec<String>,
    /// Print plain text even if stdout is a terminal
    #[arg(long)]
    pub(super) plain: bool,
    /// How to print; implies --plain
    #[arg(long, value_name = "FORMAT")]
    pub(super) format: Option<Format>,
    /// Colours of the explorer
    #[arg(long, value_name = "THEME", default_value = "auto")]
    pub(super) theme: Theme,
    /// Draw with ASCII characters only
    #[arg(long)]
    pub(super) ascii: bool,
    /// Neither use nor write the cache: label everything
    #[arg(long)]
    pub(super) no_cache: bool,
    /// Compare every file with the cache by its digest instead of by size and time
    #[arg(long, conflicts_with = "no_cache")]
    pub(super) verify_cache: bool,
}

/// How the map is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// one line a cell, for people
    Table,
    /// everything, unrounded
    Json,
    /// one row a cell, unrounded
    Csv,
}

/// Colours of the explorer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Theme {
    /// dark unless the terminal says otherwise
    Auto,
    /// for dark backgrounds
    Dark,
    /// for light backgrounds
    Light,
    /// no colour at all, as with NO_COLOR
    Mono,
}

#[derive(Debug, ClapArgs)]
pub(super) struct LabelArgs {
    /// Batches or archives
    #[arg(required = true, value_name = "BATCH|ARCHIVE")]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) places: Places,
    /// Write to DIR/<batch>/ instead of into the batches
    #[arg(long, value_name = "DIR", conflicts_with = "check")]
    pub(super) out: Option<PathBuf>,
    /// Compare with the recorded verdicts.jsonl instead of writing
    #[arg(long)]
    pub(super) check: bool,
    /// Parse every dump whole instead of comparing bytes first; the result is the same
    #[arg(long, hide = true)]
    pub(super) slow_path: bool,
}

#[derive(Debug, ClapArgs)]
pub(super) struct ShowArgs {
    /// archive#model/task/run
    pub(super) address: String,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) places: Places,
}

#[derive(Debug, ClapArgs)]
pub(super) struct VerifyArgs {
    /// Archives, runs folders, batches or verdict files
    #[arg(required = true)]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) places: Places,
}

#[derive(Debug, ClapArgs)]
pub(super) struct SampleArgs {
    /// A folder that does not exist yet, or is empty
    pub(super) dir: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(super) struct StatsArgs {
    /// Archives, runs folders, batches or verdict files
    #[arg(required = true)]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) places: Places,
    /// Only this pool
    #[arg(long, value_name = "NAME")]
    pub(super) pool: Option<String>,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(super) format: StatsFormat,
    /// The k of pass^k, safe^k and audits; the campaign's if not given
    #[arg(long, value_name = "K,…", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) k: Vec<u64>,
    /// Intervals are at confidence 1 − ALPHA; the campaign's if not given
    #[arg(long, value_name = "ALPHA", value_parser = share)]
    pub(super) alpha: Option<f64>,
    /// Seed of the bootstrap; the campaign's if not given
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// Resamples of the bootstrap, 0 for none; the campaign's if not given
    #[arg(long, value_name = "N", value_parser = resamples)]
    pub(super) bootstrap: Option<usize>,
    /// What the bootstrap draws
    #[arg(long, value_name = "UNIT", default_value = "task")]
    pub(super) unit: BootstrapUnit,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CriteriaArgs {
    /// Archives, runs folders, batches or verdict files
    #[arg(required = true)]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) places: Places,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(super) format: CriteriaFormat,
    /// Print the digest of settings and criteria, to be recorded as [frozen] in the campaign file
    #[arg(long)]
    pub(super) freeze: bool,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CompareArgs {
    /// Before: an archive, a runs folder, a batch or a verdicts file
    pub(super) before: PathBuf,
    /// After
    pub(super) after: PathBuf,
    /// Look for tasks here instead of in the archive or its parent folders
    #[arg(long, value_name = "DIR")]
    pub(super) tasks: Option<PathBuf>,
    /// Look for registries here instead of in the archive or its parent folders
    #[arg(long, value_name = "DIR")]
    pub(super) registry: Option<PathBuf>,
    #[command(flatten)]
    pub(super) caps: Caps,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(super) format: CompareFormat,
    /// Seed, where sign patterns of the paired test must be drawn
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
}

#[derive(Debug, ClapArgs)]
pub(super) struct PlanArgs {
    /// Archives, runs folders, batches or verdict files
    #[arg(required = true)]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) places: Places,
    /// Only this cell
    #[arg(long, value_name = "MODEL/TASK")]
    pub(super) cell: Option<String>,
    /// Until the interval is at most this wide
    #[arg(long, value_name = "W", value_parser = share, conflicts_with_all = ["band", "detect"])]
    pub(super) width: Option<f64>,
    /// Until the interval lies below, inside or above this band; the campaign's, else .05,.95
    #[arg(long, value_name = "LO,HI", value_parser = band, conflicts_with = "detect")]
    pub(super) band: Option<[f64; 2]>,
    /// The runs of an audit that sees damage with this probability
    #[arg(long, value_name = "P", value_parser = share)]
    pub(super) detect: Option<f64>,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(super) format: PlanFormat,
    /// Intervals are at confidence 1 − ALPHA; the campaign's if not given
    #[arg(long, value_name = "ALPHA", value_parser = share)]
    pub(super) alpha: Option<f64>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CacheArgs {
    #[command(subcommand)]
    pub(super) action: CacheAction,
}

/// What to do with the cache.
#[derive(Clone, Copy, Debug, Subcommand)]
pub(super) enum CacheAction {
    /// Print where it is
    Path,
    /// Print how much is in it
    Stat,
    /// Remove it
    Clear,
}

/// Two shares, the lower first.
fn band(text: &str) -> Result<[f64; 2], String> {
    let bad = || format!("`{text}` is no band: expected two shares as in .05,.95");
    let (low, high) = text.split_once(',').ok_or_else(bad)?;
    let (low, high): (f64, f64) =
        (low.trim().parse().map_err(|_| bad())?, high.trim().parse().map_err(|_| bad())?);
    if 0.0 <= low && low < high && high <= 1.0 { Ok([low, high]) } else { Err(bad()) }
}

/// A number of resamples that can be waited for.
fn resamples(text: &str) -> Result<usize, String> {
    let value: usize = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    if value <= MOST_RESAMPLES { Ok(value) } else { Err(format!("at most {MOST_RESAMPLES}")) }
}

/// A number strictly between 0 and 1.
fn share(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    if value > 0.0 && value < 1.0 { Ok(value) } else { Err(format!("{value} is not between 0 and 1")) }
}

/// How figures are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StatsFormat {
    /// a table a pool, for people
    Table,
    /// everything, unrounded
    Json,
    /// one row a figure, unrounded
    Csv,
    /// the tables as Markdown
    Md,
}

/// How readings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CriteriaFormat {
    /// an outline, for people
    Table,
    /// everything, unrounded
    Json,
    /// a table and an outline as Markdown
    Md,
}

/// How a comparison is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CompareFormat {
    /// a block a model, for people
    Table,
    /// everything, unrounded
    Json,
    /// one row a task, unrounded
    Csv,
}

/// How plans are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PlanFormat {
    /// one line a cell, for people
    Table,
    /// everything, unrounded
    Json,
}

/// What the bootstrap draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum BootstrapUnit {
    /// tasks, with the cells of all models moving together
    Task,
    /// single cells
    Cell,
}
