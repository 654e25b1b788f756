//! Identifier and length octets (X.690 §8.1.2, §8.1.3): the parts of encodings by tag, length and
//! contents.

use crate::error::Rejected;
use crate::faults;

mod bits;
mod field;
mod order;
mod times;
mod unknown;

pub use bits::{put_named_bits, take_named_bits};
pub use field::{
    all_in, expect, one_octet, open, put_any_bits, put_bits, put_characters, put_element, put_long_bits,
    put_long_number, put_machine, put_number, put_octets, put_real, put_string, put_unsigned, put_word, take_bits,
    take_characters, take_long_bits, take_long_number, take_machine, take_number, take_real, take_unsigned, whole,
};
pub use order::{sort, sort_by};
pub use times::{put_digits, put_duration, take_digits, take_duration};
pub use unknown::{put_other, put_unknown, take_other, take_unknown};

/// An identifier in one word: class and "constructed" in the three highest bits, as in its first
/// octet, and the tag number below.
pub type Identifier = u32;

/// The bit of an identifier that says "constructed".
pub const CONSTRUCTED: Identifier = 1 << 29;

/// Stands for a tag number that does not fit; no type has it.
pub const NUMBER: Identifier = CONSTRUCTED - 1;

/// Lowest tag number that is encoded in subsequent octets (X.690 §8.1.2.4).
const HIGH: Identifier = 31;

/// Longest encoding of an identifier.
const MOST_OCTETS: usize = 6;

/// Contents of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// The number of octets.
    Definite(usize),
    /// Up to end-of-contents octets (X.690 §8.1.3.6).
    Indefinite,
}

/// Why octets are not the start of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// They end too soon.
    Truncated,
    /// X.690 does not have them.
    Malformed(faults::Fault),
}

/// Reads an identifier, and returns it with its length in octets.
///
/// # Errors
/// No octets, or a number in a form that X.690 §8.1.2 does not have.
#[inline]
pub fn identifier(octets: &[u8]) -> Result<(Identifier, usize), Fault> {
    match octets.first() {
        None => Err(Fault::Truncated),
        Some(first) if first & 0x1f != 0x1f => Ok((u32::from(first >> 5) << 29 | u32::from(first & 0x1f), 1)),
        Some(_) => high_identifier(octets),
    }
}

/// X.690 §8.1.2.4
#[cold]
fn high_identifier(octets: &[u8]) -> Result<(Identifier, usize), Fault> {
    let (first, rest) = octets.split_first().ok_or(Fault::Truncated)?;
    let mut number = 0u32;
    for (at, octet) in rest.iter().enumerate() {
        if at == 0 && *octet == 0x80 {
            return Err(Fault::Malformed(faults::tlv::TAG_ZEROS));
        }
        number = if number > NUMBER >> 7 { NUMBER } else { number << 7 | u32::from(octet & 0x7f) };
        if octet & 0x80 == 0 {
            if number < HIGH {
                return Err(Fault::Malformed(faults::tlv::TAG_LOW));
            }
            return Ok((u32::from(first >> 5) << 29 | number, at + 2));
        }
    }
    Err(Fault::Truncated)
}

/// Reads a length, and returns it with the number of its octets. Does not check that as many octets
/// follow.
///
/// # Errors
/// Too few octets, or the reserved first octet 255.
#[inline]
pub fn length(octets: &[u8]) -> Result<(Length, usize), Fault> {
    match octets.first() {
        None => Err(Fault::Truncated),
        Some(first) if first & 0x80 == 0 => Ok((Length::Definite(usize::from(*first)), 1)),
        Some(_) => long_length(octets),
    }
}

/// X.690 §8.1.3.5, §8.1.3.6
fn long_length(octets: &[u8]) -> Result<(Length, usize), Fault> {
    let (first, rest) = octets.split_first().ok_or(Fault::Truncated)?;
    match first {
        0x80 => return Ok((Length::Indefinite, 1)),
        0xff => return Err(Fault::Malformed(faults::tlv::LENGTH)),
        _ => {}
    }
    let count = usize::from(first & 0x7f);
    let digits = rest.get(..count).ok_or(Fault::Truncated)?;
    let add = |length: usize, octet: &u8| length.checked_mul(256)?.checked_add(usize::from(*octet));
    // A length that does not fit exceeds any input.
    let length = digits.iter().try_fold(0, add).unwrap_or(usize::MAX);
    Ok((Length::Definite(length), count + 1))
}

/// The length in octets of the value at the start of `octets`, identifier included.
///
/// # Errors
/// The value is not complete or not valid.
pub fn element(octets: &[u8]) -> Result<usize, Fault> {
    let mut at = 0usize;
    // How many values of indefinite length are open.
    let mut open = 0usize;
    loop {
        let rest = octets.get(at..).ok_or(Fault::Truncated)?;
        let (identifier, first) = identifier(rest)?;
        let (length, second) = length(rest.get(first..).ok_or(Fault::Truncated)?)?;
        at = at.saturating_add(first + second);
        match length {
            Length::Indefinite if identifier & CONSTRUCTED == 0 => {
                return Err(Fault::Malformed(faults::tlv::LENGTH_INDEFINITE));
            }
            Length::Indefinite => open += 1,
            Length::Definite(0) if identifier == 0 && open > 0 => open -= 1,
            Length::Definite(_) if identifier == 0 => return Err(Fault::Malformed(faults::tlv::END_OF_CONTENTS)),
            Length::Definite(count) => at = at.saturating_add(count),
        }
        if at > octets.len() {
            return Err(Fault::Truncated);
        }
        if open == 0 {
            return Ok(at);
        }
    }
}

/// An identifier's or a length's octets.
#[derive(Clone, Copy, Debug)]
pub struct Octets {
    octets: [u8; 9],
    count: u8,
}

