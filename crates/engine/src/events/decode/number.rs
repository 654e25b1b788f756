//! Decoding: numbers in a stream of events (EXI §7.1.4 to §7.1.6, §7.1.9).

use super::Events;
use alloc::vec::Vec;

use roadwire_layout::{NodeId, Number};
use roadwire_wire::rt::{events, varint};
use roadwire_wire::{Data, Rejected, Scalar, faults};

use crate::decode::Decoder;
use crate::listener::Listener;
use crate::{range, wide};

impl<L: Listener> Decoder<'_, '_, '_, '_, L, Events> {
    #[inline(never)]
    pub(crate) fn bounded_number(
        &mut self,
        range: NodeId,
        number: Number,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let at = self.reader;
        if let Ok(found) = self.number_of_64(number) {
            return self.number_within(at.position(), range, Scalar::Integer(found), value);
        }
        self.reader = at;
        self.wide_groups(range, number, value)
    }

    fn number_within(
        &mut self,
        at: usize,
        range: NodeId,
        found: Scalar<'_>,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        if range::admits(self.layout, range, found) {
            return self.set(at, found, value);
        }
        Err(self.fail_at(range::outside(self.layout, range, found), at))
    }

    /// A number of up to 64 bits and a sign.
    pub(crate) fn number_of_64(&mut self, number: Number) -> Result<i128, Rejected> {
        Ok(match number {
            Number::Bits { bits, base } => i128::from(self.reader.take(u32::from(bits))?) + i128::from(base),
            Number::Unsigned => varint::take(&mut self.reader)?.into(),
            Number::Signed => {
                let is_negative = self.reader.take_bit()?;
                let magnitude = i128::from(varint::take(&mut self.reader)?);
                if is_negative { !magnitude } else { magnitude }
            }
        })
    }

    /// The same; a wider number is an error.
    pub(crate) fn narrow_number(&mut self, number: Number) -> Result<i128, Rejected> {
        let at = self.reader.position();
        match self.number_of_64(number) {
            Ok(found) => Ok(found),
            Err(Rejected) => Err(self.refuse(at, 8, faults::events::NUMBER)),
        }
    }

    /// A number of more than 64 bits, or an error.
    #[cold]
    #[inline(never)]
    fn wide_groups(&mut self, range: NodeId, number: Number, value: &mut dyn Data) -> Result<(), Rejected> {
        let at = self.reader.position();
        let is_negative = number == Number::Signed && self.take(1)? == 1;
        let mut octets: Vec<u8> = Vec::new();
        let (mut waiting, mut fill) = (0u16, 0);
        let done = varint::take_each(&mut self.reader, |bits| {
            waiting |= u16::from(bits) << fill;
            fill += 7;
            if fill >= 8 {
                octets.push(waiting as u8);
                waiting >>= 8;
                fill -= 8;
            }
        });
        if done.is_err() {
            return self.truncated(8);
        }
        octets.extend([waiting as u8, 0]);
        octets.reverse();
        if is_negative {
            octets.iter_mut().for_each(|octet| *octet = !*octet);
        }
        let shortest = wide::shortest(&octets);
        let found = roadwire_wire::rt::TwosComplement::read_signed(shortest);
        self.number_within(at, range, found.map_or(Scalar::WideInteger(shortest), Scalar::Integer), value)
    }

    /// §7.1.4
    #[inline(never)]
    pub(crate) fn event_real(&mut self, value: &mut dyn Data) -> Result<(), Rejected> {
        let at = self.reader.position();
        let mantissa = self.narrow_number(Number::Signed)?;
        let exponent = self.narrow_number(Number::Signed)?;
        let real = events::nearest(mantissa, exponent).map_err(|kind| self.fail_at(kind, at))?;
        self.set(at, Scalar::Real(real), value)
    }
}
