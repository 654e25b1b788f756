//! Strings.

use roadwire_wire::Rejected;

use super::Machine;
use crate::packed::code::{NONE, Text, Units};
use crate::packed::rules::Rules;
use crate::tape::parts;

impl<R: Rules> Machine<'_, R> {
    pub(super) fn text(&mut self, text: &Text, span: u64) -> Result<(), Rejected> {
        let (at, count) = parts(span);
        let octets = |count: usize| self.tape.octets.get(at..at + count).ok_or(Rejected);
        let octets = octets(if text.is_bits() { count.div_ceil(8) } else { count })?;
        text.check(octets, count)?;
        if let Units::Utf8(lower, upper) = text.units {
            let characters = core::str::from_utf8(octets).map_err(|_| Rejected)?.chars().count() as u64;
            if !(lower..=upper).contains(&characters) {
                return Err(Rejected);
            }
        }
        self.count(text.count, count)?;
        if R::ALIGNS && text.is_aligned && count > 0 {
            self.writer.align()?;
        }
        match &text.units {
            Units::Bits => self.writer.put_bits(octets, count),
            Units::PaddedBits => {
                self.writer.put_bits(octets, count)?;
                self.writer.put(0, (count.next_multiple_of(8) - count) as u32)
            }
            Units::Octets | Units::Oid | Units::Utf8(..) => self.writer.put_octets(octets),
            Units::Characters { bits, indexes, .. } => octets.iter().try_for_each(|character| {
                let index = indexes.get(usize::from(*character)).copied().unwrap_or(NONE);
                if index == NONE { Err(Rejected) } else { self.writer.put(index.into(), (*bits).into()) }
            }),
        }
    }
}
