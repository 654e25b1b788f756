//! Decoding that accepts only the canonical encoding.

mod support;

use roadwire_engine::decode_canonical;
use roadwire_layout::Rules;
use roadwire_model::Value;
use support::Codec;

fn code(codec: &Codec, octets: &[u8]) -> Result<usize, String> {
    let mut scratch = vec![0; octets.len() + 8];
    decode_canonical(&codec.layout, octets, &mut Value::Unset, &mut scratch).map_err(|error| {
        assert_eq!(error.kind.code(), "input.not-canonical");
        format!("{} {}", error.bit, error.path)
    })
}

#[test]
fn the_first_bit_that_differs_is_told_with_its_field() {
    let codec =
        Codec::new("A ::= SEQUENCE { a BOOLEAN, list SEQUENCE OF SEQUENCE { n INTEGER, d INTEGER (0..7) DEFAULT 5 } }");
    // a; one element; d absent; n in one octet
    let canonical = [0b1000_0000, 0b1000_0000, 0b0100_0001, 0b1100_0000];
    assert_eq!(code(&codec, &canonical), Ok(26));
    // n in two octets, one more than needed (X.691 §11.8, §13.2.4)
    assert_eq!(
        code(&codec, &[0b1000_0000, 0b1000_0000, 0b1000_0000, 0b0000_0001, 0b1100_0000]),
        Err("16 list[0].n".into())
    );
    // d present at its DEFAULT (X.691 §19.5)
    assert_eq!(code(&codec, &[0b1000_0000, 0b1100_0000, 0b0100_0001, 0b1110_1000]), Err("9 list[0]".into()));
}

#[test]
fn bits_that_only_fill_up_are_zero() {
    let codec = Codec::new("A ::= SEQUENCE { a BOOLEAN }");
    assert_eq!(code(&codec, &[0x80]), Ok(1));
    assert_eq!(code(&codec, &[0x84]), Err("5 ".into()));
}

/// X.690 §9.3, §10.3: an unknown addition to a SET is sorted by its tag; under CER an untagged
/// CHOICE does not move for it.
#[test]
fn unknown_additions_of_a_set_have_the_places_of_their_tags() {
    let text = "A ::= SET { a [3] INTEGER, b CHOICE { x [1] NULL, y [9] NULL }, ... }";
    let added = "A ::= SET { a [3] INTEGER, ..., b CHOICE { x [1] NULL, y [9] NULL } }";
    // The CHOICE with [9]; additions [2] and [5].
    let cer = [0x31, 0x80, 0x89, 0, 0x82, 0, 0x83, 1, 7, 0x85, 0, 0, 0];
    let der = [0x31, 9, 0x82, 0, 0x83, 1, 7, 0x85, 0, 0x89, 0];
    let any = [0x31, 9, 0x85, 0, 0x89, 0, 0x82, 0, 0x83, 1, 7];
    for text in [text, added] {
        for (rules, canonical) in [(Rules::Cer, &cer[..]), (Rules::Der, &der[..])] {
            let codec = Codec::under(rules, text).unwrap();
            for octets in [&cer[..], &der[..], &any[..]] {
                let mut value = Value::Unset;
                roadwire_engine::decode(&codec.layout, octets, &mut value).unwrap();
                assert_eq!(roadwire_engine::encode_to_vec(&codec.layout, &value, 100).unwrap(), canonical, "{rules}");
            }
        }
    }
}

/// X.696 §31.8
#[test]
fn the_elements_of_a_set_of_are_in_order() {
    let codec = Codec::under(Rules::Coer, "A ::= SEQUENCE { set SET OF INTEGER, end BOOLEAN }").unwrap();
    let ordered = [1, 4, 1, 0, 1, 2, 1, 0xff, 2, 3, 0xe8, 0xff];
    let unordered = codec.value(r#"{"set": [1000, -1, 2, 0], "end": true}"#);
    assert_eq!(codec.encode(&unordered).unwrap(), ordered);
    assert_eq!(code(&codec, &ordered), Ok(96));
    assert_eq!(code(&codec, &[1, 4, 1, 0, 1, 0xff, 1, 2, 2, 3, 0xe8, 0xff]), Err("40 set[1]".into()));
}

/// A record of a bit string and a component after it.
fn with_bits(octets: &[u8], bits: usize) -> Value {
    let string = Value::BitString { octets: octets.to_vec(), bits };
    Value::Sequence { components: vec![Some(string), Some(Value::Boolean(true))], unknown: Vec::new() }
}

/// Trailing zeros of a named bit string have no meaning (X.680 §22.7), so a string of zeros equals
/// one without bits, which is an element without content in EXI. JER, in which people see the
/// value, is none of these encodings.
#[test]
fn a_named_bit_string_of_zeros_is_one_without_bits_in_every_encoding_but_jer() {
    let bits = |bits: usize| with_bits(&vec![0; bits.div_ceil(8)], bits);
    for rules in Rules::ALL.into_iter().filter(|rules| *rules != Rules::Jer) {
        for size in ["", "(SIZE (0))", "(SIZE (0..17))", "(SIZE (0, ...))"] {
            let text = format!("A ::= SEQUENCE {{ b BIT STRING {{ first (0) }} {size}, c BOOLEAN }}");
            let Ok(codec) = Codec::under(rules, &text) else { continue };
            assert_eq!(codec.encode(&bits(14)), codec.encode(&bits(0)), "{rules} {size}");
        }
    }
}

/// X.680 §22.7 lets encoding rules keep the zeros at the end of a named bit string. JER does so
/// within the size; beyond it, it adds and removes what the size asks for.
#[test]
fn jer_keeps_the_zeros_of_a_named_bit_string_within_its_size() {
    let cases = [
        ("", 0, 0),
        ("", 14, 14),
        ("(SIZE (0..17))", 14, 14),
        ("(SIZE (0..12))", 14, 12),
        ("(SIZE (8, ...))", 8, 8),
        ("(SIZE (8, ...))", 14, 14),
        ("(SIZE (10..12))", 3, 10),
    ];
    for (size, given, written) in cases {
        let text = format!("A ::= SEQUENCE {{ b BIT STRING {{ first (0) }} {size}, c BOOLEAN }}");
        let codec = Codec::under(Rules::Jer, &text).unwrap();
        let octets = codec.encode(&with_bits(&[0, 0], given)).unwrap();
        let digits = "00".repeat(usize::div_ceil(written, 8));
        let wanted = format!(r#"{{"b":{{"value":"{digits}","length":{written}}},"c":true}}"#);
        assert_eq!(std::str::from_utf8(&octets), Ok(&*wanted), "{size} {given}");
    }
    let codec =
        Codec::under(Rules::Jer, "A ::= SEQUENCE { b BIT STRING { first (0) } (SIZE (0..12)), c BOOLEAN }").unwrap();
    assert!(codec.encode(&with_bits(&[0, 4], 14)).is_err());
}
