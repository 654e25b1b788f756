//! The same for straight-line code, which writes at an offset in the output and reads from the rest
//! of the input. `Rejected` stands for rare forms as well as for errors.

use super::octets_of;
use crate::error::Rejected;
use crate::reader::Reader;
use crate::rt::cold::rare;
use crate::rt::fixed::head_at;
use crate::rt::words;
use crate::writer::Writer;

/// The greatest number of one octet, of two, and the leading bits of the latter.
const ONE: usize = 0x7f;
const TWO: usize = 0x3fff;
const FRONT_OF_TWO: u16 = 0x8000;

/// Writes a number in the fewest octets, and returns where they end.
///
/// # Errors
/// The output is full; above [`GREATEST`](super::GREATEST).
#[inline(always)]
pub fn put_number(output: &mut [u8], at: usize, number: u64) -> Result<usize, Rejected> {
    if number > ONE as u64 {
        return put_long(output, at, number);
    }
    *output.get_mut(at).ok_or(Rejected)? = number as u8;
    Ok(at + 1)
}

#[cold]
#[inline(never)]
fn put_long(output: &mut [u8], at: usize, number: u64) -> Result<usize, Rejected> {
    let mut writer = Writer::new(output.get_mut(at..).ok_or(Rejected)?);
    super::put_number(&mut writer, number)?;
    Ok(at + writer.finish_octets()?)
}

/// Writes a p-encoded number.
///
/// # Errors
/// The output is full; above [`GREATEST_PSID`](super::GREATEST_PSID).
#[inline(always)]
pub fn put_psid(output: &mut [u8], at: usize, number: u64) -> Result<usize, Rejected> {
    if number <= ONE as u64 { put_number(output, at, number) } else { put_long_psid(output, at, number) }
}

#[cold]
#[inline(never)]
fn put_long_psid(output: &mut [u8], at: usize, number: u64) -> Result<usize, Rejected> {
    let mut writer = Writer::new(output.get_mut(at..).ok_or(Rejected)?);
    super::put_psid(&mut writer, number)?;
    Ok(at + writer.finish_octets()?)
}

/// Writes octets after their length.
///
/// # Errors
/// The output is full.
#[inline(always)]
pub fn put_counted(output: &mut [u8], at: usize, octets: &[u8]) -> Result<usize, Rejected> {
    let at = put_number(output, at, octets.len() as u64)?;
    // Checking for an empty slice costs less than a call.
    if octets.is_empty() { Ok(at) } else { words::put_octets(output, at, octets) }
}

/// Whether a length takes `OCTETS` octets (1 or 2).
#[inline(always)]
#[must_use]
pub const fn takes<const OCTETS: usize>(length: usize) -> bool {
    if OCTETS == 1 { length <= ONE } else { length > ONE && length <= TWO }
}

/// Writes a length of `OCTETS` octets (1 or 2) before the content that begins at `start`.
///
/// # Errors
/// The output is full.
#[inline(always)]
pub fn put_length<const OCTETS: usize>(output: &mut [u8], start: usize, length: usize) -> Result<(), Rejected> {
    let front = start.wrapping_sub(OCTETS);
    if OCTETS == 1 {
        *output.get_mut(front).ok_or(Rejected)? = length as u8;
        return Ok(());
    }
    let place: &mut [u8; 2] = head_at(output, front)?;
    *place = (FRONT_OF_TWO | length as u16).to_be_bytes();
    Ok(())
}

/// Ends a vector whose content begins at `start`, after `room` octets for its length. The length
/// takes another number of octets, so the content moves. Returns where it ends.
///
/// # Errors
/// The output is full.
#[cold]
#[inline(never)]
pub fn close_elsewhere(output: &mut [u8], start: usize, at: usize, room: usize) -> Result<usize, Rejected> {
    let length = (at - start) as u64;
    let front = start - room;
    if length <= ONE as u64 && at <= output.len() {
        // The usual case: a short vector that may be long.
        output.copy_within(start..at, front + 1);
        *output.get_mut(front).ok_or(Rejected)? = length as u8;
        return Ok(at + 1 - room);
    }
    let moved = front + octets_of(length) as usize;
    let end = moved + (at - start);
    if end > output.len() || at > output.len() {
        return Err(Rejected);
    }
    output.copy_within(start..at, moved);
    let mut determinant = [0; 8];
    let octets = put_number(&mut determinant, 0, length)?;
    words::put_octets(output, front, determinant.get(..octets).ok_or(Rejected)?)?;
    Ok(end)
}

