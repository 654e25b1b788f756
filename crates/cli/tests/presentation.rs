//! Files in the presentation language, and their encoding, in all commands for ASN.1 and its
//! encodings.

mod support;

use support::{file, run};

const CERTIFICATE: &str = "020100040049000000\
    c75a096e2c522ba46e81b1de939dbb2253aea3a3311f2fcec5b770f08289f314";

const FILE: &str = "enum { a (0), b (1), (255) } E;
struct { E type; select (type) { case a: uint8 x; case b: opaque y<var>; } } Part;
struct { uint8 version; Part parts<var>; } Message;
";

#[test]
fn a_file_of_ones_own_is_checked_listed_and_converted() {
    let path = file("presentation", "m.tls", FILE);
    let checked = run(&["check", &path], "");
    assert_eq!((checked.code, checked.stdout.as_str()), (0, "1 module, 3 types: no errors\n"), "{}", checked.stderr);
    let listed = run(&["list", "types", "-m", &path, "--rules", "tls"], "");
    assert!(listed.stdout.contains("m.Message"), "{}", listed.stdout);
    let value = run(&["convert", "-m", &path, "--from", "tls", "--to", "jer"], "02060001010201 02");
    let value: serde_json::Value = serde_json::from_str(&value.stdout).unwrap_or_else(|_| panic!("{}", value.stderr));
    assert_eq!(value, serde_json::json!({ "version": 2, "parts": [{ "a": 1 }, { "b": "0102" }] }));
    let back = run(&["convert", "-m", &path, "--from", "jer", "--to", "tls"], value.to_string());
    assert_eq!((back.code, back.stdout.trim_end()), (0, "0206000101020102"), "{}", back.stderr);
}

#[test]
fn a_typo_is_shown_with_its_place() {
    let path = file("presentation-typo", "m.tls", FILE.replace("Part parts", "Prat parts"));
    let ran = run(&["check", &path], "");
    assert_eq!(ran.code, 1);
    for wanted in [&format!("{path}:3:25"), "^^^^", "did you mean `Part`?", "1 error"] {
        assert!(ran.stderr.contains(wanted), "`{wanted}` is not in: {}", ran.stderr);
    }
}

#[test]
fn a_file_is_recognised_by_what_is_in_it() {
    let ran = run(&["check", "-"], FILE);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "1 module, 3 types: no errors\n"), "{}", ran.stderr);
}

#[test]
fn every_bit_of_a_message_is_shown() {
    let path = file("presentation-bits", "m.tls", FILE);
    let ran = run(&["inspect", "-m", &path, "--rules", "tls"], "020300010105");
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    let ran = run(&["inspect", "-m", &path, "--rules", "tls"], "0205000101010a");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for wanted in ["version", "parts[0]", "parts[1]", "length"] {
        assert!(ran.stdout.contains(wanted), "`{wanted}` is not in: {}", ran.stdout);
    }
}

#[test]
fn other_encodings_of_the_same_value_are_compared_and_those_by_tag_say_why_not() {
    let path = file("presentation-compare", "m.tls", FILE);
    let ran = run(&["compare", "-m", &path, "--from", "tls"], "0205000101010a");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("no tags"), "{}", ran.stdout);
}

#[test]
fn strictness_asks_for_the_shortest_lengths_and_for_order() {
    let path = file("presentation-strict", "m.tls", FILE.replace("Part parts", "ordered (b) Part parts"));
    let strict = ["convert", "-m", &path, "--from", "tls", "--to", "jer", "--strict"];
    let refused = |octets: &str, what: &str| {
        assert_eq!(run(&strict[..7], octets).code, 0);
        let ran = run(&strict, octets);
        assert!(ran.code == 1 && ran.stderr.contains(what), "{}", ran.stderr);
    };
    assert_eq!(run(&strict, "020501010a0001").code, 0);
    refused("02800501010a0001", "canonical");
    refused("0205000101010a", "comes before");
    refused("020400010002", "second element");
}

#[test]
fn shipped_schemas_are_there_by_name() {
    let ran = run(&["inspect", "-s", "ts103097-1.2.1", "-t", "Certificate", "--rules", "tls"], CERTIFICATE);
    // The octets end in the middle of the key.
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("in subject_attributes"), "{}", ran.stderr);
    let asn1 = run(&["convert", "-s", "cam-1.4.1", "--from", "jer", "--to", "tls"], "{}");
    assert!(asn1.stderr.contains("presentation language"), "{}", asn1.stderr);
}
