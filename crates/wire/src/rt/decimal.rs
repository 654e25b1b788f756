//! Whole numbers as decimal digits.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::rt::text::digits::PAIRS;

/// Wider numbers are refused in decimal text: conversion time is quadratic in the length, so a
/// number of one megabyte would take minutes.
pub const MAX_OCTETS: usize = 4096;
/// The most digits that a number of [`MAX_OCTETS`] may have.
pub const MAX_DIGITS: usize = 9864;

/// The decimal digits of a number of up to 128 bits.
#[derive(Clone, Copy, Debug)]
pub struct Decimal {
    digits: [u8; 40],
    start: u8,
}

impl Decimal {
    /// The digits of a number.
    #[must_use]
    pub fn of(value: i128) -> Self {
        let mut this = Decimal { digits: [0; 40], start: 40 };
        let mut left = value.unsigned_abs();
        // A 128-bit division is a function call; most numbers need none.
        while left > u128::from(u64::MAX) {
            let part = (left % 10_000_000_000_000_000_000) as u64;
            left /= 10_000_000_000_000_000_000;
            let end = this.start;
            this.push(part);
            while end - this.start < 19 {
                this.put(b'0');
            }
        }
        this.push(left as u64);
        if value < 0 {
            this.put(b'-');
        }
        this
    }

    /// The digits, after a minus sign if the number is negative.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        self.digits.get(usize::from(self.start)..).unwrap_or(&[])
    }

    fn push(&mut self, mut value: u64) {
        while value >= 100 {
            let [tens, ones] = PAIRS[(value % 100) as usize];
            value /= 100;
            self.put(ones);
            self.put(tens);
        }
        let [tens, ones] = PAIRS[value as usize];
        self.put(ones);
        if value >= 10 {
            self.put(tens);
        }
    }

    fn put(&mut self, digit: u8) {
        self.start = self.start.saturating_sub(1);
        if let Some(place) = self.digits.get_mut(usize::from(self.start)) {
            *place = digit;
        }
    }
}

/// A number from its digits, optionally after a minus sign; `None` beyond 128 bits.
#[inline]
#[must_use]
pub fn parse_integer(digits: &[u8]) -> Option<i128> {
    let (negative, digits) = match digits {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, digits),
    };
    if digits.len() <= 18 {
        let value = digits.iter().fold(0i64, |value, digit| value * 10 + i64::from(digit & 15));
        return Some(i128::from(if negative { -value } else { value }));
    }
    let mut value = 0i128;
    for digit in digits {
        let digit = i128::from(digit & 15);
        let next = value.checked_mul(10)?;
        value = if negative { next.checked_sub(digit)? } else { next.checked_add(digit)? };
    }
    Some(value)
}

/// A number from its digits, optionally after a minus sign, as the shortest two's complement
/// octets; `None` beyond [`MAX_OCTETS`].
#[cfg(feature = "alloc")]
#[must_use]
pub fn parse_wide(digits: &[u8]) -> Option<Vec<u8>> {
    let (negative, digits) = match digits {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, digits),
    };
    if digits.len() > MAX_DIGITS {
        return None;
    }
    // Least significant first, in base 2^32.
    let mut limbs: Vec<u32> = Vec::with_capacity(digits.len() / 9 + 2);
    let (head, tail) = digits.split_at(digits.len() % 9);
    for chunk in core::iter::once(head).chain(tail.chunks(9)) {
        let mut carry = chunk.iter().fold(0u64, |value, digit| value * 10 + u64::from(digit & 15));
        let scale = 10u64.pow(chunk.len() as u32);
        for limb in &mut limbs {
            let sum = u64::from(*limb) * scale + carry;
            *limb = sum as u32;
            carry = sum >> 32;
        }
        if carry > 0 {
            limbs.push(carry as u32);
        }
    }
    // One limb more has room for the sign.
    limbs.push(0);
    if negative {
        let mut carry = true;
        for limb in &mut limbs {
            (*limb, carry) = (!*limb).overflowing_add(u32::from(carry));
        }
    }
    let mut octets: Vec<u8> = limbs.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect();
    let is_redundant = |pair: &&[u8]| {
        matches!(pair, [0x00, second] if second & 0x80 == 0) || matches!(pair, [0xff, second] if second & 0x80 != 0)
    };
    let redundant = octets.windows(2).take_while(is_redundant).count();
    octets.drain(..redundant);
    (octets.len() <= MAX_OCTETS).then_some(octets)
}