/// Writes a number of `octets` octets (1 to 8) before the content that begins at `start`.
///
/// # Errors
/// The number has more octets, or the output has too little room.
#[inline]
pub fn put_in_front(output: &mut [u8], start: usize, number: u64, octets: usize) -> Result<(), Rejected> {
    let all = number.to_be_bytes();
    let (unused, used) = all.split_at_checked(8usize.wrapping_sub(octets)).ok_or(Rejected)?;
    if unused.iter().any(|octet| *octet != 0) {
        return Err(Rejected);
    }
    let front = start.checked_sub(octets).ok_or(Rejected)?;
    words::put_octets(output, front, used).map(|_| ())
}

/// A value, and the rest of the input.
type Taken<'a, T> = Result<(T, &'a [u8]), Rejected>;

/// Reads a number, in as many octets as it may have.
///
/// # Errors
/// Past the end; eight bits 1, after which a number has more than 64 bits.
#[inline(always)]
pub fn take_number(input: &[u8]) -> Taken<'_, u64> {
    match input {
        [first @ 0..=0x7f, rest @ ..] => Ok(((*first).into(), rest)),
        _ => take_long(input, super::take_number),
    }
}

/// Reads a p-encoded number.
///
/// # Errors
/// Past the end; more than four octets.
#[inline(always)]
pub fn take_psid(input: &[u8]) -> Taken<'_, u64> {
    match input {
        [first @ 0..=0x7f, rest @ ..] => Ok(((*first).into(), rest)),
        _ => take_long(input, super::take_psid),
    }
}

#[cold]
#[inline(never)]
fn take_long(input: &[u8], take: fn(&mut Reader<'_>) -> Result<u64, Rejected>) -> Taken<'_, u64> {
    let mut reader = Reader::new(input);
    let number = take(&mut reader)?;
    input.get(reader.position() / 8..).map(|rest| (number, rest)).ok_or(Rejected)
}

/// Reads a length, and borrows as many octets.
///
/// # Errors
/// Past the end.
#[inline(always)]
pub fn take_counted(input: &[u8]) -> Taken<'_, &[u8]> {
    let (length, rest) = match input {
        [first @ 0..=0x7f, rest @ ..] => (usize::from(*first), rest),
        [first @ 0x80..=0xbf, second, rest @ ..] => {
            rare();
            (usize::from(first & 0x3f) << 8 | usize::from(*second), rest)
        }
        _ => take_long_length(input)?,
    };
    rest.split_at_checked(length).ok_or(Rejected)
}

#[cold]
#[inline(never)]
fn take_long_length(input: &[u8]) -> Taken<'_, usize> {
    let (length, rest) = take_long(input, super::take_number)?;
    Ok((usize::try_from(length).map_err(|_| Rejected)?, rest))
}

