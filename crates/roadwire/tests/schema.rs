//! Schemas at run time: which type is selected, and what cannot be converted between encodings.
#![cfg(all(feature = "schema", feature = "messages"))]

use roadwire::{CodecError, Rules, Schema, Source, UnknownType};

fn schema(definitions: &str) -> Schema {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {definitions} END");
    Schema::compile(vec![Source::new("m.asn", text)]).unwrap()
}

/// An unknown addition is octets of its original encoding.
#[test]
fn unknown_additions_are_not_carried_to_another_encoding() {
    let later = schema("A ::= SEQUENCE { a BOOLEAN, ..., b INTEGER (0..255) }");
    let now = schema("A ::= SEQUENCE { a BOOLEAN, ... }");
    let [of_later, of_now] = [&later, &now].map(|schema| schema.find(None).unwrap());
    let octets = later.convert(of_later, Rules::Jer, Rules::Uper, br#"{"a":true,"b":7}"#).unwrap();
    assert_eq!(now.convert(of_now, Rules::Uper, Rules::Uper, &octets).unwrap(), octets);
    let refused = now.convert(of_now, Rules::Uper, Rules::Der, &octets).unwrap_err();
    assert!(matches!(refused, CodecError::Foreign { to: Rules::Der, .. }), "{refused}");
    // In PER, octets depend on the variant (aligned or unaligned).
    let refused = now.convert(of_now, Rules::Uper, Rules::Aper, &octets).unwrap_err();
    assert_eq!(refused.code(), "additions.foreign");
    // Basic and canonical OER have the same octets for it, and JER shows them.
    let octets = later.convert(of_later, Rules::Jer, Rules::Oer, br#"{"a":true,"b":7}"#).unwrap();
    assert_eq!(now.convert(of_now, Rules::Oer, Rules::Coer, &octets).unwrap(), octets);
    assert!(now.convert(of_now, Rules::Oer, Rules::Jer, &octets).is_ok());
}

#[test]
fn a_type_is_found_or_it_is_said_why_not() {
    let two = schema("A ::= SEQUENCE { a BOOLEAN } B ::= SEQUENCE { b BOOLEAN }");
    assert!(two.find(Some("M.A")).is_ok() && two.find(Some("B")).is_ok());
    assert!(matches!(two.find(None).unwrap_err(), UnknownType::NoPdu { tops } if tops == ["M.A", "M.B"]));
    assert!(matches!(two.find(Some("a")).unwrap_err(), UnknownType::None { alike, .. } if alike == ["M.A"]));
    assert_eq!(two.pdus().unwrap().len(), 2);
    assert_eq!(Schema::shipped("cam-1.4.1").unwrap().pdus().unwrap().len(), 1);
    assert!(Schema::shipped("cam").is_err());
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let one = schema("A ::= SEQUENCE { a INTEGER (0..7), b INTEGER (1 | 3) }");
    let id = one.find(None).unwrap();
    let codec = one.codec(id, Rules::Uper).unwrap();
    let after = codec.decode(&[0, 0]).unwrap_err();
    assert_eq!((after.code(), after.bit(), after.path()), ("input.trailing", Some(8), ""));
    let broken = one.convert(id, Rules::Jer, Rules::Uper, br#"{"a":1,"b":2}"#).unwrap_err();
    assert_eq!((broken.code(), broken.path()), ("constraint.value", "b"));
    let text = one.decode(id, Rules::Jer, b"{\"a\":\xff").unwrap_err();
    assert_eq!((text.code(), text.bit()), ("json.utf8", Some(40)));
    let rules = one.codec(id, Rules::Tls).err().unwrap();
    assert!(rules.to_string().contains("presentation language"), "{rules}");
}
