//! `roadwire schema`: the XML schemas of the EXI mappings.

mod support;

use support::run;

fn schema(arguments: &[&str]) -> String {
    let output = run(&[&["schema", "-s", "cam-1.3.0", "--to", "xsd"], arguments].concat(), "");
    assert_eq!(output.code, 0, "{}", output.stderr);
    output.stdout
}

#[test]
fn each_mapping_has_its_schema() {
    let strict = schema(&[]);
    assert!(strict.contains("<xs:element name=\"CAM\" type=\"CAM\"/>"), "{strict}");
    assert!(strict.contains("<xs:restriction base=\"xs:integer\"><xs:minInclusive value=\"-900000000\"/>"));
    assert_eq!(strict, schema(&["--rules", "exi"]));
    assert!(schema(&["--rules", "exi-default"]).contains("<xs:element name=\"latitude\" type=\"xs:int\"/>"));
    let merged = schema(&["--rules", "exi-merged"]);
    assert!(
        merged.contains("<xs:element name=\"camCamParametersBasicContainerStationType\" type=\"xs:unsignedByte\"/>")
    );
    let split = schema(&["--rules", "exi-split"]);
    assert!(split.contains("<!-- latitude: -900000000 and"), "{split}");
    assert!(split.contains("<xs:element name=\"latitude.2\">"));
}

#[test]
fn other_rules_have_none() {
    let output = run(&["schema", "-s", "cam-1.3.0", "--to", "xsd", "--rules", "uper"], "");
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("uper has no XML schema"), "{}", output.stderr);
}
