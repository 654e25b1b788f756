//! The schema of the mapping to Protocol Buffers, as text.

use roadwire_asn1::{Source, compile};
use roadwire_layout::{Choices, proto_schema};

/// The schema of a SEQUENCE with these components.
fn schema_of(components: &str) -> String {
    schema_with(components, Choices::OneOf)
}

fn schema_with(components: &str, choices: Choices) -> String {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE {{ {components} }} END");
    let model =
        compile(&[Source::new("m.asn", text.as_str())]).unwrap_or_else(|found| panic!("{}", found.render())).model;
    let root = model.find("A").expect("it is there");
    proto_schema(&model, root, choices).unwrap_or_else(|error| panic!("{error}"))
}

/// The scalar type of an INTEGER with this constraint.
#[track_caller]
fn integer(constraint: &str, wanted: &str) {
    let schema = schema_of(&format!("a INTEGER {constraint}"));
    assert!(schema.contains(&format!("required {wanted} a = 1;")), "{schema}");
}

#[test]
fn an_integer_has_the_narrowest_type_that_holds_its_range() {
    integer("(0..4294967295)", "uint32");
    integer("(0..4294967296)", "uint64");
    integer("(0..18446744073709551615)", "uint64");
    integer("(0..18446744073709551616)", "bytes");
    integer("(-2147483648..2147483647)", "sint32");
    integer("(-2147483649..0)", "sint64");
    integer("(-1..2147483648)", "sint64");
    integer("(0..7, ...)", "int64");
    integer("(-1..7, ...)", "sint64");
    integer("", "bytes");
}

/// protoc refuses names that are the same without underscores, whatever their case. (DSRC's
/// HeadingConfidence has these.)
#[test]
fn items_of_an_enumeration_are_distinct_without_underscores_and_case() {
    let schema = schema_of("a ENUMERATED { prec01deg(1), other(2), prec0-1deg(4), prec0-1DEG(-7) } DEFAULT prec0-1deg");
    for line in ["AA_prec01deg = 1;", "AA_prec0_1deg_4 = 4;", "AA_prec0_1DEG_7 = -7;", "[default = AA_prec0_1deg_4]"] {
        assert!(schema.contains(line), "{line}: {schema}");
    }
}

/// Protocol Buffers before 2.6 have no `oneof`.
#[test]
fn a_choice_is_a_oneof_or_optional_fields_with_the_same_numbers() {
    let components = "a CHOICE { first NULL, second INTEGER (0..7), ..., later BOOLEAN }";
    let numbered = |schema: &str| -> Vec<String> {
        let fields = schema.lines().filter(|line| line.contains(" = "));
        fields.map(|line| line.trim().trim_start_matches("optional ").to_owned()).collect()
    };
    let one = schema_with(components, Choices::OneOf);
    let optional = schema_with(components, Choices::Optional);
    assert!(one.contains("  oneof alternative {\n") && !one.contains("optional "), "{one}");
    assert!(!optional.contains("oneof") && optional.contains("  optional uint32 second = 2;"), "{optional}");
    assert_eq!(numbered(&one), numbered(&optional));
    assert_eq!(optional.matches('{').count(), optional.matches('}').count());
}
