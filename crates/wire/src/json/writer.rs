//! Text written by straight-line code.

use crate::error::Rejected;
use crate::json::Piece;
use crate::json::characters::{octet_of, pieces};
use crate::json::decimal::PAIRS;

/// Writes octets of text one after the other. The only reason for [`Rejected`] is that the output is full.
#[derive(Debug, Default)]
pub struct TextWriter<'a> {
    output: &'a mut [u8],
    at: usize,
}

impl<'a> TextWriter<'a> {
    /// A writer at the start of `output`.
    #[inline]
    #[must_use]
    pub const fn new(output: &'a mut [u8]) -> Self {
        TextWriter { output, at: 0 }
    }

    /// How many octets have been written.
    #[inline]
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Writes a constant.
    ///
    /// # Errors
    /// The output is full.
    #[inline(always)]
    pub fn put<const N: usize>(&mut self, text: &[u8; N]) -> Result<(), Rejected> {
        match self.output.get_mut(self.at..).and_then(|rest| rest.first_chunk_mut::<N>()) {
            Some(place) => *place = *text,
            None => return Err(Rejected),
        }
        self.at += N;
        Ok(())
    }

    /// Writes one of several texts.
    ///
    /// # Errors
    /// The output is full.
    #[inline]
    pub fn put_slice(&mut self, text: &[u8]) -> Result<(), Rejected> {
        match self.output.get_mut(self.at..self.at + text.len()) {
            Some(place) => place.copy_from_slice(text),
            None => return Err(Rejected),
        }
        self.at += text.len();
        Ok(())
    }

    /// Ends a list of parts, each written with a comma in front, since octet `start`: the first comma becomes the bracket.
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

    /// Writes a whole number.
    ///
    /// # Errors
    /// The output is full.
    #[inline]
    pub fn put_unsigned(&mut self, value: u64) -> Result<(), Rejected> {
        if value < 10 {
            return self.put(&[b'0' + value as u8]);
        }
        if value < 100 {
            return self.put(&PAIRS[value as usize]);
        }
        self.put_long(value)
    }

    /// Writes a whole number.
    ///
    /// # Errors
    /// The output is full.
    #[inline]
    pub fn put_signed(&mut self, value: i64) -> Result<(), Rejected> {
        if value < 0 {
            self.put(b"-")?;
        }
        self.put_unsigned(value.unsigned_abs())
    }

    fn put_long(&mut self, value: u64) -> Result<(), Rejected> {
        let digits = value.ilog10() as usize + 1;
        let Some(place) = self.output.get_mut(self.at..self.at + digits) else { return Err(Rejected) };
        let mut left = value;
        let mut pairs = place.rchunks_exact_mut(2);
        for pair in &mut pairs {
            pair.copy_from_slice(&PAIRS[(left % 100) as usize]);
            left /= 100;
        }
        if let [first] = pairs.into_remainder() {
            *first = b'0' + left as u8;
        }
        self.at += digits;
        Ok(())
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
