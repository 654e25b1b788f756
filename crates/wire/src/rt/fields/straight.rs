//! Fields as straight-line code writes and reads them, with keys as constants of one or two octets.
//! `Rejected` stands for rare forms as well as for errors.

use super::read;
use crate::error::Rejected;
use crate::rt::octet::signed_octets_of;
use crate::rt::varint::{self, put};
use crate::rt::words::{self, put_octets};
use crate::writer::Writer;

/// Stores the `octets` (1 to 8) least significant octets of `word`, and returns where they end. Up
/// to eight octets of the output are overwritten.
///
/// # Errors
/// Fewer than eight octets of the output are left.
#[inline(always)]
pub fn put_word(output: &mut [u8], at: usize, word: u64, octets: usize) -> Result<usize, Rejected> {
    words::put(output, at, word.to_le_bytes(), octets)
}

/// In a varint of six octets, the bits that say that more octets follow.
const MORE: u64 = 0x8080_8080_8080;

/// The most bits of a number whose varint fits into a word after a key.
pub const IN_A_WORD: u32 = 42;

/// Writes a key of up to two octets, and a number of at most `MOST` bits; `MOST` is at most
/// [`IN_A_WORD`].
///
/// # Errors
/// Fewer than eight octets of the output are left.
#[inline(always)]
pub fn put_number<const MOST: u32>(
    output: &mut [u8],
    at: usize,
    key: u64,
    key_octets: usize,
    number: u64,
) -> Result<usize, Rejected> {
    let number = number & ((1 << MOST) - 1);
    let (varint, octets) = if MOST <= 14 {
        let is_long = number > 127;
        (number & 0x7f | u64::from(is_long) << 7 | number >> 7 << 8, 1 + usize::from(is_long))
    } else {
        varint::word(number)
    };
    put_word(output, at, key | varint << (8 * key_octets), key_octets + octets)
}

/// Writes a key, and any number.
///
/// # Errors
/// Fewer than eighteen octets of the output are left, or it is full.
#[inline(never)]
pub fn put_long_number(
    output: &mut [u8],
    at: usize,
    key: u64,
    key_octets: usize,
    number: u64,
) -> Result<usize, Rejected> {
    let at = put_word(output, at, key, key_octets)?;
    let mut writer = Writer::new(output.get_mut(at..).ok_or(Rejected)?);
    put(&mut writer, number)?;
    Ok(at + writer.finish()?)
}

/// Writes a key, and a number in two's complement in as few octets as possible, after their length.
///
/// # Errors
/// Fewer than eleven octets of the output are left.
#[inline(always)]
pub fn put_contents(output: &mut [u8], at: usize, key: u64, key_octets: usize, number: i64) -> Result<usize, Rejected> {
    let octets = signed_octets_of(number);
    let at = put_word(output, at, key | u64::from(octets) << (8 * key_octets), key_octets + 1)?;
    put_word(output, at, ((number as u64) << (64 - 8 * octets)).swap_bytes(), octets as usize)
}

/// Writes a key, the length of `octets`, and the octets.
///
/// # Errors
/// The output is full, or nearly.
#[inline(never)]
pub fn put_string(output: &mut [u8], at: usize, key: u64, key_octets: usize, octets: &[u8]) -> Result<usize, Rejected> {
    let at = put_long_number(output, at, key, key_octets, octets.len() as u64)?;
    put_octets(output, at, octets)
}

/// Writes a key, and a bit string of any length: the first `bits` bits of its octets, whose other
/// bits are zero.
///
/// # Errors
/// The output is full, or nearly.
#[inline(never)]
pub fn put_bits(
    output: &mut [u8],
    at: usize,
    key: u64,
    key_octets: usize,
    octets: &[u8],
    bits: usize,
) -> Result<usize, Rejected> {
    let at = put_long_number(output, at, key, key_octets, octets.len() as u64 + 1)?;
    let at = put_octets(output, at, &[(octets.len() * 8).wrapping_sub(bits) as u8])?;
    put_octets(output, at, octets)
}

/// The eight octets from `at` on, the first one least significant; past the end of the input they
/// are zero.
#[inline(always)]
fn window(input: &[u8], at: usize) -> u64 {
    words::window(input, at).swap_bytes()
}

