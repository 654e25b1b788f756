//! Named bit strings of any length, as straight-line code writes and reads them (X.690 §11.2.2).

use super::{length_octets, put_octets};
use crate::bits::{BitWord, without_zeros};
use crate::data::{Data, Scalar, Shape};
use crate::error::Rejected;

/// The most bits that a size adds to those that are sent.
const MOST_ADDED: u64 = 1 << 16;

/// Writes the bits in these octets without the zero bits at the end beyond the first `least`.
///
/// # Errors
/// Their size is outside `lower` to `upper`, or the output is full.
#[inline(never)]
pub fn put_named_bits(
    output: &mut [u8],
    at: usize,
    tag: u8,
    octets: &[u8],
    lower: u64,
    upper: u64,
    least: u64,
) -> Result<usize, Rejected> {
    let used = without_zeros(octets);
    let count = used.max(usize::try_from(least).unwrap_or(usize::MAX));
    let whole = count.div_ceil(8);
    let octets = octets.get(..whole).ok_or(Rejected)?;
    if !(lower..=upper).contains(&lower.max(used as u64)) {
        return Err(Rejected);
    }
    let at = put_octets(output, at, &[tag])?;
    let at = put_octets(output, at, length_octets(whole + 1).as_slice())?;
    let at = put_octets(output, at, &[(whole * 8 - count) as u8])?;
    put_octets(output, at, octets)
}

/// Reads contents octets: zero bits at the end are added or removed, as the size wants it (X.680
/// §22.7).
///
/// # Errors
/// Another size, or octets that X.690 §8.6 does not have.
#[inline(never)]
pub fn take_named_bits(value: &mut dyn Data, octets: &[u8], lower: u64, upper: u64) -> Result<(), Rejected> {
    let (unused, octets) = match octets.split_first() {
        Some((unused @ 0..=7, octets)) if *unused == 0 || !octets.is_empty() => (*unused, octets),
        _ => return Err(Rejected),
    };
    let sent = octets.len() * 8 - usize::from(unused);
    let (Some((last, before)), mask) = (octets.split_last(), 0xff << unused) else {
        return set(value, &[], 0, (lower, upper), 0);
    };
    let used = match last & mask {
        0 => without_zeros(before),
        last => before.len() * 8 + 8 - last.trailing_zeros() as usize,
    };
    // Only as many zero bits are removed as are too many.
    let count = if sent as u64 > upper { used.max(usize::try_from(upper).map_err(|_| Rejected)?) } else { sent };
    set(value, octets, count.min(sent), (lower, upper), used)
}

/// The first `sent` bits, of which the first `used` are not only zero bits.
fn set(
    value: &mut dyn Data,
    octets: &[u8],
    sent: usize,
    (lower, upper): (u64, u64),
    used: usize,
) -> Result<(), Rejected> {
    let count = (sent as u64).max(lower);
    if count > upper || lower > MOST_ADDED {
        return Err(Rejected);
    }
    let count = count as usize;
    if upper <= 64 {
        let word = BitWord::from_octets(octets, sent).ok_or(Rejected)?;
        let word = BitWord { value: word.value.checked_shl((count - sent) as u32).unwrap_or(0), bits: count as u8 };
        if value.set(Scalar::Word(word)) {
            return Ok(());
        }
    }
    let place = value.begin(Shape::Bits).then(|| value.extend_bits(count)).flatten().ok_or(Rejected)?;
    place.fill(0);
    // Bits after those that are used are zero, whatever is in their octet.
    let kept = used.div_ceil(8);
    place.iter_mut().zip(octets).take(kept).for_each(|(place, octet)| *place = *octet);
    if let (Some(last), 1..) = (place.get_mut(used / 8), used % 8) {
        *last &= 0xff << (8 - used % 8);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::bits::BitWord;

    #[test]
    fn zero_bits_at_the_end_come_and_go() {
        let mut output = [0u8; 8];
        let end = put_named_bits(&mut output, 0, 3, &[0x0a, 0], 0, u64::MAX, 0).unwrap();
        assert_eq!(output[..end], [3, 2, 1, 0x0a]);
        let end = put_named_bits(&mut output, 0, 3, &[0x0a, 0], 12, 12, 12).unwrap();
        assert_eq!(output[..end], [3, 3, 4, 0x0a, 0]);
        assert_eq!(put_named_bits(&mut output, 0, 3, &[0x0a, 1], 0, 9, 0), Err(Rejected));
        let mut word = BitWord::default();
        take_named_bits(&mut word, &[1, 0x0a], 12, 12).unwrap();
        assert_eq!(word, BitWord { value: 0x0a0, bits: 12 });
        take_named_bits(&mut word, &[0, 0x0a, 0], 0, 9).unwrap();
        assert_eq!(word, BitWord { value: 0x14, bits: 9 });
        assert_eq!(take_named_bits(&mut word, &[0, 0x0a, 1], 0, 9), Err(Rejected));
        assert_eq!(take_named_bits(&mut word, &[1], 0, 9), Err(Rejected));
    }
}
