//! Octets one after another, in messages whose lengths are those of their parts; and octets in JER.

use serde_json::Value;

use super::Refused;
use crate::hex;

/// Reads octets.
pub(super) struct Input<'a> {
    pub(super) rest: &'a [u8],
}

impl<'a> Input<'a> {
    #[inline(always)]
    pub(super) fn take<const N: usize>(&mut self) -> Result<[u8; N], Refused> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Refused::Length)?;
        self.rest = rest;
        Ok(*taken)
    }

    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// Content of up to 16383 octets after its length.
    #[inline(always)]
    pub(super) fn vector(&mut self) -> Result<Input<'a>, Refused> {
        let [first] = self.take()?;
        let length = match first {
            0..0x80 => usize::from(first),
            0x80..0xC0 => usize::from(first & 0x3F) << 8 | usize::from(self.take::<1>()?[0]),
            _ => return Err(Refused::Range),
        };
        let (inside, rest) = self.rest.split_at_checked(length).ok_or(Refused::Length)?;
        self.rest = rest;
        Ok(Input { rest: inside })
    }
}

/// Writes octets.
pub(super) struct Output<'a> {
    pub(super) rest: &'a mut [u8],
}

impl Output<'_> {
    #[inline(always)]
    pub(super) fn put<const N: usize>(&mut self, octets: [u8; N]) -> Result<(), Refused> {
        let (place, rest) = std::mem::take(&mut self.rest).split_first_chunk_mut().ok_or(Refused::Length)?;
        *place = octets;
        self.rest = rest;
        Ok(())
    }

    #[inline(always)]
    pub(super) fn octets(&mut self, octets: &[u8]) -> Result<(), Refused> {
        // Checking for an empty slice costs less than a call.
        if octets.is_empty() {
            return Ok(());
        }
        let (place, rest) = std::mem::take(&mut self.rest).split_at_mut_checked(octets.len()).ok_or(Refused::Length)?;
        place.copy_from_slice(octets);
        self.rest = rest;
        Ok(())
    }

    /// A length of up to 16383.
    #[inline(always)]
    pub(super) fn length(&mut self, octets: usize) -> Result<(), Refused> {
        match octets {
            0..0x80 => self.put([octets as u8]),
            0x80..0x4000 => self.put((0x8000 | octets as u16).to_be_bytes()),
            _ => Err(Refused::Range),
        }
    }
}

/// How many octets a length of up to 16383 takes.
pub(super) fn length_octets(length: usize) -> usize {
    1 + usize::from(length > 127)
}

pub(super) fn number<T: TryFrom<i64>>(value: &Value) -> Result<T, String> {
    value.as_i64().and_then(|number| number.try_into().ok()).ok_or_else(|| format!("{value} is not the number"))
}

pub(super) fn string(value: &Value) -> Result<Vec<u8>, String> {
    value.as_str().and_then(hex::decode).ok_or_else(|| format!("{value} is not octets"))
}

pub(super) fn octets<const N: usize>(value: &Value) -> Result<[u8; N], String> {
    string(value)?.try_into().map_err(|_| format!("{value} is not {N} octets"))
}
