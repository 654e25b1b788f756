//! REAL as a double: numbers beyond its range give the same error under all rules.

mod support;

use roadwire_engine::decode;
use roadwire_layout::Rules;
use roadwire_model::{Integer, Value};
use roadwire_wire::ErrorKind;
use support::Codec;

fn read(rules: Rules, octets: &[u8]) -> Result<f64, (ErrorKind, usize)> {
    let codec = Codec::under(rules, "A ::= REAL").unwrap();
    let mut value = Value::Unset;
    match (decode(&codec.layout, octets, &mut value).map_err(|error| (error.kind, error.bit)), value) {
        (Ok(_), Value::Real(real)) => Ok(real),
        (Err(error), _) => Err(error),
        (Ok(_), other) => panic!("{other:?}"),
    }
}

/// X.690 §8.5: contents octets, and the number if a double can hold it.
const CONTENTS: [(&[u8], Option<f64>); 17] = [
    (&[0x81, 0x03, 0xff, 1], Some(8.98846567431158e307)),
    (&[0x81, 0x04, 0x00, 1], None),
    (&[0xc1, 0x04, 0x00, 1], None),
    (&[0x81, 0x03, 0xcb, 0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], Some(f64::MAX)),
    // It would be rounded to 2^1024.
    (&[0x81, 0x03, 0xca, 0x3f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], None),
    // Base 16, a scale factor, an exponent of many octets.
    (&[0xa1, 0x01, 0x00, 1], None),
    (&[0x8d, 0x03, 0xfd, 1], None),
    (&[0x83, 9, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0, 1], None),
    (&[0x81, 0xfb, 0xce, 1], Some(5e-324)),
    (&[0x81, 0xfb, 0xcd, 1], None),
    (&[0xc1, 0x80, 0x00, 1], None),
    (&[0x81, 0x7f, 0xff, 0], Some(0.0)),
    (b"\x031.7E308", Some(1.7e308)),
    (b"\x031E309", None),
    (b"\x03-1.E-400", None),
    (b"\x030,0E999", Some(0.0)),
    (&[0x40], Some(f64::INFINITY)),
];

#[test]
fn contents_octets_beyond_a_double_are_refused() {
    use Rules::{Aper, Ber, Cer, Coer, Der, Oer, Uper};
    for (contents, number) in CONTENTS {
        for rules in [Uper, Aper, Oer, Coer, Ber, Cer, Der] {
            let head =
                if matches!(rules, Ber | Cer | Der) { &[9, contents.len() as u8][..] } else { &[contents.len() as u8] };
            let found = read(rules, &[head, contents].concat());
            assert_eq!(found, number.ok_or((ErrorKind::RealWidth, head.len() * 8)), "{rules}: {contents:02x?}");
        }
    }
}

/// EXI §7.1.4: a mantissa and an exponent of 10.
#[test]
fn a_float_beyond_a_double_is_refused_in_exi() {
    let numbers = [
        (17, 307, Some(1.7e308)),
        (18, 307, None),
        (-1, 309, None),
        (1, 16383, None),
        (5, -324, Some(5e-324)),
        (2, -324, None),
        (-1, -16383, None),
        (0, 16383, Some(0.0)),
        (1, -16384, Some(f64::INFINITY)),
    ];
    // Mandatory elements take no bits in strict EXI, so two numbers have the bits of a float.
    let pair = Codec::under(Rules::Exi, "A ::= SEQUENCE { mantissa INTEGER, exponent INTEGER }").unwrap();
    for (mantissa, exponent, number) in numbers {
        let value = Value::sequence([mantissa, exponent].map(|part: i32| Some(Value::Integer(Integer::from(part)))));
        let found = read(Rules::Exi, &pair.encode(&value).unwrap());
        assert_eq!(found.map_err(|(kind, _)| kind), number.ok_or(ErrorKind::RealWidth), "{mantissa}e{exponent}");
    }
}

#[test]
fn text_beyond_a_double_is_refused() {
    for (text, number) in [("1.7E308", Some(1.7e308)), ("1.8E308", None), ("-1E-400", None), ("0.0E999", Some(0.0))] {
        for rules in [Rules::Xer, Rules::Exer, Rules::Jer] {
            let (line, bit) = if rules == Rules::Jer { (text.to_owned(), 0) } else { (format!("<A>{text}</A>"), 24) };
            assert_eq!(read(rules, line.as_bytes()), number.ok_or((ErrorKind::RealWidth, bit)), "{rules}: {text}");
        }
    }
}
