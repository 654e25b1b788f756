//! Data items in their deterministic form (RFC 8949 §4.2.1).

use roadwire_wire::faults::cbor as faults;
use roadwire_wire::rt::cbor::{
    DEEPEST, Fault, HALF, Head, close, half, head, head_octets, integer_octets, magnitude, put_head, shortest, skip,
    straight, value_of,
};
use roadwire_wire::{Rejected, Writer};

/// Heads with their number, of the major type 0.
const HEADS: [(u64, &[u8]); 12] = [
    (0, &[0x00]),
    (1, &[0x01]),
    (23, &[0x17]),
    (24, &[0x18, 24]),
    (0xff, &[0x18, 0xff]),
    (0x100, &[0x19, 1, 0]),
    (0xffff, &[0x19, 0xff, 0xff]),
    (0x1_0000, &[0x1a, 0, 1, 0, 0]),
    (0xffff_ffff, &[0x1a, 255, 255, 255, 255]),
    (0x1_0000_0000, &[0x1b, 0, 0, 0, 1, 0, 0, 0, 0]),
    (i64::MAX as u64, &[0x1b, 0x7f, 255, 255, 255, 255, 255, 255, 255]),
    (u64::MAX, &[0x1b, 255, 255, 255, 255, 255, 255, 255, 255]),
];

fn of_major(major: u8, octets: &[u8]) -> Vec<u8> {
    let mut octets = octets.to_vec();
    octets[0] |= major << 5;
    octets
}

/// RFC 8949 §3.
#[test]
fn heads_have_a_major_type_and_a_number() {
    for (number, octets) in HEADS {
        assert_eq!(head_octets(number), octets.len() as u64, "{number}");
        for major in 0..=6 {
            let octets = of_major(major, octets);
            for room in 0..octets.len() + 2 {
                let mut output = vec![0; room];
                let mut writer = Writer::new(&mut output);
                let end = put_head(&mut writer, major, number).and_then(|()| writer.finish_octets());
                let wanted = if room < octets.len() { Err(Rejected) } else { Ok(octets.len()) };
                assert_eq!(end, wanted, "{major} {number} in {room}");
                assert!(end.is_err() || output[..octets.len()] == octets, "{major} {number}");
            }
            let information = octets[0] & 0x1f;
            let wanted = Head { major, information, number, octets: octets.len() };
            assert_eq!(head(&[&octets[..], &[9]].concat()), Ok(wanted), "{major} {number}");
            for cut in 0..octets.len() {
                assert_eq!(head(&octets[..cut]), Err(Fault::Truncated), "{cut} of {octets:x?}");
            }
        }
    }
}

/// RFC 8949 §3, §3.3, §4.2.1.
#[test]
fn other_heads_are_refused() {
    for (octets, wanted) in [
        (&[0x18, 0][..], faults::HEAD_SHORTEST),
        (&[0x38, 23], faults::HEAD_SHORTEST),
        (&[0x59, 0, 255], faults::HEAD_SHORTEST),
        (&[0x9a, 0, 0, 255, 255], faults::HEAD_SHORTEST),
        (&[0xdb, 0, 0, 0, 0, 255, 255, 255, 255], faults::HEAD_SHORTEST),
        (&[0x1c], faults::HEAD),
        (&[0x3d], faults::HEAD),
        (&[0x5e], faults::HEAD),
        (&[0xfc], faults::HEAD),
        (&[0x1f], faults::HEAD),
        (&[0x3f], faults::HEAD),
        (&[0xdf], faults::HEAD),
        (&[0x5f], faults::INDEFINITE),
        (&[0x7f], faults::INDEFINITE),
        (&[0x9f], faults::INDEFINITE),
        (&[0xbf], faults::INDEFINITE),
        (&[0xff], faults::BREAK),
        (&[0xf8, 0], faults::SIMPLE),
        (&[0xf8, 31], faults::SIMPLE),
    ] {
        assert_eq!(head(octets), Err(Fault::Malformed(wanted)), "{octets:x?}");
        assert_eq!(skip(octets, 5), Err(Fault::Malformed(wanted)), "{octets:x?}");
    }
    // The bits of a float are not a number with a shorter form.
    for (octets, number) in [(&[0xf8, 32][..], 32), (&[0xf9, 0, 0], 0), (&[0xfa, 0, 0, 0, 1], 1), (&[0xf4], 20)] {
        assert_eq!(head(octets).map(|head| (head.number, head.octets)), Ok((number, octets.len())), "{octets:x?}");
    }
}

