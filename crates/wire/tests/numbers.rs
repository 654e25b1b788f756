//! Whole and real numbers as octets (X.690 §8.3, §8.5) and as decimal digits.

use roadwire_wire::rt::decimal::{Decimal, parse_integer};
use roadwire_wire::rt::{RealContents, TwosComplement};
use roadwire_wire::{ErrorKind, faults};

/// X.690 §8.3.2, X.691 §11.3.6.
#[test]
fn whole_numbers_have_as_few_octets_as_hold_them() {
    for (value, octets) in [
        (0i128, &[0][..]),
        (1, &[1]),
        (127, &[0x7f]),
        (128, &[0, 0x80]),
        (255, &[0, 0xff]),
        (256, &[1, 0]),
        (32767, &[0x7f, 0xff]),
        (32768, &[0, 0x80, 0]),
        (-1, &[0xff]),
        (-128, &[0x80]),
        (-129, &[0xff, 0x7f]),
        (-32768, &[0x80, 0]),
        (-32769, &[0xff, 0x7f, 0xff]),
        (i128::from(i64::MIN), &[0x80, 0, 0, 0, 0, 0, 0, 0]),
        (i128::from(u64::MAX), &[0, 255, 255, 255, 255, 255, 255, 255, 255]),
    ] {
        assert_eq!(TwosComplement::signed(value).octets(), octets, "{value}");
        assert_eq!(TwosComplement::read_signed(octets), Some(value), "{value}");
        let unsigned = if octets.len() > 1 && octets[0] == 0 { &octets[1..] } else { octets };
        if value >= 0 {
            assert_eq!(TwosComplement::unsigned(value as u128).octets(), unsigned, "{value}");
            assert_eq!(TwosComplement::read_unsigned(unsigned), Some(value), "{value}");
        }
        for more in [1, 8, 20] {
            let fill = if value < 0 { 0xff } else { 0 };
            let padded = [&vec![fill; more][..], octets].concat();
            assert_eq!(TwosComplement::read_signed(&padded), Some(value), "{value} and {more} more");
            assert_eq!(TwosComplement::read_unsigned(&padded).is_some(), value >= 0 || octets.len() + more < 16);
        }
    }
    assert_eq!((TwosComplement::read_signed(&[]), TwosComplement::read_unsigned(&[])), (Some(0), Some(0)));
    for value in [i128::MAX, i128::MIN] {
        assert_eq!(TwosComplement::signed(value).octets(), value.to_be_bytes());
        assert_eq!(TwosComplement::read_signed(&value.to_be_bytes()), Some(value));
    }
    assert_eq!(TwosComplement::unsigned(u128::MAX).octets(), [0xff; 16]);
    assert_eq!(TwosComplement::read_unsigned(&i128::MAX.to_be_bytes()), Some(i128::MAX));
    for wide in [
        [&[0][..], &[0x80], &[0; 15]].concat(),
        [&[0xff][..], &[0x7f], &[0xff; 15]].concat(),
        [&[1][..], &[0; 16]].concat(),
        [&[0xfe][..], &[0xff; 16]].concat(),
        [&[0, 1][..], &[0; 16]].concat(),
        [&[0xff, 0][..], &[0xff; 16]].concat(),
    ] {
        assert_eq!(TwosComplement::read_signed(&wide), None, "{wide:x?}");
    }
    for wide in [[&[0x80][..], &[0; 15]].concat(), [&[1][..], &[0; 16]].concat(), vec![0xff; 16]] {
        assert_eq!(TwosComplement::read_unsigned(&wide), None, "{wide:x?}");
    }
}

const MALFORMED: ErrorKind = ErrorKind::Malformed(faults::shared::REAL);

