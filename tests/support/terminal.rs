//! The real program in a pseudo-terminal. Waits for text, never sleeps blindly.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;
use vt100::Parser;

/// How long anything may take before the test gives up. Generous: machines that run tests are slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program under test: the one cargo built for the tests, or the one `GAINSAY_BIN` names (a release build).
pub fn program() -> String {
    std::env::var("GAINSAY_BIN").unwrap_or_else(|_| env!("CARGO_BIN_EXE_gainsay").to_owned())
}

/// A running program and what its terminal shows.
pub struct Terminal {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    input: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    screen: Parser,
    /// Where its cache is: nothing is left of it.
    _cache: TempDir,
    /// Everything the program sent.
    pub raw: Vec<u8>,
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

impl Terminal {
    /// Starts `gainsay` with these arguments and environment in a terminal of this size.
    pub fn start(columns: u16, rows: u16, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut command = CommandBuilder::new(program());
        command.args(arguments);
        Self::run(columns, rows, command, environment)
    }

    /// Starts an interactive shell, for what needs job control.
    pub fn start_shell(columns: u16, rows: u16) -> Self {
        let mut command = CommandBuilder::new("bash");
        command.args(["--norc", "--noprofile", "-i"]);
        Self::run(columns, rows, command, &[])
    }

    fn run(columns: u16, rows: u16, mut command: CommandBuilder, environment: &[(&str, &str)]) -> Self {
        let pair = native_pty_system().openpty(size(columns, rows)).expect("a terminal");
        command.cwd(Path::new(env!("CARGO_MANIFEST_DIR")));
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env("RUST_BACKTRACE", "0");
        command.env_remove("NO_COLOR");
        let cache = tempfile::tempdir().expect("a folder");
        command.env("GAINSAY_CACHE", cache.path().join("index.sqlite"));
        for (name, value) in environment {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("starts");
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().expect("reads");
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut chunk = [0; 8192];
            while let Ok(read @ 1..) = reader.read(&mut chunk) {
                if sender.send(chunk[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        let input = pair.master.take_writer().expect("writes");
        let screen = Parser::new(lines(rows), lines(columns), 0);
        Self { master: pair.master, child, input, output, screen, _cache: cache, raw: Vec::new() }
    }

    /// Types these bytes.
    pub fn press(&mut self, keys: &str) {
        self.input.write_all(keys.as_bytes()).expect("types");
        self.input.flush().expect("types");
    }

    /// Changes the terminal's size.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.screen.screen_mut().set_size(lines(rows), lines(columns));
        self.master.resize(size(columns, rows)).expect("resizes");
    }

    /// The screen as text.
    pub fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// The screen's state beyond its text.
    pub fn screen(&self) -> &vt100::Screen {
        self.screen.screen()
    }

    /// The line discipline: what raw mode changes.
    pub fn modes(&self) -> String {
        format!("{:?}", self.master.get_termios().expect("a terminal"))
    }

    /// The process id of the program.
    pub fn pid(&self) -> u32 {
        self.child.process_id().expect("runs")
    }

    /// Waits until the screen satisfies a condition.
    pub fn wait_until(&mut self, what: &str, condition: impl Fn(&str) -> bool) {
        let start = Instant::now();
        loop {
            if condition(&self.text()) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "no {what} on\n{}", self.text());
            self.take(Duration::from_millis(50));
        }
    }

    /// Waits until these words are on the screen.
    pub fn wait_for(&mut self, words: &str) {
        self.wait_until(words, |text| text.contains(words));
    }

    /// Waits for the end of the program and of its output.
    pub fn wait_for_end(&mut self) -> ExitStatus {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status;
            }
            assert!(start.elapsed() < PATIENCE, "still runs, showing\n{}", self.text());
            self.take(Duration::from_millis(50));
        };
        while self.take(Duration::from_millis(300)) {}
        status
    }

    /// Takes what has come within a time; false if nothing can come any more, or nothing came.
    fn take(&mut self, time: Duration) -> bool {
        match self.output.recv_timeout(time) {
            Ok(bytes) => {
                self.screen.process(&bytes);
                self.raw.extend(bytes);
                true
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => false,
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

fn lines(count: u16) -> NonZero<u16> {
    NonZero::new(count).expect("not zero")
}
