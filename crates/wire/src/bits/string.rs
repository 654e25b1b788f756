//! Bit strings of any length.

use alloc::vec::Vec;

use crate::bits::BitWord;
use crate::data::{Data, Scalar, Shape};

/// A bit string of any length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitString {
    octets: Vec<u8>,
    bits: usize,
}

impl BitString {
    /// The first `bits` bits of `octets`. `None` past the octets' end.
    #[must_use]
    pub fn new(octets: &[u8], bits: usize) -> Option<Self> {
        let mut string = BitString::default();
        string.set_bits(octets, bits).then_some(string)
    }

    /// How many bits there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bits
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bits == 0
    }

    /// The same bits as a word; `None` above 64.
    #[must_use]
    pub fn to_word(&self) -> Option<BitWord> {
        BitWord::from_octets(&self.octets, self.bits)
    }

    /// Makes it hold the first `bits` bits of `octets`. `false` past the octets' end; it is then unchanged.
    pub fn set_bits(&mut self, octets: &[u8], bits: usize) -> bool {
        let Some(octets) = octets.get(..bits.div_ceil(8)) else { return false };
        self.bits = bits;
        self.octets.clear();
        self.octets.extend_from_slice(octets);
        if let (Some(last), unused @ 1..) = (self.octets.last_mut(), octets_unused(bits)) {
            *last &= 0xff << unused;
        }
        true
    }

    /// Makes it hold the bits of a word.
    pub fn set_word(&mut self, word: BitWord) {
        self.set_bits(&word.to_octets(), usize::from(word.bits.min(64)));
    }

    /// The bits, first bit most significant; unused bits of the last octet are zero.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }
}

const fn octets_unused(bits: usize) -> u32 {
    match bits % 8 {
        0 => 0,
        used => 8 - used as u32,
    }
}

crate::elements!(BitString);

impl Data for BitString {
    fn scalar(&self) -> Scalar<'_> {
        Scalar::Bits(&self.octets, self.bits)
    }
    fn begin(&mut self, shape: Shape) -> bool {
        self.octets.clear();
        self.bits = 0;
        shape == Shape::Bits
    }
    fn extend_bits(&mut self, count: usize) -> Option<&mut [u8]> {
        if self.bits % 8 != 0 {
            return None;
        }
        let start = self.octets.len();
        self.bits += count;
        self.octets.resize(start + count.div_ceil(8), 0);
        self.octets.get_mut(start..)
    }
}
