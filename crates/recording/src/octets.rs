//! Formats of octets: hex, base64, or binary.

use roadwire_wire::rt::text::fill;

use crate::{Error, Place};

/// The format of octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OctetFormat {
    /// Hexadecimal digits; white space is ignored.
    Hex,
    /// The octets themselves.
    Bin,
    /// Base64 (RFC 4648 §4); white space is ignored.
    Base64,
}

/// Reads octets in a format. `bin` is unchanged.
///
/// # Errors
/// A character that is not allowed, with line and column.
pub fn read(written: &[u8], format: OctetFormat) -> Result<Vec<u8>, Error> {
    match format {
        OctetFormat::Bin => Ok(written.to_vec()),
        OctetFormat::Hex => read_hex(written),
        OctetFormat::Base64 => read_base64(written),
    }
}

/// Writes octets in a format, without an end of line.
pub fn write(octets: &[u8], format: OctetFormat) -> Vec<u8> {
    match format {
        OctetFormat::Bin => octets.to_vec(),
        OctetFormat::Hex => write_hex(octets).into_bytes(),
        OctetFormat::Base64 => write_base64(octets),
    }
}

/// An encoding as it is written: octets in a format, text, which has none, as it is.
pub fn written(encoded: Vec<u8>, format: Option<OctetFormat>) -> Vec<u8> {
    match format {
        None | Some(OctetFormat::Bin) => encoded,
        Some(format) => write(&encoded, format),
    }
}

/// Detects the format of a file: hex if possible, else base64 if possible, else binary.
///
/// # Errors
/// Printable text that is neither: it was probably meant to be one of them.
pub fn detect(written: &[u8]) -> Result<OctetFormat, Error> {
    let textual = written.iter().all(|c| c.is_ascii_graphic() || c.is_ascii_whitespace());
    if !textual {
        return Ok(OctetFormat::Bin);
    }
    let digits = strip_prefix(written).1;
    if digits.iter().all(|c| c.is_ascii_hexdigit() || c.is_ascii_whitespace()) {
        return Ok(OctetFormat::Hex);
    }
    if read_base64(written).is_ok() {
        return Ok(OctetFormat::Base64);
    }
    Err(Error::refused("input.format", "the input is text, but neither hex nor base64")
        .advise("say how the octets are written with --in hex, --in base64 or --in bin"))
}

/// Upper- or lower-case digits are read; lower-case digits are written.
pub fn write_hex(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len() * 2);
    push_hex(&mut text, octets);
    text
}

/// Appends lower-case digits to the text.
pub fn push_hex(text: &mut String, octets: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    const BLOCK: usize = 64;
    text.reserve(octets.len() * 2);
    // Digits are put in blocks: one by one, each costs as much as some of a block.
    for block in octets.chunks(BLOCK) {
        let mut digits = [[0; 2]; BLOCK];
        for (pair, octet) in digits.iter_mut().zip(block) {
            *pair = [DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 15)]];
        }
        let digits = digits.get(..block.len()).unwrap_or_default().as_flattened();
        text.push_str(std::str::from_utf8(digits).unwrap_or_default());
    }
}

fn read_hex(written: &[u8]) -> Result<Vec<u8>, Error> {
    let (skipped, digits) = strip_prefix(written);
    if let Some(octets) = pairs(digits) {
        return Ok(octets);
    }
    let mut octets = Vec::with_capacity(digits.len() / 2);
    let mut half: Option<u8> = None;
    for (at, &c) in digits.iter().enumerate() {
        if c.is_ascii_whitespace() {
            continue;
        }
        let Some(digit) = digit(c) else {
            return Err(misplaced(written, skipped + at, "a hexadecimal digit"));
        };
        half = match half {
            None => Some(digit),
            Some(high) => {
                octets.push(high << 4 | digit);
                None
            }
        };
    }
    if half.is_some() {
        return Err(Error::refused("input.hex", "odd number of hexadecimal digits: half an octet is missing")
            .advise("each octet is two digits; was the input cut short?"));
    }
    Ok(octets)
}

/// Octets without white space between or inside them, which is how most are written; `None` if it
/// is anything else.
fn pairs(digits: &[u8]) -> Option<Vec<u8>> {
    let mut octets = vec![0; digits.len() / 2];
    fill(digits, &mut octets).ok()?;
    Some(octets)
}

fn digit(c: u8) -> Option<u8> {
    match c {
        b'0'..=b'9' => Some(c - b'0'),
        b'a'..=b'f' => Some(c - b'a' + 10),
        b'A'..=b'F' => Some(c - b'A' + 10),
        _ => None,
    }
}

