//! Runs that were opened, kept for a while.

use std::collections::VecDeque;

use super::identity::RunId;
use super::open_run::OpenRun;

/// How many opened runs are kept. A run can hold two whole databases' differences and a long
/// conversation, so not all of an archive's.
const KEPT: usize = 24;

/// Opened runs, and those a worker is busy with.
#[derive(Debug, Default)]
pub struct Views {
    opening: Vec<RunId>,
    open: VecDeque<(RunId, Option<Box<OpenRun>>)>,
}

/// What is known of an opened run.
#[derive(Clone, Copy, Debug)]
pub enum Opened<'a> {
    /// it was not asked for, or is not read yet
    Opening,
    /// there is no such run
    Missing,
    /// it is open
    Ready(&'a OpenRun),
}

impl Views {
    /// A run, as far as it is open.
    #[must_use]
    pub fn get(&self, id: &RunId) -> Opened<'_> {
        match self.open.iter().find(|(open, _)| open == id) {
            Some((_, Some(view))) => Opened::Ready(view),
            Some((_, None)) => Opened::Missing,
            None => Opened::Opening,
        }
    }

    /// Notes that a run is being opened. False if it is open already, or under way.
    pub fn request(&mut self, id: &RunId) -> bool {
        if self.opening.contains(id) || self.open.iter().any(|(open, _)| open == id) {
            return false;
        }
        self.opening.push(id.clone());
        true
    }

    /// Keeps some of the opened runs. Those under way are forgotten: they may be asked for anew.
    pub fn retain(&mut self, keep: impl Fn(&RunId) -> bool) {
        self.opening.clear();
        self.open.retain(|(id, _)| keep(id));
    }

    /// Takes in a run that a worker has opened.
    pub fn insert(&mut self, id: RunId, view: Option<Box<OpenRun>>) {
        self.opening.retain(|opening| *opening != id);
        self.open.retain(|(open, _)| *open != id);
        self.open.push_back((id, view));
        if self.open.len() > KEPT {
            self.open.pop_front();
        }
    }
}
