//! `roadwire migrate`.

mod support;

use serde_json::Value as Json;
use support::{CAM_HEX, command, folder, run};

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
fn what_is_required_can_be_given() {
    let old =
        "T ::= SEQUENCE { a BOOLEAN, l SEQUENCE OF R OPTIONAL, c C OPTIONAL, s OCTET STRING (CONTAINING R) OPTIONAL }
        R ::= SEQUENCE { n INTEGER, o INTEGER OPTIONAL, d INTEGER DEFAULT 3 } C ::= CHOICE { was R, is R }";
    let new = "T ::= SEQUENCE { a BOOLEAN, k K, l SEQUENCE OF R OPTIONAL, c C OPTIONAL, s OCTET STRING (CONTAINING R) OPTIONAL }
        R ::= SEQUENCE { n INTEGER, o INTEGER, d INTEGER DEFAULT 3, m INTEGER (0..9) DEFAULT 4 } C ::= CHOICE { old R, is R }
        K ::= SEQUENCE { e ENUMERATED { x, y }, text UTF8String }";
    let [old, new] = modules("migrate_set", old, new);
    let migrated = |sets: &[&str], value: &str| {
        let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
        let told = run(&[&["migrate", &old, &new, "--from", "jer", "--lines"], sets.as_slice()].concat(), value);
        assert!(told.code == 0 || told.stdout.starts_with("error"), "{}", told.stderr);
        told.stdout.trim().to_owned()
    };
    let k = r#"k={"e": "y", "text": "a=b"}"#;
    let made = r#""k":{"e":"y","text":"a=b"}"#;
    assert_eq!(migrated(&[k], r#"{"a": true}"#), format!(r#"{{"a":true,{made}}}"#));
    // Elements of lists, those in a string that contains a type, and a name that changed. What has
    // a value keeps it.
    let list = r#"{"a": true, "l": [{"n": 1}, {"n": 2, "o": 3}]}"#;
    assert!(migrated(&[k], list).contains("l[0].o"), "{}", migrated(&[k], list));
    let wanted = |first: i32| format!(r#"{{"a":true,{made},"l":[{{"n":1,"o":{first}}},{{"n":2,"o":3}}]}}"#);
    assert_eq!(migrated(&[k, "l[].o=7"], list), wanted(7));
    assert_eq!(migrated(&[k, "l[0].o=8", "l[].o=7"], list), wanted(8));
    assert!(migrated(&[k, "l[1].o=8"], list).contains("l[0].o"));
    let value = r#"{"a": true, "c": {"was": {"n": 1}}, "s": {"containing": {"n": 1}}}"#;
    let wanted = format!(r#"{{"a":true,{made},"c":{{"old":{{"n":1,"o":5}}}},"s":{{"containing":{{"n":1,"o":6}}}}}}"#);
    assert_eq!(migrated(&[k, "c.old.o=5", "s.o=6"], value), wanted);
    // A DEFAULT is a value that the old version has; one that it does not have is replaced.
    let wanted = |more: &str| format!(r#"{{"a":true,{made},"l":[{{"n":1,"o":2{more}}}]}}"#);
    let list = r#"{"a": true, "l": [{"n": 1, "o": 2}]}"#;
    assert_eq!(migrated(&[k, "l[].d=9", "l[].m=5"], list), wanted(r#","m":5"#));
    assert_eq!(migrated(&[k, "l[].m=4"], list), wanted(""));
}

#[test]
fn what_is_given_fits_the_new_version() {
    let [old, new] =
        modules("migrate_set_usage", OLD, "T ::= SEQUENCE { a INTEGER (0..99), n SEQUENCE { i INTEGER (0..9) } }");
    let refuses = |set: &str, text: &str| {
        let told = run(&["migrate", &old, &new, "--from", "jer", "--set", set], r#"{"a": 1}"#);
        assert_eq!((told.code, told.stdout.as_str()), (2, ""), "{set}");
        assert!(
            told.stderr.contains(set.split('=').next().unwrap()) && told.stderr.contains(text),
            "{set}: {}",
            told.stderr
        );
    };
    refuses("n", "FIELD=VALUE");
    refuses("n.j=5", "no component `n.j`");
    refuses("b=true", "no component `b`");
    refuses("n.i=x", "JER");
    refuses("n.i=10", "0..9");
    refuses("n={}", "i");
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

#[test]
fn lines_are_not_written_over_the_file_that_they_are_read_from() {
    let folder = folder("migrate_same");
    let path = folder.join("cams.hex");
    let line = format!("{CAM_HEX}\n");
    std::fs::write(&path, &line).expect("written");
    let name = path.to_str().expect("a name");
    let arguments = ["migrate", "cam-1.4.1", "cam-1.3.0", "--from", "uper", "--lines", name];
    let told = run(&[&arguments[..], &["-o", name, "--force"]].concat(), "");
    assert_eq!(told.code, 2, "{}", told.stderr);
    assert!(told.stderr.contains("both input and output"), "{}", told.stderr);
    // As with `>> FILE` in a shell.
    let appended = std::fs::OpenOptions::new().append(true).open(&path).expect("a file");
    let status = command(&arguments).stdout(appended).stderr(std::process::Stdio::null()).status().expect("a run");
    assert_eq!(status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&path).expect("read"), line);
}

#[test]
fn an_existing_output_is_kept_if_all_lines_are_refused() {
    let folder = folder("migrate_kept");
    let [input, output] = ["in.hex", "out.hex"].map(|name| folder.join(name).display().to_string());
    std::fs::write(&input, format!("{CAM_HEX}\n{CAM_HEX}\n")).expect("written");
    std::fs::write(&output, "earlier\n").expect("written");
    let with = |from: &str, input: &str| {
        run(&["migrate", "cam-1.4.1", "cam-1.3.0", "--from", from, "--lines", input, "-o", &output, "--force"], "")
    };
    let told = with("coer", &input);
    assert_eq!(told.code, 1, "{}", told.stderr);
    assert!(told.stderr.contains("2 of 2 lines refused") && told.stderr.contains("left as it was"), "{}", told.stderr);
    assert_eq!(std::fs::read_to_string(&output).expect("read"), "earlier\n");
    // One good line replaces it.
    std::fs::write(&input, format!("00\n{CAM_HEX}\n")).expect("written");
    let told = with("uper", &input);
    assert_eq!(told.code, 1, "{}", told.stderr);
    let written = std::fs::read_to_string(&output).expect("read");
    assert!(written.starts_with("error: ") && written.lines().count() == 2, "{written}");
}

#[test]
fn lines_and_what_they_lose_are_in_order_for_any_number_of_jobs() {
    let [old, new] = modules("migrate_jobs", OLD, NEW);
    let lines: String = (0..9000).map(|at| format!("{{\"a\":{},\"kind\":\"y\"}}\n", at % 11)).collect();
    let with = |jobs: &str| run(&["migrate", &old, &new, "--from", "jer", "--lines", "--jobs", jobs], &lines);
    let (one, several) = (with("1"), with("4"));
    assert_eq!((one.code, one.stdout.lines().count()), (1, 9000), "{}", one.stderr);
    assert!(one.stderr.contains("line 8999: no place for kind"), "{}", one.stderr.len());
    assert_eq!((one.code, one.stdout, one.stderr), (several.code, several.stdout, several.stderr));
}
