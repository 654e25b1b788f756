//! Digits of numbers and octets.

use crate::error::Rejected;

/// The numbers below 100, two digits each.
pub(crate) static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut at = 0;
    while at < 100 {
        pairs[at] = [b'0' + (at / 10) as u8, b'0' + (at % 10) as u8];
        at += 1;
    }
    pairs
};

pub(crate) const HEXADECIMAL: &[u8; 16] = b"0123456789ABCDEF";

/// An octet as two hexadecimal digits.
#[inline]
#[must_use]
pub const fn octet_of(octet: u8) -> [u8; 2] {
    [HEXADECIMAL[(octet >> 4) as usize], HEXADECIMAL[(octet & 15) as usize]]
}

/// Fills octets from hexadecimal digits.
///
/// # Errors
/// They are not hexadecimal digits, or not two for each octet.
#[inline]
pub fn fill(digits: &[u8], octets: &mut [u8]) -> Result<(), Rejected> {
    if digits.len() != octets.len() * 2 {
        return Err(Rejected);
    }
    let mut wrong = 0;
    for (octet, pair) in octets.iter_mut().zip(digits.chunks_exact(2)) {
        let (high, low) = (NIBBLES[usize::from(pair[0])], NIBBLES[usize::from(pair[1])]);
        wrong |= high | low;
        *octet = high << 4 | low & 15;
    }
    if wrong & 0xf0 == 0 { Ok(()) } else { Err(Rejected) }
}

/// The value of each octet as a hexadecimal digit; 255 if it is not one.
static NIBBLES: [u8; 256] = {
    let mut table = [255; 256];
    let mut digit = 0;
    while digit < 10 {
        table[b'0' as usize + digit] = digit as u8;
        digit += 1;
    }
    let mut digit = 0;
    while digit < 6 {
        table[b'a' as usize + digit] = 10 + digit as u8;
        table[b'A' as usize + digit] = 10 + digit as u8;
        digit += 1;
    }
    table
};
