//! Reading octets (OER) and bits (unaligned PER), by hand.

use std::borrow::Cow;
use std::fmt;

use roadwire_wire::{LentOctets, LentText};

/// Why a decoder refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The octets end too early, or go on after the message.
    Length,
    /// A value out of its range, or a part that the decoder does not know.
    Range,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refused::Length => "too short or too long",
            Refused::Range => "out of range, or a part that the decoder does not know",
        })
    }
}

/// The reads of a decoder, common to both encodings.
pub(super) trait Read<'a>: Sized {
    /// Which of `count` optional components are there: the last one is the least significant bit.
    /// Additions are refused.
    fn presence(&mut self, count: u32, extensible: bool) -> Result<u32, Refused>;
    /// Which of `count` alternatives.
    fn choice(&mut self, count: u32, extensible: bool) -> Result<u32, Refused>;
    /// Which of `count` items.
    fn item(&mut self, count: u32, extensible: bool) -> Result<u32, Refused>;
    /// INTEGER (0..255)
    fn u8(&mut self) -> Result<u8, Refused>;
    /// INTEGER (0..65535)
    fn u16(&mut self) -> Result<u16, Refused>;
    /// INTEGER (0..4294967295)
    fn u32(&mut self) -> Result<u32, Refused>;
    /// INTEGER (0..18446744073709551615)
    fn u64(&mut self) -> Result<u64, Refused>;
    /// INTEGER (-2147483648..2147483647)
    fn i32(&mut self) -> Result<i32, Refused>;
    /// INTEGER (0..MAX), up to 64 bits
    fn unsigned(&mut self) -> Result<u64, Refused>;
    /// INTEGER (0..2^bits - 1), up to 8 bits
    fn spacer(&mut self, bits: u32) -> Result<u8, Refused>;
    /// OCTET STRING of a fixed size, in its place
    fn fill<const N: usize>(&mut self, place: &mut [u8; N]) -> Result<(), Refused>;
    /// OCTET STRING of a fixed size
    #[inline(always)]
    fn fixed<const N: usize>(&mut self) -> Result<[u8; N], Refused> {
        let mut octets = [0; N];
        self.fill(&mut octets)?;
        Ok(octets)
    }
    /// OCTET STRING
    fn octets(&mut self) -> Result<LentOctets<'a>, Refused>;
    /// UTF8String
    fn text(&mut self) -> Result<LentText<'a>, Refused>;
    /// The number of elements of a SEQUENCE OF
    fn count(&mut self) -> Result<usize, Refused>;
    /// Nothing but padding may follow.
    fn end(self) -> Result<(), Refused>;
}

/// Octets in OER.
pub(super) struct Oer<'a> {
    rest: &'a [u8],
}

impl<'a> Oer<'a> {
    #[inline(always)]
    pub(super) fn new(octets: &'a [u8]) -> Self {
        Oer { rest: octets }
    }

    #[inline(always)]
    fn take(&mut self, count: usize) -> Result<&'a [u8], Refused> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Refused::Length)?;
        self.rest = rest;
        Ok(taken)
    }

    /// A length of up to 65535 (X.696 §8.6).
    #[inline(always)]
    fn length(&mut self) -> Result<usize, Refused> {
        match self.u8()? {
            short @ 0..=0x7F => Ok(short.into()),
            0x81 => Ok(self.u8()?.into()),
            0x82 => Ok(self.u16()?.into()),
            _ => Err(Refused::Range),
        }
    }
}

