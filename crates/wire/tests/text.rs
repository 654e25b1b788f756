//! Text of straight-line code: constants, numbers and hexadecimal digits.

use roadwire_wire::Rejected;
use roadwire_wire::rt::text::{TextReader, TextWriter, fill, fits, octet_of};

/// The text that is written into an output of this size.
fn written(room: usize, write: impl FnOnce(&mut TextWriter<'_>) -> Result<(), Rejected>) -> Result<String, Rejected> {
    let mut output = vec![b'#'; room];
    let mut writer = TextWriter::new(&mut output);
    let result = write(&mut writer);
    let end = writer.position();
    assert!(output[end..].iter().all(|octet| *octet == b'#') || result.is_err(), "nothing behind the end");
    result.map(|()| String::from_utf8(output[..end].to_vec()).unwrap())
}

/// Checks what is written, and that an output that is one octet smaller is refused.
fn check(wanted: &str, write: impl Fn(&mut TextWriter<'_>) -> Result<(), Rejected>) {
    for more in [0, 1, 40] {
        assert_eq!(written(wanted.len() + more, &write).as_deref(), Ok(wanted));
    }
    for room in 0..wanted.len() {
        assert_eq!(written(room, &write), Err(Rejected), "{wanted} in {room}");
    }
}

#[test]
fn constants_are_written_one_after_the_other() {
    check("ab1cde", |writer| {
        writer.put(b"ab")?;
        writer.put_slice(b"1c")?;
        writer.put_slice(b"")?;
        writer.put(b"de")
    });
}

#[test]
fn numbers_are_written_in_their_digits() {
    let borders = (0..20).flat_map(|power| [10u64.pow(power) - 1, 10u64.pow(power), 10u64.pow(power) + 1]);
    for number in borders.chain([0, 37, 254, 65_535, 1_234_567, 9_080_706_050_403_020_100, u64::MAX]) {
        check(&number.to_string(), |writer| writer.put_unsigned(number));
        let text = format!("[{number},");
        let write = |writer: &mut TextWriter<'_>| {
            writer.put(b"[")?;
            writer.put_unsigned(number)?;
            writer.put(b",")
        };
        check(&text, write);
    }
    for number in [0, 1, -1, 9, -9, 10, -10, 99, -100, 12_345, -12_345, i64::MAX, i64::MIN] {
        check(&number.to_string(), |writer| writer.put_signed(number));
        check(&number.to_string(), |writer| writer.put_integer(number.into()));
    }
    for number in [i128::MIN, i128::from(i64::MIN) - 1, i128::from(i64::MAX) + 1, i128::MAX] {
        check(&number.to_string(), |writer| writer.put_integer(number));
    }
}

#[test]
fn numbers_are_read_as_encoders_write_them() {
    for (text, unsigned, signed) in [
        ("0", Some(0), Some(0)),
        ("7,", Some(7), Some(7)),
        ("10}", Some(10), Some(10)),
        ("1200]", Some(1200), Some(1200)),
        ("9223372036854775807", Some(9_223_372_036_854_775_807), Some(i64::MAX)),
        ("9223372036854775808", Some(9_223_372_036_854_775_808), None),
        ("9999999999999999999", Some(9_999_999_999_999_999_999), None),
        ("10000000000000000000", Some(10_000_000_000_000_000_000), None),
        ("18446744073709551615", Some(u64::MAX), None),
        ("18446744073709551616", None, None),
        ("19999999999999999999", None, None),
        ("28446744073709551616", None, None),
        ("110000000000000000000", None, None),
        ("-1", None, Some(-1)),
        ("-120/", None, Some(-120)),
        ("-9223372036854775807", None, Some(-i64::MAX)),
        ("-9223372036854775808", None, Some(i64::MIN)),
        ("-9223372036854775809", None, None),
        ("-0", None, None),
        ("--1", None, None),
        ("00", None, None),
        ("01", None, None),
        ("-01", None, None),
        ("", None, None),
        ("-", None, None),
        ("x", None, None),
        (":", None, None),
        ("/", None, None),
    ] {
        let end = text.find([',', '}', ']', '/']).unwrap_or(text.len());
        let mut reader = TextReader::new(text.as_bytes());
        assert_eq!(reader.take_unsigned().ok(), unsigned, "{text}");
        assert!(unsigned.is_none() || TextReader::new(&text.as_bytes()[..end]).take_unsigned().ok() == unsigned);
        assert!(unsigned.is_none() || reader.finish().is_ok() == (end == text.len()), "{text}");
        let mut reader = TextReader::new(text.as_bytes());
        assert_eq!(reader.take_signed().ok(), signed, "{text}");
        assert!(signed.is_none() || reader.finish().is_ok() == (end == text.len()), "{text}");
    }
    let mut reader = TextReader::new(b"12,-34;");
    assert_eq!((reader.take_unsigned(), reader.accept(b","), reader.take_signed()), (Ok(12), true, Ok(-34)));
    assert_eq!(reader.expect(b";"), Ok(()));
    assert_eq!(reader.finish(), Ok(56));
}

#[test]
fn constants_are_skipped_if_they_come_next() {
    let mut reader = TextReader::new(b"{\"a\":true,false");
    assert!(!reader.accept(b"[") && reader.accept(b"{"));
    assert_eq!((reader.expect(b"\"b\":"), reader.expect(b"\"a\":")), (Err(Rejected), Ok(())));
    assert_eq!((reader.take_truth(), reader.take_truth()), (Ok(true), Err(Rejected)));
    assert!(reader.accept(b","));
    assert_eq!(reader.finish(), Err(Rejected), "something follows");
    assert!(!{ reader }.accept(b"falsehood"), "the text ends");
    assert_eq!((reader.take_truth(), reader.finish()), (Ok(false), Ok(120)));
    assert!(!reader.accept(b"x") && reader.accept(b""));
    assert_eq!(TextReader::default().finish(), Ok(0));
}

#[test]
fn octets_have_two_digits_each() {
    for octet in 0..=255u8 {
        let digits = octet_of(octet);
        assert_eq!(digits, *format!("{octet:02X}").as_bytes());
        let mut read = [!octet];
        assert_eq!((fill(&digits, &mut read), read), (Ok(()), [octet]));
        assert_eq!((fill(&digits.map(|digit| digit.to_ascii_lowercase()), &mut read), read), (Ok(()), [octet]));
    }
    for other in (0..=255u8).filter(|other| !other.is_ascii_hexdigit()) {
        for digits in [[other, b'0'], [b'0', other], [b'F', other], [other, b'F']] {
            assert_eq!(fill(&digits, &mut [0]), Err(Rejected), "{other}");
            assert_eq!(fill(&[b'1', b'2', digits[0], digits[1], b'3', b'4'], &mut [0; 3]), Err(Rejected), "{other}");
        }
    }
    let mut octets = [0; 2];
    assert_eq!((fill(b"01aF", &mut octets), octets), (Ok(()), [0x01, 0xaf]));
    for digits in [&b""[..], b"01", b"012", b"01234", b"012345"] {
        assert_eq!(fill(digits, &mut octets), Err(Rejected), "{digits:?}");
    }
    assert_eq!(fill(b"", &mut []), Ok(()));
}

#[test]
fn a_text_fits_its_size_and_alphabet() {
    const LETTERS: &[u32] = &[0x41, 0x5a, 0x4e00, 0x9fff];
    for (text, lower, upper, alphabet, wanted) in [
        ("", 0, 0, LETTERS, true),
        ("", 1, 2, LETTERS, false),
        ("AZ", 1, 2, LETTERS, true),
        ("AZ", 2, 2, LETTERS, true),
        ("AZ", 3, 3, LETTERS, false),
        ("AZB", 1, 2, LETTERS, false),
        ("道", 1, 1, LETTERS, true),
        ("@", 1, 1, LETTERS, false),
        ("[", 1, 1, LETTERS, false),
        ("A[", 0, 9, LETTERS, false),
        ("ä[", 2, 2, &[], true),
    ] {
        assert_eq!(fits(text, lower, upper, alphabet), wanted, "{text} in {lower}..{upper}");
    }
}
