//! Octet strings written in whole words, at any bit of an octet: those of a length known at compile
//! time, and short ones.

use super::Writer;
use crate::error::Rejected;
use crate::inline::InlineOctets;
use crate::reader::SHORT;
use crate::rt::words;

impl Writer<'_> {
    /// Writes `N` octets.
    ///
    /// # Errors
    /// The output is full.
    #[inline(always)]
    pub fn put_array<const N: usize>(&mut self, octets: &[u8; N]) -> Result<(), Rejected> {
        let words = N / 8 * 8;
        let Some(place) = self.output.get_mut(self.stored..).and_then(|rest| rest.first_chunk_mut::<N>()) else {
            return self.apart(|writer| writer.put_octets(octets));
        };
        // The words are stored shifted, as if the waiting bits preceded the first.
        let mut before = self.waiting;
        let mut at = 0;
        while at < words {
            let word = octets.get(at..).and_then(|rest| rest.first_chunk::<8>());
            let place = place.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<8>());
            if let (Some(word), Some(place)) = (word, place) {
                let word = u64::from_be_bytes(*word);
                *place = shifted(before, word, self.fill).to_be_bytes();
                before = word;
            }
            at += 8;
        }
        self.stored += words;
        self.waiting = before;
        let rest = octets.split_at(words).1;
        if rest.is_empty() {
            return Ok(());
        }
        self.put(number(rest), rest.len() as u32 * 8)
    }

    /// Writes a string of any length.
    ///
    /// # Errors
    /// The output is full.
    #[inline(always)]
    pub fn put_inline<const N: usize>(&mut self, octets: &InlineOctets<N>) -> Result<(), Rejected> {
        if N > SHORT || self.output.len() < self.stored + N + 16 {
            return self.apart(|writer| writer.put_octets(octets));
        }
        // Stores the waiting bits that are whole octets, so that the number of waiting bits does
        // not depend on a string's length.
        let word = self.waiting << 1 << (63 - self.fill);
        self.stored = words::put(self.output, self.stored, word.to_be_bytes(), (self.fill / 8) as usize)?;
        self.fill %= 8;
        let mut at = 0;
        loop {
            // A word holds the waiting bits and seven octets.
            let now = (octets.len() - at).min(7) as u32;
            let word = octets.word(at) >> 8 >> (56 - now * 8);
            self.waiting = self.waiting << (now * 8) | word;
            let bits = self.fill + now * 8;
            let word = self.waiting << 1 << (63 - bits);
            self.stored = words::put(self.output, self.stored, word.to_be_bytes(), now as usize)?;
            at += 7;
            if at >= octets.len() {
                return Ok(());
            }
        }
    }
}

/// The first 64 bits of: the last `fill` (0..=63) bits of `before`, then those of `word`.
#[inline(always)]
fn shifted(before: u64, word: u64, fill: u32) -> u64 {
    ((u128::from(before) << 64 | u128::from(word)) >> fill) as u64
}

/// Up to seven octets as a number.
fn number(octets: &[u8]) -> u64 {
    octets.iter().fold(0, |word, octet| word << 8 | u64::from(*octet))
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    /// The functions for strings write the same as writing bit by bit, at every bit of a word and
    /// for every size of the output.
    #[test]
    fn strings_are_the_same_at_every_bit() {
        let octets: [u8; 21] = core::array::from_fn(|at| (at * 37 + 201) as u8);
        for fill in 0..64 {
            for room in [12, 20, 29, 30, 31, 40, 64] {
                let both = |string: &dyn Fn(&mut Writer<'_>) -> Result<(), Rejected>| {
                    let mut output = vec![0; room];
                    let mut writer = Writer::new(&mut output);
                    for at in 0..fill {
                        writer.put(u64::from(at % 3 == 0), 1).unwrap();
                    }
                    string(&mut writer).and_then(|()| writer.put(5, 3)).and_then(|()| writer.finish()).map(|n| {
                        output.truncate(n);
                        output
                    })
                };
                let bits = |count: usize| both(&|writer| writer.put_bits(&octets, count * 8));
                assert_eq!(both(&|writer| writer.put_array(&octets)), bits(21), "{fill} {room}");
                assert_eq!(both(&|writer| writer.put_array(&[1; 8])), both(&|writer| writer.put_bits(&[1; 8], 64)));
                for length in 0..=21 {
                    let mut inline = InlineOctets::<21>::try_from(&octets[..]).unwrap();
                    inline.clear();
                    inline.try_extend_from_slice(&octets[..length]).unwrap();
                    assert_eq!(both(&|writer| writer.put_inline(&inline)), bits(length), "{fill} {room} {length}");
                }
            }
        }
    }
}