impl<'a> Read<'a> for Oer<'a> {
    #[inline(always)]
    fn presence(&mut self, count: u32, extensible: bool) -> Result<u32, Refused> {
        let bits = count + u32::from(extensible);
        let preamble = if bits <= 8 { u32::from(self.u8()?) << 8 } else { u32::from(self.u16()?) };
        // All are in the first bits of two octets. The padding is zero (X.696 §16.2.4).
        let (present, padding) = (preamble >> (16 - bits), preamble & ((1 << (16 - bits)) - 1));
        if padding != 0 || present >> count != 0 { Err(Refused::Range) } else { Ok(present) }
    }

    #[inline(always)]
    fn choice(&mut self, count: u32, _: bool) -> Result<u32, Refused> {
        let at = u32::from(self.u8()?).wrapping_sub(0x80);
        if at < count { Ok(at) } else { Err(Refused::Range) }
    }

    #[inline(always)]
    fn item(&mut self, count: u32, _: bool) -> Result<u32, Refused> {
        let at = u32::from(self.u8()?);
        if at < count { Ok(at) } else { Err(Refused::Range) }
    }

    #[inline(always)]
    fn u8(&mut self) -> Result<u8, Refused> {
        let (first, rest) = self.rest.split_first().ok_or(Refused::Length)?;
        self.rest = rest;
        Ok(*first)
    }

    #[inline(always)]
    fn u16(&mut self) -> Result<u16, Refused> {
        Ok(u16::from_be_bytes(self.fixed()?))
    }

    #[inline(always)]
    fn u32(&mut self) -> Result<u32, Refused> {
        Ok(u32::from_be_bytes(self.fixed()?))
    }

    #[inline(always)]
    fn u64(&mut self) -> Result<u64, Refused> {
        Ok(u64::from_be_bytes(self.fixed()?))
    }

    #[inline(always)]
    fn i32(&mut self) -> Result<i32, Refused> {
        Ok(i32::from_be_bytes(self.fixed()?))
    }

    #[inline(always)]
    fn unsigned(&mut self) -> Result<u64, Refused> {
        let octets = self.u8()?;
        if !(1..=8).contains(&octets) {
            return Err(Refused::Range);
        }
        let taken = self.take(octets.into())?;
        Ok(taken.iter().fold(0, |value, octet| value << 8 | u64::from(*octet)))
    }

    #[inline(always)]
    fn spacer(&mut self, bits: u32) -> Result<u8, Refused> {
        let value = self.u8()?;
        if u32::from(value) >> bits == 0 { Ok(value) } else { Err(Refused::Range) }
    }

    #[inline(always)]
    fn fill<const N: usize>(&mut self, place: &mut [u8; N]) -> Result<(), Refused> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or(Refused::Length)?;
        self.rest = rest;
        *place = *taken;
        Ok(())
    }

    #[inline(always)]
    fn octets(&mut self) -> Result<LentOctets<'a>, Refused> {
        let length = self.length()?;
        Ok(LentOctets(Cow::Borrowed(self.take(length)?)))
    }

    #[inline(always)]
    fn text(&mut self) -> Result<LentText<'a>, Refused> {
        let length = self.length()?;
        let text = std::str::from_utf8(self.take(length)?).map_err(|_| Refused::Range)?;
        Ok(LentText(Cow::Borrowed(text)))
    }

    #[inline(always)]
    fn count(&mut self) -> Result<usize, Refused> {
        let count = usize::try_from(self.unsigned()?).map_err(|_| Refused::Range)?;
        // An element has an octet at least.
        if count > self.rest.len() { Err(Refused::Length) } else { Ok(count) }
    }

    #[inline(always)]
    fn end(self) -> Result<(), Refused> {
        if self.rest.is_empty() { Ok(()) } else { Err(Refused::Length) }
    }
}

/// Bits in unaligned PER.
pub(super) struct Uper<'a> {
    octets: &'a [u8],
    /// The next bit.
    at: usize,
}

impl<'a> Uper<'a> {
    #[inline(always)]
    pub(super) fn new(octets: &'a [u8]) -> Self {
        Uper { octets, at: 0 }
    }

    /// Up to 32 bits.
    #[inline(always)]
    fn bits(&mut self, count: u32) -> Result<u32, Refused> {
        let (octet, bit) = (self.at / 8, (self.at % 8) as u32);
        let word = match self.octets.get(octet..octet + 8) {
            Some(eight) => u64::from_be_bytes(eight.try_into().map_err(|_| Refused::Length)?),
            None => self.last_word(octet, count)?,
        };
        self.at += count as usize;
        Ok(if count == 0 { 0 } else { (word << bit >> (64 - count)) as u32 })
    }

    /// The word at the end of the octets, which has fewer than eight of them.
    #[cold]
    fn last_word(&self, octet: usize, count: u32) -> Result<u64, Refused> {
        if self.at + count as usize > 8 * self.octets.len() {
            return Err(Refused::Length);
        }
        let mut eight = [0; 8];
        let rest = self.octets.get(octet..).unwrap_or_default();
        eight[..rest.len()].copy_from_slice(rest);
        Ok(u64::from_be_bytes(eight))
    }

    /// Fills a place with octets from any bit on.
    #[inline(always)]
    fn copy(&mut self, place: &mut [u8]) -> Result<(), Refused> {
        let (octet, bit, count) = (self.at / 8, self.at % 8, place.len());
        let from = self.octets.get(octet..octet + count + usize::from(bit != 0)).ok_or(Refused::Length)?;
        self.at += 8 * count;
        if bit == 0 {
            place.copy_from_slice(from);
        } else {
            let mut words = place.chunks_exact_mut(8);
            let mut at = 0;
            for to in &mut words {
                let Some((eight, next)) = from[at..].split_first_chunk::<8>() else { return Err(Refused::Length) };
                let next = u64::from(next.first().copied().unwrap_or(0));
                to.copy_from_slice(&(u64::from_be_bytes(*eight) << bit | next >> (8 - bit)).to_be_bytes());
                at += 8;
            }
            for (to, pair) in words.into_remainder().iter_mut().zip(from[at..].windows(2)) {
                *to = pair[0] << bit | pair[1] >> (8 - bit);
            }
        }
        Ok(())
    }

