//! `roadwire diff`.

mod support;

use serde_json::Value as Json;
use support::{folder, run};

/// Two module files with a type each.
fn modules(test: &str, old: &str, new: &str) -> [String; 2] {
    let folder = folder(test);
    [("old.asn", old), ("new.asn", new)].map(|(name, types)| {
        let path = folder.join(name);
        std::fs::write(&path, format!("Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN {types} END\n")).expect("written");
        path.display().to_string()
    })
}

const OLD: &str = "T ::= SEQUENCE { a INTEGER (0..7), b BOOLEAN }";
const NEW: &str = "T ::= SEQUENCE { a INTEGER (0..7), b BOOLEAN, c INTEGER (0..9) OPTIONAL }";

#[test]
fn changes_verdicts_and_a_conclusion() {
    let [old, new] = modules("diff_page", OLD, NEW);
    let told = run(&["diff", &old, &new, "--rules", "uper,ber,jer", "--values", "60"], "");
    assert_eq!((told.code, told.stderr.as_str()), (0, ""));
    assert!(told.stdout.starts_with("1 change:\n  c: added, an optional component\n\nrules"), "{}", told.stdout);
    let row = |rules: &str| told.stdout.lines().find(|line| line.starts_with(rules)).expect("a row").to_owned();
    assert!(row("uper ").contains("differ") && row("uper ").contains("MISREADS"), "{}", told.stdout);
    assert!(
        row("ber ").contains("same") && row("ber ").contains("all") && row("ber ").contains("refuses"),
        "{}",
        told.stdout
    );
    assert!(told.stdout.contains("Receivers have to be updated before senders in: ber jer."), "{}", told.stdout);
    assert!(told.stdout.contains("must be kept apart") && told.stdout.contains("in: uper."), "{}", told.stdout);
}

#[test]
fn the_same_as_an_object() {
    let [old, new] = modules("diff_json", OLD, NEW);
    let told = run(&["diff", "--json", "-m", &old, "-m", &new, "--rules", "ber"], "");
    assert_eq!((told.code, told.stderr.as_str()), (0, ""));
    let all: Json = serde_json::from_str(&told.stdout).expect("JSON");
    assert_eq!((all["old"].as_str(), all["new"].as_str()), (Some(old.as_str()), Some(new.as_str())));
    assert_eq!(all["changes"][0]["path"], "c");
    assert_eq!(all["changes"][0]["change"], "added");
    let ber = &all["rules"][0];
    assert_eq!((&ber["rules"], &ber["octets"]["verdict"]), (&Json::from("ber"), &Json::from("same")));
    assert_eq!(
        (&ber["new_reads_old"]["verdict"], &ber["new_reads_old"]["proven"]),
        (&Json::from("all"), &Json::from(true))
    );
    let reading = &ber["old_reads_new"];
    assert_eq!((&reading["verdict"], &reading["path"]), (&Json::from("in-part"), &Json::from("")));
    assert!(reading["tried"]["refused"].as_u64() > Some(0) && reading["tried"]["misread"] == 0, "{reading}");
    assert!(reading["tried"]["refusal"]["octets"].as_str().is_some_and(|octets| octets.starts_with("30")), "{reading}");
}

#[test]
fn shipped_schemas_by_name() {
    for schemas in [["cam-1.3.0", "cam-1.4.1"].as_slice(), &["-s", "cam-1.3.0", "-s", "cam-1.4.1"]] {
        let told = run(&[&["diff"], schemas, &["--rules", "coer", "--values", "50"]].concat(), "");
        assert_eq!((told.code, told.stderr.as_str()), (0, ""));
        assert!(
            told.stdout.contains("curvatureValue: narrowed, (-30000..30001), now (-1023..1023)"),
            "{}",
            told.stdout
        );
    }
}

#[test]
fn the_exit_code_tells_of_differences_if_asked() {
    let [old, new] = modules("diff_exit", OLD, NEW);
    let code = |arguments: &[&str]| run(&[&["diff", "--rules", "ber"], arguments].concat(), "").code;
    assert_eq!(code(&[&old, &new]), 0);
    assert_eq!(code(&[&old, &new, "--exit-code"]), 1);
    assert_eq!(code(&[&old, &old, "--exit-code"]), 0);
}

#[test]
fn types_may_have_other_names() {
    let [old, new] = modules("diff_types", "A ::= INTEGER (0..7)", "B ::= INTEGER (0..9)");
    let told = run(&["diff", &old, &new, "-t", "A", "--to-type", "B", "--rules", "jer"], "");
    assert_eq!(told.code, 0);
    assert!(told.stdout.contains("type renamed, from A to B") && told.stdout.contains("widened"), "{}", told.stdout);
}

#[test]
fn several_files_of_one_schema_are_joined_by_commas() {
    let folder = folder("diff_files");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let common = write("common.asn", "C DEFINITIONS AUTOMATIC TAGS ::= BEGIN Speed ::= INTEGER (0..99) END");
    let one = write(
        "one.asn",
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN IMPORTS Speed FROM C; T ::= SEQUENCE { speed Speed } END",
    );
    let both = format!("{one},{common}");
    let told = run(&["diff", &both, &both, "-t", "T", "--rules", "uper"], "");
    assert_eq!((told.code, told.stderr.as_str()), (0, ""));
    assert!(told.stdout.starts_with("No part of the type changed."), "{}", told.stdout);
}

#[test]
fn wrong_usage() {
    let [old, new] = modules("diff_usage", OLD, NEW);
    let refuses = |arguments: &[&str], code: i32, texts: &[&str]| {
        let told = run(&[&["diff"], arguments].concat(), "");
        assert_eq!((told.code, told.stdout.as_str()), (code, ""), "{arguments:?}");
        for text in texts {
            assert!(told.stderr.contains(text), "{arguments:?}: {}", told.stderr);
        }
    };
    refuses(&[], 2, &["two schemas", "OLD NEW"]);
    refuses(&[&old], 2, &["two schemas"]);
    refuses(&[&old, &new, "-s", "cam-1.3.0"], 2, &["two schemas"]);
    refuses(&["-s", "cam-1.3.0", "-m", &new], 2, &["cannot be used with"]);
    refuses(&["-m", &old, "-m", &new, "-m", &new], 2, &["two schemas"]);
    refuses(&["cam-1.3.0", "cam-9.9.9"], 2, &["cam-9.9.9", "cam-1.4.1"]);
    refuses(&[&old, "missing.asn"], 2, &["missing.asn"]);
    refuses(&[&old, &new, "-t", "Absent"], 2, &["Absent"]);
    refuses(&[&old, &new, "--rules", "morse"], 2, &["morse"]);
    refuses(&[&old, &new, "--rules", "tls"], 2, &["tls"]);
    refuses(&[&old, &new, "--values", "0"], 2, &["values"]);
    refuses(&[&old, &new, "--to-type", "T"], 2, &["--type"]);
    let [broken, _] = modules("diff_broken", "T ::= SEQUENCE {", "");
    refuses(&[&old, &broken], 1, &["old.asn:1"]);
    let told = run(&["diff", "--json", "cam-1.3.0", "cam-9.9.9"], "");
    let error: Json = serde_json::from_str(&told.stderr).expect("JSON");
    assert_eq!(error["error"]["code"], "schema.unknown");
}
