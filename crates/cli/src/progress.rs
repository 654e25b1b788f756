//! Progress on a terminal: a line for the stage that runs, and a line for each stage that is done.
//! Nothing elsewhere.

use std::cell::{Cell, RefCell};
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Instant;

/// Stages that take less are not listed, in seconds.
const LISTED: u64 = 1;

/// The lines, on stderr.
pub(crate) struct Bar {
    shown: bool,
    /// Thousandths of the stage, so that a line is drawn only when it changes.
    last: Cell<usize>,
    /// The stage that runs, and its begin.
    stage: RefCell<Option<(String, Instant)>>,
    /// The stages that are done, and their seconds.
    done: RefCell<Vec<(String, u64)>>,
}

impl Bar {
    pub(crate) fn new() -> Self {
        Bar {
            shown: io::stderr().is_terminal(),
            last: Cell::new(usize::MAX),
            stage: RefCell::default(),
            done: RefCell::default(),
        }
    }

    /// Removes the line of what runs.
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

    /// As [`Bar::show`]; lists the stage before, if this is another one. The name of a stage is the
    /// part of `what` before a comma.
    pub(crate) fn stage(&self, what: &str, done: usize, total: usize) {
        let name = what.split(',').next().unwrap_or(what);
        if self.stage.borrow().as_ref().is_none_or(|(stage, _)| stage != name) {
            self.list();
            *self.stage.borrow_mut() = Some((name.to_owned(), Instant::now()));
        }
        self.show(what, done, total);
    }

    fn list(&self) {
        self.clear();
        let Some((name, began)) = self.stage.borrow_mut().take() else { return };
        let seconds = began.elapsed().as_secs();
        if seconds >= LISTED {
            if self.shown {
                let _ = writeln!(io::stderr(), "✓ {name:<24}{seconds:>5} s");
            }
            self.done.borrow_mut().push((name, seconds));
        }
    }

    /// Removes all lines.
    pub(crate) fn end(&self) {
        self.list();
        let lines = self.done.borrow().len();
        if self.shown && lines > 0 {
            let _ = write!(io::stderr(), "\x1b[{lines}A\x1b[J");
        }
    }

    /// How long the stages took, in words.
    pub(crate) fn stages(&self) -> String {
        let stage = |(name, seconds): &(String, u64)| format!("{name} {seconds} s");
        self.done.borrow().iter().map(stage).collect::<Vec<_>>().join(", ")
    }
}
