//! Generated C and the interpreter agree on every schema that roadwire ships and that has C.

#[path = "../../constructs/tests/support/c99.rs"]
mod c99;
#[path = "../../constructs/tests/support/mod.rs"]
mod support;

use std::fs;
use std::path::Path;

use c99::{Message, agree, held, runs};
use roadwire_frontend::{Source, compile};
use roadwire_layout::{Rules, lower_without_contents};
use roadwire_model::Model;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_schemas::Schema;
use support::mutant;

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
    agrees(Rules::Protobuf, &[]);
}

#[test]
fn cbor() {
    agrees(Rules::Cbor, &[]);
}

#[test]
fn events() {
    agrees(Rules::Exi, &[]);
    agrees(Rules::ExiMerged, &[]);
}

#[test]
fn vectors() {
    agrees(Rules::Tls, &[]);
}

/// Fields of all kinds in the presentation language. A later version has more items and
/// alternatives.
const KINDS: &str = "
    enum { a (0), b (1), LATER(255) } Kind;
    enum { a (1), b (300), (65535) } Wide;
    flags { x (0), y (8) } Flags;
    struct {
        Kind kind;
        select (kind) { case a: uint16 x; case b: uint8 x; opaque y<var, 0..3>; MORE unknown: opaque other<var>; }
    } Either;
    struct { uint8 x; sint16 y; } Pair;
    struct {
        Kind item; Wide wide; Flags bits; IntX number; PSID psid; uint24 word; sint32 signed;
        opaque fixed[2]; opaque some<var, 0..5>; opaque few<1..300>;
        Either list<var, 1..3>; Pair pairs<3..12>; Pair three[6]; Pair more<var, 0..2>;
        if_set (bits, x) { uint8 extra; } else { IntX other; }
    } All;
";

#[test]
fn vectors_of_a_later_version_are_kept() {
    let [now, later] = [("", ""), ("c (2), d (9), ", "case c: opaque z<var, 0..200>; case d: opaque z<var, 0..2>; ")]
        .map(|(items, more)| KINDS.replace("LATER", items).replace("MORE", more))
        .map(|text| {
            compile(&[Source::new("m.tls", text)]).unwrap_or_else(|errors| panic!("{}", errors.render())).model
        });
    let message = |model, name| Message::new(model, name, Model::find(model, name).unwrap(), Rules::Tls).unwrap();
    let (root, writer) = (later.find("All").unwrap(), message(&later, "All"));
    let with = ["All", "Either"].map(|name| message(&now, name));
    let (mut rng, generator) = (Rng::new(3), Generator::new(&later, Settings::default()));
    let all: Vec<Vec<u8>> = (0..600).filter_map(|_| writer.encoded(&generator.value(root, &mut rng)).ok()).collect();
    let [taken, by_c] = held(&now, Rules::Tls, "later", &with[..1], |_| all.clone())["All"];
    assert!(taken > 100 && by_c == taken, "{by_c} of {taken}");
    let mutants: Vec<Vec<u8>> = (0..6000).map(|_| mutant(&all, [0, 1, 0x80, 0xff], &mut rng)).collect();
    held(&now, Rules::Tls, "later", &with, |_| mutants.clone());
    runs(Rules::Tls, "later", OTHERS);
}

/// An alternative of a later version has a number that is not known, a length in the fewest octets,
/// and as many octets.
const OTHERS: &str = r#"
#include "generated.h"

static int takes(const uint8_t *octets, size_t size)
{
    static c_either either;
    static uint8_t out[20];
    either.choice = C_EITHER_UNKNOWN_ADDITION;
    either.as.unknown_addition.octets = rw_octets_of(octets, size);
    return c_either_encode_tls(&either, out, sizeof out, NULL) == (ptrdiff_t)size && memcmp(out, octets, size) == 0;
}

int main(void)
{
    static const uint8_t right[] = {2, 2, 7, 8}, known[] = {1, 2, 7, 8}, short_one[] = {2, 1, 7, 8}, long_one[] = {2, 3, 7, 8},
        wide[] = {2, 0x80, 1, 8};
    size_t size;
    if (!takes(right, sizeof right)) {
        return 1;
    }
    for (size = 0; size < sizeof right; size++) {
        if (takes(right, size)) {
            return 2;
        }
    }
    return takes(known, 4) || takes(short_one, 4) || takes(long_one, 4) || takes(wide, 4) ? 3 : 0;
}
"#;

#[test]
fn json() {
    agrees(Rules::Jer, &[]);
}
