//! Progress, on one line of a terminal on stderr; nothing elsewhere.

use std::cell::Cell;
use std::io::{self, IsTerminal as _, Read, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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

/// Counts what is read.
pub(crate) struct Counted<R> {
    inner: R,
    count: Count,
}

/// How many octets have been read.
#[derive(Clone, Default)]
pub(crate) struct Count(Arc<AtomicU64>);

impl Count {
    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl<R> Counted<R> {
    /// The reader, and how many octets have been read from it.
    pub(crate) fn new(inner: R) -> (Self, Count) {
        let count = Count::default();
        (Counted { inner, count: count.clone() }, count)
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        self.count.0.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_counted() {
        let (mut reader, count) = Counted::new(&b"hello"[..]);
        let mut into = [0; 3];
        assert_eq!(reader.read(&mut into).ok(), Some(3));
        assert_eq!(count.get(), 3);
        assert_eq!(reader.read(&mut into).ok(), Some(2));
        assert_eq!(count.get(), 5);
    }
}
