//! Values and messages that are large, in an encoding of every family.

use std::rc::Rc;

use roadwire_engine::{decode, encode_to_vec};
use roadwire_frontend::{Source, compile};
use roadwire_layout::{Layout, Rules, lower};
use roadwire_model::{Integer, Oid, Value};

use crate::part::{Part, RULES, Work};

/// The widest number that has decimal text, octets.
const DECIMAL: usize = 4096;
/// Levels of nesting: with the list around, below the limit of 100.
const LEVELS: usize = 90;

/// A family: a type, and a function that makes a value of about a given number of octets. Numbers
/// have separate values for binary and for decimal encodings.
struct Family {
    name: &'static str,
    definitions: String,
    value: fn(usize) -> Value,
    admits: fn(Rules) -> bool,
}

fn families() -> Vec<Family> {
    let any = |_: Rules| true;
    let octets = |rules: Rules| !is_decimal(rules);
    let absent: Vec<String> = (0..30).map(|at| format!("c{at} NULL OPTIONAL")).collect();
    let family =
        |name, definitions: &str, value, admits| Family { name, definitions: definitions.into(), value, admits };
    vec![
        family("one INTEGER", "A ::= INTEGER", |size| Value::Integer(number(size)), octets),
        family(
            "INTEGERs of 4096 octets",
            "A ::= SEQUENCE OF INTEGER",
            |size| list(size / DECIMAL, Value::Integer(number(DECIMAL))),
            any,
        ),
        family("one arc of an OBJECT IDENTIFIER", "A ::= RELATIVE-OID", |size| oid(size, 0xff), octets_of_any_width),
        family("many arcs of an OBJECT IDENTIFIER", "A ::= RELATIVE-OID", |size| oid(size, 0x2a), any),
        family("OCTET STRING", "A ::= OCTET STRING", |size| Value::OctetString(vec![0x5a; size]), any),
        family("UTF8String", "A ::= UTF8String", |size| Value::Text("aé<€".repeat(size / 7)), any),
        family("SEQUENCE OF BOOLEAN", "A ::= SEQUENCE OF BOOLEAN", |size| list(size / 8, Value::Boolean(true)), any),
        family(
            "SEQUENCE OF a CHOICE",
            "A ::= SEQUENCE OF CHOICE { a NULL, b CHOICE { c NULL, d BOOLEAN } }",
            |size| list(size / 16, Value::choice(1, Value::choice(0, Value::Null))),
            any,
        ),
        family(
            "SEQUENCE OF small records",
            "A ::= SEQUENCE OF SEQUENCE { a INTEGER (0..255), b BOOLEAN OPTIONAL, c UTF8String }",
            |size| {
                let text = || Some(Value::Text("abc".into()));
                list(size / 32, Value::sequence([Some(Value::from(7)), Some(Value::Boolean(true)), text()]))
            },
            any,
        ),
        family(
            "records of 30 absent components",
            &format!("A ::= SEQUENCE OF SEQUENCE {{ {} }}", absent.join(", ")),
            |size| list(size / 64, Value::sequence((0..30).map(|_| None))),
            any,
        ),
        family(
            "records in records, 90 deep",
            "A ::= SEQUENCE OF N N ::= SEQUENCE { n N OPTIONAL }",
            |size| {
                let inner = (1..LEVELS).fold(Value::sequence([None]), |inner, _| Value::sequence([Some(inner)]));
                list(size / (LEVELS * 8), inner)
            },
            any,
        ),
    ]
}

fn is_decimal(rules: Rules) -> bool {
    rules.is_text()
}

fn octets_of_any_width(rules: Rules) -> bool {
    !is_decimal(rules) && rules != Rules::Exi
}

fn number(octets: usize) -> Integer {
    Integer::from_twos_complement(&vec![0x5a; octets])
}

/// A relative object identifier of this many octets: each octet an arc, or all of them one arc.
fn oid(octets: usize, each: u8) -> Value {
    let mut contents = vec![each; octets];
    contents.push(0x7f);
    Oid::from_contents(&contents).map_or(Value::Null, Value::Oid)
}

fn list(count: usize, value: Value) -> Value {
    Value::List(vec![value; count.max(1)])
}

