//! Items as straight-line code writes and reads them: a head is put together in a word, its first
//! octet most significant. `Rejected` stands for rare forms as well as for errors.

use super::{Head, head, shortest, value_of};
use crate::error::Rejected;
use crate::rt::words::{self, window};

/// The length of a head with a number of 64 bits. Heads of up to five octets are put together in a
/// word.
pub const LONGEST: usize = 9;

/// Stores the `octets` (1 to 8) most significant octets of `word`, and returns where they end. Up
/// to eight octets of the output are overwritten.
///
/// # Errors
/// Fewer than eight octets of the output are left.
#[inline(always)]
pub fn put_word(output: &mut [u8], at: usize, word: u64, octets: usize) -> Result<usize, Rejected> {
    words::put(output, at, word.to_be_bytes(), octets)
}

/// The head of an unsigned number that takes at most `MOST` (1, 2, 3 or 5) octets, and how many it
/// takes.
#[inline(always)]
#[must_use]
pub const fn head_word<const MOST: usize>(number: u64) -> (u64, usize) {
    // Without a branch: the size of the number cannot be predicted.
    let (one, two, four) =
        ((MOST > 1 && number > 23) as u64, (MOST > 2 && number > 0xff) as u64, (MOST > 3 && number > 0xffff) as u64);
    let octets = one + two + 2 * four;
    let front = (0x18 & one.wrapping_neg()) + two + four;
    (front << 56 | number << (56 - 8 * octets), 1 + octets as usize)
}

/// The same of any integer.
#[inline(always)]
#[must_use]
pub const fn integer_word<const MOST: usize>(number: i64) -> (u64, usize) {
    let sign = (number >> 63) as u64;
    let (word, octets) = head_word::<MOST>(number as u64 ^ sign);
    ((sign & 0x20) << 56 | word, octets)
}

/// Writes a head with a number of any length; `front` is its first octet with the number 0.
///
/// # Errors
/// Fewer than sixteen octets of the output are left.
#[inline(always)]
pub fn put_long(output: &mut [u8], at: usize, front: u64, number: u64) -> Result<usize, Rejected> {
    if number > u32::MAX.into() {
        let at = put_word(output, at, (front | 27) << 56, 1)?;
        return put_word(output, at, number, 8);
    }
    let (word, octets) = head_word::<5>(number);
    put_word(output, at, front << 56 | word, octets)
}

/// Writes any integer.
///
/// # Errors
/// As [`put_long`].
#[inline(always)]
pub fn put_long_integer(output: &mut [u8], at: usize, number: i64) -> Result<usize, Rejected> {
    let sign = (number >> 63) as u64;
    put_long(output, at, sign & 0x20, number as u64 ^ sign)
}

/// Writes octets unchanged.
///
/// # Errors
/// The output is full.
#[inline(always)]
pub fn put_array<const COUNT: usize>(output: &mut [u8], at: usize, octets: &[u8; COUNT]) -> Result<usize, Rejected> {
    match output.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<COUNT>()) {
        Some(place) => *place = *octets,
        None => return Err(Rejected),
    }
    Ok(at + COUNT)
}

/// Writes a bit string whose size is not known; `bits` are the `count` least significant ones, and
/// up to 64.
///
/// # Errors
/// Fewer than ten octets of the output are left.
#[inline(always)]
pub fn put_bits(output: &mut [u8], at: usize, bits: u64, count: u32) -> Result<usize, Rejected> {
    let octets = u64::from(count.div_ceil(8));
    let at = put_word(output, at, (0x41 + octets) << 56 | (8 * octets - u64::from(count)) << 48, 2)?;
    put_word(output, at, if count == 0 { 0 } else { bits << (64 - count) }, octets as usize)
}

