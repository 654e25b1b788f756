//! Writes whole octets, in encodings that have nothing else: no bits wait, and each number goes
//! straight to the output.

use super::{Writer, finish_near_end};
use crate::error::Rejected;
use crate::inline::InlineOctets;
use crate::rt::text::TextWriter;

impl Writer<'_> {
    /// Writes the low `bits` bits of `value`, a multiple of 8 from 0 to 64. Bits above them are
    /// ignored. No bits may wait.
    ///
    /// # Errors
    /// The output is full.
    #[inline(always)]
    pub fn put_whole(&mut self, value: u64, bits: u32) -> Result<(), Rejected> {
        debug_assert!(self.fill == 0 && bits % 8 == 0 && bits <= 64);
        // With 0 bits the shift is by 64. Its result is then stored after the end, which does not
        // move.
        let word = value.wrapping_shl(64 - bits);
        let end = self.stored + (bits / 8) as usize;
        match self.output.get_mut(self.stored..).and_then(|rest| rest.first_chunk_mut::<8>()) {
            Some(place) => *place = word.to_be_bytes(),
            None => finish_near_end(self.output, self.stored, end, word)?,
        }
        self.stored = end;
        Ok(())
    }

    /// Writes `N` octets. No bits may wait.
    ///
    /// # Errors
    /// The output is full.
    #[inline(always)]
    pub fn put_whole_array<const N: usize>(&mut self, octets: &[u8; N]) -> Result<(), Rejected> {
        match self.output.get_mut(self.stored..).and_then(|rest| rest.first_chunk_mut::<N>()) {
            Some(place) => *place = *octets,
            None => return Err(Rejected),
        }
        self.stored += N;
        Ok(())
    }

    /// Writes octets. No bits may wait.
    ///
    /// # Errors
    /// The output is full.
    #[inline(always)]
    pub fn put_whole_octets(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        match self.output.get_mut(self.stored..).and_then(|rest| rest.get_mut(..octets.len())) {
            // One octet costs less than a call.
            Some([place]) => octets.iter().for_each(|octet| *place = *octet),
            Some(place) => place.copy_from_slice(octets),
            None => return Err(Rejected),
        }
        self.stored += octets.len();
        Ok(())
    }

    /// Writes a string of any length. No bits may wait.
    ///
    /// # Errors
    /// The output is full.
    #[inline(always)]
    pub fn put_whole_inline<const N: usize>(&mut self, octets: &InlineOctets<N>) -> Result<(), Rejected> {
        self.stored = octets.put(self.output, self.stored)?;
        Ok(())
    }

    /// Calls a function that writes text. No bits may wait.
    ///
    /// # Errors
    /// The function's.
    #[inline(always)]
    pub fn text(&mut self, write: impl FnOnce(&mut TextWriter<'_>) -> Result<(), Rejected>) -> Result<(), Rejected> {
        debug_assert!(self.fill == 0);
        let mut text = TextWriter { output: &mut *self.output, at: self.stored };
        let written = write(&mut text);
        self.stored = text.at;
        written
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn whole_octets_are_written_up_to_the_last() {
        let octets: [u8; 21] = core::array::from_fn(|at| (at * 37 + 201) as u8);
        for length in 0..=21 {
            let inline = InlineOctets::<21>::try_from(&octets[..length]).unwrap();
            let expected: Vec<u8> = [&[0xab, 0xcd], &octets[..length], &octets[..], &[7], b"9"].concat();
            for room in 0..expected.len() + 40 {
                let mut output = vec![0xff; room];
                let mut writer = Writer::new(&mut output);
                let written = writer
                    .put_whole(0xff_abcd, 16)
                    .and_then(|()| writer.put_whole(0, 0))
                    .and_then(|()| writer.put_whole_inline(&inline))
                    .and_then(|()| writer.put_whole_array(&octets))
                    .and_then(|()| writer.put_whole_octets(&[7]))
                    .and_then(|()| writer.put_whole(0, 0))
                    .and_then(|()| writer.text(|text| text.put(b"9")))
                    .and_then(|()| writer.finish_octets());
                let fits = room >= expected.len();
                assert_eq!(written, if fits { Ok(expected.len()) } else { Err(Rejected) }, "{length} in {room}");
                if fits {
                    assert_eq!(output[..expected.len()], expected);
                }
            }
        }
    }
}