/// X.690 §8.5, §11.3.1.
#[test]
fn reals_are_written_with_an_odd_mantissa() {
    for (value, octets) in [
        (0.0, &[][..]),
        (-0.0, &[0x43]),
        (f64::INFINITY, &[0x40]),
        (f64::NEG_INFINITY, &[0x41]),
        (1.0, &[0x80, 0, 1]),
        (-1.0, &[0xc0, 0, 1]),
        (0.5, &[0x80, 0xff, 1]),
        (10.0, &[0x80, 1, 5]),
        (256.0, &[0x80, 8, 1]),
        (255.0, &[0x80, 0, 0xff]),
        (1e10, &[0x80, 10, 0x95, 0x02, 0xf9]),
        (2f64.powi(127), &[0x80, 0x7f, 1]),
        (2f64.powi(128), &[0x81, 0, 0x80, 1]),
        (2f64.powi(-128), &[0x80, 0x80, 1]),
        (2f64.powi(-129), &[0x81, 0xff, 0x7f, 1]),
        (f64::from_bits(1), &[0x81, 0xfb, 0xce, 1]),
        (f64::from_bits(3), &[0x81, 0xfb, 0xce, 3]),
        (f64::MIN_POSITIVE, &[0x81, 0xfc, 0x02, 1]),
        (f64::MAX, &[0x81, 0x03, 0xcb, 0x1f, 255, 255, 255, 255, 255, 255]),
    ] {
        assert_eq!(RealContents::of(value).octets(), octets, "{value:e}");
        assert_eq!(RealContents::read(octets).map(f64::to_bits), Ok(value.to_bits()), "{value:e}");
    }
    assert_eq!(RealContents::of(f64::NAN).octets(), [0x42]);
    assert!(RealContents::read(&[0x42]).is_ok_and(f64::is_nan));
}

/// X.690 §8.5.7.
#[test]
fn reals_of_any_base_and_scale_are_read() {
    for (octets, value) in [
        (&[0x80, 0, 3][..], 3.0),
        (&[0x80, 0, 6], 6.0),
        (&[0x80, 0, 0, 0, 3], 3.0),
        (&[0x80, 0, 0], 0.0),
        (&[0x90, 1, 3], 24.0),
        (&[0xa0, 1, 3], 48.0),
        (&[0x90, 0xff, 3], 0.375),
        (&[0xa0, 0xff, 3], 0.1875),
        (&[0x84, 0, 3], 6.0),
        (&[0x88, 0, 3], 12.0),
        (&[0x8c, 0, 3], 24.0),
        (&[0xec, 1, 3], -384.0),
        (&[0xc0, 0, 3], -3.0),
        (&[0x81, 0, 1, 3], 6.0),
        (&[0x81, 0xff, 0xfe, 3], 0.75),
        (&[0x82, 0, 0, 1, 3], 6.0),
        (&[0x83, 1, 1, 3], 6.0),
        (&[0x83, 4, 0, 0, 0, 1, 3], 6.0),
        (&[0x80, 0, 1, 2, 3], 66051.0),
        (&[0x81, 0x03, 0xff, 1], 8.98846567431158e307),
    ] {
        assert_eq!(RealContents::read(octets), Ok(value), "{octets:x?}");
    }
    for octets in [
        &[0x80][..],
        &[0x80, 0],
        &[0x81, 0, 0],
        &[0x82, 0, 0, 0],
        &[0x83],
        &[0x83, 0, 1],
        &[0x83, 2, 0, 0],
        &[0xb0, 0, 1],
        &[0xf0, 0, 1],
        &[0x44],
        &[0x40, 0],
        &[0x41, 0],
        &[0x42, 0],
        &[0x43, 0],
        &[0x7f],
    ] {
        assert_eq!(RealContents::read(octets), Err(MALFORMED), "{octets:x?}");
    }
}

