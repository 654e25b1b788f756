//! `roadwire migrate`.

mod support;

use serde_json::Value as Json;
use support::{CAM_HEX, folder, run};

/// Two module files with a type each.
fn modules(test: &str, old: &str, new: &str) -> [String; 2] {
    let folder = folder(test);
    [("old.asn", old), ("new.asn", new)].map(|(name, types)| {
        let path = folder.join(name);
        std::fs::write(&path, format!("Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN {types} END\n")).expect("written");
        path.display().to_string()
    })
}

const OLD: &str = "T ::= SEQUENCE { a INTEGER (0..99), b BOOLEAN OPTIONAL, kind ENUMERATED { x, y } OPTIONAL }";
const NEW: &str = "T ::= SEQUENCE { a INTEGER (0..9), kind ENUMERATED { x } OPTIONAL }";

#[test]
fn a_cam_goes_there_and_back() {
    let there = run(&["migrate", "cam-1.4.1", "cam-1.3.0", "--from", "uper"], CAM_HEX);
    assert_eq!((there.code, there.stderr.as_str()), (0, ""));
    assert_ne!(there.stdout.trim(), CAM_HEX);
    let back = run(&["migrate", "-s", "cam-1.3.0", "-s", "cam-1.4.1", "--from", "uper", "-"], &there.stdout);
    assert_eq!((back.code, back.stderr.as_str(), back.stdout.trim()), (0, "", CAM_HEX));
}

#[test]
fn what_has_no_place_is_listed() {
    let [old, new] = modules("migrate_lost", OLD, NEW);
    let value = r#"{"a": 5, "b": true, "kind": "y"}"#;
    let told = run(&["migrate", &old, &new, "--from", "jer"], value);
    assert_eq!(told.code, 0);
    assert_eq!(told.stdout.split_whitespace().collect::<String>(), r#"{"a":5}"#);
    assert!(
        told.stderr.contains("no place for b: removed") && told.stderr.contains("no place for kind: unknown item"),
        "{}",
        told.stderr
    );
    let told = run(&["migrate", "--json", &old, &new, "--from", "jer", "--to", "uper"], value);
    let lost: Vec<Json> = told.stderr.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&lost[0]["lost"]["path"], &lost[0]["lost"]["why"]), (&Json::from("b"), &Json::from("removed")));
    assert_eq!((&lost[1]["lost"]["path"], &lost[1]["lost"]["why"]), (&Json::from("kind"), &Json::from("item")));
    assert_eq!(told.stdout.trim(), "28");

    let strict = run(&["migrate", &old, &new, "--from", "jer", "--strict"], value);
    assert_eq!((strict.code, strict.stdout.as_str()), (1, ""));
    assert!(strict.stderr.contains("in b"), "{}", strict.stderr);
}

#[test]
fn what_is_required_is_an_error_that_names_the_field() {
    let [old, new] = modules("migrate_missing", "T ::= SEQUENCE { a BOOLEAN }", "T ::= SEQUENCE { a BOOLEAN, c NULL }");
    let told = run(&["migrate", &old, &new, "--from", "jer"], r#"{"a": true}"#);
    assert_eq!((told.code, told.stdout.as_str()), (1, ""));
    assert!(told.stderr.contains("required by the other version") && told.stderr.contains("in c"), "{}", told.stderr);
    let [old, new] = modules("migrate_range", OLD, NEW);
    let told = run(&["migrate", &old, &new, "--from", "jer"], r#"{"a": 50}"#);
    assert_eq!(told.code, 1);
    assert!(told.stderr.contains("out of range") && told.stderr.contains("in a"), "{}", told.stderr);
}

#[test]
fn a_line_that_fails_is_reported_in_its_place() {
    let [old, new] = modules("migrate_lines", OLD, NEW);
    let input = "{\"a\": 1}\n{\"a\": 50}\n{\"a\": 2, \"b\": true}\n";
    let told = run(&["migrate", &old, &new, "--from", "jer", "--lines"], input);
    assert_eq!(told.code, 1);
    let lines: Vec<&str> = told.stdout.lines().collect();
    assert_eq!((lines[0], lines[2]), (r#"{"a":1}"#, r#"{"a":2}"#));
    assert!(lines[1].starts_with("error: out of range"), "{}", lines[1]);
    assert!(
        told.stderr.contains("line 3: no place for b") && told.stderr.contains("1 of 3 lines refused"),
        "{}",
        told.stderr
    );
}

#[test]
fn wrong_usage() {
    let [old, new] = modules("migrate_usage", OLD, NEW);
    let refuses = |arguments: &[&str], code: i32, text: &str| {
        let told = run(&[&["migrate"], arguments].concat(), "{");
        assert_eq!((told.code, told.stdout.as_str()), (code, ""), "{arguments:?}");
        assert!(told.stderr.contains(text), "{arguments:?}: {}", told.stderr);
    };
    refuses(&[&old, &new], 2, "--from");
    refuses(&[&old, "--from", "jer"], 2, "two schemas");
    refuses(&["-m", &old, "-m", &new, "--from", "jer", "a", "b"], 2, "more than one input");
    refuses(&[&old, &new, "missing.json", "--from", "jer"], 2, "missing.json");
    refuses(&[&old, &new, "--from", "jer", "--in", "hex"], 2, "--in");
    refuses(&[&old, &new, "--from", "tls"], 2, "tls");
    refuses(&[&old, &new, "--from", "jer"], 1, "stdin");
}
