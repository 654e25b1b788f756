//! Extension additions and alternatives of a later version, as straight-line code writes and reads
//! them: whole values, as received.

use super::{CONSTRUCTED, element, identifier, put_element};
use crate::data::Data;
use crate::error::Rejected;
use crate::unknown::{Kept, Unknown};

/// Writes extension additions, of which `known` are known. An entry without octets stands for an
/// absent addition.
///
/// # Errors
/// Their indexes do not ascend, or are those of known ones; one is not a whole value; or the output
/// is full.
#[cold]
#[inline(never)]
pub fn put_unknown(output: &mut [u8], at: usize, unknown: &[Unknown], known: u32) -> Result<usize, Rejected> {
    let ascend = unknown.windows(2).all(|pair| matches!(pair, [one, next] if one.index < next.index));
    if !ascend || unknown.first().is_some_and(|first| first.index < known) {
        return Err(Rejected);
    }
    let sent = unknown.iter().filter(|one| !one.octets.is_empty());
    sent.into_iter().try_fold(at, |at, one| put_element(output, at, &one.octets))
}

/// Writes an alternative, where `known` additions are known.
///
/// # Errors
/// Its index is that of a known one, it is not a whole value, or the output is full.
#[cold]
#[inline(never)]
pub fn put_other(output: &mut [u8], at: usize, unknown: &Unknown, known: u32) -> Result<usize, Rejected> {
    if unknown.index < known { Err(Rejected) } else { put_element(output, at, &unknown.octets) }
}

/// Reads extension additions up to `end`, or up to the tag of a component that is known, into a
/// value. `known` is how many additions are known; tags are without the bit for "constructed".
///
/// # Errors
/// One is not a whole value, or the value keeps none.
#[cold]
#[inline(never)]
pub fn take_unknown(
    input: &[u8],
    at: usize,
    value: &mut dyn Data,
    end: usize,
    known: u32,
    tags: &[u32],
) -> Result<usize, Rejected> {
    let input = input.get(..end).ok_or(Rejected)?;
    let mut at = at;
    while let Some(octets) = ahead(input, at, tags)? {
        let index = known.saturating_add(value.unknown().len() as u32);
        keep(value, index, octets)?;
        at += octets.len();
    }
    Ok(at)
}

/// Reads an alternative whose tag is none of these into a CHOICE, `known` of whose additions are
/// known.
///
/// # Errors
/// Another tag, or as [`take_unknown`].
#[cold]
#[inline(never)]
pub fn take_other(input: &[u8], at: usize, value: &mut dyn Data, known: u32, tags: &[u32]) -> Result<usize, Rejected> {
    let octets = ahead(input, at, tags)?.ok_or(Rejected)?;
    keep(value, known, octets)?;
    Ok(at + octets.len())
}

/// The next value; `None` at the end, and if its tag is one of these.
fn ahead<'a>(input: &'a [u8], at: usize, tags: &[u32]) -> Result<Option<&'a [u8]>, Rejected> {
    let rest = input.get(at..).unwrap_or(&[]);
    if rest.is_empty() {
        return Ok(None);
    }
    let (identifier, _) = identifier(rest).map_err(|_| Rejected)?;
    if tags.contains(&(identifier & !CONSTRUCTED)) {
        return Ok(None);
    }
    let octets = element(rest).map_err(|_| Rejected)?;
    rest.get(..octets).map(Some).ok_or(Rejected)
}

fn keep(value: &mut dyn Data, index: u32, octets: &[u8]) -> Result<(), Rejected> {
    match value.keep(Unknown { index, octets: kept(octets)? }) {
        true => Ok(()),
        false => Err(Rejected),
    }
}

#[cfg(feature = "alloc")]
fn kept(octets: &[u8]) -> Result<Kept, Rejected> {
    Ok(octets.into())
}

/// Without a heap nothing is kept.
#[cfg(not(feature = "alloc"))]
fn kept(_: &[u8]) -> Result<Kept, Rejected> {
    Err(Rejected)
}
