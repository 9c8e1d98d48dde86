//! Reads `campaign.toml`. Every fault is named with line and column; what is sound is kept.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::path::Path;

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::{Campaign, Criterion, Frozen, MOST_RESAMPLES, Measure, Member, Pool, Role, Settings, Source};
use crate::archive::{Limits, read_bytes};
use crate::model::{Code, Place, Problem};

/// Reads a campaign file. Text that is no campaign gives none; single faults leave the rest standing.
#[must_use]
pub fn read(path: &Path) -> (Option<Campaign>, Vec<Problem>) {
    let bytes = match read_bytes(path, &Limits::default()) {
        Ok(bytes) => bytes,
        Err(problem) => return (None, vec![problem]),
    };
    match std::str::from_utf8(&bytes) {
        Ok(text) => parse(text, path),
        Err(error) => {
            let position = Some(format!("byte {}", error.valid_up_to()));
            let problem = Problem::new(Code::BadCampaign, path, "is not UTF-8");
            (None, vec![problem.at(Place { position, ..Place::default() })])
        }
    }
}

/// Reads the text of a campaign file that lies at `path`.
#[must_use]
pub fn parse(text: &str, path: &Path) -> (Option<Campaign>, Vec<Problem>) {
    let faults = Faults { text, path };
    let file: File = match toml::from_str(text) {
        Ok(file) => file,
        Err(error) => return (None, vec![faults.at(error.span(), error.message())]),
    };
    let mut problems = Vec::new();
    let settings = settings(file.settings, &faults, &mut problems);
    let pools = pools(file.pools, &faults, &mut problems);
    let criteria = criteria(file.criteria, &pools, &faults, &mut problems);
    let campaign =
        Campaign { path: path.to_owned(), name: file.name, settings, frozen: file.frozen, pools, criteria };
    (Some(campaign), problems)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<String>,
    #[serde(default = "no_settings")]
    settings: Spanned<Settings>,
    frozen: Option<Frozen>,
    #[serde(default)]
    pools: Vec<Spanned<PoolTable>>,
    #[serde(default)]
    criteria: Vec<Spanned<Criterion>>,
}

fn no_settings() -> Spanned<Settings> {
    Spanned::new(0..0, Settings::default())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PoolTable {
    name: String,
    role: Role,
    #[serde(default)]
    models: Vec<Spanned<MemberTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MemberTable {
    model: String,
    name: Option<String>,
    family: Option<String>,
    capability: Option<u32>,
    #[serde(default)]
    batches: Vec<Source>,
}

/// Text with places in it.
struct Faults<'a> {
    text: &'a str,
    path: &'a Path,
}

impl Faults<'_> {
    fn at(&self, span: Option<Range<usize>>, detail: impl Into<String>) -> Problem {
        let problem = Problem::new(Code::BadCampaign, self.path, detail);
        let Some(before) = span.and_then(|span| self.text.get(..span.start)) else { return problem };
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let position = Some(format!("line {line}, column {column}"));
        problem.at(Place { position, ..Place::default() })
    }
}

/// The settings, checked. More resamples than anybody can wait for are not drawn.
fn settings(settings: Spanned<Settings>, faults: &Faults<'_>, problems: &mut Vec<Problem>) -> Settings {
    let span = settings.span();
    let mut of = settings.into_inner();
    let inside = |value: f64| value > 0.0 && value < 1.0;
    let mut bad = |detail: String| problems.push(faults.at(Some(span.clone()), detail));
    if !inside(of.alpha) {
        bad(format!("alpha {} is not between 0 and 1", of.alpha));
    }
    if !(0.0 <= of.band[0] && of.band[0] < of.band[1] && of.band[1] <= 1.0) {
        bad(format!("band {} to {} is no band of shares", of.band[0], of.band[1]));
    }
    if !(0.0..=1.0).contains(&of.errored_ceiling) {
        bad(format!("errored_ceiling {} is no share", of.errored_ceiling));
    }
    if of.ks.contains(&0) {
        bad("ks holds 0: an audit has at least one run".into());
    }
    if let Some(epsilon) = of.epsilons.iter().find(|epsilon| !(0.0..0.5).contains(*epsilon)) {
        bad(format!("epsilon {epsilon} is not between 0 and one half"));
    }
    if of.bootstrap > MOST_RESAMPLES {
        bad(format!("bootstrap {} is more than {MOST_RESAMPLES} resamples", of.bootstrap));
        of.bootstrap = Settings::default().bootstrap;
    }
    of
}