#[test]
fn reals_are_rounded_to_the_nearest_even_double() {
    let two = |power: i32| 2f64.powi(power);
    let mantissa = |octets: &[u8], more: &[u8]| RealContents::read(&[&[0x80, 0], octets, more].concat());
    for (octets, value) in [
        ([0x20, 0, 0, 0, 0, 0, 0], two(53)),
        ([0x20, 0, 0, 0, 0, 0, 1], two(53)),
        ([0x20, 0, 0, 0, 0, 0, 2], two(53) + 2.0),
        ([0x20, 0, 0, 0, 0, 0, 3], two(53) + 4.0),
        ([0x1f, 255, 255, 255, 255, 255, 255], two(53) - 1.0),
        ([0x3f, 255, 255, 255, 255, 255, 255], two(54)),
        ([0x3f, 255, 255, 255, 255, 255, 253], two(54) - 4.0),
        ([0x40, 0, 0, 0, 0, 0, 1], two(54)),
        ([0x40, 0, 0, 0, 0, 0, 2], two(54)),
        ([0x40, 0, 0, 0, 0, 0, 3], two(54) + 4.0),
        ([0x40, 0, 0, 0, 0, 0, 6], two(54) + 8.0),
    ] {
        assert_eq!(mantissa(&octets, &[]), Ok(value), "{octets:x?}");
        assert_eq!(mantissa(&octets, &[0; 30]), Ok(value * two(240)), "{octets:x?} and zeros");
    }
    // Only a distant digit shows whether a number is exactly halfway.
    let half = [0x20, 0, 0, 0, 0, 0, 1];
    for zeros in [0, 1, 7, 8, 9, 40] {
        let power = two(8 * (zeros + 1));
        assert_eq!(mantissa(&half, &[&vec![0; zeros as usize][..], &[0]].concat()), Ok(two(53) * power), "{zeros}");
        assert_eq!(
            mantissa(&half, &[&vec![0; zeros as usize][..], &[1]].concat()),
            Ok((two(53) + 2.0) * power),
            "{zeros}"
        );
    }
    for (octets, value) in [
        (&[0x81, 0xfb, 0xcd, 3][..], Ok(f64::from_bits(2))),
        (&[0x81, 0xfb, 0xcd, 5], Ok(f64::from_bits(2))),
        (&[0x81, 0xfb, 0xcc, 3], Ok(f64::from_bits(1))),
        (&[0x81, 0xfb, 0xcd, 1], Err(ErrorKind::RealWidth)),
        (&[0x81, 0xfb, 0xcc, 1], Err(ErrorKind::RealWidth)),
        (&[0xc1, 0xfb, 0xcc, 3], Ok(-f64::from_bits(1))),
        (&[0x81, 0xfb, 0xc0, 0x1f, 255, 255, 255, 255, 255, 255], Ok(f64::from_bits(1 << 39))),
        (&[0x81, 0x03, 0xcb, 0x1f, 255, 255, 255, 255, 255, 255], Ok(f64::MAX)),
        (&[0x81, 0x03, 0xca, 0x3f, 255, 255, 255, 255, 255, 255], Err(ErrorKind::RealWidth)),
        (&[0x81, 0x04, 0, 1], Err(ErrorKind::RealWidth)),
        (&[0xc1, 0x04, 0, 1], Err(ErrorKind::RealWidth)),
        (&[0x83, 8, 0x7f, 255, 255, 255, 255, 255, 255, 255, 1], Err(ErrorKind::RealWidth)),
        (&[0x83, 8, 0x80, 0, 0, 0, 0, 0, 0, 0, 1], Err(ErrorKind::RealWidth)),
        (&[0xa3, 8, 0x7f, 255, 255, 255, 255, 255, 255, 255, 0], Ok(0.0)),
        (&[0x81, 0x80, 0, 1], Err(ErrorKind::RealWidth)),
    ] {
        assert_eq!(RealContents::read(octets), value, "{octets:x?}");
    }
}

