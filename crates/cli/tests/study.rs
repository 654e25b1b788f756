//! `roadwire study`. What it measures is the laboratory's own business and tests.

mod support;

use support::{folder, run};

#[test]
fn studies_are_listed_with_what_they_published() {
    let ran = run(&["study", "--list"], "");
    assert_eq!(ran.code, 0);
    for name in ["encodings", "etsi-2014", "etsi-2015"] {
        assert!(ran.stdout.contains(name), "{}", ran.stdout);
    }
    let ran = run(&["study", "--list", "--json"], "");
    let list = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    let published = |study: &serde_json::Value| study["figures"].as_u64() > Some(0);
    assert!(list.filter(published).count() >= 2, "{}", ran.stdout);
}

#[test]
fn an_unknown_study_names_those_there_are() {
    let ran = run(&["study", "etsi-1999"], "");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("etsi-2015") && ran.stderr.contains("--list"), "{}", ran.stderr);
}

#[test]
fn a_corpus_that_is_not_there_is_named() {
    let out = folder("study-corpus");
    let ran = run(&["study", "--quick", "--out", out.to_str().unwrap(), "--corpus", "no/such.hex"], "");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("no/such.hex"), "{}", ran.stderr);
}

#[test]
fn a_quick_study_passes_its_gate_and_writes_the_report() {
    let out = folder("study").join("report");
    let ran = run(&["study", "etsi-2014", "--quick", "--seed", "1", "--out", out.to_str().unwrap()], "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("etsi-2014"));
    assert!(out.join("report.md").is_file() && out.join("records.jsonl").is_file());
    assert!(ran.stderr.contains("report.md"), "it says where the report is: {}", ran.stderr);
}

#[test]
fn a_corpus_without_messages_is_refused() {
    let out = folder("study-no-messages");
    let corpus = support::file("study-no-messages-corpus", "text.txt", "hello\n");
    let ran = run(&["study", "--quick", "--out", out.to_str().unwrap(), "--corpus", &corpus], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("no CAM or DENM") && ran.stderr.contains("help:"), "{}", ran.stderr);
}
