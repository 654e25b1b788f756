//! Encoding: long strings in segments (X.690 §9.2).

use super::Tlv;
use roadwire_wire::Rejected;
use roadwire_wire::rt::tlv::{self, Identifier, Length};

use crate::encode::Encoder;

/// The contents octets of each segment but the last.
const SEGMENT: usize = 1000;
/// Octets of a segment's identifier and length.
const FRONT: usize = 4;
/// The identifier of the segments of a bit string, each of which begins with its number of unused
/// bits.
const BITS: Identifier = 3;

impl Encoder<'_, '_, '_, Tlv> {
    /// Splits the string at octet `start` into segments if it is long.
    pub(crate) fn segments(&mut self, start: usize, segment: Identifier) -> Result<(), Rejected> {
        if self.writer.position() / 8 - start <= SEGMENT {
            return Ok(());
        }
        self.in_output(|output, end| cut(output, start, end, segment))
    }
}

fn cut(output: &mut [u8], start: usize, end: usize, segment: Identifier) -> Result<usize, Rejected> {
    let string = output.get(start..end).ok_or(Rejected)?;
    let (_, first) = tlv::identifier(string).map_err(|_| Rejected)?;
    let (length, second) = tlv::length(string.get(first..).unwrap_or(&[])).map_err(|_| Rejected)?;
    let Length::Definite(length) = length else { return Err(Rejected) };
    if length <= SEGMENT {
        return Ok(end);
    }
    let from = start + first + second;
    // Each segment of a bit string begins with an additional octet; the string's own first octet
    // goes to the last segment.
    let extra = usize::from(segment == BITS);
    let unused = output.get(from).copied().unwrap_or(0);
    let (from, length, whole) = (from + extra, length - extra, SEGMENT - extra);
    let last = length.div_ceil(whole) - 1;
    let place = |at: usize| start + first + 1 + at * (FRONT + SEGMENT);
    let tail = length - last * whole;
    let front = tlv::length_octets(tail + extra);
    let last_front = 1 + front.as_slice().len();
    let end = place(last) + last_front + extra + tail;
    if end + 2 > output.len() {
        return Err(Rejected);
    }
    // From the last segment on, so that none is overwritten before it has been moved.
    for at in (0..=last).rev() {
        let (to, octets, front) = if at == last {
            (place(at) + last_front + extra, tail, tlv::length_octets(tail + extra))
        } else {
            (place(at) + FRONT + extra, whole, tlv::length_octets(SEGMENT))
        };
        output.copy_within(from + at * whole..from + at * whole + octets, to);
        if extra == 1 {
            *output.get_mut(to - 1).ok_or(Rejected)? = if at == last { unused } else { 0 };
        }
        let head = output.get_mut(place(at)..to - extra).ok_or(Rejected)?;
        let (tag, length) = head.split_first_mut().ok_or(Rejected)?;
        *tag = segment as u8;
        length.copy_from_slice(front.as_slice());
    }
    *output.get_mut(start).ok_or(Rejected)? |= (tlv::CONSTRUCTED >> 24) as u8;
    *output.get_mut(start + first).ok_or(Rejected)? = 0x80;
    output.get_mut(end..end + 2).ok_or(Rejected)?.fill(0);
    Ok(end + 2)
}
