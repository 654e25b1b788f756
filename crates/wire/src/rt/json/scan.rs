//! Finds where tokens and values end, without recursion and in time linear in the text's length.

use super::characters::Quoted;
use crate::faults::json as faults;

/// How deep arrays and objects may be nested in a value that is skipped.
pub const MAX_NESTING: usize = 108;

/// Why a text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// At which octet.
    pub at: usize,
    /// The fault.
    pub what: crate::faults::Fault,
}

/// The first octet from `at` on that is not white space.
#[inline]
#[must_use]
pub fn space(text: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\n' | b'\r') = text.get(at) {
        at += 1;
    }
    at
}

/// A string whose opening quote is at `at`, and the octet after its closing one.
///
/// # Errors
/// It does not end, or has something that is not allowed: a control character, an unknown escape,
/// half of a surrogate pair, octets that are not UTF-8.
pub fn string(text: &[u8], at: usize) -> Result<(Quoted<'_>, usize), Fault> {
    let start = at + 1;
    let mut end = start;
    let mut escaped = false;
    loop {
        match text.get(end) {
            None => return Err(Fault { at, what: faults::STRING_END }),
            Some(b'"') => break,
            Some(b'\\') => {
                escaped = true;
                end = escape(text, end)?;
            }
            Some(0..=0x1f) => {
                return Err(Fault { at: end, what: faults::STRING_CONTROL });
            }
            Some(_) => end += 1,
        }
    }
    match core::str::from_utf8(text.get(start..end).unwrap_or(&[])) {
        Ok(raw) => Ok((Quoted { raw, escaped }, end + 1)),
        Err(error) => Err(Fault { at: start + error.valid_up_to(), what: faults::UTF8 }),
    }
}

/// The same, or `None` if it is not a string.
#[must_use]
pub fn string_if(text: &[u8], at: usize) -> Option<(Quoted<'_>, usize)> {
    text.get(at).filter(|octet| **octet == b'"')?;
    string(text, at).ok()
}

/// Skips an escape. A surrogate, which is not a character by itself, must be one of a pair.
fn escape(text: &[u8], at: usize) -> Result<usize, Fault> {
    let lone = Fault { at, what: faults::STRING_SURROGATE };
    match text.get(at + 1) {
        None => Err(Fault { at, what: faults::STRING_END }),
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => match four_digits(text, at, at + 2)? {
            0xdc00..=0xdfff => Err(lone),
            0xd800..=0xdbff => {
                if text.get(at + 6..at + 8) != Some(b"\\u") {
                    return Err(lone);
                }
                match four_digits(text, at, at + 8)? {
                    0xdc00..=0xdfff => Ok(at + 12),
                    _ => Err(lone),
                }
            }
            _ => Ok(at + 6),
        },
        Some(_) => Err(Fault { at, what: faults::STRING_ESCAPE }),
    }
}

fn four_digits(text: &[u8], escape: usize, at: usize) -> Result<u32, Fault> {
    let fault = Fault { at: escape, what: faults::STRING_DIGITS };
    let digits = text.get(at..at + 4).ok_or(fault)?;
    digits.iter().try_fold(0u32, |value, digit| Some(value << 4 | char::from(*digit).to_digit(16)?)).ok_or(fault)
}

/// The octet after a number that begins at `at`.
///
/// # Errors
/// It is not a JSON number.
pub fn number(text: &[u8], at: usize) -> Result<usize, Fault> {
    let whole = at + usize::from(text.get(at) == Some(&b'-'));
    let mut end = digits(text, whole)?;
    if text.get(whole) == Some(&b'0') && end > whole + 1 {
        return Err(Fault { at, what: faults::NUMBER });
    }
    if text.get(end) == Some(&b'.') {
        end = digits(text, end + 1)?;
    }
    if let Some(b'e' | b'E') = text.get(end) {
        end += 1;
        if let Some(b'+' | b'-') = text.get(end) {
            end += 1;
        }
        end = digits(text, end)?;
    }
    Ok(end)
}

fn digits(text: &[u8], at: usize) -> Result<usize, Fault> {
    let mut end = at;
    while text.get(end).is_some_and(u8::is_ascii_digit) {
        end += 1;
    }
    if end == at { Err(Fault { at, what: faults::DIGIT }) } else { Ok(end) }
}

/// The octet after the letters and digits that begin at `at`.
#[must_use]
pub fn word(text: &[u8], at: usize) -> usize {
    let mut end = at;
    while text.get(end).is_some_and(u8::is_ascii_alphanumeric) {
        end += 1;
    }
    end
}

/// The octet after a value that begins at `at`, whatever it is.
///
/// # Errors
/// It is not JSON, or nested deeper than [`MAX_NESTING`].
pub fn skip(text: &[u8], at: usize) -> Result<usize, Fault> {
    // The arrays (0) and objects (1) that are open, the innermost in the lowest bit.
    let mut open = 0u128;
    let mut depth = 0;
    let mut at = space(text, at);
    loop {
        let bracket = text.get(at).copied();
        match bracket {
            Some(b'[' | b'{') => {
                if depth == MAX_NESTING {
                    return Err(Fault { at, what: faults::LIMIT_DEPTH });
                }
                depth += 1;
                open = open << 1 | u128::from(bracket == Some(b'{'));
                at = space(text, at + 1);
                let close = if bracket == Some(b'{') { b'}' } else { b']' };
                if text.get(at) != Some(&close) {
                    at = member_name(text, at, open)?;
                    continue;
                }
                (depth, open) = (depth - 1, open >> 1);
                at += 1;
            }
            Some(b'"') => at = string(text, at)?.1,
            Some(b'-' | b'0'..=b'9') => at = number(text, at)?,
            Some(b'a'..=b'z' | b'A'..=b'Z') => at = literal(text, at)?,
            _ => return Err(Fault { at, what: faults::VALUE }),
        }
        loop {
            if depth == 0 {
                return Ok(at);
            }
            at = space(text, at);
            let object = open & 1 == 1;
            match text.get(at) {
                Some(b']') if !object => {}
                Some(b'}') if object => {}
                Some(b',') => {
                    at = member_name(text, space(text, at + 1), open)?;
                    break;
                }
                _ => {
                    let what = if object { faults::COMMA_OR_BRACE } else { faults::COMMA_OR_BRACKET };
                    return Err(Fault { at, what });
                }
            }
            (depth, open) = (depth - 1, open >> 1);
            at += 1;
        }
    }
}

/// Skips a member's name if the innermost open value is an object.
fn member_name(text: &[u8], at: usize, open: u128) -> Result<usize, Fault> {
    if open & 1 == 0 {
        return Ok(at);
    }
    if text.get(at) != Some(&b'"') {
        return Err(Fault { at, what: faults::MEMBER_NAME });
    }
    let at = space(text, string(text, at)?.1);
    if text.get(at) != Some(&b':') {
        return Err(Fault { at, what: faults::COLON });
    }
    Ok(space(text, at + 1))
}

fn literal(text: &[u8], at: usize) -> Result<usize, Fault> {
    let end = word(text, at);
    match text.get(at..end) {
        Some(b"null" | b"true" | b"false") => Ok(end),
        Some(b"NaN" | b"Infinity" | b"INF") => Err(Fault { at, what: faults::SPECIAL_NUMBER }),
        _ => Err(Fault { at, what: faults::WORD }),
    }
}
