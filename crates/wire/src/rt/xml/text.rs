//! Text between tags, and attribute values: characters, references and CDATA sections.

use super::character::{decode, is_character};
use super::scan::{comment_or_instruction, starts};
use super::{Fault, What};
use crate::faults::xml as faults;

/// Reads characters up to a tag, or up to the quote that ends an attribute's value. References and
/// CDATA sections are resolved, comments and processing instructions are left out.
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
                    self.at = comment_or_instruction(self.octets, self.at)?;
                }
                (b'<', None) => return Ok(None),
                (b'<', Some(_)) => return Err(Fault::malformed(self.at, faults::ATTRIBUTE_TAG)),
                (b'>', None) if self.at >= 2 && starts(self.octets, self.at - 2, b"]]>") => {
                    return Err(Fault::malformed(self.at, faults::CDATA_END));
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
                return Err(Fault::malformed(self.at, faults::CHARACTER_CONTROL));
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
        // The longest is `&#x10FFFF;`, or a few characters more with leading zeros.
        let Some(end) = rest.iter().take(32).position(|octet| *octet == b';') else {
            let what = if rest.len() < 32 { What::Truncated } else { What::Malformed(faults::REFERENCE) };
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
            _ => return Err(Fault::malformed(start, faults::REFERENCE_ENTITY)),
        };
        match character.filter(|character| is_character(*character)) {
            Some(character) => {
                self.at = start + end + 2;
                Ok(character)
            }
            None => Err(Fault::malformed(start, faults::REFERENCE_CHARACTER)),
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
