//! The primitive codings of the packed encoding rules (X.691 §11). In the aligned variant, the
//! caller aligns before length determinants.

#[cfg(feature = "alloc")]
use crate::data::{Data, Shape};
use crate::error::Rejected;
use crate::list::{Text, fill_text};
use crate::reader::Reader;
use crate::writer::Writer;

/// The unit of a fragment's length (X.691 §11.9.3.8).
pub const FRAGMENT: usize = 16 * 1024;

/// The content of a general length determinant (X.691 §11.9.3.5 to §11.9.3.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// This many units follow, and then nothing more.
    Last(usize),
    /// This many units follow, and then another length determinant.
    Fragment(usize),
}

/// Reads a general length determinant.
///
/// # Errors
/// Past the end, or a fragment of zero or more than four times 16K units (X.691 §11.9.3.8 allows 1
/// to 4).
#[inline(always)]
pub fn take_length(reader: &mut Reader<'_>) -> Result<Length, Rejected> {
    let first = reader.take(8)? as usize;
    if first & 0x80 == 0 {
        return Ok(Length::Last(first));
    }
    if first & 0x40 == 0 {
        return Ok(Length::Last((first & 0x3f) << 8 | reader.take(8)? as usize));
    }
    match first & 0x3f {
        blocks @ 1..=4 => Ok(Length::Fragment(blocks * FRAGMENT)),
        _ => Err(Rejected),
    }
}

/// Writes the length determinant for the remaining `units`, and returns how many of them it covers.
/// If it is a fragment, write those units and call again with the rest (also if that is 0).
///
/// # Errors
/// The output is full.
#[inline(always)]
pub fn put_length(writer: &mut Writer<'_>, units: usize) -> Result<Length, Rejected> {
    if units < 128 {
        writer.put(units as u64, 8)?;
        Ok(Length::Last(units))
    } else if units < FRAGMENT {
        writer.put(0x8000 | units as u64, 16)?;
        Ok(Length::Last(units))
    } else {
        let blocks = (units / FRAGMENT).min(4);
        writer.put(0xc0 | blocks as u64, 8)?;
        Ok(Length::Fragment(blocks * FRAGMENT))
    }
}

/// The length determinant for the remaining units: its value, its length in octets, and what it
/// says.
fn determinant(units: usize) -> (u64, usize, Length) {
    if units < 128 {
        (units as u64, 1, Length::Last(units))
    } else if units < FRAGMENT {
        (0x8000 | units as u64, 2, Length::Last(units))
    } else {
        let blocks = (units / FRAGMENT).min(4);
        (0xc0 | blocks as u64, 1, Length::Fragment(blocks * FRAGMENT))
    }
}

/// Reads a general length determinant that is not that of a fragment.
///
/// # Errors
/// Past the end; a fragment.
#[inline(always)]
pub fn take_count(reader: &mut Reader<'_>) -> Result<usize, Rejected> {
    match take_length(reader)? {
        Length::Last(units) => Ok(units),
        Length::Fragment(_) => Err(Rejected),
    }
}

/// Writes the length determinant of fewer than 16K units.
///
/// # Errors
/// The output is full; 16K units or more.
#[inline(always)]
pub fn put_count(writer: &mut Writer<'_>, units: usize) -> Result<(), Rejected> {
    match put_length(writer, units)? {
        Length::Last(_) => Ok(()),
        Length::Fragment(_) => Err(Rejected),
    }
}

/// Reads an unsigned number of up to eight octets after their length determinant (X.691 §11.3,
/// §11.7).
///
/// # Errors
/// Past the end; no octets, or more than eight.
#[inline(always)]
pub fn take_unsigned(reader: &mut Reader<'_>) -> Result<u64, Rejected> {
    if let Some(word) = reader.peek() {
        let octets = (word >> 56) as u32;
        if (1..=6).contains(&octets) {
            reader.skip(octets as usize * 8 + 8)?;
            return Ok(word << 8 >> (64 - octets * 8));
        }
    }
    reader.apart(take_long_unsigned)
}

#[inline(never)]
fn take_long_unsigned(reader: &mut Reader<'_>) -> Result<u64, Rejected> {
    match reader.take(8)? as u32 {
        octets @ 1..=8 => reader.take_wide(octets * 8),
        _ => Err(Rejected),
    }
}

