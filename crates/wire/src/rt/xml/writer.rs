//! Elements and their text, written by straight-line code.

use super::{canonical_reference, control_element, element, is_character, reference};
use crate::data::Scalar;
use crate::error::Rejected;
use crate::rt::text::{TextWriter, octet_of};

impl TextWriter<'_> {
    /// Ends an element whose start tag ends at octet `start`: with its end tag, or as an empty
    /// element if nothing has been written since.
    ///
    /// # Errors
    /// The output is full.
    #[inline]
    pub fn close_element<const N: usize>(&mut self, start: usize, end_tag: &[u8; N]) -> Result<(), Rejected> {
        if self.at != start {
            return self.put(end_tag);
        }
        self.at = start.saturating_sub(1);
        self.put(b"/>")
    }

    /// Writes octets as hexadecimal digits (X.693 §9.4).
    ///
    /// # Errors
    /// The output is full.
    #[inline]
    pub fn put_octet_digits(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        let count = octets.len() * 2;
        let Some(digits) = self.output.get_mut(self.at..self.at + count) else { return Err(Rejected) };
        for (place, octet) in digits.chunks_exact_mut(2).zip(octets) {
            place.copy_from_slice(&octet_of(*octet));
        }
        self.at += count;
        Ok(())
    }

    /// Writes the octets of an open type: an element as it is, anything else as hexadecimal digits.
    ///
    /// # Errors
    /// The output is full, or the element is not UTF-8.
    pub fn put_open(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        if octets.first() != Some(&b'<') || element(octets, 0) != Ok(octets.len()) {
            return self.put_octet_digits(octets);
        }
        core::str::from_utf8(octets).map_err(|_| Rejected)?;
        self.put_slice(octets)
    }

    /// Writes the lowest `count` bits of a word as digits 0 and 1 (X.680 §22.17).
    ///
    /// # Errors
    /// The output is full.
    #[inline]
    pub fn put_bit_digits(&mut self, word: u64, count: u32) -> Result<(), Rejected> {
        let Some(digits) = self.output.get_mut(self.at..self.at + count as usize) else { return Err(Rejected) };
        for (place, digit) in digits.iter_mut().rev().enumerate() {
            *digit = b'0' + (word >> place & 1) as u8;
        }
        self.at += count as usize;
        Ok(())
    }

    /// Writes a bit string as digits 0 and 1. If `is_trimmed`, trailing zero bits have no meaning:
    /// those beyond the lower bound are left out, and missing ones are added (X.680 §22.7).
    ///
    /// # Errors
    /// The output is full, or the size is not in the range.
    pub fn put_any_bit_digits(
        &mut self,
        value: Scalar<'_>,
        lower: u64,
        upper: u64,
        is_trimmed: bool,
    ) -> Result<(), Rejected> {
        let word;
        let (octets, mut bits) = match value {
            Scalar::Word(found) => {
                word = found.to_octets();
                (&word[..], usize::from(found.bits.min(64)))
            }
            Scalar::Bits(octets, bits) if bits.div_ceil(8) <= octets.len() => (octets, bits),
            _ => return Err(Rejected),
        };
        let is_one = |at: usize| octets.get(at / 8).is_some_and(|octet| octet >> (7 - at % 8) & 1 == 1);
        if is_trimmed {
            let used = (0..bits).rev().find(|at| is_one(*at)).map_or(0, |last| last + 1);
            bits = used.max(usize::try_from(lower).map_err(|_| Rejected)?);
        }
        if !(lower..=upper).contains(&(bits as u64)) {
            return Err(Rejected);
        }
        let digits = self.output.get_mut(self.at..).and_then(|rest| rest.get_mut(..bits)).ok_or(Rejected)?;
        for (at, digit) in digits.iter_mut().enumerate() {
            *digit = b'0' + u8::from(is_one(at));
        }
        self.at += bits;
        Ok(())
    }

    /// Writes characters, with references and empty elements for those that must be escaped (X.680
    /// §12.15).
    ///
    /// # Errors
    /// A character is not allowed in XML; the output is full.
    pub fn put_characters(&mut self, text: &str) -> Result<(), Rejected> {
        self.put_with_references(text, reference)
    }

    /// As [`TextWriter::put_characters`], in canonical XER.
    ///
    /// # Errors
    /// A character is not allowed in XML; the output is full.
    pub fn put_canonical_characters(&mut self, text: &str) -> Result<(), Rejected> {
        self.put_with_references(text, canonical_reference)
    }

    #[inline(always)]
    fn put_with_references(
        &mut self,
        text: &str,
        reference: impl Fn(char) -> Option<&'static str>,
    ) -> Result<(), Rejected> {
        let mut rest = text;
        loop {
            let special = |character: &char| !is_character(*character) || reference(*character).is_some();
            let Some((at, character)) = rest.char_indices().find(|(_, character)| special(character)) else {
                return self.put_slice(rest.as_bytes());
            };
            self.put_slice(rest.get(..at).unwrap_or("").as_bytes())?;
            if let Some(reference) = reference(character) {
                self.put_slice(reference.as_bytes())?;
            } else {
                let name = control_element(character).ok_or(Rejected)?;
                self.put(b"<")?;
                self.put_slice(name.as_bytes())?;
                self.put(b"/>")?;
            }
            rest = rest.get(at + character.len_utf8()..).unwrap_or("");
        }
    }
}
