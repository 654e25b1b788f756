//! Messages that planted bugs accept, and that no other test covers: octets just beyond what is
//! allowed, and what a later version leaves behind.

mod support;

use roadwire_engine::{Limits, decode_with};
use roadwire_layout::{Family, Layout, Rules};
use roadwire_model::{Language, Unknown, Value};
use support::Codec;

#[track_caller]
fn is_refused(rules: Rules, definitions: &str, octets: &[u8], code: &str) {
    let codec = Codec::under(rules, definitions).unwrap();
    let mut value = Value::Unset;
    let error = roadwire_engine::decode(&codec.layout, octets, &mut value).expect_err(code);
    assert_eq!(error.kind.code(), code, "{error}");
}

#[track_caller]
fn comes_back(definitions: &str, octets: &[u8]) {
    let codec = Codec::new(definitions);
    let value = codec.decode(octets).unwrap();
    assert_eq!(codec.encode(&value).as_deref(), Ok(octets), "{value:?}");
}

/// The last presence bit shows how many there were, even if it is 0 (X.691 §19.7).
#[test]
fn an_absent_addition_of_a_later_version_is_kept_as_absent() {
    // Extended, TRUE, two presence bits: the first addition is present, of one octet.
    comes_back("A ::= SEQUENCE { a BOOLEAN, ... }", &[0xc0, 0xc0, 0x35, 0x40]);
}

#[test]
fn an_index_of_the_root_names_no_addition() {
    // Two bits have room for a fourth index, which is not the addition's.
    is_refused(Rules::Uper, "A ::= CHOICE { a NULL, b NULL, c NULL, ..., d NULL }", &[0b0110_0000], "choice.index");
}

#[test]
fn text_ends_with_a_whole_character() {
    is_refused(Rules::Uper, "A ::= UTF8String", &[1, 0xc3], "text.form");
    is_refused(Rules::Oer, "A ::= UTF8String", &[2, 0xe2, 0x82], "text.form");
}

#[test]
fn text_of_one_character_too_many_is_refused() {
    is_refused(Rules::Oer, "A ::= IA5String (SIZE (1..2))", b"\x03abc", "size.range");
    is_refused(Rules::Protobuf, "A ::= SEQUENCE { a UTF8String (SIZE (1..2)) }", b"\x0a\x03abc", "size.range");
}

#[test]
fn a_wide_integer_below_its_bound_is_refused() {
    // 2^130. An error with bounds beyond 128 bits has no place for them.
    let bound = "1361129467683753853853498429727072845824";
    is_refused(Rules::Oer, &format!("A ::= INTEGER ({bound}..MAX)"), &[1, 5], "integer.width");
}

#[test]
fn nothing_follows_inside_an_explicit_tag() {
    let octets = [0xa0, 6, 1, 1, 0xff, 1, 1, 0xff];
    is_refused(Rules::Ber, "A ::= [0] EXPLICIT BOOLEAN", &octets, "contents.trailing");
}

/// Elements count over the whole message, also those in fragments of 16K octets.
#[test]
fn elements_in_fragments_are_counted() {
    let codec = Codec::new("A ::= SEQUENCE { ..., b SEQUENCE OF BOOLEAN, c SEQUENCE OF BOOLEAN }");
    let list = |count: usize| Some(Value::List(vec![Value::Boolean(true); count]));
    let value = Value::Sequence { components: vec![list(140_000), list(100)], unknown: Vec::new() };
    let octets = codec.encode(&value).unwrap();
    let decode = |elements| {
        let limits = Limits { elements, ..Limits::for_input(&octets) };
        decode_with(&codec.layout, &octets, &mut Value::Unset, &limits, &mut ()).map_err(|error| error.kind.code())
    };
    assert!(decode(140_100).is_ok());
    assert_eq!(decode(140_099).unwrap_err(), "limit.length");
}

