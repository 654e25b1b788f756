//! Bit strings of any length.

use alloc::vec::Vec;

use crate::bits::BitWord;
use crate::data::{Data, Scalar, Shape};

/// A bit string of any length, on the heap beyond 64 bits.
#[derive(Clone, Debug, Default)]
pub struct BitString {
    octets: Held,
    bits: usize,
}

#[derive(Clone, Debug)]
enum Held {
    /// Those past the end are zero.
    Few([u8; 8]),
    Many(Vec<u8>),
}

impl Default for Held {
    fn default() -> Self {
        Held::Few([0; 8])
    }
}

impl Held {
    /// Room for `octets` octets: those before, and zeros.
    fn resize(&mut self, octets: usize) -> &mut [u8] {
        if let (Held::Few(few), 9..) = (&*self, octets) {
            let mut many = Vec::with_capacity(octets);
            many.extend_from_slice(few);
            *self = Held::Many(many);
        }
        match self {
            Held::Few(few) => few.get_mut(..octets).unwrap_or_default(),
            Held::Many(many) => {
                many.resize(octets, 0);
                many
            }
        }
    }

    fn clear(&mut self) {
        match self {
            Held::Few(few) => *few = [0; 8],
            Held::Many(many) => many.clear(),
        }
    }
}

impl PartialEq for BitString {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits && self.octets() == other.octets()
    }
}

impl Eq for BitString {}

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
        BitWord::from_octets(self.octets(), self.bits)
    }

    /// Whether it has the same bits, without zero bits at the end: these have no meaning in named
    /// bits (X.680 §22.7).
    #[must_use]
    pub fn is_alike(&self, other: &Self) -> bool {
        let (short, long) = match self.bits < other.bits {
            true => (self.octets(), other.octets()),
            false => (other.octets(), self.octets()),
        };
        let is_zero = |rest: &[u8]| rest.iter().all(|octet| *octet == 0);
        long.split_at_checked(short.len()).is_some_and(|(same, rest)| same == short && is_zero(rest))
    }

    /// Makes it hold the first `bits` bits of `octets`. `false` past the octets' end; it is then
    /// unchanged.
    pub fn set_bits(&mut self, octets: &[u8], bits: usize) -> bool {
        let Some(octets) = octets.get(..bits.div_ceil(8)) else { return false };
        self.octets.clear();
        self.bits = bits;
        let place = self.octets.resize(octets.len());
        place.copy_from_slice(octets);
        if let (Some(last), unused @ 1..) = (place.last_mut(), octets_unused(bits)) {
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
        match &self.octets {
            Held::Few(few) => few.get(..self.bits.div_ceil(8)).unwrap_or_default(),
            Held::Many(many) => many,
        }
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
        Scalar::Bits(self.octets(), self.bits)
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
        let start = self.bits / 8;
        self.bits += count;
        self.octets.resize(self.bits.div_ceil(8)).get_mut(start..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Few bits, many, and few again: what was there before is gone.
    #[test]
    fn strings_grow_and_shrink() {
        let mut string = BitString::default();
        for bits in [0, 1, 8, 13, 64, 65, 200, 3, 0, 64] {
            let octets = alloc::vec![0xff; bits / 8 + 1];
            assert!(string.set_bits(&octets, bits));
            assert_eq!((string.len(), string.octets().len()), (bits, bits.div_ceil(8)));
            assert_eq!(BitString::new(&octets, bits), Some(string.clone()));
            assert!(string.begin(Shape::Bits));
            assert!(string.is_empty() && string.octets().is_empty());
            for part in 0..bits.div_ceil(24) {
                let count = (bits - part * 24).min(24);
                let place = string.extend_bits(count).unwrap();
                assert!(place.iter().all(|octet| *octet == 0));
                place.fill(0xaa);
            }
            assert_eq!(string.len(), bits);
            assert!(string.octets().iter().all(|octet| *octet == 0xaa));
        }
        assert_eq!(size_of::<BitString>(), 32);
    }
}
