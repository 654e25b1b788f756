//! How many elements come, which a message does not say.

use roadwire_wire::Rejected;

use super::code::{Elements, List};
use super::decode::Machine;
use crate::strings::within;
use crate::tape::span;

impl Machine<'_> {
    /// Makes frames for the elements of a list and enters the first one; returns whether there are
    /// any.
    pub(super) fn list(&mut self, list: &List, slot: u32) -> Result<bool, Rejected> {
        let count = match list.elements {
            Elements::Keyed => self.keyed(list)?,
            _ if !self.is_next(list.key) => 0,
            elements => {
                self.open(list.key)?;
                let octets = self.input.get(self.at..self.end).unwrap_or_default();
                let count = match elements {
                    Elements::Doubles => octets.len() / 8,
                    _ => octets.iter().filter(|octet| **octet < 0x80).count(),
                };
                Some(count).filter(|count| *count > 0).ok_or(Rejected)?
            }
        };
        within(count as u64, list.lower, list.upper)?;
        self.budget.units(count)?;
        self.budget.frames(list.places, count)?;
        let first = self.tape.grow(count * list.words as usize)?;
        self.set(slot, span(first, count)?)?;
        if count > 0 {
            self.place.enter(first, count)?;
        }
        Ok(count > 0)
    }

    /// How many keys of a list follow each other.
    fn keyed(&mut self, list: &List) -> Result<usize, Rejected> {
        let (start, mut count) = (self.at, 0);
        while self.is_next(list.key) {
            self.at = self.take_length(list.key)?;
            count += 1;
        }
        self.at = start;
        Ok(count)
    }
}
