//! Encoding: numbers in a stream of events (EXI §7.1.4 to §7.1.6, §7.1.9).

use super::Events;
use roadwire_layout::{NodeId, Number};
use roadwire_wire::rt::{events, varint};
use roadwire_wire::{Rejected, Scalar};

use crate::encode::Encoder;
use crate::range;

impl Encoder<'_, '_, '_, Events> {
    #[inline(never)]
    pub(crate) fn bounded_number(&mut self, range: NodeId, number: Number, scalar: Scalar<'_>) -> Result<(), Rejected> {
        match scalar {
            Scalar::Integer(_) | Scalar::WideInteger(_) if !range::admits(self.layout, range, scalar) => {
                Err(self.fail(range::outside(self.layout, range, scalar)))
            }
            Scalar::Integer(value) => self.put_number(number, value),
            Scalar::WideInteger(octets) => self.wide_groups(number, octets),
            _ => self.mismatch("an INTEGER"),
        }
    }

    #[inline(never)]
    pub(crate) fn put_number(&mut self, number: Number, value: i128) -> Result<(), Rejected> {
        match number {
            Number::Bits { bits, base } => {
                self.writer.put(value.wrapping_sub(base.into()) as u64 & ((1 << bits) - 1), u32::from(bits))
            }
            Number::Unsigned => varint::put_wide(&mut self.writer, value as u128),
            Number::Signed => {
                self.writer.put_bit(value < 0)?;
                varint::put_wide(&mut self.writer, if value < 0 { !value } else { value } as u128)
            }
        }
    }

    /// A number of more than 128 bits.
    #[cold]
    #[inline(never)]
    fn wide_groups(&mut self, number: Number, octets: &[u8]) -> Result<(), Rejected> {
        let is_negative = octets.first().is_some_and(|first| first & 0x80 != 0);
        if number == Number::Signed {
            self.writer.put_bit(is_negative)?;
        }
        // Bits from the least significant on; for a negative number, those of its complement.
        let flip = if is_negative { 0xff } else { 0 };
        let octet = |at: usize| octets.len().checked_sub(at + 1).map_or(0, |at| octets[at] ^ flip);
        let group = |at: usize| {
            let pair = u16::from(octet(at * 7 / 8)) | u16::from(octet(at * 7 / 8 + 1)) << 8;
            u64::from(pair >> (at * 7 % 8) & 0x7f)
        };
        let count = (0..(octets.len() * 8).div_ceil(7)).rev().find(|at| group(*at) != 0).map_or(1, |at| at + 1);
        for at in 0..count {
            self.writer.put(group(at) | if at + 1 < count { 0x80 } else { 0 }, 8)?;
        }
        Ok(())
    }

    /// §7.1.4: a mantissa without trailing zeros, and the exponent of ten.
    #[inline(never)]
    pub(crate) fn event_real(&mut self, value: f64) -> Result<(), Rejected> {
        let Some((mantissa, exponent)) = events::decimal(value) else {
            return self.mismatch("a REAL other than minus zero");
        };
        self.put_number(Number::Signed, mantissa)?;
        self.put_number(Number::Signed, exponent)
    }
}