/// Reads a number in two's complement of up to eight octets after their length determinant (X.691
/// §11.4, §11.8).
///
/// # Errors
/// Past the end; no octets, or more than eight.
#[inline(always)]
pub fn take_signed(reader: &mut Reader<'_>) -> Result<i64, Rejected> {
    if let Some(word) = reader.peek() {
        let octets = (word >> 56) as u32;
        if (1..=6).contains(&octets) {
            reader.skip(octets as usize * 8 + 8)?;
            return Ok((word << 8) as i64 >> (64 - octets * 8));
        }
    }
    reader.apart(take_long_signed)
}

#[inline(never)]
fn take_long_signed(reader: &mut Reader<'_>) -> Result<i64, Rejected> {
    let octets = reader.take(8)? as u32;
    if !(1..=8).contains(&octets) {
        return Err(Rejected);
    }
    let unused = 64 - octets * 8;
    Ok((reader.take_wide(octets * 8)? << unused) as i64 >> unused)
}

/// Reads a normally small non-negative whole number (X.691 §11.6). More than 64 bits are refused.
///
/// # Errors
/// Past the end, or too wide.
pub fn take_small(reader: &mut Reader<'_>, aligned: bool) -> Result<u64, Rejected> {
    if !reader.take_bit()? {
        return reader.take(6);
    }
    if aligned {
        reader.align()?;
    }
    match take_length(reader)? {
        Length::Last(octets) => {
            let mut value = 0u64;
            for _ in 0..octets {
                if value >> 56 != 0 {
                    return Err(Rejected);
                }
                value = value << 8 | reader.take(8)?;
            }
            Ok(value)
        }
        Length::Fragment(_) => Err(Rejected),
    }
}

/// Writes a normally small non-negative whole number (X.691 §11.6).
///
/// # Errors
/// The output is full.
pub fn put_small(writer: &mut Writer<'_>, value: u64, aligned: bool) -> Result<(), Rejected> {
    if value < 64 {
        return writer.put(value, 7);
    }
    let octets = (64 - value.leading_zeros()).div_ceil(8);
    writer.put(1, 1)?;
    if aligned {
        writer.align()?;
    }
    writer.put(u64::from(octets), 8)?;
    writer.put_wide(value, octets * 8)
}

/// Reads a normally small length (X.691 §11.9.3.4), 1 or more.
///
/// # Errors
/// Past the end; zero; 16K or more (no module has that many additions).
pub fn take_small_length(reader: &mut Reader<'_>, aligned: bool) -> Result<usize, Rejected> {
    if !reader.take_bit()? {
        return Ok(reader.take(6)? as usize + 1);
    }
    if aligned {
        reader.align()?;
    }
    match take_length(reader)? {
        Length::Last(length) if length > 0 => Ok(length),
        _ => Err(Rejected),
    }
}

/// Writes a normally small length (X.691 §11.9.3.4), 1 to 16383.
///
/// # Errors
/// The output is full, or the length is not in that range.
pub fn put_small_length(writer: &mut Writer<'_>, length: usize, aligned: bool) -> Result<(), Rejected> {
    match length {
        1..=64 => writer.put(length as u64 - 1, 7),
        65..FRAGMENT => {
            writer.put(1, 1)?;
            if aligned {
                writer.align()?;
            }
            put_length(writer, length).map(|_| ())
        }
        _ => Err(Rejected),
    }
}

impl Reader<'_> {
    /// Reads how many presence bits of additions there are, and these (X.691 §19.8): the first one
    /// becomes the highest bit.
    ///
    /// # Errors
    /// Past the end; more than `known`, which is at most 64.
    #[inline(always)]
    pub fn take_additions(&mut self, known: u64, aligned: bool) -> Result<u64, Rejected> {
        self.apart(|reader| take_additions(reader, known, aligned))
    }
}

#[inline(never)]
fn take_additions(reader: &mut Reader<'_>, known: u64, aligned: bool) -> Result<u64, Rejected> {
    let count = take_small_length(reader, aligned)? as u64;
    if count > known {
        return Err(Rejected);
    }
    Ok(reader.take_wide(count as u32)? << (64 - count))
}

/// Ends an open type (X.691 §11.2) before whose content a zero octet was written, at bit `start`
/// (in the aligned variant an octet border): pads the content to a whole number of octets, at least
/// one, and writes its length into that octet. Longer determinants move the content; they are
/// fragments if it is 16K octets or more.
///
/// # Errors
/// The output is full.
#[inline]
pub fn close_open_type(writer: &mut Writer<'_>, start: usize) -> Result<(), Rejected> {
    if writer.position() == start + 8 {
        writer.put(0, 8)?;
    }
    writer.align_from(start)?;
    match (writer.position() - start) / 8 - 1 {
        length @ 0..128 => writer.set_zeros(start, length as u8),
        length => close_long_open_type(writer, start, length),
    }
}

