//! The explorer without a terminal: keys in, screens out.

use std::path::Path;
use std::sync::Arc;

use gainsay::study::sheet::Sheet;
use gainsay::study::{Options, Session, Study};
use gainsay::tui::{App, Command, Depth, Key, Msg, Theme, ThemeChoice};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

/// A labelled archive, for explorers that share it.
pub struct Labelled {
    session: Arc<Session>,
    study: Arc<Study>,
}

impl Labelled {
    /// Opens and labels an archive.
    pub fn open(path: &Path) -> Self {
        let options = Options { watch: true, ..Options::default() };
        let session = Arc::new(Session::open(&[path.to_owned()], &options));
        let study = session.label_all();
        Self { session, study }
    }

    /// An explorer in true colour on a dark ground.
    pub fn explore(&self, columns: u16, rows: u16) -> Explorer {
        self.explore_in(Theme::new(ThemeChoice::Dark, Depth::True, false), columns, rows)
    }

    /// The same with another theme.
    pub fn explore_in(&self, theme: Theme, columns: u16, rows: u16) -> Explorer {
        let app = App::new(Arc::clone(&self.study), theme, Size::new(columns, rows));
        Explorer { session: Arc::clone(&self.session), app }
    }
}

/// An explorer over a labelled archive; runs are opened and values compared at once.
pub struct Explorer {
    session: Arc<Session>,
    app: App,
}

impl Explorer {
    /// Presses keys, one after another: `"<Enter>"`, `"<Esc>"`, `"<Tab>"` or characters.
    pub fn press(&mut self, keys: &str) -> &mut Self {
        let mut rest = keys;
        while let Some(first) = rest.chars().next() {
            let named =
                [("<Enter>", Key::Enter), ("<Esc>", Key::Esc), ("<Tab>", Key::Tab), ("<Down>", Key::Down)];
            let (key, length) = match named.into_iter().find(|(name, _)| rest.starts_with(name)) {
                Some((name, key)) => (key, name.len()),
                None => (Key::Char(first), first.len_utf8()),
            };
            rest = &rest[length..];
            self.send(Msg::Key(key));
        }
        self
    }

    /// Sends anything.
    pub fn send(&mut self, message: Msg) {
        let mut commands = self.app.update(message);
        while let Some(command) = commands.pop() {
            match command {
                Command::Load(job) => {
                    let view = self.session.view(&job.study, job.run).map(|view| Box::new(view.into()));
                    commands.extend(self.app.update(Msg::Opened(job, view)));
                }
                Command::Compute(study) => Sheet::compute(&study, &mut |sheet| {
                    commands.extend(self.app.update(Msg::Sheet(Arc::clone(&study), sheet)));
                }),
                Command::Search(search) => {
                    let found = search.made();
                    commands.extend(self.app.update(Msg::Found(search, found)));
                }
                Command::Compare(comparison) => {
                    let (value, diff) = comparison.made();
                    commands.extend(self.app.update(Msg::Compared(value, diff)));
                }
                _ => {}
            }
        }
    }

    /// Opens the archive again, as after a change.
    pub fn reopen(&mut self) {
        self.session = Arc::new(self.session.reopened());
        self.send(Msg::Study(self.session.label_all()));
    }

    /// Another size.
    pub fn resize(&mut self, columns: u16, rows: u16) -> &mut Self {
        self.send(Msg::Resize(Size::new(columns, rows)));
        self
    }

    /// The screen.
    pub fn draw(&self) -> Buffer {
        let size = self.app.size();
        let mut buffer = Buffer::empty(Rect::new(0, 0, size.width, size.height));
        self.app.draw(&mut buffer);
        buffer
    }

    /// The screen as text, lines without trailing blanks.
    pub fn text(&self) -> String {
        text(&self.draw())
    }
}

/// A drawn screen as text.
pub fn text(buffer: &Buffer) -> String {
    let area = buffer.area;
    let mut lines = Vec::new();
    for y in area.top()..area.bottom() {
        let mut line = String::new();
        let mut x = area.left();
        while x < area.right() {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            // The second half of a wide character is a cell of its own, and says nothing.
            x += u16::try_from(unicode_width::UnicodeWidthStr::width(symbol).max(1)).unwrap_or(1);
        }
        lines.push(line.trim_end().to_owned());
    }
    lines.join("\n")
}
