//! `roadwire check`.

mod support;

use support::{file, run};

#[test]
fn a_good_module_is_counted() {
    let ran =
        run(&["check", "-"], "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { b B } B ::= INTEGER (0..7) END");
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "1 module, 2 types: no errors\n", ""));
}

#[test]
fn a_typo_is_shown_with_file_line_column_source_line_and_caret() {
    let path = file(
        "typo",
        "m.asn",
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\nA ::= SEQUENCE {\n  speed Sped\n}\nSpeed ::= INTEGER\nEND\n",
    );
    let ran = run(&["check", &path], "");
    assert_eq!(ran.code, 1);
    assert_eq!(ran.stdout, "");
    for wanted in [&format!("{path}:3:9"), "3 |   speed Sped", "^^^^", "Speed", "1 error"] {
        assert!(ran.stderr.contains(wanted), "`{wanted}` is not in: {}", ran.stderr);
    }
}

#[test]
fn several_errors_are_found_in_one_run_and_told_as_objects() {
    let path = file("several", "m.asn", "M DEFINITIONS ::= BEGIN\nA ::= Bee\nB ::= Sea\nEND\n");
    let ran = run(&["check", "--json", &path], "");
    assert_eq!(ran.code, 1);
    let lines: Vec<u64> = ran
        .stderr
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).expect("an object")["error"]["line"].as_u64().unwrap()
        })
        .collect();
    assert_eq!(lines, [2, 3]);
}

/// Notes are not failures, and are not printed by commands that only use a module.
#[test]
fn constraints_that_nothing_checks_are_noted() {
    let text = "M DEFINITIONS ::= BEGIN\nA ::= INTEGER (0..9)(CONSTRAINED BY { -- a prime -- })\n\
                B ::= OCTET STRING (CONTAINING A ENCODED BY {2 1 1})\nC ::= UTF8String (PATTERN \"\\N{greek}\")\nD ::= INTEGER (1 | 3)\nEND\n";
    let ran = run(&["check", "-"], text);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "1 module, 4 types: no errors\n"), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("not checked on values").count(), 3, "{}", ran.stderr);
    for wanted in ["]: CONSTRAINED BY", "]: what a string contains", "]: this pattern", ":2:", ":3:", ":4:"] {
        assert!(ran.stderr.contains(wanted), "`{wanted}` is not in: {}", ran.stderr);
    }
    let path = file("notes", "m.asn", text);
    let used = run(&["convert", "-m", &path, "-t", "A", "--from", "jer", "--to", "der"], "7");
    assert_eq!((used.code, used.stderr.as_str()), (0, ""));
}

#[test]
fn modules_are_read_in_any_order() {
    let uses = file("order", "uses.asn", "Uses DEFINITIONS ::= BEGIN IMPORTS B FROM Used; A ::= B END");
    let used = file("order", "used.asn", "Used DEFINITIONS ::= BEGIN B ::= BOOLEAN END");
    assert_eq!(run(&["check", &uses, &used], "").code, 0);
    assert_eq!(run(&["check", &used, &uses], "").code, 0);
    let alone = run(&["check", &uses], "");
    assert_eq!(alone.code, 1);
    assert!(alone.stderr.contains("Used"), "{}", alone.stderr);
}

#[test]
fn people_are_shown_a_page_of_errors_and_programs_all_of_them() {
    let text =
        format!("M DEFINITIONS ::= BEGIN\n{}END\n", (0..50).map(|i| format!("A{i} ::= B{i}\n")).collect::<String>());
    let ran = run(&["check", "-"], &text);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.stderr.matches("-->").count(), 20);
    assert!(ran.stderr.contains("and 30 more") && ran.stderr.contains("50 errors"), "{}", ran.stderr);
    assert_eq!(run(&["check", "--json", "-"], &text).stderr.lines().count(), 50);
}

#[test]
fn what_is_not_a_module_is_refused_without_a_panic() {
    let garbage: Vec<u8> = (0..2000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for text in [&b""[..], b"\n\n", &garbage, b"M DEFINITIONS ::= BEGIN", &b"{".repeat(100_000), &b"\0".repeat(1000)] {
        let ran = run(&["check", "-"], text);
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        assert!(ran.stderr.contains("stdin:"), "{}", ran.stderr);
    }
}

#[test]
fn additions_that_a_later_constraint_drops_are_a_warning() {
    let text = "M DEFINITIONS ::= BEGIN\nA ::= OCTET STRING (SIZE (1..16, ..., 17..40))\nB ::= A (SIZE (3..20))\nEND\n";
    let ran = run(&["check", "-"], text);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "1 module, 2 types: no errors\n"), "{}", ran.stderr);
    let message = "`(SIZE (1..16, ..., 17..40))`: sizes 3..16 are permitted here, not 17..20 (X.680 §50.8)";
    for wanted in ["warning[asn1.extension.dropped]", message, ":3:9"] {
        assert!(ran.stderr.contains(wanted), "`{wanted}` is not in: {}", ran.stderr);
    }
}

#[test]
fn underscores_are_allowed_in_modules_of_every_command_that_reads_them() {
    let path = file(
        "underscores",
        "m.asn",
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\nA_b ::= SEQUENCE { c_d INTEGER (0..7) }\nEND\n",
    );
    assert_eq!(run(&["check", &path], "").code, 1);
    let allow = ["--allow", "underscores"];
    let checked = run(&[&["check", &path], &allow[..]].concat(), "");
    assert_eq!((checked.code, checked.stdout.as_str()), (0, "1 module, 1 type: no errors\n"), "{}", checked.stderr);
    assert!(checked.stderr.contains("`A_b` has an underscore"), "{}", checked.stderr);
    let convert = ["convert", "-m", &path, "--from", "jer", "--to", "uper"];
    let converted = run(&[&convert[..], &allow].concat(), "{\"c_d\": 5}");
    assert_eq!((converted.code, converted.stdout.trim()), (0, "a0"), "{}", converted.stderr);
    for command in
        [&["list", "types", "-m", &path][..], &["diff", &path, &path], &["airtime", "-m", &path, "--from", "uper", "-"]]
    {
        let ran = run(&[command, &allow].concat(), "a0");
        assert_eq!(ran.code, 0, "{command:?}: {}", ran.stderr);
    }
    let unknown = run(&["check", &path, "--allow", "underscore"], "");
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("did you mean `underscores`?"), "{}", unknown.stderr);
}
