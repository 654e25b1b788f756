//! White space, comments, processing instructions and names.

use super::Fault;
use super::character::{decode, is_character};
use crate::faults::xml as faults;

/// Whether these octets are at `at`.
#[inline]
pub(super) fn starts(octets: &[u8], at: usize, with: &[u8]) -> bool {
    octets.get(at..).is_some_and(|rest| rest.starts_with(with))
}

/// Skips white space.
#[inline]
#[must_use]
pub fn space(octets: &[u8], at: usize) -> usize {
    let rest = octets.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|octet| matches!(octet, b' ' | b'\t' | b'\n' | b'\r')).count()
}

/// Skips white space, comments and processing instructions.
///
/// # Errors
/// One of them is not well-formed; a document type declaration; a CDATA section.
#[inline]
pub fn misc(octets: &[u8], at: usize) -> Result<usize, Fault> {
    let mut at = space(octets, at);
    while let [b'<', b'!' | b'?', ..] = octets.get(at..).unwrap_or_default() {
        at = space(octets, comment_or_instruction(octets, at)?);
    }
    Ok(at)
}

/// Skips a comment or a processing instruction.
pub(super) fn comment_or_instruction(octets: &[u8], start: usize) -> Result<usize, Fault> {
    if starts(octets, start, b"<!--") {
        let end = find(octets, start + 4, b"--")?;
        return match octets.get(end + 2) {
            Some(b'>') => Ok(end + 3),
            Some(_) => Err(Fault::malformed(end, faults::COMMENT)),
            None => Err(Fault::truncated(end)),
        };
    }
    if starts(octets, start, b"<?") {
        let (name, after) = name(octets, start + 2)?;
        if name.eq_ignore_ascii_case(b"xml") {
            return Err(Fault::malformed(start, faults::DECLARATION_PLACE));
        }
        if starts(octets, after, b"?>") {
            return Ok(after + 2);
        }
        if space(octets, after) == after {
            return Err(cut_or(octets, after, b"?>", faults::INSTRUCTION));
        }
        return Ok(find(octets, after, b"?>")? + 2);
    }
    let what = if starts(octets, start, b"<!DOCTYPE") {
        faults::DOCTYPE
    } else if starts(octets, start, b"<![CDATA[") {
        faults::CDATA_PLACE
    } else {
        faults::DECLARATION_OTHER
    };
    let rest = octets.get(start..).unwrap_or_default();
    if b"<!--".starts_with(rest) || b"<![CDATA[".starts_with(rest) {
        return Err(Fault::truncated(octets.len()));
    }
    Err(cut_or(octets, start, b"<!DOCTYPE", what))
}

/// Finds `end`; all characters before it must be allowed in XML.
fn find(octets: &[u8], from: usize, end: &[u8]) -> Result<usize, Fault> {
    let rest = octets.get(from..).unwrap_or_default();
    let length = rest.windows(end.len()).position(|window| window == end).ok_or(Fault::truncated(octets.len()))?;
    let text = rest.get(..length).unwrap_or_default();
    match core::str::from_utf8(text) {
        Ok(text) => match text.char_indices().find(|(_, character)| !is_character(*character)) {
            None => Ok(from + length),
            Some((at, _)) => Err(Fault::malformed(from + at, faults::CHARACTER)),
        },
        Err(error) => Err(Fault::malformed(from + error.valid_up_to(), faults::UTF8)),
    }
}

/// The fault for a missing `wanted`: truncated if the input ends inside it, otherwise `what`.
pub(super) fn cut_or(octets: &[u8], at: usize, wanted: &[u8], what: crate::faults::Fault) -> Fault {
    let rest = octets.get(at..).unwrap_or_default();
    if wanted.starts_with(rest) && rest.len() < wanted.len() {
        Fault::truncated(octets.len())
    } else {
        Fault::malformed(at, what)
    }
}

/// Reads a name (XML 1.0 §2.3), and returns it with its end.
///
/// # Errors
/// There is none.
#[inline]
pub fn name(octets: &[u8], start: usize) -> Result<(&[u8], usize), Fault> {
    let rest = octets.get(start..).unwrap_or_default();
    let plain = rest
        .iter()
        .take_while(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b'-' | b'.' | b':'))
        .count();
    let mut end = start + plain;
    while octets.get(end).is_some_and(|octet| !octet.is_ascii()) {
        end = beyond_ascii(octets, end, end == start)?;
    }
    match octets.get(start) {
        None => Err(Fault::truncated(start)),
        Some(b'-' | b'.' | b'0'..=b'9') => Err(Fault::malformed(start, faults::NAME)),
        Some(_) if end == start => Err(Fault::malformed(start, faults::NAME)),
        // A name at the end of the input may go on in octets that are still missing.
        Some(_) if end == octets.len() => Err(Fault::truncated(end)),
        Some(_) => Ok((octets.get(start..end).unwrap_or_default(), end)),
    }
}

/// Skips a name's character beyond ASCII, and the ASCII characters after it.
#[cold]
fn beyond_ascii(octets: &[u8], at: usize, is_first: bool) -> Result<usize, Fault> {
    let (character, next) = decode(octets, at)?;
    if is_first && matches!(character, '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}') {
        return Err(Fault::malformed(at, faults::NAME));
    }
    let allowed = matches!(character,
        '\u{b7}' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{37d}' | '\u{37f}'..='\u{1fff}'
        | '\u{200c}'..='\u{200d}' | '\u{203f}'..='\u{2040}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}'
        | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}');
    if !allowed {
        return Err(Fault::malformed(at, faults::NAME_CHARACTER));
    }
    let rest = octets.get(next..).unwrap_or_default();
    let plain = rest
        .iter()
        .take_while(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b'-' | b'.' | b':'))
        .count();
    Ok(next + plain)
}
