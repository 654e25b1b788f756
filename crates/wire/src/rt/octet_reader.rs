//! The reader of encodings that are whole octets.

use crate::error::Rejected;
use crate::inline::InlineOctets;
use crate::reader::{Reader, SHORT};
use crate::rt::octet;

/// Reads octets from the rest of the input. It is two words, which functions pass in registers.
#[derive(Clone, Copy, Debug, Default)]
pub struct OctetReader<'a> {
    rest: &'a [u8],
}

impl<'a> OctetReader<'a> {
    /// A reader at the first of `octets`.
    #[inline(always)]
    #[must_use]
    pub const fn new(octets: &'a [u8]) -> Self {
        OctetReader { rest: octets }
    }

    /// A reader at octet `at` of `octets`, or at their end if there are fewer.
    #[inline(always)]
    #[must_use]
    pub fn at(octets: &'a [u8], at: usize) -> Self {
        OctetReader { rest: octets.get(at..).unwrap_or_default() }
    }

    /// How many octets are left.
    #[inline(always)]
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// How many bits of `input`, which the reader began with, have been read.
    #[inline(always)]
    #[must_use]
    pub const fn position_in(&self, input: &[u8]) -> usize {
        (input.len() - self.rest.len()) * 8
    }

    /// Reads `N` octets.
    ///
    /// # Errors
    /// Past the end.
    #[inline(always)]
    pub fn take_head<const N: usize>(&mut self) -> Result<&'a [u8; N], Rejected> {
        let (head, rest) = self.rest.split_first_chunk::<N>().ok_or(Rejected)?;
        self.rest = rest;
        Ok(head)
    }

    /// Borrows the next `count` octets.
    ///
    /// # Errors
    /// Past the end.
    #[inline(always)]
    pub fn take_slice(&mut self, count: usize) -> Result<&'a [u8], Rejected> {
        let (head, rest) = self.rest.split_at_checked(count).ok_or(Rejected)?;
        self.rest = rest;
        Ok(head)
    }

    /// Reads `count` octets.
    ///
    /// # Errors
    /// Past the end; more than there is room for.
    #[inline(always)]
    pub fn take_inline<const N: usize>(&mut self, count: usize, into: &mut InlineOctets<N>) -> Result<(), Rejected> {
        into.set_length(count)?;
        let from = self.rest;
        let head = self.take_slice(count)?;
        // Words beyond the length do not matter, if they exist.
        let Some(from) = from.get(..N + 8).filter(|_| N <= SHORT) else {
            into.copy_from_slice(head);
            return Ok(());
        };
        let mut at = 0;
        while at < count {
            let Some(eight) = from.get(at..).and_then(|rest| rest.first_chunk::<8>()) else {
                return Err(Rejected);
            };
            into.set_word(at, *eight);
            at += 8;
        }
        Ok(())
    }

    /// Reads a length determinant (X.696 §8.6), in as many octets as it may have.
    ///
    /// # Errors
    /// Past the end; more octets than the address space has.
    #[inline(always)]
    pub fn take_length(&mut self) -> Result<usize, Rejected> {
        match *self.rest {
            [length @ 0..=127, ref rest @ ..] => {
                self.rest = rest;
                Ok(usize::from(length))
            }
            [0x81, length, ref rest @ ..] => {
                self.rest = rest;
                Ok(usize::from(length))
            }
            _ => self.apart(octet::take_length),
        }
    }

    /// Reads a length determinant, and borrows as many octets.
    ///
    /// # Errors
    /// Past the end.
    #[inline(always)]
    pub fn take_counted(&mut self) -> Result<&'a [u8], Rejected> {
        let length = self.take_length()?;
        self.take_slice(length)
    }

    /// Reads a number of elements (X.696 §17): an unsigned number after the length determinant of
    /// its octets.
    ///
    /// # Errors
    /// Past the end; no octets; wider than 64 bits.
    #[inline(always)]
    pub fn take_quantity(&mut self) -> Result<u64, Rejected> {
        match self.rest.split_first_chunk() {
            Some(([1, quantity], rest)) => {
                self.rest = rest;
                Ok(u64::from(*quantity))
            }
            _ => self.apart(octet::take_counted_unsigned),
        }
    }

    /// Reads an unsigned number after the length determinant of its octets (X.696 §10.3).
    ///
    /// # Errors
    /// Past the end; no octets; wider than 64 bits.
    #[inline(always)]
    pub fn take_counted_unsigned(&mut self) -> Result<u64, Rejected> {
        match self.take_few() {
            Some((octets, word)) => Ok(word >> (64 - octets * 8)),
            None => self.apart(octet::take_counted_unsigned),
        }
    }

    /// Reads a number in two's complement after the length determinant of its octets (X.696 §10.4).
    ///
    /// # Errors
    /// Past the end; no octets; more than eight.
    #[inline(always)]
    pub fn take_counted_signed(&mut self) -> Result<i64, Rejected> {
        match self.take_few() {
            Some((octets, word)) => Ok(word as i64 >> (64 - octets * 8)),
            None => self.apart(octet::take_counted_signed),
        }
    }

    /// Reads a length octet and the octets that follow it: how many, and the octets as the high end
    /// of a word. `None`, with nothing read, unless they are one to seven and eight octets are
    /// left.
    #[inline(always)]
    fn take_few(&mut self) -> Option<(u32, u64)> {
        let word = u64::from_be_bytes(*self.rest.first_chunk()?);
        let octets = (word >> 56) as u32;
        if !(1..=7).contains(&octets) {
            return None;
        }
        self.rest = self.rest.get(octets as usize + 1..)?;
        Some((octets, word << 8))
    }

    /// Reads the presence bits of additions (X.696 §16.4): the first one becomes the highest bit.
    ///
    /// # Errors
    /// Past the end; no bits; more than `known`, which is at most 64; eight unused bits or more.
    #[inline(always)]
    pub fn take_additions(&mut self, known: u64) -> Result<u64, Rejected> {
        self.apart(|reader| octet::take_additions(reader, known))
    }

    /// Reads rare forms, with the bit reader.
    #[inline(always)]
    fn apart<T>(&mut self, call: impl FnOnce(&mut Reader<'a>) -> Result<T, Rejected>) -> Result<T, Rejected> {
        let (value, rest) = with_bits(self.rest, call)?;
        self.rest = rest;
        Ok(value)
    }
}

