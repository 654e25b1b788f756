//! Members and strings, read by straight-line code.

use crate::bits::BitWord;
use crate::data::{Data, Scalar, Shape};
use crate::error::Rejected;
use crate::rt::json::characters::Quoted;
use crate::rt::json::scan;
use crate::rt::text::{self, TextReader};

impl<'a> TextReader<'a> {
    /// Skips a member's name if it comes next, with a comma in front of it unless it is the first.
    #[inline]
    pub fn member<const N: usize>(&mut self, first: bool, name: &[u8; N]) -> bool {
        let start = self.at;
        if (first || self.accept(b",")) && self.accept(name) {
            return true;
        }
        self.at = start;
        false
    }

    /// Reads a name in quotes, and returns what is between the quotes, to be compared with names that need no escapes.
    ///
    /// # Errors
    /// It is not a string, or does not end.
    #[inline]
    pub fn take_name(&mut self) -> Result<&'a [u8], Rejected> {
        self.expect(b"\"")?;
        let rest = self.rest();
        let length = rest.iter().position(|octet| *octet == b'"').ok_or(Rejected)?;
        self.at += length + 1;
        Ok(rest.get(..length).unwrap_or(&[]))
    }

    /// Reads a string without escapes.
    ///
    /// # Errors
    /// It is not a string, or has escapes.
    pub fn take_string(&mut self) -> Result<&'a str, Rejected> {
        self.input.get(self.at).filter(|octet| **octet == b'"').ok_or(Rejected)?;
        match scan::string(self.input, self.at) {
            Ok((Quoted { raw, escaped: false }, end)) => {
                self.at = end;
                Ok(raw)
            }
            _ => Err(Rejected),
        }
    }

    /// The hexadecimal digits of a string.
    ///
    /// # Errors
    /// It is not a string.
    #[inline]
    pub fn take_digits(&mut self) -> Result<&'a [u8], Rejected> {
        self.take_name()
    }

    /// Fills octets from the hexadecimal digits of a string.
    ///
    /// # Errors
    /// They are not hexadecimal digits, or not two for each octet.
    #[inline]
    pub fn fill(&mut self, octets: &mut [u8]) -> Result<(), Rejected> {
        let digits = self.take_digits()?;
        text::fill(digits, octets)
    }

    /// Reads a bit string whose length is not the same in all values, with its length.
    ///
    /// # Errors
    /// Another form, the size is not in the range, a bit past the last one is not zero, or the value has no room.
    pub fn take_bits(&mut self, value: &mut dyn Data, lower: u64, upper: u64) -> Result<(), Rejected> {
        self.expect(b"{\"value\":")?;
        let digits = self.take_digits()?;
        self.expect(b",\"length\":")?;
        let size = self.take_unsigned()?;
        self.expect(b"}")?;
        let count = digits.len() / 2;
        if !(lower..=upper).contains(&size) || size.div_ceil(8) != count as u64 {
            return Err(Rejected);
        }
        // No more bits than there are digits for.
        let bits = size as usize;
        let unused = (1u8 << (count * 8 - bits)) - 1;
        if bits <= 64 {
            let mut octets = [0; 8];
            text::fill(digits, octets.get_mut(..count).ok_or(Rejected)?)?;
            if octets.get(count.wrapping_sub(1)).is_some_and(|last| last & unused != 0) {
                return Err(Rejected);
            }
            if BitWord::from_octets(&octets, bits).is_some_and(|word| value.set(Scalar::Word(word))) {
                return Ok(());
            }
        }
        if !value.begin(Shape::Bits) {
            return Err(Rejected);
        }
        let place = value.extend_bits(bits).ok_or(Rejected)?;
        text::fill(digits, place)?;
        if place.last().is_some_and(|last| last & unused != 0) { Err(Rejected) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rt::text::TextWriter;

    fn read(text: &str, lower: u64, upper: u64) -> Option<BitWord> {
        let (mut reader, mut word) = (TextReader::new(text.as_bytes()), BitWord::default());
        reader.take_bits(&mut word, lower, upper).ok()?;
        (reader.at == text.len()).then_some(word)
    }

    #[test]
    fn bits_come_back() {
        for bits in 0..=64 {
            let word = BitWord { value: if bits == 0 { 0 } else { 0xfedc_ba98_7654_3210 >> (64 - bits) }, bits };
            let mut output = [0; 64];
            let mut writer = TextWriter::new(&mut output);
            writer.put_bits(Scalar::Word(word), 0, 64).unwrap();
            let end = writer.position();
            assert_eq!(read(core::str::from_utf8(&output[..end]).unwrap(), 0, 64), Some(word));
        }
    }

    #[test]
    fn only_what_is_written_is_read() {
        assert_eq!(read(r#"{"value":"A0","length":4}"#, 0, 8), Some(BitWord { value: 10, bits: 4 }));
        assert_eq!(read(r#"{"value":"A0","length":3}"#, 0, 8), Some(BitWord { value: 5, bits: 3 }));
        for (wrong, lower) in [
            (r#"{"value":"A0","length":2}"#, 0),
            (r#"{"value":"A0","length":4}"#, 5),
            (r#"{"value":"A0","length":9}"#, 0),
            (r#"{"value":"A000","length":8}"#, 0),
            (r#"{"value":"A","length":4}"#, 0),
            (r#"{"value":"A00","length":4}"#, 0),
            (r#"{"value":"","length":18446744073709551615}"#, 0),
            (r#"{"value":"x0","length":4}"#, 0),
            (r#"{"length":4,"value":"A0"}"#, 0),
            (r#""A0""#, 0),
        ] {
            assert_eq!(read(wrong, lower, 64), None, "{wrong}");
        }
    }
}
