//! `roadwire schema`: the XML schemas of the EXI mappings, and that of Protocol Buffers.

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
    for (to, its) in [("proto", "protobuf"), ("cddl", "cbor")] {
        let output = run(&["schema", "-s", "cam-1.3.0", "--to", to, "--rules", "uper"], "");
        assert_eq!(output.code, 2);
        assert!(output.stderr.contains("uper has no schema in it"), "{}", output.stderr);
        assert_eq!(run(&["schema", "-s", "cam-1.3.0", "--to", to, "--rules", its], "").code, 0);
    }
}

#[test]
fn protobuf_has_presence_defaults_and_one_of_a_choice() {
    let proto = |schema: &str| {
        let output = run(&["schema", "-s", schema, "--to", "proto"], "");
        assert_eq!(output.code, 0, "{}", output.stderr);
        output.stdout
    };
    let cam = proto("cam-1.3.0");
    assert!(cam.contains("syntax = \"proto2\";"), "{cam}");
    assert!(cam.contains("  required uint32 stationID = 3;  // StationID, INTEGER (0..4294967295)\n"), "{cam}");
    assert!(cam.contains("  required sint32 latitude = 1;"), "{cam}");
    assert!(cam.contains("    RSUContainerHighFrequency rsuContainerHighFrequency = 2;\n  }\n"), "{cam}");
    let denm = proto("denm-1.2.0");
    assert!(denm.contains("[default = 600];"), "{denm}");
    assert!(denm.contains("  repeated PathPoint element = 1;"), "{denm}");
}
