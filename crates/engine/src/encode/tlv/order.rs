//! Encoding: values in the order of their tags or of their encodings (X.690 §10.3, §11.6).

use alloc::vec::Vec;
use core::cmp::Ordering;

use roadwire_wire::Rejected;
use roadwire_wire::tlv;

use crate::encode::Encoder;

/// Tags are in the order of their class and number (X.680 §8.6).
pub(super) fn by_tag(a: &[u8], b: &[u8]) -> Ordering {
    let tag = |octets: &[u8]| {
        let (identifier, _) = tlv::identifier(octets).unwrap_or((u32::MAX, 0));
        (identifier >> 30, identifier & tlv::NUMBER)
    };
    tag(a).cmp(&tag(b))
}

/// Encodings are compared octet by octet. None is the beginning of another one, so that what a shorter one is filled up with does not matter.
pub(super) fn by_octets(a: &[u8], b: &[u8]) -> Ordering {
    a.cmp(b)
}

/// So many values are sorted where they lie.
const FEW: usize = 32;

impl Encoder<'_, '_, '_> {
    /// Sorts the values that have been written from octet `start` on.
    #[inline(never)]
    pub(super) fn sort(&mut self, start: usize, compare: fn(&[u8], &[u8]) -> Ordering) -> Result<(), Rejected> {
        self.in_output(|output, end| {
            sort(output.get_mut(start..end).ok_or(Rejected)?, compare)?;
            Ok(end)
        })
    }
}

fn sort(values: &mut [u8], compare: fn(&[u8], &[u8]) -> Ordering) -> Result<(), Rejected> {
    // Where each value that is in its place ends.
    let mut ends = [0usize; FEW];
    let mut sorted = 0;
    while sorted < FEW {
        let start = sorted.checked_sub(1).map_or(0, |last| ends[last]);
        let rest = values.get(start..).ok_or(Rejected)?;
        if rest.is_empty() {
            return Ok(());
        }
        let length = tlv::element(rest).map_err(|_| Rejected)?;
        let (before, from) = values.split_at(start);
        let value = from.get(..length).ok_or(Rejected)?;
        let begins = |at: usize| at.checked_sub(1).map_or(0, |last| ends[last]);
        let mut place = sorted;
        while place > 0 && before.get(begins(place - 1)..ends[place - 1]).is_some_and(|one| compare(one, value).is_gt())
        {
            place -= 1;
        }
        let at = begins(place);
        values.get_mut(at..start + length).ok_or(Rejected)?.rotate_right(length);
        ends.copy_within(place..sorted, place + 1);
        ends[place] = at;
        ends[place..=sorted].iter_mut().for_each(|end| *end += length);
        sorted += 1;
    }
    sort_many(values, compare)
}

#[cold]
#[inline(never)]
fn sort_many(values: &mut [u8], compare: fn(&[u8], &[u8]) -> Ordering) -> Result<(), Rejected> {
    let copy = values.to_vec();
    let mut parts: Vec<&[u8]> = Vec::new();
    let mut rest = &copy[..];
    while !rest.is_empty() {
        let (value, later) = rest.split_at_checked(tlv::element(rest).map_err(|_| Rejected)?).ok_or(Rejected)?;
        parts.push(value);
        rest = later;
    }
    parts.sort_by(|a, b| compare(a, b));
    values.iter_mut().zip(parts.into_iter().flatten()).for_each(|(place, octet)| *place = *octet);
    Ok(())
}
