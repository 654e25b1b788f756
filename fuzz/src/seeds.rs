//! Seeds for fuzzing, made by code.

use roadwire_layout::Rules;
use roadwire_model::Value;
use roadwire_model::random::{Generator, Rng, Settings};

use crate::distribution;
use crate::interpreted::ROOM;
use crate::schema::{PICKS, pick, pick_for, presentation as presentation_subjects, subjects};
use crate::subject::Subject;
use roadwire_layout::Family;

/// Constructs that modules in `schemas/` do not use, one module each.
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
    "F ::= CLASS { &code INTEGER UNIQUE, &D } C ::= CLASS { &id INTEGER UNIQUE, &Fs F OPTIONAL, &worst F OPTIONAL, &n C OPTIONAL, &S INTEGER OPTIONAL }
     f F ::= { &code 1, &D NULL } c C ::= { &id 1, &Fs { f | { &code 2, &D A } }, &worst f, &n c, &S { 1..5 | 8 } } S C ::= { c, ... } G F ::= { S.&Fs | S.&worst | c.&Fs }
     A ::= SEQUENCE { i F.&code ({G}), d F.&D ({G}{@i}) OPTIONAL, w C.&worst.&D ({S}{@i}) OPTIONAL, n INTEGER (c.&S | S.&id) }",
    "C ::= CLASS { &id INTEGER UNIQUE, &T, &v &T OPTIONAL, &V &T OPTIONAL } WITH SYNTAX { &id [IS &T [VALUE &v] [OF &V]] }
     A{C:X} ::= SEQUENCE { i C.&id ({X}), v C.&T ({X}{@i}), l SEQUENCE OF C.&T ({X}{@.i}) OPTIONAL } S C ::= { {1 IS INTEGER VALUE 4 OF {1 | 4}} | {2 IS B}, ..., {3 IS NULL} }
     B ::= A{{S}} D ::= SEQUENCE { b B DEFAULT { i 1, v INTEGER : 5 }, o TYPE-IDENTIFIER.&Type (B | NULL) } b B ::= { i 3, v NULL : NULL }",
    "A ::= OCTET STRING (CONTAINING B) B ::= SEQUENCE { s BIT STRING (CONTAINING A) OPTIONAL, n INTEGER } a A ::= CONTAINING { n 5 } D ::= SEQUENCE { a A DEFAULT CONTAINING { n 1 } }",
    "A ::= ANY B ::= SEQUENCE { k INTEGER, a ANY DEFINED BY k OPTIONAL } D ::= REAL (1...2 | -1.5E+3 | PLUS-INFINITY) E ::= EXTERNAL (WITH COMPONENTS { ..., identification (WITH COMPONENTS { ..., syntax ABSENT }) })",
    "A ::= TIME (SETTINGS \"Basic=Date Date=YMD Year=Basic\" | SETTINGS \"Basic=Time Time=HMS\") B ::= INTEGER { a(1), b(-2) } (a | b..5, ..., 9) V INTEGER ::= { 1 | 3..b, ... } b B ::= 4 D ::= a < E E ::= CHOICE { a [1] V, ..., [[ c NULL ]] }",
];

/// Whole files of modules.
const MODULES: &[&str] = &[
    "P {1 2 1} DEFINITIONS AUTOMATIC TAGS ::= BEGIN S ::= INTEGER END P {1 2 2} \"/a/b\" DEFINITIONS XER INSTRUCTIONS ::= BEGIN EXPORTS S, t; S ::= [ATTRIBUTE] REAL t S ::= 1. ENCODING-CONTROL XER GLOBAL-DEFAULTS MODIFIED-ENCODINGS END
     Q DEFINITIONS AUTOMATIC TAGS ::= BEGIN IMPORTS S FROM P {1 2 1} S, t FROM R {1 2 2} WITH SUCCESSORS A, lf, BasicLatin FROM ASN1-CHARACTER-MODULE; A ::= SEQUENCE { a P.S, b R.S DEFAULT R.t, c BMPString (FROM (BasicLatin | {lf})) } END",
    "M DEFINITIONS ::= BEGIN\x0cA ::= NULL -- one\x0bB ::= NULL /* two /* -- */ three */ -- four -- C ::= -- five\rNULL --- END -- END",
];

/// Constructs that schemas in the presentation language do not use.
const STRUCTS: &[&str] = &[
    "flags { a (0), b (9) } F; struct { F f; if_set (f, a) { PSID x; } else { uint24 y<0..2^16-1>; } } S;",
    "enum { a (0), b (2), reserved (240..255), (2^8-1) } E;
     struct { E e; uint8 n; select (e) { case a: uint16 x; default: opaque y[n]; unknown: opaque z<var>; } } S;",
    "struct { extern uint8 size; opaque x[size]; } P; uint8 size = 4; struct { P a; P b<var, 1..6>; P c[8]; } S;",
    "enum { a (1), (255) } E; struct { E e; select (e) { case a: S inside<var, 0..2, ...>; unknown: opaque z<var>; } } C;
     struct { ordered (a) C list<var>; select (list) { case a: ; default: sint32 last; } } S;",
];

