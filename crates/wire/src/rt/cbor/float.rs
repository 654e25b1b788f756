//! Floats of 16, 32 and 64 bits, and which is the shortest that keeps a value (RFC 8949 §4.1,
//! §4.2.2).

use super::{DOUBLE, Fault, HALF, SINGLE};
use crate::faults;

/// The bits of the NaN without a payload, of 16.
pub const NAN: u16 = 0x7e00;

/// The shortest form: additional information, bits and how many there are.
#[must_use]
pub fn shortest(value: f64) -> (u8, u64, u32) {
    if value.is_nan() {
        return (HALF, NAN.into(), 16);
    }
    let single = value as f32;
    if f64::from(single).to_bits() != value.to_bits() {
        return (DOUBLE, value.to_bits(), 64);
    }
    match to_half(single.to_bits()) {
        Some(half) => (HALF, half.into(), 16),
        None => (SINGLE, single.to_bits().into(), 32),
    }
}

/// The value of a float with this additional information, if it is in the shortest form.
///
/// # Errors
/// A longer form, or another NaN.
pub fn value_of(information: u8, bits: u64) -> Result<f64, Fault> {
    let value = match information {
        HALF => half(bits as u16),
        SINGLE => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    };
    let (wanted, same, _) = shortest(value);
    match (wanted, same) == (information, bits) {
        true => Ok(value),
        false if value.is_nan() => Err(Fault::Malformed(faults::cbor::NAN)),
        false => Err(Fault::Malformed(faults::cbor::FLOAT)),
    }
}

/// The bits of the float of 16 bits that is equal to one of 32 bits, which is not NaN.
fn to_half(bits: u32) -> Option<u16> {
    let sign = (bits >> 16 & 0x8000) as u16;
    let (exponent, fraction) = ((bits >> 23 & 0xff) as i32 - 127, bits & 0x7f_ffff);
    let half = match exponent {
        -127 if fraction == 0 => 0,
        128 => 0x7c00,
        -14..=15 if fraction & 0x1fff == 0 => ((exponent + 15) as u16) << 10 | (fraction >> 13) as u16,
        // A multiple of 2^-24 below 2^-14.
        -24..=-15 => {
            let (whole, shift) = (fraction | 0x80_0000, (-1 - exponent) as u32);
            if whole & ((1 << shift) - 1) != 0 {
                return None;
            }
            (whole >> shift) as u16
        }
        _ => return None,
    };
    Some(sign | half)
}

/// The value of a float of 16 bits.
#[must_use]
pub fn half(bits: u16) -> f64 {
    let (sign, exponent, fraction) = (u64::from(bits >> 15) << 63, u64::from(bits >> 10 & 0x1f), bits & 0x3ff);
    let magnitude = match exponent {
        // A multiple of 2^-24.
        0 => f64::from(fraction) * f64::from_bits((1023 - 24) << 52),
        0x1f if fraction == 0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => f64::from_bits((exponent + 1023 - 15) << 52 | u64::from(fraction) << 42),
    };
    f64::from_bits(sign | magnitude.to_bits() & !(1 << 63))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8949 Appendix A.
    #[test]
    fn known_floats() {
        for (value, information, bits) in [
            (0.0, HALF, 0x0000),
            (-0.0, HALF, 0x8000),
            (1.0, HALF, 0x3c00),
            (1.1, DOUBLE, 0x3ff1_9999_9999_999a),
            (1.5, HALF, 0x3e00),
            (65504.0, HALF, 0x7bff),
            (100_000.0, SINGLE, 0x47c3_5000),
            (3.402_823_466_385_288_6e38, SINGLE, 0x7f7f_ffff),
            (1.0e300, DOUBLE, 0x7e37_e43c_8800_759c),
            (5.960_464_477_539_063e-8, HALF, 0x0001),
            (0.000_061_035_156_25, HALF, 0x0400),
            (-4.0, HALF, 0xc400),
            (-4.1, DOUBLE, 0xc010_6666_6666_6666),
            (f64::INFINITY, HALF, 0x7c00),
            (f64::NEG_INFINITY, HALF, 0xfc00),
            (65536.0, SINGLE, 0x4780_0000),
            (f64::from_bits(1), DOUBLE, 1),
        ] {
            let (found, same, width) = shortest(value);
            assert_eq!((found, same, width), (information, bits, 8 << (information - 24)), "{value}");
            assert_eq!(value_of(information, bits).map(f64::to_bits), Ok(value.to_bits()));
        }
        assert_eq!(shortest(-f64::NAN), (HALF, 0x7e00, 16));
        assert!(value_of(HALF, 0x7e00).is_ok_and(f64::is_nan));
    }

    #[test]
    fn each_half_is_its_own_shortest_form() {
        for bits in 0..=u16::MAX {
            let is_other_nan = bits & 0x7c00 == 0x7c00 && bits & 0x3ff != 0 && bits != NAN;
            assert_eq!(value_of(HALF, bits.into()).is_ok(), !is_other_nan, "{bits:x}");
            let value = half(bits);
            assert!(is_other_nan || shortest(value) == (HALF, bits.into(), 16));
            let single = (value as f32).to_bits();
            let wanted = if value.is_nan() { faults::cbor::NAN } else { faults::cbor::FLOAT };
            assert_eq!(value_of(SINGLE, single.into()).err(), Some(Fault::Malformed(wanted)));
            assert_eq!(value_of(DOUBLE, value.to_bits()).err(), Some(Fault::Malformed(wanted)));
        }
    }
}
