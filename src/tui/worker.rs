//! The other threads: keys and signals in, labelling, opening runs, computing figures, comparing long values.
//! They only send.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use ratatui::crossterm::event::{self, Event, MouseButton, MouseEventKind};
use ratatui::layout::{Position, Size};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;

use super::app::{Job, Msg};
use super::comparison::Comparison;
use super::desk::Desk;
use super::key::Key;
use super::palette::Search;
use crate::study::sheet::Sheet;
use crate::study::{Session, Study};

/// What other threads send to the one that draws.
pub(super) enum Mail {
    /// something for the app
    For(Msg),
    /// the terminal has no more input: it is gone
    InputLost,
    /// a signal asks to end
    Stop(i32),
    /// a signal asks to stop for a while
    Suspend,
    /// a signal says that it goes on
    Continued,
}

/// How the loop ended.
pub(super) enum Ended {
    /// by a person
    Left,
    /// by a signal
    BySignal(i32),
}

/// What `GAINSAY_TEST` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hook {
    /// nothing: the usual case
    None,
    /// panic when `!` is pressed
    PanicOnKey,
    /// never start to label
    HoldLabelling,
}

impl Hook {
    pub(super) fn from_environment() -> Self {
        match std::env::var("GAINSAY_TEST").as_deref() {
            Ok("panic-on-key") => Self::PanicOnKey,
            Ok("hold-labelling") => Self::HoldLabelling,
            _ => Self::None,
        }
    }

    /// Panics where the hook asks for it.
    #[allow(clippy::panic)] // The point of the hook: tests see that the terminal is restored.
    pub(super) fn on(self, msg: &Msg) {
        if self == Self::PanicOnKey && matches!(msg, Msg::Key(Key::Char('!'))) {
            panic!("GAINSAY_TEST=panic-on-key");
        }
    }
}

/// Where work is sent. If a worker is gone the app has been told.
pub(super) struct Workers {
    jobs: Sender<Job>,
    studies: Sender<Arc<Study>>,
    comparisons: Sender<Comparison>,
    searches: Sender<Search>,
}

impl Workers {
    /// Has a run opened.
    pub(super) fn open(&self, job: Job) {
        let _ = self.jobs.send(job);
    }

    /// Has the figures of a snapshot computed.
    pub(super) fn compute(&self, study: Arc<Study>) {
        let _ = self.studies.send(study);
    }

    /// Has something looked for.
    pub(super) fn search(&self, search: Search) {
        let _ = self.searches.send(search);
    }

    /// Has two long values compared.
    pub(super) fn compare(&self, comparison: Comparison) {
        let _ = self.comparisons.send(comparison);
    }
}

/// Starts all threads. They end with the process; those that send end when nobody listens any more.
pub(super) fn start(session: Arc<Session>, sender: &Sender<Mail>, hook: Hook) -> io::Result<Workers> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT])?;
    let out = sender.clone();
    thread::spawn(move || {
        for signal in &mut signals {
            let mail = match signal {
                SIGTSTP => Mail::Suspend,
                SIGCONT => Mail::Continued,
                signal => Mail::Stop(signal),
            };
            if out.send(mail).is_err() {
                break;
            }
        }
    });

    let out = sender.clone();
    thread::spawn(move || read_input(&out));

    let out = sender.clone();
    let desk = Arc::new(Desk::new(Arc::clone(&session)));
    let labelled = Arc::clone(&desk);
    if hook != Hook::HoldLabelling {
        thread::spawn(move || {
            let mut update = |study| out.send(Mail::For(Msg::Study(study))).is_ok();
            guarded(&out, "labelling", || labelled.follow(session, &mut update));
        });
    }

    let (jobs, todo) = channel::<Job>();
    let out = sender.clone();
    thread::spawn(move || {
        for job in todo {
            guarded(&out, "opening a run", || {
                if let Some(opened) = desk.open(job) {
                    let _ = out.send(Mail::For(opened));
                }
            });
        }
    });

    // By itself: the bootstrap takes seconds, and runs must open meanwhile.
    let (studies, todo) = channel::<Arc<Study>>();
    let out = sender.clone();
    thread::spawn(move || {
        for study in todo {
            guarded(&out, "computing the figures", || {
                Sheet::compute(&study, &mut |sheet| {
                    let _ = out.send(Mail::For(Msg::Sheet(Arc::clone(&study), sheet)));
                });
            });
        }
    });

    // By itself: runs must open meanwhile.
    let (comparisons, todo) = channel::<Comparison>();
    let out = sender.clone();
    thread::spawn(move || compare_all(&todo, &out));

    let (searches, todo) = channel::<Search>();
    let out = sender.clone();
    thread::spawn(move || search_all(&todo, &out));
    Ok(Workers { jobs, studies, comparisons, searches })
}

/// Compares values, the newest first: that is what is looked at.
fn compare_all(todo: &Receiver<Comparison>, out: &Sender<Mail>) {
    let mut waiting: Vec<Comparison> = Vec::new();
    while let Some(comparison) = waiting.pop().or_else(|| todo.recv().ok()) {
        waiting.push(comparison);
        waiting.extend(todo.try_iter());
        let Some(newest) = waiting.pop() else { continue };
        guarded(out, "comparing values", || {
            let (value, diff) = newest.made();
            let _ = out.send(Mail::For(Msg::Compared(value, diff)));
        });
    }
}

/// Looks for what was typed last: all that was typed before is outdated.
fn search_all(todo: &Receiver<Search>, out: &Sender<Mail>) {
    while let Ok(search) = todo.recv() {
        let search = todo.try_iter().last().unwrap_or(search);
        guarded(out, "searching", || {
            let found = search.made();
            let _ = out.send(Mail::For(Msg::Found(search, found)));
        });
    }
}

/// Runs work that must not take the explorer down with it.
fn guarded(out: &Sender<Mail>, what: &str, work: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
        let _ = out.send(Mail::For(Msg::Failed(format!("{what} failed: {}", words_of(&*panic)))));
    }
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a bug in gainsay".into())
}

fn read_input(out: &Sender<Mail>) {
    loop {
        let mail = match event::read() {
            Ok(event) => message(event).map(Mail::For),
            Err(_) => Some(Mail::InputLost),
        };
        let lost = matches!(mail, Some(Mail::InputLost));
        if mail.is_some_and(|mail| out.send(mail).is_err()) || lost {
            return;
        }
    }
}

/// Lines the wheel moves by.
const WHEEL: i32 = 3;

fn message(event: Event) -> Option<Msg> {
    match event {
        Event::Key(key) => Key::from_event(key).map(Msg::Key),
        Event::Resize(width, height) => Some(Msg::Resize(Size::new(width, height))),
        Event::Paste(text) => Some(Msg::Paste(text)),
        Event::Mouse(mouse) => {
            let at = Position::new(mouse.column, mouse.row);
            match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => Some(Msg::Click(at)),
                MouseEventKind::ScrollDown => Some(Msg::Wheel(at, WHEEL)),
                MouseEventKind::ScrollUp => Some(Msg::Wheel(at, -WHEEL)),
                _ => None,
            }
        }
        _ => None,
    }
}
