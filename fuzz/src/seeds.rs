//! Where fuzzing starts: inputs made by code.

use roadwire_model::random::{Generator, Rng, Settings};

use crate::schema::{pick, subjects};

/// The constructs that modules in `schemas/` do not use, a module each.
const SNIPPETS: &[&str] = &[
    "A ::= SEQUENCE { a INTEGER (a1..5 | 7 | 9..MAX, ...), b [3] EXPLICIT BOOLEAN OPTIONAL } a1 INTEGER ::= 1",
    "A ::= CHOICE { a [0] NULL, b [APPLICATION 2] IMPLICIT OCTET STRING (SIZE (1..4 | 8)), ..., [[2: c REAL ]] }",
    "P{T, INTEGER:max} ::= SEQUENCE { list SEQUENCE (SIZE (0..max)) OF T } A ::= P{BOOLEAN, 5} B ::= P{P{NULL, 1}, 2}",
    "C ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &Type OPTIONAL, &n INTEGER DEFAULT 3 } WITH SYNTAX { ID &id [TYPE &Type] [N &n] }
     S C ::= { { ID {1 2 3} TYPE NULL } | o, ... } o C ::= { ID {1 2 4} N 7 }
     A ::= SEQUENCE { id C.&id ({S}), content C.&Type ({S}{@id}) OPTIONAL }",
    "A ::= SEQUENCE { x INTEGER OPTIONAL, y IA5String (FROM (\"a\"..\"z\" | \"-\") ^ SIZE (1..9)) }
     B ::= A (WITH COMPONENTS { ..., x (0..7) PRESENT, y ABSENT })
     D ::= SEQUENCE OF A (WITH COMPONENT (WITH COMPONENTS { x ABSENT }))",
    "A ::= SET { COMPONENTS OF B, z TIME } B ::= SET { r REAL (WITH COMPONENTS { mantissa (0..9), base (2) }), d DATE }
     v B ::= { r { mantissa 1, base 2, exponent -3 }, d \"2020-02-29\" }",
    "A ::= BIT STRING { a(0), b(n) } n INTEGER ::= 5 v A ::= { a, b } w A ::= '1010'B x OCTET STRING ::= 'AB'H",
    "A ::= INTEGER (ALL EXCEPT 5) B ::= A (1..9 EXCEPT (3 | 4)) D ::= ENUMERATED { x(3), y, ... ! 7, z }",
    "A ::= OCTET STRING (CONTAINING B ENCODED BY {joint-iso-itu-t asn1(1) packed-encoding(3)}) B ::= [UNIVERSAL 3] SEQUENCE {}
     E ::= EXTERNAL F ::= EMBEDDED PDV G ::= CHARACTER STRING H ::= INSTANCE OF TYPE-IDENTIFIER",
    "A ::= SEQUENCE { a UTF8String, b BMPString (SIZE (3)), c GeneralizedTime, d RELATIVE-OID, e OID-IRI } v OID-IRI ::= \"/ISO/a\"",
];

/// Modules.
#[must_use]
pub fn asn1() -> Vec<Vec<u8>> {
    let snippets =
        SNIPPETS.iter().map(|body| format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {body} END").into_bytes());
    let whole = subjects().iter().map(|subject| subject.module().as_bytes().to_vec());
    let two = "M DEFINITIONS ::= BEGIN EXPORTS A; IMPORTS B, c FROM N {1 2}; A ::= B END
        N {1 2} DEFINITIONS IMPLICIT TAGS EXTENSIBILITY IMPLIED ::= BEGIN B ::= SET OF NULL c NULL ::= NULL END";
    snippets.chain(whole).chain([two.as_bytes().to_vec()]).collect()
}

/// A schema's octet and a value in JER.
#[must_use]
pub fn jer() -> Vec<Vec<u8>> {
    each(|which, rng| {
        let subject = pick(which);
        let value = Generator::new(subject.model(), settings(rng)).value(subject.root(), rng);
        let text = subject.notation().write(&value).expect("a value of its type");
        with(which, text.as_bytes())
    })
}

/// A schema's octet and a message.
#[must_use]
pub fn octets() -> Vec<Vec<u8>> {
    each(|which, rng| {
        let subject = pick(which);
        let value = Generator::new(subject.model(), settings(rng)).value(subject.root(), rng);
        let octets = roadwire_engine::encode_to_vec(subject.layout(), &value, 1 << 20).expect("a value of its type");
        with(which, &octets)
    })
}

/// A schema's octet and a recipe.
#[must_use]
pub fn recipes() -> Vec<Vec<u8>> {
    each(|which, rng| {
        let recipe = rng.octets(9 + [0, 3, 6, 24][usize::from(which % 4)]);
        with(which, &recipe)
    })
}

fn each(mut make: impl FnMut(u8, &mut Rng) -> Vec<u8>) -> Vec<Vec<u8>> {
    let mut rng = Rng::new(0x5eed);
    (0..160u8).map(|which| make(which % 8, &mut rng)).collect()
}

fn settings(rng: &mut Rng) -> Settings {
    Settings {
        optional: [10, 50, 100][rng.below(3) as usize],
        extensions: [0, 30][rng.below(2) as usize],
        unknown: [0, 10][rng.below(2) as usize],
        max_elements: 4,
        max_length: 12,
        budget: [20, 60, 200][rng.below(3) as usize],
        ..Settings::default()
    }
}

fn with(which: u8, rest: &[u8]) -> Vec<u8> {
    [&[which], rest].concat()
}
