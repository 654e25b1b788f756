//! The bit writer.

mod strings;
mod whole;

use crate::error::Rejected;

/// Writes bits into octets, most significant first. The only reason for [`Rejected`] is that the
/// output is full.
///
/// Up to 63 bits wait in a register; whole words go to the output.
#[derive(Debug, Default)]
pub struct Writer<'a> {
    output: &'a mut [u8],
    /// Octets stored.
    stored: usize,
    /// The waiting bits, right-aligned; the bits above them are undefined.
    waiting: u64,
    /// How many wait, 0..=63.
    fill: u32,
}

impl<'a> Writer<'a> {
    /// A writer at the first bit of `output`.
    #[inline]
    #[must_use]
    pub const fn new(output: &'a mut [u8]) -> Self {
        Writer { output, stored: 0, waiting: 0, fill: 0 }
    }

    /// Continues after generated code that wrote at fixed places: `stored` octets are in `output`,
    /// and the low `fill` (0..=63) bits of `waiting` wait.
    #[inline(always)]
    #[must_use]
    pub const fn resume(output: &'a mut [u8], stored: usize, waiting: u64, fill: u32) -> Self {
        Writer { output, stored, waiting, fill }
    }

    /// How many bits have been written.
    #[inline]
    #[must_use]
    pub const fn position(&self) -> usize {
        self.stored * 8 + self.fill as usize
    }

    /// Calls a function that is not inlined with a copy, so that the writer itself stays in
    /// registers.
    #[inline(always)]
    pub(crate) fn apart(&mut self, call: impl FnOnce(&mut Self) -> Result<(), Rejected>) -> Result<(), Rejected> {
        let mut copy = core::mem::take(self);
        let result = call(&mut copy);
        *self = copy;
        result
    }

    /// Writes the low `bits` bits of `value`, 0..=63. Bits above them must be zero, or they corrupt
    /// those written before.
    ///
    /// # Errors
    /// The output is full.
    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    #[cfg_attr(all(target_os = "none", target_pointer_width = "32"), inline(never))]
    pub fn put(&mut self, value: u64, bits: u32) -> Result<(), Rejected> {
        debug_assert!(bits <= 63);
        let room = 64 - self.fill;
        if bits < room {
            self.waiting = self.waiting << bits | value;
            self.fill += bits;
            return Ok(());
        }
        // Here `fill` is at least 1, since `bits` is at most 63: neither shift is by 64.
        let rest = bits - room;
        let word = self.waiting << room | value >> rest;
        match self.output.get_mut(self.stored..).and_then(|o| o.first_chunk_mut::<8>()) {
            Some(place) => *place = word.to_be_bytes(),
            // A whole word is to be stored, but the output is full.
            None => return Err(Rejected),
        }
        self.stored += 8;
        self.waiting = value;
        self.fill = rest;
        Ok(())
    }

    /// Writes the low `bits` bits of `value`, 0..=64.
    ///
    /// # Errors
    /// The output is full.
    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    pub fn put_wide(&mut self, value: u64, bits: u32) -> Result<(), Rejected> {
        if bits <= 63 {
            return self.put(value, bits);
        }
        self.put(value >> 32, 32)?;
        self.put(value & 0xffff_ffff, 32)
    }

    /// Writes one bit.
    ///
    /// # Errors
    /// The output is full.
    #[inline]
    pub fn put_bit(&mut self, bit: bool) -> Result<(), Rejected> {
        self.put(u64::from(bit), 1)
    }

    /// Writes whole octets.
    ///
    /// # Errors
    /// The output is full.
    pub fn put_octets(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        if self.fill % 8 != 0 {
            return self.put_bits(octets, octets.len() * 8);
        }
        self.flush()?;
        match self.output.get_mut(self.stored..).and_then(|rest| rest.get_mut(..octets.len())) {
            Some(place) => place.copy_from_slice(octets),
            None => return Err(Rejected),
        }
        self.stored += octets.len();
        Ok(())
    }