#[inline(always)]
const fn is_key_of(word: u64, key: u64, key_octets: usize) -> bool {
    word & ((1 << (8 * key_octets)) - 1) == key
}

/// Whether this key comes next.
#[inline(always)]
#[must_use]
pub fn is_key(input: &[u8], at: usize, key: u64, key_octets: usize) -> bool {
    match key_octets {
        1 => input.get(at) == Some(&(key as u8)),
        _ => is_key_of(window(input, at), key, key_octets),
    }
}

/// Reads this key, and a number of one octet.
///
/// # Errors
/// Another key, or a longer number.
#[inline(always)]
pub fn take_octet(input: &[u8], at: usize, key: u64, key_octets: usize) -> Result<(usize, u64), Rejected> {
    let word = window(input, at);
    let octet = word >> (8 * key_octets) & 0xff;
    if !is_key_of(word, key, key_octets) || octet > 0x7f {
        return Err(Rejected);
    }
    Ok((at + key_octets + 1, octet))
}

/// Reads this key, and a number of up to six octets; most numbers have `MOST` octets, or one or
/// two.
///
/// # Errors
/// Another key, or a longer number.
#[inline(always)]
pub fn take_number<const MOST: usize>(
    input: &[u8],
    at: usize,
    key: u64,
    key_octets: usize,
) -> Result<(usize, u64), Rejected> {
    let word = window(input, at);
    if !is_key_of(word, key, key_octets) {
        return Err(Rejected);
    }
    let octets = word >> (8 * key_octets);
    let at = at + key_octets;
    // With branches, the processor predicts where the next field begins. Computing it would make
    // each field wait for the one before.
    let more = octets & MORE;
    if more & 0x80 == 0 {
        return Ok((at + 1, octets & 0x7f));
    }
    if more & 0x8000 == 0 {
        return Ok((at + 2, varint::number(octets & 0x7fff)));
    }
    let all = (1 << (8 * MOST)) - 1;
    if more & all == MORE & all >> 8 {
        return Ok((at + MOST, varint::number(octets & all)));
    }
    let last = !octets & MORE;
    if last == 0 {
        return Err(Rejected);
    }
    // All bits up to the one that marks the last octet.
    Ok((at + (last.trailing_zeros() as usize + 1) / 8, varint::number(octets & (last ^ (last - 1)))))
}

/// Reads this key, and any number.
///
/// # Errors
/// Another key, or no number.
#[inline(never)]
pub fn take_long_number(input: &[u8], at: usize, key: u64, key_octets: usize) -> Result<(usize, u64), Rejected> {
    if !is_key_of(window(input, at), key, key_octets) {
        return Err(Rejected);
    }
    match read(input.get(at + key_octets..).unwrap_or(&[])) {
        Ok((number, octets)) => Ok((at + key_octets + octets, number)),
        Err(_) => Err(Rejected),
    }
}

/// Reads this key, and eight octets.
///
/// # Errors
/// Another key, or the end.
#[inline(always)]
pub fn take_eight(input: &[u8], at: usize, key: u64, key_octets: usize) -> Result<(usize, u64), Rejected> {
    match input.get(at + key_octets..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(eight) if is_key_of(window(input, at), key, key_octets) => {
            Ok((at + key_octets + 8, u64::from_le_bytes(*eight)))
        }
        _ => Err(Rejected),
    }
}

/// Reads this key, and a number in two's complement in as few octets as possible, after their
/// length.
///
/// # Errors
/// Another key, more octets than needed or than eight, or the end.
#[inline(always)]
pub fn take_contents(input: &[u8], at: usize, key: u64, key_octets: usize) -> Result<(usize, i64), Rejected> {
    let (start, end) = open(input, at, key, key_octets)?;
    let octets = end - start;
    if !(1..=8).contains(&octets) || end > input.len() {
        return Err(Rejected);
    }
    let number = window(input, start).swap_bytes() as i64 >> (64 - 8 * octets);
    if signed_octets_of(number) as usize != octets {
        return Err(Rejected);
    }
    Ok((end, number))
}

