//! Bit strings in memory.

use alloc::vec::Vec;

use crate::data::{Data, Scalar, Shape};

/// A bit string of up to 64 bits in one word: the first bit is the most significant of the `bits` lowest bits of `value`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BitWord {
    /// The bits, right-aligned; those above `bits` are zero.
    pub value: u64,
    /// How many there are, 0..=64.
    pub bits: u8,
}

impl BitWord {
    /// The first `bits` bits of `octets`. `None` above 64 bits or past the octets' end.
    #[must_use]
    pub fn from_octets(octets: &[u8], bits: usize) -> Option<Self> {
        if bits > 64 || octets.len() * 8 < bits {
            return None;
        }
        let mut value = 0u64;
        for at in 0..bits {
            value = value << 1 | u64::from(octets[at / 8] >> (7 - at % 8) & 1);
        }
        Some(BitWord { value, bits: u8::try_from(bits).ok()? })
    }

    /// The bits left-aligned in eight octets, as they lie in memory and on the wire.
    #[must_use]
    pub fn to_octets(self) -> [u8; 8] {
        match self.bits {
            0 => [0; 8],
            bits => (self.value << (64 - u32::from(bits.min(64)))).to_be_bytes(),
        }
    }

    /// The bits, with those above `bits` zero whatever `value` holds there.
    #[inline]
    #[must_use]
    pub const fn masked(self) -> u64 {
        if self.bits < 64 { self.value & ((1 << self.bits) - 1) } else { self.value }
    }

    /// Bit `index`, counted from the first; `false` past the end.
    #[must_use]
    pub const fn get(self, index: u8) -> bool {
        index < self.bits && self.value >> (self.bits - 1 - index) & 1 == 1
    }
}

crate::elements!(BitWord, BitString);

impl Data for BitWord {
    fn scalar(&self) -> Scalar<'_> {
        Scalar::Word(*self)
    }
    fn set(&mut self, scalar: Scalar<'_>) -> bool {
        match scalar {
            Scalar::Word(word) => {
                *self = word;
                true
            }
            _ => false,
        }
    }
}

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
        let mut octets = octets.get(..bits.div_ceil(8))?.to_vec();
        if let (Some(last), unused @ 1..) = (octets.last_mut(), octets_unused(bits)) {
            *last &= 0xff << unused;
        }
        Some(BitString { octets, bits })
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
