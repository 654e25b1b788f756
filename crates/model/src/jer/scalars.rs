//! Leaves as text: hexadecimal, numbers, object identifiers.

use std::fmt;

use num_bigint::BigInt;

use crate::value::{Integer, Oid};

/// How many digits an INTEGER may have: more than any codec takes, little enough to convert in an instant.
const MAX_DIGITS: usize = 100_000;

/// Octets from hexadecimal digits of either case.
pub(super) fn octets(digits: &str) -> Result<Vec<u8>, String> {
    let nibbles =
        digits.chars().map(|digit| digit.to_digit(16).ok_or_else(|| format!("{digit:?} is not a hexadecimal digit")));
    let nibbles = nibbles.collect::<Result<Vec<u32>, _>>()?;
    if nibbles.len() % 2 != 0 {
        return Err(format!("{} hexadecimal digits: not whole octets", nibbles.len()));
    }
    Ok(nibbles.chunks_exact(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect())
}

/// Writes octets as upper-case hexadecimal digits.
pub(super) fn write_octets(out: &mut dyn fmt::Write, octets: &[u8]) -> fmt::Result {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for octet in octets {
        out.write_char(char::from(DIGITS[usize::from(octet >> 4)]))?;
        out.write_char(char::from(DIGITS[usize::from(octet & 15)]))?;
    }
    Ok(())
}

/// An INTEGER from a JSON number.
pub(super) fn integer(number: &str) -> Result<Integer, String> {
    if number.len() > MAX_DIGITS {
        return Err(format!("an integer of more than {MAX_DIGITS} digits"));
    }
    if number.contains(['.', 'e', 'E']) {
        return Err("an integer has neither fraction nor exponent".into());
    }
    if let Ok(small) = number.parse::<i128>() {
        return Ok(small.into());
    }
    number.parse::<BigInt>().map(Integer::from).map_err(|error| error.to_string())
}

/// A REAL from a JSON number: the nearest that a double holds.
pub(super) fn real(number: &str) -> Result<f64, String> {
    let value: f64 = number.parse().map_err(|_| "not a number".to_owned())?;
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    if value.is_infinite() || value == 0.0 && mantissa.contains(|digit: char| matches!(digit, '1'..='9')) {
        return Err("the number is beyond the range of a double (about 4.9e-324 to 1.8e308)".into());
    }
    Ok(value)
}

/// A REAL from one of the strings that stand for what JSON numbers cannot say.
pub(super) fn special_real(name: &str) -> Option<f64> {
    match name {
        "-0" => Some(-0.0),
        "INF" => Some(f64::INFINITY),
        "-INF" => Some(f64::NEG_INFINITY),
        "NaN" => Some(f64::NAN),
        _ => None,
    }
}

/// Writes a REAL so that it is read back the same.
pub(super) fn write_real(out: &mut dyn fmt::Write, value: f64) -> fmt::Result {
    match value {
        _ if value.is_nan() => out.write_str("\"NaN\""),
        f64::INFINITY => out.write_str("\"INF\""),
        f64::NEG_INFINITY => out.write_str("\"-INF\""),
        _ if value == 0.0 && value.is_sign_negative() => out.write_str("\"-0\""),
        _ => write!(out, "{value:?}"),
    }
}

/// An object identifier from its dotted form.
pub(super) fn oid(text: &str, relative: bool) -> Result<Oid, String> {
    let arcs = text.split('.').map(|arc| {
        let digits = !arc.is_empty() && arc.bytes().all(|octet| octet.is_ascii_digit());
        match digits && arc.len() <= MAX_DIGITS {
            true => arc.parse::<BigInt>().map_err(|error| error.to_string()),
            false => Err("arcs are decimal numbers with dots between, as in 1.2.840".to_owned()),
        }
    });
    let arcs = arcs.collect::<Result<Vec<BigInt>, _>>()?;
    let oid = if relative { Oid::relative(&arcs) } else { Oid::absolute(&arcs) };
    oid.ok_or_else(|| "an object identifier starts 0.0 to 0.39, 1.0 to 1.39, or 2 and any number".into())
}

/// Writes a JSON string.
pub(super) fn write_string(out: &mut dyn fmt::Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '\t' => out.write_str("\\t")?,
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => {
                write!(out, "\\u{:04X}", u32::from(character))?;
            }
            _ => out.write_char(character)?,
        }
    }
    out.write_char('"')
}
