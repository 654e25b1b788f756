//! Messages of run-time modules are converted by way of a tape as by the interpreter.

use roadwire::{Check, Codec, Rules, Schema, Source};
use roadwire_model::random::{Generator, Rng, Settings};

/// Strings, additions, a choice, a constraint that no decoder checks, and one message that contains
/// itself.
const MODULE: &str = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Report ::= SEQUENCE {
        station INTEGER (0..4294967295), speed INTEGER (-5..163) OPTIONAL, name IA5String (SIZE (1..20)),
        note UTF8String (SIZE (0..9)) OPTIONAL, kind ENUMERATED { a, b, c, ... },
        path SEQUENCE (SIZE (0..9)) OF Point, what CHOICE { one BOOLEAN, two OCTET STRING, ... }, ...,
        extra INTEGER (0..9), [[ more Point OPTIONAL, most BOOLEAN ]] }
    Point ::= SEQUENCE { x INTEGER (-1000..1000), y INTEGER (-1000..1000, ...), z BOOLEAN DEFAULT FALSE }
    Even ::= SEQUENCE { value INTEGER (0..255), word UTF8String (FROM (\"a\"..\"z\")) }
    Pair ::= SEQUENCE { a INTEGER (0..9), b INTEGER (0..9) OPTIONAL, c INTEGER (0..9) (1 | 3) DEFAULT 3 }
        (WITH COMPONENTS { ..., a (0..3) } | WITH COMPONENTS { ..., b PRESENT })
    Nested ::= SEQUENCE { value INTEGER (0..255), inner Nested OPTIONAL }
END";

const RULES: &[Rules] = &[
    Rules::Uper,
    Rules::Oer,
    Rules::Coer,
    Rules::Der,
    Rules::Ber,
    Rules::Protobuf,
    Rules::Cbor,
    Rules::Jer,
    Rules::Xer,
];

/// Whether both codecs say the same of an input; and whether it is one.
fn same(from: [&Codec<'_>; 2], to: &Codec<'_>, octets: &[u8], check: Check) -> bool {
    let [fast, slow] = from.map(|from| from.convert_checked(to, octets, check));
    assert_eq!(format!("{fast:?}"), format!("{slow:?}"), "{} to {}: {octets:02x?}", from[0].rules(), to.rules());
    fast.is_ok()
}

fn all(schema: &Schema, name: &str, values: usize) {
    let root = schema.find(Some(name)).unwrap();
    let (mut rng, mut taken) = (Rng::new(11), 0);
    let codec = |rules| schema.codec(root, rules).unwrap();
    for from in RULES {
        let (fast, slow) = (codec(*from), codec(*from).interpreted());
        let others: Vec<_> = RULES.iter().map(|to| codec(*to)).collect();
        for round in 0..values {
            let optional = [0, 100, 50][round % 3];
            let settings =
                Settings { extensions: [0, 50][round % 2], optional, max_elements: 4, ..Settings::default() };
            let value = Generator::new(schema.model(), settings).value(root, &mut rng);
            let octets = fast.encode(&value).unwrap();
            let (at, octet) = (rng.below(octets.len() as u64) as usize, rng.below(256) as u8);
            let changed = [&octets[..at], &[octet], &octets[at + 1..]].concat();
            for to in &others {
                for check in [Check::All, Check::Encoding] {
                    taken += usize::from(same([&fast, &slow], to, &octets, check));
                    same([&fast, &slow], to, &changed, check);
                    same([&fast, &slow], to, &octets[..at], check);
                    same([&fast, &slow], to, &[&octets[..], &[0]].concat(), check);
                }
            }
        }
    }
    assert!(taken > values * RULES.len(), "{name}: {taken}");
}

#[test]
fn own_modules() {
    let schema = Schema::compile(vec![Source::new("demo.asn", MODULE)]).unwrap();
    for name in ["Report", "Even", "Pair", "Nested", "Point"] {
        all(&schema, name, 24);
    }
}

#[cfg(feature = "shipped")]
#[test]
fn shipped_modules() {
    for (name, pdu) in [("cam-1.4.1", "CAM"), ("denm-1.3.1", "DENM"), ("vam-2.3.1", "VAM")] {
        all(&Schema::shipped(name).unwrap(), pdu, 3);
    }
}
