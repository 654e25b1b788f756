//! Strings, and how many units there are.

use roadwire_layout::{CharacterSet, Count as LayoutCount, Extent, Width};

use super::Walk;
use super::leaf::offset;
use crate::packed::code::{Count, NONE, Op, Text, Units};

impl Walk<'_> {
    pub(super) fn count(&mut self, extent: &Extent) -> Option<Count> {
        let ahead = u32::from(extent.extensible);
        let (lower, upper) = (i128::from(extent.lower), i128::from(extent.upper));
        match extent.count {
            LayoutCount::Fixed if ahead == 0 => Some(Count::Fixed(extent.lower)),
            LayoutCount::Fixed => Some(Count::Field(offset(ahead, lower, lower)?)),
            LayoutCount::Field { bits, aligned } => {
                let width = self.width(Width::of_field(bits, aligned), ahead)?;
                Some(Count::Field(offset(width, lower, upper)?))
            }
            LayoutCount::Determinant => {
                if extent.extensible {
                    self.op(Op::Zero);
                }
                Some(Count::Determinant { lower: extent.lower, upper: extent.upper })
            }
            // A character has one octet.
            LayoutCount::InOctets => Some(Count::Determinant { lower: extent.lower, upper: extent.upper }),
            LayoutCount::Quantity => Some(Count::Quantity { lower: extent.lower, upper: extent.upper }),
        }
    }

    pub(super) fn string(&mut self, slot: u32, extent: &Extent, units: Units) -> Option<()> {
        let count = self.count(extent)?;
        self.text(slot, Text { count, units, trim: None, is_aligned: extent.aligned, selects: false })
    }

    /// The number of bits.
    pub(super) fn count_of(&mut self, extent: &Extent, units: &Units) -> Option<Count> {
        match (extent.count, units) {
            (LayoutCount::InOctets, Units::PaddedBits) => {
                Some(Count::Bits { lower: extent.lower, upper: extent.upper })
            }
            _ => self.count(extent),
        }
    }

    pub(super) fn text(&mut self, slot: u32, text: Text) -> Option<()> {
        self.code.strings.push(text);
        let text = self.code.strings.len() as u32 - 1;
        self.op(Op::Text { slot, text });
        Some(())
    }

    pub(super) fn characters(&self, set: &CharacterSet<'_>) -> Option<Units> {
        let (mut characters, mut indexes) = (Box::new([NONE; 128]), Box::new([NONE; 128]));
        let mut index = 0u8;
        for pair in set.alphabet.chunks_exact(2) {
            for code in pair[0]..=pair[1].min(0x100) {
                let code = u8::try_from(code).ok().filter(u8::is_ascii)?;
                let at = if set.indexed { index } else { code };
                *characters.get_mut(usize::from(at))? = code;
                *indexes.get_mut(usize::from(code))? = at;
                index += 1;
            }
        }
        (1..=8).contains(&set.bits).then_some(Units::Characters { bits: set.bits, characters, indexes })
    }
}
