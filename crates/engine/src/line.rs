//! Numbers in decimal.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

/// Wider integers are not written or read in decimal: that takes time with the square of their length.
pub(crate) const MOST_OCTETS: u64 = 4096;
/// As many digits as those may have.
pub(crate) const MOST_DIGITS: usize = 9864;

/// A line of text with room for so many octets: 48 hold an integer of 128 bits, 400 the digits of a double without exponent.
pub(crate) struct Line<const N: usize> {
    octets: [u8; N],
    length: usize,
}

impl<const N: usize> core::default::Default for Line<N> {
    fn default() -> Self {
        Line { octets: [0; N], length: 0 }
    }
}

impl<const N: usize> core::fmt::Write for Line<N> {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        text.bytes().for_each(|octet| self.push(octet));
        Ok(())
    }
}

impl<const N: usize> Line<N> {
    pub(crate) fn push(&mut self, octet: u8) {
        if let Some(place) = self.octets.get_mut(self.length) {
            *place = octet;
            self.length += 1;
        }
    }

    pub(crate) fn integer(&mut self, number: i128) {
        let _ = match i64::try_from(number) {
            Ok(number) => write!(self, "{number}"),
            Err(_) => write!(self, "{number}"),
        };
    }

    pub(crate) fn natural(&mut self, number: u128) {
        let _ = match u64::try_from(number) {
            Ok(number) => write!(self, "{number}"),
            Err(_) => write!(self, "{number}"),
        };
    }

    /// The shortest digits that are read back as the same double: `3.14E2`, or 314.0 without an exponent.
    pub(crate) fn real(&mut self, value: f64, plain: bool) {
        let start = self.length;
        if value == 0.0 {
            let _ = self.write_str(if value.is_sign_negative() { "-0" } else { "0" });
            return;
        }
        if plain {
            let _ = write!(self, "{value}");
            return;
        }
        let _ = write!(self, "{value:E}");
        let written = self.octets.get(start..self.length).unwrap_or_default();
        let Some(exponent) = written.iter().position(|octet| *octet == b'E') else { return };
        if !written.contains(&b'.') {
            let (at, end) = (start + exponent, self.length);
            self.push(b'0');
            self.push(b'0');
            if end + 2 == self.length {
                self.octets.copy_within(at..end, at + 2);
                self.octets.iter_mut().skip(at).zip(*b".0").for_each(|(place, octet)| *place = octet);
            }
        }
    }

    pub(crate) fn text(&self) -> &str {
        core::str::from_utf8(self.octets.get(..self.length).unwrap_or_default()).unwrap_or_default()
    }
}

/// Two's complement octets in decimal; `None` above 4096 of them.
pub(crate) fn write(octets: &[u8]) -> Option<String> {
    if octets.len() as u64 > MOST_OCTETS {
        return None;
    }
    let is_negative = octets.first().is_some_and(|first| first & 0x80 != 0);
    let mut rest: Vec<u8> = octets.to_vec();
    if is_negative {
        negate(&mut rest);
    }
    // Nine digits at a time, lowest first.
    let mut groups = Vec::new();
    while rest.iter().any(|octet| *octet != 0) {
        let mut remainder = 0u64;
        for octet in &mut rest {
            let value = remainder << 8 | u64::from(*octet);
            *octet = (value / BILLION) as u8;
            remainder = value % BILLION;
        }
        groups.push(remainder);
    }
    let mut text = String::from(if is_negative { "-" } else { "" });
    let _ = write!(text, "{}", groups.last().copied().unwrap_or(0));
    groups.iter().rev().skip(1).for_each(|group| {
        let _ = write!(text, "{group:09}");
    });
    Some(text)
}

/// Decimal digits as two's complement octets; `None` where there are too many of them.
pub(crate) fn read(is_negative: bool, digits: &[u8]) -> Option<Vec<u8>> {
    if digits.len() > MOST_DIGITS {
        return None;
    }
    // Lowest octet first.
    let mut number: Vec<u8> = Vec::new();
    for group in digits.chunks(9) {
        let scale = 10u64.pow(group.len() as u32);
        let mut carry = group.iter().fold(0u64, |value, digit| value * 10 + u64::from(digit.wrapping_sub(b'0')));
        for octet in &mut number {
            carry += u64::from(*octet) * scale;
            *octet = carry as u8;
            carry >>= 8;
        }
        while carry > 0 {
            number.push(carry as u8);
            carry >>= 8;
        }
    }
    number.push(0);
    number.reverse();
    if is_negative {
        negate(&mut number);
    }
    Some(number)
}

const BILLION: u64 = 1_000_000_000;

fn negate(octets: &mut [u8]) {
    let mut carry = true;
    for octet in octets.iter_mut().rev() {
        (*octet, carry) = (!*octet).overflowing_add(u8::from(carry));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_numbers_there_and_back() {
        let digits = b"123456789012345678901234567890123456789012345678901234567890";
        for is_negative in [false, true] {
            let octets = read(is_negative, digits).unwrap();
            let text = write(&octets).unwrap();
            assert_eq!(text.trim_start_matches('-').as_bytes(), digits);
            assert_eq!(text.starts_with('-'), is_negative);
        }
        assert_eq!(write(&[0x80]).unwrap(), "-128");
        assert_eq!(write(&[0]).unwrap(), "0");
        assert_eq!(read(true, b"1").unwrap().last(), Some(&0xff));
        assert_eq!(write(&read(false, b"1000000000").unwrap()).unwrap(), "1000000000");
        assert!(write(&[1; 5000]).is_none() && read(false, &[b'1'; 10_000]).is_none());
    }

    #[test]
    fn reals_as_canonical_rules_have_them() {
        let cases =
            [(1.0, "1.0E0"), (-1.0, "-1.0E0"), (0.5, "5.0E-1"), (314.159, "3.14159E2"), (1e300, "1.0E300"), (0.0, "0")];
        for (value, wanted) in cases {
            let mut line = Line::<400>::default();
            line.real(value, false);
            assert_eq!(line.text(), wanted);
        }
        let mut line = Line::<400>::default();
        line.real(f64::MIN_POSITIVE, true);
        assert_eq!(line.text().parse(), Ok(f64::MIN_POSITIVE));
    }
}
