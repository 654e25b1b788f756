//! Identifiers, lengths and values of one identifier octet (X.690 §8.1, §8.3, §8.6).

use roadwire_wire::faults::tlv as faults;
use roadwire_wire::rt::tlv::{
    CONSTRUCTED, Fault, Length, NUMBER, all_in, close, element, expect, identifier, identifier_octets, length,
    length_octets, one_octet, open, put_bits, put_long_number, put_number, put_octets, put_string, put_word, take_bits,
    take_long_number, take_number,
};
use roadwire_wire::{Fault as Words, Rejected};

const fn malformed(what: Words) -> Fault {
    Fault::Malformed(what)
}

/// X.690 §8.1.2.
#[test]
fn identifiers_have_their_class_in_front() {
    for (class, number, octets) in [
        (0, 0, &[0x00][..]),
        (0, 2, &[0x02]),
        (1, 16, &[0x30]),
        (4, 30, &[0x9e]),
        (7, 30, &[0xfe]),
        (0, 31, &[0x1f, 0x1f]),
        (5, 127, &[0xbf, 0x7f]),
        (2, 128, &[0x5f, 0x81, 0x00]),
        (0, 16383, &[0x1f, 0xff, 0x7f]),
        (3, 16384, &[0x7f, 0x81, 0x80, 0x00]),
        (0, (1 << 21) - 1, &[0x1f, 0xff, 0xff, 0x7f]),
        (0, 1 << 21, &[0x1f, 0x81, 0x80, 0x80, 0x00]),
        (0, (1 << 28) - 1, &[0x1f, 0xff, 0xff, 0xff, 0x7f]),
        (6, 1 << 28, &[0xdf, 0x81, 0x80, 0x80, 0x80, 0x00]),
        (7, NUMBER - 1, &[0xff, 0x81, 0xff, 0xff, 0xff, 0x7e]),
    ] {
        let wanted = class << 29 | number;
        assert_eq!(identifier_octets(wanted).as_slice(), octets, "{class} {number}");
        let longer = [octets, &[0xff, 0xff]].concat();
        assert_eq!(identifier(&longer), Ok((wanted, octets.len())), "{class} {number}");
        assert_eq!(wanted & CONSTRUCTED != 0, octets[0] & 0x20 != 0, "{class} {number}");
        for cut in 0..octets.len() {
            assert_eq!(identifier(&octets[..cut]), Err(Fault::Truncated), "{cut} octets of {octets:x?}");
        }
    }
    for (octets, wanted) in [
        (&[0x1f, 0x80, 0x1f][..], Err(malformed(faults::TAG_ZEROS))),
        (&[0x1f, 0x80], Err(malformed(faults::TAG_ZEROS))),
        (&[0x1f, 0x00], Err(malformed(faults::TAG_LOW))),
        (&[0x1f, 0x1e], Err(malformed(faults::TAG_LOW))),
        // Numbers that do not fit are one that no type has.
        (&[0x1f, 0x82, 0x80, 0x80, 0x80, 0x00], Ok((NUMBER, 6))),
        (&[0x3f, 0x81, 0x80, 0x80, 0x80, 0x80, 0x00], Ok((CONSTRUCTED | NUMBER, 7))),
        (&[0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], Ok((NUMBER, 9))),
    ] {
        assert_eq!(identifier(octets), wanted, "{octets:x?}");
    }
}

/// X.690 §8.1.3.
#[test]
fn lengths_are_short_long_or_indefinite() {
    for (value, octets) in [
        (0, &[0][..]),
        (1, &[1]),
        (127, &[127]),
        (128, &[0x81, 128]),
        (255, &[0x81, 255]),
        (256, &[0x82, 1, 0]),
        (65535, &[0x82, 255, 255]),
        (1 << 24, &[0x84, 1, 0, 0, 0]),
        (usize::MAX, &[0x88, 255, 255, 255, 255, 255, 255, 255, 255]),
    ] {
        assert_eq!(length_octets(value).as_slice(), octets, "{value}");
        let longer = [octets, &[0xff]].concat();
        assert_eq!(length(&longer), Ok((Length::Definite(value), octets.len())), "{value}");
        for cut in 0..octets.len() {
            assert_eq!(length(&octets[..cut]), Err(Fault::Truncated), "{cut} octets of {octets:x?}");
        }
    }
    for (octets, wanted) in [
        (&[0x81, 0][..], Ok((Length::Definite(0), 2))),
        (&[0x83, 0, 0, 7], Ok((Length::Definite(7), 4))),
        (&[0x8a, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2], Ok((Length::Definite(258), 11))),
        (&[0x89, 255, 255, 255, 255, 255, 255, 255, 255, 255], Ok((Length::Definite(usize::MAX), 10))),
        (&[0x80], Ok((Length::Indefinite, 1))),
        (&[0xff, 1, 1], Err(malformed(faults::LENGTH))),
        (&[0xfe, 1], Err(Fault::Truncated)),
    ] {
        assert_eq!(length(octets), wanted, "{octets:x?}");
    }
}