    /// A length of up to 16383 (X.691 §11.9).
    #[inline(always)]
    fn length(&mut self) -> Result<usize, Refused> {
        Ok(match self.bits(8)? {
            short @ 0..=0x7F => short as usize,
            long @ 0x80..=0xBF => ((long as usize & 63) << 8) | self.bits(8)? as usize,
            _ => return Err(Refused::Range),
        })
    }

    /// An index below `count`, after the bit of an extension.
    #[inline(always)]
    fn index(&mut self, count: u32, extensible: bool) -> Result<u32, Refused> {
        let width = u32::BITS - (count - 1).leading_zeros();
        let at = self.bits(width + u32::from(extensible))?;
        if at < count { Ok(at) } else { Err(Refused::Range) }
    }
}

impl<'a> Read<'a> for Uper<'a> {
    #[inline(always)]
    fn presence(&mut self, count: u32, extensible: bool) -> Result<u32, Refused> {
        let present = self.bits(count + u32::from(extensible))?;
        if present >> count == 0 { Ok(present) } else { Err(Refused::Range) }
    }

    #[inline(always)]
    fn choice(&mut self, count: u32, extensible: bool) -> Result<u32, Refused> {
        self.index(count, extensible)
    }

    #[inline(always)]
    fn item(&mut self, count: u32, extensible: bool) -> Result<u32, Refused> {
        self.index(count, extensible)
    }

    #[inline(always)]
    fn u8(&mut self) -> Result<u8, Refused> {
        Ok(self.bits(8)? as u8)
    }

    #[inline(always)]
    fn u16(&mut self) -> Result<u16, Refused> {
        Ok(self.bits(16)? as u16)
    }

    #[inline(always)]
    fn u32(&mut self) -> Result<u32, Refused> {
        self.bits(32)
    }

    #[inline(always)]
    fn u64(&mut self) -> Result<u64, Refused> {
        Ok(u64::from(self.bits(32)?) << 32 | u64::from(self.bits(32)?))
    }

    #[inline(always)]
    fn i32(&mut self) -> Result<i32, Refused> {
        Ok((self.bits(32)? ^ (1 << 31)) as i32)
    }

    #[inline(always)]
    fn unsigned(&mut self) -> Result<u64, Refused> {
        let octets = self.length()?;
        if !(1..=8).contains(&octets) {
            return Err(Refused::Range);
        }
        (0..octets).try_fold(0, |value, _| Ok(value << 8 | u64::from(self.bits(8)?)))
    }

    #[inline(always)]
    fn spacer(&mut self, bits: u32) -> Result<u8, Refused> {
        Ok(self.bits(bits)? as u8)
    }

    #[inline(always)]
    fn fill<const N: usize>(&mut self, place: &mut [u8; N]) -> Result<(), Refused> {
        self.copy(place)
    }

    #[inline(always)]
    fn octets(&mut self) -> Result<LentOctets<'a>, Refused> {
        let length = self.length()?;
        if self.at % 8 == 0 {
            let from = self.at / 8;
            let taken = self.octets.get(from..from + length).ok_or(Refused::Length)?;
            self.at += 8 * length;
            return Ok(LentOctets(Cow::Borrowed(taken)));
        }
        if length > self.octets.len() {
            return Err(Refused::Length);
        }
        let mut octets = vec![0; length];
        self.copy(&mut octets)?;
        Ok(LentOctets(Cow::Owned(octets)))
    }

    #[inline(always)]
    fn text(&mut self) -> Result<LentText<'a>, Refused> {
        let text = match self.octets()?.0 {
            Cow::Borrowed(octets) => std::str::from_utf8(octets).map(Cow::Borrowed).map_err(|_| Refused::Range)?,
            Cow::Owned(octets) => Cow::Owned(String::from_utf8(octets).map_err(|_| Refused::Range)?),
        };
        Ok(LentText(text))
    }

    #[inline(always)]
    fn count(&mut self) -> Result<usize, Refused> {
        let count = self.length()?;
        // An element of these messages has an octet at least.
        if count > self.octets.len() { Err(Refused::Length) } else { Ok(count) }
    }

    #[inline(always)]
    fn end(self) -> Result<(), Refused> {
        let padding = 8 * self.octets.len() - self.at;
        let last = self.octets.last().copied().unwrap_or(0);
        if padding < 8 && last & ((1u16 << padding) - 1) as u8 == 0 { Ok(()) } else { Err(Refused::Length) }
    }
}
