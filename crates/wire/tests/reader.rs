//! The bit reader: what is read from where, and where it ends.

use roadwire_wire::rt::{OctetReader, array_at, head_at, number_at, put_octets, read_at, set_at, window};
use roadwire_wire::{InlineOctets, Reader, Rejected};

const OCTETS: [u8; 20] = [
    0x80, 0x01, 0xfe, 0x37, 0x55, 0xaa, 0x00, 0xff, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0, 0x0f, 0xe1, 0xd2,
    0xc3,
];

/// The bits from one place on, with zeros after the end.
fn bits(octets: &[u8], at: usize, count: usize) -> u64 {
    let bit = |at: usize| octets.get(at / 8).map_or(0, |octet| u64::from(octet >> (7 - at % 8) & 1));
    (at..at + count).fold(0, |word, at| word << 1 | bit(at))
}

#[test]
fn numbers_of_up_to_64_bits_are_read_at_any_bit() {
    for length in [0, 1, 7, 8, 9, 15, 16, 20] {
        let octets = &OCTETS[..length];
        for at in 0..=length * 8 {
            for count in 0..=64 {
                let mut reader = Reader::new(octets);
                reader.skip(at).unwrap();
                assert_eq!((reader.position(), reader.remaining()), (at, length * 8 - at));
                let fits = at + count <= length * 8;
                let wanted = if fits { Ok(bits(octets, at, count)) } else { Err(Rejected) };
                assert_eq!({ reader }.take_wide(count as u32), wanted, "{count} at {at} of {length}");
                if count <= 57 {
                    assert_eq!(reader.take(count as u32), wanted, "{count} at {at} of {length}");
                    assert_eq!(reader.position(), if fits { at + count } else { at });
                }
            }
        }
    }
}

#[test]
fn bits_are_read_into_octets() {
    for length in [0, 3, 9, 20] {
        let octets = &OCTETS[..length];
        for at in 0..=length * 8 {
            for count in 0..=length * 8 - at {
                let mut reader = Reader::new(octets);
                reader.skip(at).unwrap();
                let mut into = [0xee; 20];
                assert_eq!(reader.take_bits(&mut into, count), Ok(()), "{count} at {at} of {length}");
                assert_eq!(reader.position(), at + count);
                for (place, octet) in into.iter().take(count.div_ceil(8)).enumerate() {
                    let here = (count - place * 8).min(8);
                    let wanted = bits(octets, at + place * 8, here) << (8 - here);
                    assert_eq!(u64::from(*octet), wanted, "octet {place} of {count} at {at} of {length}");
                }
                assert!(into[count.div_ceil(8)..].iter().all(|octet| *octet == 0xee));
            }
            let mut into = [0xee; 21];
            let mut reader = Reader::new(octets);
            reader.skip(at).unwrap();
            assert_eq!(reader.take_bits(&mut into, length * 8 - at + 1), Err(Rejected));
            assert_eq!((into, reader.position()), ([0xee; 21], at));
        }
    }
    assert_eq!(Reader::new(&OCTETS).take_bits(&mut [0; 1], 16), Err(Rejected), "more than there is room for");
}

#[test]
fn octets_are_lent_at_an_octet_border_only() {
    let mut reader = Reader::new(&OCTETS[..4]);
    assert_eq!(reader.octets(), &OCTETS[..4]);
    assert_eq!((reader.take_slice(1), reader.position()), (Ok(&OCTETS[..1]), 8));
    assert_eq!((reader.take_slice(4), reader.position()), (Err(Rejected), 8));
    assert_eq!((reader.take_slice(0), reader.position()), (Ok(&[][..]), 8));
    assert_eq!(reader.take_bit(), Ok(false));
    assert_eq!(reader.take_slice(0), Err(Rejected));
    assert_eq!((reader.align(), reader.position()), (Ok(()), 16));
    assert_eq!(reader.take_slice(2), Ok(&OCTETS[2..4]));
    assert_eq!((reader.align(), reader.take_slice(1)), (Ok(()), Err(Rejected)));
}

#[test]
fn bits_that_have_been_read_can_be_looked_at() {
    let reader = Reader::new(&OCTETS[..3]);
    for at in 0..24 {
        assert_eq!(reader.bit_at(at), bits(&OCTETS, at, 1) == 1, "{at}");
    }
    assert!(!reader.bit_at(24));
    let mut reader = Reader::new(&[0x80]);
    assert_eq!((reader.take_bit(), reader.take_bit()), (Ok(true), Ok(false)));
}