/// Writes a float in the shortest form that keeps it.
///
/// # Errors
/// Fewer than nine octets of the output are left.
#[inline(never)]
pub fn put_float(output: &mut [u8], at: usize, value: f64) -> Result<usize, Rejected> {
    let (information, bits, count) = shortest(value);
    let at = put_word(output, at, (0xe0 | u64::from(information)) << 56, 1)?;
    put_word(output, at, bits << (64 - count), count as usize / 8)
}

/// Reads the head of an unsigned number that takes at most `MOST` (1, 2, 3 or 5) octets from a
/// word: the number, and how many octets it took. For another kind of item, the
/// caller first turns the first octet into that of a number.
///
/// # Errors
/// Another kind of item, more than `MOST` octets, or more than needed.
#[inline(always)]
pub const fn take_head<const MOST: usize>(word: u64) -> Result<(u64, usize), Rejected> {
    let first = word >> 56;
    // With branches, the processor predicts where the next item begins.
    if first < 24 {
        return Ok((first, 1));
    }
    let (number, octets, least) = match first {
        24 if MOST > 1 => (word << 8 >> 56, 2, 24),
        25 if MOST > 2 => (word << 8 >> 48, 3, 0x100),
        26 if MOST > 3 => (word << 8 >> 32, 5, 0x1_0000),
        _ => return Err(Rejected),
    };
    if number < least {
        return Err(Rejected);
    }
    Ok((number, octets))
}

/// The same of any integer.
///
/// # Errors
/// As [`take_head`].
#[inline(always)]
pub const fn take_integer<const MOST: usize>(word: u64) -> Result<(i64, usize), Rejected> {
    let sign = word >> 61 & 1;
    match take_head::<MOST>(word & !(0x20 << 56)) {
        Ok((number, octets)) => Ok(((number ^ sign.wrapping_neg()) as i64, octets)),
        Err(Rejected) => Err(Rejected),
    }
}

/// Reads a head with a number of any length; `front` is its first octet with the number 0. Where it
/// ends may be past the end of the input.
///
/// # Errors
/// As [`take_head`].
#[inline(always)]
pub fn take_long(input: &[u8], at: usize, front: u64) -> Result<(usize, u64), Rejected> {
    let word = window(input, at) ^ front << 56;
    if word >> 56 != 27 {
        let (number, octets) = take_head::<5>(word)?;
        return Ok((at + octets, number));
    }
    let number = window(input, at + 1);
    if number <= u32::MAX.into() {
        return Err(Rejected);
    }
    Ok((at + LONGEST, number))
}

/// Reads any integer that has 64 bits with its sign.
///
/// # Errors
/// As [`take_head`]; a wider integer.
#[inline(always)]
pub fn take_long_integer(input: &[u8], at: usize) -> Result<(usize, i64), Rejected> {
    let sign = window(input, at) >> 61 & 1;
    let (at, number) = take_long(input, at, sign << 5)?;
    if number >> 63 != 0 {
        return Err(Rejected);
    }
    Ok((at, (number ^ sign.wrapping_neg()) as i64))
}

/// Whether these octets, at most eight, come next.
#[inline(always)]
#[must_use]
pub fn is_next(input: &[u8], at: usize, word: u64, octets: usize) -> bool {
    match octets {
        1 => input.get(at) == Some(&(word as u8)),
        _ => window(input, at) >> (64 - 8 * octets) == word,
    }
}

/// Reads octets unchanged.
///
/// # Errors
/// The input ends.
#[inline(always)]
pub fn take_array<const COUNT: usize>(input: &[u8], at: usize) -> Result<(usize, &[u8; COUNT]), Rejected> {
    match input.get(at..).and_then(|rest| rest.first_chunk::<COUNT>()) {
        Some(octets) => Ok((at + COUNT, octets)),
        None => Err(Rejected),
    }
}

/// Reads `count` octets.
///
/// # Errors
/// The input ends.
#[inline(always)]
pub fn take_slice(input: &[u8], at: usize, count: u64) -> Result<(usize, &[u8]), Rejected> {
    let Ok(count) = usize::try_from(count) else { return Err(Rejected) };
    match input.get(at..).and_then(|rest| rest.get(..count)) {
        Some(octets) => Ok((at + count, octets)),
        None => Err(Rejected),
    }
}

