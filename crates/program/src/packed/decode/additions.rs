//! Known extension additions, each of them in an open type.

use roadwire_wire::{Reader, Rejected};

use super::{Machine, Trace};
use crate::packed::code::Code;
use crate::packed::rules::Rules;

impl<R: Rules, T: Trace> Machine<'_, R, T> {
    /// Reads which additions there are, if the presence bit says that there are any, and holds it.
    pub(super) fn additions(&mut self, slot: u32, bit: u8, known: u32) -> Result<bool, Rejected> {
        let presence = self.word(slot)?;
        if presence >> bit & 1 == 0 {
            return Ok(false);
        }
        self.set(slot, presence & !(1 << bit))?;
        let mut reader = Reader::new(self.input.get(..self.end.div_ceil(8)).ok_or(Rejected)?);
        reader.advance_to(self.at);
        let bits = R::additions(&mut reader, known)?;
        self.at = reader.position();
        if self.at > self.end {
            return Err(Rejected);
        }
        self.place.hold(bits)?;
        Ok(true)
    }

    /// Reads the index of an alternative that may be an addition.
    #[inline(never)]
    pub(super) fn alternative(&mut self, code: &Code, slot: u32, (field, map): (u32, u32)) -> Result<(), Rejected> {
        let field = *code.fields.get(field as usize).ok_or(Rejected)?;
        let index = match self.wide(1)? {
            0 => self.field(field)?,
            // The first bit says that it is not small.
            _ => field.range + 1 + Some(self.wide(7)?).filter(|number| *number < 64).ok_or(Rejected)?,
        };
        let map = code.maps.get(map as usize).ok_or(Rejected)?;
        self.set(slot, map.ordinal(index).ok_or(Rejected)?)
    }

    /// Reads the bitmap of a group.
    pub(super) fn group(&mut self, code: &Code, bits: (u32, u32, u32), padding: u8) -> Result<(), Rejected> {
        let (slot, first, count) = bits;
        let masks = code.masks.get(first as usize..(first + count) as usize).ok_or(Rejected)?;
        let bitmap = self.wide(count as usize)?;
        self.advance(padding.into())?;
        let mut presence = self.word(slot)?;
        for (mask, index) in masks.iter().rev().zip(0..) {
            presence |= if bitmap >> index & 1 == 1 { *mask } else { 0 };
        }
        self.set(slot, presence)
    }

    /// Begins an open type. Its number of octets is held with the end around it.
    pub(super) fn open(&mut self) -> Result<(), Rejected> {
        let octets = self.length()?;
        let end = self.at + octets * 8;
        if octets < R::LEAST || end > self.end || self.end as u64 >> END != 0 {
            return Err(Rejected);
        }
        self.place.hold((octets as u64) << END | self.end as u64)?;
        self.end = end;
        Ok(())
    }

    /// Ends it: fewer bits than an octet are left, or the octet of a content without bits.
    pub(super) fn close(&mut self) -> Result<(), Rejected> {
        let held = self.place.release();
        let start = self.end - (held >> END) as usize * 8;
        let most = if self.at == start { R::LEAST * 8 } else { 7 };
        if self.at > self.end || self.end - self.at > most {
            return Err(Rejected);
        }
        self.at = self.end;
        self.end = (held & ((1 << END) - 1)) as usize;
        Ok(())
    }
}

/// Bits for the place of the end around an open type.
const END: u32 = 40;
