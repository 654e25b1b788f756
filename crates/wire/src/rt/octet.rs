//! The primitive codings of the octet encoding rules (X.696 §8.6, §8.7). Their length determinants
//! are those of the basic encoding rules in their definite form (X.690 §8.1.3).

use crate::error::Rejected;
use crate::reader::Reader;
use crate::writer::Writer;

/// Reads a length determinant (X.696 §8.6), in as many octets as it may have.
///
/// # Errors
/// Past the end; more octets than the address space has.
#[inline(always)]
pub fn take_length(reader: &mut Reader<'_>) -> Result<usize, Rejected> {
    let first = reader.take_whole(8)?;
    if first & 0x80 == 0 {
        return Ok(first as usize);
    }
    reader.apart(|reader| take_long_length(reader, first & 0x7f))
}

#[inline(never)]
fn take_long_length(reader: &mut Reader<'_>, octets: u64) -> Result<usize, Rejected> {
    let length = take_unsigned(reader, octets as usize)?;
    // §8.6.5: the length has at least one octet; and a position in bits must fit into a `usize`.
    match usize::try_from(length) {
        Ok(length) if octets > 0 && length <= usize::MAX >> 4 => Ok(length),
        _ => Err(Rejected),
    }
}

/// Writes a length determinant, in one octet if possible.
///
/// # Errors
/// The output is full.
#[inline]
pub fn put_length(writer: &mut Writer<'_>, length: usize) -> Result<(), Rejected> {
    match length {
        0..128 => writer.put(length as u64, 8),
        128..256 => writer.put(0x8100 | length as u64, 16),
        256..65536 => writer.put(0x82_0000 | length as u64, 24),
        _ => {
            let octets = octets_of(length as u64);
            writer.put(0x80 | u64::from(octets), 8)?;
            writer.put_wide(length as u64, octets * 8)
        }
    }
}

/// A length determinant as the low bits of a word, and how many bits these are. Lengths of 2^56 or
/// more are not supported: no memory holds as much.
#[inline(always)]
#[must_use]
pub const fn length_octets(length: u64) -> (u64, u32) {
    if length < 128 {
        return (length, 8);
    }
    let octets = octets_of(length);
    ((0x80 | octets as u64) << (octets * 8) | length, octets * 8 + 8)
}

/// Reads a length determinant, and borrows as many octets.
///
/// # Errors
/// Past the end, or not at an octet border.
#[inline(always)]
pub fn take_counted<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Rejected> {
    let length = take_length(reader)?;
    reader.take_slice(length)
}

/// Reads an unsigned number from `octets` octets; leading ones may be zero.
///
/// # Errors
/// Past the end; wider than 64 bits.
pub fn take_unsigned(reader: &mut Reader<'_>, octets: usize) -> Result<u64, Rejected> {
    let mut value = 0u64;
    for _ in 0..octets {
        if value >> 56 != 0 {
            return Err(Rejected);
        }
        value = value << 8 | reader.take(8)?;
    }
    Ok(value)
}

/// How many octets an unsigned number takes, at least one.
#[inline]
#[must_use]
pub const fn octets_of(number: u64) -> u32 {
    (64 - (number | 1).leading_zeros()).div_ceil(8)
}

/// How many octets a number takes in two's complement, at least one.
#[inline]
#[must_use]
pub const fn signed_octets_of(number: i64) -> u32 {
    let magnitude = if number < 0 { !number } else { number };
    (65 - magnitude.leading_zeros()).div_ceil(8)
}

/// Writes an unsigned number in as few octets as hold it, after their length determinant (X.696
/// §10.3).
///
/// # Errors
/// The output is full.
#[inline(always)]
pub fn put_unsigned(writer: &mut Writer<'_>, number: u64) -> Result<(), Rejected> {
    let octets = octets_of(number);
    if octets <= 6 {
        return writer.put(u64::from(octets) << (octets * 8) | number, octets * 8 + 8);
    }
    writer.put(u64::from(octets), 8)?;
    writer.put_wide(number, octets * 8)
}

