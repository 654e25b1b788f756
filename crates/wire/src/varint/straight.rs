//! Fields as straight-line code writes and reads them: keys of one or two octets, as the octets that they are. `Rejected` is for what is rare as well as for what is wrong.

use super::{octets_of, put, read};
use crate::error::Rejected;
use crate::writer::Writer;

/// Stores the `octets` (1 to 8) least significant octets of `word`, and tells where they end. Up to eight octets of the output are overwritten.
///
/// # Errors
/// Fewer than eight octets of the output are left.
#[inline(always)]
pub fn put_word(output: &mut [u8], at: usize, word: u64, octets: usize) -> Result<usize, Rejected> {
    match output.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<8>()) {
        Some(place) => *place = word.to_le_bytes(),
        None => return Err(Rejected),
    }
    Ok(at + octets)
}

/// The groups of a number of up to 35 bits, each in an octet.
#[inline(always)]
const fn spread(number: u64) -> u64 {
    number & 0x7f
        | (number & 0x7f << 7) << 1
        | (number & 0x7f << 14) << 2
        | (number & 0x7f << 21) << 3
        | (number & 0x7f << 28) << 4
}

/// The number of which these are the groups.
#[inline(always)]
const fn gathered(groups: u64) -> u64 {
    groups & 0x7f
        | groups >> 1 & 0x7f << 7
        | groups >> 2 & 0x7f << 14
        | groups >> 3 & 0x7f << 21
        | groups >> 4 & 0x7f << 28
}

/// The bits that say that more octets follow, of a varint of five.
const MORE: u64 = 0x80_8080_8080;

/// Writes a key's octets, of which there are up to two, and a number of at most `MOST` bits, which are up to 35.
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
    let octets = octets_of(number);
    let more = MORE & ((1 << (8 * (octets as u32 - 1))) - 1);
    put_word(output, at, key | (spread(number) | more) << (8 * key_octets), key_octets + octets)
}

/// Writes a key's octets, and any number.
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

/// Writes octets as they are.
///
/// # Errors
/// The output is full.
#[inline]
pub fn put_octets(output: &mut [u8], at: usize, octets: &[u8]) -> Result<usize, Rejected> {
    let place = output.get_mut(at..).and_then(|rest| rest.get_mut(..octets.len())).ok_or(Rejected)?;
    place.copy_from_slice(octets);
    Ok(at + octets.len())
}

/// Writes a key's octets, a length, and so many octets.
///
/// # Errors
/// The output is full, or nearly.
#[inline(never)]
pub fn put_string(output: &mut [u8], at: usize, key: u64, key_octets: usize, octets: &[u8]) -> Result<usize, Rejected> {
    let at = put_long_number(output, at, key, key_octets, octets.len() as u64)?;
    put_octets(output, at, octets)
}

/// The eight octets from `at` on, the first one least significant; past the end of the input they are zero.
#[inline(always)]
fn window(input: &[u8], at: usize) -> u64 {
    match input.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(eight) => u64::from_le_bytes(*eight),
        None => near_end(input, at),
    }
}

#[inline(never)]
fn near_end(input: &[u8], at: usize) -> u64 {
    let rest = input.get(at..).unwrap_or(&[]);
    rest.iter().zip([0, 8, 16, 24, 32, 40, 48, 56]).fold(0, |word, (octet, shift)| word | u64::from(*octet) << shift)
}

#[inline(always)]
const fn is_key_of(word: u64, key: u64, key_octets: usize) -> bool {
    word & ((1 << (8 * key_octets)) - 1) == key
}

/// Whether these octets of a key come next.
#[inline(always)]
#[must_use]
pub fn is_key(input: &[u8], at: usize, key: u64, key_octets: usize) -> bool {
    match key_octets {
        1 => input.get(at) == Some(&(key as u8)),
        _ => is_key_of(window(input, at), key, key_octets),
    }
}

/// Reads a key, which has to be this one, and a number of one octet.
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

/// Reads a key, which has to be this one, and a number of up to five octets.
///
/// # Errors
/// Another key, or a longer number.
#[inline(always)]
pub fn take_number(input: &[u8], at: usize, key: u64, key_octets: usize) -> Result<(usize, u64), Rejected> {
    let word = window(input, at);
    let groups = word >> (8 * key_octets);
    let last = !groups & MORE;
    if !is_key_of(word, key, key_octets) || last == 0 {
        return Err(Rejected);
    }
    // All bits up to the one that ends it.
    let number = gathered(groups & (last ^ (last - 1)));
    Ok((at + key_octets + (last.trailing_zeros() as usize + 1) / 8, number))
}

/// Reads a key, which has to be this one, and any number.
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

/// Reads a key, which has to be this one, and eight octets.
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

/// Reads a key, which has to be this one, and a length: where the contents begin and end. That they end inside of what is around them is for the caller to check.
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
        for number in (0..36).flat_map(|bits| [(1u64 << bits) - 1, (1u64 << bits) >> 1]).filter(|one| *one < 1 << 35) {
            for (key, octets) in [(0x08, 1), (0x01a0, 2), (0, 0)] {
                let end = put_number::<35>(&mut output, 3, key, octets, number).unwrap();
                assert_eq!(read(&output[3 + octets..end]), Ok((number, end - 3 - octets)), "{number}");
                assert_eq!(take_number(&output[..end], 3, key, octets), Ok((end, number)), "{number}");
                assert_eq!(take_long_number(&output[..end], 3, key, octets), Ok((end, number)));
                if octets > 0 {
                    assert_eq!(put_long_number(&mut output, 3, key, octets, number), Ok(end));
                    assert!(is_key(&output, 3, key, octets) && !is_key(&output, 3, key + 1, octets));
                    assert_eq!(take_number(&output, 3, key + 1, octets), Err(Rejected));
                }
            }
        }
        assert_eq!(take_number(&[8, 0x80, 0x80, 0x80, 0x80, 0x80, 1], 0, 8, 1), Err(Rejected));
        assert_eq!(take_octet(&[8, 0x7f], 0, 8, 1), Ok((2, 0x7f)));
        assert_eq!(take_octet(&[8, 0x80, 0], 0, 8, 1), Err(Rejected));
    }

    #[test]
    fn lengths_are_told() {
        assert_eq!(open(&[10, 3, 1, 2, 3], 0, 10, 1), Ok((2, 5)));
        assert_eq!(open(&[10, 0x83, 0, 1, 2, 3], 0, 10, 1), Ok((3, 6)));
        assert_eq!(open(&[10, 0xff, 0xff, 0xff, 1, 2, 3], 0, 10, 1), Err(Rejected));
        assert_eq!(open(&[18, 3, 1, 2, 3], 0, 10, 1), Err(Rejected));
    }
}
