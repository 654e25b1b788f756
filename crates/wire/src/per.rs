//! The primitive codings of the packed encoding rules, unaligned variant (X.691 §11).

use crate::error::Rejected;
use crate::reader::Reader;
use crate::writer::Writer;

/// How many units a fragment's length counts in (X.691 §11.9.3.8).
pub const FRAGMENT: usize = 16 * 1024;

/// What a general length determinant tells (X.691 §11.9.3.5 to §11.9.3.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// This many units follow, and then nothing more.
    Last(usize),
    /// This many units follow, and then another length determinant.
    Fragment(usize),
}

/// Reads a general length determinant.
///
/// # Errors
/// Past the end, or a fragment of no or more than four times 16K units (X.691 §11.9.3.8 allows 1 to 4).
#[inline]
pub fn take_length(reader: &mut Reader<'_>) -> Result<Length, Rejected> {
    let first = reader.take(8)? as usize;
    if first & 0x80 == 0 {
        return Ok(Length::Last(first));
    }
    if first & 0x40 == 0 {
        return Ok(Length::Last((first & 0x3f) << 8 | reader.take(8)? as usize));
    }
    match first & 0x3f {
        blocks @ 1..=4 => Ok(Length::Fragment(blocks * FRAGMENT)),
        _ => Err(Rejected),
    }
}

/// Writes the length determinant for what is left, `units`, and tells how many of them it covers. Where it is a fragment,
/// call again with the rest after writing those (also when the rest is 0).
///
/// # Errors
/// The output is full.
#[inline]
pub fn put_length(writer: &mut Writer<'_>, units: usize) -> Result<Length, Rejected> {
    if units < 128 {
        writer.put(units as u64, 8)?;
        Ok(Length::Last(units))
    } else if units < FRAGMENT {
        writer.put(0x8000 | units as u64, 16)?;
        Ok(Length::Last(units))
    } else {
        let blocks = (units / FRAGMENT).min(4);
        writer.put(0xc0 | blocks as u64, 8)?;
        Ok(Length::Fragment(blocks * FRAGMENT))
    }
}

/// Reads a normally small non-negative whole number (X.691 §11.6). Above 64 bits it is refused.
///
/// # Errors
/// Past the end, or too wide.
pub fn take_small(reader: &mut Reader<'_>) -> Result<u64, Rejected> {
    if !reader.take_bit()? {
        return reader.take(6);
    }
    match take_length(reader)? {
        Length::Last(octets) => {
            let mut value = 0u64;
            for _ in 0..octets {
                if value >> 56 != 0 {
                    return Err(Rejected);
                }
                value = value << 8 | reader.take(8)?;
            }
            Ok(value)
        }
        Length::Fragment(_) => Err(Rejected),
    }
}

/// Writes a normally small non-negative whole number (X.691 §11.6).
///
/// # Errors
/// The output is full.
pub fn put_small(writer: &mut Writer<'_>, value: u64) -> Result<(), Rejected> {
    if value < 64 {
        return writer.put(value, 7);
    }
    let octets = (64 - value.leading_zeros()).div_ceil(8);
    writer.put(1, 1)?;
    writer.put(u64::from(octets), 8)?;
    writer.put_wide(value, octets * 8)
}

/// Reads a normally small length (X.691 §11.9.3.4), 1 or more.
///
/// # Errors
/// Past the end; zero; 16K or more (no module has that many additions).
pub fn take_small_length(reader: &mut Reader<'_>) -> Result<usize, Rejected> {
    if !reader.take_bit()? {
        return Ok(reader.take(6)? as usize + 1);
    }
    match take_length(reader)? {
        Length::Last(length) if length > 0 => Ok(length),
        _ => Err(Rejected),
    }
}

/// Writes a normally small length (X.691 §11.9.3.4), 1 to 16383.
///
/// # Errors
/// The output is full, or the length is not in that range.
pub fn put_small_length(writer: &mut Writer<'_>, length: usize) -> Result<(), Rejected> {
    match length {
        1..=64 => writer.put(length as u64 - 1, 7),
        65..FRAGMENT => {
            writer.put(1, 1)?;
            put_length(writer, length).map(|_| ())
        }
        _ => Err(Rejected),
    }
}

/// Ends an open type (X.691 §11.2) whose content was written from bit `start` on: fills it up to a whole number of octets, at least one, and
/// puts its length in front, in fragments where it is 16K octets or more.
///
/// # Errors
/// The output is full.
pub fn close_open_type(writer: &mut Writer<'_>, start: usize) -> Result<(), Rejected> {
    if writer.position() == start {
        writer.put(0, 8)?;
    }
    writer.align_from(start)?;
    let mut left = (writer.position() - start) / 8;
    let mut at = start;
    loop {
        let mut scratch = [0u8; 2];
        let mut determinant = Writer::new(&mut scratch);
        let length = put_length(&mut determinant, left)?;
        let octets = determinant.position() / 8;
        determinant.flush()?;
        writer.insert_octets(at, octets)?;
        let value = scratch[..octets].iter().fold(0, |v, o| v << 8 | u64::from(*o));
        writer.overwrite(at, value, octets as u32 * 8)?;
        match length {
            Length::Last(_) => return Ok(()),
            Length::Fragment(units) => {
                left -= units;
                at += (octets + units) * 8;
            }
        }
    }
}
