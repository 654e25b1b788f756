//! Data items (RFC 8949) in their deterministic form (§4.2.1): heads, floats, and where an item
//! ends.
//!
//! An item begins with a head: the major type in the three highest bits of the first octet, and a
//! number in the others or in the octets after it.

use crate::error::Rejected;
use crate::faults;
use crate::writer::Writer;

mod float;
mod skip;
pub mod straight;
pub mod strings;

pub use float::{NAN, half, shortest, value_of};
pub use skip::{DEEPEST, skip};

/// The kinds of items: the three highest bits of a head.
#[allow(missing_docs)]
pub mod major {
    pub const UNSIGNED: u8 = 0;
    pub const NEGATIVE: u8 = 1;
    pub const OCTETS: u8 = 2;
    pub const TEXT: u8 = 3;
    pub const ARRAY: u8 = 4;
    pub const MAP: u8 = 5;
    pub const TAG: u8 = 6;
    pub const SIMPLE: u8 = 7;
}

/// Numbers of tags.
#[allow(missing_docs)]
pub mod tag {
    pub const POSITIVE_BIGNUM: u64 = 2;
    pub const NEGATIVE_BIGNUM: u64 = 3;
    pub const EMBEDDED: u64 = 24;
    pub const RELATIVE_OID: u64 = 110;
    pub const OID: u64 = 111;
}

/// First octets of items that have one octet.
#[allow(missing_docs)]
pub mod simple {
    pub const FALSE: u8 = 0xf4;
    pub const TRUE: u8 = 0xf5;
    pub const NULL: u8 = 0xf6;
}

/// Additional information of a float: two, four or eight octets follow.
pub const HALF: u8 = 25;
const SINGLE: u8 = 26;
const DOUBLE: u8 = 27;

/// Why octets are not an item in the deterministic form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// They end too soon.
    Truncated,
    /// They are something else.
    Malformed(faults::Fault),
    /// Items nest deeper than the caller allows.
    TooDeep,
}

/// The start of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The kind of item.
    pub major: u8,
    /// The five lowest bits of the first octet.
    pub information: u8,
    /// The number: a value, a length, a count or a tag; for a float, its bits.
    pub number: u64,
    /// How many octets the head has.
    pub octets: usize,
}

/// Reads a head.
///
/// # Errors
/// The octets end; a form that is not deterministic or does not exist.
#[inline]
pub fn head(octets: &[u8]) -> Result<Head, Fault> {
    let Some(first) = octets.first() else { return Err(Fault::Truncated) };
    let (major, information) = (first >> 5, first & 0x1f);
    if information < 24 {
        return Ok(Head { major, information, number: information.into(), octets: 1 });
    }
    long_head(octets, major, information)
}

#[inline(never)]
fn long_head(octets: &[u8], major: u8, information: u8) -> Result<Head, Fault> {
    let count = match information {
        24..=27 => 1usize << (information - 24),
        31 if major == major::SIMPLE => return Err(Fault::Malformed(faults::cbor::BREAK)),
        31 if (major::OCTETS..=major::MAP).contains(&major) => return Err(Fault::Malformed(faults::cbor::INDEFINITE)),
        _ => return Err(Fault::Malformed(faults::cbor::HEAD)),
    };
    let behind = octets.get(1..=count).ok_or(Fault::Truncated)?;
    let number = behind.iter().fold(0, |number, octet| number << 8 | u64::from(*octet));
    if major == major::SIMPLE {
        if information == 24 && number < 32 {
            return Err(Fault::Malformed(faults::cbor::SIMPLE));
        }
    } else if head_octets(number) != count as u64 + 1 {
        return Err(Fault::Malformed(faults::cbor::HEAD_SHORTEST));
    }
    Ok(Head { major, information, number, octets: count + 1 })
}

/// How many octets a head with this number takes.
#[inline]
#[must_use]
pub const fn head_octets(number: u64) -> u64 {
    match number {
        0..=23 => 1,
        24..=0xff => 2,
        0x100..=0xffff => 3,
        0x1_0000..=0xffff_ffff => 5,
        _ => 9,
    }
}

/// How many octets an integer takes.
#[must_use]
pub const fn integer_octets(value: i128) -> u64 {
    let magnitude = magnitude(value);
    if magnitude <= u64::MAX as u128 {
        return head_octets(magnitude as u64);
    }
    // After the tag and the head of a string that is never long.
    2 + (128 - magnitude.leading_zeros() as u64).div_ceil(8)
}

/// The number that stands for an integer on the wire: for a negative one its complement.
#[inline]
#[must_use]
pub const fn magnitude(value: i128) -> u128 {
    (if value < 0 { !value } else { value }) as u128
}

/// Writes a head.
///
/// # Errors
/// The output is full.
#[inline]
pub fn put_head(writer: &mut Writer<'_>, major: u8, number: u64) -> Result<(), Rejected> {
    let front = u64::from(major) << 5;
    match number {
        0..=23 => writer.put(front | number, 8),
        24..=0xff => writer.put((front | 24) << 8 | number, 16),
        0x100..=0xffff => writer.put((front | 25) << 16 | number, 24),
        0x1_0000..=0xffff_ffff => writer.put((front | 26) << 32 | number, 40),
        _ => {
            writer.put(front | 27, 8)?;
            writer.put_wide(number, 64)
        }
    }
}