/// Splits off `octets` octets.
///
/// # Errors
/// Past the end.
#[inline(always)]
pub fn split(input: &[u8], octets: u64) -> Taken<'_, &[u8]> {
    let octets = usize::try_from(octets).map_err(|_| Rejected)?;
    input.split_at_checked(octets).ok_or(Rejected)
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::super::{GREATEST, GREATEST_PSID};
    use super::*;

    /// Whatever the room, it writes the same as the bit writer, and reads the same as the bit
    /// reader.
    #[test]
    fn numbers_are_those_of_the_writer_and_the_reader_of_bits() {
        let psids = [0, 0x7f, 0x80, 0x407f, 0x4080, 0x20_407f, 0x20_4080, GREATEST_PSID, GREATEST_PSID + 1];
        let numbers = [0, 0x7f, 0x80, 0x3fff, 0x4000, 0x1f_ffff, GREATEST, GREATEST + 1];
        for (number, is_psid) in psids.map(|psid| (psid, true)).into_iter().chain(numbers.map(|number| (number, false)))
        {
            for room in 0..12 {
                let (mut output, mut wanted) = (vec![0; room + 1], vec![0; room]);
                let mut writer = Writer::new(&mut wanted);
                let (put, written) = match is_psid {
                    true => (put_psid(&mut output, 1, number), super::super::put_psid(&mut writer, number)),
                    false => (put_number(&mut output, 1, number), super::super::put_number(&mut writer, number)),
                };
                let written = written.and_then(|()| writer.finish_octets());
                assert_eq!(put.map(|end| end - 1), written, "{number} in {room}");
                let Ok(octets) = written else { continue };
                assert_eq!(output[1..=octets], wanted[..octets]);
                for cut in 0..=octets {
                    let mut reader = Reader::new(&wanted[..cut]);
                    let (taken, read) = match is_psid {
                        true => (take_psid(&wanted[..cut]), super::super::take_psid(&mut reader)),
                        false => (take_number(&wanted[..cut]), super::super::take_number(&mut reader)),
                    };
                    assert_eq!(taken, read.map(|number| (number, &[][..])), "{cut} of {number}");
                }
            }
        }
        assert!(take_number(&[0xff; 16]).is_err() && take_psid(&[0xf0, 0, 0, 0, 0]).is_err());
        // Longer than necessary.
        assert_eq!(take_number(&[0xe0, 0, 0, 5, 9]), Ok((5, &[9][..])));
        assert_eq!(take_counted(&[0x80, 1, 7, 9]), Ok((&[7][..], &[9][..])));
        assert_eq!(take_counted(&[0xc0, 0, 1, 7, 9]), Ok((&[7][..], &[9][..])));
        assert!(take_counted(&[0xff; 16]).is_err() && take_counted(&[0x80]).is_err() && take_counted(&[2, 1]).is_err());
    }

    fn close<const ROOM: usize>(content: &[u8], room: usize) -> Result<Vec<u8>, Rejected> {
        let mut output = vec![0xee; room];
        let start = 1 + ROOM;
        let mut at = words::put_octets(&mut output, start, content)?;
        if takes::<ROOM>(at - start) {
            put_length::<ROOM>(&mut output, start, at - start)?;
        } else {
            at = close_elsewhere(&mut output, start, at, ROOM)?;
        }
        output.truncate(at);
        Ok(output)
    }

    #[test]
    fn vectors_get_their_length_in_front() {
        for length in [0, 1, 127, 128, 300, 16383, 16384] {
            let content: Vec<u8> = (0..length).map(|at| at as u8).collect();
            for room in length..length + 8 {
                let mut wanted = vec![0xee; length + 16];
                let end = put_counted(&mut wanted, 1, &content);
                wanted.truncate(end.unwrap_or(0));
                for (found, least) in [(close::<1>(&content, room), 2), (close::<2>(&content, room), 3)] {
                    let fits = wanted.len().max(length + least) <= room;
                    assert_eq!(found.as_ref().ok(), Some(&wanted).filter(|_| fits), "{length} in {room}");
                }
            }
        }
    }

    #[test]
    fn a_number_in_front_has_its_octets() {
        let mut output = [0; 6];
        assert_eq!(put_in_front(&mut output, 4, 0x0102, 3), Ok(()));
        assert_eq!(output, [0, 0, 1, 2, 0, 0]);
        assert!(put_in_front(&mut output, 4, 256, 1).is_err() && put_in_front(&mut output, 1, 1, 2).is_err());
        assert!(put_in_front(&mut output, 9, 1, 2).is_err() && put_in_front(&mut output, 4, 1, 9).is_err());
        assert_eq!(split(&[1, 2, 3], 2), Ok((&[1, 2][..], &[3][..])));
        assert!(split(&[1], u64::MAX).is_err());
    }
}
