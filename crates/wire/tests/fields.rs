//! Fields and varints (Protocol Buffers, "Encoding").

use roadwire_wire::faults::fields as faults;
use roadwire_wire::rt::fields::{MOST_NUMBER, WireType, close, field, insert, key, read, straight, take, take_length};
use roadwire_wire::rt::tlv::Fault;
use roadwire_wire::{Fault as Words, Reader, Rejected};

const fn malformed(what: Words) -> Fault {
    Fault::Malformed(what)
}

const VARINTS: [(u64, &[u8]); 14] = [
    (0, &[0]),
    (1, &[1]),
    (127, &[0x7f]),
    (128, &[0x80, 1]),
    (150, &[0x96, 1]),
    (300, &[0xac, 2]),
    (16383, &[0xff, 0x7f]),
    (16384, &[0x80, 0x80, 1]),
    ((1 << 21) - 1, &[0xff, 0xff, 0x7f]),
    (1 << 28, &[0x80, 0x80, 0x80, 0x80, 1]),
    ((1 << 42) - 1, &[0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]),
    (1 << 42, &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1]),
    (1 << 63, &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1]),
    (u64::MAX, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
];

#[test]
fn varints_end_with_the_first_octet_below_128() {
    for (number, octets) in VARINTS {
        let longer = [octets, &[0xff]].concat();
        assert_eq!(read(&longer), Ok((number, octets.len())), "{number}");
        let mut reader = Reader::new(&longer);
        assert_eq!((take(&mut reader), reader.remaining()), (Ok(number), 8), "{number}");
        let wanted = usize::try_from(number).ok().filter(|length| *length <= usize::MAX >> 4);
        assert_eq!(take_length(&mut Reader::new(octets)).ok(), wanted, "{number}");
        for cut in 0..octets.len() {
            assert_eq!(read(&octets[..cut]), Err(Fault::Truncated), "{cut} of {number}");
            assert_eq!(take(&mut Reader::new(&octets[..cut])), Err(Rejected), "{cut} of {number}");
        }
    }
    for (octets, wanted) in [
        (&[0x80, 0][..], Ok((0, 2))),
        (&[0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0], Ok((1, 10))),
        (&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2], Err(malformed(faults::VARINT))),
        (&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0], Err(malformed(faults::VARINT))),
        (&[0x80; 9], Err(Fault::Truncated)),
        (&[0x80; 10], Err(malformed(faults::VARINT))),
    ] {
        assert_eq!(read(octets), wanted, "{octets:x?}");
        assert_eq!(take(&mut Reader::new(octets)).ok(), wanted.ok().map(|(number, _)| number), "{octets:x?}");
    }
    assert_eq!(take_length(&mut Reader::new(&[0xff; 3])), Err(Rejected));
    let greatest = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f];
    assert_eq!(take_length(&mut Reader::new(&greatest)), Ok(usize::MAX >> 4));
    assert_eq!(take_length(&mut Reader::new(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10])), Err(Rejected));
}

#[test]
fn keys_have_a_number_and_a_wire_type() {
    for (octets, number, wire_type) in [
        (&[0x08][..], 1, WireType::VARINT),
        (&[0x12], 2, WireType::DELIMITED),
        (&[0x7d], 15, WireType::FOUR_OCTETS),
        (&[0x81, 1], 16, WireType::EIGHT_OCTETS),
        (&[0x83, 0x80, 1], 2048, WireType::GROUP),
        (&[0xfc, 0xff, 0xff, 0xff, 0x0f], MOST_NUMBER, WireType::END_OF_GROUP),
        (&[0x88, 0], 1, WireType::VARINT),
    ] {
        assert_eq!(key(octets), Ok((number, wire_type, octets.len())), "{octets:x?}");
        for cut in 0..octets.len() {
            assert_eq!(key(&octets[..cut]), Err(Fault::Truncated), "{cut} of {octets:x?}");
        }
    }
    for (octets, wanted) in [
        (&[0x00][..], faults::NUMBER),
        (&[0x07], faults::NUMBER),
        (&[0x80, 0x80, 0x80, 0x80, 0x10], faults::NUMBER),
        (&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1], faults::NUMBER),
        (&[0x0e], faults::WIRE_TYPE),
        (&[0x0f], faults::WIRE_TYPE),
        (&[0x80; 10], faults::VARINT),
    ] {
        assert_eq!(key(octets), Err(malformed(wanted)), "{octets:x?}");
    }
}