fn layout(definitions: &str, rules: Rules) -> Option<Rc<Layout>> {
    let source = if rules.is_for_asn1() {
        Source::new("m.asn", format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {definitions} END"))
    } else {
        Source::new("m.tls", definitions)
    };
    let model = compile(&[source]).ok()?.model;
    lower(&model, model.find("A")?, rules).ok().map(Rc::new)
}

/// More octets than any input here takes in any encoding.
const ROOM: usize = 1 << 30;

fn decoding(layout: Rc<Layout>, input: Vec<u8>) -> Work {
    let octets = input.len();
    let run = move || {
        let mut value = Value::Unset;
        decode(&layout, &input, &mut value).map_or_else(|error| error.kind.code(), |_| "taken")
    };
    Work { octets, run: Box::new(run) }
}

pub(crate) fn parts() -> Vec<Part> {
    let mut parts = Vec::new();
    for family in families() {
        for rules in RULES.into_iter().filter(|rules| (family.admits)(*rules)) {
            let Some(layout) = layout(&family.definitions, rules) else { continue };
            parts.extend(both_ways(family.name, rules, &layout, family.value));
        }
    }
    parts.extend(presentation());
    parts.extend(unknown());
    parts.extend(hostile());
    parts
}

fn both_ways(family: &'static str, rules: Rules, layout: &Rc<Layout>, value: fn(usize) -> Value) -> [Part; 2] {
    let (same, layout) = (layout.clone(), layout.clone());
    let encode = move |size: usize| {
        let (layout, value) = (same.clone(), value(size));
        let octets = encode_to_vec(&layout, &value, ROOM).map_or(size, |octets| octets.len());
        let run = move || {
            let done = encode_to_vec(&layout, &value, ROOM);
            done.map_or_else(|error| error.kind.code(), |_| "taken")
        };
        Work { octets, run: Box::new(run) }
    };
    let decode = move |size: usize| {
        let octets = encode_to_vec(&layout, &value(size), ROOM).unwrap_or_default();
        decoding(layout.clone(), octets)
    };
    [
        Part { family, name: format!("{rules}, encode"), make: Box::new(encode) },
        Part { family, name: format!("{rules}, decode"), make: Box::new(decode) },
    ]
}

fn one(value: Value) -> Value {
    Value::sequence([Some(value)])
}

/// The presentation language has types of its own.
fn presentation() -> impl Iterator<Item = Part> {
    type Family = (&'static str, &'static str, fn(usize) -> Value);
    let families: [Family; 3] = [
        ("OCTET STRING", "struct { opaque a<var>; } A;", |size| one(Value::OctetString(vec![0x5a; size]))),
        ("SEQUENCE OF small records", "struct { uint8 a; opaque c<var>; } R; struct { R list<var>; } A;", |size| {
            let text = Value::OctetString(b"abc".to_vec());
            one(list(size / 8, Value::sequence([Some(Value::from(7)), Some(text)])))
        }),
        ("records in records, 90 deep", "struct { N list<var>; } A; struct { N inner<var>; } N;", |size| {
            let innermost = one(Value::List(Vec::new()));
            let inner = (1..LEVELS).fold(innermost, |inner, _| one(list(1, inner)));
            one(list(size / (LEVELS * 2), inner))
        }),
    ];
    families.into_iter().flat_map(|(family, definitions, value)| {
        let layout = layout(definitions, Rules::Tls);
        layout.into_iter().flat_map(move |layout| both_ways(family, Rules::Tls, &layout, value))
    })
}

/// Additions of a later version, decoded by an earlier one.
fn unknown() -> impl Iterator<Item = Part> {
    let rules =
        [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Ber, Rules::Xer, Rules::Jer, Rules::Protobuf, Rules::Cbor];
    rules.into_iter().filter_map(|rules| {
        let earlier = layout("A ::= SEQUENCE { a BOOLEAN, ... }", rules)?;
        let later = layout("A ::= SEQUENCE { a BOOLEAN, ..., b SEQUENCE OF OCTET STRING }", rules)?;
        let make = move |size: usize| {
            let strings = list(size / 16, Value::OctetString(vec![0x5a; 16]));
            let value = Value::sequence([Some(Value::Boolean(true)), Some(strings)]);
            decoding(earlier.clone(), encode_to_vec(&later, &value, ROOM).unwrap_or_default())
        };
        Some(Part { family: "an unknown extension addition", name: format!("{rules}, decode"), make: Box::new(make) })
    })
}

/// Octets that encoders do not write.
fn hostile() -> impl Iterator<Item = Part> {
    let nested = "A ::= SEQUENCE { a A OPTIONAL, b SEQUENCE OF A OPTIONAL, ... }";
    let inputs: [(&str, &str, Rules, &[u8]); 7] = [
        ("nothing but beginnings", nested, Rules::Ber, b"\x30\x80"),
        ("nothing but beginnings", nested, Rules::Xer, b"<A><a>"),
        ("nothing but beginnings", nested, Rules::Jer, b"{\"a\":"),
        ("nothing but beginnings", nested, Rules::Jer, b"{\"x\":["),
        ("nothing but beginnings", nested, Rules::Cbor, b"\xa1\x00"),
        ("nothing but fragments of NULL", "A ::= SEQUENCE OF NULL", Rules::Uper, b"\xc4"),
        ("nothing but fragments of NULL", "A ::= SEQUENCE OF NULL", Rules::Aper, b"\xc4"),
    ];
    inputs.into_iter().filter_map(|(family, definitions, rules, piece)| {
        let layout = layout(definitions, rules)?;
        let make = move |size: usize| decoding(layout.clone(), piece.repeat(size / piece.len()));
        let name = format!("{rules}, `{}`", piece.escape_ascii());
        Some(Part { family, name, make: Box::new(make) })
    })
}
