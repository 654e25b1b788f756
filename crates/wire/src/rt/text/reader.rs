//! Text read by straight-line code, only in the form that encoders write.

use crate::error::Rejected;

/// Reads text octet by octet. [`Rejected`] means that it is not what an encoder writes; it may
/// still be valid.
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

    /// Continues in a part that was skipped, and returns the reader of what follows, for
    /// [`resume`](Self::resume).
    #[inline]
    #[must_use]
    pub const fn revisit(&mut self, skipped: Self) -> Self {
        core::mem::replace(self, skipped)
    }

    /// Continues after a part that was skipped.
    ///
    /// # Errors
    /// There is more of the part.
    #[inline]
    pub fn resume(&mut self, after: Self) -> Result<(), Rejected> {
        if !self.rest().is_empty() {
            return Err(Rejected);
        }
        *self = after;
        Ok(())
    }

    /// Skips a constant.
    ///
    /// # Errors
    /// It does not come next.
    #[inline(always)]
    pub fn expect<const N: usize>(&mut self, text: &[u8; N]) -> Result<(), Rejected> {
        if self.accept(text) { Ok(()) } else { Err(Rejected) }
    }

    /// Reads a number of up to 64 bits.
    ///
    /// # Errors
    /// It is larger, or is not written as an encoder writes it.
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
            return self.take_twenty(count, value);
        }
        self.at += count;
        Ok(value)
    }

    /// A number of 20 digits, which is `value` modulo 2^64.
    #[cold]
    fn take_twenty(&mut self, count: usize, value: u64) -> Result<u64, Rejected> {
        // Below 2 * 10^19, numbers of 64 bits and larger ones differ: the larger ones become less
        // than 10^19 modulo 2^64.
        if count != 20 || self.rest().first() != Some(&b'1') || value < 10u64.pow(19) {
            return Err(Rejected);
        }
        self.at += count;
        Ok(value)
    }

    /// Reads a number of up to 63 bits and a sign.
    ///
    /// # Errors
    /// It is larger, or is not written as an encoder writes it.
    #[inline]
    pub fn take_signed(&mut self) -> Result<i64, Rejected> {
        let negative = self.accept(b"-");
        let value = self.take_unsigned()?;
        match negative {
            true if (1..=1 << 63).contains(&value) => Ok(0i64.wrapping_sub_unsigned(value)),
            false if value < 1 << 63 => Ok(value as i64),
            _ => Err(Rejected),
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

/// Whether a text meets a size and an alphabet constraint (pairs of first and last code; none allow
/// any character).
#[must_use]
pub fn fits(text: &str, lower: u64, upper: u64, alphabet: &[u32]) -> bool {
    fit(text.chars(), lower, upper, alphabet)
}

/// As [`fits`], for characters that are not in a text as they are.
#[inline(always)]
pub(crate) fn fit(text: impl Iterator<Item = char> + Clone, lower: u64, upper: u64, alphabet: &[u32]) -> bool {
    let size = text.clone().count() as u64;
    let permitted = |code: u32| alphabet.chunks_exact(2).any(|range| range[0] <= code && code <= range[1]);
    let mut text = text;
    lower <= size && size <= upper && (alphabet.is_empty() || text.all(|one| permitted(u32::from(one))))
}
