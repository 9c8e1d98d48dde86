//! The terminal, taken and given back: on return, error, panic, signals and Ctrl-Z.

use std::io::{self, BufWriter, Stdout, Write};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ratatui::Terminal;
use ratatui::crossterm::clipboard::CopyToClipboard;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};
use ratatui::layout::{Rect, Size};

use super::app::App;
use super::backend::Backend;

/// A frame goes out in one write, so terminals never show half of it.
const FRAME_BYTES: usize = 256 * 1024;

/// True while the terminal is ours. The panic hook has no other way to know.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal while it is ours; dropping it gives it back.
pub(super) struct Screen {
    terminal: Terminal<Backend<BufWriter<Stdout>>>,
    mouse: bool,
}

impl Screen {
    /// Takes the terminal.
    pub(super) fn enter() -> io::Result<Self> {
        give_back_on_panic();
        take(true)?;
        let writer = BufWriter::with_capacity(FRAME_BYTES, io::stdout());
        match Terminal::new(Backend::new(writer)) {
            Ok(terminal) => Ok(Self { terminal, mouse: true }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// Its size now.
    pub(super) fn size(&self) -> io::Result<Size> {
        self.terminal.size()
    }

    /// Draws a frame; only what changed is sent.
    pub(super) fn draw(&mut self, app: &App) -> io::Result<()> {
        self.terminal.draw(|frame| app.draw(frame.buffer_mut())).map(|_| ())
    }

    /// Forgets what is on screen, so that the next frame draws all of it.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        // `Terminal::clear` would ask where the cursor is, and the thread that reads keys holds the answer.
        let size = self.terminal.size()?;
        self.terminal.resize(Rect::new(0, 0, size.width, size.height))
    }

    /// Takes the mouse, or leaves it to the terminal, which then selects text with it.
    pub(super) fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        if on {
            execute!(io::stdout(), EnableMouseCapture)
        } else {
            execute!(io::stdout(), DisableMouseCapture)
        }
    }

    /// Puts text on the clipboard of whoever sits at the terminal, also over ssh (OSC 52).
    pub(super) fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(io::stdout(), CopyToClipboard::to_clipboard_from(text))
    }

    /// Gives the terminal back, stops until the shell says to go on, takes it again.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        give_back();
        signal_hook::low_level::raise(signal_hook::consts::SIGSTOP)?;
        self.resume()
    }

    /// Takes the terminal again after a stop, wherever that came from.
    pub(super) fn resume(&mut self) -> io::Result<()> {
        take(self.mouse)?;
        self.clear()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn take(mouse: bool) -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    let taken = enable_raw_mode()
        .and_then(|()| execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, cursor::Hide))
        .and_then(|()| if mouse { execute!(io::stdout(), EnableMouseCapture) } else { Ok(()) });
    if taken.is_err() {
        give_back();
    }
    taken
}

/// Gives the terminal back, once. Errors are ignored: if it is gone there is nothing to give back.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let mut out = io::stdout();
        let _ = execute!(out, DisableMouseCapture, DisableBracketedPaste, cursor::Show, LeaveAlternateScreen);
        let _ = out.flush();
        let _ = disable_raw_mode();
    }
}

/// A panic of the thread that draws gives the terminal back before it is reported. Panics of other threads
/// are caught there and told to the app; reported here they would tear the screen.
fn give_back_on_panic() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let drawing = thread::current().id();
        let earlier = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().id() == drawing {
                give_back();
                earlier(info);
            } else if !TAKEN.load(Ordering::SeqCst) {
                earlier(info);
            }
        }));
    });
}
