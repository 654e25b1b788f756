//! Values that break constraints are read to their end, with a list of what they break, and written
//! where the encoding has room for them.
#![cfg(feature = "schema")]

use roadwire::{Check, Checked, Codec, Rules, Schema, Source, Violation};
use roadwire_layout::Family;

fn schema(definitions: &str) -> Schema {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {definitions} END");
    Schema::compile(vec![Source::new("m.asn", text)]).unwrap_or_else(|errors| panic!("{}", errors.render()))
}

fn codec(schema: &Schema, rules: Rules) -> Codec<'_> {
    schema.codec(schema.find(Some("A")).unwrap(), rules).unwrap()
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

/// The JER text of octets, and their faults.
fn shown(schema: &Schema, rules: Rules, octets: &[u8]) -> (String, Vec<Violation>) {
    let read = codec(schema, rules).convert_checked(&codec(schema, Rules::Jer), octets, Check::Encoding);
    let Checked { value, violations } = read.unwrap_or_else(|error| panic!("{rules}: {error}"));
    (String::from_utf8(value).unwrap(), violations)
}

fn codes(violations: &[Violation]) -> Vec<(&str, &str, String, &str)> {
    let text = |value: &Option<roadwire::Offending>| value.as_ref().map_or_else(String::new, ToString::to_string);
    violations.iter().map(|one| (one.path.as_str(), one.code, text(&one.value), one.constraint.as_str())).collect()
}

/// One value out of range does not hide the others.
#[test]
fn value_out_of_range_is_shown_with_all_others() {
    let schema = schema(
        "A ::= SEQUENCE { a INTEGER (-160..161), l SEQUENCE (SIZE (1..5)) OF INTEGER (0..10), e ENUMERATED { x, y, z }, t IA5String (FROM (\"a\"..\"e\")), z BOOLEAN }",
    );
    let uper = codec(&schema, Rules::Uper);
    let jer = codec(&schema, Rules::Jer);
    let text = br#"{"a":196,"l":[1,15,3,4,5,6],"e":"...(3)","t":"a","z":true}"#;
    assert_eq!(jer.decode(text).unwrap_err().code(), "jer.enumerated");
    let octets = jer.convert_checked(&uper, text, Check::Encoding).unwrap();
    assert_eq!(uper.decode(&octets.value).unwrap_err().code(), "integer.range");
    let (back, violations) = shown(&schema, Rules::Uper, &octets.value);
    assert_eq!(back.as_bytes(), text);
    assert_eq!(
        codes(&violations),
        [
            ("a", "integer.range", "196".into(), "(-160..161)"),
            ("l", "size.range", "6".into(), "(SIZE(1..5))"),
            ("l[1]", "integer.range", "15".into(), "(0..10)"),
            ("e", "enumerated.index", "3".into(), "{x, y, z}"),
        ]
    );
    assert_eq!(violations.iter().map(|one| one.at.unwrap()).collect::<Vec<_>>(), [0, 9, 16, 36]);
    assert_eq!(violations[0].to_string(), "value 196 above 161 (range -160..161), at bit 0, in a");
    // From the person who writes it: the same list, without bits.
    assert_eq!(codes(&octets.violations), codes(&violations));
    // Strict, or with all constraints, it is refused as before.
    assert_eq!(uper.decode_checked(&octets.value, Check::All).unwrap_err().code(), "integer.range");
    let none = uper.decode_checked(&octets.value, Check::None).unwrap();
    assert_eq!(none.violations, []);
    let strict = codec(&schema, Rules::Uper).strict();
    assert_eq!(strict.decode_checked(&octets.value, Check::Encoding).unwrap_err().code(), "integer.range");
}