#[test]
fn integers_below_zero_are_written_by_their_complement() {
    for (value, wanted, octets) in [
        (0, 0, 1),
        (-1, 0, 1),
        (24, 24, 2),
        (-25, 24, 2),
        (-256, 255, 2),
        (-257, 256, 3),
        (i128::from(u64::MAX), u128::from(u64::MAX), 9),
        (-1 - i128::from(u64::MAX), u128::from(u64::MAX), 9),
        (1 << 64, 1 << 64, 11),
        ((1 << 72) - 1, (1 << 72) - 1, 11),
        (1 << 72, 1 << 72, 12),
        (i128::MAX, i128::MAX as u128, 18),
        (i128::MIN, i128::MAX as u128, 18),
    ] {
        assert_eq!((magnitude(value), integer_octets(value)), (wanted, octets), "{value}");
    }
}

#[test]
fn contents_move_where_their_length_is_long() {
    for (length, front) in
        [(0, &[0x40][..]), (1, &[0x41]), (23, &[0x57]), (24, &[0x58, 24]), (255, &[0x58, 255]), (256, &[0x59, 1, 0])]
    {
        let content: Vec<u8> = (0..length).map(|at| at as u8).collect();
        let wanted = [&[0xab], front, &content].concat();
        for room in 2 + length..wanted.len() + 3 {
            let mut output = vec![0xee; room];
            output[0] = 0xab;
            output[2..2 + length].copy_from_slice(&content);
            let end = close(&mut output, 2, 2 + length);
            let fits = room >= wanted.len();
            assert_eq!(end, if fits { Ok(wanted.len()) } else { Err(Rejected) }, "{length} in {room}");
            assert!(!fits || output[..wanted.len()] == wanted, "{length} in {room}");
        }
    }
    assert_eq!(close(&mut [0; 4], 0, 2), Err(Rejected), "no place for the head");
    assert_eq!(close(&mut [0; 40], 20, 50), Err(Rejected), "beyond the output");
    assert_eq!(close(&mut [0; 40], 20, 19), Err(Rejected), "the end is in front");
}

