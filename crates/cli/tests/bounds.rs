//! `roadwire bounds`, and the sizes that `list` and `generate` print.

mod support;

use serde_json::{Value as Json, json};
use support::{CAM_HEX, run};

fn rows(arguments: &[&str]) -> Vec<Json> {
    let told = run(&[arguments, &["--json"]].concat(), "");
    assert_eq!((told.code, told.stderr.as_str()), (0, ""));
    told.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn module(name: &str, body: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bounds");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {body} END")).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_shipped_message_has_numbers_in_each_encoding() {
    let rows = rows(&["bounds", "-s", "cam-1.4.1"]);
    let of = |rules: &str| rows.iter().find(|row| row["rules"] == rules).expect(rules);
    let octets = (CAM_HEX.trim().len() / 2) as u64;
    let uper = of("uper");
    assert_eq!(uper["type"], "CAM-PDU-Descriptions.CAM");
    assert!(uper["least"].as_u64().unwrap() < octets && octets < uper["most_in_roots"].as_u64().unwrap(), "{uper}");
    // INTEGER (1..255, ...)
    let radius = uper["no_end"].as_str().unwrap();
    assert!(
        uper["most"].is_null() && radius.ends_with("protectedCommunicationZonesRSU[].protectedZoneRadius"),
        "{uper}"
    );
    let protobuf = of("protobuf");
    assert!(
        protobuf["most_in_roots"].as_u64() < protobuf["most"].as_u64() && protobuf["no_end"].is_null(),
        "{protobuf}"
    );
    assert!(uper["memory"].as_u64() > Some(100), "{uper}");
    assert!(of("tls")["why"].as_str().unwrap().contains("no tls encoding"));
}

#[test]
fn the_component_without_an_end_is_named() {
    let path = module("ends.asn", "A ::= SEQUENCE { a INTEGER (0..7), b SEQUENCE (SIZE (2)) OF INTEGER (0..7, ...) }");
    let found = rows(&["bounds", "-m", &path, "--rules", "uper,oer"]);
    let wanted = json!([
        { "type": "M.A", "rules": "uper", "least": 2, "most": null, "most_in_roots": 2, "no_end": "b[]" },
        { "type": "M.A", "rules": "oer", "least": 7, "most": null, "most_in_roots": null, "no_end": "b[]" }
    ]);
    for (mut found, wanted) in found.into_iter().zip(wanted.as_array().unwrap()) {
        assert!(found.as_object_mut().unwrap().remove("memory").unwrap().is_u64());
        assert_eq!(found, *wanted);
    }
    let told = run(&["bounds", "-m", &path, "--rules", "uper"], "");
    assert!(told.stdout.contains("none") && told.stdout.contains("b[]"), "{}", told.stdout);
}

#[test]
fn lists_and_generated_code_have_the_same_numbers() {
    let path = module("same.asn", "A ::= SEQUENCE { a INTEGER (0..7), b OCTET STRING (SIZE (0..3)) OPTIONAL }");
    let bounds = rows(&["bounds", "-m", &path, "--rules", "oer"]).remove(0);
    assert_eq!([&bounds["least"], &bounds["most"]], [2, 6]);
    let listed = rows(&["list", "types", "-m", &path, "--rules", "oer"]).remove(0);
    assert_eq!(listed["octets_in_memory"], bounds["memory"]);
    for name in ["least", "most", "most_in_roots", "no_end"] {
        assert_eq!(listed["octets"][name], bounds[name], "{name}");
    }
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bounds/code");
    let arguments =
        ["generate", "-m", &path, "--rules", "oer", "--lang", "rust", "-o", folder.to_str().unwrap(), "--force"];
    let told = run(&[&arguments[..], &["--json"]].concat(), "");
    let written: Json = serde_json::from_str(&told.stderr).expect("JSON");
    assert_eq!(written["octets"]["M.A"]["oer"], listed["octets"]);
    assert_eq!(written["octets_in_memory"]["M.A"], bounds["memory"]);
}
