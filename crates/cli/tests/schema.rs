//! `roadwire schema`: the XML schemas of the EXI mappings, that of Protocol Buffers, and modules
//! reduced to a type.

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

/// Listing 2 of Bittl et al. 2015: one element in place of six that are nested.
#[test]
fn flat_mapping_has_the_element_of_the_published_listing() {
    let envelope = |rules| {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../papers/schemas/etsi-envelope-2015.asn");
        let output = run(&["schema", "-m", file, "-t", "SecuredMessage", "--to", "xsd", "--rules", rules], "");
        assert_eq!(output.code, 0, "{}", output.stderr);
        output.stdout
    };
    let element = "<xs:element name=\"SubjectAttributeVerificationKeyEcdsaNistp256WithSha256CompressedLsbY0\">";
    assert!(envelope("exi-flat").contains(element));
    assert!(!envelope("exi-merged").contains(element));
    assert!(envelope("exi-default").contains("<xs:element name=\"compressedLsbY0\">"));
}

#[test]
fn other_rules_have_none() {
    let output = run(&["schema", "-s", "cam-1.3.0", "--to", "xsd", "--rules", "uper"], "");
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("uper has no XML schema"), "{}", output.stderr);
    let output = run(&["schema", "-s", "cam-1.3.0", "--to", "xsd", "--rules", "xer"], "");
    assert_eq!(output.code, 2);
    assert!(
        output.stderr.contains("use one of exi, exi-default, exi-merged, exi-flat, exi-split"),
        "{}",
        output.stderr
    );
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

#[test]
fn protobuf_without_oneof_has_optional_alternatives() {
    let cam = run(&["schema", "-s", "cam-1.3.0", "--to", "proto", "--choices", "optional"], "");
    assert_eq!(cam.code, 0, "{}", cam.stderr);
    let field = "  optional RSUContainerHighFrequency rsuContainerHighFrequency = 2;\n";
    assert!(cam.stdout.contains(field) && !cam.stdout.contains("oneof"), "{}", cam.stdout);
    let refused = run(&["schema", "-s", "cam-1.3.0", "--to", "xsd", "--choices", "optional"], "");
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("only Protocol Buffers have two forms of a CHOICE"), "{}", refused.stderr);
}

#[test]
fn modules_are_reduced_to_what_a_type_reaches() {
    let reduced = |arguments: &[&str], input: &str| run(&[&["schema", "--to", "asn1"], arguments].concat(), input);
    let cam = reduced(&["-s", "cam-1.4.1", "-t", "PathHistory"], "");
    assert_eq!(cam.code, 0, "{}", cam.stderr);
    assert!(cam.stdout.starts_with("ITS-Container\n  { itu-t(0) identified-organization(4) "), "{}", cam.stdout);
    assert!(
        cam.stdout.contains("\nPathPoint ::= SEQUENCE {\n  pathPosition DeltaReferencePosition,\n"),
        "{}",
        cam.stdout
    );
    assert!(!cam.stdout.contains("--") && !cam.stdout.contains("ItsPduHeader"), "{}", cam.stdout);
    // The printed text can be read again. Without a named type it has all that the PDUs reach.
    let again = reduced(&["-m", "-", "-t", "PathHistory"], &cam.stdout);
    assert_eq!((again.code, again.stdout), (0, cam.stdout));
    let data = reduced(&["-s", "ts103097-2.1.1"], "").stdout;
    assert!(data.contains("EtsiTs103097Data ::=") && data.contains("EtsiTs103097Certificate ::="), "{data}");
    // Several definitions, and one of a parameterised type.
    let two = reduced(&["-s", "ts103097-2.1.1", "-t", "EtsiTs103097Data-Signed", "-t", "HashedId8"], "").stdout;
    assert!(
        two.contains("EtsiTs103097Data-Signed {ToBeSignedDataContent} ::=") && two.contains("HashedId8 ::="),
        "{two}"
    );
}

#[test]
fn modules_that_cannot_be_reduced_are_refused() {
    for (arguments, wanted) in [
        (&["-s", "cam-1.4.1", "--to", "asn1", "--rules", "uper"][..], "leave --rules off"),
        (&["-s", "cam-1.4.1", "--to", "asn1", "-t", "Pathhistory"], "did you mean `ITS-Container.PathHistory`?"),
        (&["-s", "ts103097-1.2.1", "--to", "asn1"], "presentation language"),
        (&["-s", "cam-1.4.1", "--to", "xsd", "-t", "CAM", "-t", "PathHistory"], "give -t once"),
    ] {
        let ran = run(&[&["schema"], arguments].concat(), "");
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains(wanted), "{}", ran.stderr);
    }
}
