//! `study certificates --send` and `--receive`: two programs over the loopback interface.
#![cfg(feature = "lab")]

mod support;

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

use support::{Ran, command, folder, ran, run};

/// A port without a listener.
fn port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

/// Runs a receiver and a sender with these seeds.
fn both(test: &str, seeds: [&str; 2]) -> [(Ran, std::path::PathBuf); 2] {
    let port = port();
    let (at, to) = (port.to_string(), format!("127.0.0.1:{port}"));
    let sides = [["--receive", &at, seeds[0]], ["--send", &to, seeds[1]]].map(|[part, place, seed]| {
        let out = folder(&format!("{test}{part}"));
        let report = out.join("report");
        let options = [
            "study",
            "certificates",
            "--quick",
            "--verbose",
            "--certificates",
            "10",
            part,
            place,
            "--seed",
            seed,
            "--out",
        ];
        let child = command(&options).arg(&report).spawn().unwrap();
        (child, report)
    });
    sides.map(|(child, report)| (ran(child.wait_with_output().unwrap()), report))
}

/// The experiments of a report without the time that they took as a whole, and whose machines they
/// were.
fn experiments(report: &Path) -> (Vec<serde_json::Value>, serde_json::Value) {
    let text = std::fs::read_to_string(report.join("certificates.json")).unwrap();
    let mut study: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut experiments = study["experiments"].as_array().unwrap().clone();
    experiments.iter_mut().for_each(|one| one["seconds"] = 0.into());
    (experiments, study["between"].take())
}

#[test]
fn sender_and_receiver_write_the_same_experiments() {
    let [(receiver, received), (sender, sent)] = both("stations", ["5", "5"]);
    assert_eq!((receiver.code, sender.code), (0, 0), "{} {}", receiver.stderr, sender.stderr);
    let (one, other) = (experiments(&received), experiments(&sent));
    assert!(!one.0.is_empty() && one.1.as_array().unwrap().len() == 2);
    assert_eq!(one, other);
    assert!(receiver.stdout.contains("Two programs: the sender ran on "), "{}", receiver.stdout);
}

#[test]
fn other_seed_ends_both_sides_with_what_differs() {
    let [(receiver, _), (sender, _)] = both("stations-seeds", ["5", "6"]);
    assert_eq!((receiver.code, sender.code), (1, 1));
    assert!(receiver.stderr.contains("another seed (--seed): 6, this one 5"), "{}", receiver.stderr);
    assert!(sender.stderr.contains("another seed (--seed): 5, this one 6"), "{}", sender.stderr);
}

#[test]
fn sender_without_a_receiver_ends_with_an_error() {
    let to = format!("127.0.0.1:{}", port());
    let out = folder("stations-alone");
    let arguments = ["study", "certificates", "--quick", "--seed", "1", "--send", &to, "--out", out.to_str().unwrap()];
    let ran = run(&arguments, "");
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains(&format!("{to}: no receiver answers")), "{}", ran.stderr);
}

#[test]
fn wrong_stations_are_refused_before_anything_runs() {
    for (arguments, why) in [
        (&["certificates", "--seed", "1", "--send", "nowhere"][..], "a host and a port"),
        (&["certificates", "--seed", "1", "--send", ":4711"], "a host and a port"),
        (&["certificates", "--seed", "1", "--send", "host:0"], "a host and a port"),
        (&["certificates", "--seed", "1", "--receive", "0"], "--receive"),
        (&["certificates", "--seed", "1", "--receive", "70000"], "--receive"),
        (&["certificates", "--receive", "4711"], "--seed"),
        (&["certificates", "--seed", "1", "--receive", "4711", "--send", "host:1"], "--send"),
        (&["ieee1609", "--seed", "1", "--receive", "4711"], "certificates"),
        (&["--seed", "1", "--receive", "4711"], "certificates"),
    ] {
        let ran = run(&[&["study"], arguments].concat(), "");
        assert_eq!(ran.code, 2, "{arguments:?}");
        assert!(ran.stderr.contains(why), "{arguments:?} {}", ran.stderr);
    }
}