/// Writes the head of a string before its octets, which have been written from `start` on. One
/// octet has been left for the head, at `start - 1`; the octets are moved if it takes more. Returns
/// their new end.
///
/// # Errors
/// The output is full.
#[inline]
pub fn close(output: &mut [u8], start: usize, end: usize) -> Result<usize, Rejected> {
    let length = end.wrapping_sub(start);
    if length < 24 {
        *output.get_mut(start.wrapping_sub(1)).ok_or(Rejected)? = major::OCTETS << 5 | length as u8;
        return Ok(end);
    }
    close_long(output, start, end)
}

#[inline(never)]
fn close_long(output: &mut [u8], start: usize, end: usize) -> Result<usize, Rejected> {
    let (at, length) = (start.checked_sub(1).ok_or(Rejected)?, end.checked_sub(start).ok_or(Rejected)? as u64);
    let to = at + head_octets(length) as usize;
    let new_end = to.checked_add(length as usize).ok_or(Rejected)?;
    if end > output.len() || new_end > output.len() {
        return Err(Rejected);
    }
    output.copy_within(start..end, to);
    let mut writer = Writer::new(output.get_mut(at..to).ok_or(Rejected)?);
    put_head(&mut writer, major::OCTETS, length)?;
    writer.flush()?;
    Ok(new_end)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::writer::written;

    /// RFC 8949 Appendix A.
    #[test]
    fn heads_come_back() {
        for (major, number, octets) in [
            (0, 0, &[0x00][..]),
            (0, 23, &[0x17]),
            (0, 24, &[0x18, 0x18]),
            (0, 100, &[0x18, 0x64]),
            (0, 1000, &[0x19, 0x03, 0xe8]),
            (0, 1_000_000, &[0x1a, 0x00, 0x0f, 0x42, 0x40]),
            (0, 1_000_000_000_000, &[0x1b, 0, 0, 0, 0xe8, 0xd4, 0xa5, 0x10, 0]),
            (0, u64::MAX, &[0x1b, 255, 255, 255, 255, 255, 255, 255, 255]),
            (1, 99, &[0x38, 0x63]),
            (4, 25, &[0x98, 0x19]),
            (6, 0x10000, &[0xda, 0, 1, 0, 0]),
        ] {
            let (found, length) = written(|writer| put_head(writer, major, number));
            assert_eq!(&found[..length], octets);
            assert_eq!(head_octets(number), octets.len() as u64);
            let read = head(octets).unwrap();
            assert_eq!((read.major, read.number, read.octets), (major, number, octets.len()));
            for cut in 0..octets.len() {
                assert_eq!(head(&octets[..cut]), Err(Fault::Truncated));
            }
        }
    }

    #[test]
    fn other_forms_are_refused() {
        use crate::faults::cbor as fault;
        for (octets, wanted) in [
            (&[0x18, 0x17][..], fault::HEAD_SHORTEST),
            (&[0x19, 0x00, 0xff], fault::HEAD_SHORTEST),
            (&[0x1a, 0, 0, 0xff, 0xff], fault::HEAD_SHORTEST),
            (&[0x1b, 0, 0, 0, 0, 255, 255, 255, 255], fault::HEAD_SHORTEST),
            (&[0xf8, 0x1f], fault::SIMPLE),
            (&[0xff], fault::BREAK),
            (&[0x5f], fault::INDEFINITE),
            (&[0xbf], fault::INDEFINITE),
            (&[0x1f], fault::HEAD),
            (&[0xdf], fault::HEAD),
            (&[0x1c], fault::HEAD),
            (&[0xfe], fault::HEAD),
        ] {
            assert_eq!(head(octets), Err(Fault::Malformed(wanted)), "{octets:x?}");
        }
    }

    #[test]
    fn integers_take_as_many_octets_as_they_need() {
        for (value, octets) in [
            (0, 1),
            (-1, 1),
            (23, 1),
            (-24, 1),
            (-25, 2),
            (i128::from(u64::MAX), 9),
            (-1 - i128::from(u64::MAX), 9),
            (i128::from(u64::MAX) + 1, 11),
            (i128::MIN, 18),
        ] {
            assert_eq!(integer_octets(value), octets, "{value}");
        }
    }

    #[test]
    fn long_contents_move() {
        let mut output = vec![7u8; 300];
        assert_eq!(close(&mut output, 2, 25), Ok(25));
        assert_eq!(&output[..3], [7, 0x57, 7]);
        assert_eq!(close(&mut output, 2, 26), Ok(27));
        assert_eq!(&output[..4], [7, 0x58, 24, 7]);
        assert_eq!(close(&mut output, 2, 300), Err(Rejected));
        assert_eq!(close(&mut output, 0, 30), Err(Rejected));
    }
}
