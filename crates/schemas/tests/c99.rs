//! Generated C and the interpreter agree on every schema that roadwire ships and that has C.

#[path = "../../constructs/tests/support/c99.rs"]
mod c99;
#[path = "../../constructs/tests/support/mod.rs"]
mod support;

use std::fs;
use std::path::Path;

use c99::{Message, agree};
use roadwire_frontend::{Source, compile};
use roadwire_layout::{Rules, lower_without_contents};
use roadwire_schemas::Schema;

/// Those that are named have no C.
fn agrees(rules: Rules, expected: &[&str]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("messages/schemas");
    let schemas = roadwire_schemas::read(&folder).unwrap();
    let (mut without, mut expected) = (Vec::new(), expected.to_vec());
    for Schema { name, files, pdus, .. } in schemas.iter().filter(|schema| schema.codecs_of.is_none()) {
        let sources: Vec<Source> =
            files.iter().map(|file| Source::new(file.display().to_string(), fs::read(file).unwrap())).collect();
        let model = compile(&sources).unwrap_or_else(|errors| panic!("{name}: {}", errors.render())).model;
        // Some rules have no place for some schemas, in C or elsewhere.
        if pdus.iter().any(|pdu| lower_without_contents(&model, model.find(pdu).unwrap(), rules).is_err()) {
            expected.retain(|one| one != name);
            continue;
        }
        let message = |pdu: &String| Message::new(&model, pdu, model.find(pdu).unwrap(), rules);
        println!("{name} in {rules}");
        match pdus.iter().map(message).collect::<Result<Vec<_>, _>>() {
            Ok(messages) => agree(&model, rules, name, &messages),
            Err(error) => {
                println!("{name} in {rules}: {error}");
                without.push(name.as_str());
            }
        }
    }
    without.sort_unstable();
    expected.sort_unstable();
    assert_eq!(without, expected, "{rules}");
}

#[test]
fn packed() {
    agrees(Rules::Uper, &[]);
    agrees(Rules::Aper, &[]);
}

#[test]
fn octet() {
    agrees(Rules::Oer, &[]);
    agrees(Rules::Coer, &[]);
}

#[test]
fn basic() {
    agrees(Rules::Ber, &[]);
    agrees(Rules::Der, &[]);
    agrees(Rules::Cer, &[]);
}

#[test]
fn protobuf() {
    // Named bits of any number.
    agrees(Rules::Protobuf, &["cam-2.3.1", "cpm-2.1.1", "denm-2.2.1", "denm-2.3.1", "mapem-2.1.1", "vam-2.3.1"]);
}

#[test]
fn cbor() {
    agrees(Rules::Cbor, &[]);
}

#[test]
fn events() {
    // UTF8String without a bound.
    agrees(Rules::Exi, &["ivim-2.1.1", "ts102941-2.2.1"]);
    agrees(Rules::ExiMerged, &["ivim-2.1.1", "ts102941-2.2.1"]);
}

#[test]
fn vectors() {
    agrees(Rules::Tls, &[]);
}

#[test]
fn json() {
    // UTF8String without a bound.
    agrees(Rules::Jer, &["ivim-2.1.1", "ts102941-2.2.1"]);
}