/// Modules.
#[must_use]
pub fn asn1() -> Vec<Vec<u8>> {
    let snippets =
        SNIPPETS.iter().map(|body| format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {body} END").into_bytes());
    // The table's module is too repetitive.
    let whole = subjects().iter().filter(|subject| subject.name() != "constructs").flat_map(Subject::modules);
    let whole = whole.map(|text| text.as_bytes().to_vec());
    let two = "M DEFINITIONS ::= BEGIN EXPORTS A; IMPORTS B, c FROM N {1 2}; A ::= B END
        N {1 2} DEFINITIONS IMPLICIT TAGS EXTENSIBILITY IMPLIED ::= BEGIN B ::= SET OF NULL c NULL ::= NULL END";
    let modules = MODULES.iter().map(|text| text.as_bytes().to_vec());
    snippets.chain(modules).chain(whole).chain([two.as_bytes().to_vec()]).collect()
}

/// Files in the presentation language.
#[must_use]
pub fn presentation() -> Vec<Vec<u8>> {
    let whole = presentation_subjects().iter().flat_map(Subject::modules);
    STRUCTS.iter().copied().chain(whole).map(|text| text.as_bytes().to_vec()).collect()
}

/// A schema's octet and a value in JER.
#[must_use]
pub fn notation() -> Vec<Vec<u8>> {
    each(160, |at, rng| {
        let which = (at % usize::from(PICKS)) as u8;
        let value = value(pick(which), settings(rng), rng);
        Some(with(&[which], pick(which).notation().write(&value).ok()?.as_bytes()))
    })
}

/// A schema's octet and a file of distributions.
#[must_use]
pub fn distributions() -> Vec<Vec<u8>> {
    each(160, |at, rng| {
        let which = (at % usize::from(PICKS)) as u8;
        Some(with(&[which], distribution::file(pick(which), rng).as_bytes()))
    })
}

/// An octet for schema and rules, and a message.
#[must_use]
pub fn messages(family: Family) -> Vec<Vec<u8>> {
    let rules: Vec<Rules> = family.rules().collect();
    let kinds = PICKS as usize * rules.len();
    // The octet enumerates schemas before rules.
    each(kinds * 16, |at, rng| {
        let which = (at % kinds) as u8;
        let rules = rules[usize::from(which / PICKS)];
        message(pick_for(rules, which), rules, rng).map(|octets| with(&[which], &octets))
    })
}

/// Messages of one type under one set of rules.
pub(crate) fn valid(subject: &Subject, rules: Rules) -> Vec<Vec<u8>> {
    each(200, |_, rng| message(subject, rules, rng))
}

fn message(subject: &Subject, rules: Rules, rng: &mut Rng) -> Option<Vec<u8>> {
    let mut settings = settings(rng);
    match rules.family() {
        Family::Packed | Family::Octet => {}
        Family::Tlv => settings.tagged = true,
        Family::Fields | Family::Events | Family::Xml | Family::Json | Family::Vectors | Family::Cbor => {
            settings = Settings { unknown: 0, open_types: true, ..settings };
        }
    }
    let value = value(subject, settings, rng);
    roadwire_engine::encode_to_vec(subject.layout(rules), &value, ROOM).ok()
}

/// An octet for the schema, one for the rules, and a recipe.
#[must_use]
pub fn recipes() -> Vec<Vec<u8>> {
    let rules = Rules::ALL.len();
    each(PICKS as usize * rules * 2, |at, rng| {
        let count = 9 + [0, 3, 6, 24][rng.below(4) as usize];
        let recipe = rng.octets(count);
        Some(with(&[(at % usize::from(PICKS)) as u8, (at / usize::from(PICKS) % rules) as u8], &recipe))
    })
}

fn each(count: usize, mut make: impl FnMut(usize, &mut Rng) -> Option<Vec<u8>>) -> Vec<Vec<u8>> {
    let mut rng = Rng::new(0x5eed);
    (0..count).filter_map(|at| make(at, &mut rng)).collect()
}

fn value(subject: &Subject, settings: Settings, rng: &mut Rng) -> Value {
    Generator::new(subject.model(), settings).value(subject.root(), rng)
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

fn with(which: &[u8], rest: &[u8]) -> Vec<u8> {
    [which, rest].concat()
}

/// Secured messages of both versions.
pub fn secured() -> Vec<Vec<u8>> {
    crate::secured::seeds()
}

/// Secured messages of IEEE 1609.2, and certificates.
#[must_use]
pub fn secured_today() -> Vec<Vec<u8>> {
    crate::today::seeds()
}

/// Files of recorded frames, in all formats.
#[must_use]
pub fn files() -> Vec<Vec<u8>> {
    crate::recorded::files()
}

/// Frames of all link layers, each behind an octet that selects its link type.
#[must_use]
pub fn frames() -> Vec<Vec<u8>> {
    crate::recorded::frames()
}
