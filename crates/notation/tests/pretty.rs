//! Values for human readers.

use roadwire_asn1::{Source, compile};
use roadwire_notation::Notation;

#[test]
fn each_member_and_element_has_a_line_and_nothing_in_a_string_has() {
    let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        A ::= SEQUENCE { a SEQUENCE OF BOOLEAN, b SEQUENCE OF NULL, c SEQUENCE { }, d UTF8String, e INTEGER } END";
    let model = compile(&[Source::new("m.asn", module)]).unwrap_or_else(|found| panic!("{found}")).model;
    let notation = Notation::strict(&model, model.find("A").unwrap()).unwrap();
    let wanted = r#"{
  "a": [
    true,
    false
  ],
  "b": [],
  "c": {},
  "d": "{x:[1,2]} \\\" , \\",
  "e": -5
}"#;
    let value = notation.read(wanted).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(notation.write_pretty(&value).unwrap(), wanted);
}
