//! The bit reader.

mod strings;
mod whole;

use crate::error::Rejected;
use crate::rt::words::{self, window};

/// Strings of up to this many octets are moved in words; for longer ones a call is worth its cost.
pub(crate) const SHORT: usize = 64;

/// Reads bits from octets, most significant first. Small and `Copy`, so that generated code keeps
/// it in registers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reader<'a> {
    octets: &'a [u8],
    /// Next bit.
    at: usize,
    /// One past the last bit that may be read.
    end: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the first bit of `octets`.
    #[inline]
    #[must_use]
    pub const fn new(octets: &'a [u8]) -> Self {
        Reader { octets, at: 0, end: octets.len() * 8 }
    }

    /// How many bits have been read.
    #[inline]
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// How many bits are left.
    #[inline]
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.end - self.at
    }

    /// The whole input, for reading at fixed places; see [`Reader::advance_to`].
    #[inline]
    #[must_use]
    pub const fn octets(&self) -> &'a [u8] {
        self.octets
    }

    /// Continues at bit `position`, which the caller has checked to be inside the input (otherwise
    /// at the end).
    #[inline]
    pub fn advance_to(&mut self, position: usize) {
        self.at = if position < self.end { position } else { self.end };
    }

    /// Reads an unsigned number of `bits` bits, 0..=57.
    ///
    /// # Errors
    /// Past the end.
    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    #[cfg_attr(all(target_os = "none", target_pointer_width = "32"), inline(never))]
    pub fn take(&mut self, bits: u32) -> Result<u64, Rejected> {
        debug_assert!(bits <= 57);
        let byte = self.at >> 3;
        if self.at + 64 <= self.end {
            if let Some(window) = self.octets.get(byte..byte + 8).and_then(|w| w.first_chunk::<8>()) {
                let word = u64::from_be_bytes(*window) << (self.at & 7);
                self.at += bits as usize;
                // Two shifts, so that 0 bits are not a shift by 64.
                return Ok(word >> 1 >> (63 - bits));
            }
        }
        self.need(bits as usize)?;
        let word = words::near_end(self.octets, byte) << (self.at & 7);
        self.at += bits as usize;
        Ok(word >> 1 >> (63 - bits))
    }

    /// Reads an unsigned number of `bits` bits, 0..=64.
    ///
    /// # Errors
    /// Past the end.
    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    pub fn take_wide(&mut self, bits: u32) -> Result<u64, Rejected> {
        if bits <= 57 {
            return self.take(bits);
        }
        self.need(bits as usize)?;
        let high = self.take(bits - 32)?;
        Ok(high << 32 | self.take(32)?)
    }

    /// Calls a function that is not inlined with a copy, so that the reader itself stays in
    /// registers.
    #[inline(always)]
    pub(crate) fn apart<T>(&mut self, call: impl FnOnce(&mut Self) -> Result<T, Rejected>) -> Result<T, Rejected> {
        let mut copy = *self;
        let result = call(&mut copy);
        *self = copy;
        result
    }

    /// The next bits, at least 57 of them, left-aligned; `None` if fewer than 64 are left. They are
    /// not consumed: see [`Reader::skip`].
    #[inline(always)]
    pub(crate) fn peek(&self) -> Option<u64> {
        let byte = self.at >> 3;
        if self.at + 64 > self.end {
            return None;
        }
        let window = self.octets.get(byte..byte + 8)?.first_chunk::<8>()?;
        Some(u64::from_be_bytes(*window) << (self.at & 7))
    }

    /// The next bits, at least 57 of them, left-aligned. They are not consumed: see
    /// [`Reader::advance`]. Past the input's end they are zero.
    #[inline(always)]
    #[must_use]
    pub fn window(&self) -> u64 {
        let byte = self.at >> 3;
        let word = match self.octets.get(byte..byte + 8).and_then(|window| window.first_chunk::<8>()) {
            Some(window) => u64::from_be_bytes(*window),
            None => words::near_end(self.octets, byte),
        };
        word << (self.at & 7)
    }

    /// Advances by `bits` without a check. Call [`Reader::within`] to check, before any method
    /// other than [`Reader::window`] and this one.
    #[inline(always)]
    pub fn advance(&mut self, bits: usize) {
        self.at += bits;
    }

    /// Checks that the reader has not been advanced past the end.
    ///
    /// # Errors
    /// It has been.
    #[inline(always)]
    pub fn within(&self) -> Result<(), Rejected> {
        if self.at <= self.end { Ok(()) } else { Err(Rejected) }
    }

    /// Reads one bit.
    ///
    /// # Errors
    /// Past the end.
    #[inline]
    pub fn take_bit(&mut self) -> Result<bool, Rejected> {
        Ok(self.take(1)? == 1)
    }

    /// Fills whole octets from the next `into.len() * 8` bits.
    ///
    /// # Errors
    /// Past the end; `into` is then untouched.
    pub fn take_octets(&mut self, into: &mut [u8]) -> Result<(), Rejected> {
        self.take_bits(into, into.len() * 8)
    }

    /// Borrows the next `count` octets.
    ///
    /// # Errors
    /// Past the end, or not at an octet border.
    #[inline]
    pub fn take_slice(&mut self, count: usize) -> Result<&'a [u8], Rejected> {
        if self.at % 8 != 0 || count > self.remaining() / 8 {
            return Err(Rejected);
        }
        let from = self.at / 8;
        self.at += count * 8;
        self.octets.get(from..from + count).ok_or(Rejected)
    }

    /// Fills octets from the next `bits` bits, first bit most significant, unused bits zero.
    /// `into` must hold `bits.div_ceil(8)` octets.
    ///
    /// # Errors
    /// Past the end; `into` is then untouched.
    pub fn take_bits(&mut self, into: &mut [u8], bits: usize) -> Result<(), Rejected> {
        self.need(bits)?;
        let (whole, rest) = (bits / 8, (bits % 8) as u32);
        let Some((head, tail)) = into.split_at_mut_checked(whole) else { return Err(Rejected) };
        let here = self.octets.get(self.at / 8..).and_then(|rest| rest.get(..head.len()));
        if let (0, Some(here)) = (self.at % 8, here) {
            head.copy_from_slice(here);
            self.at += whole * 8;
        } else {
            let mut chunks = head.chunks_exact_mut(8);
            for chunk in &mut chunks {
                if let Some(chunk) = chunk.first_chunk_mut::<8>() {
                    self.take_array(chunk)?;
                }
            }
            for octet in chunks.into_remainder() {
                #[allow(clippy::cast_possible_truncation)]
                {
                    *octet = self.take(8)? as u8;
                }
            }
        }
        if let (Some(last), 1..) = (tail.first_mut(), rest) {
            #[allow(clippy::cast_possible_truncation)]
            {
                *last = (self.take(rest)? << (8 - rest)) as u8;
            }
        }
        Ok(())
    }

    /// Checks that `bits` more bits are left.
    ///
    /// # Errors
    /// Past the end.
    #[inline]
    pub fn need(&self, bits: usize) -> Result<(), Rejected> {
        if self.remaining() >= bits { Ok(()) } else { Err(Rejected) }
    }

    /// The bit at `position`, which must have been read or skipped.
    #[inline]
    #[must_use]
    pub fn bit_at(&self, position: usize) -> bool {
        self.octets.get(position / 8).is_some_and(|octet| octet >> (7 - position % 8) & 1 == 1)
    }

    /// Skips `bits` bits.
    ///
    /// # Errors
    /// Past the end.
    #[inline]
    pub fn skip(&mut self, bits: usize) -> Result<(), Rejected> {
        self.need(bits)?;
        self.at += bits;
        Ok(())
    }

    /// Skips to the next octet border, counted from the start of the input.
    ///
    /// # Errors
    /// Past the end.
    #[inline]
    pub fn align(&mut self) -> Result<(), Rejected> {
        self.skip(self.at.wrapping_neg() % 8)
    }

    /// Restricts reading to the next `bits` bits, and returns the outer end, to be given to
    /// [`Reader::leave`].
    ///
    /// # Errors
    /// Past the end.
    pub fn enter(&mut self, bits: usize) -> Result<usize, Rejected> {
        self.need(bits)?;
        let outer = self.end;
        self.end = self.at + bits;
        Ok(outer)
    }

    /// Skips the rest of the part that [`Reader::enter`] began, and lifts its restriction.
    pub fn leave(&mut self, outer: usize) {
        self.at = self.end;
        self.end = outer;
    }
}