#[test]
fn a_part_has_an_end_of_its_own() {
    let mut reader = Reader::new(&OCTETS);
    reader.skip(3).unwrap();
    assert_eq!(reader.enter(158), Err(Rejected));
    let outer = reader.enter(20).unwrap();
    assert_eq!((reader.remaining(), reader.need(20), reader.need(21)), (20, Ok(()), Err(Rejected)));
    assert_eq!(reader.take(5), Ok(bits(&OCTETS, 3, 5)));
    let inner = reader.enter(7).unwrap();
    assert_eq!((reader.skip(8), reader.skip(7), reader.take_bit()), (Err(Rejected), Ok(()), Err(Rejected)));
    reader.leave(inner);
    assert_eq!((reader.position(), reader.remaining()), (15, 8));
    reader.leave(outer);
    assert_eq!((reader.position(), reader.remaining()), (23, 137));
    for bits in 0..57 {
        let mut part = Reader::new(&OCTETS);
        part.enter(bits).unwrap();
        assert_eq!({ part }.take(bits as u32 + 1), Err(Rejected), "a part of {bits} bits at the start");
        assert_eq!(part.take_wide(bits as u32 + 8), Err(Rejected), "a part of {bits} bits at the start");
    }
    reader.advance_to(100);
    assert_eq!(reader.position(), 100);
    reader.advance_to(161);
    assert_eq!((reader.position(), reader.within()), (160, Ok(())));
    reader.advance(1);
    assert_eq!(reader.within(), Err(Rejected));
}

#[test]
fn alignment_counts_from_the_start_of_the_input() {
    for at in 0..=24 {
        let mut reader = Reader::new(&OCTETS[..3]);
        reader.skip(at).unwrap();
        assert_eq!((reader.align(), reader.position()), (Ok(()), at.next_multiple_of(8)), "{at}");
    }
    let mut reader = Reader::new(&OCTETS[..1]);
    reader.take_bit().unwrap();
    reader.enter(6).unwrap();
    assert_eq!(reader.align(), Err(Rejected), "the octet's end is not inside");
}

#[test]
fn numbers_are_read_at_fixed_places() {
    for at in 0..20 * 8 {
        for count in 1..=64 {
            assert_eq!(read_at(&OCTETS, at, count), bits(&OCTETS, at, count as usize), "{count} bits at {at}");
        }
    }
    for at in 0..24 {
        assert_eq!(window(&OCTETS, at), bits(&OCTETS, at * 8, 64), "{at}");
        assert_eq!(window(&OCTETS[..5], at), bits(&OCTETS[..5], at * 8, 64), "{at} of 5");
        assert_eq!(window(&OCTETS[..8], at), bits(&OCTETS[..8], at * 8, 64), "{at} of 8");
    }
    assert_eq!(window(&[], 0), 0);
    for octets in 1..=8 {
        assert_eq!(number_at(&OCTETS, 3, octets), bits(&OCTETS, 24, octets * 8), "{octets}");
    }
    assert_eq!(array_at::<3, 20>(&OCTETS, 17), [0xe1, 0xd2, 0xc3]);
    assert_eq!(array_at::<3, 20>(&OCTETS, 18), [0; 3], "past the end");
}

#[test]
fn octets_are_written_at_fixed_places() {
    let mut output = [0; 6];
    assert_eq!(put_octets(&mut output, 2, &[1, 2, 3]), Ok(5));
    assert_eq!(output, [0, 0, 1, 2, 3, 0]);
    assert_eq!(put_octets(&mut output, 6, &[]), Ok(6));
    assert_eq!(
        (put_octets(&mut output, 4, &[1, 2, 3]), put_octets(&mut output, 7, &[])),
        (Err(Rejected), Err(Rejected))
    );
    let head: &mut [u8; 4] = head_at(&mut output, 2).unwrap();
    set_at(head, 1, &[7, 8]);
    set_at(head, 3, &[9, 9]);
    assert_eq!(*head, [1, 7, 8, 0]);
    assert!(head_at::<4>(&mut output, 3).is_err());
}

#[test]
fn the_reader_of_octets_takes_what_is_left() {
    let mut reader = OctetReader::at(&OCTETS, 2);
    assert_eq!(reader.remaining(), 18);
    assert_eq!(reader.take_head::<2>(), Ok(&[0xfe, 0x37]));
    assert_eq!(reader.take_slice(1), Ok(&OCTETS[4..5]));
    assert_eq!(reader.position_in(&OCTETS), 40);
    let mut into = InlineOctets::<4>::new();
    assert_eq!((reader.take_inline(3, &mut into), &*into), (Ok(()), &OCTETS[5..8]));
    assert_eq!(reader.take_inline(5, &mut into), Err(Rejected));
    assert_eq!(reader.position_in(&OCTETS), 64);
    // Longer than is worth moving in words.
    let long = [3; 80];
    let mut into = InlineOctets::<70>::new();
    assert_eq!((OctetReader::new(&long).take_inline(69, &mut into), &*into), (Ok(()), &[3; 69][..]));
    assert_eq!(OctetReader::at(&OCTETS, 21).remaining(), 0);
}

/// A string is moved in words where as many octets follow as it could have, else octet by octet.
#[test]
fn short_strings_are_read_at_each_distance_from_the_end() {
    for length in 0..=20 {
        for from in 0..=length {
            for count in 0..=9 {
                let mut into = InlineOctets::<9>::of([0xee; 9]);
                let mut reader = OctetReader::at(&OCTETS[..length], from);
                let read = reader.take_inline(count, &mut into);
                let fits = from + count <= length;
                assert_eq!(read, if fits { Ok(()) } else { Err(Rejected) }, "{count} at {from} of {length}");
                assert!(!fits || *into == OCTETS[from..from + count], "{count} at {from} of {length}");
            }
        }
    }
}