#[test]
fn fields_end_with_their_value() {
    for octets in [
        &[0x08, 0][..],
        &[0x08, 0x96, 1],
        &[0x09, 1, 2, 3, 4, 5, 6, 7, 8],
        &[0x0d, 1, 2, 3, 4],
        &[0x12, 0],
        &[0x12, 3, 1, 2, 3],
        &[0x12, 0x83, 0, 1, 2, 3],
        &[0x0b, 0x0c],
        &[0x0b, 0x08, 1, 0x12, 1, 9, 0x0c],
        &[0x0b, 0x13, 0x0b, 0x0c, 0x14, 0x0c],
    ] {
        assert_eq!(field(&[octets, &[0xff, 0xff]].concat()), Ok(octets.len()), "{octets:x?}");
        for cut in 0..octets.len() {
            assert_eq!(field(&octets[..cut]), Err(Fault::Truncated), "{cut} of {octets:x?}");
        }
    }
    for (octets, wanted) in [
        (&[0x0c][..], faults::GROUP_END),
        (&[0x0b, 0x14], faults::GROUP_OTHER),
        (&[0x0b, 0x0e], faults::WIRE_TYPE),
        (&[0x0b, 0x00], faults::NUMBER),
        (&[0x08, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2], faults::VARINT),
    ] {
        assert_eq!(field(octets), Err(malformed(wanted)), "{octets:x?}");
    }
    let nested = |depth: usize| [vec![0x0b; depth], vec![0x0c; depth]].concat();
    assert_eq!(field(&nested(32)), Ok(64));
    assert_eq!(field(&nested(33)), Err(malformed(faults::LIMIT_GROUPS)));
}

#[test]
fn contents_move_where_their_length_is_long() {
    for (length, front) in
        [(0, &[0][..]), (127, &[127]), (128, &[0x80, 1]), (300, &[0xac, 2]), (16384, &[0x80, 0x80, 1])]
    {
        let content: Vec<u8> = (0..length).map(|at| (at % 253) as u8).collect();
        let wanted = [&[0xab], front, &content].concat();
        for room in 2 + length..wanted.len() + 3 {
            let mut output = vec![0xee; room];
            output[0] = 0xab;
            output[2..2 + length].copy_from_slice(&content);
            let mut other = output.clone();
            let end = close(&mut output, 2, 2 + length);
            let fits = room >= wanted.len();
            assert_eq!(end, if fits { Ok(wanted.len()) } else { Err(Rejected) }, "{length} in {room}");
            assert!(!fits || output[..wanted.len()] == wanted, "{length} in {room}");
            assert_eq!(insert(&mut other, 1, 2, 2 + length), end, "{length} in {room}");
            assert!(!fits || other[..wanted.len()] == wanted, "{length} in {room}");
        }
    }
    let mut output = [0xab, 0, 0, 0, 7, 8, 0xee];
    assert_eq!((insert(&mut output, 1, 4, 6), &output[..4]), (Ok(4), &[0xab, 2, 7, 8][..]), "moved to the front");
    assert_eq!((insert(&mut output, 2, 2, 4), &output[..5]), (Ok(5), &[0xab, 2, 2, 7, 8][..]), "moved behind");
    assert_eq!(insert(&mut output, 3, 2, 4), Err(Rejected), "the length is behind");
    assert_eq!(insert(&mut output, 1, 4, 3), Err(Rejected), "the end is in front");
    assert_eq!(insert(&mut output, 1, 4, 8), Err(Rejected), "beyond the output");
    assert_eq!(insert(&mut output, 4, 4, 7), Err(Rejected), "no room");
    assert_eq!(close(&mut output, 0, 2), Err(Rejected), "no place for the length");
}