    /// Writes the first `bits` bits of `octets`, first bit most significant; missing octets count
    /// as zero.
    ///
    /// # Errors
    /// The output is full.
    pub fn put_bits(&mut self, octets: &[u8], bits: usize) -> Result<(), Rejected> {
        let whole = octets.len().min(bits / 8);
        let mut chunks = octets.get(..whole).unwrap_or_default().chunks_exact(4);
        for chunk in &mut chunks {
            let word = chunk.iter().fold(0u64, |word, octet| word << 8 | u64::from(*octet));
            self.put(word, 32)?;
        }
        for octet in chunks.remainder() {
            self.put(u64::from(*octet), 8)?;
        }
        let mut rest = bits - whole * 8;
        let mut next = whole;
        while rest > 0 {
            let now = rest.min(8) as u32;
            let octet = octets.get(next).copied().unwrap_or(0);
            self.put(u64::from(octet) >> (8 - now), now)?;
            rest -= now as usize;
            next += 1;
        }
        Ok(())
    }

    /// Stores all waiting bits. A partial last octet is padded with zero bits, and its bits still
    /// wait.
    ///
    /// # Errors
    /// The output is full.
    pub fn flush(&mut self) -> Result<(), Rejected> {
        let octets = self.fill.div_ceil(8) as usize;
        let bits = (octets * 8) as u32;
        let aligned = self.pending() << (bits - self.fill);
        let place = self.output.get_mut(self.stored..self.stored + octets).ok_or(Rejected)?;
        let bytes = aligned.to_be_bytes();
        place.iter_mut().rev().zip(bytes.iter().rev()).for_each(|(place, octet)| *place = *octet);
        self.stored += (self.fill / 8) as usize;
        self.fill %= 8;
        Ok(())
    }

    const fn pending(&self) -> u64 {
        self.waiting & ((1 << self.fill) - 1)
    }

    /// Writes zero bits up to the next octet border, counted from bit `from`.
    ///
    /// # Errors
    /// The output is full.
    pub fn align_from(&mut self, from: usize) -> Result<(), Rejected> {
        let beyond = (self.position() - from) % 8;
        if beyond == 0 { Ok(()) } else { self.put(0, 8 - beyond as u32) }
    }

    /// Writes zero bits up to the next octet border of the output.
    ///
    /// # Errors
    /// The output is full.
    #[inline]
    pub fn align(&mut self) -> Result<(), Rejected> {
        self.put(0, self.fill.wrapping_neg() % 8)
    }

    /// Sets an octet that was written as zero: the one at bit `position`, a multiple of 8. All that
    /// was written is whole octets.
    #[inline]
    pub fn set_octet(&mut self, position: usize, value: u8) {
        let at = position / 8;
        if at < self.stored {
            if let Some(place) = self.output.get_mut(at) {
                *place = value;
            }
        } else if let Some(below @ 0..=55) = self.position().checked_sub(position + 8) {
            self.waiting |= u64::from(value) << below;
        }
    }

    /// Puts the lowest `octets` octets of `value` in place of `written` octets, which may be fewer,
    /// at bit `position`: what follows them moves. Used for a length that is only known after its
    /// content.
    ///
    /// # Errors
    /// The output is full.
    pub fn replace(&mut self, position: usize, written: usize, value: u64, octets: usize) -> Result<(), Rejected> {
        self.flush()?;
        let (first, before) = (position / 8, position % 8);
        if octets > written {
            let count = octets - written;
            let last = self.position().div_ceil(8) + count;
            move_up(self.output.get_mut(first..last).ok_or(Rejected)?, count);
            self.stored += count;
        }
        let mask = 0xff00u16 >> before;
        let mut rest = value;
        for at in (first..first + octets).rev() {
            let octet = u16::from(rest as u8) << (8 - before);
            rest >>= 8;
            let mut merge = |at: usize, mask: u16, half: u16| {
                if let Some(place) = self.output.get_mut(at) {
                    *place = *place & !(mask as u8) | half as u8;
                }
            };
            merge(at, mask >> 8, octet >> 8);
            merge(at + 1, mask, octet);
        }
        self.reload();
        Ok(())
    }

    /// Sets eight bits that were written as zeros at `position`, the start of a whole octet or not.
    ///
    /// # Errors
    /// The output is full (bits were still waiting).
    #[inline]
    pub fn set_zeros(&mut self, position: usize, value: u8) -> Result<(), Rejected> {
        let after = self.position() - (position + 8);
        if after + 8 <= self.fill as usize {
            self.waiting |= u64::from(value) << after;
            return Ok(());
        }
        self.replace(position, 1, value.into(), 1)
    }

