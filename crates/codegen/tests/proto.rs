//! The schema of the mapping to Protocol Buffers, as text.

use roadwire_asn1::{Source, compile};
use roadwire_layout::proto_schema;

/// The scalar type of an INTEGER with this constraint.
#[track_caller]
fn integer(constraint: &str, wanted: &str) {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE {{ a INTEGER {constraint} }} END");
    let model =
        compile(&[Source::new("m.asn", text.as_str())]).unwrap_or_else(|found| panic!("{}", found.render())).model;
    let root = model.find("A").expect("it is there");
    let schema = proto_schema(&model, root).unwrap_or_else(|error| panic!("{error}"));
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
