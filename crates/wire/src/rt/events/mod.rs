//! Characters by their code points, each in groups of seven bits (EXI §7.1.10). An ASCII character
//! is one octet, and most strings have no others.

#[cfg(feature = "alloc")]
mod arcs;
mod bits;
mod number;
mod strings;

#[cfg(feature = "alloc")]
use alloc::string::String;

use crate::error::Rejected;
use crate::list::{Text, fill_text};
use crate::reader::Reader;
use crate::rt::varint;
use crate::writer::Writer;

#[cfg(feature = "alloc")]
pub use arcs::{Arcs, has_wide_arc, put_arcs, take_arcs};
#[cfg(feature = "alloc")]
pub use bits::take_bits;
pub use bits::{Form, put_bits, take_word};
pub use number::{decimal, nearest, put_integer, put_real, take_integer, take_real, take_wide};
#[cfg(feature = "alloc")]
pub use strings::{Index, Places};
pub use strings::{Place, Read, Reference, Written, width};

/// Whether a character is in an alphabet, given as pairs of first and last code; an empty alphabet
/// has all characters.
#[inline]
#[must_use]
pub fn is_in(alphabet: &[u32], code: u32) -> bool {
    alphabet.is_empty() || alphabet.chunks_exact(2).any(|range| range[0] <= code && code <= range[1])
}

/// Writes characters.
///
/// # Errors
/// The output is full; a character outside the alphabet.
pub fn put(writer: &mut Writer<'_>, text: &str, alphabet: &[u32]) -> Result<(), Rejected> {
    if !text.chars().all(|character| is_in(alphabet, character.into())) {
        return Err(Rejected);
    }
    if text.is_ascii() {
        return writer.put_octets(text.as_bytes());
    }
    text.chars().try_for_each(|character| varint::put(writer, u32::from(character).into()))
}

/// Reads `count` characters.
///
/// # Errors
/// Past the end; a character that does not exist, or is outside the alphabet; more than there is
/// room for.
pub fn take<const N: usize>(
    reader: &mut Reader<'_>,
    count: usize,
    alphabet: &[u32],
    into: &mut Text<N>,
) -> Result<(), Rejected> {
    let mut buffer = [0; N];
    let octets = buffer.get_mut(..count).ok_or(Rejected)?;
    let mut ahead = *reader;
    ahead.take_octets(octets)?;
    if octets.is_ascii() && octets.iter().all(|octet| is_in(alphabet, (*octet).into())) {
        *reader = ahead;
        return fill_text(into, octets);
    }
    into.clear();
    each(reader, count, alphabet, |character| into.try_push(character).map_err(|_| Rejected))
}

/// Reads `count` characters.
///
/// # Errors
/// Past the end; a character that does not exist, or is outside the alphabet.
#[cfg(feature = "alloc")]
pub fn take_string(reader: &mut Reader<'_>, count: usize, alphabet: &[u32], into: &mut String) -> Result<(), Rejected> {
    // Before any memory is allocated.
    reader.need(count.saturating_mul(8))?;
    into.clear();
    each(reader, count, alphabet, |character| {
        into.push(character);
        Ok(())
    })
}

fn each(
    reader: &mut Reader<'_>,
    count: usize,
    alphabet: &[u32],
    mut push: impl FnMut(char) -> Result<(), Rejected>,
) -> Result<(), Rejected> {
    for _ in 0..count {
        let code = u32::try_from(varint::take(reader)?).map_err(|_| Rejected)?;
        push(char::from_u32(code).filter(|_| is_in(alphabet, code)).ok_or(Rejected)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for (text, alphabet) in [("", &[][..]), ("GO", &[65, 90]), ("Grüße, 道路", &[]), ("道路", &[0x4e00, 0x9fff])]
        {
            for before in 0..8 {
                let mut output = [0; 40];
                let mut writer = Writer::new(&mut output);
                writer.put(0, before).unwrap();
                put(&mut writer, text, alphabet).unwrap();
                let octets = writer.finish().unwrap();
                let count = text.chars().count();
                let (mut inline, mut string) = (Text::<24>::new(), String::new());
                let mut reader = Reader::new(&output[..octets]);
                reader.take(before).unwrap();
                let mut other = reader;
                assert_eq!(take(&mut reader, count, alphabet, &mut inline), Ok(()));
                assert_eq!(take_string(&mut other, count, alphabet, &mut string), Ok(()));
                assert_eq!((&*inline, &*string), (text, text));
                assert_eq!(reader.position(), other.position());
                let mut cut = Reader::new(&output[..octets - 1]);
                cut.take(before.min(8 * (octets as u32 - 1))).unwrap();
                assert!(text.is_empty() || take_string(&mut cut, count, alphabet, &mut string).is_err());
            }
        }
    }

    #[test]
    fn what_is_no_character_is_refused() {
        let read = |octets: &[u8], alphabet: &[u32]| {
            let (mut inline, mut string) = (Text::<2>::new(), String::new());
            let results = [
                take(&mut Reader::new(octets), 1, alphabet, &mut inline),
                take_string(&mut Reader::new(octets), 1, alphabet, &mut string),
            ];
            assert_eq!(results[0], results[1]);
            results[0].is_ok()
        };
        assert!(read(b"A", &[]) && read(b"A", &[65, 65]) && !read(b"A", &[66, 90]));
        // A surrogate, and what is beyond Unicode: D800 and 110000 in groups of seven bits.
        assert!(!read(&[0x80, 0xb0, 0x03], &[]) && !read(&[0x80, 0x80, 0x44], &[]));
        let mut output = [0; 8];
        assert!(put(&mut Writer::new(&mut output), "a", &[65, 90]).is_err());
        let mut inline = Text::<2>::new();
        assert!(take(&mut Reader::new(&[0xfc, 0x01, 0xfc, 0x01]), 2, &[], &mut inline).is_err(), "no room for two");
        assert!(take(&mut Reader::new(&[65; 8]), usize::MAX, &[], &mut inline).is_err());
    }
}
