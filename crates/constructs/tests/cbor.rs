//! CBOR through the interpreter: each value has one encoding, and whatever a decoder takes is that
//! of its value.

mod support;

use roadwire_constructs::{ANY, MODULE, module, pdus};
use roadwire_engine::{Item, Limits, Listener, decode, decode_with, encode_to_vec};
use roadwire_layout::{CborNode, Layout, Node, Properties, Rules, lower};
use roadwire_model::data::equal;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Model, TypeId, Value, check};
use roadwire_wire::Step;
use support::mutant;

const ROOM: usize = 1 << 18;
const VALUES: usize = 60;
const MUTANTS: usize = 20_000;

/// Constructs that the table of leaves does not have: keys of two octets, recursion, open types of
/// known and unknown content, SETs, bounds beyond 128 bits.
const MORE: &str = "More DEFINITIONS AUTOMATIC TAGS ::= BEGIN
Keys ::= SEQUENCE { a0 BOOLEAN OPTIONAL, a1 NULL, a2 NULL OPTIONAL, a3 NULL OPTIONAL, a4 NULL OPTIONAL, a5 NULL OPTIONAL, a6 NULL OPTIONAL, a7 NULL OPTIONAL,
    a8 NULL OPTIONAL, a9 NULL OPTIONAL, b0 NULL OPTIONAL, b1 NULL OPTIONAL, b2 NULL OPTIONAL, b3 NULL OPTIONAL, b4 NULL OPTIONAL, b5 NULL OPTIONAL, b6 NULL OPTIONAL,
    b7 NULL OPTIONAL, b8 NULL OPTIONAL, b9 NULL OPTIONAL, c0 NULL OPTIONAL, c1 NULL OPTIONAL, c2 NULL OPTIONAL, c3 INTEGER OPTIONAL, c4 INTEGER DEFAULT 4, ...,
    d0 BOOLEAN, [[ e0 INTEGER, e1 BOOLEAN DEFAULT TRUE ]], d1 REAL, ..., c5 BOOLEAN DEFAULT FALSE }
Tree ::= CHOICE { leaf INTEGER (0..9), branch SEQUENCE (SIZE (0..3)) OF Tree, named SET { left Tree OPTIONAL, right Tree OPTIONAL, ... }, ..., far Tree }
Bag ::= SET OF CHOICE { text UTF8String (SIZE (0..40)), numbers SET OF INTEGER, real REAL }
Wide ::= SEQUENCE { a INTEGER (-1000000000000000000000000000000000000000000..7), b INTEGER (0..1000000000000000000000000000000000000000000), c INTEGER }
C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &Type BY &id }
S C ::= { {INTEGER (0..300) BY 1} | {SEQUENCE OF Tree BY 2} | {Wide BY 3}, ... }
Row ::= SEQUENCE { id C.&id ({S}), value C.&Type ({S}{@id}), after BOOLEAN }
Rows ::= SEQUENCE OF Row
END";

struct Subject {
    model: Model,
    root: TypeId,
    layout: Layout,
    name: String,
}

fn subjects() -> Vec<Subject> {
    let of = |file: &str, text: &str| {
        let source = roadwire_asn1::Source::new(file, text);
        roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model
    };
    let constructs = of("constructs.asn", &module(&pdus()));
    let more = of("more.asn", MORE);
    let names = pdus().into_iter().map(|pdu| pdu.name).chain([ANY.to_owned()]);
    let all = names.map(|name| (&constructs, format!("{MODULE}.{name}")));
    let others = ["Keys", "Tree", "Bag", "Wide", "Row", "Rows"].map(|name| (&more, format!("More.{name}")));
    all.chain(others)
        .map(|(model, name)| {
            let root = model.find(&name).unwrap_or_else(|| panic!("no {name}"));
            let layout = lower(model, root, Rules::Cbor).unwrap_or_else(|error| panic!("{name}: {error}"));
            Subject { model: model.clone(), root, layout, name }
        })
        .collect()
}

impl Subject {
    fn values(&self, rng: &mut Rng) -> Vec<Value> {
        let settings =
            Settings { boundary: 60, max_elements: 5, max_length: 70, open_types: true, ..Settings::default() };
        let each = |round: usize| {
            let (extensions, optional) = ([0, 30, 60][round % 3], [0, 100, 50][round % 3]);
            Generator::new(&self.model, Settings { extensions, optional, ..settings.clone() }).value(self.root, rng)
        };
        (0..VALUES).map(each).collect()
    }

    fn has_sets_of(&self) -> bool {
        self.layout.nodes.iter().any(|node| matches!(node, Node::Cbor(CborNode::Array { sorted: true, .. })))
    }

    fn encode(&self, value: &Value) -> Vec<u8> {
        encode_to_vec(&self.layout, value, ROOM).unwrap_or_else(|error| panic!("{}: {error}: {value:?}", self.name))
    }
}

/// Checks that bits come once and in order.
#[derive(Default)]
struct Heard(usize);

