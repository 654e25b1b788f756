//! SETs under the basic encoding rules, whose components come in any order.

use roadwire_layout::Rules;
use roadwire_model::Model;
use roadwire_model::random::{Rng, Settings};
use roadwire_wire::rt::tlv::{self, Length};

use crate::c99::{Message, held};
use crate::support::mutant;
use crate::{compiled, random};

/// SETs in each other, and with more in a later version.
const SETS: [&str; 2] = [
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        Closed ::= SET { a INTEGER (0..300), b BOOLEAN OPTIONAL, c IA5String (SIZE (0..9)) DEFAULT \"x\" }
        Open ::= SET { a INTEGER (0..300), b Closed, c CHOICE { x NULL, y INTEGER (0..900) }, d INTEGER (0..70000) DEFAULT 5,
            e Closed OPTIONAL, ..., [[ f BOOLEAN, g INTEGER (0..7) OPTIONAL ]], h SEQUENCE OF BOOLEAN }
    END",
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        Closed ::= SET { a INTEGER (0..300), b BOOLEAN OPTIONAL, c IA5String (SIZE (0..9)) DEFAULT \"x\" }
        Open ::= SET { a INTEGER (0..300), b Closed, c CHOICE { x NULL, y INTEGER (0..900) }, d INTEGER (0..70000) DEFAULT 5,
            e Closed OPTIONAL, ..., [[ f BOOLEAN, g INTEGER (0..7) OPTIONAL ]], h SEQUENCE OF BOOLEAN,
            i BOOLEAN, j OCTET STRING (SIZE (0..200)) }
    END",
];

/// The elements of values in another order; one of them may come again.
fn shuffled(octets: &[u8], again: bool, rng: &mut Rng) -> Vec<u8> {
    let (identifier, first) = tlv::identifier(octets).unwrap();
    let (length, second) = tlv::length(&octets[first..]).unwrap();
    if identifier & tlv::CONSTRUCTED == 0 {
        return octets.to_vec();
    }
    let mut rest = &octets[first + second..];
    if length == Length::Indefinite {
        rest = &rest[..rest.len() - 2];
    }
    let mut inside = Vec::new();
    while !rest.is_empty() {
        let end = tlv::element(rest).unwrap();
        inside.push(shuffled(&rest[..end], again, rng));
        rest = &rest[end..];
    }
    if again && !inside.is_empty() && rng.below(3) == 0 {
        inside.push(inside[rng.below(inside.len() as u64) as usize].clone());
    }
    for at in (1..inside.len()).rev() {
        inside.swap(at, rng.below(at as u64 + 1) as usize);
    }
    let inside = inside.concat();
    [&octets[..first], tlv::length_octets(inside.len()).as_slice(), &inside].concat()
}

#[test]
fn components_of_sets_come_in_any_order() {
    let models = SETS.map(compiled);
    for rules in [Rules::Ber, Rules::Der, Rules::Cer] {
        let with = ["Open", "Closed"].map(|name| Message::of(&models[0], name, rules));
        let all = |model: &Model, name: &str| random(model, name, rules, (Settings::default(), 4));
        let taken = |messages: &dyn Fn(&Message) -> Vec<Vec<u8>>| held(&models[0], rules, "sets", &with, messages);
        let (mut rng, mut wrong) = (Rng::new(5), Rng::new(6));
        let known = ["Open", "Closed"].map(|name| all(&models[0], name));
        let other =
            known.each_ref().map(|all| all.iter().map(|one| shuffled(one, false, &mut rng)).collect::<Vec<_>>());
        let of = |message: &Message| usize::from(message.name == "Closed");
        for (name, [all, by_c]) in taken(&|message| other[of(message)].clone()) {
            assert!(all > 200 && by_c == all, "{name} under {rules}: {by_c} of {all}");
        }
        let again =
            known.each_ref().map(|all| all.iter().map(|one| shuffled(one, true, &mut wrong)).collect::<Vec<_>>());
        taken(&|message| again[of(message)].clone());
        let mutants =
            other.map(|all| (0..2000).map(|_| mutant(&all, [0, 1, 0x80, 0xa1], &mut wrong)).collect::<Vec<_>>());
        taken(&|message| mutants[of(message)].clone());
        let later: Vec<_> = all(&models[1], "Open").iter().map(|one| shuffled(one, false, &mut rng)).collect();
        let [all, by_c] = held(&models[0], rules, "sets", &with[..1], |_| later.clone())["Open"];
        assert!(all > 200 && (by_c == all || rules != Rules::Ber), "{rules}: {by_c} of {all}");
    }
}
