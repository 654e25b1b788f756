//! Characters of XML.

use super::Fault;
use crate::faults::xml as faults;

/// Whether XML allows a character at all (XML 1.0 §2.2).
#[must_use]
pub const fn is_character(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// A character beyond ASCII, and the offset of what follows it.
pub(super) fn decode(octets: &[u8], at: usize) -> Result<(char, usize), Fault> {
    let first = octets.get(at).copied().ok_or(Fault::truncated(at))?;
    let length = match first {
        0..=0x7f => 1,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Err(Fault::malformed(at, faults::UTF8)),
    };
    let Some(sequence) = octets.get(at..at + length) else { return Err(Fault::truncated(at)) };
    let character = core::str::from_utf8(sequence).ok().and_then(|text| text.chars().next());
    match character {
        Some(character) if is_character(character) => Ok((character, at + length)),
        Some(_) => Err(Fault::malformed(at, faults::CHARACTER)),
        None => Err(Fault::malformed(at, faults::UTF8)),
    }
}
