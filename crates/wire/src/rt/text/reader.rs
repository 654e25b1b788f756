//! Text read by straight-line code, only in the form that encoders write.

use crate::error::Rejected;

/// Reads text octet by octet. [`Rejected`] means that it is not what an encoder writes; it may still be valid.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextReader<'a> {
    pub(crate) input: &'a [u8],
    pub(crate) at: usize,
}

impl<'a> TextReader<'a> {
    /// A reader at the start of `input`.
    #[inline]
    #[must_use]
    pub const fn new(input: &'a [u8]) -> Self {
        TextReader { input, at: 0 }
    }

    /// Skips a constant if it comes next.
    #[inline(always)]
    pub fn accept<const N: usize>(&mut self, text: &[u8; N]) -> bool {
        let next = self.input.get(self.at..).and_then(|rest| rest.first_chunk::<N>());
        let is_it = next == Some(text);
        if is_it {
            self.at += N;
        }
        is_it
    }

    /// Skips a constant.
    ///
    /// # Errors
    /// It does not come next.
    #[inline(always)]
    pub fn expect<const N: usize>(&mut self, text: &[u8; N]) -> Result<(), Rejected> {
        if self.accept(text) { Ok(()) } else { Err(Rejected) }
    }

    /// Reads a number of up to 19 digits.
    ///
    /// # Errors
    /// It is longer, or is not written as an encoder writes it.
    #[inline]
    pub fn take_unsigned(&mut self) -> Result<u64, Rejected> {
        let rest = self.rest();
        let mut value = 0u64;
        let mut count = 0;
        for octet in rest {
            let digit = octet.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
            count += 1;
        }
        // A leading zero must be the only digit.
        let padded = count > 1 && rest.first() == Some(&b'0');
        if count == 0 || count > 19 || padded {
            return Err(Rejected);
        }
        self.at += count;
        Ok(value)
    }

    /// Reads a number of up to 19 digits.
    ///
    /// # Errors
    /// It is longer, or is not written as an encoder writes it.
    #[inline]
    pub fn take_signed(&mut self) -> Result<i64, Rejected> {
        let negative = self.accept(b"-");
        let value = i64::try_from(self.take_unsigned()?).map_err(|_| Rejected)?;
        match (negative, value) {
            (true, 0) => Err(Rejected),
            (true, value) => Ok(-value),
            (false, value) => Ok(value),
        }
    }

    /// The rest of the text.
    #[inline]
    #[must_use]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.input.get(self.at..).unwrap_or(&[])
    }

    /// Reads `true` or `false`.
    ///
    /// # Errors
    /// It is neither.
    #[inline]
    pub fn take_truth(&mut self) -> Result<bool, Rejected> {
        if self.accept(b"true") {
            return Ok(true);
        }
        self.expect(b"false")?;
        Ok(false)
    }

    /// Ends a text, and returns its length in bits.
    ///
    /// # Errors
    /// Something follows.
    #[inline]
    pub fn finish(self) -> Result<usize, Rejected> {
        if self.at == self.input.len() { Ok(self.at * 8) } else { Err(Rejected) }
    }
}

/// Whether a text meets a size and an alphabet constraint (pairs of first and last code; none allow any character).
#[must_use]
pub fn fits(text: &str, lower: u64, upper: u64, alphabet: &[u32]) -> bool {
    let size = text.chars().count() as u64;
    let permitted = |code: u32| alphabet.chunks_exact(2).any(|range| range[0] <= code && code <= range[1]);
    lower <= size && size <= upper && (alphabet.is_empty() || text.chars().all(|one| permitted(u32::from(one))))
}
