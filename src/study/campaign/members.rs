//! Which batches belong to which member of which pool.

use std::path::{Path, PathBuf};

use super::{Campaign, Member, Role, Source};
use crate::archive::{Batch, BatchKind, Limits, ModelSource, read_bytes, sha256};
use crate::model::{Code, Place, Problem};

/// A member of a pool, by its places in [`Campaign::pools`] and [`super::Pool::models`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::study) struct Membership {
    pub(in crate::study) pool: usize,
    pub(in crate::study) member: usize,
}

/// For each batch the member it belongs to. What a campaign names and nobody opened, what was opened and
/// nobody names, and what does not fit is said.
pub(in crate::study) fn memberships(
    campaign: &Campaign,
    batches: &[Batch],
) -> (Vec<Option<Membership>>, Vec<Problem>) {
    let mut assigned = Assigned { campaign, batches, to: vec![None; batches.len()], problems: Vec::new() };
    let members: Vec<(Membership, &Member)> = campaign
        .pools
        .iter()
        .enumerate()
        .flat_map(|(pool, entries)| {
            entries.models.iter().enumerate().map(move |(member, entry)| (Membership { pool, member }, entry))
        })
        .collect();
    // Batches named first: a member that names none takes what is left of its model.
    for (place, member) in &members {
        for source in &member.batches {
            assigned.source(*place, member, source);
        }
    }
    for (place, member) in members.iter().filter(|(_, member)| member.batches.is_empty()) {
        assigned.rest(*place, member);
    }
    assigned.left_out();
    (assigned.to, assigned.problems)
}

struct Assigned<'a> {
    campaign: &'a Campaign,
    batches: &'a [Batch],
    to: Vec<Option<Membership>>,
    problems: Vec<Problem>,
}

impl Assigned<'_> {
    fn source(&mut self, place: Membership, member: &Member, source: &Source) {
        let dir = self.campaign.path.parent().unwrap_or(Path::new(""));
        let path = dir.join(&source.path);
        let Ok(real) = path.canonicalize() else {
            let detail = format!("{} of {} is not there", source.path, member.model);
            self.problems.push(Problem::new(Code::NothingHere, &self.campaign.path, detail));
            return;
        };
        self.problems.extend(source.sha256.as_ref().and_then(|sha256| check_sha256(&path, sha256)));
        let named: Vec<usize> = (0..self.batches.len())
            .filter(|&index| self.batches.get(index).is_some_and(|batch| is_at(batch, &real)))
            .collect();
        if named.is_empty() {
            let detail =
                format!("{} of {} was not opened: its pool is incomplete", source.path, member.model);
            self.problems.push(Problem::new(Code::PoolIncomplete, &self.campaign.path, detail));
        }
        for index in named {
            self.assign(index, place, member);
        }
    }

    fn rest(&mut self, place: Membership, member: &Member) {
        let of_model: Vec<usize> = (0..self.batches.len())
            .filter(|&index| {
                self.to.get(index).is_some_and(Option::is_none)
                    && self.batches.get(index).is_some_and(|batch| batch.model_full == member.model)
            })
            .collect();
        if of_model.is_empty() {
            let detail = format!("no batch of {} was opened: its pool is incomplete", member.model);
            self.problems.push(Problem::new(Code::PoolIncomplete, &self.campaign.path, detail));
        }
        for index in of_model {
            self.assign(index, place, member);
        }
    }

    fn assign(&mut self, index: usize, place: Membership, member: &Member) {
        let (Some(batch), Some(slot)) = (self.batches.get(index), self.to.get_mut(index)) else { return };
        let at = Place { batch: Some(batch.id.clone()), ..Place::default() };
        if slot.is_some_and(|taken| taken != place) {
            let detail = format!("{} is named a second time, for {}", batch.id, member.model);
            self.problems.push(Problem::new(Code::BadCampaign, &self.campaign.path, detail).at(at));
            return;
        }
        *slot = Some(place);
        if batch.model_from != ModelSource::BatchName && batch.model_full != member.model {
            let detail = format!("the campaign says {}, the batch {}", member.model, batch.model_full);
            self.problems.push(Problem::new(Code::BadCampaign, &self.campaign.path, detail).at(at));
        }
    }

    fn left_out(&mut self) {
        for (batch, _) in self.batches.iter().zip(&self.to).filter(|(_, to)| to.is_none()) {
            let detail = format!("{} is in no pool: shown, in no pool's figures", batch.model_full);
            let at = Place { batch: Some(batch.id.clone()), ..Place::default() };
            self.problems.push(Problem::new(Code::NotInCampaign, &batch.path, detail).at(at));
        }
    }
}

/// True if a source names the batch: its directory or verdicts file, either by the other.
fn is_at(batch: &Batch, named: &Path) -> bool {
    let Ok(own) = batch.path.canonicalize() else { return false };
    let also: Option<PathBuf> = match batch.kind {
        BatchKind::Runs => Some(own.join("verdicts.jsonl")),
        BatchKind::VerdictsOnly if own.file_name().is_some_and(|name| name == "verdicts.jsonl") => {
            own.parent().map(Path::to_owned)
        }
        BatchKind::VerdictsOnly => None,
    };
    own == named || also.is_some_and(|also| also == named)
}

/// Compares a verdicts file, or the one in a batch's directory, with the digest it must have.
fn check_sha256(path: &Path, wanted: &str) -> Option<Problem> {
    let file = if path.is_dir() { path.join("verdicts.jsonl") } else { path.to_owned() };
    match read_bytes(&file, &Limits::default()) {
        Err(problem) => Some(problem),
        Ok(bytes) => {
            let found = sha256(&bytes);
            (!found.eq_ignore_ascii_case(wanted.trim())).then(|| {
                let detail = format!("its sha256 is {found}, the campaign says {wanted}");
                Problem::new(Code::Checksum, file, detail)
            })
        }
    }
}

impl Campaign {
    /// The member and its pool.
    pub(in crate::study) fn member(&self, place: Membership) -> Option<(&str, Role, &Member)> {
        let pool = self.pools.get(place.pool)?;
        Some((&pool.name, pool.role, pool.models.get(place.member)?))
    }
}
