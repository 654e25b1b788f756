//! Bit strings in memory.

use roadwire_wire::Scalar;

/// The octets and the number of bits of a bit string. If it is a single word, its octets are stored
/// in `word`.
pub(crate) fn bits_of<'s>(scalar: Scalar<'s>, word: &'s mut [u8; 8]) -> Option<(&'s [u8], usize)> {
    match scalar {
        Scalar::Bits(octets, bits) if bits.div_ceil(8) <= octets.len() => Some((octets, bits)),
        Scalar::Word(of) => {
            *word = of.to_octets();
            Some((word, usize::from(of.bits)))
        }
        _ => None,
    }
}

/// Whether bit `at` exists and is 1.
pub(crate) fn is_one(octets: &[u8], at: usize) -> bool {
    octets.get(at / 8).is_some_and(|octet| octet >> (7 - at % 8) & 1 == 1)
}

/// The length of a bit string without trailing zeros, which have no meaning in named bits (X.680
/// §22.7).
pub(crate) fn without_zeros(octets: &[u8], bits: usize) -> usize {
    (0..bits.min(octets.len() * 8)).rev().find(|at| is_one(octets, *at)).map_or(0, |last| last + 1)
}
