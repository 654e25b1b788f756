//! Values in the order of their encodings (X.690 §10.3, §11.6).

use core::cmp::Ordering;

use super::element;
use crate::error::Rejected;
use crate::rt::order::sort_by_length;

/// Sorts the values from `start` to `end` by their octets, and returns the end. None is a prefix of
/// another, so the padding of a shorter encoding does not matter.
///
/// # Errors
/// As [`sort_by`].
#[inline(never)]
pub fn sort(output: &mut [u8], start: usize, end: usize) -> Result<usize, Rejected> {
    sort_by(output.get_mut(start..end).ok_or(Rejected)?, |a, b| a.cmp(b))?;
    Ok(end)
}

/// Sorts values.
///
/// # Errors
/// They are not whole values; without the feature `alloc`, also more than 32 of them.
pub fn sort_by(values: &mut [u8], compare: fn(&[u8], &[u8]) -> Ordering) -> Result<(), Rejected> {
    sort_by_length(values, |rest| element(rest).map_err(|_| Rejected), compare)
}