/// A leading `0x` is accepted.
fn strip_prefix(written: &[u8]) -> (usize, &[u8]) {
    let start = written.iter().position(|c| !c.is_ascii_whitespace()).unwrap_or(0);
    let rest = written.get(start..).unwrap_or_default();
    match rest.strip_prefix(b"0x").or_else(|| rest.strip_prefix(b"0X")) {
        Some(digits) => (start + 2, digits),
        None => (0, written),
    }
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// RFC 4648 §4. Padding may be left off; bits beyond the last octet must be zero, so that the
/// octets have only one text.
fn read_base64(written: &[u8]) -> Result<Vec<u8>, Error> {
    let mut octets = Vec::with_capacity(written.len() / 4 * 3);
    let (mut pending, mut bits, mut count, mut padding) = (0_u32, 0_u32, 0_usize, 0_usize);
    for (at, &c) in written.iter().enumerate() {
        if c.is_ascii_whitespace() {
            continue;
        }
        count += 1;
        if c == b'=' {
            padding += 1;
            continue;
        }
        let digit = match c {
            _ if padding > 0 => None,
            b'A'..=b'Z' => Some(c - b'A'),
            b'a'..=b'z' => Some(c - b'a' + 26),
            b'0'..=b'9' => Some(c - b'0' + 52),
            b'+' => Some(62),
            b'/' => Some(63),
            _ => None,
        };
        let Some(digit) = digit else {
            return Err(misplaced(written, at, "a base64 character"));
        };
        pending = pending << 6 | u32::from(digit);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            octets.push((pending >> bits) as u8);
            pending &= (1 << bits) - 1;
        }
    }
    let whole = bits < 6 && pending == 0 && padding <= 2 && (padding == 0 || count % 4 == 0);
    if whole {
        Ok(octets)
    } else {
        Err(Error::refused("input.base64", "the base64 text does not end on an octet")
            .advise("was the input cut short?"))
    }
}

fn write_base64(octets: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(octets.len().div_ceil(3) * 4);
    for group in octets.chunks(3) {
        let bits = group.iter().enumerate().fold(0_u32, |bits, (at, &octet)| bits | u32::from(octet) << (16 - 8 * at));
        for place in 0..4 {
            text.push(if place <= group.len() { BASE64[(bits >> (18 - 6 * place) & 63) as usize] } else { b'=' });
        }
    }
    text
}

/// The error for a character that is not allowed.
fn misplaced(written: &[u8], at: usize, wanted: &str) -> Error {
    let before = written.get(..at).unwrap_or_default();
    let line = before.iter().filter(|&&c| c == b'\n').count() as u64 + 1;
    let column = before.iter().rev().take_while(|&&c| c != b'\n').count() as u64 + 1;
    let found = match written.get(at) {
        Some(&c) if c.is_ascii_graphic() => format!("`{}`", char::from(c)),
        Some(&c) => format!("octet {c:#04x}"),
        None => "the end".to_owned(),
    };
    Error::refused("input.character", format!("{found} is not {wanted}"))
        .at(Place { line: Some(line), column: Some(column), ..Place::default() })
        .advise("if the octets are not written in hex, say how: --in bin or --in base64")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_ignores_white_space_and_case() {
        assert_eq!(read(b" 0A\n b1\tFf ", OctetFormat::Hex).unwrap(), [0x0a, 0xb1, 0xff]);
        assert_eq!(read(b"\n0x0a", OctetFormat::Hex).unwrap(), [0x0a]);
        assert_eq!(read(b"0aB1ff", OctetFormat::Hex).unwrap(), [0x0a, 0xb1, 0xff]);
    }

    #[test]
    fn hex_says_where_it_is_wrong() {
        let error = read(b"0a\n0g", OctetFormat::Hex).unwrap_err();
        assert_eq!(error.to_string(), "2:2: `g` is not a hexadecimal digit");
        assert!(read(b"0a0", OctetFormat::Hex).unwrap_err().to_string().contains("odd number"));
    }

    #[test]
    fn base64_as_in_rfc_4648() {
        for (octets, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE=")]
        {
            assert_eq!(write(octets.as_bytes(), OctetFormat::Base64), text.as_bytes());
            assert_eq!(read(text.as_bytes(), OctetFormat::Base64).unwrap(), octets.as_bytes());
        }
    }

    #[test]
    fn base64_with_a_stray_end_is_refused() {
        for text in ["Z", "Zh==", "Zg=", "Zg==Zg==", "Zm9v====", "Zm9v=", "Zg==="] {
            assert!(read(text.as_bytes(), OctetFormat::Base64).is_err(), "{text}");
        }
    }

    #[test]
    fn detection_prefers_hex_then_base64_then_octets() {
        assert_eq!(detect(b"0a 0b\n").unwrap(), OctetFormat::Hex);
        assert_eq!(detect(b"").unwrap(), OctetFormat::Hex);
        assert_eq!(detect(b"Zm9v\n").unwrap(), OctetFormat::Base64);
        assert_eq!(detect(b"\x02\x02\xff").unwrap(), OctetFormat::Bin);
        assert!(detect(b"{\"header\": 1}").is_err());
    }
}
