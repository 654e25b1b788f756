//! Unsigned integers in groups of seven bits, at any bit (EXI §7.1.6), and in words.

use roadwire_wire::rt::varint::{
    MOST_PEELED, number, octets_of, peel, put, put_wide, spread, take, take_each, unzigzag, word, zigzag,
};
use roadwire_wire::{Reader, Rejected, Writer};

/// The groups of a number, by division.
fn groups(mut number: u128) -> Vec<u8> {
    let mut octets = Vec::new();
    while number >= 128 {
        octets.push((number % 128) as u8 + 128);
        number /= 128;
    }
    octets.push(number as u8);
    octets
}

fn samples() -> impl Iterator<Item = u64> {
    let borders = (0..64).flat_map(|bits| [(1u64 << bits) - 1, 1 << bits, (1 << bits) + 1]);
    borders.chain([0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, u64::MAX, 300, 0x1_5555_5555_5555, 0xaaaa_aaaa_aaaa])
}

#[test]
fn numbers_are_written_and_read_at_any_bit() {
    for sample in samples() {
        let octets = groups(sample.into());
        assert_eq!(octets_of(sample), octets.len(), "{sample}");
        for before in [0, 1, 7, 8] {
            for (more, fits) in [(0, true), (9, true), (-1, false)] {
                let room = (octets.len() * 8 + before).div_ceil(8).saturating_add_signed(more);
                let write = |wide: bool| {
                    let mut output = vec![0; room];
                    let mut writer = Writer::new(&mut output);
                    writer.put(0, before as u32)?;
                    if wide { put_wide(&mut writer, sample.into()) } else { put(&mut writer, sample) }?;
                    assert_eq!(writer.position(), before + octets.len() * 8);
                    writer.finish()?;
                    Ok(output)
                };
                let output: Result<Vec<u8>, Rejected> = write(false);
                assert_eq!(write(true), output, "{sample}");
                assert_eq!(output.is_ok(), fits, "{sample} behind {before}");
                let Ok(output) = output else { continue };
                let mut reader = Reader::new(&output);
                reader.skip(before).unwrap();
                let mut found = vec![0; octets.len()];
                { reader }.take_octets(&mut found).unwrap();
                assert_eq!(found, octets, "{sample} behind {before}");
                let mut each = Vec::new();
                assert_eq!(take_each(&mut { reader }, |group| each.push(group)), Ok(()));
                assert!(each.iter().eq(octets.iter().map(|octet| octet % 128).collect::<Vec<_>>().iter()), "{sample}");
                assert_eq!((take(&mut reader), reader.position()), (Ok(sample), before + octets.len() * 8), "{sample}");
            }
        }
        for cut in 0..octets.len() {
            assert_eq!(take(&mut Reader::new(&octets[..cut])), Err(Rejected), "{cut} of {sample}");
            assert_eq!(take_each(&mut Reader::new(&octets[..cut]), |_| ()), Err(Rejected), "{cut} of {sample}");
        }
    }
}

#[test]
fn wide_numbers_have_more_groups() {
    for number in [1 << 64, (1 << 70) - 1, 1 << 70, u128::MAX] {
        let mut output = [0; 32];
        let mut writer = Writer::new(&mut output);
        put_wide(&mut writer, number).unwrap();
        let end = writer.finish().unwrap();
        assert_eq!(output[..end], groups(number), "{number}");
        assert_eq!(take(&mut Reader::new(&output[..end])), Err(Rejected), "more than 64 bits");
    }
}

#[test]
fn zero_groups_may_follow() {
    for more in 1..20 {
        for sample in [0u64, 5, 300, u64::MAX] {
            let mut octets = groups(sample.into());
            *octets.last_mut().unwrap() |= 0x80;
            octets.resize(octets.len() + more - 1, 0x80);
            octets.push(0);
            for tail in [0, 9] {
                let mut input = octets.clone();
                input.resize(octets.len() + tail, 0xff);
                let mut reader = Reader::new(&input);
                assert_eq!((take(&mut reader), reader.remaining()), (Ok(sample), tail * 8), "{sample} and {more}");
            }
            *octets.last_mut().unwrap() = 1;
            let value = sample.checked_add(1u64.checked_shl(7 * (octets.len() as u32 - 1)).unwrap_or(0));
            let wanted = value.filter(|_| octets.len() <= 9 || octets.len() == 10 && sample < 1 << 63).ok_or(Rejected);
            assert_eq!(take(&mut Reader::new(&octets)), wanted, "{sample} and {more}, not zero");
        }
    }
}

#[test]
fn signed_numbers_are_small_where_they_are_near_zero() {
    for (signed, unsigned) in [
        (0, 0),
        (-1, 1),
        (1, 2),
        (-2, 3),
        (2, 4),
        (-64, 127),
        (64, 128),
        (i64::MAX, u64::MAX - 1),
        (i64::MIN, u64::MAX),
    ] {
        assert_eq!((zigzag(signed), unzigzag(unsigned)), (unsigned, signed));
    }
}

#[test]
fn words_hold_up_to_seven_groups() {
    for sample in samples().filter(|sample| sample >> 49 == 0) {
        let octets = groups(sample.into());
        let mut eight = [0; 8];
        eight[..octets.len()].copy_from_slice(&octets);
        assert_eq!(word(sample), (u64::from_le_bytes(eight), octets.len()), "{sample}");
        assert_eq!(number(u64::from_le_bytes(eight)), sample);
    }
    assert_eq!(number(u64::MAX), (1 << 56) - 1);
    for group in 0..8 {
        assert_eq!(number(0xd5 << (8 * group)), 0x55 << (7 * group), "{group}");
    }
}

type Spread = fn(u64) -> (u64, u32);
type Peel = fn(u64, u32) -> Result<(u64, u64, usize), Rejected>;

#[test]
fn straight_line_code_spreads_and_peels_numbers() {
    let spreads: [Spread; 7] =
        [spread::<1>, spread::<2>, spread::<3>, spread::<4>, spread::<5>, spread::<6>, spread::<7>];
    let peels: [Peel; 7] = [peel::<1>, peel::<2>, peel::<3>, peel::<4>, peel::<5>, peel::<6>, peel::<7>];
    assert_eq!(peels.len(), MOST_PEELED);
    for sample in samples() {
        let octets = groups(sample.into());
        let mut eight = [0xa5; 8];
        let here = octets.len().min(8);
        eight[..here].copy_from_slice(&octets[..here]);
        for most in 1..=7 {
            if octets.len() <= most {
                let wanted = octets.iter().fold(0, |word, octet| word << 8 | u64::from(*octet));
                assert_eq!(spreads[most - 1](sample), (wanted, octets.len() as u32 * 8), "{sample} of {most}");
            }
            for at in 0..=7 {
                let window = u64::from_be_bytes(eight) >> at;
                let more = octets.len() * 8 - 8;
                // Where it begins late, the end of a long number is not in the word.
                if octets.len() <= most && octets.len() * 8 + at as usize <= 64 {
                    assert_eq!(peels[most - 1](window, at), Ok((sample, window << more, more)), "{sample} at {at}");
                } else if octets.len() > most && most * 8 + at as usize <= 64 {
                    assert_eq!(peels[most - 1](window, at), Err(Rejected), "{sample} at {at}, {most} groups");
                }
            }
        }
    }
}
