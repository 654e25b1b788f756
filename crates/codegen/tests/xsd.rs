//! The XML schemas of the mappings to EXI, as text.

use roadwire_asn1::{Source, compile};
use roadwire_layout::{Rules, xml_schema};

fn schema(definitions: &str, of: &str, rules: Rules) -> String {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {definitions} END");
    let model =
        compile(&[Source::new("m.asn", text.as_str())]).unwrap_or_else(|found| panic!("{}", found.render())).model;
    let root = model.find(of).expect("it is there");
    xml_schema(&model, root, rules).unwrap_or_else(|error| panic!("{error}"))
}

/// The element's line.
fn element(schema: &str, name: &str) -> String {
    let start = format!("<xs:element name=\"{name}\">");
    schema.lines().find(|line| line.contains(&start)).unwrap_or_else(|| panic!("{start}: {schema}")).to_owned()
}

#[test]
fn the_first_digit_goes_as_far_as_the_range_does() {
    let found = schema("A ::= SEQUENCE { a INTEGER (-900000000..900000001) }", "A", Rules::ExiSplit);
    // 1,800,000,002 values, of which two digits of 12 bits are split off.
    assert!(element(&found, "a.2").contains("<xs:maxInclusive value=\"107\"/>"), "{found}");
    assert!(element(&found, "a.1").contains("<xs:maxInclusive value=\"4095\"/>"), "{found}");
    assert!(element(&found, "a.0").contains("<xs:maxInclusive value=\"4095\"/>"), "{found}");
}
