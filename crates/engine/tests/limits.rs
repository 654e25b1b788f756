//! What decoders and encoders take: a value at the limit passes, the next one is refused with a code and a place. `docs/limits.md` has the limits.

mod support;

use roadwire_layout::Rules;
use roadwire_model::{Integer, Oid, Value};
use roadwire_wire::ErrorKind;
use support::Codec;

/// Positive numbers in that many octets.
fn number(octets: usize) -> Integer {
    let mut number = vec![0x5a; octets];
    number[octets - 1] = 1;
    Integer::from_twos_complement(&number)
}

/// A relative object identifier of one arc with a number in that many octets.
fn arc(octets: usize) -> Oid {
    let mut contents = vec![0xff; (8 * octets - 1).div_ceil(7)];
    *contents.last_mut().unwrap() = 0x7f;
    Oid::from_contents(&contents).unwrap()
}

const TEXT: [Rules; 4] = [Rules::Xer, Rules::Cxer, Rules::Exer, Rules::Jer];

fn record(number: Integer, arc: Oid) -> Value {
    Value::sequence([Some(Value::Boolean(true)), Some(Value::Integer(number)), Some(Value::Oid(arc))])
}

#[test]
fn a_number_in_decimal_text_has_4096_octets() {
    for rules in TEXT {
        let codec = Codec::under(rules, "A ::= SEQUENCE { a BOOLEAN, b INTEGER, c RELATIVE-OID }").unwrap();
        let widest = record(number(4096), arc(4096));
        let text = codec.encode(&widest).unwrap();
        assert!(codec.decode(&text) == Ok(widest), "{rules}");
        for (value, path) in [(record(number(4097), arc(1)), "b"), (record(number(1), arc(4097)), "c")] {
            let error = roadwire_engine::encode_to_vec(&codec.layout, &value, 1 << 20).unwrap_err();
            assert_eq!((error.kind.code(), error.path.to_string().as_str()), ("limit.length", path), "{rules}");
        }
    }
}

#[test]
fn digits_beyond_4096_octets_are_refused_where_they_begin() {
    let text = |rules, b: &str, c: &str| match rules {
        Rules::Jer => format!("{{\"a\":true,\"b\":{b},\"c\":\"{c}\"}}"),
        _ => format!("<A><a><true/></a><b>{b}</b><c>{c}</c></A>"),
    };
    for rules in TEXT {
        let codec = Codec::under(rules, "A ::= SEQUENCE { a BOOLEAN, b INTEGER, c RELATIVE-OID }").unwrap();
        let decode = |text: &str| {
            let mut value = Value::Unset;
            let decoded = roadwire_engine::decode(&codec.layout, text.as_bytes(), &mut value);
            decoded.map_err(|error| (error.kind, error.bit / 8, error.path.to_string()))
        };
        // 2^32767 is between 7 and 8 with 9863 zeros behind.
        let widest = format!("7{}", "0".repeat(9863));
        assert_eq!(decode(&text(rules, &widest, &widest)).err(), None, "{rules}");
        for digits in [format!("8{}", "0".repeat(9863)), "1".repeat(9865), "1".repeat(1_000_000)] {
            for (text, path) in [(text(rules, &digits, "1"), "b"), (text(rules, "1", &digits), "c")] {
                let (kind, octet, found) = decode(&text).unwrap_err();
                assert!(matches!(kind, ErrorKind::TooLong { limit: 9864, .. }), "{rules}: {kind}");
                assert_eq!(found, path, "{rules}");
                assert!(text[octet..].trim_start_matches('"').starts_with(&digits), "{rules}: octet {octet}");
            }
        }
    }
}
