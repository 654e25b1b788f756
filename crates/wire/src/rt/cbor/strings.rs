//! Bit strings, and arrays in the order of their elements, as straight-line code writes and reads
//! them.

use super::straight::put_long;
use super::{DEEPEST, skip};
use crate::bits::{BitWord, without_zeros};
use crate::data::{Data, Scalar, Shape};
use crate::error::Rejected;
use crate::rt::order::sort_by_length;
use crate::rt::put_octets;

/// The size of a bit string.
#[derive(Clone, Copy, Debug)]
pub struct BitSize {
    /// Fewest bits.
    pub lower: u64,
    /// Most bits.
    pub upper: u64,
    /// Whether the size is known; otherwise the first octet has the number of unused bits.
    pub is_fixed: bool,
    /// Whether zero bits at the end have no meaning.
    pub is_trimmed: bool,
}

/// Writes a bit string of any length.
///
/// # Errors
/// Another size, or the output is full.
#[inline(never)]
pub fn put_bit_string(output: &mut [u8], at: usize, bits: Scalar<'_>, size: BitSize) -> Result<usize, Rejected> {
    let word;
    let (octets, given) = match bits {
        Scalar::Bits(octets, bits) => (octets, bits),
        Scalar::Word(bits) => {
            word = bits.to_octets();
            (&word[..], usize::from(bits.bits))
        }
        _ => return Err(Rejected),
    };
    let octets = octets.get(..given.div_ceil(8)).ok_or(Rejected)?;
    let count = match size.is_trimmed {
        true => without_zeros(octets).max(usize::try_from(size.lower).map_err(|_| Rejected)?),
        false => given,
    };
    if !(size.lower..=size.upper).contains(&(count as u64)) {
        return Err(Rejected);
    }
    let (whole, first) = (count.div_ceil(8), usize::from(!size.is_fixed));
    let mut at = put_long(output, at, 0x40, (whole + first) as u64)?;
    if !size.is_fixed {
        at = put_octets(output, at, &[(whole * 8 - count) as u8])?;
    }
    // Zero bits that the size asks for are not in memory.
    let octets = octets.get(..whole.min(octets.len())).ok_or(Rejected)?;
    let end = at + whole;
    let at = put_octets(output, at, octets)?;
    output.get_mut(at..end).ok_or(Rejected)?.fill(0);
    Ok(end)
}

/// Reads the bits in the octets of a byte string.
///
/// # Errors
/// Another size, or unused bits that are set.
#[inline(never)]
pub fn take_bit_string(value: &mut dyn Data, whole: &[u8], size: BitSize) -> Result<(), Rejected> {
    let (octets, count) = match (size.is_fixed, whole.split_first()) {
        (true, _) if size.lower.div_ceil(8) == whole.len() as u64 => (whole, size.lower as usize),
        (false, Some((unused @ 0..=7, octets))) if *unused == 0 || !octets.is_empty() => {
            (octets, octets.len() * 8 - usize::from(*unused))
        }
        _ => return Err(Rejected),
    };
    let used = without_zeros(octets);
    let has_zeros = size.is_trimmed && count as u64 > size.lower && used < count;
    if !(size.lower..=size.upper).contains(&(count as u64)) || used > count || has_zeros {
        return Err(Rejected);
    }
    if size.upper <= 64 {
        let word = BitWord::from_octets(octets, count).ok_or(Rejected)?;
        if value.set(Scalar::Word(word)) {
            return Ok(());
        }
    }
    match value.begin(Shape::Bits).then(|| value.extend_bits(count)).flatten() {
        Some(place) if place.len() == octets.len() => place.copy_from_slice(octets),
        _ => return Err(Rejected),
    }
    Ok(())
}

fn length(octets: &[u8]) -> Result<usize, Rejected> {
    skip(octets, DEEPEST).map_err(|_| Rejected)
}

/// Sorts the elements from `start` to `end` by their octets, and returns the end.
///
/// # Errors
/// They are not whole elements; without the feature `alloc`, also more than 32 of them.
#[inline(never)]
pub fn sort(output: &mut [u8], start: usize, end: usize) -> Result<usize, Rejected> {
    sort_by_length(output.get_mut(start..end).ok_or(Rejected)?, length, |a, b| a.cmp(b))?;
    Ok(end)
}

/// Whether the elements from `start` to `end` are in the order of their octets.
#[inline(never)]
#[must_use]
pub fn is_sorted(input: &[u8], start: usize, end: usize) -> bool {
    let Some(mut rest) = input.get(start..end) else { return false };
    let mut before: &[u8] = &[];
    while !rest.is_empty() {
        let Some((element, later)) = length(rest).ok().and_then(|octets| rest.split_at_checked(octets)) else {
            return false;
        };
        if element < before {
            return false;
        }
        (before, rest) = (element, later);
    }
    true
}
