//! Bit strings: octets after their number, and unless the size is fixed, before them an attribute
//! with the number of unused bits of the last octet.

use crate::bits::BitWord;
use crate::error::Rejected;
use crate::reader::Reader;
use crate::rt::varint;
use crate::writer::Writer;

#[cfg(feature = "alloc")]
use crate::{BitString, Data as _, Shape};

/// Width of the second part of an event code (EXI §8.5.4.4.1). Its first value ends an element at
/// once.
const SECOND_PART: u32 = 3;

/// More bits that are not sent are left to the interpreter.
#[cfg(feature = "alloc")]
const MOST_ADDED: u64 = 1 << 16;

/// A bit string in its element.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Fewest bits.
    pub lower: u64,
    /// Most bits.
    pub upper: u64,
    /// Whether trailing zero bits have no meaning.
    pub trim: bool,
    /// Width of the codes of the attribute, of the octets, and of the element's end.
    pub code: u32,
}

/// Writes bits between their codes.
///
/// # Errors
/// The output is full; a number of bits outside the bounds.
pub fn put_bits(writer: &mut Writer<'_>, octets: &[u8], bits: usize, form: &Form) -> Result<(), Rejected> {
    let Form { lower, upper, trim, code } = *form;
    let mut bits = bits;
    if trim {
        let is_one = |at: &usize| octets.get(at / 8).is_some_and(|octet| octet >> (7 - at % 8) & 1 == 1);
        let used = (0..bits.min(octets.len() * 8)).rev().find(is_one).map_or(0, |last| last + 1);
        bits = used.max(usize::try_from(lower).map_err(|_| Rejected)?);
    }
    if !(lower..=upper).contains(&(bits as u64)) {
        return Err(Rejected);
    }
    let unused = bits.wrapping_neg() as u32 % 8;
    if lower != upper {
        writer.put(u64::from(unused), code + 3)?;
    }
    if bits == 0 && code > 0 {
        writer.put(1, code)?;
        return writer.put(0, SECOND_PART);
    }
    writer.put(0, code)?;
    varint::put(writer, bits.div_ceil(8) as u64)?;
    writer.put_bits(octets, bits)?;
    writer.put(0, unused + code)
}

/// The start of a bit string.
enum Head {
    /// How many octets follow, which are complete, and how many bits these have.
    Octets(usize, usize),
    /// The element has ended.
    End,
}

fn take_head(reader: &mut Reader<'_>, form: &Form) -> Result<Head, Rejected> {
    let Form { lower, upper, code, .. } = *form;
    // A code that is not 0 for the attribute is above 7 with the number.
    let unused = if lower == upper { 0 } else { reader.take(code + 3)? };
    match reader.take(code)? {
        0 if unused < 8 => {}
        1 if unused == 0 && (lower != upper || upper == 0) && reader.take(SECOND_PART)? == 0 => return Ok(Head::End),
        _ => return Err(Rejected),
    }
    let octets = usize::try_from(varint::take(reader)?).ok().filter(|octets| *octets <= reader.remaining() / 8);
    let octets = octets.ok_or(Rejected)?;
    if lower == upper {
        let is_whole = octets as u64 == upper.div_ceil(8);
        return if is_whole { Ok(Head::Octets(octets, upper as usize)) } else { Err(Rejected) };
    }
    (octets * 8).checked_sub(unused as usize).map(|bits| Head::Octets(octets, bits)).ok_or(Rejected)
}

/// How many bits a string has of which so many are sent. Those that are to be removed are left to
/// the interpreter.
fn size(bits: usize, form: &Form) -> Result<usize, Rejected> {
    let size = if form.trim { form.lower.max(bits as u64) } else { bits as u64 };
    if (form.lower..=form.upper).contains(&size) { Ok(size as usize) } else { Err(Rejected) }
}

/// Reads up to 64 bits between their codes.
///
/// # Errors
/// Past the end; other codes; a number of bits outside the bounds.
pub fn take_word(reader: &mut Reader<'_>, form: &Form) -> Result<BitWord, Rejected> {
    let Head::Octets(octets, sent) = take_head(reader, form)? else {
        return Ok(BitWord { value: 0, bits: size(0, form)? as u8 });
    };
    let bits = size(sent, form)?;
    if bits > 64 {
        return Err(Rejected);
    }
    let unused = (octets * 8 - sent) as u32;
    let value = reader.take_wide(sent as u32)?;
    reader.take(unused)?;
    if reader.take(form.code)? != 0 {
        return Err(Rejected);
    }
    let value = if sent == 0 { 0 } else { value << (bits - sent) };
    Ok(BitWord { value, bits: bits as u8 })
}

/// Reads bits between their codes.
///
/// # Errors
/// Past the end; other codes; a number of bits outside the bounds.
#[cfg(feature = "alloc")]
pub fn take_bits(reader: &mut Reader<'_>, form: &Form, into: &mut BitString) -> Result<(), Rejected> {
    let head = take_head(reader, form)?;
    let sent = if let Head::Octets(_, sent) = head { sent } else { 0 };
    let bits = size(sent, form)?;
    if form.lower > MOST_ADDED.max(sent as u64) || !into.begin(Shape::Bits) {
        return Err(Rejected);
    }
    let place = into.extend_bits(bits).ok_or(Rejected)?;
    place.fill(0);
    let Head::Octets(octets, _) = head else { return Ok(()) };
    reader.take_bits(place.get_mut(..sent.div_ceil(8)).ok_or(Rejected)?, sent)?;
    reader.take((octets * 8 - sent) as u32)?;
    if reader.take(form.code)? == 0 { Ok(()) } else { Err(Rejected) }
}
