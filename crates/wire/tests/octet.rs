//! The primitive codings of the octet encoding rules (X.696 §8.6, §8.7, §10).

use roadwire_wire::rt::OctetReader;
use roadwire_wire::rt::octet::{
    close_open_type, is_open_type, length_octets, octets_of, put_length, put_signed, put_tag, put_unsigned,
    signed_octets_of, take_counted, take_counted_signed, take_counted_unsigned, take_length, take_tag, take_unsigned,
};
use roadwire_wire::{Reader, Rejected, Writer};

use super::support::written;

/// X.696 §8.6.
#[test]
fn lengths_are_short_up_to_127() {
    for (length, octets) in [
        (0, &[0][..]),
        (1, &[1]),
        (127, &[127]),
        (128, &[0x81, 128]),
        (255, &[0x81, 255]),
        (256, &[0x82, 1, 0]),
        (65535, &[0x82, 255, 255]),
        (65536, &[0x83, 1, 0, 0]),
        ((1 << 24) - 1, &[0x83, 255, 255, 255]),
        (1 << 24, &[0x84, 1, 0, 0, 0]),
        (1 << 32, &[0x85, 1, 0, 0, 0, 0]),
        ((1 << 56) - 1, &[0x87, 255, 255, 255, 255, 255, 255, 255]),
        (usize::MAX >> 4, &[0x88, 15, 255, 255, 255, 255, 255, 255, 255]),
    ] {
        assert_eq!(written(|writer| put_length(writer, length)), octets, "{length}");
        let mut reader = Reader::new(octets);
        assert_eq!((take_length(&mut reader), reader.remaining()), (Ok(length), 0), "{length}");
        let mut reader = OctetReader::new(octets);
        assert_eq!((reader.take_length(), reader.remaining()), (Ok(length), 0), "{length}");
        if length < 1 << 56 {
            let (word, bits) = length_octets(length as u64);
            assert_eq!(word.to_be_bytes()[8 - bits as usize / 8..], *octets, "{length}");
        }
        for cut in 0..octets.len() {
            assert_eq!(take_length(&mut Reader::new(&octets[..cut])), Err(Rejected), "{cut} octets of {length}");
            assert_eq!(OctetReader::new(&octets[..cut]).take_length(), Err(Rejected), "{cut} octets of {length}");
        }
    }
    for (octets, length) in [
        (&[0x81, 5][..], Ok(5)),
        (&[0x82, 0, 5], Ok(5)),
        (&[0x89, 0, 0, 0, 0, 0, 0, 0, 1, 0], Ok(256)),
        (&[0x80], Err(Rejected)),
        (&[0x88, 16, 0, 0, 0, 0, 0, 0, 0], Err(Rejected)),
        (&[0x89, 1, 0, 0, 0, 0, 0, 0, 0, 0], Err(Rejected)),
        (&[0xff, 0], Err(Rejected)),
    ] {
        assert_eq!(take_length(&mut Reader::new(octets)), length, "{octets:x?}");
        assert_eq!(OctetReader::new(octets).take_length(), length, "{octets:x?}");
    }
}

#[test]
fn octets_follow_their_length() {
    let mut reader = Reader::new(&[2, 7, 8, 0, 0x81, 1, 9, 3, 1]);
    assert_eq!((take_counted(&mut reader), take_counted(&mut reader)), (Ok(&[7, 8][..]), Ok(&[][..])));
    assert_eq!((take_counted(&mut reader), take_counted(&mut reader)), (Ok(&[9][..]), Err(Rejected)));
    for (octets, is_one) in
        [(&[0][..], true), (&[1, 9], true), (&[0x81, 1, 9], true), (&[], false), (&[1], false), (&[1, 9, 9], false)]
    {
        assert_eq!(is_open_type(octets), is_one, "{octets:x?}");
    }
}

