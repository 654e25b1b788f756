//! The primitives in which packed and octet rules differ.

use roadwire_wire::rt::{octet, packed, window};
use roadwire_wire::{Reader, Rejected, Writer};

use super::code::Field;

/// The primitives of rules. Places are bits.
pub(crate) trait Rules {
    /// The fewest octets of what is in an open type.
    const LEAST: usize;

    /// Whether a length determinant begins at an octet border, and so do the parts for which a
    /// program says it.
    const ALIGNS: bool;

    /// The bits from a place on, as many as a field has; past the end they are zero.
    fn load(input: &[u8], at: usize, width: u8) -> u64;

    /// The same for 1 to 64 bits.
    fn wide(input: &[u8], at: usize, width: usize) -> u64;

    /// The value for a field's bits. Padding may be anything, as for the interpreter.
    fn value(field: Field, bits: u64) -> u64;

    /// The bits for a field's value.
    fn bits(field: Field, value: u64) -> u64;

    /// A length determinant, and how many bits it has; `None` if it is rare.
    fn length(input: &[u8], at: usize) -> Option<(usize, usize)>;

    /// Writes a length determinant.
    fn put_length(writer: &mut Writer<'_>, length: usize) -> Result<(), Rejected>;

    /// Reads the presence bits of up to `known` additions; the first one becomes the highest bit.
    fn additions(reader: &mut Reader<'_>, known: u32) -> Result<u64, Rejected>;

    /// Writes them.
    fn put_additions(writer: &mut Writer<'_>, bits: u64, known: u32) -> Result<(), Rejected>;

    /// Ends an open type that begins at a bit.
    fn close(writer: &mut Writer<'_>, start: usize) -> Result<(), Rejected>;

    /// Ends a message, and returns how many octets it has.
    fn finish(writer: Writer<'_>) -> Result<usize, Rejected>;
}

/// X.691, unaligned or aligned.
pub(crate) struct Packed<const ALIGNS: bool>;

/// X.696: all is whole octets.
pub(crate) struct Octet;

impl<const ALIGNS: bool> Rules for Packed<ALIGNS> {
    const LEAST: usize = 1;

    const ALIGNS: bool = ALIGNS;

    #[inline(always)]
    fn load(input: &[u8], at: usize, width: u8) -> u64 {
        let window = window(input, at >> 3) << (at & 7);
        // In two steps, since a shift by 64 is none.
        window >> 1 >> ((63 - u32::from(width)) & 63)
    }

    fn wide(input: &[u8], at: usize, width: usize) -> u64 {
        let (high, low) = (width / 2, width - width / 2);
        Self::load(input, at, high as u8) << low | Self::load(input, at + high, low as u8)
    }

    #[inline(always)]
    fn value(field: Field, bits: u64) -> u64 {
        bits.wrapping_add(field.lower as u64)
    }

    #[inline(always)]
    fn bits(field: Field, value: u64) -> u64 {
        value.wrapping_sub(field.lower as u64)
    }

    /// Below 128 in an octet, below 16K in two; fragments are the interpreter's (X.691 §11.9).
    #[inline(always)]
    fn length(input: &[u8], at: usize) -> Option<(usize, usize)> {
        let word = Self::load(input, at, 16) as usize;
        match word >> 14 {
            0 | 1 => Some((word >> 8, 8)),
            2 => Some((word & 0x3fff, 16)),
            _ => None,
        }
    }

    #[inline(always)]
    fn put_length(writer: &mut Writer<'_>, length: usize) -> Result<(), Rejected> {
        packed::put_count(writer, length)
    }

    fn additions(reader: &mut Reader<'_>, known: u32) -> Result<u64, Rejected> {
        let count = packed::take_small_length(reader, ALIGNS)? as u32;
        if count > known {
            return Err(Rejected);
        }
        Ok(reader.take_wide(count)? << (64 - count))
    }

    fn put_additions(writer: &mut Writer<'_>, bits: u64, known: u32) -> Result<(), Rejected> {
        packed::put_small_length(writer, known as usize, ALIGNS)?;
        writer.put_wide(bits >> (64 - known), known)
    }

    fn close(writer: &mut Writer<'_>, start: usize) -> Result<(), Rejected> {
        packed::close_open_type(writer, start)
    }

    /// One octet at least (X.691 §11.1.3).
    fn finish(writer: Writer<'_>) -> Result<usize, Rejected> {
        writer.finish()
    }
}

impl Rules for Octet {
    const LEAST: usize = 0;

    const ALIGNS: bool = false;

    #[inline(always)]
    fn load(input: &[u8], at: usize, width: u8) -> u64 {
        window(input, at >> 3) >> ((64 - u32::from(width)) & 63)
    }

    fn wide(input: &[u8], at: usize, width: usize) -> u64 {
        Self::load(input, at, width as u8)
    }

    #[inline(always)]
    fn value(field: Field, bits: u64) -> u64 {
        (bits >> (field.padding & 63) ^ field.sign).wrapping_sub(field.sign)
    }

    #[inline(always)]
    fn bits(field: Field, value: u64) -> u64 {
        value << (field.padding & 63) & (u64::MAX >> ((64 - u32::from(field.width)) & 63))
    }

    /// Below 128 in an octet, and up to 65,535 in three (X.696 §8.6).
    #[inline(always)]
    fn length(input: &[u8], at: usize) -> Option<(usize, usize)> {
        let word = Self::load(input, at, 24) as usize;
        match word >> 16 {
            short @ 0..=0x7f => Some((short, 8)),
            0x81 => Some((word >> 8 & 0xff, 16)),
            0x82 => Some((word & 0xffff, 24)),
            _ => None,
        }
    }

    #[inline(always)]
    fn put_length(writer: &mut Writer<'_>, length: usize) -> Result<(), Rejected> {
        octet::put_length(writer, length)
    }

    fn additions(reader: &mut Reader<'_>, known: u32) -> Result<u64, Rejected> {
        octet::take_additions(reader, known.into())
    }

    /// A bit string of variable size (X.696 §16.4).
    fn put_additions(writer: &mut Writer<'_>, bits: u64, known: u32) -> Result<(), Rejected> {
        let octets = known.div_ceil(8);
        writer.put(u64::from(octets + 1) << 8 | u64::from(octets * 8 - known), 16)?;
        writer.put_wide(bits >> (64 - octets * 8), octets * 8)
    }

    fn close(writer: &mut Writer<'_>, start: usize) -> Result<(), Rejected> {
        octet::close_open_type(writer, start)
    }

    fn finish(writer: Writer<'_>) -> Result<usize, Rejected> {
        writer.finish_octets()
    }
}
