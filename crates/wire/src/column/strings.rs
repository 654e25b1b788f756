//! Strings, one after the other.

use alloc::vec;
use alloc::vec::Vec;

use crate::error::Rejected;

/// Strings, one after the other, and where each ends, after a zero.
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
    /// Appends a string in a row after all rows that have one.
    ///
    /// # Errors
    /// The row exists already, or the strings have 2^31 octets together.
    #[inline]
    pub fn put(&mut self, row: usize, octets: &[u8]) -> Result<(), Rejected> {
        super::pad_ends(&mut self.ends, row)?;
        let end = i32::try_from(self.octets.len() + octets.len()).map_err(|_| Rejected)?;
        self.octets.extend_from_slice(octets);
        self.ends.push(end);
        Ok(())
    }

    /// Removes all rows but the first ones.
    pub fn truncate(&mut self, rows: usize) {
        self.ends.truncate(rows + 1);
        self.octets.truncate(self.ends.last().map_or(0, |end| *end as usize));
    }

    /// Takes the ends of this many strings, after a zero, and their octets; leaves no rows.
    #[must_use]
    pub fn take(&mut self, rows: usize) -> (Vec<i32>, Vec<u8>) {
        (super::take_ends(&mut self.ends, rows), super::take_values(&mut self.octets))
    }
}
