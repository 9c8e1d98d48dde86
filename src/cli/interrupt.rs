//! Signals that ask a batch command to stop: it finishes the file it is writing, and then does.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

/// Whether a signal has come.
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on signals are noted. A second one ends the program at once.
    pub(super) fn watch() -> io::Result<Self> {
        let came = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&came))?;
            flag::register(signal, Arc::clone(&came))?;
        }
        Ok(Self(came))
    }

    /// True once a signal has come.
    pub(super) fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
