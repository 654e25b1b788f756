//! Fixed runs of bits in 64-bit words, most significant bit first.
//!
//! Position and width are constants at every call, so after inlining each call is one or two shifts
//! and the words stay in registers.

/// Writes fields one after another; the words are zero at the start.
pub(super) struct Pack<const N: usize> {
    pub(super) words: [u64; N],
    at: usize,
}

impl<const N: usize> Pack<N> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Pack { words: [0; N], at: 0 }
    }

    /// Writes the low `width` bits (1..=64) of `value`, which has no others set.
    #[inline(always)]
    pub(super) fn put(&mut self, width: usize, value: u64) {
        let (word, bit) = (self.at / 64, self.at % 64);
        if bit + width <= 64 {
            self.words[word] |= value << (64 - bit - width);
        } else {
            let low = bit + width - 64;
            self.words[word] |= value >> low;
            self.words[word + 1] |= value << (64 - low);
        }
        self.at += width;
    }
}

/// Reads fields one after another.
pub(super) struct Unpack<const N: usize> {
    pub(super) words: [u64; N],
    at: usize,
}

impl<const N: usize> Unpack<N> {
    #[inline(always)]
    pub(super) fn new(words: [u64; N]) -> Self {
        Unpack { words, at: 0 }
    }

    /// Reads `width` bits (1..=63).
    #[inline(always)]
    pub(super) fn get(&mut self, width: usize) -> u64 {
        let (word, bit) = (self.at / 64, self.at % 64);
        self.at += width;
        let mask = (1u64 << width) - 1;
        if bit + width <= 64 {
            (self.words[word] >> (64 - bit - width)) & mask
        } else {
            let low = bit + width - 64;
            ((self.words[word] << low) | (self.words[word + 1] >> (64 - low))) & mask
        }
    }
}
