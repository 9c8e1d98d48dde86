//! `gainsay [PATH…]`: the explorer, or the same facts as plain text.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::{ExploreArgs, Format, Theme};
use super::output::{Failure, complain, print};
use crate::report::{map_csv, map_json, map_table, problem_line};
use crate::study::cache::CacheFile;
use crate::study::{Options, Session};
use crate::tui::{self, ThemeChoice, TuiOptions};

pub(super) fn run(args: &ExploreArgs) -> Result<(), Failure> {
    let cache = (!args.no_cache).then(|| CacheFile::of_user(args.verify_cache)).flatten();
    let options = Options { cache, watch: true, ..args.places.options(&args.batch) };
    let session = Session::open(&paths(args)?, &options);
    let study = session.study();
    if study.runs.is_empty() {
        let problems = study.problems.iter().map(problem_line);
        let hint = "gainsay: nothing to show: give an archive, a runs folder, a batch or a verdicts file";
        return Err(Failure::Errors(problems.chain([hint.to_owned()]).collect()));
    }
    if args.plain || args.format.is_some() || !io::stdout().is_terminal() {
        let study = session.label_all();
        return print(&match args.format.unwrap_or(Format::Table) {
            Format::Table => map_table(&study),
            Format::Json => map_json(&study),
            Format::Csv => {
                // There is no place for them among the cells.
                study.problems.iter().for_each(|problem| complain(&problem_line(problem)));
                map_csv(&study)
            }
        });
    }
    let theme = match args.theme {
        Theme::Auto => ThemeChoice::Auto,
        Theme::Dark => ThemeChoice::Dark,
        Theme::Light => ThemeChoice::Light,
        Theme::Mono => ThemeChoice::Mono,
    };
    tui::run(Arc::new(session), TuiOptions { theme, ascii: args.ascii })?;
    Ok(())
}

fn paths(args: &ExploreArgs) -> Result<Vec<PathBuf>, Failure> {
    if !args.paths.is_empty() {
        return Ok(args.paths.clone());
    }
    let sample = Path::new("sample-data");
    if sample.is_dir() {
        return Ok(vec![sample.to_owned()]);
    }
    Err(Failure::Usage(
        "give an archive, a runs folder, a batch or a verdicts file (there is no ./sample-data here); \
         `gainsay sample DIR` writes a sample archive, `gainsay --help` tells more"
            .into(),
    ))
}