#[test]
fn elements_end_with_their_contents() {
    for octets in [
        &[0x05, 0][..],
        &[0x02, 1, 5],
        &[0x04, 0x81, 2, 7, 7],
        &[0x1f, 0x1f, 1, 9],
        &[0x30, 6, 2, 1, 5, 2, 1, 5],
        &[0x30, 0x80, 0, 0],
        &[0x30, 0x80, 2, 1, 5, 0xa0, 0x80, 5, 0, 0, 0, 4, 2, 0, 0, 0, 0],
    ] {
        let longer = [octets, &[9, 9, 9]].concat();
        assert_eq!(element(&longer), Ok(octets.len()), "{octets:x?}");
        for cut in 0..octets.len() {
            assert_eq!(element(&octets[..cut]), Err(Fault::Truncated), "{cut} octets of {octets:x?}");
        }
    }
    for (octets, wanted) in [
        (&[0x04, 0x80, 0, 0][..], faults::LENGTH_INDEFINITE),
        (&[0x00, 0x80, 0, 0], faults::LENGTH_INDEFINITE),
        (&[0, 0], faults::END_OF_CONTENTS),
        (&[0, 1, 1], faults::END_OF_CONTENTS),
        (&[0x30, 0x80, 0, 1, 1, 0, 0], faults::END_OF_CONTENTS),
        (&[0x30, 0x80, 2, 0xff], faults::LENGTH),
        (&[0x30, 0x80, 0x1f, 0x80], faults::TAG_ZEROS),
    ] {
        assert_eq!(element(octets), Err(malformed(wanted)), "{octets:x?}");
    }
}

#[test]
fn contents_move_where_their_length_is_long() {
    for (length, front) in
        [(0, &[0][..]), (1, &[1]), (127, &[127]), (128, &[0x81, 128]), (255, &[0x81, 255]), (256, &[0x82, 1, 0])]
    {
        let content: Vec<u8> = (0..length).map(|at| at as u8).collect();
        let wanted = [&[0xab, 0xcd], front, &content].concat();
        for room in 3 + length..wanted.len() + 3 {
            let mut output = vec![0xee; room];
            output[..2].copy_from_slice(&[0xab, 0xcd]);
            output[3..3 + length].copy_from_slice(&content);
            let end = close(&mut output, 3, 3 + length);
            assert_eq!(end, if room < wanted.len() { Err(Rejected) } else { Ok(wanted.len()) }, "{length} in {room}");
            assert!(end.is_err() || output[..wanted.len()] == wanted, "{length} in {room}");
            assert!(end.is_err() || output[wanted.len()..].iter().all(|octet| *octet == 0xee), "{length} in {room}");
        }
    }
    assert_eq!(close(&mut [0; 4], 0, 2), Err(Rejected), "no place for the length");
    assert_eq!(close(&mut [0; 4], 5, 5), Err(Rejected), "beyond the output");
}

