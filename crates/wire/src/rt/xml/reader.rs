//! Elements and their text, read by straight-line code.

use super::{Characters, control_character, element, is_character};
use crate::bits::BitWord;
use crate::data::{Data, Scalar, Shape};
use crate::error::Rejected;
use crate::parts::fill_leaf;
use crate::rt::text::{TextReader, fill, fits};

impl<'a> TextReader<'a> {
    /// Skips `<name` if it comes next and the name ends there.
    #[inline]
    pub fn accept_tag<const N: usize>(&mut self, start: &[u8; N]) -> bool {
        let before = self.at;
        if self.accept(start) && matches!(self.rest(), [b'>' | b'/', ..]) {
            return true;
        }
        self.at = before;
        false
    }

    /// Ends a start tag. After an empty element's tag, this reader has nothing more to read, and a
    /// reader of what follows is returned.
    ///
    /// # Errors
    /// It does not end here.
    #[inline]
    pub fn enter(&mut self) -> Result<Option<Self>, Rejected> {
        if self.accept(b">") {
            return Ok(None);
        }
        self.expect(b"/>")?;
        Ok(Some(core::mem::take(self)))
    }

    /// Skips an element's end tag. After an empty element, which has no end tag, continues with
    /// what follows.
    ///
    /// # Errors
    /// It does not come next.
    #[inline]
    pub fn leave<const N: usize>(&mut self, after: Option<Self>, end_tag: &[u8; N]) -> Result<(), Rejected> {
        match after {
            None => self.expect(end_tag),
            Some(after) if self.rest().is_empty() => {
                *self = after;
                Ok(())
            }
            Some(_) => Err(Rejected),
        }
    }

    /// Whether the enclosing element ends here.
    #[inline]
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        matches!(self.rest(), [] | [b'<', b'/', ..])
    }

    /// The octets up to the next tag, to be compared with words that need no references.
    #[inline]
    pub fn take_word(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().position(|octet| *octet == b'<').unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or(&[])
    }

    /// Reads the octets of an open type: an element, whose text they are, or hexadecimal digits.
    ///
    /// # Errors
    /// It is neither, or the value has no room.
    pub fn take_open(&mut self, value: &mut dyn Data) -> Result<(), Rejected> {
        if !matches!(self.rest(), [b'<', next, ..] if *next != b'/') {
            if !value.begin(Shape::Octets) {
                return Err(Rejected);
            }
            let digits = self.take_word();
            return fill(digits, value.extend_octets(digits.len() / 2).ok_or(Rejected)?);
        }
        let end = element(self.input, self.at).map_err(|_| Rejected)?;
        let text = self.input.get(self.at..end).ok_or(Rejected)?;
        self.at = end;
        fill_leaf(value, Scalar::Octets(text))
    }

    /// The name of an empty element, which comes next.
    ///
    /// # Errors
    /// Something else does.
    #[inline]
    pub fn take_empty(&mut self) -> Result<&'a [u8], Rejected> {
        self.expect(b"<")?;
        let rest = self.rest();
        let length = rest.iter().position(|octet| matches!(octet, b'/' | b'<' | b'>')).ok_or(Rejected)?;
        self.at += length;
        self.expect(b"/>")?;
        Ok(rest.get(..length).unwrap_or(&[]))
    }

    /// Reads `<true/>` or `<false/>`.
    ///
    /// # Errors
    /// It is neither.
    #[inline]
    pub fn take_truth_element(&mut self) -> Result<bool, Rejected> {
        if self.accept(b"<true/>") {
            return Ok(true);
        }
        self.expect(b"<false/>")?;
        Ok(false)
    }

    /// Reads exactly `count` digits 0 and 1, up to 64, the first the highest bit.
    ///
    /// # Errors
    /// Others come next.
    #[inline]
    pub fn take_bit_digits(&mut self, count: usize) -> Result<u64, Rejected> {
        let word = word_of_digits(self.rest().get(..count).ok_or(Rejected)?)?;
        self.at += count;
        Ok(word)
    }

    /// Reads a bit string from digits 0 and 1. If `is_trimmed`, trailing zero bits have no meaning:
    /// those beyond the lower bound are left out, and missing ones are added (X.680 §22.7).
    ///
    /// # Errors
    /// Others come next, the size is not in the range, or the value has no room.
    pub fn take_any_bit_digits(
        &mut self,
        value: &mut dyn Data,
        lower: u64,
        upper: u64,
        is_trimmed: bool,
    ) -> Result<(), Rejected> {
        let digits = self.take_word();
        if !digits.iter().all(|digit| matches!(digit, b'0' | b'1')) {
            return Err(Rejected);
        }
        let mut bits = digits.len() as u64;
        if is_trimmed {
            let used = digits.iter().rposition(|digit| *digit == b'1').map_or(0, |last| last as u64 + 1);
            bits = used.max(lower);
        }
        if !(lower..=upper).contains(&bits) || bits > digits.len() as u64 + MOST_ADDED {
            return Err(Rejected);
        }
        let bits = bits as usize;
        let digits = digits.get(..bits).unwrap_or(digits);
        if bits <= 64 {
            let word = word_of_digits(digits)?.checked_shl((bits - digits.len()) as u32).unwrap_or(0);
            if value.set(Scalar::Word(BitWord { value: word, bits: bits as u8 })) {
                return Ok(());
            }
        }
        if !value.begin(Shape::Bits) {
            return Err(Rejected);
        }
        let place = value.extend_bits(bits).ok_or(Rejected)?;
        place.fill(0);
        for (octet, digits) in place.iter_mut().zip(digits.chunks(8)) {
            *octet = digits.iter().rev().fold(0, |octet, digit| octet >> 1 | (digit & 1) << 7);
        }
        Ok(())
    }

    /// Reads an element's text, checks its size and alphabet (pairs of first and last code; none
    /// allow any character), and passes on its pieces.
    ///
    /// # Errors
    /// Another size, another character, or something other than text; a piece is refused.
    pub fn take_characters(
        &mut self,
        (lower, upper): (u64, u64),
        alphabet: &[u32],
        mut take: impl FnMut(&str) -> bool,
    ) -> Result<(), Rejected> {
        let start = self.at;
        let text = core::str::from_utf8(self.take_word()).map_err(|_| Rejected)?;
        // `>` may be the end of a CDATA section that has not begun.
        let is_plain = text.chars().all(|character| is_character(character) && !matches!(character, '&' | '>'));
        if is_plain && self.is_at_end() {
            return if fits(text, lower, upper, alphabet) && take(text) { Ok(()) } else { Err(Rejected) };
        }
        let mut characters = Characters::of_text(self.input, start);
        let mut size = 0;
        while let Some(character) = self.take_character(&mut characters)? {
            size += 1;
            let mut place = [0; 4];
            let piece = &*character.encode_utf8(&mut place);
            if size > upper || !fits(piece, 1, 1, alphabet) || !take(piece) {
                return Err(Rejected);
            }
        }
        if lower <= size { Ok(()) } else { Err(Rejected) }
    }

    /// The next character of an element's text, as itself, by a reference, in a CDATA section, or
    /// by an empty element; `None` at the end.
    #[cold]
    fn take_character(&mut self, text: &mut Characters<'a>) -> Result<Option<char>, Rejected> {
        let character = text.read().map_err(|_| Rejected)?;
        self.at = text.position();
        if character.is_some() || self.is_at_end() {
            return Ok(character);
        }
        let character = control_character(self.take_empty()?).ok_or(Rejected)?;
        *text = Characters::of_text(self.input, self.at);
        Ok(Some(character))
    }
}

