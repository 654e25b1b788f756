//! The contents octets of REAL (X.690 §8.5; written in the canonical form of §11.3).

use crate::error::ErrorKind;
use crate::faults;
use crate::rt::integer::TwosComplement;

/// The contents octets of a number: at most 11.
#[derive(Clone, Copy, Debug)]
pub struct RealContents {
    octets: [u8; 11],
    length: usize,
}

impl RealContents {
    /// Base 2, odd mantissa, shortest exponent (X.690 §11.3.1).
    #[must_use]
    pub fn of(value: f64) -> Self {
        let mut contents = RealContents { octets: [0; 11], length: 0 };
        if value.is_nan() {
            contents.push(&[0x42]);
        } else if value.is_infinite() {
            contents.push(&[if value > 0.0 { 0x40 } else { 0x41 }]);
        } else if value == 0.0 {
            // Plus zero has no contents at all (X.690 §8.5.2).
            if value.is_sign_negative() {
                contents.push(&[0x43]);
            }
        } else {
            let (mantissa, exponent) = odd(value);
            let exponent = TwosComplement::signed(i128::from(exponent));
            let sign = if value < 0.0 { 0x40 } else { 0 };
            contents.push(&[0x80 | sign | (exponent.octets().len() as u8 - 1)]);
            contents.push(exponent.octets());
            contents.push(TwosComplement::unsigned(u128::from(mantissa)).octets());
        }
        contents
    }

    /// Whether a number is the product of a mantissa and a power of 2 within these (inclusive)
    /// bounds. Special values, which are not products in X.680 §21, count as one.
    #[must_use]
    pub fn is_product(value: f64, mantissas: (i64, i64), exponents: (i64, i64)) -> bool {
        if value == 0.0 && value.is_sign_positive() {
            return mantissas.0 <= 0 && 0 <= mantissas.1;
        }
        if !value.is_finite() || value == 0.0 {
            return true;
        }
        let (mantissa, exponent) = odd(value);
        let signed = if value < 0.0 { -(mantissa as i64) } else { mantissa as i64 };
        // A number has one product for each zero bit that can be appended to its mantissa.
        (0..=signed.leading_zeros().max(signed.leading_ones()) - 1).any(|zeros| {
            let (mantissa, exponent) = (signed << zeros, i64::from(exponent) - i64::from(zeros));
            mantissas.0 <= mantissa && mantissa <= mantissas.1 && exponents.0 <= exponent && exponent <= exponents.1
        })
    }

    fn push(&mut self, octets: &[u8]) {
        for octet in octets {
            if let Some(place) = self.octets.get_mut(self.length) {
                *place = *octet;
                self.length += 1;
            }
        }
    }

    /// The octets.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.octets[..self.length]
    }

    /// Reads any of the forms of X.690 §8.5 into the nearest double.
    ///
    /// # Errors
    ///
    /// The octets do not have one of these forms, or the number is beyond the range of a double.
    pub fn read(octets: &[u8]) -> Result<f64, ErrorKind> {
        let Some((first, rest)) = octets.split_first() else { return Ok(0.0) };
        match (first >> 6, first) {
            (0, _) => read_decimal(*first, rest),
            (1, 0x40) if rest.is_empty() => Ok(f64::INFINITY),
            (1, 0x41) if rest.is_empty() => Ok(f64::NEG_INFINITY),
            (1, 0x42) if rest.is_empty() => Ok(f64::NAN),
            (1, 0x43) if rest.is_empty() => Ok(-0.0),
            (1, _) => Err(MALFORMED),
            _ => {
                let (mantissa, exponent) = read_binary(*first, rest).ok_or(MALFORMED)?;
                let magnitude = within_range(scale(mantissa, exponent), mantissa == 0)?;
                Ok(if first & 0x40 == 0 { magnitude } else { -magnitude })
            }
        }
    }

    /// The nearest double to a decimal number.
    ///
    /// # Errors
    ///
    /// The text is not a number, or the number is beyond the range of a double.
    pub fn nearest(text: &str) -> Result<f64, ErrorKind> {
        let real = text.parse().map_err(|_| ErrorKind::Text("not a real number"))?;
        let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
        within_range(real, !mantissa.contains(|digit: char| matches!(digit, '1'..='9')))
    }
}

