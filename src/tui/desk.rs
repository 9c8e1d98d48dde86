//! The archives that lie open: labelled, watched, and opened again when they change.

use std::collections::VecDeque;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::app::{Job, Msg};
use super::worker::Mail;
use crate::study::{RunView, Session, Watch};

/// The sessions that snapshots on screen may be of: the latest, and the one before it.
pub(super) struct Desk(Mutex<VecDeque<Arc<Session>>>);

impl Desk {
    pub(super) fn new(session: Arc<Session>) -> Self {
        Self(Mutex::new(VecDeque::from([session])))
    }

    fn sessions(&self) -> MutexGuard<'_, VecDeque<Arc<Session>>> {
        // Only ever changed in single steps.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, session: Arc<Session>) {
        let mut sessions = self.sessions();
        sessions.push_front(session);
        sessions.truncate(2);
    }

    /// Opens a run: as its snapshot has it, or where the archive was opened again and again since, as the
    /// latest session finds it.
    pub(super) fn open(&self, job: &Job) -> Option<RunView> {
        let sessions = self.sessions().clone();
        if let Some(session) = sessions.iter().find(|session| session.study().opening == job.study.opening) {
            return session.view(&job.study, job.run);
        }
        let latest = sessions.front()?;
        let study = latest.study();
        latest.view(&study, job.id.index(&study)?)
    }

    /// Labels, then watches, and labels what changed. Returns when nobody listens any more.
    pub(super) fn follow(&self, mut session: Arc<Session>, out: &Sender<Mail>) {
        loop {
            let mut watch = Watch::new(&session);
            let mut heard = true;
            session.label(&mut |study| {
                heard = out.send(Mail::For(Msg::Study(study))).is_ok();
                heard
            });
            if !heard {
                return;
            }
            loop {
                thread::sleep(watch.pause());
                if watch.changed(&session) {
                    break;
                }
            }
            session = Arc::new(session.reopened());
            self.put(Arc::clone(&session));
        }
    }
}
