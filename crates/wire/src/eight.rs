//! Eight octets at a place in a buffer, which straight-line code takes for what it wants of them.

use crate::error::Rejected;

/// Stores eight octets of which the first `octets` count, and tells where these end.
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

/// Those from `at` on; past the end of the input they are zero.
#[inline(always)]
pub(crate) fn take(input: &[u8], at: usize) -> [u8; 8] {
    match input.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(eight) => *eight,
        None => near_end(input, at),
    }
}

#[inline(never)]
fn near_end(input: &[u8], at: usize) -> [u8; 8] {
    let mut eight = [0; 8];
    eight.iter_mut().zip(input.get(at..).unwrap_or(&[])).for_each(|(place, octet)| *place = *octet);
    eight
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
