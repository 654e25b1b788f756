//! Open types with a table constraint (X.682 §10): on the wire an open type (X.691 §11.2), in
//! memory a value of the type that the identifier selects.

mod support;

use roadwire_layout::Rules;
use roadwire_model::Value;
use roadwire_model::random::{self, Rng, Settings};
use roadwire_notation::Notation;
use support::{Codec, to_hex};

const CLASS: &str = "ITEM ::= CLASS { &id INTEGER (0..7) UNIQUE, &Type } WITH SYNTAX { &Type IDENTIFIED BY &id }
    Items ITEM ::= { {BOOLEAN IDENTIFIED BY 1} | {INTEGER (0..255) IDENTIFIED BY 2} | {A IDENTIFIED BY 3}, ... }
    Flat ITEM ::= { {BOOLEAN IDENTIFIED BY 1} | {INTEGER (0..255) IDENTIFIED BY 2} | {IA5String IDENTIFIED BY 3}, ... }";

fn codec(definitions: &str) -> Codec {
    Codec::new(&format!("{CLASS} {definitions}"))
}

fn simple() -> Codec {
    codec("A ::= SEQUENCE { id ITEM.&id ({Items}), value ITEM.&Type ({Items}{@.id}) }")
}

#[test]
fn the_identifier_selects_the_type_inside() {
    let codec = simple();
    // 3 bits of id, 8 bits of length, one octet of content.
    codec.agree(r#"{"id":1,"value":true}"#, "203000");
    codec.agree(r#"{"id":2,"value":200}"#, "403900");
    // The type itself, nested in its own open type.
    codec.agree(r#"{"id":3,"value":{"id":1,"value":true}}"#, "6064060000");
}

/// As in RFC 5912, where `algorithm` of SubjectPublicKeyInfo is of a parameterised type with an
/// `algorithm`.
#[test]
fn a_component_of_the_use_is_not_taken_for_that_of_the_definition() {
    let codec = codec(
        "A ::= SEQUENCE { id One {{Flat}} }
         One {ITEM:Set} ::= SEQUENCE { id ITEM.&id ({Set}), value ITEM.&Type ({Set}{@id}) }",
    );
    codec.agree(r#"{"id":{"id":1,"value":true}}"#, "203000");
}

/// X.681 §9.13, §15.
#[test]
fn objects_from_objects_select_types() {
    let codec = codec(
        "BOX ::= CLASS { &no INTEGER (0..7) UNIQUE, &Items ITEM OPTIONAL, &first ITEM OPTIONAL }
         Boxes BOX ::= { { &no 5, &Items { {BOOLEAN IDENTIFIED BY 1} }, &first {BOOLEAN IDENTIFIED BY 1} } | { &no 6 } }
         All ITEM ::= { Boxes.&Items }
         A ::= SEQUENCE { id ITEM.&id ({All}), value ITEM.&Type ({All}{@id}), no BOX.&no ({Boxes}), first BOX.&first.&Type ({Boxes}{@no}) }",
    );
    codec.agree(r#"{"id":1,"value":true,"no":5,"first":true}"#, "2030140600");
}

#[test]
fn an_identifier_that_selects_nothing_leaves_octets() {
    simple().agree(r#"{"id":5,"value":"ABCD"}"#, "a05579a0");
}

#[test]
fn octets_are_taken_where_a_type_is_known() {
    let codec = simple();
    let Value::Sequence { mut components, unknown } = codec.value(r#"{"id":1,"value":true}"#) else { panic!() };
    components[1] = Some(Value::OctetString(vec![0x80]));
    assert_eq!(to_hex(&codec.encode(&Value::Sequence { components, unknown }).unwrap()), "203000");
}

#[test]
fn a_value_of_another_row_than_the_identifiers_is_refused() {
    let codec = simple();
    let Value::Sequence { mut components, unknown } = codec.value(r#"{"id":1,"value":true}"#) else { panic!() };
    components[0] = Some(Value::from(2));
    let error = codec.encode(&Value::Sequence { components, unknown }).unwrap_err();
    assert!(error.ends_with("in value") && error.contains("identifier"), "{error}");
}

/// Found by fuzzing: the last of two equal fields counts, and selected a type other than the
/// content before it had.
#[test]
fn an_identifier_that_comes_once_more_selects_the_same_type() {
    let codec = Codec::under(
        Rules::Protobuf,
        &format!("{CLASS} A ::= SEQUENCE {{ id ITEM.&id ({{Items}}), value ITEM.&Type ({{Items}}{{@.id}}) }}"),
    );
    let codec = codec.unwrap();
    let value = codec.value(r#"{"id":1,"value":true}"#);
    let octets = codec.encode(&value).unwrap();
    assert_eq!(codec.decode(&[&octets[..], &[0x08, 1]].concat()), Ok(value));
    let error = codec.decode(&[&octets[..], &[0x08, 2]].concat()).unwrap_err();
    assert!(
        error.starts_with("expected the identifier of the content before it, found") && error.ends_with("in id"),
        "{error}"
    );
}

/// Found by fuzzing: without a key there is no slot to read, and no room for one must be made.
#[test]
fn a_value_of_a_row_is_refused_where_there_are_no_rows() {
    for rules in Rules::ALL.into_iter().filter(|rules| *rules != Rules::Tls) {
        let codec = Codec::under(rules, &format!("{CLASS} A ::= SEQUENCE {{ value ITEM.&Type }}")).unwrap();
        let error = codec.encode(&Value::sequence([Some(Value::choice(3, true))])).unwrap_err();
        assert!(error.ends_with("in value"), "{rules}: {error}");
    }
}

#[test]
fn what_is_wrong_inside_has_its_path() {
    let codec = simple();
    // No octets; and an identifier of 0 and half a length, one level further down.
    assert_eq!(
        codec.decode(&[0x20, 0x00]).unwrap_err(),
        "expected an octet or more in an open type, found none at bit 3 in value"
    );
    let error = codec.decode(&[0x60, 0x44, 0x00, 0x00]).unwrap_err();
    assert!(error.ends_with("in value.value"), "{error}");
}

#[test]
fn nesting_in_open_types_is_limited() {
    let codec = simple();
    let mut value = codec.value(r#"{"id":1,"value":true}"#);
    for _ in 0..98 {
        value = Value::sequence([Some(Value::from(3)), Some(Value::choice(2, value))]);
    }
    assert!(codec.encode(&value).unwrap_err().contains("nested deeper"));
}

#[test]
fn a_link_leads_into_components_and_out_of_lists() {
    let codec = codec(
        "A ::= SEQUENCE { head SEQUENCE { flag BOOLEAN, id ITEM.&id ({Items}) },
            list SEQUENCE (SIZE (2)) OF SEQUENCE { value ITEM.&Type ({Items}{@head.id}) } }",
    );
    codec.agree(r#"{"head":{"flag":true,"id":2},"list":[{"value":1},{"value":255}]}"#, "a010101ff0");
}

/// X.682 §10.7: a link without dots begins at the outermost type of the same type definition.
#[test]
fn a_link_does_not_leave_its_definition() {
    let codec = codec(
        "A ::= SEQUENCE { id ITEM.&id ({Items}), b B } B ::= SEQUENCE { id ITEM.&id ({Items}), value ITEM.&Type ({Items}{@id}) }",
    );
    // 001, 010, length 1, 7.
    let value = codec.decode(&[0x28, 0x04, 0x1c]).unwrap();
    let inner = Value::sequence([Some(Value::from(2)), Some(Value::choice(1, 7))]);
    assert_eq!(value, Value::sequence([Some(Value::from(1)), Some(inner)]));
    // Value notation, checks and random values agree.
    codec.agree(r#"{"id":1,"b":{"id":2,"value":7}}"#, "28041c");
    assert_eq!(roadwire_model::check::value(&codec.model, codec.root, &value), []);
}

/// A content is a complete encoding (X.691 §11.1, §11.2.1): the BOOLEAN's octet followed by another
/// one is not.
#[test]
fn octets_after_the_content_are_refused() {
    let error = simple().decode(&[0x20, 0x50, 0x00, 0x00]).unwrap_err();
    assert_eq!(error, "expected the end of an open type, found 1 octet at bit 12 in value");
    // The same in fragments: 16K octets, and then a fragment of none.
    let mut octets = vec![0x38, 0x20];
    octets.extend([0; 16384]);
    octets.push(0);
    let error = simple().decode(&octets).unwrap_err();
    assert!(error.contains("expected the end of an open type"), "{error}");
}

/// A value of no bits has one octet there (X.691 §11.1.3).
#[test]
fn the_octet_of_a_content_without_bits_is_no_more_than_that() {
    let codec = codec("A ::= SEQUENCE { ..., n NULL }");
    codec.agree(r#"{"n":null}"#, "80808000");
    assert!(codec.decode(&[0x80, 0x81, 0x00, 0x00, 0x00]).unwrap_err().contains("expected the end of an open type"));
}

#[test]
fn each_element_has_its_own_identifier() {
    let codec = codec(
        "A ::= SEQUENCE (SIZE (2)) OF SEQUENCE { id ITEM.&id ({Items}) OPTIONAL, value ITEM.&Type ({Items}{@.id}) }",
    );
    // The second element has no key; the selection of the first is not carried over.
    codec.agree(r#"[{"id":1,"value":true},{"value":"80"}]"#, "9018000c00");
}

#[test]
fn an_absent_identifier_counts_as_its_default() {
    let codec = codec("A ::= SEQUENCE { id ITEM.&id ({Items}) DEFAULT 2, value ITEM.&Type ({Items}{@id}) }");
    codec.agree(r#"{"value":7}"#, "008380");
}

#[test]
fn an_identifier_in_an_extension_addition_selects() {
    let codec = codec("A ::= SEQUENCE { ..., id ITEM.&id ({Items}), [[ value ITEM.&Type ({Items}{@id}) ]] }");
    let value = codec.value(r#"{"id":2,"value":7}"#);
    assert_eq!(codec.decode(&codec.encode(&value).unwrap()), Ok(value));
}

/// No content remains octets if the identifier selects a type, wherever the identifier is.
#[test]
fn random_values_have_the_type_that_is_selected() {
    let codec = codec(
        "A ::= SEQUENCE { list SEQUENCE (SIZE (0..4)) OF SEQUENCE { value ITEM.&Type ({Items}{@head.id}) },
            head SEQUENCE { id ITEM.&id ({Items}) }, own ITEM.&id ({Items}), inner ITEM.&Type ({Items}{@own}) }",
    );
    for seed in 0..500 {
        let settings = Settings { open_types: true, budget: seed as usize % 30, ..Settings::default() };
        let value = random::value(&codec.model, codec.root, &mut Rng::new(seed), &settings);
        assert_eq!(roadwire_model::check::value(&codec.model, codec.root, &value), [], "{value:?}");
        let json = Notation::new(&codec.model, codec.root).unwrap().write(&value).unwrap();
        assert!(!json.contains(r#"{"...":"#), "{json}");
    }
}

/// X.680 §51.6: the content is of the type of a type constraint; of one of several types, it is
/// octets. Types that contain themselves also have layouts.
#[test]
fn an_open_type_with_a_type_constraint_contains_that_type() {
    let definitions =
        "A ::= SEQUENCE { value TYPE-IDENTIFIER.&Type (B), list SEQUENCE OF TYPE-IDENTIFIER.&Type (B | C) }
        B ::= SEQUENCE { again TYPE-IDENTIFIER.&Type (B) OPTIONAL, d D OPTIONAL }
        C ::= TYPE-IDENTIFIER.&Type (C, ...)
        D ::= CHOICE { open TYPE-IDENTIFIER.&Type (D), none NULL }";
    for rules in Rules::ALL.into_iter().filter(|rules| *rules != Rules::Tls) {
        let codec = Codec::under(rules, definitions).unwrap_or_else(|error| panic!("{rules}: {error}"));
        // NULL, also as an element of XML.
        let null: &[u8] = if rules.to_string().contains("xer") { b"<NULL/>" } else { &[5, 0] };
        let octets = Value::OctetString(null.to_vec());
        let inner = |again| Value::choice(0, Value::sequence([again, None]));
        for content in [octets.clone(), inner(None), inner(Some(inner(None)))] {
            // As octets, it has to be a B under these rules.
            let is_known = content != octets;
            let value = Value::sequence([Some(content), Some(Value::List(vec![octets.clone()]))]);
            let encoded = codec.encode(&value).unwrap_or_else(|error| panic!("{rules}: {error}"));
            let back = codec.decode(&encoded);
            let kept = rules == Rules::Jer || rules.to_string().starts_with("exi");
            assert_eq!(back == Ok(value), is_known || kept, "{rules}: {back:?}");
            assert!(back.is_err() || is_known || kept, "{rules}: {back:?}");
        }
    }
    let Codec { model, root, .. } = Codec::new(definitions);
    assert!(roadwire_layout::proto_schema(&model, root, roadwire_layout::Choices::OneOf).is_ok());
    assert!(roadwire_layout::cddl_schema(&model, root).unwrap().contains("(bytes .cbor #6.24(bytes))"));
    assert!(roadwire_layout::xml_schema(&model, root, Rules::Exi).is_ok());
}

#[test]
fn random_values_come_back() {
    let codec =
        codec("A ::= SEQUENCE { x BOOLEAN, own ITEM.&id ({Flat}), y BOOLEAN OPTIONAL, v ITEM.&Type ({Flat}{@own}) }");
    let settings = Settings { open_types: true, ..Settings::default() };
    let mut decoded = 0;
    for seed in 0..1000 {
        let value = random::value(&codec.model, codec.root, &mut Rng::new(seed), &settings);
        let octets = codec.encode(&value).unwrap_or_else(|error| panic!("{seed}: {error}: {value:?}"));
        let back = codec.decode(&octets).unwrap_or_else(|error| panic!("{seed}: {error}: {value:?}"));
        assert!(roadwire_model::data::equal(&codec.model, codec.root, &value, &back), "{seed}: {value:?} {back:?}");
        decoded += usize::from(format!("{back:?}").contains("Choice("));
    }
    assert!(decoded > 300, "{decoded}");
}

const LISTS: &str = "IES ::= CLASS { &id INTEGER (0..255) UNIQUE, &Value } WITH SYNTAX { ID &id TYPE &Value }
    Outer IES ::= { { ID 2 TYPE In }, ... }
    In ::= SEQUENCE OF SEQUENCE { id IES.&id ({Inner}), value IES.&Value ({Inner}{@id}) }
    A ::= SEQUENCE { id IES.&id ({Outer}), value IES.&Value ({Outer}{@id}) }";

/// As the lists of items in application protocols: what an open type holds is a list, and each
/// element has an open type of its own, open or closed.
#[test]
fn a_list_in_an_open_type_has_elements_with_open_types() {
    for inner in ["Inner IES ::= { { ID 3 TYPE BOOLEAN }, ... }", "Inner IES ::= { { ID 3 TYPE BOOLEAN } }"] {
        for rules in Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1()) {
            let codec = Codec::under(rules, &format!("{LISTS} {inner}")).unwrap();
            let value = codec.value(r#"{"id":2,"value":[{"id":3,"value":true}]}"#);
            let octets = codec.encode(&value).unwrap_or_else(|error| panic!("{rules}: {error}"));
            assert_eq!(codec.decode(&octets).as_ref(), Ok(&value), "{rules}: {}", to_hex(&octets));
            let known = [(Rules::Uper, "020401030180"), (Rules::Der, "3011800102a10c300a3008800103a1030101ff")];
            let wanted = known.iter().find(|(of, _)| *of == rules).map(|(_, hex)| *hex);
            assert!(wanted.is_none_or(|hex| to_hex(&octets) == hex), "{rules}: {}", to_hex(&octets));
        }
    }
}

/// A type that contains itself through an object set has the same tags inside as outside.
#[test]
fn a_type_may_contain_itself_through_an_object_set() {
    let module = "IES ::= CLASS { &id INTEGER (0..255) UNIQUE, &Value } WITH SYNTAX { ID &id TYPE &Value }
        A ::= SEQUENCE { id IES.&id ({S}), value IES.&Value ({S}{@id}) }
        S IES ::= { { ID 3 TYPE BOOLEAN } | { ID 5 TYPE W }, ... }
        W ::= SEQUENCE { t A }";
    for rules in Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1()) {
        let codec = Codec::under(rules, module).unwrap();
        let value = codec.value(r#"{"id":5,"value":{"t":{"id":5,"value":{"t":{"id":3,"value":true}}}}}"#);
        let octets = codec.encode(&value).unwrap_or_else(|error| panic!("{rules}: {error}"));
        assert_eq!(codec.decode(&octets).as_ref(), Ok(&value), "{rules}: {}", to_hex(&octets));
        let once = codec.encode(&codec.value(r#"{"id":5,"value":{"t":{"id":3,"value":true}}}"#)).unwrap();
        assert!(rules != Rules::Der || to_hex(&once) == "3011800105a10c300aa008800103a1030101ff");
    }
}

/// The same where the type is an instance of a parameterised one, in a list, an alternative, a
/// string, or a record of its own: each has its own identifier.
#[test]
fn instances_may_contain_themselves_through_an_object_set() {
    let module = "IES ::= CLASS { &id INTEGER (0..255) UNIQUE, &Value } WITH SYNTAX { ID &id TYPE &Value }
        Field{IES:S} ::= SEQUENCE { id IES.&id ({S}), value IES.&Value ({S}{@id}) }
        Pick{IES:S} ::= SEQUENCE { id IES.&id ({S}), pick CHOICE { value IES.&Value ({S}{@id}), list SEQUENCE OF Pick{{S}} } }
        Box{IES:S, T} ::= SEQUENCE { t T, list SEQUENCE OF Field{{S}} }
        Wrap{IES:S} ::= CHOICE { box Box{{S}, BOOLEAN}, one Field{{S}}, str OCTET STRING (CONTAINING Field{{S}}),
            bits BIT STRING (CONTAINING Box{{S}, NULL}) }
        Top IES ::= { { ID 1 TYPE Wrap{{Inner}} } | { ID 2 TYPE SEQUENCE OF Wrap{{Top}} } | { ID 3 TYPE SET OF Field{{Inner}} }
            | { ID 4 TYPE OCTET STRING (CONTAINING Field{{Top}}) } | { ID 5 TYPE SEQUENCE { a Field{{Top}} } } | { ID 6 TYPE Pick{{Top}} }, ... }
        Inner IES ::= { { ID 7 TYPE BOOLEAN } | { ID 8 TYPE Wrap{{Inner}} }, ... }
        A ::= Field{{Top}}";
    let values = [
        r#"{"id":1,"value":{"box":{"t":true,"list":[{"id":7,"value":true},{"id":8,"value":{"one":{"id":7,"value":false}}}]}}}"#,
        r#"{"id":2,"value":[{"one":{"id":2,"value":[{"one":{"id":1,"value":{"one":{"id":7,"value":true}}}}]}}]}"#,
        r#"{"id":2,"value":[{"str":{"containing":{"id":1,"value":{"str":{"containing":{"id":7,"value":true}}}}}}]}"#,
        r#"{"id":3,"value":[{"id":8,"value":{"bits":{"containing":{"t":null,"list":[{"id":7,"value":true}]}}}}]}"#,
        r#"{"id":4,"value":{"containing":{"id":4,"value":{"containing":{"id":3,"value":[]}}}}}"#,
        r#"{"id":5,"value":{"a":{"id":5,"value":{"a":{"id":1,"value":{"one":{"id":7,"value":true}}}}}}}"#,
        r#"{"id":6,"value":{"id":6,"pick":{"value":{"id":4,"pick":{"list":[{"id":1,"pick":{"value":{"one":{"id":7,"value":true}}}}]}}}}}"#,
    ];
    for rules in Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1()) {
        let codec = Codec::under(rules, module).unwrap();
        for text in values {
            let value = codec.value(text);
            let octets = codec.encode(&value).unwrap_or_else(|error| panic!("{rules}: {text}: {error}"));
            assert_eq!(codec.decode(&octets).as_ref(), Ok(&value), "{rules}: {}", to_hex(&octets));
        }
    }
}

/// X.681 §14.6: `Type : value`.
#[test]
fn a_value_of_an_open_type_in_a_default_is_left_out() {
    let definitions = "CODE ::= CLASS { &id INTEGER (0..7) UNIQUE, &Type } WITH SYNTAX { &Type IDENTIFIED BY &id }
        Codes CODE ::= { {BOOLEAN IDENTIFIED BY 1} | {BOOLEAN IDENTIFIED BY 2} | {INTEGER (0..9) IDENTIFIED BY 3}, ... }
        Code ::= SEQUENCE { id CODE.&id ({Codes}), value CODE.&Type ({Codes}{@id}) }
        A ::= SEQUENCE { n Code DEFAULT { value INTEGER : 5, id 3 }, b Code DEFAULT { id 2, value BOOLEAN : TRUE } }";
    let given = r#"{"n":{"id":3,"value":5},"b":{"id":2,"value":true}}"#;
    for (rules, empty) in [(Rules::Uper, "00"), (Rules::Der, "3000"), (Rules::Coer, "00"), (Rules::Cer, "30800000")] {
        let codec = Codec::under(rules, definitions).unwrap();
        assert_eq!(to_hex(&codec.encode(&codec.value(given)).unwrap()), empty, "{rules}");
        assert_eq!(to_hex(&codec.encode(&codec.value("{}")).unwrap()), empty, "{rules}");
    }
    let codec = Codec::under(Rules::Der, definitions).unwrap();
    codec.agree(r#"{"b":{"id":1,"value":true}}"#, "300aa108800101a1030101ff");
    codec.agree(r#"{"n":{"id":3,"value":6}}"#, "300aa008800103a103020106");
    for rules in Rules::ALL.into_iter().filter(|rules| *rules != Rules::Tls) {
        let codec = Codec::under(rules, definitions).unwrap_or_else(|error| panic!("{rules}: {error}"));
        let octets = codec.encode(&codec.value(given)).unwrap_or_else(|error| panic!("{rules}: {error}"));
        let again = codec.decode(&octets).unwrap_or_else(|error| panic!("{rules}: {error}"));
        assert!(roadwire_model::data::equal(&codec.model, codec.root, &again, &codec.value("{}")), "{rules}");
    }
}

#[test]
fn a_default_whose_open_type_stays_octets_is_refused_by_name() {
    let definitions =
        "C ::= CLASS { &Type } B ::= SEQUENCE { v C.&Type } A ::= SEQUENCE { b B DEFAULT { v NULL : NULL } }";
    for rules in Rules::ALL.into_iter().filter(|rules| *rules != Rules::Tls) {
        let Err(told) = Codec::under(rules, definitions) else { panic!("{rules}") };
        let told = told.to_string();
        assert!(told.starts_with("the DEFAULT of `b`: in `v`, a value of an open type"), "{rules}: {told}");
    }
}

/// X.208 §27: encoded as what is in it.
#[test]
fn any_keeps_the_octets_of_its_content() {
    let definitions = "A ::= SEQUENCE { kind INTEGER, more ANY DEFINED BY kind OPTIONAL }";
    let codec = Codec::under(Rules::Der, definitions).unwrap();
    codec.agree(r#"{"kind":5,"more":"0101FF"}"#, "3008800105a1030101ff");
    codec.agree(r#"{"kind":5}"#, "3003800105");
    // A tag by hand switches automatic tagging off.
    let untagged = Codec::under(Rules::Der, "A ::= SEQUENCE { kind [0] INTEGER, more ANY OPTIONAL }").unwrap();
    untagged.agree(r#"{"kind":5,"more":"0101FF"}"#, "30068001050101ff");
    untagged.agree(r#"{"kind":5}"#, "3003800105");
}
