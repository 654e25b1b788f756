//! Generated C and the interpreter agree on every construct that has C.

#[path = "support/c99.rs"]
mod c99;
mod support;

use c99::{Message, agree};
use roadwire_constructs::{MODULE, module, pdus};
use roadwire_layout::Rules;

/// At most `most` constructs have no C: those with parts without a bound, DEFAULT values beyond an
/// extensible bound, in most rules REAL, and packed named bits whose zeros at the end come and go.
fn agrees(rules: Rules, most: usize) {
    let pdus = pdus();
    let source = roadwire_asn1::Source::new("constructs.asn", module(&pdus).as_str());
    let model = roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for pdu in &pdus {
        let root = model.find(&format!("{MODULE}.{}", pdu.name)).unwrap();
        match Message::new(&model, &pdu.name, root, rules) {
            Ok(message) => with.push(message),
            Err(error) => without.push(format!("{}: {error}", pdu.name)),
        }
    }
    assert!(without.len() <= most, "{rules}: {} without C: {without:#?}", without.len());
    agree(&model, rules, "constructs", &with);
}

#[test]
fn uper() {
    agrees(Rules::Uper, 49);
}

#[test]
fn aper() {
    agrees(Rules::Aper, 49);
}

#[test]
fn oer() {
    agrees(Rules::Oer, 55);
}

#[test]
fn coer() {
    agrees(Rules::Coer, 55);
}

#[test]
fn ber() {
    agrees(Rules::Ber, 42);
}

#[test]
fn der() {
    agrees(Rules::Der, 42);
}

#[test]
fn cer() {
    agrees(Rules::Cer, 42);
}

#[test]
fn protobuf() {
    agrees(Rules::Protobuf, 43);
}

#[test]
fn cbor() {
    agrees(Rules::Cbor, 38);
}
