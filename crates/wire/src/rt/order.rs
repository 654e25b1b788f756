//! Elements in the order of their encodings.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::error::Rejected;

/// Finds how many octets the first element takes.
type Length = fn(&[u8]) -> Result<usize, Rejected>;

type Compare = fn(&[u8], &[u8]) -> Ordering;

/// Up to this many elements are sorted in place.
const FEW: usize = 32;

/// Sorts the elements that follow each other in `values`; `length` finds how many octets the first
/// one takes.
///
/// # Errors
/// They are not whole elements; without the feature `alloc`, also more than 32 of them.
pub(crate) fn sort_by_length(values: &mut [u8], length: Length, compare: Compare) -> Result<(), Rejected> {
    // The ends of the values sorted so far.
    let mut ends = [0usize; FEW];
    let mut sorted = 0;
    while sorted < FEW {
        let start = sorted.checked_sub(1).map_or(0, |last| ends[last]);
        let rest = values.get(start..).ok_or(Rejected)?;
        if rest.is_empty() {
            return Ok(());
        }
        let octets = length(rest)?;
        let (before, from) = values.split_at(start);
        let value = from.get(..octets).ok_or(Rejected)?;
        let begins = |at: usize| at.checked_sub(1).map_or(0, |last| ends[last]);
        let mut place = sorted;
        while place > 0 && before.get(begins(place - 1)..ends[place - 1]).is_some_and(|one| compare(one, value).is_gt())
        {
            place -= 1;
        }
        let at = begins(place);
        values.get_mut(at..start + octets).ok_or(Rejected)?.rotate_right(octets);
        ends.copy_within(place..sorted, place + 1);
        ends[place] = at;
        ends[place..=sorted].iter_mut().for_each(|end| *end += octets);
        sorted += 1;
    }
    sort_many(values, length, compare)
}

#[cfg(not(feature = "alloc"))]
fn sort_many(_: &mut [u8], _: Length, _: Compare) -> Result<(), Rejected> {
    Err(Rejected)
}

#[cfg(feature = "alloc")]
#[cold]
#[inline(never)]
fn sort_many(values: &mut [u8], length: Length, compare: Compare) -> Result<(), Rejected> {
    let copy = values.to_vec();
    let mut parts: Vec<&[u8]> = Vec::new();
    let mut rest = &copy[..];
    while !rest.is_empty() {
        let (value, later) = rest.split_at_checked(length(rest)?).ok_or(Rejected)?;
        parts.push(value);
        rest = later;
    }
    parts.sort_by(|a, b| compare(a, b));
    values.iter_mut().zip(parts.into_iter().flatten()).for_each(|(place, octet)| *place = *octet);
    Ok(())
}
