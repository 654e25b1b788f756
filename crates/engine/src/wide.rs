//! Arithmetic on two's complement octets, for integers of more than 128 bits. Not on any hot path.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};
use core::cmp::Ordering;

use roadwire_layout::{Layout, Span};
use roadwire_wire::ErrorKind;
use roadwire_wire::rt::TwosComplement;

/// Octet `place`, counted from the least significant, with sign extension.
fn octet(number: &[u8], place: usize) -> u8 {
    match number.len().checked_sub(place + 1) {
        Some(at) => number[at],
        None if number.first().is_some_and(|first| first & 0x80 != 0) => 0xff,
        None => 0,
    }
}

/// `a - b`, one octet longer than the longer of them.
#[cfg(feature = "alloc")]
pub(crate) fn subtract(a: &[u8], b: &[u8]) -> Vec<u8> {
    combine(a, b, |a, b, carry| a - b + carry)
}

/// `a + b`, one octet longer than the longer of them.
#[cfg(feature = "alloc")]
pub(crate) fn add(a: &[u8], b: &[u8]) -> Vec<u8> {
    combine(a, b, |a, b, carry| a + b + carry)
}

#[cfg(feature = "alloc")]
fn combine(a: &[u8], b: &[u8], step: impl Fn(i16, i16, i16) -> i16) -> Vec<u8> {
    let length = a.len().max(b.len()) + 1;
    let mut result = vec![0; length];
    let mut carry = 0i16;
    for place in 0..length {
        let sum = step(i16::from(octet(a, place)), i16::from(octet(b, place)), carry);
        result[length - 1 - place] = sum.rem_euclid(256) as u8;
        carry = sum.div_euclid(256);
    }
    result
}

/// Compares two numbers.
pub(crate) fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let length = a.len().max(b.len());
    // The first octet has the sign.
    let biased = |number: &[u8], place: usize| octet(number, place) ^ if place + 1 == length { 0x80 } else { 0 };
    let differs = (0..length).rev().map(|place| biased(a, place).cmp(&biased(b, place))).find(|order| order.is_ne());
    differs.unwrap_or(Ordering::Equal)
}

/// The error for a number outside bounds in [`Layout::octets`].
pub(crate) fn outside(layout: &Layout, number: &[u8], lower: Option<Span>, upper: Option<Span>) -> Option<ErrorKind> {
    let below = lower.is_some_and(|lower| compare(number, layout.octets(lower)).is_lt());
    let above = upper.is_some_and(|upper| compare(number, layout.octets(upper)).is_gt());
    if !below && !above {
        return None;
    }
    let bound =
        |bound: Option<Span>, none| bound.map_or(Some(none), |at| TwosComplement::read_signed(layout.octets(at)));
    match (TwosComplement::read_signed(number), bound(lower, i128::MIN), bound(upper, i128::MAX)) {
        (Some(value), Some(lower), Some(upper)) => Some(ErrorKind::IntegerRange { value, lower, upper }),
        _ => Some(ErrorKind::IntegerWidth),
    }
}

/// Whether two numbers are the same.
pub(crate) fn equal(a: &[u8], b: &[u8]) -> bool {
    compare(a, b) == Ordering::Equal
}

/// The shortest two's complement form: at least one octet.
pub(crate) fn shortest(number: &[u8]) -> &[u8] {
    let mut rest = number;
    while let [first, second, ..] = rest {
        let redundant = (*first == 0 && second & 0x80 == 0) || (*first == 0xff && second & 0x80 != 0);
        if !redundant {
            break;
        }
        rest = &rest[1..];
    }
    rest
}

/// The shortest unsigned form of a number that is not negative: at least one octet.
pub(crate) fn shortest_unsigned(number: &[u8]) -> &[u8] {
    let zeros = number.iter().take_while(|octet| **octet == 0).count();
    &number[zeros.min(number.len().saturating_sub(1))..]
}

/// The number of an enumeration item from its high and its low 32 bits.
pub(crate) fn item_number([high, low]: [u32; 2]) -> i64 {
    (u64::from(high) << 32 | u64::from(low)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_machine_arithmetic() {
        let samples = [0i64, 1, -1, 127, 128, -128, -129, 255, 256, 65535, i64::MAX, i64::MIN, 123_456_789_012];
        for a in samples {
            for b in samples {
                let (ao, bo) = (a.to_be_bytes(), b.to_be_bytes());
                let wide = |v: i128| v.to_be_bytes()[7..].to_vec();
                assert_eq!(subtract(&ao, &bo), wide(i128::from(a) - i128::from(b)));
                assert_eq!(add(&ao, &bo), wide(i128::from(a) + i128::from(b)));
                assert_eq!(compare(shortest(&ao), &bo), a.cmp(&b));
            }
        }
        assert_eq!(shortest(&[0, 0, 0x80]), [0, 0x80]);
        assert_eq!(shortest(&[0xff, 0xff]), [0xff]);
    }
}