/// Writes a number in two's complement in as few octets as hold it, after their length determinant
/// (X.696 §10.4).
///
/// # Errors
/// The output is full.
#[inline(always)]
pub fn put_signed(writer: &mut Writer<'_>, number: i64) -> Result<(), Rejected> {
    let octets = signed_octets_of(number);
    // Two shifts, so that eight octets are not a shift by 64.
    let unused = 64 - octets * 8;
    if octets <= 6 {
        let octets = u64::from(octets);
        return writer.put(octets << (octets * 8) | (number as u64) << unused >> unused, octets as u32 * 8 + 8);
    }
    writer.put(u64::from(octets), 8)?;
    writer.put_wide((number as u64) << unused >> unused, octets * 8)
}

/// Reads an unsigned number after the length determinant of its octets.
///
/// # Errors
/// Past the end; no octets; wider than 64 bits.
#[inline(always)]
pub fn take_counted_unsigned(reader: &mut Reader<'_>) -> Result<u64, Rejected> {
    // The canonical form.
    if let Some((octets, word)) = reader.take_few() {
        return Ok(word >> (64 - octets * 8));
    }
    reader.apart(take_long_unsigned)
}

#[inline(never)]
fn take_long_unsigned(reader: &mut Reader<'_>) -> Result<u64, Rejected> {
    match take_length(reader)? {
        0 => Err(Rejected),
        octets => take_unsigned(reader, octets),
    }
}

/// Reads a number in two's complement after the length determinant of its octets.
///
/// # Errors
/// Past the end; no octets; more than eight.
#[inline(always)]
pub fn take_counted_signed(reader: &mut Reader<'_>) -> Result<i64, Rejected> {
    // The canonical form.
    if let Some((octets, word)) = reader.take_few() {
        return Ok(word as i64 >> (64 - octets * 8));
    }
    reader.apart(take_long_signed)
}

#[inline(never)]
fn take_long_signed(reader: &mut Reader<'_>) -> Result<i64, Rejected> {
    let octets = take_length(reader)?;
    if !(1..=8).contains(&octets) {
        return Err(Rejected);
    }
    let unused = 64 - octets as u32 * 8;
    Ok((reader.take_whole(octets as u32 * 8)? << unused) as i64 >> unused)
}

/// Reads the presence bits of additions, a bit string of variable size (X.696 §16.4): the first one
/// becomes the highest bit.
///
/// # Errors
/// Past the end; no bits; more than `known`, which is at most 64; eight unused bits or more.
pub fn take_additions(reader: &mut Reader<'_>, known: u64) -> Result<u64, Rejected> {
    let length = take_length(reader)?;
    let unused = reader.take(8)? as usize;
    if !(2..=9).contains(&length) || unused > 7 {
        return Err(Rejected);
    }
    let all = (length - 1) * 8;
    let word = reader.take_wide(all as u32)? << (64 - all);
    let count = all - unused;
    if count as u64 > known { Err(Rejected) } else { Ok(word >> (64 - count) << (64 - count)) }
}

/// Whether `octets` is a length determinant followed by exactly that many octets.
#[must_use]
pub fn is_open_type(octets: &[u8]) -> bool {
    let mut reader = Reader::new(octets);
    take_length(&mut reader).is_ok_and(|length| reader.remaining() == length * 8)
}

/// Ends an open type (X.696 §30): writes the length of its content into the zero octet at bit
/// `start`, before the content. Longer determinants move the content.
///
/// # Errors
/// The output is full.
#[inline(always)]
pub fn close_open_type(writer: &mut Writer<'_>, start: usize) -> Result<(), Rejected> {
    let bits = writer.position() - start;
    if bits % 8 == 0 && bits < 129 * 8 {
        writer.set_octet(start, (bits / 8 - 1) as u8);
        return Ok(());
    }
    writer.apart(|writer| close_long_open_type(writer, start))
}

#[inline(never)]
fn close_long_open_type(writer: &mut Writer<'_>, start: usize) -> Result<(), Rejected> {
    writer.align_from(start)?;
    let (word, bits) = length_octets(((writer.position() - start) / 8 - 1) as u64);
    writer.replace(start, 1, word, bits as usize / 8)
}

/// Writes a tag (X.696 §8.7): the class in the two highest bits of `tag`, the number below them.
///
/// # Errors
/// The output is full.
pub fn put_tag(writer: &mut Writer<'_>, tag: u32) -> Result<(), Rejected> {
    let (class, number) = (u64::from(tag >> 30), u64::from(tag & MOST_NUMBER));
    if number < 63 {
        return writer.put(class << 6 | number, 8);
    }
    writer.put(class << 6 | 63, 8)?;
    let groups = (64 - number.leading_zeros()).div_ceil(7);
    for group in (0..groups).rev() {
        let more = if group > 0 { 0x80 } else { 0 };
        writer.put(more | number >> (group * 7) & 0x7f, 8)?;
    }
    Ok(())
}

