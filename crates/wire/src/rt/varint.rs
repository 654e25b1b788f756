//! Unsigned integers in groups of seven bits, least significant first, each after a bit that says
//! whether another group follows (EXI §7.1.6; Protocol Buffers, "Encoding").

use crate::error::Rejected;
use crate::reader::Reader;
use crate::writer::Writer;

/// How many groups a number takes.
#[inline]
#[must_use]
pub const fn octets_of(number: u64) -> usize {
    ((63 - (number | 1).leading_zeros()) / 7 + 1) as usize
}

/// Writes a number in as few groups as hold it.
///
/// # Errors
/// The output is full.
#[inline]
pub fn put(writer: &mut Writer<'_>, number: u64) -> Result<(), Rejected> {
    if number < 0x80 { writer.put(number, 8) } else { put_long(writer, number) }
}

#[inline(never)]
fn put_long(writer: &mut Writer<'_>, number: u64) -> Result<(), Rejected> {
    let mut rest = number;
    while rest >= 0x80 {
        writer.put(rest & 0x7f | 0x80, 8)?;
        rest >>= 7;
    }
    writer.put(rest, 8)
}

/// Maps signed to unsigned numbers, small to small: 0, -1, 1, -2 become 0, 1, 2, 3.
#[inline]
#[must_use]
pub const fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

/// The inverse of [`zigzag`].
#[inline]
#[must_use]
pub const fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// [`put`] for wider numbers.
///
/// # Errors
/// The output is full.
pub fn put_wide(writer: &mut Writer<'_>, number: u128) -> Result<(), Rejected> {
    let mut rest = number;
    while rest >> 64 != 0 {
        writer.put((rest & 0x7f | 0x80) as u64, 8)?;
        rest >>= 7;
    }
    put(writer, rest as u64)
}

/// The octets of a number of up to 49 bits, the first octet in the lowest bits, and how many there
/// are.
#[inline(always)]
#[must_use]
pub const fn word(number: u64) -> (u64, usize) {
    let count = octets_of(number);
    // By halves, down to seven bits in each octet.
    let halves = number & 0x0fff_ffff | number << 4 & 0x0fff_ffff_0000_0000;
    let quarters = halves & 0x0000_3fff_0000_3fff | halves << 2 & 0x3fff_0000_3fff_0000;
    let octets = quarters & 0x007f_007f_007f_007f | quarters << 1 & 0x7f00_7f00_7f00_7f00;
    let more = 0x8080_8080_8080_8080 & ((1 << (8 * (count as u32 - 1))) - 1);
    (octets | more, count)
}

/// The number with these octets, the first octet in the lowest bits; the bits that say whether more
/// follow are ignored.
#[inline(always)]
#[must_use]
pub const fn number(word: u64) -> u64 {
    let quarters = word & 0x007f_007f_007f_007f | (word & 0x7f00_7f00_7f00_7f00) >> 1;
    let halves = quarters & 0x0000_3fff_0000_3fff | (quarters & 0x3fff_0000_3fff_0000) >> 2;
    halves & 0x0fff_ffff | (halves & 0x0fff_ffff_0000_0000) >> 4
}

/// A number in as few groups as hold it, and their length in bits: up to `MOST` groups, at most
/// seven. For a wider number, which straight-line code refuses separately, the result is undefined.
#[inline(always)]
#[must_use]
pub const fn spread<const MOST: usize>(number: u64) -> (u64, u32) {
    if number < 0x80 {
        return (number, 8);
    }
    if MOST <= 2 || number < 0x4000 {
        return ((number & 0x7f | 0x80) << 8 | number >> 7 & 0x7f, 16);
    }
    if MOST == 3 {
        return ((number & 0x7f | 0x80) << 16 | (number << 1 & 0x7f00) | 0x8000 | number >> 14 & 0x7f, 24);
    }
    let (word, count) = word(number & 0x1_ffff_ffff_ffff);
    let bits = 8 * count as u32;
    (word.swap_bytes() >> (64 - bits), bits)
}

/// Assembles a number from the octets that `next` returns, up to the last group; also returns how
/// many there were. `None` after `most` octets, if `next` returns `None`, or if the number has more
/// than 64 bits.
#[inline(always)]
pub(crate) fn gather(mut next: impl FnMut() -> Option<u8>, most: usize) -> Option<(u64, usize)> {
    let mut number = 0;
    for at in 0..most {
        let octet = next()?;
        let group = u64::from(octet & 0x7f);
        if at == 9 && group > 1 || at > 9 && group > 0 {
            return None;
        }
        if at <= 9 {
            number |= group << (7 * at);
        }
        if octet & 0x80 == 0 {
            return Some((number, at + 1));
        }
    }
    None
}

/// Reads a number. It may end in more zero groups than needed.
///
/// # Errors
/// Past the end, or more than 64 bits.
#[inline(always)]
pub fn take(reader: &mut Reader<'_>) -> Result<u64, Rejected> {
    if let Some((number, bits)) = reader.peek().and_then(first) {
        reader.skip(bits as usize)?;
        return Ok(number);
    }
    // By value, so that the reader's address does not escape.
    let (number, after) = take_slowly(*reader);
    *reader = after;
    number
}

/// How many groups [`peel`] takes at most.
pub const MOST_PEELED: usize = 7;

