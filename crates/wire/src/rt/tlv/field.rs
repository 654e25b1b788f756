//! Values of one identifier octet as straight-line code writes and reads them. `Rejected` stands
//! for rare forms as well as for errors.

use super::{Length, element, length, length_octets};
use crate::data::{Data, Shape};
use crate::error::Rejected;
pub use crate::rt::words::put_octets;
use crate::rt::words::{self, window};
use crate::rt::{RealContents, TwosComplement, packed};

/// Stores the `octets` (1 to 8) most significant octets of `word`, and returns where they end. Up
/// to eight octets of the output are overwritten.
///
/// # Errors
/// Fewer than eight octets of the output are left.
#[inline(always)]
pub fn put_word(output: &mut [u8], at: usize, word: u64, octets: usize) -> Result<usize, Rejected> {
    words::put(output, at, word.to_be_bytes(), octets)
}

/// How many octets a number takes (X.690 §8.3.2).
#[inline(always)]
fn octets_of(number: i64, signed: bool) -> u32 {
    let magnitude = if signed { number ^ (number >> 63) } else { number };
    // Setting the lowest bit changes nothing, and avoids a special case for zero.
    (64 - (magnitude as u64 | 1).leading_zeros()) / 8 + 1
}

/// Writes a number of at most `MOST` (1 to 6) octets; it may be negative only if `SIGNED`.
///
/// # Errors
/// Fewer than eight octets of the output are left.
#[inline(always)]
pub fn put_number<const MOST: u32, const SIGNED: bool>(
    output: &mut [u8],
    at: usize,
    tag: u8,
    number: i64,
) -> Result<usize, Rejected> {
    let octets = octets_of(number, SIGNED).min(MOST);
    let front = u64::from(tag) << 56 | u64::from(octets) << 48;
    put_word(output, at, front | (number as u64) << (64 - 8 * octets) >> 16, 2 + octets as usize)
}

/// Writes any number.
///
/// # Errors
/// Fewer than sixteen octets of the output are left.
#[inline(never)]
pub fn put_long_number(output: &mut [u8], at: usize, tag: u8, number: i64) -> Result<usize, Rejected> {
    let octets = octets_of(number, true);
    let at = put_word(output, at, u64::from(tag) << 56 | u64::from(octets) << 48, 2)?;
    put_word(output, at, (number as u64) << (64 - 8 * octets), octets as usize)
}

/// Writes a string.
///
/// # Errors
/// The output is full.
#[inline(never)]
pub fn put_string(output: &mut [u8], at: usize, tag: u8, octets: &[u8]) -> Result<usize, Rejected> {
    let at = put_octets(output, at, &[tag])?;
    let at = put_octets(output, at, length_octets(octets.len()).as_slice())?;
    put_octets(output, at, octets)
}

/// Writes any number that is not negative.
///
/// # Errors
/// Fewer than sixteen octets of the output are left.
#[inline(never)]
pub fn put_unsigned(output: &mut [u8], at: usize, tag: u8, number: u64) -> Result<usize, Rejected> {
    match i64::try_from(number) {
        Ok(number) => put_long_number(output, at, tag, number),
        Err(_) => {
            let at = put_word(output, at, u64::from(tag) << 56 | 9 << 48, 3)?;
            put_word(output, at, number, 8)
        }
    }
}

/// Writes a number of up to 128 bits.
///
/// # Errors
/// The output is full.
#[inline(never)]
pub fn put_machine(output: &mut [u8], at: usize, tag: u8, number: i128) -> Result<usize, Rejected> {
    put_string(output, at, tag, TwosComplement::signed(number).octets())
}

/// Writes a REAL (X.690 §11.3.1).
///
/// # Errors
/// The output is full.
#[inline(never)]
pub fn put_real(output: &mut [u8], at: usize, tag: u8, number: f64) -> Result<usize, Rejected> {
    put_string(output, at, tag, RealContents::of(number).octets())
}

