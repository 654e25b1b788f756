//! Object identifiers as decimal numbers with dots between them; in memory they are contents octets
//! (X.690 §8.19, §8.20).

use crate::error::Rejected;
use crate::rt::is_oid;
#[cfg(feature = "alloc")]
use crate::rt::push_subidentifier;
use crate::rt::text::TextWriter;

impl TextWriter<'_> {
    /// Writes an object identifier, or a relative one, whose numbers have up to 63 bits.
    ///
    /// # Errors
    /// The output is full, the contents octets are not those of an object identifier, or a number
    /// has more bits.
    pub fn put_arcs(&mut self, contents: &[u8], is_relative: bool) -> Result<(), Rejected> {
        if !is_oid(contents) {
            return Err(Rejected);
        }
        let (mut number, mut is_first) = (0u64, true);
        for octet in contents {
            if number >> 56 != 0 {
                return Err(Rejected);
            }
            number = number << 7 | u64::from(octet & 0x7f);
            if octet & 0x80 != 0 {
                continue;
            }
            if !is_first {
                self.put(b".")?;
            } else if !is_relative {
                // The first two numbers are one (§8.19.4).
                let top = (number / 40).min(2);
                self.put_unsigned(top)?;
                self.put(b".")?;
                number -= 40 * top;
            }
            self.put_unsigned(number)?;
            (number, is_first) = (0, false);
        }
        Ok(())
    }
}

/// The most digits of a number: it has less than 64 bits, also with what is added to it.
#[cfg(feature = "alloc")]
const MOST_DIGITS: usize = 19;

/// Fills contents octets from numbers with dots between them, as encoders write them.
///
/// # Errors
/// Another form, a number of more than 19 digits, or an object identifier that cannot be.
#[cfg(feature = "alloc")]
pub fn fill_arcs(text: &[u8], is_relative: bool, contents: &mut alloc::vec::Vec<u8>) -> Result<(), Rejected> {
    contents.clear();
    let (mut count, mut top) = (0u32, 0u64);
    for digits in text.split(|octet| *octet == b'.') {
        let is_padded = digits.len() > 1 && digits.first() == Some(&b'0');
        if digits.is_empty() || digits.len() > MOST_DIGITS || is_padded || !digits.iter().all(u8::is_ascii_digit) {
            return Err(Rejected);
        }
        let number = digits.iter().fold(0u64, |number, digit| number * 10 + u64::from(digit & 15));
        count = count.saturating_add(1);
        let number = match (is_relative, count) {
            (false, 1) if number <= 2 => {
                top = number;
                continue;
            }
            (false, 1) => return Err(Rejected),
            (false, 2) if top < 2 && number >= 40 => return Err(Rejected),
            (false, 2) => number + 40 * top,
            _ => number,
        };
        push_subidentifier(contents, number.into());
    }
    if count < 2 && !is_relative { Err(Rejected) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;

    fn text(contents: &[u8], is_relative: bool) -> Option<String> {
        let mut output = [0; 80];
        let mut writer = TextWriter::new(&mut output);
        writer.put_arcs(contents, is_relative).ok()?;
        let end = writer.position();
        String::from_utf8(output[..end].to_vec()).ok()
    }

    fn contents(text: &str, is_relative: bool) -> Option<Vec<u8>> {
        let mut contents = alloc::vec![7];
        fill_arcs(text.as_bytes(), is_relative, &mut contents).ok().map(|()| contents)
    }

    #[test]
    fn numbers_there_and_back() {
        for (numbers, is_relative) in [
            ("1.2.840.113549", false),
            ("2.999", false),
            ("0.39", false),
            ("2.999999999999999999.0", false),
            ("1.2.9223372036854775807", false),
            ("5", true),
            ("0.127.128.999999999999999999", true),
        ] {
            let contents = contents(numbers, is_relative).unwrap();
            assert_eq!(text(&contents, is_relative).as_deref(), Some(numbers));
        }
        assert_eq!(contents("1.2.840", false).as_deref(), Some(&[0x2a, 0x86, 0x48][..]));
    }

    #[test]
    fn other_texts_and_octets_are_left_to_the_interpreter() {
        let wrong = ["", "1", "3.1", "1.40", "1..2", "1.02", "a.b", "1.2.", "1.2.-3", "1.2.10000000000000000000"];
        for wrong in wrong {
            assert_eq!(contents(wrong, false), None, "{wrong}");
        }
        assert_eq!(contents("", true), None);
        let widest = [0x2a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
        assert_eq!(text(&widest, false).as_deref(), Some("1.2.9223372036854775807"));
        for wrong in
            [&[][..], &[0x2a, 0x80, 1], &[0x2a, 0x86], &[0x2a, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0]]
        {
            assert_eq!(text(wrong, false), None, "{wrong:02x?}");
        }
    }
}