/// X.690 §8.3.2.
#[test]
fn numbers_have_as_few_octets_as_hold_them() {
    for (number, octets) in [
        (0, &[2, 1, 0][..]),
        (127, &[2, 1, 0x7f]),
        (128, &[2, 2, 0, 0x80]),
        (255, &[2, 2, 0, 0xff]),
        (256, &[2, 2, 1, 0]),
        (65536, &[2, 3, 1, 0, 0]),
        (-1, &[2, 1, 0xff]),
        (-128, &[2, 1, 0x80]),
        (-129, &[2, 2, 0xff, 0x7f]),
        (-32769, &[2, 3, 0xff, 0x7f, 0xff]),
        ((1 << 47) - 1, &[2, 6, 0x7f, 255, 255, 255, 255, 255]),
        (-(1 << 47), &[2, 6, 0x80, 0, 0, 0, 0, 0]),
        (1 << 47, &[2, 7, 0, 0x80, 0, 0, 0, 0, 0]),
        (-(1 << 55) - 1, &[2, 8, 0xff, 0x7f, 255, 255, 255, 255, 255, 255]),
        (i64::MAX, &[2, 8, 0x7f, 255, 255, 255, 255, 255, 255, 255]),
        (i64::MIN, &[2, 8, 0x80, 0, 0, 0, 0, 0, 0, 0]),
    ] {
        let end = 3 + octets.len();
        let mut output = [0xee; 24];
        assert_eq!((put_long_number(&mut output, 3, 2, number), &output[3..end]), (Ok(end), octets), "{number}");
        let input = [&[9, 9, 9], octets].concat();
        assert_eq!(take_long_number(&input, 3, 2), Ok((end, number)), "{number}");
        assert_eq!(take_long_number(&input, 3, 0x82), Err(Rejected), "{number}");
        assert_eq!(take_number::<6>(&input, 3, 0x82), Err(Rejected), "{number}");
        let short = octets.len() <= 8;
        assert_eq!(take_number::<6>(&input, 3, 2).ok(), Some((end, number)).filter(|_| short), "{number}");
        assert_eq!(take_number::<2>(&input, 3, 2).is_ok(), octets.len() <= 4, "{number}");
        if short {
            let mut output = [0xee; 24];
            assert_eq!((put_number::<6, true>(&mut output, 3, 2, number), &output[3..end]), (Ok(end), octets));
            let mut output = [0xee; 24];
            let put = put_number::<6, false>(&mut output, 3, 2, number);
            assert!(number < 0 || (put, &output[3..end]) == (Ok(end), octets), "{number}");
        }
    }
    for wrong in [
        &[2, 0][..],
        &[2, 2, 0, 0x7f],
        &[2, 2, 0xff, 0x80],
        &[2, 3, 0, 0, 0x80],
        &[2, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        &[2, 0x81, 1],
        &[3, 1, 1],
    ] {
        assert_eq!(take_number::<6>(wrong, 0, 2), Err(Rejected), "{wrong:x?}");
        assert_eq!(take_long_number(wrong, 0, 2), Err(Rejected), "{wrong:x?}");
    }
    assert_eq!(put_number::<6, true>(&mut [0; 10], 3, 2, 0), Err(Rejected), "eight octets are stored");
    assert_eq!(put_number::<6, true>(&mut [0; 11], 3, 2, 0), Ok(6));
    assert_eq!(put_long_number(&mut [0; 9], 0, 2, 0), Err(Rejected), "ten octets are stored");
    assert_eq!(put_long_number(&mut [0; 10], 0, 2, 0), Ok(3));
}

/// X.690 §8.6.2, §11.2.2.
#[test]
fn bits_have_the_number_of_unused_ones_in_front() {
    for (bits, count, least, octets) in [
        (0, 0, u64::MAX, &[3, 1, 0][..]),
        (1, 1, u64::MAX, &[3, 2, 7, 0x80]),
        (0b101, 3, u64::MAX, &[3, 2, 5, 0xa0]),
        (0xa5, 8, u64::MAX, &[3, 2, 0, 0xa5]),
        (0x1a5, 9, u64::MAX, &[3, 3, 7, 0xd2, 0x80]),
        (0xff_ffff_ffff, 40, u64::MAX, &[3, 6, 0, 255, 255, 255, 255, 255]),
        (1, 40, 0, &[3, 6, 0, 0, 0, 0, 0, 1]),
        (0b1000_0000, 8, 0, &[3, 2, 7, 0x80]),
        (0b1000_0000, 8, 3, &[3, 2, 5, 0x80]),
        (0b1000_0000, 8, 8, &[3, 2, 0, 0x80]),
        (0b1010_0000, 8, 1, &[3, 2, 5, 0xa0]),
        (0, 8, 0, &[3, 1, 0]),
        (0, 8, 5, &[3, 2, 3, 0]),
        (0x8000, 16, 9, &[3, 3, 7, 0x80, 0]),
    ] {
        let end = 2 + octets.len();
        let mut output = [0xee; 16];
        let put = put_bits(&mut output, 2, 3, bits, count, least);
        assert_eq!((put, &output[2..end]), (Ok(end), octets), "{bits:b} of {count}");
        let kept = (octets.len() as u32 - 3) * 8 - u32::from(octets[2]);
        let wanted = Ok((end, bits >> (count - kept), kept));
        let kept = u64::from(kept);
        assert_eq!(take_bits(&output, 2, 3, kept, kept), wanted, "{octets:x?}");
        assert_eq!(take_bits(&output[..end], 2, 3, 0, 40), wanted, "{octets:x?}");
        assert_eq!(take_bits(&output, 2, 4, 0, 40), Err(Rejected), "{octets:x?}");
        assert_eq!(take_bits(&output, 2, 3, kept + 1, 50), Err(Rejected), "{octets:x?}");
        assert!(kept == 0 || take_bits(&output, 2, 3, 0, kept - 1).is_err(), "{octets:x?}");
    }
    for wrong in [&[3, 0, 0, 0][..], &[3, 7, 0, 1, 2, 3, 4, 5, 6], &[3, 2, 8, 0], &[3, 1, 1], &[3, 0x82, 0, 1]] {
        assert_eq!(take_bits(wrong, 0, 3, 0, 48), Err(Rejected), "{wrong:x?}");
    }
    assert_eq!(put_bits(&mut [0; 7], 0, 3, 1, 1, 0), Err(Rejected), "eight octets are stored");
}

#[test]
fn values_begin_with_their_identifier() {
    let input = [9, 0x30, 3, 1, 1, 0xff, 0x81, 2, 0, 0];
    assert_eq!((expect(&input, 1, [0x30, 3]), expect(&input, 1, [0x30, 4])), (Ok(3), Err(Rejected)));
    assert_eq!((expect(&input, 8, [0, 0]), expect(&input, 9, [0, 0])), (Ok(10), Err(Rejected)));
    assert_eq!((open(&input, 1, 0x30), open(&input, 1, 0x31)), (Ok((3, 6)), Err(Rejected)));
    assert_eq!((one_octet(&input, 3, 1), one_octet(&input, 3, 2)), (Ok((6, 0xff)), Err(Rejected)));
    assert_eq!((one_octet(&input, 6, 0x81), one_octet(&input, 8, 0)), (Err(Rejected), Err(Rejected)));
    assert_eq!((open(&input, 9, 0), open(&input, 10, 0)), (Err(Rejected), Err(Rejected)));
    for (octets, wanted) in [
        (&[4, 0x7f][..], Ok((2, 129))),
        (&[4, 0x81, 3, 0, 0, 0], Ok((3, 6))),
        (&[4, 0x82, 0, 6, 0, 0], Ok((4, 10))),
        (&[4, 0x82, 0, 7, 0, 0], Err(Rejected)),
        (&[4, 0x80, 0, 0], Err(Rejected)),
        (&[4, 0xff, 0, 0], Err(Rejected)),
        (&[4, 0x82, 0], Err(Rejected)),
        (&[5, 0x81, 1, 0], Err(Rejected)),
    ] {
        assert_eq!(open(octets, 0, 4), wanted, "{octets:x?}");
        let behind = [&[7, 7], octets].concat();
        if octets != [4, 0x82, 0, 7, 0, 0] {
            let wanted = wanted.map(|(start, end)| (start + 2, end + 2));
            assert_eq!(open(&behind, 2, 4), wanted, "{octets:x?} behind two");
        }
    }
}

#[test]
fn strings_have_their_length_in_front() {
    for (length, front) in
        [(0, &[4, 0][..]), (5, &[4, 5]), (127, &[4, 127]), (128, &[4, 0x81, 128]), (300, &[4, 0x82, 1, 44])]
    {
        let content = vec![7; length];
        let wanted = [front, &content].concat();
        for room in 0..wanted.len() + 4 {
            let mut output = vec![0; room];
            let end = put_string(&mut output, 2, 4, &content);
            assert_eq!(end, if room < wanted.len() + 2 { Err(Rejected) } else { Ok(wanted.len() + 2) }, "{length}");
            assert!(end.is_err() || output[2..wanted.len() + 2] == wanted, "{length} in {room}");
        }
    }
    let mut output = [0; 9];
    assert_eq!(put_word(&mut output, 1, 0x0102_0304_0506_0708, 3), Ok(4));
    assert_eq!(output, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(put_word(&mut output, 2, 0, 1), Err(Rejected));
    assert_eq!((put_octets(&mut output, 7, &[9, 9]), output[7]), (Ok(9), 9));
}

#[test]
fn octets_are_in_an_alphabet_of_ascii() {
    const LETTERS: &[u32] = &[0x30, 0x39, 0x41, 0xff];
    for (octets, is_in) in
        [(&b""[..], true), (b"A09", true), (b"A\x7f", true), (b"A\x80", false), (b"a@", false), (b"/", false)]
    {
        assert_eq!(all_in(octets, LETTERS), is_in, "{octets:x?}");
    }
}
