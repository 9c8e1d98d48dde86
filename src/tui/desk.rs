//! The archives that lie open: labelled, watched, and opened again when they change.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::app::{Job, Msg};
use crate::study::{Session, Study, Watch};

/// The sessions that snapshots on screen may be of: the latest, and while that is labelled the one before it.
pub(super) struct Desk(Mutex<VecDeque<Arc<Session>>>);

impl Desk {
    pub(super) fn new(session: Arc<Session>) -> Self {
        Self(Mutex::new(VecDeque::from([session])))
    }

    fn sessions(&self) -> MutexGuard<'_, VecDeque<Arc<Session>>> {
        // Only ever changed in single steps.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a run as its snapshot has it. No answer where the archive was opened again since and all of it
    /// is labelled: then another snapshot is on its way.
    pub(super) fn open(&self, job: Job) -> Option<Msg> {
        let is_of = |session: &&Arc<Session>| session.study().opening == job.study.opening;
        let session = self.sessions().iter().find(is_of).cloned()?;
        let view = session.view(&job.study, job.run).map(|view| Box::new(view.into()));
        Some(Msg::Opened(job, view))
    }

    /// Labels, then watches, and labels what changed; hands over snapshots. Returns when `update` has returned
    /// `false`.
    pub(super) fn follow(&self, mut session: Arc<Session>, update: &mut dyn FnMut(Arc<Study>) -> bool) {
        loop {
            let mut watch = Watch::new(&session);
            let mut heard = true;
            session.label(&mut |study| {
                heard = update(study);
                heard
            });
            if !heard {
                return;
            }
            self.sessions().truncate(1);
            loop {
                thread::sleep(watch.pause());
                if watch.changed() {
                    break;
                }
            }
            session = Arc::new(session.reopened());
            self.sessions().push_front(Arc::clone(&session));
        }
    }
}
