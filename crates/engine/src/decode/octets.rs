//! Decoding: shared by families over whole octets.

use roadwire_wire::rt::tlv::Fault;
use roadwire_wire::{BitWord, Data, ErrorKind, Rejected, Scalar, Shape, faults};

use crate::bits::is_one;
use crate::decode::{Decoder, Family};
use crate::listener::{Listener, What};

impl<'a, L: Listener, F: Family> Decoder<'_, 'a, '_, '_, L, F> {
    /// The unread octets, within the reader's restriction.
    pub(crate) fn left(&self) -> &'a [u8] {
        let start = self.reader.position() / 8;
        self.reader.octets().get(start..start + self.reader.remaining() / 8).unwrap_or(&[])
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn faulty(&mut self, fault: Fault) -> Rejected {
        match fault {
            Fault::Truncated => self.fail(ErrorKind::Truncated { missing: 8 }),
            Fault::Malformed(what) if what.is_complete() => self.fail(ErrorKind::Malformed(what)),
            Fault::Malformed(what) => {
                let at = self.reader.position();
                self.found_octets(what, at, 2)
            }
        }
    }

    /// Reads `length` octets of something unknown.
    pub(crate) fn whole(&mut self, length: Result<usize, Fault>) -> Result<&'a [u8], Rejected> {
        let octets = match length {
            Ok(length) => self.left().get(..length).unwrap_or(&[]),
            Err(fault) => return Err(self.faulty(fault)),
        };
        let at = self.reader.position();
        self.reader.skip(octets.len() * 8)?;
        self.show(at, What::Unknown, Scalar::Octets(octets));
        Ok(octets)
    }

    /// §8.6.2: the unused bits of the last octet may be anything.
    #[inline(never)]
    pub(crate) fn bit_contents(
        &mut self,
        at: usize,
        octets: &[u8],
        (lower, upper, trim): (u64, u64, Option<u64>),
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let (unused, octets) = match octets.split_first() {
            Some((unused @ 0..=7, octets)) if *unused == 0 || !octets.is_empty() => (usize::from(*unused), octets),
            _ => return Err(self.other_contents(faults::shared::BIT_STRING, at, octets)),
        };
        let mut bits = octets.len() * 8 - unused;
        if trim.is_some() {
            // X.680 §22.7: trailing zero bits are added or removed to meet the size.
            while bits as u64 > upper && !is_one(octets, bits - 1) {
                bits -= 1;
            }
            // Zero bits that are not sent cost an attacker nothing.
            if lower > self.limits.elements {
                return Err(self.fail_at(ErrorKind::TooLong { length: lower, limit: self.limits.elements }, at));
            }
            bits = bits.max(lower as usize);
        }
        let size = bits as u64;
        if size < lower || size > upper {
            return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, at));
        }
        // Those that are sent.
        let sent = bits.min(octets.len() * 8 - unused);
        if upper <= 64 {
            let octet = |place: usize| u64::from(octets.get(place).copied().unwrap_or(0));
            let word = (0..8).fold(0, |word, place| word << 8 | octet(place));
            let kept = if sent == 0 { 0 } else { word >> (64 - sent.min(64)) << (bits - sent) };
            return self.set_bit_word(at, BitWord { value: kept, bits: bits as u8 }, value);
        }
        if !value.begin(Shape::Bits) {
            return self.mismatch("a place for a BIT STRING");
        }
        let Some(place) = value.extend_bits(bits).filter(|place| place.len() == bits.div_ceil(8)) else {
            return self.full(size);
        };
        place.fill(0);
        place.iter_mut().zip(octets).take(sent.div_ceil(8)).for_each(|(place, octet)| *place = *octet);
        if let (Some(last), 1..) = (place.get_mut(sent / 8), sent % 8) {
            *last &= 0xff << (8 - sent % 8);
        }
        self.show(at, What::Value(""), Scalar::Bits(place, bits));
        Ok(())
    }
}