/// The digits of a two's complement number; `None` beyond [`MAX_OCTETS`].
#[cfg(feature = "alloc")]
#[must_use]
pub fn wide_digits(octets: &[u8]) -> Option<Vec<u8>> {
    if octets.len() > MAX_OCTETS {
        return None;
    }
    let negative = octets.first().is_some_and(|first| first & 0x80 != 0);
    let fill = if negative { 0xff } else { 0 };
    // Most significant first, in base 2^32, without its sign.
    let padding = (4 - octets.len() % 4) % 4;
    let padded: Vec<u8> = core::iter::repeat_n(fill, padding).chain(octets.iter().copied()).collect();
    let mut limbs: Vec<u32> =
        padded.chunks_exact(4).map(|four| four.iter().fold(0, |limb, octet| limb << 8 | u32::from(*octet))).collect();
    if negative {
        let mut carry = true;
        for limb in limbs.iter_mut().rev() {
            (*limb, carry) = (!*limb).overflowing_add(u32::from(carry));
        }
        if carry {
            limbs.insert(0, 1);
        }
    }
    let mut digits = Vec::new();
    let mut from = 0;
    while from < limbs.len() {
        let mut rest = 0u64;
        for limb in limbs.iter_mut().skip(from) {
            let value = rest << 32 | u64::from(*limb);
            *limb = (value / 1_000_000_000) as u32;
            rest = value % 1_000_000_000;
        }
        while limbs.get(from) == Some(&0) {
            from += 1;
        }
        for _ in 0..9 {
            digits.push(b'0' + (rest % 10) as u8);
            rest /= 10;
        }
    }
    while digits.len() > 1 && digits.last() == Some(&b'0') {
        digits.pop();
    }
    if digits.is_empty() {
        digits.push(b'0');
    }
    if negative {
        digits.push(b'-');
    }
    digits.reverse();
    Some(digits)
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::*;
    use crate::rt::TwosComplement;

    #[test]
    fn numbers_there_and_back() {
        let mut numbers = alloc::vec![0i128, 1, -1, 9, 10, 99, 100, 101, -100, i128::MIN, i128::MAX];
        for bits in 1..127 {
            for delta in -1..=1 {
                numbers.extend([(1i128 << bits) + delta, -(1i128 << bits) + delta]);
            }
        }
        for power in 1..39 {
            numbers.extend([10i128.pow(power), 10i128.pow(power) - 1, -10i128.pow(power)]);
        }
        for number in numbers {
            let text = number.to_string();
            assert_eq!(Decimal::of(number).octets(), text.as_bytes());
            assert_eq!(parse_integer(text.as_bytes()), Some(number), "{text}");
            assert_eq!(TwosComplement::read_signed(&parse_wide(text.as_bytes()).unwrap()), Some(number), "{text}");
            assert_eq!(wide_digits(TwosComplement::signed(number).octets()).unwrap(), text.as_bytes());
        }
        assert_eq!(parse_integer(b"170141183460469231731687303715884105728"), None);
        assert_eq!(parse_integer(b"-170141183460469231731687303715884105729"), None);
    }

    #[test]
    fn wide_numbers_there_and_back() {
        for digits in [39, 40, 77, 78, 100, 1000] {
            for sign in ["", "-"] {
                for fill in ["9", "1", "10"] {
                    let text = format!("{sign}{}", fill.repeat(digits));
                    assert_eq!(wide_digits(&parse_wide(text.as_bytes()).unwrap()).unwrap(), text.as_bytes());
                }
            }
        }
    }

    #[test]
    fn the_widest_number_is_the_same_both_ways() {
        let mut greatest = alloc::vec![0xff; MAX_OCTETS];
        greatest[0] = 0x7f;
        let mut least = alloc::vec![0; MAX_OCTETS];
        least[0] = 0x80;
        for octets in [greatest, least] {
            let digits = wide_digits(&octets).unwrap();
            assert_eq!(digits.iter().filter(|digit| **digit != b'-').count(), MAX_DIGITS);
            assert_eq!(parse_wide(&digits), Some(octets));
        }
        assert_eq!(wide_digits(&[1; MAX_OCTETS + 1]), None);
        // As many digits, and an octet more.
        assert_eq!(parse_wide(&[b'9'; MAX_DIGITS]), None);
        assert_eq!(parse_wide(&[b'1'; MAX_DIGITS + 1]), None);
    }
}
