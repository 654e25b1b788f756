//! Strings.

use roadwire_wire::Rejected;

use super::Machine;
use crate::packed::code::{NONE, Text, Units};
use crate::packed::rules::Rules;
use crate::tape::span;

impl<R: Rules> Machine<'_, R> {
    pub(super) fn text(&mut self, text: &Text) -> Result<u64, Rejected> {
        let count = self.count(text.count)?;
        if matches!(text.units, Units::Utf8(..) | Units::Characters { .. }) {
            self.budget.units(count)?;
        }
        let start = self.tape.octets.len();
        match &text.units {
            Units::Bits | Units::PaddedBits => {
                self.take(count)?;
                if matches!(text.units, Units::PaddedBits) {
                    // Any padding is accepted.
                    self.advance(count.next_multiple_of(8) - count)?;
                }
                text.check(self.tape.octets.get(start..).unwrap_or_default(), count)?;
                return span(start, count);
            }
            Units::Octets => self.take(count * 8)?,
            Units::Utf8(lower, upper) => {
                self.take(count * 8)?;
                let octets = self.tape.octets.get(start..).unwrap_or_default();
                let text = core::str::from_utf8(octets).map_err(|_| Rejected)?;
                if !(*lower..=*upper).contains(&(text.chars().count() as u64)) {
                    return Err(Rejected);
                }
            }
            Units::Characters { bits, characters, .. } => {
                if self.at + count * usize::from(*bits) > self.end {
                    return Err(Rejected);
                }
                for _ in 0..count {
                    let index = R::load(self.input, self.at, *bits);
                    self.at += usize::from(*bits);
                    let character = characters.get(index as usize).copied().unwrap_or(NONE);
                    self.tape.octets.push(Some(character).filter(u8::is_ascii).ok_or(Rejected)?);
                }
            }
        }
        span(start, self.tape.octets.len() - start)
    }

    /// Copies bits into whole octets on the tape; the bits after them are zero.
    fn take(&mut self, bits: usize) -> Result<(), Rejected> {
        if self.at + bits > self.end {
            return Err(Rejected);
        }
        let (mut at, mut left) = (self.at, bits);
        while left > 0 {
            let now = left.min(48);
            let word = R::load(self.input, at, now as u8) << (64 - now);
            self.tape.octets.extend_from_slice(&word.to_be_bytes()[..now.div_ceil(8)]);
            at += now;
            left -= now;
        }
        self.at = at;
        Ok(())
    }
}
