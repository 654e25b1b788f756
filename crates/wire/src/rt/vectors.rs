//! Numbers that begin with one bit 1 for each further octet, and then a 0: the lengths of TS 103
//! 097 V1 and IEEE 1609.2-2013, and the p-encoding of IEEE 1609.12.

pub mod straight;

use crate::error::Rejected;
use crate::reader::Reader;
use crate::writer::Writer;

/// The greatest number: in eight octets, after seven bits 1 and a 0.
pub const GREATEST: u64 = (1 << 56) - 1;
/// The greatest p-encoded number of four octets. Each length starts where the shorter one ends.
pub const GREATEST_PSID: u64 = PSID_FROM[3] + (1 << 28) - 1;

/// The least p-encoded number of one octet, of two, three and four.
const PSID_FROM: [u64; 4] = [0, 0x80, 0x4080, 0x20_4080];

/// Reads a number, in as many octets as it may have.
///
/// # Errors
/// Past the end; eight bits 1, after which a number has more than 64 bits.
#[inline]
pub fn take_number(reader: &mut Reader<'_>) -> Result<u64, Rejected> {
    let first = reader.take(8)?;
    if first & 0x80 == 0 { Ok(first) } else { take_long(reader, first as u8).map(|(number, _)| number) }
}

/// A number whose first octet begins with a bit 1, and how many further octets it has.
#[inline(never)]
fn take_long(reader: &mut Reader<'_>, first: u8) -> Result<(u64, usize), Rejected> {
    let further = first.leading_ones();
    if further > 7 {
        return Err(Rejected);
    }
    let high = u64::from(first) & (0x7f >> further);
    Ok((high << (further * 8) | reader.take_wide(further * 8)?, further as usize))
}

/// Writes a number in the fewest octets.
///
/// # Errors
/// The output is full; above [`GREATEST`].
#[inline]
pub fn put_number(writer: &mut Writer<'_>, number: u64) -> Result<(), Rejected> {
    match number {
        0..0x80 => writer.put(number, 8),
        0x80..0x4000 => writer.put(0x8000 | number, 16),
        _ => put_long(writer, number),
    }
}

#[inline(never)]
fn put_long(writer: &mut Writer<'_>, number: u64) -> Result<(), Rejected> {
    if number > GREATEST {
        return Err(Rejected);
    }
    let octets = octets_of(number);
    put_octets(writer, number, octets)
}

/// Writes a number in `octets` octets, which are enough.
fn put_octets(writer: &mut Writer<'_>, number: u64, octets: u32) -> Result<(), Rejected> {
    writer.put_wide(marked(number, octets), octets * 8)
}

/// A number of `octets` octets, with one bit 1 for each octet after the first, left-aligned in the
/// first.
const fn marked(number: u64, octets: u32) -> u64 {
    let ones = !(0xff >> (octets - 1)) & 0xff;
    ones << ((octets - 1) * 8) | number
}

/// How many octets a number of up to [`GREATEST`] takes.
#[inline]
#[must_use]
pub const fn octets_of(number: u64) -> u32 {
    (64 - (number | 1).leading_zeros()).div_ceil(7)
}

/// Reads a p-encoded number.
///
/// # Errors
/// Past the end; more than four octets.
#[inline]
pub fn take_psid(reader: &mut Reader<'_>) -> Result<u64, Rejected> {
    let first = reader.take(8)?;
    if first & 0x80 == 0 {
        return Ok(first);
    }
    let (number, further) = take_long(reader, first as u8)?;
    PSID_FROM.get(further).map(|from| number + from).ok_or(Rejected)
}

/// Writes a p-encoded number.
///
/// # Errors
/// The output is full; above [`GREATEST_PSID`].
#[inline]
pub fn put_psid(writer: &mut Writer<'_>, number: u64) -> Result<(), Rejected> {
    if number < PSID_FROM[1] {
        return writer.put(number, 8);
    }
    let further = match number {
        _ if number < PSID_FROM[2] => 1,
        _ if number < PSID_FROM[3] => 2,
        _ if number <= GREATEST_PSID => 3,
        _ => return Err(Rejected),
    };
    put_octets(writer, number - PSID_FROM[further], further as u32 + 1)
}

/// Reads a length in octets.
///
/// # Errors
/// Past the end; more octets than the address space has.
#[inline]
pub fn take_length(reader: &mut Reader<'_>) -> Result<usize, Rejected> {
    // A position in bits must fit into a `usize`.
    usize::try_from(take_number(reader)?).ok().filter(|length| *length <= usize::MAX >> 4).ok_or(Rejected)
}