/// X.696 §10.3, §10.4.
#[test]
fn numbers_have_as_few_octets_as_hold_them() {
    for (number, octets) in [
        (0i64, &[1, 0][..]),
        (1, &[1, 1]),
        (127, &[1, 0x7f]),
        (128, &[2, 0, 0x80]),
        (255, &[2, 0, 0xff]),
        (32767, &[2, 0x7f, 0xff]),
        (32768, &[3, 0, 0x80, 0]),
        (1 << 40, &[6, 1, 0, 0, 0, 0, 0]),
        (1 << 47, &[7, 0, 0x80, 0, 0, 0, 0, 0]),
        (i64::MAX, &[8, 0x7f, 255, 255, 255, 255, 255, 255, 255]),
        (-1, &[1, 0xff]),
        (-128, &[1, 0x80]),
        (-129, &[2, 0xff, 0x7f]),
        (-32768, &[2, 0x80, 0]),
        (-(1 << 47), &[6, 0x80, 0, 0, 0, 0, 0]),
        (-(1 << 47) - 1, &[7, 0xff, 0x7f, 255, 255, 255, 255, 255]),
        (-(1 << 55) - 1, &[8, 0xff, 0x7f, 255, 255, 255, 255, 255, 255]),
        (i64::MIN, &[8, 0x80, 0, 0, 0, 0, 0, 0, 0]),
    ] {
        assert_eq!(written(|writer| put_signed(writer, number)), octets, "{number}");
        assert_eq!(signed_octets_of(number) as usize, octets.len() - 1, "{number}");
        check_reads(octets, number, take_counted_signed, |reader| reader.take_counted_signed());
    }
    for (number, octets) in [
        (0u64, &[1, 0][..]),
        (255, &[1, 0xff]),
        (256, &[2, 1, 0]),
        (65535, &[2, 0xff, 0xff]),
        (65536, &[3, 1, 0, 0]),
        ((1 << 48) - 1, &[6, 255, 255, 255, 255, 255, 255]),
        (1 << 48, &[7, 1, 0, 0, 0, 0, 0, 0]),
        (1 << 56, &[8, 1, 0, 0, 0, 0, 0, 0, 0]),
        (u64::MAX, &[8, 255, 255, 255, 255, 255, 255, 255, 255]),
    ] {
        assert_eq!(written(|writer| put_unsigned(writer, number)), octets, "{number}");
        assert_eq!(octets_of(number) as usize, octets.len() - 1, "{number}");
        check_reads(octets, number, take_counted_unsigned, |reader| reader.take_counted_unsigned());
        check_reads(octets, number, take_counted_unsigned, |reader| reader.take_quantity());
    }
}