#[inline(never)]
fn close_long_open_type(writer: &mut Writer<'_>, start: usize, mut left: usize) -> Result<(), Rejected> {
    let (mut at, mut written) = (start, 1);
    loop {
        let (value, octets, length) = determinant(left);
        writer.replace(at, written, value, octets)?;
        match length {
            Length::Last(_) => return Ok(()),
            Length::Fragment(units) => {
                left -= units;
                at += (octets + units) * 8;
                written = 0;
            }
        }
    }
}

/// Ends an open type of `octets` octets whose content was read from bit `start` on: only bits up to
/// an octet border follow it, or it has no bits and one octet (X.691 §11.1.3).
///
/// # Errors
/// The content is longer, or further octets follow it.
#[inline]
pub fn end_open_type(reader: &mut Reader<'_>, start: usize, octets: usize) -> Result<(), Rejected> {
    let used = reader.position().wrapping_sub(start);
    let left = octets.wrapping_mul(8).wrapping_sub(used);
    if left > 7 && (used, octets) != (0, 1) {
        return Err(Rejected);
    }
    reader.skip(left)
}

/// Writes the characters of a known-multiplier string (X.691 §30.5), `bits` bits each: their
/// indexes in the alphabet if `indexed`, else their codes. `alphabet` is pairs of first and last
/// code, ascending.
///
/// # Errors
/// A character outside the alphabet, or the output is full.
pub fn put_characters(
    writer: &mut Writer<'_>,
    text: &str,
    bits: u32,
    indexed: bool,
    alphabet: &[u32],
) -> Result<(), Rejected> {
    for character in text.chars() {
        let place = place_of(u32::from(character), indexed, alphabet).ok_or(Rejected)?;
        writer.put(u64::from(place), bits)?;
    }
    Ok(())
}

/// The number that stands for a character on the wire (X.691 §30.5.4).
#[must_use]
pub fn place_of(code: u32, indexed: bool, alphabet: &[u32]) -> Option<u32> {
    let mut before = 0u32;
    for range in alphabet.chunks_exact(2) {
        if (range[0]..=range[1]).contains(&code) {
            return Some(if indexed { before.wrapping_add(code - range[0]) } else { code });
        }
        before = before.wrapping_add(range[1] - range[0]).wrapping_add(1);
    }
    None
}

/// The character code that a number on the wire stands for.
#[must_use]
pub fn code_of(place: u32, indexed: bool, alphabet: &[u32]) -> Option<u32> {
    let mut ranges = alphabet.chunks_exact(2);
    if !indexed {
        return ranges.any(|range| (range[0]..=range[1]).contains(&place)).then_some(place);
    }
    let mut left = place;
    for range in ranges {
        let count = (range[1] - range[0]).saturating_add(1);
        if left < count {
            return Some(range[0] + left);
        }
        left -= count;
    }
    None
}

/// Reads one character of a known-multiplier string.
///
/// # Errors
/// Past the end, or not in the alphabet.
pub fn take_character(reader: &mut Reader<'_>, bits: u32, indexed: bool, alphabet: &[u32]) -> Result<char, Rejected> {
    let place = reader.take(bits)? as u32;
    code_of(place, indexed, alphabet).and_then(char::from_u32).ok_or(Rejected)
}

/// Writes UTF-8 of less than 16K octets after its length determinant.
///
/// # Errors
/// The output is full, or the text is longer.
#[inline(always)]
pub fn put_text(writer: &mut Writer<'_>, text: &str) -> Result<(), Rejected> {
    let octets = text.as_bytes();
    if let 0..7 = octets.len() {
        let word = octets.iter().fold(octets.len() as u64, |word, octet| word << 8 | u64::from(*octet));
        return writer.put(word, octets.len() as u32 * 8 + 8);
    }
    writer.apart(|writer| put_long_text(writer, octets))
}

#[inline(never)]
fn put_long_text(writer: &mut Writer<'_>, octets: &[u8]) -> Result<(), Rejected> {
    match put_length(writer, octets.len())? {
        Length::Last(_) => writer.put_octets(octets),
        Length::Fragment(_) => Err(Rejected),
    }
}

/// Reads `octets` octets of UTF-8.
///
/// # Errors
/// Past the end, not UTF-8, or more than there is room for.
pub fn take_text<const N: usize>(reader: &mut Reader<'_>, octets: usize, into: &mut Text<N>) -> Result<(), Rejected> {
    let mut buffer = [0; N];
    let text = buffer.get_mut(..octets).ok_or(Rejected)?;
    reader.take_octets(text)?;
    fill_text(into, text)
}

