//! `roadwire compare`.

mod support;

use serde_json::Value as Json;
use support::{CAM_HEX, CAM_JER, run};

/// The rows of all encodings of the value.
fn rows(arguments: &[&str], input: &str) -> Vec<Json> {
    let told = run(&[arguments, &["--json"]].concat(), input);
    assert_eq!((told.code, told.stderr.as_str()), (0, ""));
    let rows = told.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    rows.filter(|row: &Json| row["octets"].is_number()).collect()
}

#[test]
fn every_bit_has_a_cause() {
    let rows = rows(&["compare", "-s", "cam-1.4.1"], CAM_JER);
    assert!(!rows.is_empty());
    for row in &rows {
        let causes =
            ["value", "presence", "length", "tag", "names", "padding"].map(|cause| row[cause].as_u64().expect(cause));
        assert_eq!(Some(causes.iter().sum::<u64>()), row["octets"].as_u64().map(|octets| octets * 8), "{row}");
    }
}

/// 322 bits: 13 are presence bits, one selects one of two containers.
#[test]
fn the_value_may_come_in_any_encoding() {
    let from_octets = rows(&["compare", "-s", "cam-1.4.1", "--from", "uper"], CAM_HEX);
    assert_eq!(from_octets, rows(&["compare", "-s", "cam-1.4.1"], CAM_JER));
    let uper = &from_octets[0];
    let bits = ["octets", "value", "presence", "length", "tag", "names", "padding"].map(|name| uper[name].as_u64());
    assert_eq!(bits, [41, 308, 13, 0, 1, 0, 6].map(Some));
}

#[test]
fn people_get_a_table_and_a_word_where_there_is_no_encoding() {
    let told = run(&["compare", "-s", "cam-1.4.1"], CAM_JER);
    assert!(told.stdout.starts_with("rules"), "{}", told.stdout);
    assert!(told.stdout.contains("the type has no tls encoding") && told.stdout.contains("uper"), "{}", told.stdout);
    let refused = run(&["compare", "-s", "cam-1.4.1"], "{");
    assert_eq!(refused.code, 1);
}