impl Listener for Heard {
    fn enter(&mut self, _: Step<'_>) {}
    fn leave(&mut self) {}
    fn item(&mut self, _: &Layout, item: &Item<'_>) {
        assert_eq!(item.bit, self.0, "{item:?}");
        self.0 += item.bits;
    }
}

#[test]
fn values_come_back_and_no_beginning_is_a_message() {
    let mut rng = Rng::new(8949);
    for subject in subjects() {
        let properties = Properties::of(&subject.layout);
        for value in subject.values(&mut rng) {
            let octets = subject.encode(&value);
            let place = || format!("{}: {octets:02x?}: {value:?}", subject.name);
            let length = octets.len() as u64;
            assert!(properties.octets.fewest <= length, "{}", place());
            assert!(properties.octets.most.is_none_or(|most| length <= most), "{}", place());
            let mut back = Value::Unset;
            assert_eq!(decode(&subject.layout, &octets, &mut back), Ok(octets.len() * 8), "{}", place());
            // A SET OF comes back in the order of its elements' encodings.
            let is_same = equal(&subject.model, subject.root, &value, &back);
            assert!(is_same || subject.has_sets_of(), "{} {back:?}", place());
            assert_eq!(subject.encode(&back), octets, "{}", place());
            let mut heard = Heard::default();
            let limits = Limits::for_input(&octets);
            assert!(decode_with(&subject.layout, &octets, &mut back, &limits, &mut heard).is_ok());
            assert_eq!(heard.0, octets.len() * 8, "{}", place());
            for cut in (0..octets.len().min(60)).chain(octets.len().checked_sub(1)) {
                let error = decode(&subject.layout, &octets[..cut], &mut Value::Unset).unwrap_err();
                assert!(error.kind.is_truncated(), "{cut} of {} {error}", place());
            }
        }
    }
}

#[test]
fn what_is_decoded_is_the_one_encoding_of_its_value() {
    let mut rng = Rng::new(0xcb0);
    let subjects = subjects();
    let pools: Vec<Vec<Vec<u8>>> = subjects
        .iter()
        .map(|subject| subject.values(&mut rng).iter().map(|value| subject.encode(value)).collect())
        .collect();
    let mut taken = 0;
    for round in 0..MUTANTS {
        let at = round % subjects.len();
        let (subject, octets) = (&subjects[at], mutant(&pools[at], [0, 0x18, 0xa0, 0xff], &mut rng));
        let mut value = Value::Unset;
        let Ok(bits) = decode(&subject.layout, &octets, &mut value) else {
            // The same is said of a message that someone listens to, and to the same bit.
            let limits = Limits::for_input(&octets);
            let mut heard = Heard::default();
            assert!(decode_with(&subject.layout, &octets, &mut value, &limits, &mut heard).is_err());
            continue;
        };
        taken += 1;
        let place = || format!("{}: {octets:02x?}: {value:?}", subject.name);
        let again = subject.encode(&value);
        assert_eq!(again, octets[..bits / 8], "{}", place());
        let broken = check::effective(&subject.model, subject.root, &value);
        assert!(broken.iter().all(|one| matches!(one.code, "text.form" | "real.range")), "{} {broken:?}", place());
    }
    assert!(taken > MUTANTS / 20, "only {taken} mutants are messages");
}

/// Of a later version's message an earlier version keeps what it does not know.
#[test]
fn what_a_later_version_adds_is_kept() {
    let text = |more: &str, also: &str| {
        format!(
            "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE {{ a BOOLEAN, ...{more}, ..., b C OPTIONAL }}
             C ::= CHOICE {{ x NULL, ...{also} }} END"
        )
    };
    let of = |text: String| {
        let source = roadwire_asn1::Source::new("m.asn", text.as_str());
        let model = roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
        let root = model.find("A").unwrap();
        let layout = lower(&model, root, Rules::Cbor).unwrap();
        Subject { model, root, layout, name: "A".into() }
    };
    let inside = "SEQUENCE { p SET OF INTEGER, q REAL, r OBJECT IDENTIFIER, s UTF8String, ..., t Nested }";
    let later = of(text(
        &format!(", c {inside}, [[ d INTEGER, e BIT STRING OPTIONAL ]], f BOOLEAN"),
        &format!(", y {inside}, z SEQUENCE OF {inside}"),
    )
    .replace(" END", " Nested ::= SEQUENCE { n Nested OPTIONAL, m INTEGER } END"));
    let earlier = of(text("", ""));
    let mut rng = Rng::new(5);
    let settings = Settings { extensions: 70, optional: 70, max_elements: 4, max_length: 30, ..Settings::default() };
    let generator = Generator::new(&later.model, settings);
    let mut kept = 0;
    for _ in 0..500 {
        let octets = later.encode(&generator.value(later.root, &mut rng));
        let mut value = Value::Unset;
        assert_eq!(decode(&earlier.layout, &octets, &mut value), Ok(octets.len() * 8), "{octets:02x?}");
        assert_eq!(earlier.encode(&value), octets);
        kept += usize::from(format!("{value:?}").contains("Unknown"));
    }
    assert!(kept > 300, "{kept} messages with additions");
}
