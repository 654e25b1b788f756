//! How many octets have been read.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the octets that are read.
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