#[test]
fn values_outside_their_constraints_go_where_there_is_room() {
    let schema =
        schema("A ::= SEQUENCE { a INTEGER (0..300), s OCTET STRING (SIZE (1..3)), t VisibleString (SIZE (0..2)) }");
    let text = br#"{"a":500,"s":"01020304","t":"abc"}"#;
    let paths = ["a", "s", "t"];
    for rules in Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1()) {
        // 500 fits into the nine bits of UPER, and in EXI; 4 octets and 3 characters into their
        // lengths of two bits.
        let octets =
            codec(&schema, Rules::Jer).convert_checked(&codec(&schema, rules), text, Check::Encoding).unwrap().value;
        let (back, violations) = shown(&schema, rules, &octets);
        assert_eq!(back.as_bytes(), text, "{rules}");
        assert_eq!(violations.iter().map(|one| one.path.as_str()).collect::<Vec<_>>(), paths, "{rules}");
        assert!(violations.iter().all(|one| one.at.is_some() || rules == Rules::Jer), "{rules} {violations:?}");
    }
    // 512 does not fit into nine bits.
    let error = codec(&schema, Rules::Jer).convert_checked(
        &codec(&schema, Rules::Uper),
        br#"{"a":512,"s":"01","t":"a"}"#,
        Check::Encoding,
    );
    assert_eq!(error.unwrap_err().code(), "integer.range");
}

/// X.680 §50.8 takes the additions of an extensible constraint away, and senders send them.
#[test]
fn values_beyond_an_extension_marker_are_carried_although_a_later_constraint_drops_them() {
    let schema = schema(
        "A ::= SEQUENCE { p P ((WITH COMPONENT (WITH COMPONENTS {..., t ABSENT})) | (WITH COMPONENT (WITH COMPONENTS {..., t PRESENT}))) }
        P ::= SEQUENCE (SIZE (1..2, ..., 3..5)) OF Q Q ::= SEQUENCE { t BOOLEAN OPTIONAL }",
    );
    let text = br#"{"p":[{},{},{}]}"#;
    let (jer, uper) = (codec(&schema, Rules::Jer), codec(&schema, Rules::Uper));
    assert_eq!(jer.convert_checked(&uper, text, Check::All).unwrap_err().code(), "constraint.value");
    let octets = jer.convert_checked(&uper, text, Check::Encoding).unwrap().value;
    assert_eq!(octets, [0x81, 0x80]);
    let (back, violations) = shown(&schema, Rules::Uper, &octets);
    assert_eq!(back.as_bytes(), text);
    assert_eq!(violations.len(), 1);
    assert_eq!((violations[0].path.as_str(), violations[0].code), ("p", "constraint.value"));
    assert!(violations[0].constraint.contains("SIZE"), "{violations:?}");
}