/// Writes a bit string of any length: the first `bits` bits of its octets, whose other bits are
/// zero.
///
/// # Errors
/// The output is full.
#[inline(never)]
pub fn put_any_bits(output: &mut [u8], at: usize, tag: u8, octets: &[u8], bits: usize) -> Result<usize, Rejected> {
    let at = put_octets(output, at, &[tag])?;
    let at = put_octets(output, at, length_octets(octets.len() + 1).as_slice())?;
    let at = put_octets(output, at, &[(octets.len() * 8).wrapping_sub(bits) as u8])?;
    put_octets(output, at, octets)
}

/// Writes a bit string of the low `count` (at most 40) bits, without the zero bits at its end
/// beyond the first `least`.
///
/// # Errors
/// Fewer than eight octets of the output are left.
#[inline(always)]
pub fn put_bits(output: &mut [u8], at: usize, tag: u8, bits: u64, count: u32, least: u64) -> Result<usize, Rejected> {
    let kept = kept(bits, count, least);
    let octets = kept.div_ceil(8);
    let aligned = bits << (40 - count) & 0xff_ffff_ffff;
    let front = u64::from(tag) << 56 | u64::from(octets + 1) << 48 | u64::from(octets * 8 - kept) << 40;
    put_word(output, at, front | aligned, 3 + octets as usize)
}

/// Writes a bit string of the low `count` (at most 64) bits, as [`put_bits`].
///
/// # Errors
/// Fewer than sixteen octets of the output are left.
#[inline(never)]
pub fn put_long_bits(
    output: &mut [u8],
    at: usize,
    tag: u8,
    bits: u64,
    count: u32,
    least: u64,
) -> Result<usize, Rejected> {
    let kept = kept(bits, count, least);
    let octets = kept.div_ceil(8);
    let front = u64::from(tag) << 56 | u64::from(octets + 1) << 48 | u64::from(octets * 8 - kept) << 40;
    let at = put_word(output, at, front, 3)?;
    put_word(output, at, bits.checked_shl(64 - count).unwrap_or(0), octets as usize)
}

/// How many bits remain without the zero bits at the end beyond the first `least`.
#[inline(always)]
fn kept(bits: u64, count: u32, least: u64) -> u32 {
    if least >= u64::from(count) { count } else { (count - bits.trailing_zeros().min(count)).max(least as u32) }
}

/// Writes characters of `width` (1, 2 or 4) octets by their codes, which have to be in an alphabet:
/// pairs of first and last code.
///
/// # Errors
/// Another character, or the output is full.
#[inline(never)]
pub fn put_characters(
    output: &mut [u8],
    at: usize,
    tag: u8,
    text: &str,
    width: usize,
    alphabet: &[u32],
) -> Result<usize, Rejected> {
    let at = put_octets(output, at, &[tag])?;
    let at = put_octets(output, at, length_octets(text.chars().count() * width).as_slice())?;
    text.chars().try_fold(at, |at, character| {
        let code = packed::place_of(u32::from(character), false, alphabet).ok_or(Rejected)?;
        put_octets(output, at, code.to_be_bytes().get(4 - width..).ok_or(Rejected)?)
    })
}

/// Reads such characters, `least` to `most` of them, into a text.
///
/// # Errors
/// Another number of characters, a character that is not in the alphabet, or the text is full.
#[inline(never)]
pub fn take_characters(
    text: &mut dyn Data,
    octets: &[u8],
    width: usize,
    least: u64,
    most: u64,
    alphabet: &[u32],
) -> Result<(), Rejected> {
    let characters = octets.chunks_exact(width.max(1));
    let is_whole = characters.remainder().is_empty() && (least..=most).contains(&(characters.len() as u64));
    if !is_whole || !text.begin(Shape::Text) {
        return Err(Rejected);
    }
    for character in characters {
        let code = character.iter().fold(0u32, |code, octet| code << 8 | u32::from(*octet));
        let character = packed::code_of(code, false, alphabet).and_then(char::from_u32).ok_or(Rejected)?;
        if !text.push_char(character) {
            return Err(Rejected);
        }
    }
    Ok(())
}

