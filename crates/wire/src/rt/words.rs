//! Eight octets at once, read from or written to a buffer by straight-line code, which uses as many
//! of them as it needs.

use crate::error::Rejected;

/// Stores eight octets, of which the first `octets` count, and returns where these end.
///
/// # Errors
/// Fewer than eight octets of the output are left.
#[inline(always)]
pub(crate) fn put(output: &mut [u8], at: usize, eight: [u8; 8], octets: usize) -> Result<usize, Rejected> {
    match output.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<8>()) {
        Some(place) => *place = eight,
        None => return Err(Rejected),
    }
    Ok(at + octets)
}

/// The eight octets from `at` on, as a word; past the end of the input they are zero.
#[inline(always)]
#[must_use]
pub fn window(input: &[u8], at: usize) -> u64 {
    match input.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(eight) => u64::from_be_bytes(*eight),
        None => near_end(input, at),
    }
}

/// The same near the end of the input, or of an open type inside it. By value, so that the reader's
/// address does not escape.
#[inline(never)]
pub(crate) fn near_end(input: &[u8], at: usize) -> u64 {
    if let Some(eight) = input.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        return u64::from_be_bytes(*eight);
    }
    if let Some(last) = input.last_chunk::<8>() {
        let before = at.saturating_sub(input.len() - 8).min(8) as u32;
        return u64::from_be_bytes(*last).checked_shl(8 * before).unwrap_or(0);
    }
    let mut eight = [0; 8];
    eight.iter_mut().zip(input.iter().skip(at)).for_each(|(place, octet)| *place = *octet);
    u64::from_be_bytes(eight)
}

/// Writes octets unchanged, and returns where they end.
///
/// # Errors
/// The output is full.
#[inline]
pub fn put_octets(output: &mut [u8], at: usize, octets: &[u8]) -> Result<usize, Rejected> {
    let place = output.get_mut(at..).and_then(|rest| rest.get_mut(..octets.len())).ok_or(Rejected)?;
    place.copy_from_slice(octets);
    Ok(at + octets.len())
}
