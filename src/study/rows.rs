//! Which batches make up which row of results.

use std::collections::{BTreeMap, BTreeSet};

use super::batch::task_names;
use super::campaign::{Campaign, Membership, memberships};
use crate::archive::{Batch, model_names};
use crate::model::{Code, Place, Problem};

/// A row of results before its runs are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) full_name: String,
    /// The member of a pool it is, where a campaign file names its batches.
    pub(super) member: Option<Membership>,
    /// Indices of its batches.
    pub(super) batches: Vec<usize>,
}

/// Groups batches into rows, ordered by pool, capability and name.
///
/// The same model over several batches is one row, unless a task occurs in two of them: rates of two
/// batches are never spliced silently, so then each batch of that model is a row of its own,
/// `model@batch`, and a warning says so. A campaign file tells batches of one model apart: those of a pool
/// are a row, and the rest are rows beside it.
pub(super) fn rows(batches: &[Batch], campaign: Option<&Campaign>) -> (Vec<Row>, Vec<Problem>) {
    let (members, mut problems) = match campaign {
        Some(campaign) => memberships(campaign, batches),
        None => (vec![None; batches.len()], Vec::new()),
    };
    let mut by_model: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, batch) in batches.iter().enumerate() {
        by_model.entry(&batch.model_full).or_default().push(index);
    }
    let full_names: Vec<String> = by_model.keys().map(|name| (*name).to_owned()).collect();
    let short_names = model_names(&full_names);
    let mut rows = Vec::new();
    for ((full_name, of_model), name) in by_model.into_iter().zip(short_names) {
        let labels = batch_labels(batches, &of_model);
        let label = |batch: usize| {
            let place = of_model.iter().position(|&member| member == batch);
            place.and_then(|place| labels.get(place)).map(String::as_str).unwrap_or_default()
        };
        let mut groups: BTreeMap<Option<Membership>, Vec<usize>> = BTreeMap::new();
        for &batch in &of_model {
            groups.entry(members.get(batch).copied().flatten()).or_default().push(batch);
        }
        let pools = groups.keys().flatten().count();
        for (member, group) in groups {
            let shared = shared_tasks(batches, &group);
            if !shared.is_empty() {
                problems.push(spliced_warning(batches, &group, &name, &shared));
            }
            // The bare name is that of the only pool's row, or of the only row.
            let bare = if member.is_some() { pools == 1 } else { pools == 0 };
            if bare && shared.is_empty() {
                rows.push(Row {
                    name: name.clone(),
                    full_name: full_name.to_owned(),
                    member,
                    batches: group,
                });
                continue;
            }
            let splits: Vec<Vec<usize>> = if shared.is_empty() && member.is_some() {
                vec![group]
            } else {
                group.into_iter().map(|batch| vec![batch]).collect()
            };
            rows.extend(splits.into_iter().map(|split| {
                let which: Vec<&str> = split.iter().map(|&batch| label(batch)).collect();
                let name = format!("{name}@{}", which.join("+"));
                Row { name, full_name: full_name.to_owned(), member, batches: split }
            }));
        }
    }
    // Members stand in their pool's order; rows of no pool stand last.
    rows.sort_by(|a, b| {
        let place = |row: &Row| (row.member.is_none(), row.member);
        place(a).cmp(&place(b)).then_with(|| a.name.cmp(&b.name))
    });
    (rows, problems)
}

/// Tasks that occur in more than one of the batches.
fn shared_tasks(batches: &[Batch], members: &[usize]) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut shared = BTreeSet::new();
    for &member in members {
        for task in batches.get(member).map(task_names).unwrap_or_default() {
            if !seen.insert(task.clone()) {
                shared.insert(task);
            }
        }
    }
    shared
}

/// What tells the batches of one model apart: the tail of the id behind its time stamp where these differ,
/// else the whole id, else the path.
fn batch_labels(batches: &[Batch], members: &[usize]) -> Vec<String> {
    let of = |pick: &dyn Fn(&Batch) -> String| -> Vec<String> {
        members.iter().filter_map(|&member| batches.get(member)).map(pick).collect()
    };
    let distinct = |labels: &[String]| labels.iter().collect::<BTreeSet<_>>().len() == labels.len();
    let tails = of(&|batch| batch.id.rsplit('_').next().unwrap_or(&batch.id).to_owned());
    if distinct(&tails) {
        return tails;
    }
    let ids = of(&|batch| batch.id.clone());
    if distinct(&ids) { ids } else { of(&|batch| batch.path.display().to_string()) }
}

fn spliced_warning(batches: &[Batch], members: &[usize], name: &str, shared: &BTreeSet<String>) -> Problem {
    let ids: Vec<&str> =
        members.iter().filter_map(|&member| batches.get(member)).map(|batch| batch.id.as_str()).collect();
    let path = members.first().and_then(|&member| batches.get(member)).map(|batch| batch.path.clone());
    let tasks: Vec<&str> = shared.iter().map(String::as_str).collect();
    let first = tasks.first().copied().unwrap_or_default();
    let which = if tasks.len() == 1 { format!("task {first}") } else { format!("{} tasks", tasks.len()) };
    Problem::new(
        Code::TaskInTwoBatches,
        path.unwrap_or_default(),
        format!(
            "{name}: {which} in {} batches ({}), shown as separate rows; choose with --batch",
            ids.len(),
            ids.join(", ")
        ),
    )
    .at(Place { task: Some(first.to_owned()), ..Place::default() })
}
