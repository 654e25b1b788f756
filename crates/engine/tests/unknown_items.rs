//! Enumeration items of a later version, from each encoding to each other: carried where both have
//! the item's number or both its index, refused elsewhere.

mod support;

use roadwire_layout::{Family, Rules};
use roadwire_model::Value;
use roadwire_notation::Notation;
use support::{Codec, to_hex};

const OLD: &str = "A ::= SEQUENCE { e ENUMERATED { a, z(9), ... } }";
const NEW: &str = "A ::= SEQUENCE { e ENUMERATED { a, z(9), ..., c(-3), b(5), d(300) } }";

/// The part of an item that an encoding carries.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Carries {
    /// Its index (X.691 §14).
    Index,
    /// Its number (X.690 §8.4, X.696 §13).
    Number,
    /// Its name, or an index among the known ones: an unknown item is refused.
    Name,
}

fn carries(rules: Rules) -> Carries {
    match rules.family() {
        Family::Packed => Carries::Index,
        Family::Octet | Family::Tlv | Family::Fields | Family::Cbor | Family::Vectors => Carries::Number,
        Family::Events | Family::Xml | Family::Json => Carries::Name,
    }
}

fn all() -> impl Iterator<Item = Rules> {
    Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1())
}

/// Those with which a program of the old version can read messages of the new one. EXI needs the
/// same schema on both sides (EXI §8).
fn evolving() -> impl Iterator<Item = Rules> {
    all().filter(|rules| rules.family() != Family::Events)
}

/// The value with a new item as a program of the old version sees it; `None` if it is refused.
fn seen(rules: Rules, name: &str) -> Option<Value> {
    let (old, new) = (Codec::under(rules, OLD).unwrap(), Codec::under(rules, NEW).unwrap());
    let octets = new.encode(&new.value(&format!(r#"{{"e":"{name}"}}"#))).unwrap();
    old.decode(&octets).ok()
}

#[test]
fn an_unknown_item_goes_where_the_same_is_carried() {
    for from in evolving() {
        for name in ["b", "c", "d"] {
            let Some(value) = seen(from, name) else {
                assert_eq!(carries(from), Carries::Name, "{from} refuses {name}");
                continue;
            };
            assert_ne!(carries(from), Carries::Name, "{from} takes {name}");
            for to in all() {
                let (old, new) = (Codec::under(to, OLD).unwrap(), Codec::under(to, NEW).unwrap());
                let text = format!("{name} from {from} to {to}");
                match (carries(to) == carries(from), old.encode(&value)) {
                    (true, octets) => {
                        let octets = octets.unwrap_or_else(|error| panic!("{text}: {error}"));
                        let wanted = new.value(&format!(r#"{{"e":"{name}"}}"#));
                        assert_eq!(new.decode(&octets).as_ref(), Ok(&wanted), "{text}: {}", to_hex(&octets));
                    }
                    // JSON has names of this project's own for them.
                    (false, found) if to == Rules::Jer => assert!(found.is_ok(), "{text}"),
                    (false, found) => assert!(found.is_err(), "{text}: {found:?}"),
                }
            }
        }
    }
}

#[test]
fn in_json_one_number_has_one_name() {
    let old = Codec::under(Rules::Jer, OLD).unwrap();
    let notation = Notation::new(&old.model, old.root).unwrap();
    for (name, index, number) in [("c", "...0", "...(-3)"), ("b", "...1", "...(5)"), ("d", "...2", "...(300)")] {
        for from in evolving() {
            let Some(value) = seen(from, name) else { continue };
            let wanted = if carries(from) == Carries::Index { index } else { number };
            let text = notation.write(&value).unwrap();
            assert_eq!(text, format!(r#"{{"e":"{wanted}"}}"#), "{from}");
            assert_eq!(notation.read(&text).as_ref(), Ok(&value));
        }
    }
    for wrong in ["...(05)", "...(-0)", "...()", "...(1073741824)", "...2147483648"] {
        assert!(notation.read(&format!(r#"{{"e":"{wrong}"}}"#)).is_err(), "{wrong}");
    }
}

#[test]
fn errors_say_which_of_the_two_is_needed() {
    let error = |rules, value: &Value| Codec::under(rules, OLD).unwrap().encode(value).unwrap_err();
    let (index, number) = (seen(Rules::Uper, "b").unwrap(), seen(Rules::Ber, "b").unwrap());
    assert_eq!(
        error(Rules::Ber, &index),
        "the value is not an item whose number is known, which these rules carry at bit 24 in e"
    );
    assert_eq!(
        error(Rules::Aper, &number),
        "the value is not an item whose index is known, which these rules carry at bit 0 in e"
    );
    let closed = Codec::under(Rules::Ber, "A ::= ENUMERATED { a, b }").unwrap();
    assert_eq!(
        closed.decode(&[10, 1, 0xff]).unwrap_err(),
        "unexpected item number -1; expected 0 (a) or 1 (b) at bit 16"
    );
}

/// Otherwise a decoder would read it back as the known item.
#[test]
fn the_number_of_a_known_item_is_no_unknown_one() {
    for rules in evolving().filter(|rules| carries(*rules) == Carries::Number) {
        let old = Codec::under(rules, OLD).unwrap();
        let known = old.encode(&old.value(r#"{"e":"...(9)"}"#)).unwrap_err();
        assert!(
            known.starts_with("expected an enumeration index of 0..1, found") && known.ends_with("in e"),
            "{rules}: {known}"
        );
        assert!(old.encode(&old.value(r#"{"e":"...(8)"}"#)).is_ok(), "{rules}");
    }
}
