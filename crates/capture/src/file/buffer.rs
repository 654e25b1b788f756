//! Octets of a stream: as many as a record has, and not more than have arrived.

use std::io::{self, Read};
use std::ops::Range;

/// Octets at first. It grows to twice the longest record at most.
const CAPACITY: usize = 256 << 10;

pub(super) struct Buffer<R> {
    source: R,
    octets: Vec<u8>,
    /// Bounds of the octets that were read from the source and not consumed.
    start: usize,
    end: usize,
    /// Where `start` is in the stream.
    offset: u64,
}

impl<R> Buffer<R> {
    pub(super) fn new(source: R) -> Buffer<R> {
        Buffer { source, octets: Vec::new(), start: 0, end: 0, offset: 0 }
    }

    pub(super) fn source(&self) -> &R {
        &self.source
    }

    pub(super) fn into_source(self) -> R {
        self.source
    }

    /// How many octets of the stream have been consumed.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Says where the stream begins in the file that it is a part of.
    pub(super) fn set_offset(&mut self, offset: u64) {
        self.offset = offset;
    }

    /// The octets that have arrived and were not consumed.
    pub(super) fn rest(&self) -> &[u8] {
        self.octets.get(self.start..self.end).unwrap_or(&[])
    }

    /// Octets by their place in the buffer, as [`consume`](Buffer::consume) returned it.
    pub(super) fn octets(&self, place: Range<usize>) -> &[u8] {
        self.octets.get(place).unwrap_or(&[])
    }

    /// Consumes octets that have arrived. They stay where they are until the next call of `fill` or
    /// `skip`.
    pub(super) fn consume(&mut self, count: usize) -> Range<usize> {
        let start = self.start;
        self.start = (start + count).min(self.end);
        self.offset = self.offset.wrapping_add((self.start - start) as u64);
        start..self.start
    }
}

impl<R: Read> Buffer<R> {
    /// Waits for so many octets: false if the stream ends before.
    pub(super) fn fill(&mut self, count: usize) -> io::Result<bool> {
        while self.end - self.start < count {
            if self.start == self.end {
                (self.start, self.end) = (0, 0);
            }
            if self.end == self.octets.len() || self.start + count > self.octets.len() {
                self.octets.copy_within(self.start..self.end, 0);
                self.end -= self.start;
                self.start = 0;
            }
            if self.end == self.octets.len() {
                self.octets.resize((self.octets.len() * 2).max(CAPACITY), 0);
            }
            let space = self.octets.get_mut(self.end..).unwrap_or(&mut []);
            match self.source.read(space) {
                Ok(0) => return Ok(false),
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// Consumes so many octets, without holding them: false if the stream ends before.
    pub(super) fn skip(&mut self, mut count: u64) -> io::Result<bool> {
        while count > 0 {
            if !self.fill(1)? {
                return Ok(false);
            }
            let some = usize::try_from(count).map_or(self.rest().len(), |count| count.min(self.rest().len()));
            self.consume(some);
            count -= some as u64;
        }
        Ok(true)
    }
}
