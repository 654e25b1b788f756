//! Progress, on one line of a terminal on stderr; nothing elsewhere.

use std::cell::Cell;
use std::io::{self, IsTerminal as _, Write as _};

/// The line.
pub(crate) struct Bar {
    shown: bool,
    /// Thousandths of the stage, so that a line is drawn only when it changes.
    last: Cell<usize>,
}

impl Bar {
    pub(crate) fn new() -> Self {
        Bar { shown: io::stderr().is_terminal(), last: Cell::new(usize::MAX) }
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        if self.shown && self.last.replace(usize::MAX) != usize::MAX {
            let _ = write!(io::stderr(), "\r\x1b[2K");
        }
    }

    /// Shows how much is done: of a total, or, where that is 0, how much it is.
    pub(crate) fn show(&self, what: &str, done: usize, total: usize) {
        const WIDTH: usize = 30;
        if !self.shown {
            return;
        }
        let state = (done.min(total) * 1000).checked_div(total).unwrap_or(done / 100);
        if self.last.replace(state) == state {
            return;
        }
        let line = match (done.min(total) * WIDTH).checked_div(total) {
            Some(full) => format!("[{}{}] {what} {done}/{total}", "#".repeat(full), " ".repeat(WIDTH - full)),
            None => format!("{what}: {done}"),
        };
        let _ = write!(io::stderr(), "\r\x1b[2K{line}");
    }
}
