//! Where output goes, and how a command ends.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::model::Problem;
use crate::report::problem_line;
use crate::report::text::printable;

/// Why a command did not end with 0.
#[derive(Debug)]
pub(super) enum Failure {
    /// errors, already printed or to be printed
    Errors(Vec<String>),
    /// a wrong call
    Usage(String),
    /// stdout or a file failed
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Failure {
    /// Prints what is to be said and gives the exit code. A reader that has gone (`| head`) is no failure.
    pub(super) fn report(self) -> ExitCode {
        match self {
            Self::Errors(lines) => {
                for line in lines {
                    complain(&line);
                }
                ExitCode::from(1)
            }
            Self::Usage(message) => {
                complain(&format!("gainsay: {message}"));
                ExitCode::from(2)
            }
            Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Io(error) => {
                complain(&format!("gainsay: {error}"));
                ExitCode::from(1)
            }
        }
    }
}

/// Writes to stdout. Names in `text` have been made printable by whoever put them there.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// Writes one line to stderr, made printable. A closed stderr is nothing to fail on.
pub(super) fn complain(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", printable(line));
}

/// Lists every problem on stderr, and fails if one is an error.
pub(super) fn settle(problems: &[Problem]) -> Result<(), Failure> {
    for problem in problems {
        complain(&problem_line(problem));
    }
    if problems.iter().any(Problem::is_error) { Err(Failure::Errors(Vec::new())) } else { Ok(()) }
}