/// The number of up to `MOST` groups at bit `at` of a left-aligned word; the word as it would be if
/// the number had one group; and how many bits more than one group the number has.
///
/// # Errors
/// More groups.
#[inline(always)]
pub fn peel<const MOST: usize>(word: u64, at: u32) -> Result<(u64, u64, usize), Rejected> {
    let window = word << at;
    // With branches, the processor predicts where the next field begins. Computing it would make
    // each field wait for the one before.
    if window >> 63 == 0 {
        return Ok((window >> 56, word, 0));
    }
    if MOST >= 2 && window >> 55 & 1 == 0 {
        return Ok((window >> 56 & 0x7f | (window >> 48 & 0x7f) << 7, word << 8, 8));
    }
    if MOST >= 3 {
        let bits = 8 * MOST as u32;
        if (window & MORE) >> (64 - bits) == (MORE >> (64 - bits)) & !0xff {
            return Ok((number(window.swap_bytes() & ((1 << bits) - 1)), word << (bits - 8), bits as usize - 8));
        }
    }
    if MOST < 4 {
        return Err(Rejected);
    }
    match first_apart(window) {
        Some((number, bits)) if bits <= 8 * MOST as u32 => Ok((number, word << (bits - 8), bits as usize - 8)),
        _ => Err(Rejected),
    }
}

/// The number of up to seven groups that a left-aligned word begins with, and how many bits it has.
#[inline(always)]
fn first(window: u64) -> Option<(u64, u32)> {
    // The top bit of each octet that is the last of a number.
    let ends = !window & MORE & !0xff;
    let bits = ends.leading_zeros() + 8;
    (ends != 0).then(|| (number((window >> (64 - bits)).swap_bytes() >> (64 - bits)), bits))
}

#[inline(never)]
fn first_apart(window: u64) -> Option<(u64, u32)> {
    first(window)
}

/// The bits of a window that say that more groups follow.
const MORE: u64 = 0x8080_8080_8080_8080;

/// Reads group by group, if there are many or the end is near.
#[inline(never)]
fn take_slowly(mut reader: Reader<'_>) -> (Result<u64, Rejected>, Reader<'_>) {
    let number = gather(|| reader.take(8).ok().map(|octet| octet as u8), usize::MAX);
    (number.map(|(number, _)| number).ok_or(Rejected), reader)
}

/// Reads a number of any width: calls `group` with each seven bits, least significant first.
///
/// # Errors
/// Past the end.
pub fn take_each(reader: &mut Reader<'_>, mut group: impl FnMut(u8)) -> Result<(), Rejected> {
    loop {
        let octet = reader.take(8)? as u8;
        group(octet & 0x7f);
        if octet & 0x80 == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{peel, put, put_wide, spread, take, take_each};
    use crate::{Reader, Rejected, Writer};

    type Peel = fn(u64, u32) -> Result<(u64, u64, usize), Rejected>;
    type Spread = fn(u64) -> (u64, u32);

    #[test]
    fn numbers_there_and_back() {
        for shift in 0..64 {
            for number in [1u64 << shift, (1u64 << shift) - 1, u64::MAX >> shift] {
                let (mut output, mut other) = ([0; 24], [0; 24]);
                let mut writer = Writer::new(&mut output);
                put(&mut writer, number).unwrap();
                let octets = writer.finish().unwrap();
                let mut writer = Writer::new(&mut other);
                put_wide(&mut writer, number.into()).unwrap();
                assert_eq!(writer.finish(), Ok(octets));
                assert_eq!(output[..octets], other[..octets]);
                assert_eq!(take(&mut Reader::new(&output[..octets])), Ok(number));
                assert_eq!(take(&mut Reader::new(&output)), Ok(number));
                assert!(take(&mut Reader::new(&output[..octets - 1])).is_err());
                let peels: [(usize, Peel); 7] = [
                    (1, peel::<1>),
                    (2, peel::<2>),
                    (3, peel::<3>),
                    (4, peel::<4>),
                    (5, peel::<5>),
                    (6, peel::<6>),
                    (7, peel::<7>),
                ];
                let word = u64::from_be_bytes(*output.first_chunk().unwrap());
                for at in 0..8 {
                    for (most, peel) in peels {
                        let more = 8 * (octets - 1);
                        let expected = (octets <= most).then(|| (number, word >> at << more, more));
                        assert_eq!(peel(word >> at, at).ok(), expected, "{number} at bit {at}");
                    }
                }
                if number >> 49 == 0 {
                    let wanted = output[..octets].iter().fold(0, |word, octet| word << 8 | u64::from(*octet));
                    let spreads: [(usize, Spread); 7] = [
                        (1, spread::<1>),
                        (2, spread::<2>),
                        (3, spread::<3>),
                        (4, spread::<4>),
                        (5, spread::<5>),
                        (6, spread::<6>),
                        (7, spread::<7>),
                    ];
                    for (_, spread) in spreads.iter().filter(|(most, _)| octets <= *most) {
                        assert_eq!(spread(number), (wanted, octets as u32 * 8));
                    }
                }
                let (mut found, mut at) = (0u128, 0);
                take_each(&mut Reader::new(&output), |bits| {
                    found |= u128::from(bits) << at;
                    at += 7;
                })
                .unwrap();
                assert_eq!(found, number.into());
            }
        }
    }

    #[test]
    fn zeros_may_follow_and_nothing_beyond_64_bits() {
        let read = |octets: &[u8]| take(&mut Reader::new(octets)).ok();
        assert_eq!(read(&[0x85, 0x80, 0x80, 0]), Some(5));
        assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]), Some(u64::MAX));
        assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 0x80, 0x80, 0]), Some(u64::MAX));
        assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]), None);
        assert_eq!(read(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1]), None);
        assert_eq!(read(&[0x80]), None);
    }
}
