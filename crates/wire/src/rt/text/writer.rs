//! Text written by straight-line code.

use crate::error::Rejected;
use crate::rt::decimal::Decimal;
use crate::rt::text::digits::PAIRS;

/// Writes text octet by octet. The only reason for [`Rejected`] is that the output is full.
#[derive(Debug, Default)]
pub struct TextWriter<'a> {
    pub(crate) output: &'a mut [u8],
    pub(crate) at: usize,
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

    /// Writes a whole number of up to 128 bits.
    ///
    /// # Errors
    /// The output is full.
    #[inline]
    pub fn put_integer(&mut self, value: i128) -> Result<(), Rejected> {
        match i64::try_from(value) {
            Ok(value) => self.put_signed(value),
            Err(_) => self.put_slice(Decimal::of(value).octets()),
        }
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
}

impl crate::rt::order::Written for TextWriter<'_> {
    fn written(&mut self) -> Result<&mut [u8], Rejected> {
        self.output.get_mut(..self.at).ok_or(Rejected)
    }
}
