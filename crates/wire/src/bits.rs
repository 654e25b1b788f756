//! Bit strings in memory.

#[cfg(feature = "alloc")]
mod string;

#[cfg(feature = "alloc")]
pub use self::string::BitString;

/// How many bits there are without the zero bits at the end.
pub(crate) fn without_zeros(octets: &[u8]) -> usize {
    match octets.iter().rposition(|octet| *octet != 0) {
        Some(last) => last * 8 + 8 - octets.get(last).map_or(0, |octet| octet.trailing_zeros() as usize),
        None => 0,
    }
}

/// A bit string of up to 64 bits in one word: the first bit is the most significant of the `bits`
/// lowest bits of `value`.
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
        let mut word = [0; 8];
        let octets = octets.get(..bits.div_ceil(8))?;
        word.get_mut(..octets.len())?.copy_from_slice(octets);
        let value = u64::from_be_bytes(word).checked_shr(64 - bits as u32).unwrap_or(0);
        Some(BitWord { value, bits: bits as u8 })
    }

    /// The bits left-aligned in eight octets, as they lie in memory and on the wire.
    #[must_use]
    pub fn to_octets(self) -> [u8; 8] {
        match self.bits {
            0 => [0; 8],
            bits => (self.value << (64 - u32::from(bits.min(64)))).to_be_bytes(),
        }
    }

    /// Whether it has the same bits, without zero bits at the end: these have no meaning in named
    /// bits (X.680 §22.7).
    #[must_use]
    pub fn is_alike(&self, other: &Self) -> bool {
        self.to_octets() == other.to_octets()
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
