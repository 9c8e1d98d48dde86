//! An explorer whose keys are measured.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gainsay::study::cache::CacheFile;
use gainsay::study::sheet::Sheet;
use gainsay::study::{Options, Session, Study};
use gainsay::tui::{App, Command, Depth, Key, Msg, Theme, ThemeChoice};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use crate::clock::{Sample, cpu_ms};

pub const SCREEN: Size = Size { width: 200, height: 60 };

/// Opens archives, from a cache if one is given.
pub fn session(paths: &[PathBuf], cache: Option<&Path>) -> Session {
    let cache = cache.map(|path| CacheFile { path: path.to_owned(), verify: false });
    Session::open(paths, &Options { cache, ..Options::default() })
}

/// An explorer without a terminal. Work for other threads is done between keys and not measured; to take it in
/// and to draw it is.
pub struct Stage {
    session: Session,
    pub app: App,
    buffer: Buffer,
    /// The dearest key so far.
    pub dearest: f64,
}

impl Stage {
    /// The explorer's first frame, before anything is labelled.
    pub fn new(session: Session) -> Self {
        let app = App::new(session.study(), Theme::new(ThemeChoice::Dark, Depth::True, false), SCREEN);
        let buffer = Buffer::empty(Rect::new(0, 0, SCREEN.width, SCREEN.height));
        let mut stage = Self { session, app, buffer, dearest: 0.0 };
        stage.app.draw(&mut stage.buffer);
        stage
    }

    /// Labels all that is not, and shows it.
    pub fn label(&mut self) -> Arc<Study> {
        let study = self.session.label_all();
        self.send(Msg::Study(Arc::clone(&study)));
        study
    }

    /// Takes in a message and all that follows from it. Gives what each of these cost the thread that draws.
    pub fn send(&mut self, message: Msg) -> Vec<f64> {
        let (mut costs, mut messages) = (Vec::new(), vec![message]);
        while let Some(message) = messages.pop() {
            let mut commands = Vec::new();
            costs.push(cpu_ms(|| {
                commands = self.app.update(message);
                self.app.draw(&mut self.buffer);
            }));
            for command in commands {
                match command {
                    Command::Load(job) => {
                        let view = self.session.view(&job.study, job.run).map(|view| Box::new(view.into()));
                        messages.push(Msg::Opened(job, view));
                    }
                    Command::Compute(study) => Sheet::compute(&study, &mut |sheet| {
                        messages.insert(0, Msg::Sheet(Arc::clone(&study), sheet));
                    }),
                    Command::Search(search) => {
                        let found = search.made();
                        messages.push(Msg::Found(search, found));
                    }
                    Command::Compare(comparison) => {
                        let (value, diff) = comparison.made();
                        messages.push(Msg::Compared(value, diff));
                    }
                    _ => {}
                }
            }
        }
        costs
    }

    /// Presses keys and prints what each cost.
    pub fn press(&mut self, what: &str, keys: impl IntoIterator<Item = Key>) {
        let costs: Vec<f64> = keys.into_iter().flat_map(|key| self.send(Msg::Key(key))).collect();
        self.dearest = costs.iter().copied().fold(self.dearest, f64::max);
        println!("  {what}: {} ms", Sample::new(costs));
    }
}

/// Characters as keys.
pub fn typed(text: &str) -> Vec<Key> {
    text.chars().map(Key::Char).collect()
}
