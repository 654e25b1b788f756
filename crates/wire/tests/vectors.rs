//! Lengths of TS 103 097 V1 and IEEE 1609.2-2013, and the p-encoding of IEEE 1609.12.

use roadwire_wire::rt::vectors::{
    GREATEST, GREATEST_PSID, begin_vector, end_vector, octets_of, put_number, put_psid, straight, take_counted,
    take_length, take_number, take_psid,
};
use roadwire_wire::{Reader, Rejected, Writer};

use super::support::written;

type Take = fn(&mut Reader<'_>) -> Result<u64, Rejected>;
type TakeStraight = fn(&[u8]) -> Result<(u64, &[u8]), Rejected>;

/// Whether both readers read a number to its end, and refuse it where it is cut.
fn check_reads(octets: &[u8], number: u64, take: Take, straight: TakeStraight) {
    let longer = [octets, &[9, 9]].concat();
    let mut reader = Reader::new(&longer);
    assert_eq!((take(&mut reader), reader.remaining()), (Ok(number), 16), "{number}");
    assert_eq!(straight(&longer), Ok((number, &[9, 9][..])), "{number}");
    for cut in 0..octets.len() {
        assert_eq!(take(&mut Reader::new(&octets[..cut])), Err(Rejected), "{cut} octets of {number}");
        assert_eq!(straight(&octets[..cut]), Err(Rejected), "{cut} octets of {number}");
    }
}

#[test]
fn a_number_begins_with_a_bit_for_each_further_octet() {
    for (number, octets) in [
        (0, &[0][..]),
        (1, &[1]),
        (0x7f, &[0x7f]),
        (0x80, &[0x80, 0x80]),
        (0x3fff, &[0xbf, 0xff]),
        (0x4000, &[0xc0, 0x40, 0]),
        (0x1f_ffff, &[0xdf, 0xff, 0xff]),
        (0x20_0000, &[0xe0, 0x20, 0, 0]),
        (0x0fff_ffff, &[0xef, 0xff, 0xff, 0xff]),
        (0x1000_0000, &[0xf0, 0x10, 0, 0, 0]),
        (1 << 35, &[0xf8, 0x08, 0, 0, 0, 0]),
        (1 << 42, &[0xfc, 0x04, 0, 0, 0, 0, 0]),
        (1 << 49, &[0xfe, 0x02, 0, 0, 0, 0, 0, 0]),
        (GREATEST, &[0xfe, 255, 255, 255, 255, 255, 255, 255]),
    ] {
        assert_eq!(written(|writer| put_number(writer, number)), octets, "{number}");
        assert_eq!(octets_of(number) as usize, octets.len(), "{number}");
        check_reads(octets, number, take_number, straight::take_number);
        for room in 0..12 {
            let mut output = vec![0; room + 1];
            let end = straight::put_number(&mut output, 1, number);
            assert_eq!(end, if room < octets.len() { Err(Rejected) } else { Ok(octets.len() + 1) }, "{number}");
            assert!(end.is_err() || output[1..=octets.len()] == *octets, "{number}");
        }
        if let Ok(length) = usize::try_from(number) {
            assert_eq!(take_length(&mut Reader::new(octets)), Ok(length), "{number}");
        }
    }
    assert_eq!(put_number(&mut Writer::new(&mut [0; 20]), GREATEST + 1), Err(Rejected));
    assert_eq!(straight::put_number(&mut [0; 20], 0, GREATEST + 1), Err(Rejected));
    assert_eq!(take_number(&mut Reader::new(&[0xff; 20])), Err(Rejected));
    assert_eq!(take_length(&mut Reader::new(&[0xff; 20])), Err(Rejected));
}

/// IEEE 1609.12: each length starts where the shorter one ends.
#[test]
fn a_p_encoded_number_has_four_octets_at_most() {
    for (number, octets) in [
        (0, &[0][..]),
        (0x7f, &[0x7f]),
        (0x80, &[0x80, 0]),
        (0x81, &[0x80, 1]),
        (0x407f, &[0xbf, 0xff]),
        (0x4080, &[0xc0, 0, 0]),
        (0x20_407f, &[0xdf, 0xff, 0xff]),
        (0x20_4080, &[0xe0, 0, 0, 0]),
        (GREATEST_PSID, &[0xef, 0xff, 0xff, 0xff]),
    ] {
        assert_eq!(written(|writer| put_psid(writer, number)), octets, "{number}");
        check_reads(octets, number, take_psid, straight::take_psid);
        for room in 0..9 {
            let mut output = vec![0; room + 1];
            let end = straight::put_psid(&mut output, 1, number);
            assert_eq!(end, if room < octets.len() { Err(Rejected) } else { Ok(octets.len() + 1) }, "{number}");
            assert!(end.is_err() || output[1..=octets.len()] == *octets, "{number}");
        }
    }
    assert_eq!(GREATEST_PSID, 0x1020_407f);
    assert_eq!(put_psid(&mut Writer::new(&mut [0; 9]), GREATEST_PSID + 1), Err(Rejected));
    assert_eq!(straight::put_psid(&mut [0; 9], 0, GREATEST_PSID + 1), Err(Rejected));
    for octets in [[0xf0, 0, 0, 0, 0, 0, 0, 0], [0xff; 8]] {
        assert_eq!(take_psid(&mut Reader::new(&octets)), Err(Rejected), "{octets:x?}");
        assert_eq!(straight::take_psid(&octets), Err(Rejected), "{octets:x?}");
    }
}

#[test]
fn octets_follow_their_length() {
    for (length, front) in [
        (0, &[0][..]),
        (1, &[1]),
        (127, &[127]),
        (128, &[0x80, 128]),
        (16383, &[0xbf, 0xff]),
        (16384, &[0xc0, 0x40, 0]),
    ] {
        let content: Vec<u8> = (0..length).map(|at| (at % 253) as u8).collect();
        let wanted = [front, &content].concat();
        let longer = [&wanted[..], &[9]].concat();
        let mut reader = Reader::new(&longer);
        assert_eq!((take_counted(&mut reader), reader.remaining()), (Ok(&content[..]), 8), "{length}");
        assert_eq!(straight::take_counted(&longer), Ok((&content[..], &[9][..])), "{length}");
        for cut in [0, 1, front.len(), wanted.len() - 1].into_iter().filter(|cut| *cut < wanted.len()) {
            assert_eq!(take_counted(&mut Reader::new(&wanted[..cut])), Err(Rejected), "{cut} of {length}");
            assert_eq!(straight::take_counted(&wanted[..cut]), Err(Rejected), "{cut} of {length}");
        }
        for room in [0, 1, wanted.len(), wanted.len() + 1, wanted.len() + 2] {
            let mut output = vec![0; room];
            let end = straight::put_counted(&mut output, 1, &content);
            assert_eq!(
                end,
                if room <= wanted.len() { Err(Rejected) } else { Ok(wanted.len() + 1) },
                "{length} in {room}"
            );
            assert!(end.is_err() || output[1..=wanted.len()] == wanted, "{length} in {room}");
        }
    }
}

#[test]
fn a_vector_gets_its_length_at_its_end() {
    for before in [0usize, 1, 9] {
        for length in [0, 1, 7, 127, 128, 200, 16383, 16384, 20000] {
            let content: Vec<u8> = (0..length).map(|at| (at % 253) as u8).collect();
            let mut wanted = vec![0xab; before];
            wanted.extend(written(|writer| put_number(writer, length as u64)));
            wanted.extend(&content);
            wanted.push(0xcd);
            for room in [wanted.len() - 1, wanted.len(), wanted.len() + 9] {
                let mut output = vec![0; room];
                let mut writer = Writer::new(&mut output);
                let put = (0..before).try_for_each(|_| writer.put(0xab, 8)).and_then(|()| {
                    let start = begin_vector(&mut writer)?;
                    assert_eq!(start, before * 8 + 8);
                    writer.put_octets(&content)?;
                    end_vector(&mut writer, start)?;
                    writer.put(0xcd, 8)
                });
                let end = put.and_then(|()| writer.finish_octets());
                assert_eq!(end.is_ok(), room >= wanted.len(), "{length} in {room}");
                assert!(end.is_err() || output[..wanted.len()] == wanted, "{length} behind {before} in {room}");
            }
        }
    }
}

#[test]
fn straight_vectors_move_where_their_length_has_other_octets() {
    for length in [0, 1, 127] {
        assert!(straight::takes::<1>(length) && !straight::takes::<2>(length), "{length}");
    }
    for length in [128, 16383] {
        assert!(!straight::takes::<1>(length) && straight::takes::<2>(length), "{length}");
    }
    assert!(!straight::takes::<1>(16384) && !straight::takes::<2>(16384));
    let mut output = [0xee; 6];
    assert_eq!(straight::put_length::<1>(&mut output, 3, 127), Ok(()));
    assert_eq!(output, [0xee, 0xee, 127, 0xee, 0xee, 0xee]);
    assert_eq!(straight::put_length::<2>(&mut output, 3, 0x1234), Ok(()));
    assert_eq!(output, [0xee, 0x92, 0x34, 0xee, 0xee, 0xee]);
    assert_eq!(straight::put_length::<1>(&mut output, 0, 1), Err(Rejected));
    assert_eq!(straight::put_length::<2>(&mut output, 1, 128), Err(Rejected));
    assert_eq!(straight::put_length::<2>(&mut output, 7, 128), Err(Rejected));
    for (length, room) in [(0, 2), (5, 2), (127, 2), (128, 1), (300, 1), (16384, 1), (16384, 2), (70_000, 2)] {
        let content: Vec<u8> = (0..length).map(|at| (at % 253) as u8).collect();
        let wanted = [&[0xab][..], &written(|writer| put_number(writer, length as u64)), &content].concat();
        for size in 1 + room + length..wanted.len() + 3 {
            let mut output = vec![0xee; size];
            output[0] = 0xab;
            output[1 + room..1 + room + length].copy_from_slice(&content);
            let end = straight::close_elsewhere(&mut output, 1 + room, 1 + room + length, room);
            let fits = size >= wanted.len();
            assert_eq!(end, if fits { Ok(wanted.len()) } else { Err(Rejected) }, "{length} in {size}");
            assert!(!fits || output[..wanted.len()] == wanted, "{length} in {size}");
        }
    }
    // The octets written do not end inside the output.
    assert_eq!(straight::close_elsewhere(&mut [0; 4], 3, 5, 2), Err(Rejected));
    assert_eq!(straight::close_elsewhere(&mut [0; 200], 2, 201, 1), Err(Rejected));
}

#[test]
fn a_number_in_front_has_the_octets_it_was_given() {
    for (number, octets, wanted) in [
        (5, 1, Some(&[0xee, 0xee, 0xee, 5][..])),
        (5, 3, Some(&[0xee, 0, 0, 5])),
        (0x010203, 4, Some(&[0, 1, 2, 3])),
        (255, 1, Some(&[0xee, 0xee, 0xee, 255])),
        (256, 1, None),
        (1 << 24, 3, None),
        (1, 5, None),
        (0, 9, None),
    ] {
        let mut output = [0xee; 4];
        let put = straight::put_in_front(&mut output, 4, number, octets);
        assert_eq!(put.ok().map(|()| &output[..]), wanted, "{number} in {octets}");
    }
    assert_eq!(straight::put_in_front(&mut [0; 4], 5, 1, 1), Err(Rejected));
    assert_eq!(straight::split(&[1, 2, 3], 3), Ok((&[1, 2, 3][..], &[][..])));
    assert_eq!(straight::split(&[1, 2, 3], 0), Ok((&[][..], &[1, 2, 3][..])));
    assert_eq!(straight::split(&[1, 2, 3], 4), Err(Rejected));
}
