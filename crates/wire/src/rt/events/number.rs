//! Integers of any width (EXI §7.1.5, §7.1.6), and REAL: a mantissa and an exponent of ten
//! (§7.1.4).

use core::fmt::Write as _;

use arrayvec::ArrayString;

use crate::error::{ErrorKind, Rejected};
use crate::faults;
use crate::reader::Reader;
use crate::rt::{RealContents, varint};
use crate::writer::Writer;

/// The exponent of infinity (mantissa 1), negative infinity (-1) and NaN.
const SPECIAL: i128 = -(1 << 14);

/// A mantissa without trailing zeros, and the exponent: -125 and -5 for -1.25e-3. `None` for minus
/// zero: the mantissa has a sign, but 0 has none.
#[must_use]
pub fn decimal(value: f64) -> Option<(i128, i128)> {
    match value {
        _ if value.is_nan() => return Some((0, SPECIAL)),
        0.0 if value.is_sign_negative() => return None,
        f64::INFINITY => return Some((1, SPECIAL)),
        f64::NEG_INFINITY => return Some((-1, SPECIAL)),
        _ => {}
    }
    let mut text = ArrayString::<32>::new();
    write!(text, "{value:e}").ok()?;
    let (number, exponent) = text.split_once('e')?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = whole.bytes().chain(fraction.bytes()).filter(u8::is_ascii_digit);
    let magnitude = digits.fold(0i128, |number, digit| number * 10 + i128::from(digit - b'0'));
    let exponent = exponent.parse::<i128>().ok()? - fraction.len() as i128;
    let mantissa = if whole.starts_with('-') { -magnitude } else { magnitude };
    Some((mantissa, if mantissa == 0 { 0 } else { exponent }))
}

/// The nearest double.
///
/// # Errors
/// An exponent that the form does not have, or a number beyond the range of a double.
pub fn nearest(mantissa: i128, exponent: i128) -> Result<f64, ErrorKind> {
    match (exponent, mantissa) {
        (SPECIAL, 1) => Ok(f64::INFINITY),
        (SPECIAL, -1) => Ok(f64::NEG_INFINITY),
        (SPECIAL, _) => Ok(f64::NAN),
        (-16383..=16383, _) => {
            let mut text = ArrayString::<64>::new();
            let written = write!(text, "{mantissa}e{exponent}");
            if written.is_ok() { RealContents::nearest(&text) } else { Err(ErrorKind::RealWidth) }
        }
        _ => Err(ErrorKind::Malformed(faults::events::EXPONENT)),
    }
}

/// Writes a number.
///
/// # Errors
/// The output is full; minus zero.
pub fn put_real(writer: &mut Writer<'_>, value: f64) -> Result<(), Rejected> {
    let (mantissa, exponent) = decimal(value).ok_or(Rejected)?;
    [mantissa, exponent].into_iter().try_for_each(|number| put_integer(writer, number, true))
}

/// Reads a number.
///
/// # Errors
/// Past the end; a mantissa of more than 64 bits; a number beyond the range of a double.
pub fn take_real(reader: &mut Reader<'_>) -> Result<f64, Rejected> {
    let (mantissa, exponent) = (take_integer(reader, true)?, take_integer(reader, true)?);
    if (mantissa ^ mantissa >> 127) >> 64 != 0 {
        return Err(Rejected);
    }
    nearest(mantissa, exponent).map_err(|_| Rejected)
}

/// Writes an integer: perhaps a sign, and groups of seven bits.
///
/// # Errors
/// The output is full; a negative number without a sign.
pub fn put_integer(writer: &mut Writer<'_>, number: i128, is_signed: bool) -> Result<(), Rejected> {
    if is_signed {
        writer.put_bit(number < 0)?;
    }
    let magnitude = if is_signed && number < 0 { !number } else { number };
    varint::put_wide(writer, u128::try_from(magnitude).map_err(|_| Rejected)?)
}

/// Reads an integer of up to 126 bits.
///
/// # Errors
/// Past the end; a wider number.
pub fn take_integer(reader: &mut Reader<'_>, is_signed: bool) -> Result<i128, Rejected> {
    let is_negative = is_signed && reader.take_bit()?;
    let magnitude = take_wide(reader)? as i128;
    Ok(if is_negative { !magnitude } else { magnitude })
}

/// An unsigned number of up to 126 bits.
///
/// # Errors
/// Past the end; a wider number.
pub fn take_wide(reader: &mut Reader<'_>) -> Result<u128, Rejected> {
    let (mut number, mut shift, mut is_wide) = (0u128, 0, false);
    varint::take_each(reader, |bits| {
        if shift < 126 {
            number |= u128::from(bits) << shift;
            shift += 7;
        } else {
            is_wide |= bits != 0;
        }
    })?;
    if is_wide { Err(Rejected) } else { Ok(number) }
}
