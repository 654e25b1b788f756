//! `roadwire study`. What it measures is tested in the laboratory.

mod support;

use std::path::Path;

use support::{folder, names, run};

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

/// The seed of a report's files; checks that all are of the same run.
fn seed(folder: &Path) -> String {
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let report = text("report.md");
    let (_, rest) = report.split_once(", seed ").unwrap();
    let seed = rest.split_once('.').unwrap().0.to_string();
    assert!(text("index.html").contains(&format!(", seed {seed}.")));
    assert!(text("records.jsonl").lines().all(|line| line.contains(&format!("\"seed\":{seed},"))));
    seed
}

#[test]
fn quick_studies_pass_their_gate_and_reports_do_not_mix() {
    let out = folder("study").join("report");
    // Files of an earlier run, and a file of the user.
    std::fs::create_dir_all(&out).unwrap();
    for (name, text) in [("certificates.json", "old"), ("files.txt", "certificates.json\n"), ("notes.txt", "mine")] {
        std::fs::write(out.join(name), text).unwrap();
    }
    let study = |seed| {
        support::command(&["study", "etsi-2014", "--quick", "--seed", seed, "--out", out.to_str().unwrap()])
            .spawn()
            .unwrap()
    };
    let runs = [study("1"), study("2")];
    for run in runs {
        let ran = support::ran(run.wait_with_output().unwrap());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(ran.stdout.contains("Bittl et al. 2014"), "{}", ran.stdout);
        assert!(ran.stdout.contains("report/index.html"), "it says where the report is: {}", ran.stdout);
    }
    let names = names(&out);
    assert!(names.contains(&"notes.txt".into()) && !names.contains(&"certificates.json".into()), "{names:?}");
    assert!(!names.iter().any(|name| name.starts_with('.')), "{names:?}");
    let (old, reports): (Vec<_>, Vec<_>) = support::names(&out.join("earlier"))
        .into_iter()
        .map(|name| out.join("earlier").join(name))
        .partition(|folder| folder.join("certificates.json").is_file());
    assert_eq!((old.len(), reports.len()), (1, 1), "{old:?} {reports:?}");
    let mut seeds = [seed(&out), seed(&reports[0])];
    seeds.sort();
    assert_eq!(seeds, ["1", "2"]);
}

#[test]
fn a_corpus_without_messages_is_refused() {
    let out = folder("study-no-messages");
    let corpus = support::file("study-no-messages-corpus", "text.txt", "hello\n");
    let ran = run(&["study", "--quick", "--out", out.to_str().unwrap(), "--corpus", &corpus], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("no CAM or DENM") && ran.stderr.contains("help:"), "{}", ran.stderr);
}
