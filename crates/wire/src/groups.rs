//! Unsigned integers in groups of seven bits, least significant first, each behind a bit that says whether another one follows (EXI §7.1.6).

use crate::error::Rejected;
use crate::reader::Reader;
use crate::writer::Writer;

/// Writes a number in as few groups as hold it.
///
/// # Errors
/// The output is full.
#[inline]
pub fn put(writer: &mut Writer<'_>, number: u64) -> Result<(), Rejected> {
    let mut rest = number;
    while rest >= 0x80 {
        writer.put(rest & 0x7f | 0x80, 8)?;
        rest >>= 7;
    }
    writer.put(rest, 8)
}

/// The same for wider numbers.
///
/// # Errors
/// The output is full.
pub fn put_wide(writer: &mut Writer<'_>, number: u128) -> Result<(), Rejected> {
    let mut rest = number;
    while rest >> 64 != 0 {
        writer.put((rest & 0x7f | 0x80) as u64, 8)?;
        rest >>= 7;
    }
    put(writer, rest as u64)
}

/// Reads a number. Groups of zeros may follow its last one.
///
/// # Errors
/// Past the end, or more than 64 bits.
#[inline]
pub fn take(reader: &mut Reader<'_>) -> Result<u64, Rejected> {
    let mut number = 0;
    let mut shift = 0;
    loop {
        let group = reader.take(8)?;
        let bits = group & 0x7f;
        if shift < 63 {
            number |= bits << shift;
            shift += 7;
        } else if shift == 63 && bits <= 1 {
            number |= bits << 63;
            shift = 70;
        } else if bits != 0 {
            return Err(Rejected);
        }
        if group & 0x80 == 0 {
            return Ok(number);
        }
    }
}

/// Reads a number of any width: calls `group` with each seven bits, least significant first.
///
/// # Errors
/// Past the end.
pub fn take_each(reader: &mut Reader<'_>, mut group: impl FnMut(u8)) -> Result<(), Rejected> {
    loop {
        let octet = reader.take(8)? as u8;
        group(octet & 0x7f);
        if octet & 0x80 == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{put, put_wide, take, take_each};
    use crate::{Reader, Writer};

    #[test]
    fn numbers_there_and_back() {
        for shift in 0..64 {
            for number in [1u64 << shift, (1u64 << shift) - 1, u64::MAX >> shift] {
                let (mut output, mut other) = ([0; 24], [0; 24]);
                let mut writer = Writer::new(&mut output);
                put(&mut writer, number).unwrap();
                let octets = writer.finish().unwrap();
                let mut writer = Writer::new(&mut other);
                put_wide(&mut writer, number.into()).unwrap();
                assert_eq!(writer.finish(), Ok(octets));
                assert_eq!(output[..octets], other[..octets]);
                assert_eq!(take(&mut Reader::new(&output[..octets])), Ok(number));
                let (mut found, mut at) = (0u128, 0);
                take_each(&mut Reader::new(&output), |bits| {
                    found |= u128::from(bits) << at;
                    at += 7;
                })
                .unwrap();
                assert_eq!(found, number.into());
            }
        }
    }

    #[test]
    fn zeros_may_follow_and_nothing_beyond_64_bits() {
        let read = |octets: &[u8]| take(&mut Reader::new(octets)).ok();
        assert_eq!(read(&[0x85, 0x80, 0x80, 0]), Some(5));
        assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]), Some(u64::MAX));
        assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 0x80, 0x80, 0]), Some(u64::MAX));
        assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]), None);
        assert_eq!(read(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1]), None);
        assert_eq!(read(&[0x80]), None);
    }
}