/// X.690 §8.5.8: ISO 6093.
#[test]
fn decimal_reals_have_one_of_three_forms() {
    for (octets, value) in [
        (&b"\x0115"[..], 15.0),
        (b"\x01  15", 15.0),
        (b"\x01-15", -15.0),
        (b"\x01+15", 15.0),
        (b"\x021.5", 1.5),
        (b"\x021,5", 1.5),
        (b"\x0315.E-1", 1.5),
        (b"\x03+15,0e+1", 150.0),
        (b"\x030.E+0", 0.0),
        (b"\x030.0E-999", 0.0),
        (b"\x032.2250738585072014E-308", f64::MIN_POSITIVE),
    ] {
        assert_eq!(RealContents::read(octets), Ok(value), "{}", octets.escape_ascii());
    }
    for (octets, kind) in [
        (&b"\x01"[..], MALFORMED),
        (b"\x01 ", MALFORMED),
        (b"\x0015", MALFORMED),
        (b"\x0415", MALFORMED),
        (b"\x3f15", MALFORMED),
        (b"\x011 5", MALFORMED),
        (b"\x0115 ", MALFORMED),
        (b"\x03inf", MALFORMED),
        (b"\x03NaN", MALFORMED),
        (b"\x031E", MALFORMED),
        (b"\x0115.", MALFORMED),
        (b"\x0115E3", MALFORMED),
        (b"\x0215", MALFORMED),
        (b"\x021.5E3", MALFORMED),
        (b"\x031.5", MALFORMED),
        (b"\x021.5.", MALFORMED),
        (b"\x01\xff", MALFORMED),
        (b"\x031.E+999", ErrorKind::RealWidth),
        (b"\x03-1.E+999", ErrorKind::RealWidth),
        (b"\x031.E-999", ErrorKind::RealWidth),
    ] {
        assert_eq!(RealContents::read(octets), Err(kind), "{}", octets.escape_ascii());
    }
    let long = |zeros: usize| [&[1][..], &vec![b'0'; zeros], b"7"].concat();
    assert_eq!((RealContents::read(&long(999)), RealContents::read(&long(1000))), (Ok(7.0), Err(MALFORMED)));
}

/// X.680 §21.
#[test]
fn a_real_is_a_product_within_its_bounds() {
    const ALL: (i64, i64) = (i64::MIN, i64::MAX);
    for (value, mantissas, exponents, is_one) in [
        (0.0, (0, 0), (5, 5), true),
        (0.0, (-1, 1), (5, 5), true),
        (0.0, (1, 9), ALL, false),
        (0.0, (-9, -1), ALL, false),
        (-0.0, (1, 9), (5, 5), true),
        (f64::NAN, (1, 9), (5, 5), true),
        (f64::INFINITY, (1, 9), (5, 5), true),
        (3.0, (3, 3), (0, 0), true),
        (3.0, (4, 9), (0, 0), false),
        (3.0, (1, 2), (0, 0), false),
        (3.0, (3, 3), (1, 9), false),
        (3.0, (3, 3), (-9, -1), false),
        (3.0, (6, 6), (-1, -1), true),
        (3.0, (6, 6), (-2, -2), false),
        (3.0, (12, 12), (-2, -2), true),
        (-3.0, (-3, -3), (0, 0), true),
        (-3.0, (3, 3), (0, 0), false),
        (-3.0, (-6, -6), (-1, -1), true),
        (6.0, (6, 6), (0, 0), true),
        (6.0, (3, 3), (1, 1), true),
        (1.0, (1 << 62, 1 << 62), (-62, -62), true),
        (1.0, ALL, (-63, -63), false),
        (-1.0, ALL, (-63, -63), true),
        (-1.0, ALL, (-64, -64), false),
        (0.75, (3, 3), (-2, -2), true),
    ] {
        assert_eq!(
            RealContents::is_product(value, mantissas, exponents),
            is_one,
            "{value} {mantissas:?} {exponents:?}"
        );
    }
}

#[test]
fn decimal_text_is_the_nearest_double() {
    for (text, value) in [
        ("1.5", Ok(1.5)),
        ("-2e3", Ok(-2000.0)),
        ("0.000e9", Ok(0.0)),
        ("0e5", Ok(0.0)),
        ("1e400", Err(ErrorKind::RealWidth)),
        ("1e-400", Err(ErrorKind::RealWidth)),
        ("0.0001e-400", Err(ErrorKind::RealWidth)),
        ("4.9e-324", Ok(f64::from_bits(1))),
        ("x", Err(ErrorKind::Text("not a real number"))),
        ("", Err(ErrorKind::Text("not a real number"))),
    ] {
        assert_eq!(RealContents::nearest(text), value, "{text}");
    }
}