    /// Reloads the partial last octet from the output, where it may have changed.
    fn reload(&mut self) {
        if self.fill > 0 {
            let octet = self.output.get(self.stored).copied().unwrap_or(0);
            self.waiting = u64::from(octet >> (8 - self.fill));
        }
    }

    /// All of the output, and how many whole octets of it have been written. After further writes
    /// there, continue with [`Writer::resume`].
    ///
    /// # Errors
    /// The output is full, or ends within an octet.
    pub fn into_octets(mut self) -> Result<(&'a mut [u8], usize), Rejected> {
        self.flush()?;
        if self.fill == 0 { Ok((self.output, self.stored)) } else { Err(Rejected) }
    }

    /// How many octets the output holds.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.output.len()
    }

    /// The octets stored so far, without waiting bits; see [`Writer::flush`].
    #[must_use]
    pub fn written(&self) -> &[u8] {
        &self.output[..self.stored]
    }

    /// All of the output. What has been written since the last [`Writer::flush`] may be missing.
    #[inline]
    #[must_use]
    pub const fn output(&self) -> &[u8] {
        self.output
    }

    /// Ends a complete message (X.691 §11.1): zero bits up to the octet border, and one zero octet
    /// if nothing was written. Returns the number of octets. Up to seven octets of the output after
    /// them may be set to zero.
    ///
    /// # Errors
    /// The output is full.
    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    pub fn finish(self) -> Result<usize, Rejected> {
        let octets = self.stored + if self.stored == 0 && self.fill == 0 { 1 } else { self.fill.div_ceil(8) as usize };
        self.store(octets)
    }

    /// Ends a message of whole octets, possibly none; otherwise like [`Writer::finish`].
    ///
    /// # Errors
    /// The output is full.
    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    pub fn finish_octets(self) -> Result<usize, Rejected> {
        let octets = self.stored + self.fill.div_ceil(8) as usize;
        self.store(octets)
    }

    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    fn store(self, octets: usize) -> Result<usize, Rejected> {
        // Two shifts, so that 0 bits are not a shift by 64.
        let word = self.waiting << 1 << (63 - self.fill);
        match self.output.get_mut(self.stored..).and_then(|o| o.first_chunk_mut::<8>()) {
            Some(place) => *place = word.to_be_bytes(),
            None => finish_near_end(self.output, self.stored, octets, word)?,
        }
        Ok(octets)
    }
}

/// Moves octets by `count` places towards the end; the last ones are lost.
fn move_up(octets: &mut [u8], count: usize) {
    // Code that moves octets in either direction takes 1.5 kB, which is much for a microcontroller.
    if cfg!(all(target_os = "none", target_pointer_width = "32")) {
        for at in (count..octets.len()).rev() {
            let moved = octets.get(at.wrapping_sub(count)).copied().unwrap_or(0);
            if let Some(place) = octets.get_mut(at) {
                *place = moved;
            }
        }
    } else {
        octets.copy_within(..octets.len().saturating_sub(count), count);
    }
}

impl crate::rt::order::Written for Writer<'_> {
    fn written(&mut self) -> Result<&mut [u8], Rejected> {
        self.flush()?;
        self.output.get_mut(..self.stored).ok_or(Rejected)
    }
}

/// The end of a message, with fewer than eight octets of room left.
#[inline(never)]
fn finish_near_end(output: &mut [u8], stored: usize, octets: usize, word: u64) -> Result<(), Rejected> {
    let place = output.get_mut(stored..octets).ok_or(Rejected)?;
    place.iter_mut().zip(word.to_be_bytes()).for_each(|(octet, value)| *octet = value);
    Ok(())
}

/// The octets that `write` writes, and how many.
#[cfg(test)]
pub(crate) fn written(write: impl FnOnce(&mut Writer<'_>) -> Result<(), Rejected>) -> ([u8; 24], usize) {
    let mut octets = [0; 24];
    let mut writer = Writer::new(&mut octets);
    write(&mut writer).unwrap();
    let length = writer.finish().unwrap();
    (octets, length)
}