/// The most zero bits that are added to a bit string.
const MOST_ADDED: u64 = 1 << 12;

/// Fills a bit string from its digits, of which there are up to 64.
///
/// # Errors
/// Another number of digits, or other digits than 0 and 1.
pub fn fill_word(digits: &[u8], count: core::ops::RangeInclusive<u64>, word: &mut BitWord) -> Result<(), Rejected> {
    let bits = u8::try_from(digits.len()).map_err(|_| Rejected)?;
    if bits > 64 || !count.contains(&u64::from(bits)) {
        return Err(Rejected);
    }
    *word = BitWord { value: word_of_digits(digits)?, bits };
    Ok(())
}

#[inline]
fn word_of_digits(digits: &[u8]) -> Result<u64, Rejected> {
    let (mut word, mut wrong) = (0u64, 0);
    for digit in digits {
        let bit = digit ^ b'0';
        wrong |= bit;
        word = word << 1 | u64::from(bit & 1);
    }
    if wrong > 1 { Err(Rejected) } else { Ok(word) }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::OctetString;
    use crate::rt::text::TextWriter;

    #[test]
    fn open_types_are_elements_or_digits() {
        for (text, octets) in
            [("C0FF", &[0xc0, 0xff][..]), ("", &[]), ("<a><b c='1'/>x</a>", b"<a><b c='1'/>x</a>"), ("3C61", b"<a")]
        {
            let whole = alloc::format!("{text}</v>");
            let (mut reader, mut value) = (TextReader::new(whole.as_bytes()), OctetString::default());
            reader.take_open(&mut value).unwrap();
            assert_eq!(reader.accept(b"</v>").then_some(value.0.as_slice()), Some(octets), "{text}");
            let mut output = [0; 40];
            let mut writer = TextWriter::new(&mut output);
            writer.put_open(octets).unwrap();
            let end = writer.position();
            assert_eq!(&output[..end], text.as_bytes());
        }
        for wrong in ["<a>", "C", "xy</v>", "<a></b></v>"] {
            let mut reader = TextReader::new(wrong.as_bytes());
            assert!(reader.take_open(&mut OctetString::default()).is_err(), "{wrong}");
        }
    }
}