/// Whether all octets are in an alphabet: pairs of first and last code, below 128.
#[inline(never)]
#[must_use]
pub fn all_in(octets: &[u8], alphabet: &[u32]) -> bool {
    octets.iter().all(|octet| *octet < 128 && packed::code_of(u32::from(*octet), false, alphabet).is_some())
}

/// Skips these two octets.
///
/// # Errors
/// Others come next.
#[inline(always)]
pub fn expect(input: &[u8], at: usize, octets: [u8; 2]) -> Result<usize, Rejected> {
    match input.get(at..).and_then(|rest| rest.first_chunk::<2>()) {
        Some(found) if *found == octets => Ok(at + 2),
        _ => Err(Rejected),
    }
}

/// Reads this identifier and a definite length, and returns where the contents begin and end. The
/// caller checks that they end inside the enclosing value.
///
/// # Errors
/// Another identifier, another length, or an end beyond the input.
#[inline(always)]
pub fn open(input: &[u8], at: usize, tag: u8) -> Result<(usize, usize), Rejected> {
    match input.get(at..).and_then(|rest| rest.first_chunk::<2>()) {
        Some([found, short @ 0..=0x7f]) if *found == tag => Ok((at + 2, at + 2 + usize::from(*short))),
        Some([found, _]) if *found == tag => open_long(input, at + 1),
        _ => Err(Rejected),
    }
}

#[inline(never)]
fn open_long(input: &[u8], at: usize) -> Result<(usize, usize), Rejected> {
    match length(input.get(at..).unwrap_or(&[])) {
        Ok((Length::Definite(octets), front)) if octets <= input.len() => Ok((at + front, at + front + octets)),
        _ => Err(Rejected),
    }
}

/// Where a value of any type begins and ends.
///
/// # Errors
/// It is cut short, or its identifier or length is wrong.
#[inline(never)]
pub fn whole(input: &[u8], at: usize) -> Result<(usize, usize), Rejected> {
    match element(input.get(at..).unwrap_or(&[])) {
        Ok(octets) => Ok((at, at + octets)),
        Err(_) => Err(Rejected),
    }
}

/// Writes a value of any type, with its identifier and length.
///
/// # Errors
/// The output is full, or the octets are not one value.
#[inline(never)]
pub fn put_element(output: &mut [u8], at: usize, octets: &[u8]) -> Result<usize, Rejected> {
    match element(octets) {
        Ok(length) if length == octets.len() => put_octets(output, at, octets),
        _ => Err(Rejected),
    }
}

/// Reads a value of one octet.
///
/// # Errors
/// Another identifier or length.
#[inline(always)]
pub fn one_octet(input: &[u8], at: usize, tag: u8) -> Result<(usize, u64), Rejected> {
    match input.get(at..).and_then(|rest| rest.first_chunk::<3>()) {
        Some([found, 1, octet]) if *found == tag => Ok((at + 3, u64::from(*octet))),
        _ => Err(Rejected),
    }
}

/// Reads a number of at most `MOST` (1 to 6) octets.
///
/// # Errors
/// Another identifier or length, or more octets than the number needs.
#[inline(always)]
pub fn take_number<const MOST: u64>(input: &[u8], at: usize, tag: u8) -> Result<(usize, i64), Rejected> {
    let word = window(input, at);
    let octets = word >> 48 & 0xff;
    if word >> 56 != u64::from(tag) || octets.wrapping_sub(1) >= MOST {
        return Err(Rejected);
    }
    let number = (word << 16) as i64 >> (64 - 8 * octets as u32);
    if u64::from(octets_of(number, true)) != octets {
        return Err(Rejected);
    }
    Ok((at + 2 + octets as usize, number))
}

