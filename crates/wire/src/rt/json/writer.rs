//! Objects, arrays and strings, written by straight-line code.

use crate::data::Scalar;
use crate::error::Rejected;
use crate::rt::json::characters::{Piece, pieces};
use crate::rt::text::{TextWriter, octet_of};

impl TextWriter<'_> {
    /// Ends a list of parts, each written with a comma in front, since octet `start`: the first
    /// comma becomes the bracket.
    ///
    /// # Errors
    /// The output is full.
    #[inline]
    pub fn close_list(&mut self, start: usize, open: u8, close: u8) -> Result<(), Rejected> {
        if self.at == start {
            return self.put(&[open, close]);
        }
        if let Some(place) = self.output.get_mut(start) {
            *place = open;
        }
        self.put(&[close])
    }

    /// Writes octets as hexadecimal digits in a string.
    ///
    /// # Errors
    /// The output is full.
    #[inline]
    pub fn put_digits(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        let count = octets.len() * 2 + 2;
        match self.output.get_mut(self.at..self.at + count) {
            Some([first, digits @ .., last]) => {
                (*first, *last) = (b'"', b'"');
                for (place, octet) in digits.chunks_exact_mut(2).zip(octets) {
                    place.copy_from_slice(&octet_of(*octet));
                }
            }
            _ => return Err(Rejected),
        }
        self.at += count;
        Ok(())
    }

    /// Writes a bit string: its digits alone if all values have the same length, otherwise with its
    /// length.
    ///
    /// # Errors
    /// The output is full, the size is not in the range, or a bit past the last one is not zero.
    pub fn put_bits(&mut self, value: Scalar<'_>, lower: u64, upper: u64) -> Result<(), Rejected> {
        let word;
        let (octets, bits) = match value {
            Scalar::Word(found) => {
                word = found.to_octets();
                (&word[..], usize::from(found.bits.min(64)))
            }
            Scalar::Bits(octets, bits) => (octets, bits),
            _ => return Err(Rejected),
        };
        let size = bits as u64;
        let octets = octets.get(..bits.div_ceil(8)).ok_or(Rejected)?;
        let last = octets.last().copied().unwrap_or(0);
        let unused = octets.len() * 8 - bits;
        if !(lower..=upper).contains(&size) || last & !(0xff << unused) != 0 {
            return Err(Rejected);
        }
        if lower == upper {
            return self.put_digits(octets);
        }
        self.put_slice(b"{\"value\":")?;
        self.put_digits(octets)?;
        self.put_slice(b",\"length\":")?;
        self.put_unsigned(size)?;
        self.put(b"}")
    }

    /// Writes a string.
    ///
    /// # Errors
    /// The output is full.
    pub fn put_string(&mut self, text: &str) -> Result<(), Rejected> {
        self.put(b"\"")?;
        for piece in pieces(text) {
            match piece {
                Piece::Plain(plain) => self.put_slice(plain.as_bytes())?,
                Piece::Escape(octets, count) => self.put_slice(octets.get(..usize::from(count)).unwrap_or(&[]))?,
            }
        }
        self.put(b"\"")
    }
}