fn pools(tables: Vec<Spanned<PoolTable>>, faults: &Faults<'_>, problems: &mut Vec<Problem>) -> Vec<Pool> {
    let mut names = BTreeSet::new();
    let mut pools = Vec::new();
    for table in tables {
        let span = table.span();
        let PoolTable { name, role, models } = table.into_inner();
        if !names.insert(name.clone()) {
            problems.push(faults.at(Some(span), format!("a second pool `{name}`")));
            continue;
        }
        let mut known = BTreeSet::new();
        let mut members: Vec<Member> = Vec::new();
        for table in models {
            let span = table.span();
            let MemberTable { model, name: called, family, capability, batches } = table.into_inner();
            if known.insert(model.clone()) {
                members.push(Member { model, name: called, family, capability, batches });
            } else {
                problems
                    .push(faults.at(Some(span), format!("model `{model}` stands twice in pool `{name}`")));
            }
        }
        // A model of unknown capability stands behind those of a known one.
        let order = |member: &Member| {
            let name = member.name.clone().unwrap_or_else(|| member.model.clone());
            (member.capability.unwrap_or(u32::MAX), name)
        };
        members.sort_by_key(order);
        pools.push(Pool { name, role, models: members });
    }
    pools
}

fn criteria(
    list: Vec<Spanned<Criterion>>,
    pools: &[Pool],
    faults: &Faults<'_>,
    problems: &mut Vec<Problem>,
) -> Vec<Criterion> {
    let mut ids = BTreeSet::new();
    let mut kept = Vec::new();
    for spanned in list {
        let span = spanned.span();
        let criterion = spanned.into_inner();
        let fault = if ids.insert(criterion.id.clone()) {
            fault(&criterion, pools)
        } else {
            Some("stands twice".into())
        };
        match fault {
            Some(detail) => {
                problems.push(faults.at(Some(span), format!("criterion `{}`: {detail}", criterion.id)));
            }
            None => kept.push(criterion),
        }
    }
    kept
}

/// What makes a criterion unreadable.
fn fault(criterion: &Criterion, pools: &[Pool]) -> Option<String> {
    let Some(pool) = pools.iter().find(|pool| pool.name == criterion.pool) else {
        return Some(format!("there is no pool `{}`", criterion.pool));
    };
    if pool.role == Role::Exploratory {
        return Some(format!("pool `{}` is exploratory: it never enters a confirmatory figure", pool.name));
    }
    let known = |name: &String| {
        pool.models.iter().any(|member| member.model == *name || member.name.as_ref() == Some(name))
    };
    if let Some(unknown) = criterion.models.iter().find(|name| !known(name)) {
        return Some(format!("pool `{}` has no model `{unknown}`", pool.name));
    }
    if criterion.conditions.is_empty() {
        return Some("it has no condition".into());
    }
    let mut names = BTreeSet::new();
    for condition in &criterion.conditions {
        let name = &condition.name;
        if !names.insert(name) {
            return Some(format!("a second condition `{name}`"));
        }
        if (condition.measure == Measure::SubLabelModels) != condition.sub_label.is_some() {
            return Some(format!(
                "condition `{name}`: sub_label goes with measure = \"sub_label_models\" alone"
            ));
        }
        if condition.weighting.is_some() && condition.measure != Measure::MissRate {
            return Some(format!("condition `{name}`: weighting goes with measure = \"miss_rate\" alone"));
        }
        if condition.k == 0 {
            return Some(format!("condition `{name}`: k is 0"));
        }
    }
    None
}

/// A source is a path, or a table of path and sha256.
impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Source;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a path, or a table of path and sha256")
            }

            fn visit_str<E: de::Error>(self, path: &str) -> Result<Source, E> {
                Ok(Source { path: path.to_owned(), sha256: None })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Source, A::Error> {
                #[derive(Deserialize)]
                #[serde(deny_unknown_fields)]
                struct Table {
                    path: String,
                    sha256: Option<String>,
                }
                let Table { path, sha256 } = Table::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(Source { path, sha256 })
            }
        }

        deserializer.deserialize_any(Either)
    }
}