/// The selection by a key still holds after an addition in fragments.
#[test]
fn a_key_selects_behind_fragments() {
    let codec = Codec::new(
        "ITEM ::= CLASS { &id INTEGER (0..7) UNIQUE, &Type } WITH SYNTAX { &Type IDENTIFIED BY &id }
        Items ITEM ::= { {BOOLEAN IDENTIFIED BY 1} | {INTEGER (0..255) IDENTIFIED BY 2}, ... }
        A ::= SEQUENCE { id ITEM.&id ({Items}), ..., long OCTET STRING, value ITEM.&Type ({Items}{@id}) }",
    );
    let text = format!(r#"{{"id":2,"long":"{}","value":200}}"#, "AB".repeat(20_000));
    let value = codec.value(&text);
    assert_eq!(codec.decode(&codec.encode(&value).unwrap()), Ok(value));
}

/// A value may name more bits than it has octets: refused at once, and no loop runs over bits that
/// are not there.
#[test]
fn bits_without_octets_are_refused() {
    for bits in ["BIT STRING", "BIT STRING { a(0) }", "BIT STRING { a(0) } (SIZE (0..8))", "BIT STRING (SIZE (8, ...))"]
    {
        for rules in Rules::ALL {
            let Ok(codec) = Codec::under(rules, &format!("A ::= SEQUENCE {{ a {bits} }}")) else { continue };
            let absent = Value::BitString { octets: Vec::new(), bits: usize::MAX };
            let value = Value::sequence([Some(absent)]);
            let error = roadwire_engine::encode_to_vec(&codec.layout, &value, 64).unwrap_err();
            assert_eq!(error.kind.code(), "value.mismatch", "{bits} under {rules}: {error}");
        }
    }
}

/// A length that is not known ends with its value; that of the value around it is as it was.
#[test]
fn an_indefinite_length_inside_a_definite_one() {
    let codec = Codec::under(Rules::Ber, "A ::= SEQUENCE { a SEQUENCE { x BOOLEAN }, b BOOLEAN OPTIONAL }").unwrap();
    let value = codec.value(r#"{"a":{"x":true}}"#);
    assert_eq!(codec.decode(&[0x30, 7, 0xa0, 0x80, 0x80, 1, 0xff, 0, 0]), Ok(value));
}

/// An alternative with the tag comes before one that a later version may give it.
#[test]
fn a_known_tag_is_not_taken_for_an_unknown_one() {
    let codec = Codec::under(Rules::Ber, "A ::= CHOICE { a CHOICE { x [0] NULL, ... }, b [1] BOOLEAN }").unwrap();
    assert_eq!(codec.decode(&[0x81, 1, 0xff]), Ok(codec.value(r#"{"b":true}"#)));
}

/// A bit string of presence bits has at most seven unused ones (X.696 §16.4).
#[test]
fn presence_bits_have_no_unused_octet() {
    let octets = [0x80, 0xff, 3, 8, 0x80, 0, 1, 0];
    is_refused(Rules::Oer, "A ::= SEQUENCE { a BOOLEAN, ... }", &octets, "additions.count");
}

/// The index of a later version's alternative counts from the known additions.
#[test]
fn an_unknown_alternative_behind_a_tag_counts_from_the_additions() {
    let codec = Codec::under(Rules::Oer, "A ::= CHOICE { a NULL, ..., b NULL }").unwrap();
    match codec.decode(&[0x85, 1, 7]) {
        Ok(Value::UnknownChoice(unknown)) => assert_eq!((unknown.index, &*unknown.octets), (1, &[0x85, 1, 7][..])),
        other => panic!("{other:?}"),
    }
}

/// Records that are refused although their additions are of a later version.
#[track_caller]
fn unknown_is_refused(rules: Rules, unknown: Unknown, code: &str) {
    let codec = Codec::under(rules, "A ::= SEQUENCE { a BOOLEAN, ... }").unwrap();
    let value = Value::Sequence { components: vec![Some(Value::Boolean(true))], unknown: vec![unknown] };
    let error = roadwire_engine::encode_to_vec(&codec.layout, &value, 1 << 16).expect_err(code);
    assert_eq!(error.kind.code(), code, "{error}");
}

/// The number of additions is a normally small length, which has no fragments here.
#[test]
fn additions_are_fewer_than_16k() {
    unknown_is_refused(Rules::Uper, Unknown { index: 16_383, octets: vec![0] }, "limit.length");
    let codec = Codec::new("A ::= SEQUENCE { a BOOLEAN, ... }");
    let unknown = vec![Unknown { index: 16_382, octets: vec![0] }];
    let value = Value::Sequence { components: vec![Some(Value::Boolean(true))], unknown };
    let octets = codec.encode(&value).unwrap();
    assert_eq!(codec.decode(&octets).and_then(|value| codec.encode(&value)), Ok(octets));
}

/// In octet rules what is kept has its length in front.
#[test]
fn a_kept_addition_has_its_own_length() {
    unknown_is_refused(Rules::Oer, Unknown { index: 0, octets: vec![5, 1] }, "value.mismatch");
}

/// So many flags, and that of the additions, are more than a word.
#[test]
fn a_record_with_64_flags_has_additions() {
    let components: Vec<String> = (0..64).map(|at| format!("c{at} BOOLEAN OPTIONAL")).collect();
    let codec = Codec::new(&format!("A ::= SEQUENCE {{ {}, ... }}", components.join(", ")));
    let mut components = vec![None; 64];
    components[63] = Some(Value::Boolean(true));
    let value = Value::Sequence { components, unknown: vec![Unknown { index: 0, octets: vec![0x80] }] };
    assert_eq!(codec.decode(&codec.encode(&value).unwrap()), Ok(value));
}

/// A record of more components than a word has bits: each is looked for by itself.
#[test]
fn the_65th_component_is_missed() {
    let components: Vec<String> = (0..65).map(|at| format!("c{at} NULL")).collect();
    let definitions = format!("A ::= SEQUENCE {{ {} }}", components.join(", "));
    let members: Vec<String> = (0..65).map(|at| format!(r#""c{at}":null"#)).collect();
    let codec = Codec::under(Rules::Jer, &definitions).unwrap();
    assert!(codec.decode(format!("{{{}}}", members.join(",")).as_bytes()).is_ok());
    is_refused(Rules::Jer, &definitions, format!("{{{}}}", members[..64].join(",")).as_bytes(), "component.missing");
}

/// The layout of a type in the presentation language.
fn presented(text: &str, root: &str) -> Layout {
    presented_in(text, root, Rules::Tls)
}

fn presented_in(text: &str, root: &str, rules: Rules) -> Layout {
    let source = roadwire_presentation::Source::new("m.tls", text);
    let model = roadwire_presentation::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    roadwire_layout::lower(&model, model.find(root).expect("there is one"), rules).expect("it has a layout")
}

/// In JSON text a field is present or absent, whatever others say of it: both ways check that. As
/// value notation, text has values that are not right.
#[test]
fn a_field_that_others_announce_is_checked_in_json() {
    let text =
        "enum { a (0), b (1), (255) } E; struct { E e; uint8 n; select (e) { case a: uint8 x; case b: uint8 y; } } S;";
    let layout = presented_in(text, "S", Rules::Jer);
    let read = |text: &str| {
        let mut value = Value::Unset;
        roadwire_engine::decode(&layout, text.as_bytes(), &mut value).map(|_| value)
    };
    let why = |text: &str| read(text).map_err(|error| (error.kind.code(), error.path.to_string()));
    assert!(read(r#"{"e":"b","n":1,"y":2}"#).is_ok());
    assert_eq!(why(r#"{"e":"b","n":1}"#), Err(("component.missing", "y".to_owned())));
    assert_eq!(why(r#"{"x":2,"y":2,"e":"b","n":1}"#), Err(("value.mismatch", "x".to_owned())));
    let number = |one: i64| Some(Value::from(one));
    let written = |x, y| {
        let value = Value::sequence([Some(Value::Enumerated(0)), number(1), x, y]);
        roadwire_engine::encode_to_vec(&layout, &value, 80).map_err(|error| (error.kind.code(), error.path.to_string()))
    };
    assert_eq!(written(number(3), None).unwrap(), br#"{"e":"a","n":1,"x":3}"#);
    assert_eq!(written(None, None), Err(("component.missing", "x".to_owned())));
    assert_eq!(written(number(3), number(4)), Err(("value.mismatch", "y".to_owned())));
}

/// Flags that a value does not have are zero, behind those that it has.
#[test]
fn flags_that_are_not_there_are_zero() {
    let layout = presented("flags { a (0), b (1), c (6) } F; struct { F f; } S;", "S");
    let value = Value::sequence([Some(Value::bit_string(&[0b1100_0000], 2))]);
    let whole = Value::sequence([Some(Value::bit_string(&[0b1100_0000], 7))]);
    let octets = roadwire_engine::encode_to_vec(&layout, &value, 16).unwrap();
    assert_eq!(Ok(octets), roadwire_engine::encode_to_vec(&layout, &whole, 16).map_err(|error| error.kind));
}

/// X.690 §11.6
#[test]
fn elements_of_a_set_are_in_the_order_of_their_encodings() {
    let elements =
        |numbers: [i64; 3]| Value::List(numbers.into_iter().map(|number| Value::from(number as i128)).collect());
    for rules in [Rules::Der, Rules::Cer, Rules::Coer] {
        let codec = Codec::under(rules, "A ::= SET OF INTEGER").unwrap();
        assert_eq!(codec.encode(&elements([3, 1, 2])), codec.encode(&elements([1, 2, 3])), "{rules}");
    }
    let codec = Codec::under(Rules::Ber, "A ::= SET OF INTEGER").unwrap();
    assert_ne!(codec.encode(&elements([3, 1, 2])), codec.encode(&elements([1, 2, 3])));
}

/// X.680 §22.7: zeros behind named bits mean nothing, in a DEFAULT either.
#[test]
fn named_bits_are_their_default_with_fewer_zeros() {
    let codec = Codec::new("A ::= SEQUENCE { a BIT STRING { x(0), y(1), z(2) } DEFAULT '100'B, b BOOLEAN }");
    let octets = codec.encode(&codec.value(r#"{"b":true}"#)).unwrap();
    assert_eq!(codec.encode(&codec.value(r#"{"a":{"value":"80","length":1},"b":true}"#)), Ok(octets));
}

/// A value of an earlier version has no addition, OPTIONAL or not.
#[test]
fn an_addition_may_be_absent() {
    // In EXI both ends have the same schema.
    let families = [Family::Packed, Family::Octet, Family::Tlv, Family::Xml, Family::Json, Family::Fields];
    for rules in families.into_iter().flat_map(Family::rules) {
        let earlier = Codec::under(rules, "A ::= SEQUENCE { a BOOLEAN, ... }").unwrap();
        let later = Codec::under(rules, "A ::= SEQUENCE { a BOOLEAN, ..., b BOOLEAN }").unwrap();
        let octets = earlier.encode(&earlier.value(r#"{"a":true}"#)).unwrap();
        let value = later.value(r#"{"a":true}"#);
        assert_eq!((later.encode(&value), later.decode(&octets)), (Ok(octets), Ok(value)), "{rules}");
    }
}

/// X.680 §8.6: a SET is sent in the order of its tags, a CHOICE in that of its smallest one in the
/// root.
#[test]
fn a_choice_in_a_set_has_the_place_of_its_roots_tag() {
    let definitions = "A ::= SET { a [2] INTEGER (0..15), b CHOICE { x [3] INTEGER (0..15), ..., y [1] NULL } }";
    let codec = Codec::new(definitions);
    let octets = codec.encode(&codec.value(r#"{"a":1,"b":{"x":2}}"#)).unwrap();
    // No bit for the choice's index; one for its extension.
    assert_eq!(octets, [0b0001_0001, 0b0000_0000]);
}

/// A layout under `tls` has no place for extension additions, and takes an integer's width from its
/// range: it would lose values of ASN.1 without an error.
#[test]
fn types_of_asn1_have_no_layout_under_tls() {
    let types = [
        "INTEGER (0..65535)",
        "INTEGER (1..256)",
        "NULL",
        "OCTET STRING (SIZE (4))",
        "SEQUENCE (SIZE (2)) OF INTEGER (0..255)",
        "SEQUENCE { a INTEGER (0..255), ..., n INTEGER (0..255) OPTIONAL }",
        "CHOICE { a NULL }",
        "ENUMERATED { a, b }",
    ];
    for text in types {
        let refused = Codec::under(Rules::Tls, &format!("A ::= {text}"));
        let message = refused.err().unwrap_or_else(|| panic!("{text} has a layout")).message;
        assert!(message.contains("the presentation language"), "{text}: {message}");
    }
}

/// A program can make a model that claims to be of the presentation language. Types without a
/// coding are refused there as well, and numbers whose bits do not fill octets.
#[test]
fn types_that_the_presentation_language_does_not_have_have_no_layout_under_tls() {
    let none =
        ["INTEGER (0..4095)", "INTEGER (0..18446744073709551616)", "INTEGER", "CHOICE { a NULL }", "ENUMERATED { a }"];
    let some = ["INTEGER (0..65535)", "INTEGER (-128..127)", "NULL", "OCTET STRING (SIZE (4))"];
    for (text, is_refused) in none.iter().map(|text| (text, true)).chain(some.iter().map(|text| (text, false))) {
        let mut model = Codec::under(Rules::Uper, &format!("A ::= {text}")).unwrap().model;
        model.language = Language::Presentation;
        let lowered = roadwire_layout::lower(&model, model.find("A").unwrap(), Rules::Tls);
        assert_eq!(lowered.is_err(), is_refused, "{text}");
    }
}

/// A struct of numbers alone has no codings of its own, and is of the presentation language all the
/// same.
#[test]
fn a_struct_of_plain_numbers_has_a_layout_under_tls() {
    let layout = presented("struct { uint8 a; uint16 b; } S;", "S");
    let value = Value::sequence([Some(Value::from(1)), Some(Value::from(2))]);
    assert_eq!(roadwire_engine::encode_to_vec(&layout, &value, 8).unwrap(), [1, 0, 2]);
}

/// Protocol Buffers keep the field numbers from 19,000 to 19,999 for themselves.
#[test]
fn reserved_field_numbers_are_passed_over() {
    let components: Vec<String> = (0..19_001).map(|at| format!("c{at} NULL OPTIONAL")).collect();
    let codec = Codec::under(Rules::Protobuf, &format!("A ::= SEQUENCE {{ {} }}", components.join(", "))).unwrap();
    let encode = |at: usize| codec.encode(&codec.value(&format!(r#"{{"c{at}":null}}"#))).unwrap();
    let key = |number: u32| {
        let key = number << 3 | 2;
        [key as u8 | 0x80, (key >> 7) as u8 | 0x80, (key >> 14) as u8, 0].to_vec()
    };
    assert_eq!([encode(18_998), encode(18_999)], [key(18_999), key(20_000)]);
}

/// A component that is left to its own DEFAULT is as the DEFAULT around it has it.
#[test]
fn a_default_inside_a_default_may_be_absent() {
    let codec = Codec::new(
        "A ::= SEQUENCE { b B DEFAULT { x 5, y TRUE }, c BOOLEAN }
        B ::= SEQUENCE { x INTEGER (0..7) DEFAULT 5, y BOOLEAN }",
    );
    let octets = codec.encode(&codec.value(r#"{"c":true}"#)).unwrap();
    assert_eq!(codec.encode(&codec.value(r#"{"b":{"y":true},"c":true}"#)), Ok(octets));
}