/// TS 25.331 puts contents into a BIT STRING without padding to octets.
#[test]
fn content_of_a_bit_string_has_any_number_of_bits() {
    let schema =
        schema("A ::= SEQUENCE { b BIT STRING (CONTAINING C), z BOOLEAN } C ::= SEQUENCE { a BOOLEAN, c BOOLEAN }");
    let octets = hex("0260");
    assert_eq!(
        shown(&schema, Rules::Uper, &octets),
        (r#"{"b":{"containing":{"a":false,"c":true}},"z":true}"#.into(), vec![])
    );
    // Under the same rules, the bits are those received.
    let id = schema.find(Some("A")).unwrap();
    assert_eq!(schema.convert(id, Rules::Uper, Rules::Uper, &octets).unwrap(), octets);
    // JER has no number of bits: from there, the content is written in whole octets (X.691 §11.1),
    // and its value is the same.
    let text = schema.convert(id, Rules::Uper, Rules::Jer, &octets).unwrap();
    let padded = schema.convert(id, Rules::Jer, Rules::Uper, &text).unwrap();
    assert_eq!(padded, hex("084080"));
    assert_eq!(schema.convert(id, Rules::Uper, Rules::Jer, &padded).unwrap(), text);
    // One bit is not enough for the content: the bits stay, and that is said.
    let (text, violations) = shown(&schema, Rules::Uper, &hex("01c0"));
    assert_eq!(text, r#"{"b":{"value":"80","length":1},"z":true}"#);
    assert_eq!(codes(&violations), [("b", "content.encoding", "80".into(), "(CONTAINING C)")]);
    assert_eq!(
        codec(&schema, Rules::Uper).strict().decode_checked(&hex("01c0"), Check::Encoding).unwrap_err().code(),
        "input.truncated"
    );
}

/// Messages of the shape of TS 25.331's UL-CCCH: an extension in a BIT STRING at the end, whose
/// length is not a multiple of eight.
#[test]
fn messages_with_unpadded_extensions_are_read_and_keep_their_bits() {
    let schema = schema(
        "A ::= SEQUENCE { n INTEGER (0..4095), later SEQUENCE { ext BIT STRING (CONTAINING E) OPTIONAL, more SEQUENCE {} OPTIONAL } OPTIONAL }
        E ::= SEQUENCE { f SEQUENCE { g ENUMERATED { true } OPTIONAL, h INTEGER (0..15) OPTIONAL } }",
    );
    let id = schema.find(Some("A")).unwrap();
    for (bits, wanted) in [("00", r#"{"f":{}}"#), ("10", r#"{"f":{"g":"true"}}"#), ("011111", r#"{"f":{"h":15}}"#)] {
        // Whether there is `later`; n; whether there are `ext` and `more`; the string.
        let mut all = format!("1 100110110110 10 {:08b} {bits}", bits.len()).replace(' ', "");
        while all.len() % 8 != 0 {
            all.push('0');
        }
        let octets: Vec<u8> =
            (0..all.len()).step_by(8).map(|at| u8::from_str_radix(&all[at..at + 8], 2).unwrap()).collect();
        let (text, violations) = shown(&schema, Rules::Uper, &octets);
        assert_eq!(text, format!(r#"{{"n":2486,"later":{{"ext":{{"containing":{wanted}}}}}}}"#));
        assert_eq!(violations, []);
        assert_eq!(schema.convert(id, Rules::Uper, Rules::Uper, &octets).unwrap(), octets);
    }
}

/// Two root certificates have a KeyUsage that is not DER; their signature is over these octets.
#[test]
fn content_that_is_not_canonical_keeps_its_octets_and_is_listed() {
    let schema = schema(
        "A ::= SEQUENCE OF E E ::= SEQUENCE { id X.&id ({Xs}), value OCTET STRING (CONTAINING X.&Type ({Xs}{@id})) }
        X ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &Type } WITH SYNTAX { &Type BY &id }
        Xs X ::= { { Usage BY {2 5 29 15} }, ... }
        Usage ::= BIT STRING { sign (0), repudiate (1), cert (5), crl (6) }",
    );
    let id = schema.find(Some("A")).unwrap();
    // One is DER, one has a zero bit at its end.
    let octets = hex("301b300b8003551d0f810403020106300c8003551d0f81050303070600");
    assert_eq!(schema.convert(id, Rules::Der, Rules::Der, &octets).unwrap(), octets);
    let (text, violations) = shown(&schema, Rules::Der, &octets);
    assert_eq!(
        text,
        r#"[{"id":"2.5.29.15","value":{"containing":{"value":"06","length":7}}},{"id":"2.5.29.15","value":"0303070600"}]"#
    );
    assert_eq!(violations.len(), 1);
    assert_eq!((violations[0].path.as_str(), violations[0].code), ("[1].value", "content.encoding"));
    // From that text, the octets come back.
    assert_eq!(schema.convert(id, Rules::Jer, Rules::Der, text.as_bytes()).unwrap(), octets);
    assert_eq!(codec(&schema, Rules::Der).strict().decode(&octets).unwrap_err().code(), "input.not-canonical");
}

/// The same in every other encoding: its octets come back, or it is listed, or it is refused.
#[test]
fn content_that_is_not_canonical_does_not_change_in_silence() {
    let schema = schema(
        "A ::= SEQUENCE { u OCTET STRING (CONTAINING Usage), z BOOLEAN } Usage ::= BIT STRING { sign (0), cert (5) }",
    );
    let der = codec(&schema, Rules::Der);
    let octets = hex("300a800503030706008101ff");
    for rules in Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1() && *rules != Rules::Der) {
        let other = codec(&schema, rules);
        let error = der.convert_checked(&other, &octets, Check::All).unwrap_err();
        assert_eq!((error.code(), error.path()), ("content.encoding", "u"), "{rules}");
        let there = der.convert_checked(&other, &octets, Check::Encoding).unwrap();
        assert_eq!(codes(&there.violations)[0].1, "content.encoding", "{rules}");
        let back = other.convert_checked(&der, &there.value, Check::Encoding).map(|back| back.value);
        if rules == Rules::Ber {
            // It is an encoding of the value in BER, and DER has another one.
            assert_eq!(back.unwrap(), hex("30098004030201068101ff"));
        } else if rules == Rules::Protobuf {
            // A content is a message there, and these octets are none.
            assert!(back.is_err());
        } else {
            assert_eq!(back.unwrap(), octets, "{rules}");
        }
    }
}

/// CDD V2.3.1 extends `PathPredicted` to 40 points, and a constraint where it is used takes them
/// away (X.680 §50.8). Stations send them.
#[test]
#[cfg(feature = "cam")]
fn shipped_path_has_17_to_40_points_although_its_user_constrains_it() {
    let schema = Schema::shipped("cam-2.3.1").unwrap();
    let id = schema.find(Some("PathPredicted2")).unwrap();
    let codec = |rules| schema.codec(id, rules).unwrap();
    for points in [17, 40] {
        let point = r#"{"deltaLatitude":1,"deltaLongitude":2}"#;
        let path = vec![point; points].join(",");
        let text = format!(r#"{{"pathPredicted":[{path}],"usageIndication":"noIndication","confidenceLevel":50}}"#);
        let jer = codec(Rules::Jer);
        assert_eq!(
            jer.convert_checked(&codec(Rules::Uper), text.as_bytes(), Check::All).unwrap_err().code(),
            "constraint.value"
        );
        for rules in Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1()) {
            let other = codec(rules);
            let there = jer.convert_checked(&other, text.as_bytes(), Check::Encoding);
            if rules.family() == Family::Events {
                // A grammar of EXI has as many elements as the schema, with which both ends make
                // it.
                assert_eq!(there.unwrap_err().code(), "size.range", "{rules}");
                continue;
            }
            let there = there.unwrap_or_else(|error| panic!("{rules}: {error}"));
            let back = other.convert_checked(&jer, &there.value, Check::Encoding).unwrap();
            assert_eq!(String::from_utf8(back.value).unwrap(), text, "{rules}");
            assert_eq!(back.violations[0].path, "pathPredicted", "{rules}");
        }
    }
}

/// A content that does not fit stays as octets, in every encoding that has a place for them, and
/// what follows is read.
#[test]
fn content_that_does_not_fit_does_not_cost_the_message() {
    let schema = schema(
        "A ::= SEQUENCE { o OCTET STRING (CONTAINING C), z INTEGER (0..5) } C ::= SEQUENCE { a INTEGER (0..255), b UTF8String }",
    );
    let text = r#"{"o":"FF","z":3}"#;
    for rules in [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Coer, Rules::Ber, Rules::Der, Rules::Cer, Rules::Cbor] {
        let octets =
            codec(&schema, Rules::Jer).convert_checked(&codec(&schema, rules), text.as_bytes(), Check::All).unwrap();
        let (back, violations) = shown(&schema, rules, &octets.value);
        assert_eq!(back, text, "{rules}");
        assert_eq!(codes(&violations), [("o", "content.encoding", "FF".into(), "(CONTAINING C)")], "{rules}");
        assert!(codec(&schema, rules).decode(&octets.value).is_err(), "{rules}");
    }
}

/// An item of a spare code that is beyond the root of an extensible ENUMERATED, where PER has no
/// such item.
#[test]
fn spare_index_of_an_extensible_enumerated_is_listed() {
    let schema = schema("A ::= SEQUENCE { e ENUMERATED { x, y, z, ... }, z BOOLEAN }");
    let (text, violations) = shown(&schema, Rules::Uper, &[0b0111_0000]);
    assert_eq!(text, r#"{"e":"...(3)","z":true}"#);
    assert_eq!(
        violations.iter().map(|one| (one.path.as_str(), one.code, one.at)).collect::<Vec<_>>(),
        [("e", "enumerated.index", Some(1))]
    );
    let uper = codec(&schema, Rules::Uper);
    assert_eq!(
        uper.convert_checked(&codec(&schema, Rules::Uper), &[0b0111_0000], Check::Encoding).unwrap().value,
        [0b0111_0000]
    );
}

/// Nothing says how long an alternative is that its CHOICE does not have: people see what comes
/// before it.
#[test]
fn message_is_shown_up_to_a_spare_alternative() {
    let schema = schema(
        "A ::= SEQUENCE { n INTEGER (0..5), l SEQUENCE (SIZE (0..3)) OF E, t BOOLEAN, e E OPTIONAL }
        E ::= SEQUENCE { f BOOLEAN, c CHOICE { x NULL, y BOOLEAN, z BOOLEAN }, g BOOLEAN }",
    );
    let uper = codec(&schema, Rules::Uper);
    // Whether there is `e`; 7; two elements, of which the second one has an alternative with
    // index 3.
    let octets = [0b0111_1010, 0b0011_1000];
    let (text, violations) = shown(&schema, Rules::Uper, &octets);
    assert_eq!(text, r#"{"n":7,"l":[{"f":true,"c":{"x":null},"g":false},{"f":true}]}"#);
    assert_eq!(
        codes(&violations),
        [("n", "integer.range", "7".into(), "(0..5)"), ("l[1].c", "choice.index", "3".into(), "")]
    );
    assert_eq!(violations[1].at, Some(11));
    assert_eq!(
        violations[1].to_string(),
        "expected a choice index of 0..2, found 3; nothing after it is read, at bit 11, in l[1].c"
    );
    let read = uper.decode_shown(&octets, Check::Encoding).unwrap();
    assert_eq!(read.violations, violations);
    // Programs, and other encodings, have no use for it.
    assert_eq!(uper.decode_checked(&octets, Check::Encoding).unwrap_err().code(), "integer.range");
    for rules in [Rules::Uper, Rules::Oer, Rules::Xer] {
        let error = uper.convert_checked(&codec(&schema, rules), &octets, Check::Encoding).unwrap_err();
        assert_eq!(error.code(), "integer.range", "{rules}");
    }
    for check in [Check::All, Check::None] {
        assert!(uper.convert_checked(&codec(&schema, Rules::Jer), &octets, check).is_err());
    }
    let inspector = schema.inspector(schema.find(Some("A")).unwrap(), Rules::Uper).unwrap();
    let mut runs = Vec::new();
    assert_eq!(inspector.walk_checked(&octets, Check::Encoding, &mut |run| runs.push(run)).unwrap(), violations);
    assert_eq!(runs.iter().map(|run| run.count).sum::<usize>(), 16);
    assert_eq!(runs.last().unwrap().what, "unread");
    // In a content, it costs the content alone.
    let around = self::schema(
        "A ::= SEQUENCE { o OCTET STRING (CONTAINING C), z BOOLEAN } C ::= CHOICE { x NULL, y NULL, z NULL }",
    );
    let (text, violations) = shown(&around, Rules::Uper, &hex("01e080"));
    assert_eq!(text, r#"{"o":"E0","z":true}"#);
    assert_eq!(violations[0].code, "content.encoding");
}

#[test]
fn message_that_cannot_be_read_to_its_end_is_refused_with_its_first_fault() {
    let schema = schema("A ::= SEQUENCE { a INTEGER (0..5), b OCTET STRING }");
    let error = codec(&schema, Rules::Uper).decode_checked(&[0xe1, 0x00], Check::Encoding).unwrap_err();
    assert_eq!((error.code(), error.path()), ("integer.range", "a"));
}

/// A value that is of another kind, or lacks a part, is no value with a violation.
#[test]
fn text_that_is_not_of_the_type_is_refused_without_constraints() {
    let schema = schema("A ::= SEQUENCE { a INTEGER (0..5), b BOOLEAN }");
    let jer = codec(&schema, Rules::Jer);
    for check in [Check::All, Check::Encoding, Check::None] {
        assert_eq!(jer.decode_checked(br#"{"a":1}"#, check).unwrap_err().code(), "component.missing");
    }
    assert_eq!(jer.decode_checked(br#"{"a":9,"b":true}"#, Check::Encoding).unwrap().violations.len(), 1);
}