/// The unsigned number of `bits` (up to 64) bits at bit `at` of `head`.
#[inline(always)]
#[must_use]
pub fn read_at<const N: usize>(head: &[u8; N], at: usize, bits: u32) -> u64 {
    let wide = u128::from(window(head, at / 8)) << 64 | u128::from(window(head, at / 8 + 8));
    (wide << (at % 8) >> (128 - bits)) as u64
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::Reader;

    #[test]
    fn a_window_has_the_next_bits_and_zeros_behind_the_end() {
        let octets: Vec<u8> = (0..40u32).map(|at| (at * 37 + 201) as u8).collect();
        for length in [0, 1, 7, 8, 9, 40] {
            let octets = &octets[..length];
            let bit = |at: usize| octets.get(at / 8).map_or(0, |octet| u64::from(octet >> (7 - at % 8) & 1));
            for at in 0..length * 8 + 70 {
                let mut reader = Reader::new(octets);
                reader.advance(at);
                let expected = (at..at + 57).fold(0, |word, at| word << 1 | bit(at));
                assert_eq!(reader.window() >> 7, expected, "bit {at} of {length} octets");
                assert_eq!(reader.within().is_ok(), at <= length * 8);
            }
        }
    }

    #[test]
    fn bits_are_the_same_wherever_the_end_is() {
        let octets: Vec<u8> = (0..40u32).map(|at| (at * 37 + 11) as u8).collect();
        let bit = |at: usize| u64::from(octets[at / 8] >> (7 - at % 8) & 1);
        for length in [1, 3, 7, 8, 9, 20, 40] {
            for at in 0..length * 8 {
                for bits in [1, 5, 8, 31, 57].into_iter().filter(|bits| at + bits <= length * 8) {
                    let expected = (at..at + bits).fold(0, |word, at| word << 1 | bit(at));
                    let mut reader = Reader::new(&octets[..length]);
                    reader.skip(at).unwrap();
                    assert_eq!(reader.take(bits as u32), Ok(expected), "{bits} bits at {at} of {length} octets");
                    // The same inside an open type that ends right after them, far from the input's
                    // end.
                    let mut reader = Reader::new(&octets);
                    reader.skip(at).unwrap();
                    let outer = reader.enter(bits).unwrap();
                    assert_eq!(reader.take(bits as u32), Ok(expected), "{bits} bits at {at} inside an open type");
                    assert!(reader.take(1).is_err());
                    reader.leave(outer);
                }
            }
        }
    }
}