const MALFORMED: ErrorKind = ErrorKind::Malformed(faults::shared::REAL);

/// The odd mantissa and the exponent of a finite nonzero number, without its sign.
fn odd(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let (raw, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let (mantissa, exponent) = if raw == 0 { (fraction, -1074) } else { (fraction | 1 << 52, raw - 1075) };
    let shift = mantissa.trailing_zeros();
    (mantissa >> shift, exponent + shift as i32)
}

/// Refuses a number that has been rounded to infinity, or to zero without being zero.
fn within_range(nearest: f64, is_zero: bool) -> Result<f64, ErrorKind> {
    if nearest.is_infinite() || (nearest == 0.0 && !is_zero) { Err(ErrorKind::RealWidth) } else { Ok(nearest) }
}

/// X.690 §8.5.7: a mantissa without its sign, and the exponent of 2.
fn read_binary(first: u8, rest: &[u8]) -> Option<(u128, i128)> {
    let per_exponent = match first >> 4 & 3 {
        0 => 1,
        1 => 3,
        2 => 4,
        _ => return None,
    };
    let (length, rest) = match first & 3 {
        3 => rest.split_first().map(|(length, rest)| (usize::from(*length), rest))?,
        other => (usize::from(other) + 1, rest),
    };
    if length == 0 || rest.len() <= length {
        return None;
    }
    let (exponent, mantissa) = rest.split_at(length);
    // With an exponent beyond this, the number is zero or infinity whatever the mantissa: an input
    // has fewer than 2^40 octets.
    let exponent = TwosComplement::read_signed(exponent)?.clamp(-(1 << 50), 1 << 50) * per_exponent;
    let exponent = exponent + i128::from(first >> 2 & 3);
    let leading = mantissa.iter().take_while(|octet| **octet == 0).count();
    let mantissa = &mantissa[leading..];
    // 15 octets hold more than a double's precision; a sticky bit stands for the others.
    let kept = mantissa.len().min(15);
    let mut value = mantissa[..kept].iter().fold(0u128, |value, octet| value << 8 | u128::from(*octet));
    if mantissa[kept..].iter().any(|octet| *octet != 0) {
        value = value << 1 | 1;
    } else {
        value <<= 1;
    }
    let dropped = (mantissa.len() - kept) as i128 * 8 - 1;
    Some((value, exponent + dropped))
}

/// `value * 2^exponent`, rounded to the nearest even double.
fn scale(value: u128, exponent: i128) -> f64 {
    if value == 0 {
        return 0.0;
    }
    let width = i128::from(128 - value.leading_zeros());
    // The exponent of the last bit that a double keeps: 53 bits, fewer where it is subnormal.
    let last = (exponent + width - 53).max(-1074);
    let shift = last - exponent;
    let mut mantissa = if shift <= 0 {
        value << (-shift).min(127)
    } else if shift > 127 {
        0
    } else {
        let (kept, rest) = (value >> shift, value & ((1 << shift) - 1));
        let half = 1u128 << (shift - 1);
        kept + u128::from(rest > half || rest == half && kept & 1 == 1)
    };
    let mut last = last;
    if mantissa >> 53 != 0 {
        mantissa >>= 1;
        last += 1;
    }
    let raw = if mantissa >> 52 == 0 { 0 } else { last + 1075 };
    if raw >= 0x7ff {
        return f64::INFINITY;
    }
    f64::from_bits((raw as u64) << 52 | (mantissa as u64 & ((1 << 52) - 1)))
}

/// X.690 §8.5.8: ISO 6093 NR1, NR2, NR3.
fn read_decimal(first: u8, rest: &[u8]) -> Result<f64, ErrorKind> {
    let text = core::str::from_utf8(rest).map_err(|_| MALFORMED)?.trim_start_matches(' ');
    let is_plain = text.bytes().all(|octet| matches!(octet, b'0'..=b'9' | b'+' | b'-' | b'.' | b',' | b'e' | b'E'));
    let (has_mark, has_exponent) = (text.contains(['.', ',']), text.contains(['e', 'E']));
    // X.690 §8.5.8: NR1 are digits, NR2 has a decimal mark, NR3 an exponent (ISO 6093).
    let is_of_form = match first {
        1 => !has_mark && !has_exponent,
        2 => has_mark && !has_exponent,
        3 => has_exponent,
        _ => false,
    };
    if !is_of_form || rest.len() > 1000 || !is_plain {
        return Err(MALFORMED);
    }
    let mut buffer = [0u8; 1000];
    let buffer = buffer.get_mut(..text.len()).ok_or(MALFORMED)?;
    buffer.copy_from_slice(text.as_bytes());
    buffer.iter_mut().filter(|octet| **octet == b',').for_each(|octet| *octet = b'.');
    let text = core::str::from_utf8(buffer).map_err(|_| MALFORMED)?;
    RealContents::nearest(text).map_err(|kind| if kind == ErrorKind::RealWidth { kind } else { MALFORMED })
}

#[cfg(test)]
mod tests {
    use super::{MALFORMED, RealContents};

    #[test]
    fn every_double_comes_back() {
        let mut bits = 0x1234_5678_9abc_def0u64;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let value = f64::from_bits(bits);
            let back = RealContents::read(RealContents::of(value).octets()).unwrap();
            assert!(back.to_bits() == value.to_bits() || value.is_nan() && back.is_nan(), "{value:e} {back:e}");
        }
        for value in [0.0, -0.0, 1.0, -1.5, f64::MIN_POSITIVE, f64::from_bits(1), f64::MAX, f64::INFINITY] {
            let back = RealContents::read(RealContents::of(value).octets()).unwrap();
            assert_eq!(back.to_bits(), value.to_bits());
        }
    }

    #[test]
    fn products_within_bounds() {
        let single = |value| RealContents::is_product(value, (-(1 << 24) + 1, (1 << 24) - 1), (-149, 104));
        for value in [0.0, -0.0, 1.0, f64::from(f32::MAX), f64::from(f32::MIN), f64::from(f32::from_bits(1)), f64::NAN]
        {
            assert!(single(value), "{value:e}");
        }
        for value in [0.1, 2f64.powi(128), 2f64.powi(-150), 16_777_217.0, f64::MAX, f64::from_bits(1)] {
            assert!(!single(value), "{value:e}");
        }
        // 2 is 4 times 2 to the power of -1.
        assert!(RealContents::is_product(2.0, (4, 7), (-3, -1)) && !RealContents::is_product(2.0, (4, 7), (0, 3)));
        assert!(RealContents::is_product(-1.0, (i64::MIN, -2), (i64::MIN, -63)));
        assert!(!RealContents::is_product(0.0, (1, 2), (0, 0)));
    }

    #[test]
    fn known_contents_octets() {
        assert_eq!(RealContents::of(1.0).octets(), [0x80, 0x00, 0x01]);
        assert_eq!(RealContents::of(-0.625).octets(), [0xc0, 0xfd, 0x05]);
        assert_eq!(RealContents::of(0.0).octets(), []);
        // NR3 "15.E-1", base 16 with a scale factor, and a mantissa longer than a double's.
        assert_eq!(RealContents::read(b"\x0315.E-1"), Ok(1.5));
        assert_eq!(RealContents::read(&[0xa4, 0x00, 0x03]), Ok(6.0));
        assert_eq!(
            RealContents::read(&[0x80, 0x00, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            Ok(2f64.powi(128))
        );
        assert_eq!(RealContents::read(&[0x80]), Err(MALFORMED));
        assert_eq!(RealContents::read(b"\x03NaN"), Err(MALFORMED));
    }
}
