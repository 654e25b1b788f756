//! Text read by straight-line code: in the form that is written, or not at all.

use crate::error::Rejected;
use crate::json::characters::Quoted;
use crate::json::scan;

/// Reads octets of text one after the other. [`Rejected`] says that it is not what an encoder writes; it may still be a valid text.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextReader<'a> {
    input: &'a [u8],
    at: usize,
}

impl<'a> TextReader<'a> {
    /// A reader at the start of `input`.
    #[inline]
    #[must_use]
    pub const fn new(input: &'a [u8]) -> Self {
        TextReader { input, at: 0 }
    }

    /// Goes past a constant if it comes next.
    #[inline(always)]
    pub fn accept<const N: usize>(&mut self, text: &[u8; N]) -> bool {
        let next = self.input.get(self.at..).and_then(|rest| rest.first_chunk::<N>());
        let is_it = next == Some(text);
        if is_it {
            self.at += N;
        }
        is_it
    }

    /// Goes past a constant.
    ///
    /// # Errors
    /// It does not come next.
    #[inline(always)]
    pub fn expect<const N: usize>(&mut self, text: &[u8; N]) -> Result<(), Rejected> {
        if self.accept(text) { Ok(()) } else { Err(Rejected) }
    }

    /// Goes past a member's name, with its comma in front unless it is the first, if it comes next.
    #[inline]
    pub fn member<const N: usize>(&mut self, first: bool, name: &[u8; N]) -> bool {
        let start = self.at;
        if (first || self.accept(b",")) && self.accept(name) {
            return true;
        }
        self.at = start;
        false
    }

    /// Reads a number of up to 18 digits.
    ///
    /// # Errors
    /// It is longer, or is not written as an encoder writes it.
    #[inline]
    pub fn take_unsigned(&mut self) -> Result<u64, Rejected> {
        let rest = self.input.get(self.at..).unwrap_or(&[]);
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
        // A zero in front stands alone.
        let padded = count > 1 && rest.first() == Some(&b'0');
        if count == 0 || count > 18 || padded {
            return Err(Rejected);
        }
        self.at += count;
        Ok(value)
    }

    /// Reads a number of up to 18 digits.
    ///
    /// # Errors
    /// It is longer, or is not written as an encoder writes it.
    #[inline]
    pub fn take_signed(&mut self) -> Result<i64, Rejected> {
        let negative = self.accept(b"-");
        let value = self.take_unsigned()? as i64;
        match (negative, value) {
            (true, 0) => Err(Rejected),
            (true, value) => Ok(-value),
            (false, value) => Ok(value),
        }
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

    /// Reads a name in quotes, to be compared with names that need no escapes: what stands between the quotes.
    ///
    /// # Errors
    /// It is no string, or does not end.
    #[inline]
    pub fn take_name(&mut self) -> Result<&'a [u8], Rejected> {
        self.expect(b"\"")?;
        let rest = self.input.get(self.at..).unwrap_or(&[]);
        let length = rest.iter().position(|octet| *octet == b'"').ok_or(Rejected)?;
        self.at += length + 1;
        Ok(rest.get(..length).unwrap_or(&[]))
    }

    /// Reads a string without escapes.
    ///
    /// # Errors
    /// It is no string, or has escapes.
    pub fn take_string(&mut self) -> Result<&'a str, Rejected> {
        self.input.get(self.at).filter(|octet| **octet == b'"').ok_or(Rejected)?;
        match scan::string(self.input, self.at) {
            Ok((Quoted { raw, escaped: false }, end)) => {
                self.at = end;
                Ok(raw)
            }
            _ => Err(Rejected),
        }
    }

    /// The hexadecimal digits of a string.
    ///
    /// # Errors
    /// It is no string.
    #[inline]
    pub fn take_digits(&mut self) -> Result<&'a [u8], Rejected> {
        self.take_name()
    }

    /// Fills octets from the hexadecimal digits of a string.
    ///
    /// # Errors
    /// They are not hexadecimal digits, or another number of them.
    #[inline]
    pub fn fill(&mut self, octets: &mut [u8]) -> Result<(), Rejected> {
        let digits = self.take_digits()?;
        fill(digits, octets)
    }

    /// Ends a text, and tells how many bits it has.
    ///
    /// # Errors
    /// Something follows.
    #[inline]
    pub fn finish(self) -> Result<usize, Rejected> {
        if self.at == self.input.len() { Ok(self.at * 8) } else { Err(Rejected) }
    }
}

/// Fills octets from hexadecimal digits.
///
/// # Errors
/// They are not, or another number of them.
#[inline]
pub fn fill(digits: &[u8], octets: &mut [u8]) -> Result<(), Rejected> {
    if digits.len() != octets.len() * 2 {
        return Err(Rejected);
    }
    let mut wrong = 0;
    for (octet, pair) in octets.iter_mut().zip(digits.chunks_exact(2)) {
        let (high, low) = (NIBBLES[usize::from(pair[0])], NIBBLES[usize::from(pair[1])]);
        wrong |= high | low;
        *octet = high << 4 | low & 15;
    }
    if wrong & 0xf0 == 0 { Ok(()) } else { Err(Rejected) }
}

/// Each octet as a hexadecimal digit; 255 where it is none.
static NIBBLES: [u8; 256] = {
    let mut table = [255; 256];
    let mut digit = 0;
    while digit < 10 {
        table[b'0' as usize + digit] = digit as u8;
        digit += 1;
    }
    let mut digit = 0;
    while digit < 6 {
        table[b'a' as usize + digit] = 10 + digit as u8;
        table[b'A' as usize + digit] = 10 + digit as u8;
        digit += 1;
    }
    table
};

/// Whether a text has a size and an alphabet (pairs of first and last code; none is any).
#[must_use]
pub fn fits(text: &str, lower: u64, upper: u64, alphabet: &[u32]) -> bool {
    let size = text.chars().count() as u64;
    let permitted = |code: u32| alphabet.chunks_exact(2).any(|range| range[0] <= code && code <= range[1]);
    lower <= size && size <= upper && (alphabet.is_empty() || text.chars().all(|one| permitted(u32::from(one))))
}