/// Reads a length, and borrows as many octets.
///
/// # Errors
/// Past the end, or not at an octet border.
#[inline]
pub fn take_counted<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Rejected> {
    let length = take_length(reader)?;
    reader.take_slice(length)
}

/// Begins a vector whose length is not known yet, with room for one octet of it. Returns the bit at
/// which its content begins.
///
/// # Errors
/// The output is full.
#[inline]
pub fn begin_vector(writer: &mut Writer<'_>) -> Result<usize, Rejected> {
    writer.put(0, 8)?;
    Ok(writer.position())
}

/// Ends a vector whose content began at bit `start`: puts its length in front.
///
/// # Errors
/// The output is full.
#[inline]
pub fn end_vector(writer: &mut Writer<'_>, start: usize) -> Result<(), Rejected> {
    let length = (writer.position() - start) as u64 / 8;
    if length < 0x80 {
        writer.set_octet(start - 8, length as u8);
        return Ok(());
    }
    end_long_vector(writer, start, length)
}

#[inline(never)]
fn end_long_vector(writer: &mut Writer<'_>, start: usize, length: u64) -> Result<(), Rejected> {
    if length > GREATEST {
        return Err(Rejected);
    }
    let octets = octets_of(length);
    writer.replace(start - 8, 1, marked(length, octets), octets as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writer::written;

    #[test]
    fn numbers_come_back_in_the_fewest_octets() {
        assert_eq!(written(|writer| put_number(writer, 10)).0[..1], [0x0a]);
        assert_eq!(written(|writer| put_number(writer, 2184)).0[..2], [0x88, 0x88]);
        assert_eq!(written(|writer| put_number(writer, 16512)).0[..3], [0xc0, 0x40, 0x80]);
        for octets in 1..=8u32 {
            let greatest = (1u64 << (7 * octets)) - 1;
            for number in [greatest / 2, greatest - 1, greatest] {
                let (found, end) = written(|writer| put_number(writer, number));
                assert_eq!((take_number(&mut Reader::new(&found[..end])), end), (Ok(number), octets as usize));
                assert!(take_number(&mut Reader::new(&found[..end - 1])).is_err());
            }
        }
        let mut octets = [0; 16];
        assert!(put_number(&mut Writer::new(&mut octets), GREATEST + 1).is_err());
        assert!(take_number(&mut Reader::new(&[0xff; 16])).is_err());
        // Longer than necessary.
        assert_eq!(take_number(&mut Reader::new(&[0xe0, 0, 0, 5])), Ok(5));
    }

    #[test]
    fn p_encoded_numbers_have_one_form_each() {
        for (number, octets) in [
            (0, &[0][..]),
            (0x7f, &[0x7f]),
            (0x80, &[0x80, 0]),
            (0x407f, &[0xbf, 0xff]),
            (0x4080, &[0xc0, 0, 0]),
            (0x20_407f, &[0xdf, 0xff, 0xff]),
            (0x20_4080, &[0xe0, 0, 0, 0]),
            (0x1020_407f, &[0xef, 0xff, 0xff, 0xff]),
        ] {
            let (found, end) = written(|writer| put_psid(writer, number));
            assert_eq!((&found[..end], take_psid(&mut Reader::new(octets))), (octets, Ok(number)));
        }
        assert!(put_psid(&mut Writer::new(&mut [0; 8]), GREATEST_PSID + 1).is_err());
        assert!(take_psid(&mut Reader::new(&[0xf0, 0, 0, 0, 0])).is_err());
    }

    #[test]
    fn vectors_get_their_length_in_front() {
        for length in [0, 1, 127, 128, 300, 16383, 16384] {
            let mut octets = alloc::vec![0; length + 8];
            let mut writer = Writer::new(&mut octets);
            writer.put(0xab, 8).unwrap();
            let start = begin_vector(&mut writer).unwrap();
            (0..length).for_each(|at| writer.put(at as u64 & 0xff, 8).unwrap());
            end_vector(&mut writer, start).unwrap();
            writer.put(0xcd, 8).unwrap();
            let end = writer.finish().unwrap();
            let mut reader = Reader::new(&octets[..end]);
            assert_eq!(reader.take(8), Ok(0xab));
            let found = take_counted(&mut reader).unwrap();
            assert!(found.len() == length && found.iter().enumerate().all(|(at, octet)| *octet == at as u8));
            assert_eq!((reader.take(8), reader.remaining()), (Ok(0xcd), 0));
        }
    }
}
