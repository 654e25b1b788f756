//! A bit for each row.

use alloc::vec::Vec;

/// A bit for each row, the first one in the lowest bit of the first octet. Rows that were not set
/// are 0.
#[derive(Clone, Debug, Default)]
pub struct Flags(Vec<u8>);

impl Flags {
    /// Sets the bit of a row.
    #[inline]
    pub fn set(&mut self, row: usize) {
        let at = row / 8;
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        if let Some(octet) = self.0.get_mut(at) {
            *octet |= 1 << (row % 8);
        }
    }

    /// Clears the bits of all rows but the first ones.
    pub fn truncate(&mut self, rows: usize) {
        self.0.truncate(rows.div_ceil(8));
        if let (Some(last), 1..) = (self.0.get_mut(rows / 8), rows % 8) {
            *last &= (1 << (rows % 8)) - 1;
        }
    }

    /// Takes the octets for this many rows, and leaves none.
    #[must_use]
    pub fn take(&mut self, rows: usize) -> Vec<u8> {
        self.truncate(rows);
        let mut octets = super::take_values(&mut self.0);
        octets.resize(rows.div_ceil(8), 0);
        octets
    }
}
