//! `gainsay stats`: every figure of every pool.

use super::args::{BootstrapUnit, StatsArgs, StatsFormat};
use super::output::{Failure, complain, print};
use crate::model::{Code, Problem};
use crate::report::problem_line;
use crate::report::stats::{Stats, stats_csv, stats_json, stats_markdown, stats_table};
use crate::study::campaign::Settings;
use crate::study::figures::{Resample, Unit, pools};
use crate::study::{Session, Study};

pub(super) fn run(args: &StatsArgs) -> Result<(), Failure> {
    let study = Session::open(&args.paths, &args.places.options(&[])).label_all();
    if let Some(name) = &args.pool {
        let known: Vec<String> = pools(&study).into_iter().map(|(name, ..)| name).collect();
        if !known.contains(name) {
            return Err(Failure::Usage(format!("no pool `{name}`; there are: {}", known.join(", "))));
        }
    }
    let settings = settings(args, &study);
    let unit = match args.unit {
        BootstrapUnit::Task => Unit::Task,
        BootstrapUnit::Cell => Unit::Cell,
    };
    let resample = Resample { unit, resamples: settings.bootstrap, seed: settings.seed };
    let stats = Stats::of(&study, &settings, resample, args.pool.as_deref());
    print(&match args.format {
        StatsFormat::Table => stats_table(&stats),
        StatsFormat::Json => stats_json(&stats),
        StatsFormat::Csv => stats_csv(&stats),
        StatsFormat::Md => stats_markdown(&stats),
    })?;
    finish(&study)
}

/// The campaign's settings, under what was said on the command line.
fn settings(args: &StatsArgs, study: &Study) -> Settings {
    let mut settings = study.campaign.as_ref().map(|campaign| campaign.settings.clone()).unwrap_or_default();
    if !args.k.is_empty() {
        settings.ks.clone_from(&args.k);
    }
    settings.alpha = args.alpha.unwrap_or(settings.alpha);
    settings.seed = args.seed.unwrap_or(settings.seed);
    settings.bootstrap = args.bootstrap.unwrap_or(settings.bootstrap);
    settings
}

/// Lists every problem on stderr. What has no verdict is counted in the figures' ledger and no failure;
/// a campaign file that does not hold, or a file that is not the one meant, is one: the figures would not
/// be those of the campaign.
pub(super) fn finish(study: &Study) -> Result<(), Failure> {
    let fatal = |problem: &Problem| {
        matches!(problem.code, Code::BadCampaign | Code::Checksum | Code::Unreadable | Code::NothingHere)
    };
    for problem in &study.problems {
        complain(&problem_line(problem));
    }
    if study.problems.iter().any(fatal) { Err(Failure::Errors(Vec::new())) } else { Ok(()) }
}