impl Octets {
    fn push(&mut self, octet: u8) {
        if let Some(place) = self.octets.get_mut(usize::from(self.count)) {
            *place = octet;
            self.count += 1;
        }
    }

    /// The octets.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        self.octets.get(..usize::from(self.count)).unwrap_or(&[])
    }
}

/// The octets of an identifier.
#[must_use]
pub fn identifier_octets(identifier: Identifier) -> Octets {
    let mut octets = Octets { octets: [0; 9], count: 0 };
    let (top, number) = ((identifier >> 29 << 5) as u8, identifier & NUMBER);
    if number < HIGH {
        octets.push(top | number as u8);
        return octets;
    }
    octets.push(top | 0x1f);
    let mut digits = (MOST_OCTETS - 1) as u32;
    while digits > 1 && number >> (7 * (digits - 1)) == 0 {
        digits -= 1;
    }
    for digit in (0..digits).rev() {
        octets.push((number >> (7 * digit) & 0x7f) as u8 | if digit > 0 { 0x80 } else { 0 });
    }
    octets
}

/// The fewest octets that encode a length (X.690 §10.1).
#[must_use]
pub fn length_octets(length: usize) -> Octets {
    let mut octets = Octets { octets: [0; 9], count: 0 };
    if length < 128 {
        octets.push(length as u8);
        return octets;
    }
    let digits = (length as u64).to_be_bytes();
    let zeros = digits.iter().take_while(|digit| **digit == 0).count();
    octets.push(0x80 | (digits.len() - zeros) as u8);
    digits.iter().skip(zeros).for_each(|digit| octets.push(*digit));
    octets
}

/// Writes the length of the contents from `start` to `end` before them, and returns their new end.
/// One octet has been left for the length, at `start - 1`; the contents are moved if it takes
/// more.
///
/// # Errors
/// The output is full.
#[inline]
pub fn close(output: &mut [u8], start: usize, end: usize) -> Result<usize, Rejected> {
    let length = end.wrapping_sub(start);
    if length < 128 {
        *output.get_mut(start.wrapping_sub(1)).ok_or(Rejected)? = length as u8;
        return Ok(end);
    }
    close_long(output, start, end)
}

#[inline(never)]
fn close_long(output: &mut [u8], start: usize, end: usize) -> Result<usize, Rejected> {
    let octets = length_octets(end.wrapping_sub(start));
    let octets = octets.as_slice();
    let more = octets.len() - 1;
    let whole = output.get_mut(start.wrapping_sub(1)..end + more).ok_or(Rejected)?;
    whole.copy_within(1..whole.len() - more, octets.len());
    whole.get_mut(..octets.len()).ok_or(Rejected)?.copy_from_slice(octets);
    Ok(end + more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_come_back() {
        for (number, octets) in [
            (0, &[0xa0][..]),
            (30, &[0xbe]),
            (31, &[0xbf, 31]),
            (127, &[0xbf, 0x7f]),
            (128, &[0xbf, 0x81, 0]),
            (NUMBER - 1, &[0xbf, 0x81, 0xff, 0xff, 0xff, 0x7e]),
        ] {
            let one = 0xa0 << 24 | number;
            assert_eq!(identifier_octets(one).as_slice(), octets);
            assert_eq!(identifier(octets), Ok((one, octets.len())));
            assert_eq!(identifier(&octets[..octets.len() - 1]), Err(Fault::Truncated));
        }
        assert_eq!(identifier(&[0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]), Ok((NUMBER, 7)));
        assert_eq!(identifier(&[0x1f, 0x80, 0x01]), Err(Fault::Malformed(faults::tlv::TAG_ZEROS)));
        assert_eq!(identifier(&[0x1f, 0x1e]), Err(Fault::Malformed(faults::tlv::TAG_LOW)));
    }

    #[test]
    fn lengths_come_back() {
        for (value, octets) in [(0, &[0][..]), (127, &[127]), (128, &[0x81, 128]), (65536, &[0x83, 1, 0, 0])] {
            assert_eq!(length_octets(value).as_slice(), octets);
            assert_eq!(length(octets), Ok((Length::Definite(value), octets.len())));
        }
        assert_eq!(length(&[0x84, 0, 0, 0, 5]), Ok((Length::Definite(5), 5)));
        assert_eq!(length(&[0x80]), Ok((Length::Indefinite, 1)));
        assert_eq!(length(&[0x89, 1, 0, 0, 0, 0, 0, 0, 0, 0]), Ok((Length::Definite(usize::MAX), 10)));
        assert_eq!(length(&[0x82, 1]), Err(Fault::Truncated));
    }

    #[test]
    fn elements_end() {
        assert_eq!(element(&[2, 1, 5, 9]), Ok(3));
        assert_eq!(element(&[0x30, 0x80, 2, 1, 5, 0x31, 0x80, 0, 0, 0, 0, 7]), Ok(11));
        assert_eq!(element(&[0x30, 0x80, 2, 1, 5, 0]), Err(Fault::Truncated));
        assert_eq!(element(&[2, 2, 5]), Err(Fault::Truncated));
        assert_eq!(element(&[2, 0x88, 255, 255, 255, 255, 255, 255, 255, 255]), Err(Fault::Truncated));
        assert!(element(&[0, 0]).is_err() && element(&[2, 0x80, 0, 0]).is_err());
    }

    #[test]
    fn long_contents_move() {
        let mut output = [7u8; 300];
        assert_eq!(close(&mut output, 2, 202), Ok(203));
        assert_eq!(&output[..4], [7, 0x81, 200, 7]);
        assert_eq!(close(&mut output, 2, 300), Err(Rejected));
    }
}