/// Reads a number of at most eight octets.
///
/// # Errors
/// As [`take_number`].
#[inline(never)]
pub fn take_long_number(input: &[u8], at: usize, tag: u8) -> Result<(usize, i64), Rejected> {
    let word = window(input, at);
    let octets = (word >> 48 & 0xff) as u32;
    if word >> 56 != u64::from(tag) || !(1..=8).contains(&octets) {
        return Err(Rejected);
    }
    let number = window(input, at + 2) as i64 >> (64 - 8 * octets);
    if octets_of(number, true) != octets {
        return Err(Rejected);
    }
    Ok((at + 2 + octets as usize, number))
}

/// Reads a bit string of `least` to `most` (at most 40) bits: the bits, right-aligned, and how
/// many.
///
/// # Errors
/// Another identifier, length or number of bits.
#[inline(always)]
pub fn take_bits(input: &[u8], at: usize, tag: u8, least: u64, most: u64) -> Result<(usize, u64, u32), Rejected> {
    let word = window(input, at);
    let (octets, unused) = ((word >> 48 & 0xff).wrapping_sub(1), word >> 40 & 0xff);
    if word >> 56 != u64::from(tag) || octets > 5 || unused > 7 || unused > octets * 8 {
        return Err(Rejected);
    }
    let count = octets * 8 - unused;
    if count < least || count > most {
        return Err(Rejected);
    }
    Ok((at + 3 + octets as usize, (word & 0xff_ffff_ffff) >> (40 - count), count as u32))
}

/// Reads a bit string of `least` to `most` (at most 64) bits, as [`take_bits`].
///
/// # Errors
/// As [`take_bits`].
#[inline(never)]
pub fn take_long_bits(input: &[u8], at: usize, tag: u8, least: u64, most: u64) -> Result<(usize, u64, u32), Rejected> {
    let word = window(input, at);
    let (octets, unused) = ((word >> 48 & 0xff).wrapping_sub(1), word >> 40 & 0xff);
    if word >> 56 != u64::from(tag) || octets > 8 || unused > 7 || unused > octets * 8 {
        return Err(Rejected);
    }
    let count = octets * 8 - unused;
    if count < least || count > most {
        return Err(Rejected);
    }
    let bits = window(input, at + 3).checked_shr(64 - count as u32).unwrap_or(0);
    Ok((at + 3 + octets as usize, bits, count as u32))
}

/// Reads a number that is not negative, of at most 64 bits.
///
/// # Errors
/// As [`take_number`].
#[inline(never)]
pub fn take_unsigned(input: &[u8], at: usize, tag: u8) -> Result<(usize, u64), Rejected> {
    if window(input, at) >> 40 == u64::from(tag) << 16 | 9 << 8 {
        let number = window(input, at + 3);
        return if number >> 63 == 1 { Ok((at + 11, number)) } else { Err(Rejected) };
    }
    let (at, number) = take_long_number(input, at, tag)?;
    Ok((at, u64::try_from(number).map_err(|_| Rejected)?))
}

/// Reads a number of at most 128 bits.
///
/// # Errors
/// As [`take_number`].
#[inline(never)]
pub fn take_machine(input: &[u8], at: usize, tag: u8) -> Result<(usize, i128), Rejected> {
    let (start, end) = open(input, at, tag)?;
    let octets = input.get(start..end).filter(|octets| TwosComplement::is_shortest(octets)).ok_or(Rejected)?;
    Ok((end, TwosComplement::read_signed(octets).ok_or(Rejected)?))
}