/// Whether both readers read a number to its end, with many octets after it and with none, and
/// refuse it where it is cut.
fn check_reads<T: PartialEq + std::fmt::Debug + Copy>(
    octets: &[u8],
    number: T,
    take: fn(&mut Reader<'_>) -> Result<T, Rejected>,
    other: fn(&mut OctetReader<'_>) -> Result<T, Rejected>,
) {
    for more in [0, 1, 20] {
        let mut longer = octets.to_vec();
        longer.resize(octets.len() + more, 0xaa);
        let mut reader = Reader::new(&longer);
        assert_eq!((take(&mut reader), reader.remaining()), (Ok(number), more * 8), "{octets:x?}");
        let mut reader = OctetReader::new(&longer);
        assert_eq!((other(&mut reader), reader.remaining()), (Ok(number), more), "{octets:x?}");
    }
    for cut in 0..octets.len() {
        assert_eq!(take(&mut Reader::new(&octets[..cut])), Err(Rejected), "{cut} of {octets:x?}");
        assert_eq!(other(&mut OctetReader::new(&octets[..cut])), Err(Rejected), "{cut} of {octets:x?}");
    }
}

#[test]
fn numbers_may_have_more_octets_than_they_need() {
    for (octets, unsigned, signed) in [
        (&[2, 0, 5][..], Ok(5), Ok(5)),
        (&[0x81, 1, 5], Ok(5), Ok(5)),
        (&[0x81, 2, 0xff, 0x85], Ok(0xff85), Ok(-123)),
        (&[9, 0, 1, 2, 3, 4, 5, 6, 7, 8], Ok(0x0102_0304_0506_0708), Err(Rejected)),
        (&[9, 1, 0, 0, 0, 0, 0, 0, 0, 0], Err(Rejected), Err(Rejected)),
        (&[0, 1], Err(Rejected), Err(Rejected)),
        (&[0x80, 1], Err(Rejected), Err(Rejected)),
        (&[0x81, 0, 1], Err(Rejected), Err(Rejected)),
    ] {
        assert_eq!(take_counted_unsigned(&mut Reader::new(octets)), unsigned, "{octets:x?}");
        assert_eq!(OctetReader::new(octets).take_counted_unsigned(), unsigned, "{octets:x?}");
        assert_eq!(OctetReader::new(octets).take_quantity(), unsigned, "{octets:x?}");
        assert_eq!(take_counted_signed(&mut Reader::new(octets)), signed, "{octets:x?}");
        assert_eq!(OctetReader::new(octets).take_counted_signed(), signed, "{octets:x?}");
    }
    let mut reader = Reader::new(&[0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]);
    assert_eq!((take_unsigned(&mut reader, 0), take_unsigned(&mut reader, 9)), (Ok(0), Ok(1)));
    assert_eq!((take_unsigned(&mut reader, 2), take_unsigned(&mut reader, 1)), (Ok(0x0203), Err(Rejected)));
    assert_eq!(take_unsigned(&mut Reader::new(&[1; 9]), 9), Err(Rejected));
}

/// X.696 §30.
#[test]
fn an_open_type_has_its_length_in_front() {
    for (length, front) in
        [(0, &[0][..]), (1, &[1]), (127, &[127]), (128, &[0x81, 128]), (256, &[0x82, 1, 0]), (65536, &[0x83, 1, 0, 0])]
    {
        let content: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
        let wanted = [&[0xab], front, &content, &[0xcd]].concat();
        for room in [wanted.len() - 1, wanted.len(), wanted.len() + 1] {
            let mut output = vec![0; room];
            let mut writer = Writer::new(&mut output);
            let put = writer.put(0xab00, 16).and_then(|()| writer.put_octets(&content));
            let put = put.and_then(|()| close_open_type(&mut writer, 8)).and_then(|()| writer.put(0xcd, 8));
            let end = put.and_then(|()| writer.finish_octets());
            assert_eq!(end.is_ok(), room >= wanted.len(), "{length} in {room}");
            assert!(end.is_err() || output[..wanted.len()] == wanted, "{length} in {room}");
        }
    }
    let mut output = [0; 4];
    let mut writer = Writer::new(&mut output);
    writer.put(0b101, 11).unwrap();
    close_open_type(&mut writer, 0).unwrap();
    assert_eq!((writer.finish(), output), (Ok(2), [1, 0b1010_0000, 0, 0]), "whole octets");
}

/// X.696 §8.7.
#[test]
fn tags_have_their_class_in_front() {
    for (class, number, octets) in [
        (0, 0, &[0x00][..]),
        (2, 1, &[0x81]),
        (1, 62, &[0x7e]),
        (3, 63, &[0xff, 63]),
        (2, 127, &[0xbf, 0x7f]),
        (2, 128, &[0xbf, 0x81, 0]),
        (0, 16383, &[0x3f, 0xff, 0x7f]),
        (1, 16384, &[0x7f, 0x81, 0x80, 0]),
        (2, (1 << 21) - 1, &[0xbf, 0xff, 0xff, 0x7f]),
        (2, 1 << 21, &[0xbf, 0x81, 0x80, 0x80, 0]),
        (2, 1 << 28, &[0xbf, 0x81, 0x80, 0x80, 0x80, 0]),
        (3, (1 << 30) - 1, &[0xff, 0x83, 0xff, 0xff, 0xff, 0x7f]),
    ] {
        let tag = class << 30 | number;
        assert_eq!(written(|writer| put_tag(writer, tag)), octets, "{class} {number}");
        let mut reader = Reader::new(octets);
        assert_eq!((take_tag(&mut reader), reader.remaining()), (Ok(tag), 0), "{class} {number}");
        for cut in 0..octets.len() {
            assert_eq!(take_tag(&mut Reader::new(&octets[..cut])), Err(Rejected), "{cut} of {octets:x?}");
        }
    }
    // Numbers below 63 are in the first octet.
    for wrong in
        [&[0x3f, 5][..], &[0xbf, 62], &[0x3f, 0x80, 1], &[0x3f, 0x80], &[0x3f, 0x84, 0x80, 0x80, 0x80, 0], &[0xff; 8]]
    {
        assert_eq!(take_tag(&mut Reader::new(wrong)), Err(Rejected), "{wrong:x?}");
    }
}
