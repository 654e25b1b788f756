//! Decoding that takes the canonical encoding alone.

mod support;

use roadwire_engine::decode_canonical;
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
    // n in two octets, which is one more than it takes (X.691 §11.8, §13.2.4)
    assert_eq!(
        code(&codec, &[0b1000_0000, 0b1000_0000, 0b1000_0000, 0b0000_0001, 0b1100_0000]),
        Err("16 list[0].n".into())
    );
    // d there at its DEFAULT (X.691 §19.5)
    assert_eq!(code(&codec, &[0b1000_0000, 0b1100_0000, 0b0100_0001, 0b1110_1000]), Err("9 list[0]".into()));
}

#[test]
fn bits_that_only_fill_up_are_zero() {
    let codec = Codec::new("A ::= SEQUENCE { a BOOLEAN }");
    assert_eq!(code(&codec, &[0x80]), Ok(1));
    assert_eq!(code(&codec, &[0x84]), Err("5 ".into()));
}
