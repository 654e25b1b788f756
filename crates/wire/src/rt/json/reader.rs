//! Members and strings, read by straight-line code.

use crate::bits::BitWord;
use crate::data::{Data, Scalar, Shape};
use crate::error::Rejected;
use crate::rt::json::characters::Quoted;
use crate::rt::json::scan;
use crate::rt::text::{self, TextReader};

impl<'a> TextReader<'a> {
    /// Skips a member's name if it comes next, after a comma unless it is the first.
    #[inline]
    pub fn member<const N: usize>(&mut self, first: bool, name: &[u8; N]) -> bool {
        let start = self.at;
        if (first || self.accept(b",")) && self.accept(name) {
            return true;
        }
        self.at = start;
        false
    }

    /// Skips a value, and returns a reader that ends after it, for [`revisit`](Self::revisit).
    ///
    /// # Errors
    /// It is not JSON.
    #[inline]
    pub fn skip_value(&mut self) -> Result<Self, Rejected> {
        let end = scan::skip(self.input, self.at).map_err(|_| Rejected)?;
        let skipped = TextReader { input: self.input.get(..end).ok_or(Rejected)?, at: self.at };
        self.at = end;
        Ok(skipped)
    }

    /// Reads a name in quotes, and returns what is between the quotes, to be compared with names
    /// that need no escapes.
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

    /// Reads a string, checks its size and alphabet (pairs of first and last code; none allow any
    /// character), and passes on its pieces.
    ///
    /// # Errors
    /// It is not a string; another size, another character; a piece is refused.
    #[inline]
    pub fn take_string(
        &mut self,
        bounds: (u64, u64),
        alphabet: &[u32],
        mut take: impl FnMut(&str) -> bool,
    ) -> Result<(), Rejected> {
        let text = self.take_fitting(bounds, alphabet)?;
        let is_taken = if text.escaped { take_escaped(text, &mut take) } else { take(text.raw) };
        if is_taken { Ok(()) } else { Err(Rejected) }
    }

    fn take_fitting(&mut self, (lower, upper): (u64, u64), alphabet: &[u32]) -> Result<Quoted<'a>, Rejected> {
        let (text, end) = scan::string_if(self.input, self.at).ok_or(Rejected)?;
        let fits = match text.escaped {
            true => text::fit(text.characters(), lower, upper, alphabet),
            false => text::fits(text.raw, lower, upper, alphabet),
        };
        if !fits {
            return Err(Rejected);
        }
        self.at = end;
        Ok(text)
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

    /// Reads a bit string: its digits alone if all values have the same length, otherwise with its
    /// length.
    ///
    /// # Errors
    /// Another form, the size is not in the range, a bit past the last one is not zero, or the
    /// value has no room.
    pub fn take_bits(&mut self, value: &mut dyn Data, lower: u64, upper: u64) -> Result<(), Rejected> {
        let (digits, size) = if lower == upper {
            (self.take_digits()?, lower)
        } else {
            self.expect(b"{\"value\":")?;
            let digits = self.take_digits()?;
            self.expect(b",\"length\":")?;
            let size = self.take_unsigned()?;
            self.expect(b"}")?;
            (digits, size)
        };
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

#[cold]
fn take_escaped(text: Quoted<'_>, take: &mut dyn FnMut(&str) -> bool) -> bool {
    text.characters().all(|character| take(character.encode_utf8(&mut [0; 4])))
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
    fn skipped_values_are_read_whole_later() {
        for (text, is_whole) in [("12,7", true), ("12.5,7", false)] {
            let mut reader = TextReader::new(text.as_bytes());
            let skipped = reader.skip_value().unwrap();
            assert!(reader.accept(b",7"));
            let after = reader.revisit(skipped);
            assert_eq!(reader.take_unsigned(), Ok(12));
            assert_eq!(reader.resume(after).is_ok(), is_whole, "{text}");
            assert!(!is_whole || reader.at == text.len());
        }
        assert!(TextReader::new(b"[1,").skip_value().is_err());
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
    fn digits_alone_have_the_only_length() {
        let word = BitWord { value: 0x2a5, bits: 10 };
        let mut output = [0; 64];
        let mut writer = TextWriter::new(&mut output);
        writer.put_bits(Scalar::Word(word), 10, 10).unwrap();
        let end = writer.position();
        let text = core::str::from_utf8(&output[..end]).unwrap();
        assert_eq!((text, read(text, 10, 10)), (r#""A940""#, Some(word)));
        for wrong in [r#""A941""#, r#""A9""#, r#""A94000""#, r#"{"value":"A940","length":10}"#] {
            assert_eq!(read(wrong, 10, 10), None, "{wrong}");
        }
    }

    #[test]
    fn escapes_are_single_characters() {
        let read = |text: &str, bounds, alphabet: &[u32]| {
            let (mut reader, mut found) = (TextReader::new(text.as_bytes()), alloc::string::String::new());
            let taken = reader.take_string(bounds, alphabet, |piece| {
                found.push_str(piece);
                true
            });
            taken.ok().filter(|()| reader.at == text.len()).map(|()| found)
        };
        let any = (0, u64::MAX);
        assert_eq!(read(r#""a\n\u00e9\ud83d\ude80""#, (4, 4), &[]).as_deref(), Some("a\n\u{e9}\u{1f680}"));
        assert_eq!(read(r#""a\n""#, any, &[97, 122]), None);
        assert_eq!(read(r#""a\n""#, (3, 9), &[]), None);
        assert_eq!(read(r#""plain""#, (5, 5), &[97, 122]).as_deref(), Some("plain"));
        for wrong in [r#""a\x""#, r#""a"#, r#""\ud83d""#, "\"a\n\"", "a"] {
            assert_eq!(read(wrong, any, &[]), None, "{wrong}");
        }
        assert!(TextReader::new(br#""a\nb""#).take_string(any, &[], |piece| piece != "b").is_err());
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