/// By value, so that the reader's address does not escape.
#[inline(never)]
fn with_bits<'a, T>(
    octets: &'a [u8],
    call: impl FnOnce(&mut Reader<'a>) -> Result<T, Rejected>,
) -> Result<(T, &'a [u8]), Rejected> {
    let mut reader = Reader::new(octets);
    let value = call(&mut reader)?;
    Ok((value, octets.get(reader.position() / 8..).unwrap_or_default()))
}

/// The unsigned number in `octets` octets (up to 8) of `head` from `at` on.
#[inline(always)]
#[must_use]
pub fn number_at<const N: usize>(head: &[u8; N], at: usize, octets: usize) -> u64 {
    match octets {
        1 => array_at::<1, N>(head, at)[0].into(),
        2 => u16::from_be_bytes(array_at(head, at)).into(),
        4 => u32::from_be_bytes(array_at(head, at)).into(),
        8 => u64::from_be_bytes(array_at(head, at)),
        _ => (at..at + octets).fold(0, |number, at| number << 8 | number_at(head, at, 1)),
    }
}

/// The `M` octets of `head` from `at` on; zeros if there are fewer.
#[inline(always)]
#[must_use]
pub fn array_at<const M: usize, const N: usize>(head: &[u8; N], at: usize) -> [u8; M] {
    head.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; M])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octets_are_read_up_to_the_last() {
        let octets: [u8; 40] = core::array::from_fn(|at| (at * 37 + 201) as u8);
        for length in 0..=40 {
            for at in 0..=length {
                let left = length - at;
                let reader = OctetReader::at(&octets[..length], at);
                assert_eq!(reader.remaining(), left);
                let head = { reader }.take_head::<11>();
                assert_eq!(head.ok().map(|head| &head[..]), octets[..length].get(at..at + 11));
                for count in 0..=21 {
                    let mut reader = reader;
                    let slice = { reader }.take_slice(count);
                    assert_eq!(slice.ok(), octets[..length].get(at..at + count));
                    let mut into = InlineOctets::<21>::of([9; 21]);
                    let read = reader.take_inline(count, &mut into);
                    assert_eq!(read.is_ok(), count <= left);
                    if read.is_ok() {
                        assert_eq!(*into, octets[at..at + count]);
                        assert_eq!(reader.position_in(&octets[..length]), (at + count) * 8);
                    }
                }
                let mut into = InlineOctets::<2>::new();
                assert!({ reader }.take_inline(3, &mut into).is_err());
            }
        }
        for octets_of in 1..=8 {
            for at in 0..=40 - octets_of {
                let expected = octets[at..at + octets_of].iter().fold(0, |all, octet| all << 8 | u64::from(*octet));
                assert_eq!(number_at(&octets, at, octets_of), expected);
            }
        }
    }

    /// Whatever precedes and wherever the end is, it reads the same as the bit reader.
    #[test]
    fn lengths_and_numbers_are_those_of_the_reader_of_bits() {
        let texts: [&[u8]; 14] = [
            &[],
            &[0],
            &[5],
            &[0x7f],
            &[0x80],
            &[0x81, 3],
            &[0x81, 0xc9],
            &[0x82, 1, 0],
            &[0x83, 0, 0, 5],
            &[1, 200],
            &[3, 0xff, 1, 2],
            &[8, 1, 2, 3, 4, 5, 6, 7, 8],
            &[9, 0, 1, 2, 3, 4, 5, 6, 7, 8],
            &[0x88, 0xff, 0, 0, 0, 0, 0, 0, 0],
        ];
        for text in texts {
            for more in [0, 1, 4, 8, 300] {
                let mut octets = text.to_vec();
                octets.resize(text.len() + more, 0x2a);
                for cut in 0..=octets.len().min(16) {
                    let octets = if cut == 16 { &octets[..] } else { &octets[..cut] };
                    let (reader, bits) = (OctetReader::new(octets), Reader::new(octets));
                    macro_rules! same {
                        ($read:ident, $wanted:ident) => {
                            let (mut reader, mut bits) = (reader, bits);
                            let wanted = octet::$wanted(&mut bits);
                            assert_eq!(reader.$read(), wanted, "{octets:02x?}");
                            if wanted.is_ok() {
                                assert_eq!(reader.position_in(octets), bits.position());
                            }
                        };
                    }
                    same!(take_length, take_length);
                    same!(take_counted, take_counted);
                    same!(take_quantity, take_counted_unsigned);
                    same!(take_counted_unsigned, take_counted_unsigned);
                    same!(take_counted_signed, take_counted_signed);
                }
            }
        }
    }
}