/// Reads `bits` bits.
///
/// # Errors
/// Past the end.
#[cfg(feature = "alloc")]
pub fn take_bit_string(reader: &mut Reader<'_>, bits: usize, into: &mut crate::BitString) -> Result<(), Rejected> {
    // Before any memory is allocated.
    reader.need(bits)?;
    into.begin(Shape::Bits);
    reader.take_bits(into.extend_bits(bits).ok_or(Rejected)?, bits)
}

/// Reads `octets` octets of UTF-8.
///
/// # Errors
/// Past the end, or not UTF-8.
#[cfg(feature = "alloc")]
pub fn take_string(reader: &mut Reader<'_>, octets: usize, into: &mut alloc::string::String) -> Result<(), Rejected> {
    // Before any memory is allocated.
    reader.need(octets * 8)?;
    let mut text = core::mem::take(into).into_bytes();
    text.clear();
    text.resize(octets, 0);
    reader.take_octets(&mut text)?;
    *into = alloc::string::String::from_utf8(text).map_err(|_| Rejected)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    /// The bits of a normally small length; also checks that it is read back.
    fn small_length(length: usize) -> String {
        let mut octets = [0u8; 8];
        let mut writer = Writer::new(&mut octets);
        put_small_length(&mut writer, length, false).unwrap();
        let bits = writer.position();
        writer.flush().unwrap();
        let mut reader = Reader::new(&octets);
        assert_eq!(take_small_length(&mut reader, false), Ok(length));
        assert_eq!(reader.position(), bits);
        (0..bits).map(|bit| if octets[bit / 8] >> (7 - bit % 8) & 1 == 1 { '1' } else { '0' }).collect()
    }

    /// X.691 §11.9.3.4: a length up to 64 is `length - 1` in six bits, a greater one a length
    /// determinant.
    #[test]
    fn a_normally_small_length_is_short_up_to_64() {
        assert_eq!(small_length(1), "0000000");
        assert_eq!(small_length(63), "0111110");
        assert_eq!(small_length(64), "0111111");
        assert_eq!(small_length(65), "101000001");
        assert_eq!(small_length(127), "101111111");
        assert_eq!(small_length(128), "11000000010000000");
        for length in 1..FRAGMENT {
            let long = if length < 128 { 9 } else { 17 };
            assert_eq!(small_length(length).len(), if length <= 64 { 7 } else { long });
        }
    }

    #[test]
    fn a_normally_small_length_of_nothing_or_of_16k_is_none() {
        for length in [0, FRAGMENT] {
            assert!(put_small_length(&mut Writer::new(&mut [0; 8]), length, false).is_err(), "{length}");
        }
        // The long form may also be used for 64, but not for 0.
        assert_eq!(take_small_length(&mut Reader::new(&[0b1010_0000, 0]), false), Ok(64));
        assert!(take_small_length(&mut Reader::new(&[0b1000_0000, 0]), false).is_err());
    }

    /// X.691 §19.8: as many bits as the sender's version has additions. More than this version has
    /// are not read here.
    #[test]
    fn presence_bits_of_additions_begin_at_the_highest_bit() {
        // Three bits, of which the second is set.
        let octets = [0b0000_0100, 0b1000_0000];
        for known in [3, 4, 64] {
            assert_eq!(Reader::new(&octets).take_additions(known, false), Ok(0b010 << 61));
        }
        assert!(Reader::new(&octets).take_additions(2, false).is_err());
        assert!(Reader::new(&octets[..1]).take_additions(3, false).is_err());
        assert_eq!(Reader::new(&[0b0111_1111; 9]).take_additions(64, false), Ok(0xbfbf_bfbf_bfbf_bfbf));
    }

    /// X.691 §11.6: a number below 64 is six bits; a greater one follows its length in octets.
    #[test]
    fn a_normally_small_number_is_short_up_to_63() {
        for (value, wanted) in [(0, 7), (63, 7), (64, 17), (255, 17), (256, 25), (u64::MAX, 73)] {
            let mut octets = [0u8; 16];
            let mut writer = Writer::new(&mut octets);
            put_small(&mut writer, value, false).unwrap();
            assert_eq!(writer.position(), wanted, "{value}");
            writer.flush().unwrap();
            assert_eq!(take_small(&mut Reader::new(&octets), false), Ok(value));
        }
    }
}
