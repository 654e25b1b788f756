//! Fields of Protocol Buffers in another order, and several of them for one component.

use roadwire_layout::Rules;
use roadwire_model::Model;
use roadwire_model::random::{Rng, Settings};
use roadwire_wire::rt::fields;

use crate::c99::{Message, held};
use crate::support::mutant;
use crate::{FIELDS, compiled, random};

/// The fields of a message so many times, in any order.
fn shuffled(octets: &[u8], times: usize, rng: &mut Rng) -> Vec<u8> {
    let (mut all, mut rest) = (Vec::new(), octets);
    while let Ok(length) = fields::field(rest).map(|length| length.min(rest.len())) {
        (0..times).for_each(|_| all.push(&rest[..length]));
        rest = &rest[length..];
    }
    for at in (1..all.len()).rev() {
        all.swap(at, rng.below(at as u64 + 1) as usize);
    }
    all.concat()
}

#[test]
fn fields_come_in_any_order() {
    let (now, later) = (compiled(FIELDS[0]), compiled(FIELDS[1]));
    let with = [Message::of(&now, "Fields", Rules::Protobuf)];
    let mut rng = Rng::new(8);
    let settings = Settings { extensions: 60, ..Settings::default() };
    let all = random(&later, "Fields", Rules::Protobuf, (settings, 9));
    let once: Vec<Vec<u8>> = all.iter().map(|octets| shuffled(octets, 1, &mut rng)).collect();
    // No more fields of a later version than are kept.
    let all = random(&now, "Fields", Rules::Protobuf, (Settings::default(), 9));
    let repeated: Vec<Vec<u8>> = all.iter().map(|octets| shuffled(octets, 3, &mut rng)).collect();
    let taken = |messages: &Vec<Vec<u8>>| held(&now, Rules::Protobuf, "fields", &with, |_| messages.clone())["Fields"];
    let [all, by_c] = taken(&once);
    assert!(all > 150 && by_c == all, "{by_c} of {all}");
    // Messages for one component are merged. Most lists are too long then.
    let [all, by_c] = taken(&repeated);
    assert!(all > 20 && by_c == all, "{by_c} of {all}");
    for of in [once, repeated] {
        let mutants: Vec<Vec<u8>> = (0..2000).map(|_| mutant(&of, [0, 1, 0x80, 0xff], &mut rng)).collect();
        taken(&mutants);
    }
}

/// Open types, with the components that select their types before or after them.
const OPEN: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Inner ::= SEQUENCE { a INTEGER (0..7), b BOOLEAN OPTIONAL }
    Kind ::= ENUMERATED { one, two, ... }
    ROW ::= CLASS { &id INTEGER (0..255), &kind Kind, &Type } WITH SYNTAX { TYPE &Type ID &id KIND &kind }
    Rows ROW ::= { { TYPE Inner ID 1 KIND one } | { TYPE INTEGER (-9..9) ID 2 KIND two } | { TYPE OCTET STRING ID 3 KIND two } }
    Before ::= SEQUENCE { id ROW.&id ({Rows}), value ROW.&Type ({Rows}{@id}), x BOOLEAN OPTIONAL }
    After ::= SEQUENCE { value ROW.&Type ({Rows}{@id}), x BOOLEAN OPTIONAL, id ROW.&id ({Rows}) }
    Free ::= SEQUENCE { id ROW.&id ({Rows}) OPTIONAL, value ROW.&Type ({Rows}{@id}) }
    Plain ::= SEQUENCE { id ROW.&id ({Rows}) DEFAULT 2, value ROW.&Type ({Rows}{@id}) OPTIONAL }
    Both ::= SEQUENCE { id ROW.&id ({Rows}), kind ROW.&kind ({Rows}{@id}), value ROW.&Type ({Rows}{@id, @kind}) }
    Headed ::= SEQUENCE { head SEQUENCE { x BOOLEAN, id ROW.&id ({Rows}) }, value ROW.&Type ({Rows}{@head.id}) }
    Lists ::= SEQUENCE { id ROW.&id ({Rows}), more SEQUENCE (SIZE (0..9)) OF ROW.&Type ({Rows}{@id}),
        all SEQUENCE (SIZE (0..9)) OF SEQUENCE { id ROW.&id ({Rows}), value ROW.&Type ({Rows}{@.id}) } }
END";

#[test]
fn fields_of_open_types_come_in_any_order() {
    let model = compiled(OPEN);
    // With a DEFAULT, one type is selected before another one comes, which is rare; so is what
    // selects a type twice.
    let names = ["Before", "After", "Free", "Both", "Headed", "Lists", "Plain"];
    let with = names.map(|name| Message::of(&model, name, Rules::Protobuf));
    let of = |model: &Model, name: &str, times: usize| -> Vec<Vec<u8>> {
        let (mut rng, settings) = (Rng::new(8), Settings { open_types: true, ..Settings::default() });
        let all = random(model, name, Rules::Protobuf, (settings, 9));
        all.iter().map(|octets| shuffled(octets, times, &mut rng)).collect()
    };
    for (name, [all, by_c]) in held(&model, Rules::Protobuf, "open", &with[..6], |one| of(&model, &one.name, 1)) {
        assert!(all > 100 && by_c == all, "{name}: {by_c} of {all}");
    }
    held(&model, Rules::Protobuf, "open", &with, |one| {
        let (mut rng, all) = (Rng::new(3), of(&model, &one.name, 1));
        (0..1000).map(|_| mutant(&all, [0, 1, 0x80, 0xff], &mut rng)).collect()
    });
}

/// Bit strings of a fixed size, beyond a word.
const FIXED: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Plain ::= SEQUENCE { a BIT STRING (SIZE (65)), b BIT STRING (SIZE (72)) OPTIONAL, c BOOLEAN }
    Named ::= SEQUENCE { a BIT STRING { first (0), last (70) } (SIZE (71)), b BOOLEAN }
    Many ::= SEQUENCE { a SEQUENCE (SIZE (0..4)) OF BIT STRING (SIZE (70)), b CHOICE { c BIT STRING (SIZE (80)), d NULL } }
END";

#[test]
fn bits_of_a_fixed_size_are_octets() {
    let model = compiled(FIXED);
    let with = ["Plain", "Named", "Many"].map(|name| Message::of(&model, name, Rules::Protobuf));
    let taken = held(&model, Rules::Protobuf, "fixed-bits", &with, |message| {
        let all = random(&model, &message.name, Rules::Protobuf, (Settings::default(), 3));
        let mut rng = Rng::new(3);
        let mutants = (0..2000).map(|_| mutant(&all, [0, 1, 8, 10], &mut rng)).collect();
        // The last of several values counts.
        let twice: Vec<Vec<u8>> = all.windows(2).map(<[Vec<u8>]>::concat).collect();
        [all, twice, mutants].concat()
    });
    for (name, [all, by_c]) in taken {
        assert!(all > 600 && by_c == all, "{name}: {by_c} of {all}");
    }
}
