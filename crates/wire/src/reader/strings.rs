//! Octet strings read in whole words, at any bit of an octet: those of a length known at compile
//! time, and short ones.

use super::{Reader, SHORT};
use crate::error::Rejected;
use crate::inline::InlineOctets;

impl Reader<'_> {
    /// Reads `N` octets.
    ///
    /// # Errors
    /// Past the end.
    #[inline(always)]
    pub fn take_array<const N: usize>(&mut self, into: &mut [u8; N]) -> Result<(), Rejected> {
        self.need(N * 8)?;
        let words = N / 8 * 8;
        let (byte, shift) = (self.at / 8, self.at % 8);
        let from = self.octets.get(byte..byte + words).ok_or(Rejected)?;
        // Only needed if `shift` is not 0; then it exists.
        let behind = u64::from(self.octets.get(byte + words).copied().unwrap_or(0)) << 56;
        let mut word = from.first_chunk::<8>().map_or(behind, |word| u64::from_be_bytes(*word));
        for (at, place) in into.chunks_exact_mut(8).enumerate() {
            let next = from.get(at * 8 + 8..).and_then(|rest| rest.first_chunk::<8>());
            let next = next.map_or(behind, |next| u64::from_be_bytes(*next));
            place.copy_from_slice(&shifted(word, next, shift).to_be_bytes());
            word = next;
        }
        self.at += words * 8;
        match into.get_mut(words..) {
            Some(rest @ [_, ..]) => self.apart(|reader| reader.take_octets(rest)),
            _ => Ok(()),
        }
    }

    /// Reads `count` octets.
    ///
    /// # Errors
    /// Past the end; more than there is room for.
    #[inline(always)]
    pub fn take_inline<const N: usize>(&mut self, count: usize, into: &mut InlineOctets<N>) -> Result<(), Rejected> {
        into.set_length(count)?;
        let (byte, shift) = (self.at / 8, self.at % 8);
        let Some(from) = self.octets.get(byte..byte + N + 9).filter(|_| N <= SHORT) else {
            return self.apart(|reader| reader.take_octets(into));
        };
        self.skip(count * 8)?;
        let mut at = 0;
        while at < count {
            let Some(nine) = from.get(at..).and_then(|rest| rest.first_chunk::<9>()) else {
                return Err(Rejected);
            };
            let [word @ .., behind] = *nine;
            into.set_word(at, shifted(u64::from_be_bytes(word), u64::from(behind) << 56, shift).to_be_bytes());
            at += 8;
        }
        Ok(())
    }
}

/// The first 64 bits of `word` and `next` from bit `shift` (0..=7) on.
#[inline(always)]
fn shifted(word: u64, next: u64, shift: usize) -> u64 {
    ((u128::from(word) << 64 | u128::from(next)) << shift >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_the_same_at_every_bit() {
        let octets: [u8; 40] = core::array::from_fn(|at| (at * 37 + 201) as u8);
        for length in 0..=40 {
            for at in 0..length * 8 {
                let reader = || {
                    let mut reader = Reader::new(&octets[..length]);
                    reader.skip(at).map(|()| reader)
                };
                let expected = |count: usize| {
                    let mut into = [0; 21];
                    let mut reader = reader()?;
                    reader.take_bits(&mut into[..count], count * 8).map(|()| (into, reader.position()))
                };
                let array = reader().and_then(|mut reader| {
                    let mut all = [0; 21];
                    reader.take_array(&mut all).map(|()| (all, reader.position()))
                });
                assert_eq!(array, expected(21), "{at} of {length}");
                for count in 0..=21 {
                    let mut into = InlineOctets::<21>::of([9; 21]);
                    let read = reader()
                        .and_then(|mut reader| reader.take_inline(count, &mut into).map(|()| reader.position()));
                    assert_eq!(read, expected(count).map(|all| all.1), "{count} at {at} of {length}");
                    if let Ok((all, _)) = expected(count) {
                        assert_eq!(*into, all[..count]);
                    }
                }
                let mut into = InlineOctets::<2>::new();
                assert!(reader().and_then(|mut reader| reader.take_inline(3, &mut into)).is_err());
            }
        }
    }
}
