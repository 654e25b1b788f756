//! Open types with a table constraint (X.682 §10): on the wire an open type (X.691 §11.2), in memory a value of the type that the identifier selects.

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
    // The type itself: in its own open type.
    codec.agree(r#"{"id":3,"value":{"id":1,"value":true}}"#, "6064060000");
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

/// Found by fuzzing: of fields that come twice the last one counts, and selected a type that the content in front of it did not have.
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
    assert!(error.starts_with("an identifier that selects another type") && error.ends_with("in id"), "{error}");
}

/// Found by fuzzing: there is no slot to look at where no key selects, and none was to be made room for.
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
    assert_eq!(codec.decode(&[0x20, 0x00]).unwrap_err(), "an open type of no octets at bit 3 in value");
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
    // Value notation, checks and random values know the same.
    codec.agree(r#"{"id":1,"b":{"id":2,"value":7}}"#, "28041c");
    assert_eq!(roadwire_model::check::value(&codec.model, codec.root, &value), []);
}

/// A content is a complete encoding (X.691 §11.1, §11.2.1): the BOOLEAN's octet and another one are none.
#[test]
fn octets_after_the_content_are_refused() {
    let error = simple().decode(&[0x20, 0x50, 0x00, 0x00]).unwrap_err();
    assert_eq!(error, "octets after the content of an open type at bit 12 in value");
    // The same in fragments: 16K octets, and then none.
    let mut octets = vec![0x38, 0x20];
    octets.extend([0; 16384]);
    octets.push(0);
    let error = simple().decode(&octets).unwrap_err();
    assert!(error.contains("octets after the content"), "{error}");
}

/// A value of no bits has an octet of its own there (X.691 §11.1.3).
#[test]
fn the_octet_of_a_content_without_bits_is_no_more_than_that() {
    let codec = codec("A ::= SEQUENCE { ..., n NULL }");
    codec.agree(r#"{"n":null}"#, "80808000");
    assert!(codec.decode(&[0x80, 0x81, 0x00, 0x00, 0x00]).unwrap_err().contains("octets after the content"));
}

#[test]
fn each_element_has_its_own_identifier() {
    let codec = codec(
        "A ::= SEQUENCE (SIZE (2)) OF SEQUENCE { id ITEM.&id ({Items}) OPTIONAL, value ITEM.&Type ({Items}{@.id}) }",
    );
    // The second element has none: what the first one selected is not carried over.
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

/// Nothing is left as octets where the identifier selects a type, wherever it stands.
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
