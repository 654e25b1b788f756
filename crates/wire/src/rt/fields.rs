//! Fields that begin with numbers in groups of seven bits (Protocol Buffers, "Encoding"). The
//! numbers themselves are in [`varint`].
//!
//! A field is a key, which has the field number and the wire type, followed by the value: a varint,
//! eight or four octets, octets after their length, or a group up to its end.

use crate::error::Rejected;
use crate::faults;
use crate::reader::Reader;
use crate::rt::tlv::Fault;
use crate::rt::varint::{self, octets_of, put};
use crate::writer::Writer;

pub mod straight;

/// Most octets of a varint.
pub const MOST_OCTETS: usize = 10;

/// The wire type: the three low bits of a key, which say where the value ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireType(pub u8);

#[allow(missing_docs)]
impl WireType {
    pub const VARINT: WireType = WireType(0);
    pub const EIGHT_OCTETS: WireType = WireType(1);
    pub const DELIMITED: WireType = WireType(2);
    pub const GROUP: WireType = WireType(3);
    pub const END_OF_GROUP: WireType = WireType(4);
    pub const FOUR_OCTETS: WireType = WireType(5);
}

/// The greatest field number.
pub const MOST_NUMBER: u32 = (1 << 29) - 1;

/// Groups that are skipped nest no deeper than this.
const MOST_GROUPS: usize = 32;

const TOO_WIDE: Fault = Fault::Malformed(faults::fields::VARINT);

/// Reads a number, and returns it with its length in octets, which may be more than it needs.
///
/// # Errors
/// The octets end; more than ten octets or 64 bits.
#[inline]
pub fn read(octets: &[u8]) -> Result<(u64, usize), Fault> {
    match octets.first() {
        Some(first) if first & 0x80 == 0 => Ok((u64::from(*first), 1)),
        _ => read_long(octets),
    }
}

#[inline(never)]
fn read_long(octets: &[u8]) -> Result<(u64, usize), Fault> {
    let mut rest = octets.iter();
    let fault = if octets.len() < MOST_OCTETS { Fault::Truncated } else { TOO_WIDE };
    varint::gather(|| rest.next().copied(), MOST_OCTETS).ok_or(fault)
}

/// Reads a length that fits into the address space.
///
/// # Errors
/// Not a number, or one that is too large.
pub fn take_length(reader: &mut Reader<'_>) -> Result<usize, Rejected> {
    match usize::try_from(take(reader)?) {
        // A position in bits must fit into a `usize`.
        Ok(length) if length <= usize::MAX >> 4 => Ok(length),
        _ => Err(Rejected),
    }
}

/// Reads a number.
///
/// # Errors
/// Past the end, and the reader then stays there; more than ten octets or 64 bits.
pub fn take(reader: &mut Reader<'_>) -> Result<u64, Rejected> {
    let number = varint::gather(|| reader.take(8).ok().map(|octet| octet as u8), MOST_OCTETS);
    number.map(|(number, _)| number).ok_or(Rejected)
}

/// Reads a key: the field number, the wire type, and the length of the key in octets.
///
/// # Errors
/// The octets end; a number that is 0 or too large; a wire type that does not exist.
#[inline]
pub fn key(octets: &[u8]) -> Result<(u32, WireType, usize), Fault> {
    let (key, length) = read(octets)?;
    match (u32::try_from(key >> 3), (key & 7) as u8) {
        (Ok(number @ 1..=MOST_NUMBER), wire_type @ 0..=5) => Ok((number, WireType(wire_type), length)),
        (Ok(1..=MOST_NUMBER), _) => Err(Fault::Malformed(faults::fields::WIRE_TYPE)),
        _ => Err(Fault::Malformed(faults::fields::NUMBER)),
    }
}

/// The length in octets of the value at the start of `octets`.
///
/// # Errors
/// The value is not complete or not valid.
fn value(octets: &[u8], wire_type: WireType) -> Result<usize, Fault> {
    let whole = |length: usize| if length <= octets.len() { Ok(length) } else { Err(Fault::Truncated) };
    match wire_type {
        WireType::VARINT => Ok(read(octets)?.1),
        WireType::EIGHT_OCTETS => whole(8),
        WireType::FOUR_OCTETS => whole(4),
        WireType::DELIMITED => {
            let (length, front) = read(octets)?;
            whole(usize::try_from(length).unwrap_or(usize::MAX).saturating_add(front))
        }
        _ => Ok(0),
    }
}

