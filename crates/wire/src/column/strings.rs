//! Strings, one behind the other.

use alloc::vec;
use alloc::vec::Vec;

use crate::error::Rejected;

/// Strings, one behind the other, and where each ends, with a zero in front.
#[derive(Clone, Debug)]
pub struct Strings {
    ends: Vec<i32>,
    octets: Vec<u8>,
}

impl Default for Strings {
    fn default() -> Self {
        Strings { ends: vec![0], octets: Vec::new() }
    }
}

impl Strings {
    /// Appends a string in a row behind all that have one.
    ///
    /// # Errors
    /// There is that row already, or the strings have 2^31 octets together.
    #[inline]
    pub fn put(&mut self, row: usize, octets: &[u8]) -> Result<(), Rejected> {
        super::pad_ends(&mut self.ends, row)?;
        let end = i32::try_from(self.octets.len() + octets.len()).map_err(|_| Rejected)?;
        self.octets.extend_from_slice(octets);
        self.ends.push(end);
        Ok(())
    }

    /// Takes back all rows but the first ones.
    pub fn truncate(&mut self, rows: usize) {
        self.ends.truncate(rows + 1);
        self.octets.truncate(self.ends.last().map_or(0, |end| *end as usize));
    }

    /// Where each of this many strings ends, with a zero in front, and their octets. There are no
    /// rows afterwards.
    #[must_use]
    pub fn take(&mut self, rows: usize) -> (Vec<i32>, Vec<u8>) {
        (super::take_ends(&mut self.ends, rows), super::take_values(&mut self.octets))
    }
}