/// Keys of one octet and of two, and of none.
const KEYS: [(u64, usize); 2] = [(0x08, 1), (0x01a0, 2)];

fn with_key(key: u64, octets: usize, rest: &[u8]) -> Vec<u8> {
    [&[0xab, 0xcd][..], &key.to_le_bytes()[..octets], rest].concat()
}

#[test]
fn straight_numbers_are_varints() {
    for (number, octets) in VARINTS {
        for (key, front) in KEYS {
            let wanted = with_key(key, front, octets);
            let end = wanted.len();
            let check = |put: Result<usize, Rejected>, output: &[u8]| {
                assert_eq!((put, &output[2..end]), (Ok(end), &wanted[2..]), "{number}");
            };
            let mut output = [0xee; 40];
            check(straight::put_long_number(&mut output, 2, key, front, number), &output);
            if octets.len() <= 6 {
                let mut output = [0xee; 40];
                check(straight::put_number::<42>(&mut output, 2, key, front, number), &output);
            }
            if octets.len() <= 2 {
                let mut output = [0xee; 40];
                check(straight::put_number::<14>(&mut output, 2, key, front, number), &output);
            }
            let mut longer = wanted.clone();
            longer.extend([0xff; 9]);
            for input in [&wanted, &longer] {
                let found: [_; 4] = [
                    straight::take_number::<1>(input, 2, key, front),
                    straight::take_number::<3>(input, 2, key, front),
                    straight::take_number::<5>(input, 2, key, front),
                    straight::take_number::<6>(input, 2, key, front),
                ];
                let wanted = if octets.len() <= 6 { Ok((end, number)) } else { Err(Rejected) };
                assert_eq!(found, [wanted; 4], "{number}");
                assert_eq!(straight::take_long_number(input, 2, key, front), Ok((end, number)), "{number}");
                let one = if octets.len() == 1 { Ok((end, number)) } else { Err(Rejected) };
                assert_eq!(straight::take_octet(input, 2, key, front), one, "{number}");
                assert!(straight::is_key(input, 2, key, front) && !straight::is_key(input, 1, key, front));
                for other in [key ^ 1, key ^ 0x80] {
                    assert!(!straight::is_key(input, 2, other, front), "{number}");
                    assert_eq!(straight::take_number::<6>(input, 2, other, front), Err(Rejected), "{number}");
                    assert_eq!(straight::take_long_number(input, 2, other, front), Err(Rejected), "{number}");
                    assert_eq!(straight::take_octet(input, 2, other, front), Err(Rejected), "{number}");
                }
            }
            for cut in 2 + front..end {
                assert_eq!(
                    straight::take_long_number(&wanted[..cut], 2, key, front),
                    Err(Rejected),
                    "{cut} of {number}"
                );
            }
        }
    }
    let mut output = [0; 16];
    assert_eq!(straight::put_number::<7>(&mut output, 0, 8, 1, 0xff), Ok(2), "bits beyond the most are left out");
    assert_eq!(output[..2], [8, 0x7f]);
    assert_eq!(straight::put_number::<14>(&mut [0; 7], 0, 8, 1, 1), Err(Rejected), "eight octets are stored");
    assert_eq!(straight::put_long_number(&mut [0; 10], 0, 8, 1, u64::MAX), Err(Rejected));
    assert_eq!(straight::put_long_number(&mut [0; 11], 0, 8, 1, u64::MAX), Ok(11));
}

