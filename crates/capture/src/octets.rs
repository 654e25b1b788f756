//! Octets in order, from which headers are read and to which they are written.

use crate::fault::{Error, faults};

/// Octets to read, and how many of them have been.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    octets: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    pub(crate) const fn new(octets: &'a [u8]) -> Input<'a> {
        Input { octets, at: 0 }
    }

    /// How many octets have been read.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// The octets that were not read yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.octets.get(self.at..).unwrap_or(&[])
    }

    /// The octets that were read.
    pub(crate) fn done(&self) -> &'a [u8] {
        self.octets.get(..self.at).unwrap_or(&[])
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let taken = self.rest().get(..count).ok_or(Error::new(faults::TRUNCATED, self.at))?;
        self.at += count;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let taken = self.rest().first_chunk::<N>().ok_or(Error::new(faults::TRUNCATED, self.at))?;
        self.at += N;
        Ok(*taken)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Error> {
        self.array().map(u8::from_be_bytes)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Error> {
        self.array().map(u16::from_be_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_be_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Error> {
        self.array().map(u64::from_be_bytes)
    }

    pub(crate) fn i32(&mut self) -> Result<i32, Error> {
        self.array().map(i32::from_be_bytes)
    }

    /// Least significant octet first, as IEEE 802.11 and radiotap have it.
    pub(crate) fn u16_le(&mut self) -> Result<u16, Error> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32_le(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_le_bytes)
    }
}

/// A buffer that headers are written into, one after the other.
///
/// ```
/// use roadwire_capture::{Output, btp::Btp};
///
/// let mut buffer = [0; 64];
/// let mut out = Output::new(&mut buffer);
/// Btp::B { destination: 2001, info: 0 }.encode(&mut out)?;
/// assert_eq!(out.written(), [0x07, 0xd1, 0, 0]);
/// # Ok::<(), roadwire_capture::Error>(())
/// ```
#[derive(Debug)]
pub struct Output<'o> {
    buffer: &'o mut [u8],
    at: usize,
}

impl<'o> Output<'o> {
    /// Writes from the start of this buffer.
    pub const fn new(buffer: &'o mut [u8]) -> Output<'o> {
        Output { buffer, at: 0 }
    }

    /// The octets that were written.
    #[must_use]
    pub fn written(&self) -> &[u8] {
        self.buffer.get(..self.at).unwrap_or(&[])
    }

    /// Writes octets as they are.
    ///
    /// # Errors
    /// `output.full`.
    pub fn octets(&mut self, octets: &[u8]) -> Result<(), Error> {
        let full = Error::new(faults::OUTPUT_FULL, self.at);
        let to = self.buffer.get_mut(self.at..).and_then(|rest| rest.get_mut(..octets.len())).ok_or(full)?;
        to.copy_from_slice(octets);
        self.at += octets.len();
        Ok(())
    }

    pub(crate) fn u8(&mut self, value: u8) -> Result<(), Error> {
        self.octets(&[value])
    }

    pub(crate) fn u16(&mut self, value: u16) -> Result<(), Error> {
        self.octets(&value.to_be_bytes())
    }

    pub(crate) fn u32(&mut self, value: u32) -> Result<(), Error> {
        self.octets(&value.to_be_bytes())
    }

    pub(crate) fn i32(&mut self, value: i32) -> Result<(), Error> {
        self.octets(&value.to_be_bytes())
    }

    pub(crate) fn u16_le(&mut self, value: u16) -> Result<(), Error> {
        self.octets(&value.to_le_bytes())
    }

    pub(crate) fn u32_le(&mut self, value: u32) -> Result<(), Error> {
        self.octets(&value.to_le_bytes())
    }

    /// The value, if it fits in a field of so many bits.
    pub(crate) fn field(&self, value: impl Into<u32>, bits: u32) -> Result<u32, Error> {
        let value = value.into();
        if value >> bits == 0 { Ok(value) } else { Err(Error::new(faults::FIELD_RANGE, self.at)) }
    }
}