#[test]
fn whole_numbers_have_decimal_digits() {
    let borders = (0..38).flat_map(|power| [10i128.pow(power) - 1, 10i128.pow(power), 10i128.pow(power) + 1]);
    let special =
        [i128::MAX, i128::from(u64::MAX), i128::from(u64::MAX) + 1, 10i128.pow(19) * 5, 90_071_992_547_409_910];
    for value in borders.chain(special).flat_map(|value| [value, -value]).chain([i128::MIN]) {
        let text = value.to_string();
        assert_eq!(Decimal::of(value).octets(), text.as_bytes());
        assert_eq!(parse_integer(text.as_bytes()), Some(value));
    }
    for (text, value) in [
        ("000000000000000000000000000000000000000000000007", Some(7)),
        ("-000000000000000000000000000000000000000000000007", Some(-7)),
        ("170141183460469231731687303715884105728", None),
        ("-170141183460469231731687303715884105729", None),
        ("1000000000000000000000000000000000000000", None),
        ("", Some(0)),
    ] {
        assert_eq!(parse_integer(text.as_bytes()), value, "{text}");
    }
}

#[cfg(feature = "alloc")]
mod wide {
    use roadwire_wire::rt::decimal::{MAX_DIGITS, MAX_OCTETS, parse_wide, wide_digits};

    #[test]
    fn wide_numbers_have_decimal_digits() {
        for (text, octets) in [
            ("0", &[0][..]),
            ("-1", &[0xff]),
            ("127", &[0x7f]),
            ("128", &[0, 0x80]),
            ("-128", &[0x80]),
            ("-129", &[0xff, 0x7f]),
            ("4294967295", &[0, 255, 255, 255, 255]),
            ("4294967296", &[1, 0, 0, 0, 0]),
            ("-4294967296", &[0xff, 0, 0, 0, 0]),
            ("999999999", &[0x3b, 0x9a, 0xc9, 0xff]),
            ("1000000000", &[0x3b, 0x9a, 0xca, 0]),
            ("18446744073709551616", &[1, 0, 0, 0, 0, 0, 0, 0, 0]),
            ("340282366920938463463374607431768211456", &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            ("-340282366920938463463374607431768211456", &[0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ] {
            assert_eq!(parse_wide(text.as_bytes()).as_deref(), Some(octets), "{text}");
            assert_eq!(wide_digits(octets).as_deref(), Some(text.as_bytes()), "{text}");
            let fill = if octets[0] & 0x80 != 0 { 0xff } else { 0 };
            for more in 1..6 {
                let padded = [&vec![fill; more][..], octets].concat();
                assert_eq!(wide_digits(&padded).as_deref(), Some(text.as_bytes()), "{text} in {more} octets more");
            }
        }
        assert_eq!((parse_wide(b"").as_deref(), parse_wide(b"-0").as_deref()), (Some(&[0][..]), Some(&[0][..])));
        assert_eq!(wide_digits(&[]).as_deref(), Some(&b"0"[..]));
        assert_eq!(parse_wide(b"-00000000000000000000128").as_deref(), Some(&[0x80][..]));
    }

    #[test]
    fn the_widest_numbers_have_4096_octets() {
        let mut octets = vec![0; MAX_OCTETS];
        octets[0] = 0x40;
        let digits = wide_digits(&octets).unwrap();
        assert_eq!(parse_wide(&digits).as_ref(), Some(&octets));
        octets.insert(0, 0);
        assert_eq!(wide_digits(&octets), None);
        let zeros = |count: usize| [vec![b'0'; count], b"7".to_vec()].concat();
        assert_eq!(parse_wide(&zeros(MAX_DIGITS - 1)).as_deref(), Some(&[7][..]));
        assert_eq!(parse_wide(&zeros(MAX_DIGITS)), None);
    }
}
