//! Several octets at once.

use roadwire_wire::Rejected;
use roadwire_wire::rt::window as window_big;

/// The eight octets from a place on, the first one least significant; past the end they are zero.
#[inline(always)]
pub(crate) fn window_little(input: &[u8], at: usize) -> u64 {
    match input.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(eight) => u64::from_le_bytes(*eight),
        None => window_big(input, at).swap_bytes(),
    }
}

/// Stores eight octets, of which the first ones count, and returns where these end.
#[inline(always)]
pub(crate) fn put(output: &mut [u8], at: usize, eight: [u8; 8], octets: usize) -> Result<usize, Rejected> {
    match output.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<8>()) {
        Some(place) => *place = eight,
        None => put_near_end(output, at, &eight, octets)?,
    }
    Ok(at + octets)
}

/// Stores the octets of a chunk, of which the first ones count, and returns where these end.
#[inline(always)]
pub(crate) fn put_front<const N: usize>(
    output: &mut [u8],
    at: usize,
    chunk: &[u8; N],
    octets: usize,
) -> Result<usize, Rejected> {
    match output.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<N>()) {
        Some(place) => *place = *chunk,
        None => put_near_end(output, at, chunk, octets)?,
    }
    Ok(at + octets)
}

#[cold]
#[inline(never)]
fn put_near_end(output: &mut [u8], at: usize, chunk: &[u8], octets: usize) -> Result<(), Rejected> {
    let octets = chunk.get(..octets).ok_or(Rejected)?;
    let place = output.get_mut(at..).and_then(|rest| rest.get_mut(..octets.len())).ok_or(Rejected)?;
    place.copy_from_slice(octets);
    Ok(())
}