/// Reads the head of a byte string that has content: where the content begins, and where it ends.
///
/// # Errors
/// Another kind of item, not the shortest form, no content; the input ends.
#[inline(always)]
pub fn open(input: &[u8], at: usize) -> Result<(usize, usize), Rejected> {
    let (at, length) = take_long(input, at, 0x40)?;
    let left = input.len().saturating_sub(at) as u64;
    if length == 0 || length > left {
        return Err(Rejected);
    }
    Ok((at, at + length as usize))
}

/// Reads a bit string of at most 64 bits whose size is not known: where it ends, the bits as the
/// least significant ones, and how many there are.
///
/// # Errors
/// Another kind of item, more bits; unused bits in the last octet that are not zero.
#[inline(always)]
pub fn take_bits(input: &[u8], at: usize) -> Result<(usize, u64, u32), Rejected> {
    let front = window(input, at) >> 48;
    let (octets, unused) = ((front >> 8).wrapping_sub(0x41) as u32, front as u32 & 0xff);
    if octets > 8 || unused > 7 || unused > 8 * octets {
        return Err(Rejected);
    }
    let count = 8 * octets - unused;
    let word = window(input, at + 2);
    let bits = if count == 0 { 0 } else { word >> (64 - count) };
    // From the first unused bit on, up to the end of the last octet.
    if unused > 0 && word << count >> (64 - unused) != 0 {
        return Err(Rejected);
    }
    Ok((at + 2 + octets as usize, bits, count))
}

