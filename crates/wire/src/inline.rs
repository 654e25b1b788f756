//! Octets in memory, inline up to their bound.

use core::fmt;
use core::ops::{Deref, DerefMut};

use crate::error::Rejected;
use crate::reader::SHORT;
use crate::rt::words;

/// Up to `N` octets.
///
/// All `N` octets are initialised; those beyond the length have any value. So a short string is
/// moved in whole words, whatever its length.
#[derive(Clone)]
pub struct InlineOctets<const N: usize> {
    room: [u8; N],
    length: u32,
}

impl<const N: usize> InlineOctets<N> {
    /// No octets.
    #[must_use]
    pub const fn new() -> Self {
        InlineOctets { room: [0; N], length: 0 }
    }

    /// These octets; at most `N` of them.
    #[must_use]
    pub fn of<const M: usize>(octets: [u8; M]) -> Self {
        const { assert!(M <= N) };
        let mut inline = Self::new();
        inline.room[..M].copy_from_slice(&octets);
        inline.length = M as u32;
        inline
    }

    /// The octets.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        self
    }

    /// How many there are.
    #[inline(always)]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.length as usize
    }

    /// Whether there are none.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// How many more octets there is room for.
    #[must_use]
    pub const fn remaining_capacity(&self) -> usize {
        N - self.length as usize
    }

    /// Takes all octets away.
    #[inline]
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Appends an octet.
    ///
    /// # Errors
    /// There is no room.
    #[inline]
    pub fn try_push(&mut self, octet: u8) -> Result<(), Rejected> {
        *self.room.get_mut(self.length as usize).ok_or(Rejected)? = octet;
        self.length += 1;
        Ok(())
    }

    /// Appends octets.
    ///
    /// # Errors
    /// The room is too small for all of them; then none is appended.
    #[inline]
    pub fn try_extend_from_slice(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        let start = self.length as usize;
        let place = self.room.get_mut(start..).and_then(|rest| rest.get_mut(..octets.len())).ok_or(Rejected)?;
        place.copy_from_slice(octets);
        self.length += octets.len() as u32;
        Ok(())
    }

    /// Makes it hold these octets.
    ///
    /// # Errors
    /// The room is too small for all of them.
    #[inline(always)]
    pub fn set(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        self.length = 0;
        // Checking for an empty slice costs less than a call.
        if octets.is_empty() { Ok(()) } else { self.try_extend_from_slice(octets) }
    }

    /// Writes them from octet `at` of the output on, and returns where they end.
    ///
    /// # Errors
    /// The output is full.
    #[inline(always)]
    pub fn put(&self, output: &mut [u8], at: usize) -> Result<usize, Rejected> {
        let length = self.len();
        let Some(place) = output.get_mut(at..).and_then(|rest| rest.get_mut(..N + 8)).filter(|_| N <= SHORT) else {
            return words::put_octets(output, at, self);
        };
        let mut done = 0;
        while done < length {
            let beyond = (done + 8).saturating_sub(length) as u32 * 8;
            let word = self.word(done) >> beyond << beyond;
            if let Some(place) = place.get_mut(done..).and_then(|rest| rest.first_chunk_mut::<8>()) {
                *place = word.to_be_bytes();
            }
            done += 8;
        }
        Ok(at + length)
    }

    /// The same for strings that are nearly always empty.
    ///
    /// # Errors
    /// The output is full.
    #[inline(always)]
    pub fn put_any(&self, output: &mut [u8], at: usize) -> Result<usize, Rejected> {
        if self.is_empty() { Ok(at) } else { self.put_apart(output, at) }
    }

    #[inline(never)]
    fn put_apart(&self, output: &mut [u8], at: usize) -> Result<usize, Rejected> {
        self.put(output, at)
    }

    /// Eight octets from octet `at` on: any value beyond the length, zero beyond the capacity.
    #[inline(always)]
    pub(crate) fn word(&self, at: usize) -> u64 {
        crate::rt::words::window(&self.room, at)
    }

    /// Sets eight octets from octet `at` on, as far as there is room.
    #[inline(always)]
    pub(crate) fn set_word(&mut self, at: usize, octets: [u8; 8]) {
        match self.room.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<8>()) {
            Some(place) => *place = octets,
            None => self.room.iter_mut().skip(at).zip(octets).for_each(|(place, octet)| *place = octet),
        }
    }

    /// Sets the length. All octets up to it have been set.
    ///
    /// # Errors
    /// It is more than the capacity.
    #[inline(always)]
    pub(crate) fn set_length(&mut self, length: usize) -> Result<(), Rejected> {
        if length > N {
            return Err(Rejected);
        }
        self.length = length as u32;
        Ok(())
    }
}

impl<const N: usize> Deref for InlineOctets<N> {
    type Target = [u8];
    #[inline]
    fn deref(&self) -> &[u8] {
        self.room.get(..self.length as usize).unwrap_or(&self.room)
    }
}

impl<const N: usize> DerefMut for InlineOctets<N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        let length = (self.length as usize).min(N);
        &mut self.room[..length]
    }
}

impl<const N: usize> Default for InlineOctets<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> PartialEq for InlineOctets<N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<const N: usize> Eq for InlineOctets<N> {}

impl<const N: usize> fmt::Debug for InlineOctets<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<const N: usize> TryFrom<&[u8]> for InlineOctets<N> {
    type Error = Rejected;

    fn try_from(octets: &[u8]) -> Result<Self, Rejected> {
        let mut inline = Self::new();
        inline.try_extend_from_slice(octets)?;
        Ok(inline)
    }
}
