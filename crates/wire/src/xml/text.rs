//! Text between tags, and attributes' values: characters with all that may stand for them.

use super::scan::{self, starts};
use super::{Fault, What};

/// Whether XML allows a character at all (XML 1.0 §2.2).
#[must_use]
pub const fn is_character(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// Reads characters up to a tag, or up to the quote that ends an attribute's value. References and CDATA sections are resolved, comments and processing instructions are left out.
#[derive(Clone, Copy, Debug)]
pub struct Characters<'a> {
    octets: &'a [u8],
    at: usize,
    /// The quote around an attribute's value.
    quote: Option<u8>,
    in_section: bool,
}

impl<'a> Characters<'a> {
    /// Text between tags, from octet `at` on.
    #[must_use]
    pub const fn of_text(octets: &'a [u8], at: usize) -> Self {
        Characters { octets, at, quote: None, in_section: false }
    }

    /// An attribute's value, from the octet after its quote on.
    #[must_use]
    pub const fn of_attribute(octets: &'a [u8], at: usize, quote: u8) -> Self {
        Characters { octets, at, quote: Some(quote), in_section: false }
    }

    /// Where the next character is, or the tag or quote that ends the text.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// The next character; `None` at the end.
    ///
    /// # Errors
    /// No UTF-8, a character or a reference that XML does not allow, or the input ends.
    pub fn read(&mut self) -> Result<Option<char>, Fault> {
        loop {
            let Some(first) = self.octets.get(self.at).copied() else { return Err(Fault::truncated(self.at)) };
            if self.in_section {
                if starts(self.octets, self.at, b"]]>") {
                    self.at += 3;
                    self.in_section = false;
                    continue;
                }
                return self.literal(first).map(Some);
            }
            match (first, self.quote) {
                (b'&', _) => return self.reference().map(Some),
                (b'<', None) if starts(self.octets, self.at, b"<![CDATA[") => {
                    self.at += 9;
                    self.in_section = true;
                }
                (b'<', None) if starts(self.octets, self.at, b"<!") || starts(self.octets, self.at, b"<?") => {
                    self.at = scan::comment_or_instruction(self.octets, self.at)?;
                }
                (b'<', None) => return Ok(None),
                (b'<', Some(_)) => return Err(Fault::malformed(self.at, "a tag in an attribute's value")),
                (b'>', None) if self.at >= 2 && starts(self.octets, self.at - 2, b"]]>") => {
                    return Err(Fault::malformed(self.at, "the end of a CDATA section that has not begun"));
                }
                (quote, Some(end)) if quote == end => return Ok(None),
                _ => return self.literal(first).map(Some),
            }
        }
    }

    #[inline]
    fn literal(&mut self, first: u8) -> Result<char, Fault> {
        if first.is_ascii() {
            let character = char::from(first);
            if !is_character(character) {
                return Err(Fault::malformed(self.at, "a control character"));
            }
            self.at += 1;
            return Ok(character);
        }
        let (character, next) = decode(self.octets, self.at)?;
        self.at = next;
        Ok(character)
    }

    /// A character reference or one of the five entities (XML 1.0 §4.1, §4.6).
    #[cold]
    fn reference(&mut self) -> Result<char, Fault> {
        let start = self.at;
        let rest = self.octets.get(start + 1..).unwrap_or_default();
        // The longest is `&#x10FFFF;`, with leading zeros a few more.
        let Some(end) = rest.iter().take(32).position(|octet| *octet == b';') else {
            let what = if rest.len() < 32 { What::Truncated } else { What::Malformed("an `&` without its `;`") };
            return Err(Fault { at: start, what });
        };
        let name = rest.get(..end).unwrap_or_default();
        let character = match name {
            b"amp" => Some('&'),
            b"lt" => Some('<'),
            b"gt" => Some('>'),
            b"quot" => Some('"'),
            b"apos" => Some('\''),
            [b'#', b'x', digits @ ..] => number(digits, 16),
            [b'#', digits @ ..] => number(digits, 10),
            _ => return Err(Fault::malformed(start, "a reference to an entity that XML does not have")),
        };
        match character.filter(|character| is_character(*character)) {
            Some(character) => {
                self.at = start + end + 2;
                Ok(character)
            }
            None => Err(Fault::malformed(start, "a reference to no character that XML allows")),
        }
    }
}

fn number(digits: &[u8], radix: u32) -> Option<char> {
    if digits.is_empty() {
        return None;
    }
    let code = digits.iter().try_fold(0u32, |code, digit| {
        let digit = char::from(*digit).to_digit(radix)?;
        code.checked_mul(radix)?.checked_add(digit)
    })?;
    char::from_u32(code)
}

/// A character beyond ASCII, and the offset of what follows it.
pub(super) fn decode(octets: &[u8], at: usize) -> Result<(char, usize), Fault> {
    let first = octets.get(at).copied().ok_or(Fault::truncated(at))?;
    let length = match first {
        0..=0x7f => 1,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Err(Fault::malformed(at, "not UTF-8")),
    };
    let Some(sequence) = octets.get(at..at + length) else { return Err(Fault::truncated(at)) };
    let character = core::str::from_utf8(sequence).ok().and_then(|text| text.chars().next());
    match character {
        Some(character) if is_character(character) => Ok((character, at + length)),
        Some(_) => Err(Fault::malformed(at, "a character that XML does not allow")),
        None => Err(Fault::malformed(at, "not UTF-8")),
    }
}