/// Reads a float.
///
/// # Errors
/// Another kind of item, or not the shortest form.
#[inline(never)]
pub fn take_float(input: &[u8], at: usize) -> Result<(usize, f64), Rejected> {
    match head(input.get(at..).unwrap_or(&[])) {
        Ok(Head { major: super::major::SIMPLE, information: information @ super::HALF.., number, octets }) => {
            value_of(information, number).map(|value| (at + octets, value)).map_err(|_| Rejected)
        }
        _ => Err(Rejected),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rt::cbor::{major, put_head};
    use crate::writer::written;

    /// Around every border between two lengths.
    fn numbers() -> impl Iterator<Item = u64> {
        (0..64).flat_map(|bits| [(1u64 << bits) - 1, 1 << bits, (1 << bits) + 1]).chain([22, 23, 24, 25, u64::MAX])
    }

    #[test]
    fn a_byte_string_with_content_is_opened_and_no_other() {
        let mut input = [0u8; 300];
        input[..3].copy_from_slice(&[0x59, 1, 0x20]);
        assert_eq!(open(&input, 0), Ok((3, 291)));
        assert_eq!(open(&[0xff, 0x42, 1, 2], 1), Ok((2, 4)));
        // Cut short, empty, longer than the shortest form, text, nothing.
        for wrong in [&[0x43, 1, 2][..], &[0x40], &[0x58, 2, 1, 2], &[0x62, 1, 2], &[]] {
            assert_eq!(open(wrong, 0), Err(Rejected), "{wrong:02x?}");
        }
    }

    #[test]
    fn heads_are_those_of_the_interpreter() {
        for number in numbers() {
            let (wanted, length) = written(|writer| put_head(writer, major::UNSIGNED, number));
            let mut output = [0u8; 32];
            let end = put_long(&mut output, 3, 0, number).unwrap();
            assert_eq!(output[3..end], wanted[..length], "{number}");
            assert_eq!(take_long(&output[..end], 3, 0), Ok((end, number)));
            assert_eq!(take_long(&output[..end], 3, 0x40), Err(Rejected));
            let word = window(&output, 3);
            let agree = |(found, octets): (u64, usize), read| {
                assert_eq!(found.to_be_bytes()[..octets], wanted[..length], "{number}");
                assert_eq!(read, Ok((number, length)));
            };
            if length <= 1 {
                agree(head_word::<1>(number), take_head::<1>(word));
            }
            if length <= 2 {
                agree(head_word::<2>(number), take_head::<2>(word));
            }
            if length <= 3 {
                agree(head_word::<3>(number), take_head::<3>(word));
            }
            if length <= 5 {
                agree(head_word::<5>(number), take_head::<5>(word));
            } else {
                assert_eq!(take_head::<5>(word), Err(Rejected));
            }
        }
        for other in
            [&[0x18, 23][..], &[0x19, 0, 0xff], &[0x1a, 0, 0, 0xff, 0xff], &[0x1b, 0, 0, 0, 0, 255, 255, 255, 255]]
        {
            assert_eq!(take_long(other, 0, 0), Err(Rejected));
        }
    }

    #[test]
    fn integers_are_those_of_the_interpreter() {
        for number in numbers().flat_map(|number| [number as i64, !(number as i64)]) {
            let (major, rest) = if number < 0 { (major::NEGATIVE, !number) } else { (major::UNSIGNED, number) };
            let (wanted, length) = written(|writer| put_head(writer, major, rest as u64));
            let mut output = [0u8; 32];
            let end = put_long_integer(&mut output, 3, number).unwrap();
            assert_eq!(output[3..end], wanted[..length], "{number}");
            assert_eq!(take_long_integer(&output[..end], 3), Ok((end, number)));
            if length <= 5 {
                let (word, octets) = integer_word::<5>(number);
                assert_eq!(word.to_be_bytes()[..octets], wanted[..length], "{number}");
                assert_eq!(take_integer::<5>(window(&output, 3)), Ok((number, length)));
            }
        }
        assert_eq!(take_long_integer(&[0x3b, 0x80, 0, 0, 0, 0, 0, 0, 0], 0), Err(Rejected));
        assert_eq!(take_integer::<5>(0x40 << 56), Err(Rejected));
    }

    #[test]
    fn bits_come_back() {
        let mut output = [0u8; 32];
        for count in 0..=64 {
            let bits = if count == 0 { 0 } else { u64::MAX >> (64 - count) };
            let end = put_bits(&mut output, 3, bits, count).unwrap();
            assert_eq!(take_bits(&output[..end], 3), Ok((end, bits, count)));
        }
        assert_eq!(put_bits(&mut output, 0, 0b101, 3), Ok(3));
        assert_eq!(output[..3], [0x42, 5, 0b1010_0000]);
        for other in [&[0x42, 5, 0b1010_0001][..], &[0x41, 1], &[0x42, 8, 0], &[0x40], &[0x62, 5, 0]] {
            assert_eq!(take_bits(other, 0), Err(Rejected), "{other:x?}");
        }
    }

    #[test]
    fn floats_come_back() {
        let mut output = [0u8; 32];
        for (value, octets) in [(1.5, 3), (100_000.0, 5), (1.1, 9), (f64::NEG_INFINITY, 3)] {
            let end = put_float(&mut output, 3, value).unwrap();
            assert_eq!((end, take_float(&output[..end], 3)), (3 + octets, Ok((end, value))));
        }
        assert_eq!(take_float(&[0xfa, 0x3f, 0xc0, 0, 0], 0), Err(Rejected));
        assert_eq!(take_float(&[0xf4], 0), Err(Rejected));
    }

    #[test]
    fn octets_end_with_the_input() {
        assert_eq!(take_array::<2>(&[1, 2, 3], 1), Ok((3, &[2, 3])));
        assert_eq!(take_array::<2>(&[1, 2, 3], 2), Err(Rejected));
        assert_eq!(take_slice(&[1, 2, 3], 1, 2), Ok((3, &[2, 3][..])));
        assert_eq!(take_slice(&[1, 2, 3], 1, u64::MAX), Err(Rejected));
        assert!(is_next(&[1, 0x18, 24], 1, 0x1818, 2) && !is_next(&[1], 1, 0, 1));
    }
}
