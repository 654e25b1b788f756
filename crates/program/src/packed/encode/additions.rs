//! Known extension additions, each of them in an open type.

use roadwire_wire::Rejected;

use super::Machine;
use crate::frame::UNKNOWN;
use crate::packed::code::{Code, Field};
use crate::packed::rules::Rules;

impl<R: Rules> Machine<'_, R> {
    /// Writes the presence bits of a root, and above them whether there is any addition.
    pub(super) fn presence(&mut self, field: Field, word: u64, additions: u64) -> Result<(), Rejected> {
        if word & UNKNOWN != 0 {
            return Err(Rejected);
        }
        // The bit above those of the root is the highest one of the range.
        let any = if word & additions == 0 { 0 } else { field.range / 2 + 1 };
        self.field(field, word & !additions | any)
    }

    /// Writes which additions there are, if there are any, and holds it.
    pub(super) fn additions(&mut self, code: &Code, slot: u32, (first, count): (u32, u32)) -> Result<bool, Rejected> {
        let (presence, first) = (self.word(slot)?, first as usize);
        let masks = code.masks.get(first..first + count as usize).ok_or(Rejected)?;
        let bits =
            masks.iter().zip(0..).fold(0, |bits, (mask, index)| bits | u64::from(presence & mask != 0) << (63 - index));
        if bits != 0 {
            R::put_additions(&mut self.writer, bits, count)?;
            self.place.hold(bits)?;
        }
        Ok(bits != 0)
    }

    /// Writes the index of an alternative that may be an addition.
    #[inline(never)]
    pub(super) fn alternative(&mut self, code: &Code, slot: u32, (field, map): (u32, u32)) -> Result<(), Rejected> {
        let field = *code.fields.get(field as usize).ok_or(Rejected)?;
        let map = code.maps.get(map as usize).ok_or(Rejected)?;
        let index = map.number(self.word(slot)?).ok_or(Rejected)?;
        match index.checked_sub(field.range + 1) {
            None => {
                self.writer.put(0, 1)?;
                self.field(field, index)
            }
            Some(number @ 0..64) => self.writer.put(0x80 | number, 8),
            Some(_) => Err(Rejected),
        }
    }

    /// Writes the bitmap of a group.
    pub(super) fn group(&mut self, code: &Code, bits: (u32, u32, u32), padding: u8) -> Result<(), Rejected> {
        let (slot, first, count) = bits;
        let presence = self.word(slot)?;
        let masks = code.masks.get(first as usize..(first + count) as usize).ok_or(Rejected)?;
        let bitmap = masks.iter().fold(0, |bitmap, mask| bitmap << 1 | u64::from(presence & mask != 0));
        self.writer.put_wide(bitmap, count)?;
        self.writer.put(0, padding.into())
    }

    /// Begins an open type, whose length is written at its end.
    pub(super) fn open(&mut self) -> Result<(), Rejected> {
        if R::ALIGNS {
            self.writer.align()?;
        }
        self.place.hold(self.writer.position() as u64)?;
        self.writer.put(0, 8)
    }
}
