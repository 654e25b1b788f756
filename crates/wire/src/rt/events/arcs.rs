//! Object identifiers: their numbers, each an unsigned integer, after how many there are (EXI
//! §7.1.11, §7.1.6). In memory they are contents octets (X.690 §8.19, §8.20).

use alloc::vec::Vec;

use crate::error::{ErrorKind, Rejected};
use crate::faults;
use crate::list::Oid;
use crate::reader::Reader;
use crate::rt::events::take_wide;
use crate::rt::{push_subidentifier, varint};
use crate::writer::Writer;

/// More octets than a number of an object identifier has in contents octets; a wider one is not
/// written.
const MOST_OCTETS: usize = 17;

/// Writes contents octets.
///
/// # Errors
/// The output is full; not an object identifier; a number of more than 119 bits.
pub fn put_arcs(writer: &mut Writer<'_>, contents: &[u8], relative: bool) -> Result<(), Rejected> {
    if contents.last().is_none_or(|last| last & 0x80 != 0) {
        return Err(Rejected);
    }
    let identifiers = || contents.split_inclusive(|octet| octet & 0x80 == 0);
    varint::put(writer, identifiers().count() as u64 + u64::from(!relative))?;
    for (at, identifier) in identifiers().enumerate() {
        if identifier.len() > MOST_OCTETS {
            return Err(Rejected);
        }
        let mut number = identifier.iter().fold(0u128, |number, octet| number << 7 | u128::from(octet & 0x7f));
        if at == 0 && !relative {
            // X.690 §8.19.4: the first two are one number.
            let first = (number / 40).min(2);
            varint::put_wide(writer, first)?;
            number -= first * 40;
        }
        varint::put_wide(writer, number)?;
    }
    Ok(())
}

/// Whether an identifier is too long to be written.
#[must_use]
pub fn has_wide_arc(contents: &[u8]) -> bool {
    contents.split_inclusive(|octet| octet & 0x80 == 0).any(|identifier| identifier.len() > MOST_OCTETS)
}

/// Reads contents octets.
///
/// # Errors
/// Past the end; not an object identifier; a number of more than 119 bits.
pub fn take_arcs(reader: &mut Reader<'_>, relative: bool, oid: &mut Oid) -> Result<(), Rejected> {
    let count = varint::take(reader)?;
    let mut arcs = Arcs { contents: core::mem::take(&mut oid.0), first: None, relative };
    arcs.contents.clear();
    for _ in 0..count {
        arcs.push(take_wide(reader)?).map_err(|_| Rejected)?;
    }
    oid.0 = arcs.contents;
    if oid.0.is_empty() { Err(Rejected) } else { Ok(()) }
}

/// Contents octets from numbers, one after the other.
#[derive(Debug, Default)]
pub struct Arcs {
    /// The contents octets so far.
    pub contents: Vec<u8>,
    /// The first number, until the second one comes.
    pub first: Option<u128>,
    /// Whether it is RELATIVE-OID.
    pub relative: bool,
}

impl Arcs {
    /// Appends a number.
    ///
    /// # Errors
    /// Not an object identifier; a number of more than 119 bits.
    pub fn push(&mut self, number: u128) -> Result<(), ErrorKind> {
        let number = match self.first {
            _ if self.relative || !self.contents.is_empty() => number,
            None => {
                self.first = Some(number);
                return Ok(());
            }
            // X.690 §8.19.4
            Some(first) if first < 2 && number < 40 || first == 2 => number + first * 40,
            Some(_) => return Err(ErrorKind::Malformed(faults::events::OID)),
        };
        if number >> (7 * MOST_OCTETS) != 0 {
            return Err(ErrorKind::IntegerWidth);
        }
        push_subidentifier(&mut self.contents, number);
        Ok(())
    }
}
