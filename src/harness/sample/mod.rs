//! The sample archive: an invented wholesaler's operations database, invented models, scripted agents.
//!
//! Nothing in it is typed as a result. The data files beside this one say what the company is, what its
//! tasks ask, what each model tends to do; the runs are made by [`super::runner`] and recorded as any
//! other run would be. The same version makes the same bytes everywhere.

mod cast;
mod company;
mod mishap;
mod task;

use std::path::Path;

use super::HarnessError;
use super::clock::Clock;
use super::conversation::{object, text};
use super::plan::choose;
use super::recorder::{BatchInfo, Files, Recorder};
use super::results::Setting;
use super::runner::World;
use super::script::ScriptedAgent;
use super::substrate::Substrate;
use crate::archive::json;
use crate::model::{Text, Value};
use crate::stats::Rng;
use cast::{Cast, Model};
use company::Company;
use task::TaskFile;

/// After so many messages a sample run is cut off.
const TURN_LIMIT: usize = 9;

/// Changing it makes another archive from the same data.
const SEED: u64 = 0x6761_696e_7361_7931;

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Models with runs.
    pub models: usize,
    /// Tasks.
    pub tasks: usize,
    /// Runs that took place, broken ones included.
    pub runs: usize,
    /// Files.
    pub files: usize,
    /// Bytes in them.
    pub bytes: u64,
}

/// Writes the sample archive to `dir`, which must be empty or absent.
///
/// # Errors
/// [`HarnessError::NotEmpty`], or what the file system says; nothing is then written.
pub fn write(dir: &Path) -> Result<Summary, HarnessError> {
    let (files, summary) = make()?;
    files.write(dir)?;
    Ok(summary)
}

fn make() -> Result<(Files, Summary), HarnessError> {
    let (company, cast, tasks) = (Company::load()?, Cast::load()?, task::load()?);
    let mut files = Files::default();
    files.put("README.md", include_str!("README.md"));
    company.put(&mut files);
    registries(&company, &mut files)?;
    for task in &tasks {
        task.put(&company, &mut files);
    }
    let mut runs = 0;
    let mut batches = Vec::new();
    for (place, model) in (0..).zip(&cast.models) {
        let (batch_id, recorded, batch) = campaign(&company, model, &tasks, place)?;
        runs += recorded;
        files.absorb(batch);
        batches.push((model.name.clone(), batch_id));
    }
    for mishap in &cast.mishaps {
        mishap.befall(&mut files, &batches)?;
    }
    files.put("campaign.toml", cast.campaign(&company, &batches));
    let bytes = files.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    let summary =
        Summary { models: cast.models.len(), tasks: tasks.len(), runs, files: files.iter().len(), bytes };
    Ok((files, summary))
}

/// One model's batch: its id, how many runs were recorded, its files.
fn campaign(
    company: &Company,
    model: &Model,
    tasks: &[TaskFile],
    place: u64,
) -> Result<(String, usize, Files), HarnessError> {
    let world = World {
        seed: company.seed,
        toolbox: &company.toolbox,
        database_prefix: "synthetic",
        turn_limit: TURN_LIMIT,
    };
    let mut clock = model.started_at()?;
    let batch_id = batch_id(clock, place);
    let setting = Setting {
        model: model.id.clone(),
        provider: "synthetic".into(),
        server: company.server.clone(),
        seed_file: company.seed_database_file.clone(),
        synthetic: Some(company.notice.clone()),
    };
    let mut recorder = Recorder::new(BatchInfo {
        batch_id: batch_id.clone(),
        setting,
        k: model.k,
        temperature: model.temperature,
        started_at: clock,
        shares_seed_dump: model.share_seed,
    });
    let mut recorded = 0;
    for task in tasks.iter().filter(|task| model.attempts(&task.id)) {
        let assignment = task.assignment(company);
        let ways = model.ways_at(task);
        for number in 1..=model.k {
            let mut rng = dice(&model.name, &task.id, number);
            let plan = choose(&task.plans, &ways, &mut rng)
                .ok_or_else(|| HarnessError::data(&task.id, &format!("no plan for {}", model.name)))?;
            let mut agent = ScriptedAgent::new(plan, &ways, Rng::seed(rng.next_u64()));
            let run = world.run(&assignment, &mut agent, clock, &mut rng)?;
            clock = run.finished_at;
            recorder.record(&assignment, number, &run)?;
            recorded += 1;
        }
    }
    Ok((batch_id, recorded, recorder.finish()))
}

/// A run's own randomness, from names alone: a new task or model leaves all other runs as they are.
fn dice(model: &str, task: &str, number: usize) -> Rng {
    // FNV-1a, 64 bits.
    let name = format!("{model}/{task}/{number}");
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    Rng::seed(SEED ^ hash)
}

fn batch_id(started_at: Clock, place: u64) -> String {
    let tail = Rng::seed(SEED ^ place).below(1 << 24);
    format!("{}_{tail:06x}", started_at.stamp())
}

/// The domain's registries, read off the schema and the toolbox so that they cannot disagree with them.
fn registries(company: &Company, files: &mut Files) -> Result<(), HarnessError> {
    let registry = |member: &str, entries: Value| {
        let file = object([
            ("domain", text(company.domain.as_str())),
            ("source", text(company.notice.as_str())),
            (member, entries),
        ]);
        json::write_indented(&file) + "\n"
    };
    let keys = Substrate::seeded(company.seed, "schema".into())?.primary_keys()?;
    let keys = keys.into_iter().map(|(table, columns)| {
        let key = match columns.as_slice() {
            [single] => text(single.as_str()),
            several => Value::Array(several.iter().map(|column| text(column.as_str())).collect()),
        };
        (Text::from(table), key)
    });
    let volatile = company.volatile.iter().flat_map(|(table, columns)| {
        columns.iter().map(move |column| {
            let entry = object([
                ("table", text(table.as_str())),
                ("column", text(column.as_str())),
                ("behavior", text("wall-clock timestamp")),
            ]);
            (Text::from(format!("{table}.{column}")), entry)
        })
    });
    let tags = company
        .toolbox
        .tools
        .iter()
        .map(|tool| object([("name", text(tool.name.as_str())), ("tag", text(tool.tag.as_str()))]));
    let domain = &company.domain;
    let put = |files: &mut Files, name: &str, contents: String| {
        files.put(format!("data/{domain}/{name}-{domain}.json"), contents);
    };
    put(files, "primary-keys", registry("primary_keys", Value::Object(keys.collect())));
    put(files, "volatile-columns", registry("volatile_columns", Value::Object(volatile.collect())));
    put(files, "tool-tags", registry("tags", Value::Array(tags.collect())));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runs_dice_depend_on_its_name_alone() {
        assert_eq!(dice("a", "b", 1), dice("a", "b", 1));
        assert_ne!(dice("a", "b", 1), dice("a", "b", 2));
        assert_ne!(dice("a", "b", 1), dice("b", "a", 1));
    }
}