/// Reads a REAL.
///
/// # Errors
/// Another identifier, or contents that X.690 §8.5 does not have.
#[inline(never)]
pub fn take_real(input: &[u8], at: usize, tag: u8) -> Result<(usize, f64), Rejected> {
    let (start, end) = open(input, at, tag)?;
    let octets = input.get(start..end).ok_or(Rejected)?;
    Ok((end, RealContents::read(octets).map_err(|_| Rejected)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let mut output = [0u8; 24];
        for number in [0i64, 1, -1, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768, -32769, 1 << 40, -(1 << 46)] {
            let end = put_number::<6, true>(&mut output, 0, 0x80, number).unwrap();
            let contents = crate::rt::TwosComplement::signed(number.into());
            assert_eq!(&output[2..end], contents.octets());
            assert_eq!(take_number::<6>(&output[..end], 0, 0x80), Ok((end, number)));
            assert_eq!(take_long_number(&output[..end], 0, 0x80), Ok((end, number)));
            if number >= 0 {
                assert_eq!(put_number::<6, false>(&mut output, 0, 0x80, number), Ok(end));
            }
        }
        for number in [i64::MAX, i64::MIN, 0, -1] {
            let end = put_long_number(&mut output, 3, 2, number).unwrap();
            assert_eq!(take_long_number(&output[..end], 3, 2), Ok((end, number)));
        }
        for number in [0, 1, 255, i64::MAX as u64, 1 << 63, u64::MAX] {
            let end = put_unsigned(&mut output, 3, 2, number).unwrap();
            let contents = crate::rt::TwosComplement::signed(number.into());
            assert_eq!(&output[5..end], contents.octets());
            assert_eq!(take_unsigned(&output[..end], 3, 2), Ok((end, number)));
            assert_eq!(take_machine(&output[..end], 3, 2), Ok((end, number.into())));
            assert_eq!(put_machine(&mut output, 3, 2, number.into()), Ok(end));
        }
        assert_eq!(take_unsigned(&[2, 9, 0, 0x7f, 0, 0, 0, 0, 0, 0, 0], 0, 2), Err(Rejected));
        assert_eq!(take_unsigned(&[2, 1, 0xff], 0, 2), Err(Rejected));
        assert_eq!(take_number::<2>(&[2, 2, 0, 5], 0, 2), Err(Rejected));
        assert_eq!(take_number::<2>(&[2, 2, 0xff, 0x80], 0, 2), Err(Rejected));
        assert_eq!(take_number::<2>(&[2, 0, 0, 5], 0, 2), Err(Rejected));
    }

    #[test]
    fn bits_come_back() {
        let mut output = [0u8; 16];
        // X.690 §8.6.4.2 has an example of 44 bits; here its first 12.
        let end = put_bits(&mut output, 0, 3, 0x0a3, 12, u64::MAX).unwrap();
        assert_eq!(output[..end], [3, 3, 4, 0x0a, 0x30]);
        assert_eq!(take_bits(&output[..end], 0, 3, 1, 13), Ok((end, 0x0a3, 12)));
        let end = put_bits(&mut output, 0, 3, 0x0a0, 12, 0).unwrap();
        assert_eq!(output[..end], [3, 2, 1, 0x0a]);
        let end = put_bits(&mut output, 0, 3, 0, 12, 0).unwrap();
        assert_eq!(output[..end], [3, 1, 0]);
        assert_eq!(take_bits(&output[..end], 0, 3, 0, 12), Ok((end, 0, 0)));
        assert_eq!(take_bits(&[3, 1, 1], 0, 3, 0, 12), Err(Rejected));
        for (bits, count) in [(0, 0), (0x0a3, 12), (u64::MAX, 64), (1, 57)] {
            let end = put_long_bits(&mut output, 0, 3, bits, count, u64::MAX).unwrap();
            assert_eq!(take_long_bits(&output[..end], 0, 3, 0, 64), Ok((end, bits, count)));
        }
        let end = put_long_bits(&mut output, 0, 3, 1 << 62, 63, 0).unwrap();
        assert_eq!(output[..end], [3, 2, 7, 0x80]);
    }
}