/// Reads a tag.
///
/// # Errors
/// Past the end; a number of more than 30 bits, with leading zeros, or below 63, which has no
/// octets of its own (§8.7.2.3).
pub fn take_tag(reader: &mut Reader<'_>) -> Result<u32, Rejected> {
    let first = reader.take(8)? as u32;
    let class = first >> 6 << 30;
    if first & 63 != 63 {
        return Ok(class | first & 63);
    }
    let mut number = 0u32;
    loop {
        let octet = reader.take(8)? as u32;
        if number >> 23 != 0 || (number == 0 && octet == 0x80) {
            return Err(Rejected);
        }
        number = number << 7 | octet & 0x7f;
        if octet & 0x80 == 0 {
            return if number < 63 { Err(Rejected) } else { Ok(class | number) };
        }
    }
}

const MOST_NUMBER: u32 = (1 << 30) - 1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writer::written;

    #[test]
    fn lengths_come_back() {
        for length in [0, 1, 127, 128, 255, 256, 65535, 65536, 1 << 24, (1 << 40) + 3] {
            let (octets, end) = written(|writer| put_length(writer, length));
            assert_eq!(take_length(&mut Reader::new(&octets[..end])), Ok(length));
            assert!(take_length(&mut Reader::new(&octets[..end - 1])).is_err());
        }
        assert_eq!(take_length(&mut Reader::new(&[0x83, 0, 0, 5])), Ok(5));
        assert!(take_length(&mut Reader::new(&[0x80, 5])).is_err());
        assert!(take_length(&mut Reader::new(&[0x88, 0xff, 0, 0, 0, 0, 0, 0, 0])).is_err());
    }

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, -1, 127, 128, -128, -129, 32767, 32768, i64::MAX, i64::MIN, 1 << 55, -(1 << 55)] {
            let (octets, end) = written(|writer| put_signed(writer, number));
            assert_eq!(take_counted_signed(&mut Reader::new(&octets[..end])), Ok(number));
            let (octets, end) = written(|writer| put_unsigned(writer, number as u64));
            assert_eq!(take_counted_unsigned(&mut Reader::new(&octets[..end])), Ok(number as u64));
        }
        assert_eq!(written(|writer| put_signed(writer, -129)).0[..3], [2, 0xff, 0x7f]);
        assert_eq!(written(|writer| put_unsigned(writer, 128)).0[..2], [1, 0x80]);
        assert!(take_counted_signed(&mut Reader::new(&[0])).is_err());
    }

    /// X.696 §16.4.3: unused bits are not presence bits, whatever they are.
    #[test]
    fn presence_bits_of_additions_begin_at_the_highest_bit() {
        let take = |octets: &[u8], known| take_additions(&mut Reader::new(octets), known);
        for known in [3, 4, 64] {
            assert_eq!(take(&[2, 5, 0b0101_1111], known), Ok(0b010 << 61));
        }
        assert_eq!(take(&[0x81, 2, 7, 0x80], 1), Ok(1 << 63));
        assert_eq!(take(&[9, 0, 1, 2, 3, 4, 5, 6, 7, 8], 64), Ok(0x0102_0304_0506_0708));
        for refused in [&[2, 5, 0x40][..], &[1, 0], &[0, 0], &[2, 8, 0], &[3, 5, 0], &[2]] {
            assert!(take(refused, 2).is_err(), "{refused:?}");
        }
    }

    #[test]
    fn tags_come_back() {
        for number in [0, 1, 62, 63, 127, 128, 16383, 16384, MOST_NUMBER] {
            for class in 0..4 {
                let tag = class << 30 | number;
                let (octets, end) = written(|writer| put_tag(writer, tag));
                assert_eq!(take_tag(&mut Reader::new(&octets[..end])), Ok(tag), "{number}");
            }
        }
        assert_eq!(written(|writer| put_tag(writer, 2 << 30 | 128)).0[..3], [0xbf, 0x81, 0x00]);
        assert!(take_tag(&mut Reader::new(&[0xbf, 0x80, 0x01])).is_err());
    }
}
