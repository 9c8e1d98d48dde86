//! The explorer: screens, keys, theme, threads.
//!
//! One loop: receive a [`Msg`], update the [`App`], draw it. The thread that draws reads no file and waits
//! on the channel when there is nothing to do. Others read keys, label runs and open them, and only send.

mod action;
mod app;
mod ascii;
mod backend;
mod comparison;
mod desk;
#[cfg(test)]
mod fixture;
mod identity;
mod key;
pub mod keymap;
mod open_run;
pub mod paint;
mod palette;
mod prompt;
pub mod screen;
pub mod svg;
mod terminal;

mod theme;
mod views;
pub mod widget;
mod worker;

pub use crate::report::text;
pub use action::{Action, Copied, Grouping, Order, RunOrder};
pub use app::{App, Command, Msg};
pub use backend::Backend;
pub use comparison::{Comparison, ValueId};
pub use identity::{CellId, RunId};
pub use key::Key;
pub use open_run::OpenRun;
pub use palette::{Found, Search};
pub use theme::{Depth, Theme, ThemeChoice};
pub use views::{Opened, Views};

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use crate::study::Session;
use terminal::Screen;
use worker::{Ended, Hook};

/// How the explorer looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct TuiOptions {
    /// The theme asked for.
    pub theme: ThemeChoice,
    /// Only ASCII characters, also where the terminal could show more.
    pub ascii: bool,
}

/// Shows the explorer until it is left.
///
/// `GAINSAY_TEST` is a hook for tests: `panic-on-key` panics when `!` is pressed, `hold-labelling` never
/// starts to label.
///
/// # Errors
/// The terminal cannot be set up, or written to.
pub fn run(session: Arc<Session>, options: TuiOptions) -> io::Result<()> {
    let hook = Hook::from_environment();
    let mut screen = Screen::enter()?;
    let mut app = App::new(session.study(), Theme::detect(options.theme, options.ascii), screen.size()?);
    let (sender, inbox) = channel();
    let workers = worker::start(session, &sender, hook)?;
    drop(sender);

    let ended = until_left(&mut app, &mut screen, &inbox, &workers, hook);
    drop(screen);
    match ended? {
        Ended::Left => Ok(()),
        Ended::BySignal(signal) => signal_hook::low_level::emulate_default_handler(signal),
    }
}

/// The loop. All messages that wait are taken in before a frame is drawn, so a burst costs one frame.
fn until_left(
    app: &mut App,
    screen: &mut Screen,
    inbox: &Receiver<worker::Mail>,
    workers: &worker::Workers,
    hook: Hook,
) -> io::Result<Ended> {
    let mut commands = app.update(Msg::Resize(screen.size()?));
    loop {
        for command in commands.drain(..) {
            match command {
                Command::Load(job) => workers.open(job),
                Command::Compute(study) => workers.compute(study),
                Command::Search(search) => workers.search(search),
                Command::Compare(comparison) => workers.compare(comparison),
                Command::Copy(text) => screen.copy(&text)?,
                Command::Mouse(on) => screen.set_mouse(on)?,
                Command::Redraw => screen.clear()?,
                Command::Suspend => screen.suspend()?,
                Command::Quit => return Ok(Ended::Left),
            }
        }
        let size = screen.size()?;
        if size != app.size() {
            commands.append(&mut app.update(Msg::Resize(size)));
        }
        screen.draw(app)?;
        let Ok(first) = inbox.recv() else { return Ok(Ended::Left) };
        for mail in std::iter::once(first).chain(inbox.try_iter()) {
            match mail {
                worker::Mail::For(msg) => {
                    hook.on(&msg);
                    commands.append(&mut app.update(msg));
                }
                worker::Mail::Continued => screen.resume()?,
                worker::Mail::InputLost => return Ok(Ended::Left),
                worker::Mail::Stop(signal) => return Ok(Ended::BySignal(signal)),
                worker::Mail::Suspend => commands.push(Command::Suspend),
            }
        }
    }
}