/// RFC 8949 §4.1, §4.2.2, Appendix A and D.
#[test]
fn floats_are_as_short_as_keeps_their_value() {
    for (value, information, bits) in [
        (2.0, HALF, 0x4000),
        (-2.0, HALF, 0xc000),
        (65504.0, HALF, 0x7bff),
        (65520.0, 26, 0x477f_f000),
        (2f64.powi(-14), HALF, 0x0400),
        (2f64.powi(-14) - 2f64.powi(-24), HALF, 0x03ff),
        (2f64.powi(-15), HALF, 0x0200),
        (2f64.powi(-24), HALF, 0x0001),
        (-2f64.powi(-24), HALF, 0x8001),
        (3.0 * 2f64.powi(-24), HALF, 0x0003),
        (3.0 * 2f64.powi(-25), 26, 0x33c0_0000),
        (2f64.powi(-25), 26, 0x3300_0000),
        (2f64.powi(-15) + 2f64.powi(-25), 26, 0x3800_2000),
        (1.0 + 2f64.powi(-10), HALF, 0x3c01),
        (1.0 + 2f64.powi(-11), 26, 0x3f80_1000),
        (1.0 + 2f64.powi(-23), 26, 0x3f80_0001),
        (1.0 + 2f64.powi(-24), 27, 0x3ff0_0000_1000_0000),
        (2f64.powi(16), 26, 0x4780_0000),
        (2f64.powi(-149), 26, 0x0000_0001),
        (2f64.powi(-150), 27, 0x3690_0000_0000_0000),
        (2f64.powi(128), 27, 0x47f0_0000_0000_0000),
        (f64::MAX, 27, 0x7fef_ffff_ffff_ffff),
    ] {
        let wanted = (information, bits, 16 << (information - HALF));
        assert_eq!(shortest(value), wanted, "{value:e}");
        assert_eq!(value_of(information, bits), Ok(value), "{value:e}");
        let front = 0xe0 | information;
        let octets = [&[front], &bits.to_be_bytes()[8 - wanted.2 as usize / 8..]].concat();
        assert_eq!(skip(&octets, 0), Ok(octets.len()), "{value:e}");
        let mut output = [0xee; 20];
        let end = straight::put_float(&mut output, 2, value).unwrap();
        assert_eq!(output[2..end], octets, "{value:e}");
        assert_eq!(straight::take_float(&output[..end], 2), Ok((end, value)), "{value:e}");
        for cut in 0..octets.len() {
            assert_eq!(straight::take_float(&output[..2 + cut], 2), Err(Rejected), "{cut} of {value:e}");
        }
    }
    for (bits, value) in
        [(0, 0.0), (0x3c00, 1.0), (0xfbff, -65504.0), (0x7c00, f64::INFINITY), (0xfc00, -f64::INFINITY)]
    {
        assert_eq!(half(bits), value, "{bits:x}");
    }
    assert!(half(0x7e00).is_nan() && half(0xfe01).is_nan() && half(0x8000).is_sign_negative());
    for (information, bits, wanted) in [
        (26, 0x3f80_0000, faults::FLOAT),
        (27, 0x3ff0_0000_0000_0000, faults::FLOAT),
        (27, 0x47ef_ffff_e000_0000, faults::FLOAT),
        (HALF, 0x7e01, faults::NAN),
        (HALF, 0xfe00, faults::NAN),
        (26, 0x7fc0_0000, faults::NAN),
        (27, 0x7ff8_0000_0000_0000, faults::NAN),
    ] {
        assert_eq!(value_of(information, bits), Err(Fault::Malformed(wanted)), "{bits:x}");
    }
    for octets in [&[0xfa, 0x3f, 0x80, 0, 0][..], &[0xf9, 0x7e, 1], &[0xf8, 0x80], &[0xf6], &[0x19, 1, 0]] {
        assert_eq!(straight::take_float(octets, 0), Err(Rejected), "{octets:x?}");
    }
    assert_eq!(straight::put_float(&mut [0; 8], 0, 1.5), Err(Rejected), "nine octets are stored");
    assert_eq!(straight::put_float(&mut [0; 9], 0, 1.5), Ok(3));
}

