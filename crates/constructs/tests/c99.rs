//! Generated C and the interpreter agree on every construct that has C.

#[path = "support/c99.rs"]
mod c99;
mod support;

use c99::{Message, agree, held};
use roadwire_constructs::{MODULE, module, pdus};
use roadwire_layout::{Rules, lower_without_contents};
use roadwire_model::random::{Generator, Rng, Settings};

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

/// Records with additions, and with more of them in a later version.
const VERSIONS: [&str; 2] = [
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        None ::= SEQUENCE { a INTEGER (0..7), ... }
        Some ::= SEQUENCE { a INTEGER (0..7), ..., b BOOLEAN, [[ c INTEGER (0..255), d BOOLEAN OPTIONAL ]] }
        Inside ::= SEQUENCE { all SEQUENCE (SIZE (0..3)) OF Some, end BOOLEAN }
    END",
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        None ::= SEQUENCE { a INTEGER (0..7), ..., x NULL, y OCTET STRING (SIZE (0..200)) }
        Some ::= SEQUENCE { a INTEGER (0..7), ..., b BOOLEAN, [[ c INTEGER (0..255), d BOOLEAN OPTIONAL ]],
            e INTEGER OPTIONAL, [[ f BOOLEAN, g INTEGER (0..3) OPTIONAL ]], h None }
        Inside ::= SEQUENCE { all SEQUENCE (SIZE (0..3)) OF Some, end BOOLEAN }
    END",
];

#[test]
fn additions_of_a_later_version_are_kept() {
    let models = VERSIONS.map(|version| {
        let source = roadwire_asn1::Source::new("m.asn", version);
        roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model
    });
    for rules in [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Coer, Rules::Ber, Rules::Der, Rules::Cer] {
        let message =
            |name: &str| Message::new(&models[0], name, models[0].find(&format!("M.{name}")).unwrap(), rules).unwrap();
        let with = ["None", "Some", "Inside"].map(message);
        let later = |message: &Message| {
            let root = models[1].find(&format!("M.{}", message.name)).unwrap();
            let layout = lower_without_contents(&models[1], root, rules).unwrap();
            let settings = Settings { extensions: 60, ..Settings::default() };
            let (mut rng, generator) = (Rng::new(5), Generator::new(&models[1], settings));
            let mut values = (0..300).map(|_| generator.value(root, &mut rng));
            values.by_ref().filter_map(|value| roadwire_engine::encode_to_vec(&layout, &value, 1 << 16).ok()).collect()
        };
        for (name, [all, by_c]) in held(&models[0], rules, "versions", &with, later) {
            assert!(all > 100, "{name} under {rules}: {all}");
            assert_eq!(by_c, all, "{name} under {rules}");
        }
    }
}