/// Reads this key and a length, and returns where the contents begin and end. The caller checks
/// that they end inside the enclosing value.
///
/// # Errors
/// Another key, no length, or an end beyond the input.
#[inline(always)]
pub fn open(input: &[u8], at: usize, key: u64, key_octets: usize) -> Result<(usize, usize), Rejected> {
    let word = window(input, at);
    if !is_key_of(word, key, key_octets) {
        return Err(Rejected);
    }
    match word >> (8 * key_octets) & 0xff {
        short @ 0..=0x7f => Ok((at + key_octets + 1, at + key_octets + 1 + short as usize)),
        _ => open_long(input, at + key_octets),
    }
}

#[inline(never)]
fn open_long(input: &[u8], at: usize) -> Result<(usize, usize), Rejected> {
    match read(input.get(at..).unwrap_or(&[])) {
        Ok((length, front)) if length <= input.len() as u64 => Ok((at + front, at + front + length as usize)),
        _ => Err(Rejected),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let mut output = [0u8; 32];
        for number in (0..43).flat_map(|bits| [(1u64 << bits) - 1, (1u64 << bits) >> 1]).filter(|one| *one < 1 << 42) {
            for (key, octets) in [(0x08, 1), (0x01a0, 2), (0, 0)] {
                let end = put_number::<42>(&mut output, 3, key, octets, number).unwrap();
                assert_eq!(read(&output[3 + octets..end]), Ok((number, end - 3 - octets)), "{number}");
                assert_eq!(take_number::<6>(&output[..end], 3, key, octets), Ok((end, number)), "{number}");
                assert_eq!(take_number::<2>(&output[..end], 3, key, octets), Ok((end, number)), "{number}");
                assert_eq!(take_number::<4>(&output[..end], 3, key, octets), Ok((end, number)), "{number}");
                if number < 1 << 14 {
                    assert_eq!(put_number::<14>(&mut output, 3, key, octets, number), Ok(end));
                }
                assert_eq!(take_long_number(&output[..end], 3, key, octets), Ok((end, number)));
                if octets > 0 {
                    assert_eq!(put_long_number(&mut output, 3, key, octets, number), Ok(end));
                    assert!(is_key(&output, 3, key, octets) && !is_key(&output, 3, key + 1, octets));
                    assert_eq!(take_number::<6>(&output, 3, key + 1, octets), Err(Rejected));
                }
            }
        }
        assert_eq!(take_number::<5>(&[8, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1], 0, 8, 1), Err(Rejected));
        assert_eq!(take_octet(&[8, 0x7f], 0, 8, 1), Ok((2, 0x7f)));
        assert_eq!(take_octet(&[8, 0x80, 0], 0, 8, 1), Err(Rejected));
    }

    #[test]
    fn contents_come_back() {
        let mut output = [0u8; 32];
        for number in (0..64).flat_map(|bits| [i64::MAX >> bits, i64::MIN >> bits]).chain([1, 200, -200, 40_000]) {
            let end = put_contents(&mut output, 3, 0x0a, 1, number).unwrap();
            assert_eq!(take_contents(&output[..end], 3, 0x0a, 1), Ok((end, number)), "{number}");
            assert_eq!(take_contents(&output[..end - 1], 3, 0x0a, 1), Err(Rejected), "{number}");
        }
        assert_eq!(take_contents(&[10, 2, 0, 0x80], 0, 10, 1), Ok((4, 128)));
        assert_eq!(take_contents(&[10, 2, 0, 0x7f], 0, 10, 1), Err(Rejected));
        assert_eq!(take_contents(&[10, 0], 0, 10, 1), Err(Rejected));
        assert_eq!(take_contents(&[10, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9], 0, 10, 1), Err(Rejected));
    }

    #[test]
    fn lengths_are_told() {
        assert_eq!(open(&[10, 3, 1, 2, 3], 0, 10, 1), Ok((2, 5)));
        assert_eq!(open(&[10, 0x83, 0, 1, 2, 3], 0, 10, 1), Ok((3, 6)));
        assert_eq!(open(&[10, 0xff, 0xff, 0xff, 1, 2, 3], 0, 10, 1), Err(Rejected));
        assert_eq!(open(&[18, 3, 1, 2, 3], 0, 10, 1), Err(Rejected));
    }
}