#[test]
fn straight_contents_are_as_short_as_holds_them() {
    for (number, octets) in [
        (0i64, &[1, 0][..]),
        (-1, &[1, 0xff]),
        (127, &[1, 0x7f]),
        (128, &[2, 0, 0x80]),
        (-129, &[2, 0xff, 0x7f]),
        (i64::MAX, &[8, 0x7f, 255, 255, 255, 255, 255, 255, 255]),
        (i64::MIN, &[8, 0x80, 0, 0, 0, 0, 0, 0, 0]),
    ] {
        for (key, front) in KEYS {
            let wanted = with_key(key, front, octets);
            let mut output = [0xee; 40];
            let put = straight::put_contents(&mut output, 2, key, front, number);
            assert_eq!((put, &output[2..wanted.len()]), (Ok(wanted.len()), &wanted[2..]), "{number}");
            assert_eq!(straight::take_contents(&wanted, 2, key, front), Ok((wanted.len(), number)), "{number}");
            assert_eq!(straight::take_contents(&wanted, 2, key ^ 1, front), Err(Rejected), "{number}");
            for cut in 2..wanted.len() {
                assert_eq!(straight::take_contents(&wanted[..cut], 2, key, front), Err(Rejected), "{cut} of {number}");
            }
        }
    }
    for wrong in [&[8, 0][..], &[8, 2, 0, 0], &[8, 2, 0xff, 0xff], &[8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9]] {
        assert_eq!(straight::take_contents(wrong, 0, 8, 1), Err(Rejected), "{wrong:x?}");
    }
    assert_eq!(straight::put_contents(&mut [0; 9], 0, 8, 1, 0), Err(Rejected), "ten octets are stored");
    assert_eq!(straight::put_contents(&mut [0; 10], 0, 8, 1, 0), Ok(3));
}

#[test]
fn straight_strings_have_their_length_in_front() {
    for (length, octets) in [(0, &[0][..]), (5, &[5]), (127, &[127]), (128, &[0x80, 1]), (300, &[0xac, 2])] {
        for (key, front) in KEYS {
            let wanted = [with_key(key, front, octets), vec![7; length]].concat();
            let mut output = vec![0xee; wanted.len() + 20];
            let put = straight::put_string(&mut output, 2, key, front, &vec![7; length]);
            assert_eq!((put, &output[2..wanted.len()]), (Ok(wanted.len()), &wanted[2..]), "{length}");
            let start = wanted.len() - length;
            assert_eq!(straight::open(&wanted, 2, key, front), Ok((start, wanted.len())), "{length}");
            assert_eq!(straight::open(&wanted, 2, key ^ 1, front), Err(Rejected), "{length}");
            if length > 20 {
                let mut output = vec![0xee; wanted.len() - 1];
                assert_eq!(
                    straight::put_string(&mut output, 2, key, front, &vec![7; length]),
                    Err(Rejected),
                    "{length}"
                );
            }
        }
    }
    for (input, wanted) in [
        (&[8, 0x84, 0, 0][..], Ok((3, 7))),
        (&[8, 0x85, 0, 0], Err(Rejected)),
        (&[8, 0x80], Err(Rejected)),
        (&[8, 0x7f], Ok((2, 129))),
    ] {
        assert_eq!(straight::open(input, 0, 8, 1), wanted, "{input:x?}");
    }
    let input = [9, 0x09, 1, 2, 3, 4, 5, 6, 7, 0x88];
    assert_eq!(straight::take_eight(&input, 1, 9, 1), Ok((10, 0x8807_0605_0403_0201)));
    assert_eq!(straight::take_eight(&input, 1, 8, 1), Err(Rejected));
    assert_eq!(straight::take_eight(&input[..9], 1, 9, 1), Err(Rejected));
    let mut output = [0; 9];
    assert_eq!(
        (straight::put_word(&mut output, 1, 0x0807_0605_0403_0201, 3), output),
        (Ok(4), [0, 1, 2, 3, 4, 5, 6, 7, 8])
    );
}
