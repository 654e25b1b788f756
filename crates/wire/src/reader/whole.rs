//! Reads whole octets, in encodings that have nothing else.

use super::Reader;
use crate::error::Rejected;
use crate::rt::words;

impl Reader<'_> {
    /// Reads an unsigned number of `bits` bits, a multiple of 8 from 8 to 64. The reader is at an
    /// octet border.
    ///
    /// # Errors
    /// Past the end.
    #[inline(always)]
    pub fn take_whole(&mut self, bits: u32) -> Result<u64, Rejected> {
        debug_assert!(self.at % 8 == 0 && bits % 8 == 0 && (8..=64).contains(&bits));
        let word = match self.whole_word() {
            Some(word) => word,
            None => {
                self.need(bits as usize)?;
                words::near_end(self.octets, self.at / 8)
            }
        };
        self.at += bits as usize;
        Ok(word >> (64 - bits))
    }

    /// The next eight octets, if that many are left.
    #[inline(always)]
    fn whole_word(&self) -> Option<u64> {
        if self.at + 64 > self.end {
            return None;
        }
        let byte = self.at / 8;
        let eight = self.octets.get(byte..byte + 8)?.first_chunk::<8>()?;
        Some(u64::from_be_bytes(*eight))
    }

    /// Reads a length octet and the octets that follow it: how many, and the octets as the high end
    /// of a word. `None`, with nothing read, unless they are one to seven and eight octets are
    /// left. The reader is at an octet border.
    #[inline(always)]
    pub(crate) fn take_few(&mut self) -> Option<(u32, u64)> {
        let word = self.whole_word()?;
        let octets = (word >> 56) as u32;
        if !(1..=7).contains(&octets) {
            return None;
        }
        self.at += octets as usize * 8 + 8;
        Some((octets, word << 8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_octets_are_read_up_to_the_last() {
        let octets: [u8; 40] = core::array::from_fn(|at| (at * 37 + 201) as u8);
        for length in 0..=40 {
            for at in 0..=length {
                let left = length - at;
                let reader = Reader { at: at * 8, ..Reader::new(&octets[..length]) };
                for count in 1..=8 {
                    let expected = octets[at..].iter().take(count).fold(0, |word, octet| word << 8 | u64::from(*octet));
                    let read = { reader }.take_whole(count as u32 * 8);
                    assert_eq!(
                        read,
                        if count <= left { Ok(expected) } else { Err(Rejected) },
                        "{count} at {at} of {length}"
                    );
                }
            }
        }
    }
}
