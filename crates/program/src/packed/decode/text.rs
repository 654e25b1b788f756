//! Strings.

use roadwire_wire::rt::is_oid;
use roadwire_wire::{Reader, Rejected};

use super::{Datum, Machine, Trace, What};
use crate::packed::code::{NONE, Text, Units};
use crate::packed::rules::Rules;
use crate::tape::span;

impl<R: Rules, T: Trace> Machine<'_, R, T> {
    /// The string with this index: its span.
    pub(super) fn text(&mut self, slot: u32, index: u32, text: &Text) -> Result<u64, Rejected> {
        let count = self.count(text.count)?;
        if matches!(text.units, Units::Utf8(..) | Units::Characters { .. }) {
            self.budget.units(count)?;
        }
        if R::ALIGNS && text.is_aligned && count > 0 {
            self.align()?;
        }
        let (start, at) = (self.tape.octets.len(), self.at);
        self.at = content::<R>(text, count, self.input, (at, self.end), &mut self.tape.octets)?;
        if T::ACTIVE {
            let what = What::Text { text: index, count };
            self.trace.datum(Datum { at, width: self.at - at, word: self.place.of(slot), what });
        }
        let length = if text.is_bits() { count } else { self.tape.octets.len() - start };
        span(start, length)
    }
}

/// Appends the content of a string, and returns where it ends. It is in the bits from `at` to
/// `end`.
pub(super) fn content<R: Rules>(
    text: &Text,
    count: usize,
    input: &[u8],
    (at, end): (usize, usize),
    octets: &mut Vec<u8>,
) -> Result<usize, Rejected> {
    let start = octets.len();
    let bits = match &text.units {
        Units::Bits => count,
        // Any padding is accepted.
        Units::PaddedBits => count.next_multiple_of(8),
        Units::Octets | Units::Oid | Units::Utf8(..) => count * 8,
        Units::Characters { bits, .. } => count * usize::from(*bits),
    };
    if at + bits > end {
        return Err(Rejected);
    }
    match &text.units {
        Units::Bits | Units::PaddedBits => {
            take(input, at, count, octets)?;
            text.check(octets.get(start..).unwrap_or_default(), count)?;
        }
        Units::Octets => take(input, at, bits, octets)?,
        Units::Oid => {
            take(input, at, bits, octets)?;
            if !is_oid(octets.get(start..).unwrap_or_default()) {
                return Err(Rejected);
            }
        }
        Units::Utf8(lower, upper) => {
            take(input, at, bits, octets)?;
            let octets = octets.get(start..).unwrap_or_default();
            let text = core::str::from_utf8(octets).map_err(|_| Rejected)?;
            if !(*lower..=*upper).contains(&(text.chars().count() as u64)) {
                return Err(Rejected);
            }
        }
        Units::Characters { bits, characters, .. } => {
            for index in 0..count {
                let index = R::load(input, at + index * usize::from(*bits), *bits);
                let character = characters.get(index as usize).copied().unwrap_or(NONE);
                octets.push(Some(character).filter(u8::is_ascii).ok_or(Rejected)?);
            }
        }
    }
    Ok(at + bits)
}

/// Copies bits into whole octets; the bits after them are zero.
fn take(input: &[u8], at: usize, bits: usize, octets: &mut Vec<u8>) -> Result<(), Rejected> {
    let start = octets.len();
    octets.resize(start + bits.div_ceil(8), 0);
    let mut reader = Reader::new(input);
    reader.advance_to(at);
    reader.take_bits(octets.get_mut(start..).ok_or(Rejected)?, bits)
}