/// The length in octets of the field at the start of `octets`, key included.
///
/// # Errors
/// The field is not complete or not valid.
pub fn field(octets: &[u8]) -> Result<usize, Fault> {
    let mut at = 0usize;
    // The numbers of the groups that are open.
    let mut groups = [0u32; MOST_GROUPS];
    let mut open = 0usize;
    loop {
        let rest = octets.get(at..).unwrap_or(&[]);
        let (number, wire_type, front) = key(rest)?;
        match wire_type {
            WireType::GROUP => {
                *groups.get_mut(open).ok_or(Fault::Malformed(faults::fields::LIMIT_GROUPS))? = number;
                open += 1;
            }
            WireType::END_OF_GROUP => {
                open = open.checked_sub(1).ok_or(Fault::Malformed(faults::fields::GROUP_END))?;
                if groups.get(open) != Some(&number) {
                    return Err(Fault::Malformed(faults::fields::GROUP_OTHER));
                }
            }
            _ => {}
        }
        at += front + value(rest.get(front..).unwrap_or(&[]), wire_type)?;
        if open == 0 {
            return Ok(at);
        }
    }
}

/// Writes the length of the contents from `start` to `end` before them, and returns their new end.
/// One octet has been left for the length, at `start - 1`; the contents are moved if it takes
/// more.
///
/// # Errors
/// The output is full.
#[inline]
pub fn close(output: &mut [u8], start: usize, end: usize) -> Result<usize, Rejected> {
    let length = end.wrapping_sub(start);
    if length < 128 {
        *output.get_mut(start.wrapping_sub(1)).ok_or(Rejected)? = length as u8;
        return Ok(end);
    }
    insert(output, start.wrapping_sub(1), start, end)
}

/// Writes the length of the octets from `start` to `end` at `at`, before them, and moves them after
/// it; returns their new end.
///
/// # Errors
/// The output is full.
#[inline(never)]
pub fn insert(output: &mut [u8], at: usize, start: usize, end: usize) -> Result<usize, Rejected> {
    let length = end.wrapping_sub(start) as u64;
    let front = octets_of(length);
    let to = at.wrapping_add(front);
    let new_end = to.wrapping_add(end.wrapping_sub(start));
    if end < start || at > start || end > output.len() || new_end > output.len() {
        return Err(Rejected);
    }
    output.copy_within(start..end, to);
    let mut writer = Writer::new(output.get_mut(at..to).ok_or(Rejected)?);
    put(&mut writer, length)?;
    writer.flush()?;
    Ok(new_end)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::rt::varint::{unzigzag, zigzag};

    #[test]
    fn numbers_come_back() {
        let samples = (0..64).flat_map(|bits| [1u64 << bits, (1 << bits) - 1, u64::MAX >> bits]);
        for number in samples {
            let mut output = [0u8; 16];
            let mut writer = Writer::new(&mut output);
            put(&mut writer, number).unwrap();
            let octets = writer.finish().unwrap();
            assert_eq!(octets_of(number), octets, "{number}");
            assert_eq!(read(&output[..octets]), Ok((number, octets)));
            assert_eq!(take(&mut Reader::new(&output[..octets])), Ok(number));
            assert_eq!(read(&output[..octets - 1]), Err(Fault::Truncated));
            assert_eq!(unzigzag(zigzag(number as i64)), number as i64);
        }
        assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
    }

    #[test]
    fn longer_than_needed_but_not_than_allowed() {
        assert_eq!(read(&[0x85, 0x80, 0x00]), Ok((5, 3)));
        assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]), Ok((u64::MAX, 10)));
        assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]), Err(TOO_WIDE));
        assert_eq!(read(&[0x80; 11]), Err(TOO_WIDE));
        assert_eq!(take(&mut Reader::new(&[0x80; 11])), Err(Rejected));
    }

    #[test]
    fn fields_end() {
        assert_eq!(field(&[0x08, 0x96, 0x01, 9]), Ok(3));
        assert_eq!(field(&[0x12, 2, 7, 7, 9]), Ok(4));
        assert_eq!(field(&[0x11, 1, 2, 3, 4, 5, 6, 7, 8]), Ok(9));
        assert_eq!(field(&[0x15, 1, 2, 3, 4]), Ok(5));
        assert_eq!(field(&[0x0b, 0x13, 0x08, 5, 0x14, 0x0c, 9]), Ok(6));
        assert_eq!(field(&[0x0b, 0x13, 0x0c, 0x14]), Err(Fault::Malformed(faults::fields::GROUP_OTHER)));
        assert_eq!(field(&[0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]), Err(Fault::Truncated));
        for wrong in [&[0x00, 0][..], &[0x0e, 0], &[0x0f], &[0x0c], &[0x0b; 40]] {
            assert!(field(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn long_contents_move() {
        let mut output = vec![7u8; 300];
        assert_eq!(close(&mut output, 2, 202), Ok(203));
        assert_eq!(&output[..4], [7, 200, 1, 7]);
        assert_eq!(close(&mut output, 2, 300), Err(Rejected));
    }
}
