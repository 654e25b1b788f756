//! A listener is called once for each bit.

mod support;

use roadwire_engine::{Item, Limits, Listener, What, decode_with};
use roadwire_layout::Layout;
use roadwire_model::Value;
use roadwire_wire::Step;
use support::Codec;

/// The items in order: first bit, number of bits, and what.
#[derive(Default)]
struct Heard {
    items: Vec<(usize, usize, String)>,
    depth: usize,
}

impl Listener for Heard {
    fn enter(&mut self, _: Step<'_>) {
        self.depth += 1;
    }
    fn leave(&mut self) {
        self.depth -= 1;
    }
    fn item(&mut self, _: &Layout, item: &Item<'_>) {
        let what = match item.what {
            What::Value(_) => "value".into(),
            What::Unknown => "octets".into(),
            other => format!("{other:?}"),
        };
        self.items.push((item.bit, item.bits, what));
    }
}

#[track_caller]
fn listen(codec: &Codec, octets: &[u8]) -> Vec<(usize, usize, String)> {
    let mut heard = Heard::default();
    let mut value = Value::Unset;
    decode_with(&codec.layout, octets, &mut value, &Limits::for_input(octets), &mut heard).unwrap();
    assert_eq!(heard.depth, 0);
    let mut next = 0;
    for (bit, bits, what) in &heard.items {
        assert_eq!(*bit, next, "{what}");
        next += bits;
    }
    assert_eq!(next, octets.len() * 8);
    heard.items
}

/// An open type of 16K octets and more comes in fragments (X.691 §11.9.3.8): the listener is called
/// for the fragments, and for their content as items of no bits.
#[test]
fn fragments_of_an_open_type_are_told_once() {
    let codec =
        Codec::new("A ::= SEQUENCE { a BOOLEAN, ..., b SEQUENCE { c OCTET STRING, d INTEGER (0..255) }, e NULL }");
    let value = codec.value(&format!(r#"{{"a":true,"b":{{"c":"{}","d":7}},"e":null}}"#, "AB".repeat(90_000)));
    let items = listen(&codec, &codec.encode(&value).unwrap());
    let lengths: Vec<usize> = items.iter().filter(|item| item.2 == "octets").map(|item| item.1 / 8).collect();
    // The content: 64K and 16K of c with a determinant before each, the rest with two octets
    // of determinant, and d.
    assert_eq!(lengths, [65_536, 16_384, 90_000 + 1 + 1 + 2 + 1 - 65_536 - 16_384]);
    let inside: Vec<&str> = items.iter().filter(|item| item.1 == 0).map(|item| &*item.2).collect();
    let value = "value";
    assert_eq!(inside, ["Length(65536)", value, "Length(16384)", value, "Length(8080)", value, value, value]);
}

/// An error in a fragment is reported at its own bit, including the length determinants before it.
#[test]
fn an_error_in_a_fragment_has_its_bit() {
    let codec = Codec::new("A ::= SEQUENCE { ..., b SEQUENCE (SIZE (20000)) OF INTEGER (0..200) }");
    let list = vec!["200"; 20_000].join(",");
    let mut octets = codec.encode(&codec.value(&format!(r#"{{"b":[{list}]}}"#))).unwrap();
    // 1 + 7 + 1 bits in front, 8 of the first determinant, 16K octets, 16 bits of the second:
    // element 16384 begins at bit 131105.
    let at = 9 + 8 + 16_384 * 8 + 16;
    assert_eq!((octets[at / 8] << (at % 8)) | (octets[at / 8 + 1] >> (8 - at % 8)), 200);
    octets[at / 8] |= 0xff >> (at % 8);
    octets[at / 8 + 1] |= 0xff << (8 - at % 8);
    assert_eq!(
        codec.decode(&octets).unwrap_err(),
        format!("value 255 above 200 (range 0..200) at bit {at} in b[16384]")
    );
}

#[test]
fn open_types_of_known_and_unknown_content_are_told_once() {
    let codec = Codec::new(
        "C ::= CLASS { &id INTEGER (0..7) UNIQUE, &T } WITH SYNTAX { &T BY &id } S C ::= { {INTEGER (0..9) BY 1} }
         A ::= SEQUENCE (SIZE (2)) OF SEQUENCE { id C.&id ({S}), t C.&T ({S}{@.id}) }",
    );
    let octets = codec.encode(&codec.value(r#"[{"id":1,"t":9},{"id":2,"t":"AB"}]"#)).unwrap();
    let what: Vec<String> = listen(&codec, &octets).into_iter().map(|item| item.2).collect();
    let wanted = ["value", "OpenLength(1)", "value", "Padding", "value", "Length(1)", "octets", "Padding"];
    assert_eq!(what, wanted);
}
