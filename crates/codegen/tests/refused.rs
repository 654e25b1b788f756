//! Types for which no code is generated, with the reason.

use roadwire_codegen::{Options, generate};
use roadwire_layout::Rules;

/// The error when code is to be generated for the type `A` of a module with these definitions.
fn refused(definitions: &str) -> String {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {definitions} END");
    let source = roadwire_asn1::Source::new("m.asn", text);
    let model = roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    generate(&model, &[model.find("M.A").unwrap()], &[Rules::Uper], Options::default()).unwrap_err().to_string()
}

#[test]
fn a_default_with_a_value_of_an_open_type() {
    let told = refused(
        "ITEM ::= CLASS { &id INTEGER (0..7) UNIQUE, &Type } WITH SYNTAX { &Type IDENTIFIED BY &id }
        Items ITEM ::= { {BOOLEAN IDENTIFIED BY 1} }
        Item ::= SEQUENCE { id ITEM.&id ({Items}), value ITEM.&Type ({Items}{@id}) }
        A ::= SEQUENCE { item Item DEFAULT { id 1, value BOOLEAN : TRUE } }",
    );
    assert!(told.starts_with("the DEFAULT of `item` in A has a value of an open type"), "{told}");
}

#[test]
fn a_default_with_the_value_of_what_a_string_contains() {
    let told = refused("A ::= SEQUENCE { o OCTET STRING (CONTAINING BOOLEAN) DEFAULT CONTAINING TRUE }");
    assert!(told.starts_with("the DEFAULT of `o` in A has a value of an open type, or of what a string"), "{told}");
}

#[test]
fn a_tap_of_a_part_in_an_open_type() {
    let text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        ITEM ::= CLASS { &id INTEGER (0..7) UNIQUE, &Type } WITH SYNTAX { &Type IDENTIFIED BY &id }
        Items ITEM ::= { {Motion IDENTIFIED BY 1} }
        Motion ::= SEQUENCE { speed INTEGER (0..7) }
        A ::= SEQUENCE { id ITEM.&id ({Items}), value ITEM.&Type ({Items}{@id}) } END";
    let model = roadwire_asn1::compile(&[roadwire_asn1::Source::new("m.asn", text)]).unwrap().model;
    let options = Options { tapped: vec!["Motion.speed".into()], ..Options::default() };
    let told = generate(&model, &[model.find("M.A").unwrap()], &[Rules::Uper], options).unwrap_err().to_string();
    assert_eq!(told, "Motion is in an open type: no part of it can be tapped");
}
