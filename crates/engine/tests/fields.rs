//! Protocol Buffers in forms that our encoders do not write: listener calls, cost, and additions of
//! later versions.

mod support;

use roadwire_engine::{Limits, decode_with};
use roadwire_layout::Rules;
use roadwire_model::Value;
use support::{Codec, Heard};

fn codec(definitions: &str) -> Codec {
    Codec::under(Rules::Protobuf, definitions).expect("it has a layout")
}

#[track_caller]
fn listen(codec: &Codec, octets: &[u8]) -> usize {
    let mut heard = Heard::default();
    let mut value = Value::Unset;
    decode_with(&codec.layout, octets, &mut value, &Limits::for_input(octets), &mut heard).unwrap();
    assert_eq!((heard.depth, heard.next), (0, octets.len() * 8));
    assert_eq!(codec.decode(octets).as_ref(), Ok(&value), "the same without a listener");
    heard.items
}

#[test]
fn every_bit_is_told_once_in_any_order_and_in_parts() {
    let codec = codec(
        "A ::= SEQUENCE { a SEQUENCE { x INTEGER (0..9), y BOOLEAN }, b SEQUENCE OF INTEGER (0..9), c CHOICE { n NULL, m SEQUENCE { p REAL OPTIONAL } }, ... }",
    );
    // Keys, lengths and values: three of a, two of b, four of c.
    assert_eq!(listen(&codec, b"\x0a\x04\x08\x01\x10\x01\x12\x01\x05\x1a\x02\x0a\x00"), 2 + 4 + 3 + 2 + 2);
    // Another order, lists in two forms, and an unknown field, which is kept.
    assert_eq!(
        listen(&codec, b"\x10\x05\x22\x01\x00\x1a\x02\x0a\x00\x12\x01\x06\x0a\x04\x08\x01\x10\x01"),
        2 + 1 + 4 + 3 + 6
    );
    // The listener is called for parts of a message in wire order.
    let parts = b"\x0a\x02\x08\x01\x0a\x02\x10\x01\x1a\x02\x12\x00\x1a\x0b\x12\x09\x09\x00\x00\x00\x00\x00\x00\xf8\x3f";
    assert_eq!(listen(&codec, parts), 4);
    assert_eq!(codec.decode(parts), Ok(codec.value(r#"{"a":{"x":1,"y":true},"b":[],"c":{"m":{"p":1.5}}}"#)));
}

#[test]
fn fields_of_later_versions_come_back_behind_the_known_ones() {
    let later =
        codec("A ::= SEQUENCE { a BOOLEAN, ..., b INTEGER (0..9), c SEQUENCE OF CHOICE { d NULL, ..., e NULL } }");
    let earlier = codec("A ::= SEQUENCE { a BOOLEAN, ... }");
    let octets = later.encode(&later.value(r#"{"a":true,"b":3,"c":[{"d":null},{"e":null}]}"#)).unwrap();
    let kept = earlier.decode(&octets).unwrap();
    assert_eq!(earlier.encode(&kept), Ok(octets));
    // Groups are not used as field types, but may occur; they are skipped to their end.
    let group = b"\x08\x01\xf3\x01\x08\x05\xfb\x01\xfc\x01\xf4\x01";
    assert_eq!(earlier.encode(&earlier.decode(group).unwrap()).as_deref(), Ok(&group[..]));
    for (octets, why) in [
        (&b"\x08\x01\xf3\x01\x08\x05"[..], "too soon"),
        (b"\x08\x01\xf3\x01\xfc\x01", "expected the end of the group, found that of another group"),
        (b"\x08\x01\xf4\x01", "found the end of a group that has not begun"),
        (b"\x08\x01\x82\x01\x05", "too soon"),
    ] {
        let error = earlier.decode(octets).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn messages_in_parts_at_every_level_take_no_time_that_grows_with_each() {
    let codec = codec("A ::= SEQUENCE { a A OPTIONAL, b BOOLEAN OPTIONAL }");
    let mut octets = b"\x10\x01".to_vec();
    // Each message has an empty part of itself before and after it.
    for _ in 0..90 {
        let mut length = Vec::new();
        let mut rest = octets.len();
        while rest > 127 {
            length.push(rest as u8 & 0x7f | 0x80);
            rest >>= 7;
        }
        length.push(rest as u8);
        octets = [&b"\x0a\x00\x0a"[..], &length, &octets, b"\x0a\x02\x10\x00"].concat();
    }
    // Doubling the work with each level (2⁹⁰) would not terminate.
    codec.decode(&octets).unwrap();
    let mut deeper = octets.clone();
    for _ in 0..2 {
        deeper = [&b"\x0a\x80\x80\x00"[..], &deeper].concat();
    }
    assert!(codec.decode(&deeper).is_ok(), "empty parts in front");
}

#[test]
fn nesting_is_limited() {
    let codec = codec("A ::= SEQUENCE { a A OPTIONAL }");
    let nested = |levels: usize| {
        (0..levels).fold(Vec::new(), |inner: Vec<u8>, _| {
            let (low, high) = (inner.len() as u8 & 0x7f | 0x80, (inner.len() >> 7) as u8);
            [&[0x0a, low, high][..], &inner].concat()
        })
    };
    assert!(codec.decode(&nested(99)).is_ok());
    let error = codec.decode(&nested(100)).unwrap_err();
    assert!(error.contains("nested deeper than the limit of 100 levels"), "{error}");
}

/// X.680 §22.7: they have no meaning, however many there are.
#[test]
fn zeros_at_the_end_of_named_bits_are_cut_first() {
    let codec = codec("A ::= SEQUENCE { b BIT STRING { a(0), c(9) } (SIZE (2..10)) }");
    let value = |octets: &[u8], bits| {
        let bits = Value::BitString { octets: octets.to_vec(), bits };
        Value::Sequence { components: vec![Some(bits)], unknown: Vec::new() }
    };
    assert_eq!(codec.encode(&value(&[0x80, 0, 0, 0, 0, 0, 0, 0, 0], 72)).as_deref(), Ok(&b"\x08\x01"[..]));
    assert!(codec.encode(&value(&[0x80, 0, 0, 0, 0, 0, 0, 0, 1], 72)).unwrap_err().contains("size 72"));
}
