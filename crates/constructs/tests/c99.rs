//! Generated C and the interpreter agree on every construct that has C.

#[path = "support/c99.rs"]
mod c99;
mod support;

use c99::{Message, agree, held, runs};
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

macro_rules! tests {
    ($($test:ident $rules:ident $most:literal;)*) => { $(
        #[test]
        fn $test() {
            agrees(Rules::$rules, $most);
        }
    )* };
}

tests! {
    uper Uper 49;
    aper Aper 49;
    oer Oer 55;
    coer Coer 55;
    ber Ber 42;
    der Der 42;
    cer Cer 42;
    protobuf Protobuf 43;
    cbor Cbor 38;
}

/// Records with additions, and with more of them in a later version.
const VERSIONS: [&str; 2] = [
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        Bare ::= SEQUENCE { a INTEGER (0..7), ... }
        Grown ::= SEQUENCE { a INTEGER (0..7), ..., b BOOLEAN, [[ c INTEGER (0..255), d BOOLEAN OPTIONAL ]] }
        Inside ::= SEQUENCE { all SEQUENCE (SIZE (0..3)) OF Grown, end BOOLEAN }
    END",
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        Bare ::= SEQUENCE { a INTEGER (0..7), ..., x NULL, y OCTET STRING (SIZE (0..200)) }
        Grown ::= SEQUENCE { a INTEGER (0..7), ..., b BOOLEAN, [[ c INTEGER (0..255), d BOOLEAN OPTIONAL ]],
            e INTEGER OPTIONAL, [[ f BOOLEAN, g INTEGER (0..3) OPTIONAL ]], h Bare }
        Inside ::= SEQUENCE { all SEQUENCE (SIZE (0..3)) OF Grown, end BOOLEAN }
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
        let with = ["Bare", "Grown", "Inside"].map(message);
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
        runs(rules, "versions", &HOSTILE.replace("RULES", rules.name()));
    }
}

/// Additions that are known, in another order, or more than a record keeps, are none of a later
/// version. The first value is one that is taken.
const HOSTILE: &str = r#"
#include "generated.h"

static int takes(uint32_t count, uint32_t first, uint32_t second)
{
    static const uint8_t octets[] = {5, 0};
    static c_grown grown;
    static uint8_t out[200];
    rw_error error;
    grown.a = 1;
    grown.unknown.count = count;
    grown.unknown.items[0].index = first;
    grown.unknown.items[1].index = second;
    grown.unknown.items[0].octets = grown.unknown.items[1].octets = rw_octets_of(octets, 2);
    return c_grown_encode_RULES(&grown, out, sizeof out, &error) >= 0;
}

int main(void)
{
    if (!takes(2, 2, 3)) {
        return 1;
    }
    return takes(1, 1, 0) || takes(2, 3, 2) || takes(2, 3, 3) || takes(RW_KEPT + 1, 2, 3) ? 2 : 0;
}
"#;