#[test]
fn items_that_nobody_knows_are_skipped() {
    for octets in [
        &[0x17][..],
        &[0x38, 0x63],
        &[0x40],
        &[0x58, 24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        &[0x64, 0xf0, 0x90, 0x80, 0x80],
        &[0x80],
        &[0x82, 0x81, 1, 0x80],
        &[0xa0],
        &[0xa1, 0x80, 0xa0],
        &[0xa3, 0, 1, 0x18, 24, 2, 0x20, 3],
        &[0xa2, 0x41, 9, 0xa1, 1, 0xa1, 1, 2, 0x42, 0, 0, 0],
        &[0xc0, 0x60],
        &[0xd8, 0x18, 0x41, 0],
        &[0xc2, 0x49, 1, 0, 0, 0, 0, 0, 0, 0, 0],
        &[0xc3, 0x49, 255, 0, 0, 0, 0, 0, 0, 0, 0],
        &[0xf4],
        &[0xe0],
        &[0xf8, 32],
        &[0xf9, 0x7e, 0],
    ] {
        assert_eq!(skip(&[octets, &[0xff]].concat(), 3), Ok(octets.len()), "{octets:x?}");
        for cut in 0..octets.len() {
            assert_eq!(skip(&octets[..cut], 3), Err(Fault::Truncated), "{cut} of {octets:x?}");
        }
    }
    for (octets, wanted) in [
        (&[0xa2, 0x61, 0x62, 0, 0x61, 0x61, 0][..], faults::KEY_ORDER),
        (&[0xa2, 0x41, 1, 0, 0x41, 1, 0], faults::KEY_ORDER),
        (&[0xa2, 0x20, 0, 0x18, 24, 0], faults::KEY_ORDER),
        (&[0xa1, 1, 0xa2, 5, 0, 4, 0], faults::KEY_ORDER),
        (&[0xc2, 0x48, 1, 2, 3, 4, 5, 6, 7, 8], faults::BIGNUM),
        (&[0xc3, 0x49, 0, 1, 2, 3, 4, 5, 6, 7, 8], faults::BIGNUM),
        (&[0xc2, 0x69, 1, 2, 3, 4, 5, 6, 7, 8, 9], faults::BIGNUM),
        (&[0x62, 0xc3, 0x28], faults::TEXT),
        (&[0x81, 0x61, 0x80], faults::TEXT),
        (&[0xfb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0], faults::FLOAT),
    ] {
        assert_eq!(skip(octets, 3), Err(Fault::Malformed(wanted)), "{octets:x?}");
    }
}

#[test]
fn nesting_has_a_limit() {
    for (open, octets) in [(0x81, 1), (0xc0, 1)] {
        for levels in [0, 1, 2, 99, 100] {
            let mut nested = vec![open; levels];
            nested.push(0);
            assert_eq!(skip(&nested, levels as u32), Ok(levels * octets + 1), "{levels}");
            nested.insert(0, open);
            assert_eq!(skip(&nested, levels as u32), Err(Fault::TooDeep), "{levels}");
        }
    }
    let mut nested = vec![0x81; DEEPEST as usize];
    nested.push(0);
    assert_eq!(skip(&nested, u32::MAX), Ok(101));
    nested.insert(0, 0x81);
    assert_eq!(skip(&nested, u32::MAX), Err(Fault::TooDeep));
    assert_eq!(skip(&[0x83, 0x81, 0, 0x81, 0, 0x81, 0], 2), Ok(7), "what has ended counts no more");
    assert_eq!(skip(&[0x80], 0), Ok(1), "nothing is inside");
    assert_eq!(skip(&[0x5b, 255, 255, 255, 255, 255, 255, 255, 255], 0), Err(Fault::Truncated));
}

#[test]
fn straight_heads_are_the_same() {
    for (number, octets) in HEADS {
        for major in 0..=6 {
            let (octets, front) = (of_major(major, octets), u64::from(major) << 5);
            let end = 2 + octets.len();
            let mut output = [0xee; 20];
            assert_eq!((straight::put_long(&mut output, 2, front, number), &output[2..end]), (Ok(end), &octets[..]));
            assert_eq!(straight::take_long(&output, 2, front), Ok((end, number)), "{octets:x?}");
            assert_eq!(straight::take_long(&output, 2, front ^ 0x20), Err(Rejected), "{octets:x?}");
        }
        let word = roadwire_wire::rt::window(octets, 0);
        let found: [Result<(u64, usize), Rejected>; 4] = [
            straight::take_head::<1>(word),
            straight::take_head::<2>(word),
            straight::take_head::<3>(word),
            straight::take_head::<5>(word),
        ];
        for (most, found) in [1, 2, 3, 5].into_iter().zip(found) {
            let wanted = if octets.len() <= most { Ok((number, octets.len())) } else { Err(Rejected) };
            assert_eq!(found, wanted, "{number} of {most}");
        }
        for number in [number as i64, !(number as i64)].into_iter().filter(|_| number <= i64::MAX as u64) {
            let octets = of_major(u8::from(number < 0), octets);
            let end = 2 + octets.len();
            let mut output = [0xee; 20];
            let put = straight::put_long_integer(&mut output, 2, number);
            assert_eq!((put, &output[2..end]), (Ok(end), &octets[..]), "{number}");
            assert_eq!(straight::take_long_integer(&output, 2), Ok((end, number)), "{number}");
            let word = roadwire_wire::rt::window(&octets, 0);
            let wanted = if octets.len() <= 5 { Ok((number, octets.len())) } else { Err(Rejected) };
            assert_eq!(straight::take_integer::<5>(word), wanted, "{number}");
            if octets.len() <= 5 {
                let (word, count) = straight::integer_word::<5>(number);
                assert_eq!(word.to_be_bytes()[..count], octets, "{number}");
            }
        }
    }
    for octets in [
        &[0x18, 23][..],
        &[0x19, 0, 0xff],
        &[0x1a, 0, 0, 0xff, 0xff],
        &[0x1b, 0, 0, 0, 0, 255, 255, 255, 255],
        &[0x1c],
        &[0x1f],
        &[0x40],
        &[0xff],
    ] {
        assert_eq!(straight::take_long(octets, 0, 0), Err(Rejected), "{octets:x?}");
        assert_eq!(straight::take_long_integer(octets, 0), Err(Rejected), "{octets:x?}");
    }
    assert_eq!(straight::take_long_integer(&[0x1b, 0x80, 0, 0, 0, 0, 0, 0, 0], 0), Err(Rejected));
    assert_eq!(straight::put_long(&mut [0; 8], 1, 0, 0), Err(Rejected), "eight octets are stored");
    assert_eq!(straight::put_long(&mut [0; 15], 7, 0, u64::MAX), Err(Rejected), "nine octets are stored");
    assert_eq!(straight::put_long(&mut [0; 16], 7, 0, u64::MAX), Ok(16));
}

#[test]
fn straight_octets_and_bits_are_the_same() {
    let mut output = [0xee; 24];
    assert_eq!((straight::put_array(&mut output, 1, &[1, 2]), output[..4] == [0xee, 1, 2, 0xee]), (Ok(3), true));
    assert_eq!(straight::put_array(&mut output, 23, &[1, 2]), Err(Rejected));
    assert_eq!((straight::put_word(&mut output, 1, 7 << 56, 1), output[1]), (Ok(2), 7));
    for (bits, count, octets) in [
        (0u64, 0u32, &[0x41, 0][..]),
        (1, 1, &[0x42, 7, 0x80]),
        (0b101, 3, &[0x42, 5, 0xa0]),
        (0xa5, 8, &[0x42, 0, 0xa5]),
        (0x1a5, 9, &[0x43, 7, 0xd2, 0x80]),
        (u64::MAX >> 1, 63, &[0x49, 1, 255, 255, 255, 255, 255, 255, 255, 254]),
        (u64::MAX, 64, &[0x49, 0, 255, 255, 255, 255, 255, 255, 255, 255]),
    ] {
        let end = 2 + octets.len();
        let mut output = [0xee; 24];
        let put = straight::put_bits(&mut output, 2, bits, count);
        assert_eq!((put, &output[2..end]), (Ok(end), octets), "{count}");
        assert_eq!(straight::take_bits(&output, 2), Ok((end, bits, count)), "{count}");
        assert_eq!(straight::take_bits(&output[..end], 2), Ok((end, bits, count)), "{count}");
    }
    for octets in [
        &[0x42, 7, 0x81][..],
        &[0x42, 7, 0xc0],
        &[0x43, 7, 0xd2, 0xc0],
        &[0x43, 1, 0xd2, 0x01],
        &[0x42, 8, 0],
        &[0x41, 1],
        &[0x40, 0],
        &[0x4a, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        &[0x62, 0, 1],
    ] {
        assert_eq!(straight::take_bits(octets, 0), Err(Rejected), "{octets:x?}");
    }
    assert_eq!(straight::put_bits(&mut [0; 9], 0, 1, 1), Err(Rejected), "ten octets are stored");
    let input = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    assert_eq!(straight::take_array::<3>(&input, 6), Ok((9, &[7, 8, 9])));
    assert_eq!(straight::take_array::<3>(&input, 7), Err(Rejected));
    assert_eq!(straight::take_slice(&input, 2, 3), Ok((5, &[3, 4, 5][..])));
    assert_eq!(
        (straight::take_slice(&input, 2, 8), straight::take_slice(&input, 10, 0)),
        (Err(Rejected), Err(Rejected))
    );
    for octets in 1..=8 {
        let word = input[1..=octets].iter().fold(0, |word, octet| word << 8 | u64::from(*octet));
        assert!(straight::is_next(&input, 1, word, octets), "{octets}");
        assert!(!straight::is_next(&input, 1, word + 1, octets), "{octets}");
        assert!(!straight::is_next(&input, 2, word, octets), "{octets}");
    }
    assert!(!straight::is_next(&input, 9, 0, 1));
}
