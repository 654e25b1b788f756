//! Limits of decoders and encoders: a value at the limit is accepted, the next one is refused with
//! a code and a position. `docs/limits.md` lists the limits.

mod support;

use roadwire_engine::{Limits, decode_with};
use roadwire_layout::Rules;
use roadwire_model::{Integer, Oid, Value};
use roadwire_wire::{Data, ErrorKind};
use support::Codec;

/// Positive numbers of `octets` octets.
fn number(octets: usize) -> Integer {
    let mut number = vec![0x5a; octets];
    number[octets - 1] = 1;
    Integer::from_twos_complement(&number)
}

/// A relative object identifier with one arc, a number of `octets` octets.
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
    let text = |rules, b: &str, c: &str| {
        if rules == Rules::Jer {
            return format!("{{\"a\":true,\"b\":{b},\"c\":\"{c}\"}}");
        }
        format!("<A><a><true/></a><b>{b}</b><c>{c}</c></A>")
    };
    for rules in TEXT {
        let codec = Codec::under(rules, "A ::= SEQUENCE { a BOOLEAN, b INTEGER, c RELATIVE-OID }").unwrap();
        let decode = |text: &str| {
            let mut value = Value::Unset;
            let decoded = roadwire_engine::decode(&codec.layout, text.as_bytes(), &mut value);
            decoded.map_err(|error| (error.kind, error.bit / 8, error.path.to_string()))
        };
        // 2^32767 is between 7 and 8 times 10^9863.
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

/// Rules that a type without tables, and with tags, has a layout for.
fn all_rules() -> impl Iterator<Item = Rules> {
    Rules::ALL.into_iter().filter(|rules| *rules != Rules::Tls)
}

/// Errors of limits have a path, and a bit that is inside the input.
fn refusal(codec: &Codec, octets: &[u8], limits: &Limits) -> Option<(ErrorKind, String, bool)> {
    let refused = decode_with(&codec.layout, octets, &mut Value::Unset, limits, &mut ()).err()?;
    Some((refused.kind, refused.path.to_string(), refused.bit <= octets.len() * 8))
}

#[test]
fn values_nest_100_levels_in_all_rules() {
    let nested = |levels: usize| (1..levels).fold(Value::sequence([None]), |inner, _| Value::sequence([Some(inner)]));
    for rules in all_rules() {
        let codec = Codec::under(rules, "A ::= SEQUENCE { a A OPTIONAL }").unwrap();
        let deepest = nested(100);
        let octets = codec.encode(&deepest).unwrap();
        assert!(codec.decode(&octets) == Ok(deepest), "{rules}");
        let error = roadwire_engine::encode_to_vec(&codec.layout, &nested(101), 1 << 16).unwrap_err();
        assert_eq!(error.kind, ErrorKind::TooDeep { limit: 100 }, "{rules}");
        assert!(error.path.to_string().ends_with("a.a.a"), "{rules}: {}", error.path);
        let limits = Limits::for_input(&octets);
        assert_eq!(refusal(&codec, &octets, &Limits { depth: 100, ..limits }), None, "{rules}");
        let (kind, path, is_within) = refusal(&codec, &octets, &Limits { depth: 99, ..limits }).unwrap();
        assert_eq!(kind, ErrorKind::TooDeep { limit: 99 }, "{rules}");
        assert!(path.ends_with("a.a.a") && is_within, "{rules}: {path}");
    }
}

#[test]
fn a_message_has_a_limit_on_elements_in_all_rules() {
    for rules in all_rules() {
        let codec = Codec::under(rules, "A ::= SEQUENCE { l SEQUENCE OF BOOLEAN }").unwrap();
        let value = Value::sequence([Some(Value::List(vec![Value::Boolean(true); 150]))]);
        let octets = codec.encode(&value).unwrap();
        let limits = Limits::for_input(&octets);
        // Each component counts as one; text adds what surrounds it.
        let most = (150..200).find(|most| refusal(&codec, &octets, &Limits { elements: *most, ..limits }).is_none());
        assert_eq!(most, Some(150), "{rules}");
        let refused = refusal(&codec, &octets, &Limits { elements: 149, ..limits });
        let (kind, path, is_within) = refused.unwrap_or_else(|| panic!("{rules} does not count"));
        assert_eq!(kind, ErrorKind::TooLong { length: 150, limit: 149 }, "{rules}");
        assert!(path.starts_with('l') && is_within, "{rules}: {path}");
    }
}

/// The result of decoding with a limit of `heap` octets.
fn within(codec: &Codec, octets: &[u8], heap: u64) -> Result<Value, (ErrorKind, String)> {
    let limits = Limits { heap, ..Limits::for_input(octets) };
    let mut value = Value::Unset;
    let decoded = decode_with(&codec.layout, octets, &mut value, &limits, &mut ());
    decoded.map(|_| value).map_err(|error| (error.kind, error.path.to_string()))
}

#[test]
fn a_value_has_a_limit_on_memory_in_all_rules() {
    let place = Value::Unset.place() as u64;
    let components: Vec<String> = (0..30).map(|at| format!("c{at} NULL OPTIONAL")).collect();
    let record = format!("A ::= SEQUENCE OF SEQUENCE {{ {} }}", components.join(", "));
    let absent = || Value::sequence((0..30).map(|_| None));
    let choice = "A ::= SEQUENCE OF CHOICE { a CHOICE { a CHOICE { a NULL } } }".to_owned();
    let chosen = || Value::choice(0, Value::choice(0, Value::choice(0, Value::Null)));
    let values: [(String, Value, u64); 3] = [
        ("A ::= SEQUENCE OF BOOLEAN".into(), Value::List(vec![Value::Boolean(true); 200]), 200),
        (record, Value::List((0..200).map(|_| absent()).collect()), 200 * 31),
        (choice, Value::List((0..200).map(|_| chosen()).collect()), 200 * 4),
    ];
    for (definitions, value, places) in values {
        for rules in all_rules() {
            let codec = Codec::under(rules, &definitions).unwrap();
            let octets = codec.encode(&value).unwrap();
            assert_eq!(codec.decode(&octets).as_ref(), Ok(&value), "{rules}");
            // The places of the parts, and once more for each level.
            let (least, most) = (places * place, 2 * (places + 202) * place);
            assert_eq!(within(&codec, &octets, most).as_ref(), Ok(&value), "{rules}");
            let (kind, path) = within(&codec, &octets, least - 1).unwrap_err();
            assert_eq!(kind, ErrorKind::Memory { limit: least - 1 }, "{rules}");
            assert!(path.is_empty() || path.starts_with('['), "{rules}: {path}");
        }
    }
}

#[test]
fn memory_is_limited_by_the_octets_of_the_input() {
    let limits = Limits::for_input(&[0; 1000]);
    assert_eq!((limits.depth, limits.elements, limits.heap), (100, 8000 + 65_536, 512_000 + (16 << 20)));
    assert_eq!(Limits::for_input(&[0; 1_000_000]).heap, 64_000_000 + (256 << 20));
    // Twenty fragments of 64K elements of no bits.
    let codec = Codec::new("A ::= SEQUENCE OF NULL");
    let mut octets = vec![0xc4; 20];
    octets.push(0);
    let refused = within(&codec, &octets, limits.heap).unwrap_err();
    assert_eq!(refused, (ErrorKind::TooLong { length: 65_536 + 21 * 8 + 1, limit: 65_536 + 21 * 8 }, String::new()));
    // The contents of a string do not count as a part.
    let codec = Codec::new("A ::= SEQUENCE { a UTF8String, b OCTET STRING }");
    let value = codec.value(&format!(r#"{{"a":"{}","b":"{}"}}"#, "x".repeat(5000), "00".repeat(5000)));
    let octets = codec.encode(&value).unwrap();
    assert_eq!(within(&codec, &octets, 1000), Ok(value));
}
