//! `roadwire random`: values of a type, and their distributions from a file.

mod support;

use std::collections::BTreeMap;

use serde_json::Value as Json;
use support::{file, run};

const MODULE: &str = "\
Probe DEFINITIONS AUTOMATIC TAGS ::= BEGIN
Report ::= SEQUENCE {
    station   INTEGER (0..4294967295),
    kind      ENUMERATED { car, lorry, bus, ... },
    speed     INTEGER (0..16383),
    level     REAL,
    lane      INTEGER (1..14) OPTIONAL,
    name      UTF8String (SIZE (1..8)) DEFAULT \"none\",
    key       OCTET STRING (SIZE (0..16)),
    points    SEQUENCE (SIZE (0..40)) OF Point,
    ...,
    first     INTEGER (0..9),
    [[ second BOOLEAN, third INTEGER OPTIONAL ]]
}
Point ::= CHOICE { edge INTEGER (0..7), corner SEQUENCE { turn INTEGER (-180..180) } }
END
";

/// Values of the module by a file, and the standard error.
fn drawn(test: &str, count: usize, distribution: &str) -> Vec<Json> {
    let (module, path) = (file(test, "probe.asn", MODULE), file(test, "d.toml", distribution));
    let count = count.to_string();
    let ran = run(&["random", "-m", &module, "-n", &count, "--seed", "7", "--distribution", &path], "");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The error for a file: it refuses with the code 1.
fn error(test: &str, distribution: &str) -> Json {
    let (module, path) = (file(test, "probe.asn", MODULE), file(test, "d.toml", distribution));
    let ran = run(&["random", "--json", "-m", &module, "--seed", "7", "--distribution", &path], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{}", ran.stderr);
    let told: Json = serde_json::from_str(ran.stderr.trim()).expect("JSON");
    told["error"].clone()
}

#[test]
fn the_same_seed_gives_the_same_values_and_they_keep_the_constraints() {
    let module = file("random-seed", "probe.asn", MODULE);
    let values = |seed: &str| run(&["random", "-m", &module, "-n", "50", "--seed", seed], "");
    let (one, same, other) = (values("1"), values("1"), values("2"));
    assert_eq!((one.code, one.stderr.as_str(), one.stdout.lines().count()), (0, "", 50));
    assert!(one == same && one != other);
    // The checks of `convert` refuse what breaks a constraint.
    for rules in ["uper", "coer", "der", "xer"] {
        let ran = run(&["convert", "-m", &module, "--from", "jer", "--to", rules, "--lines"], &one.stdout);
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn without_a_seed_it_is_reported_and_gives_the_values_again() {
    let module = file("random-no-seed", "probe.asn", MODULE);
    let ran = run(&["random", "-m", &module], "");
    let seed = ran.stderr.trim().strip_prefix("roadwire: seed ").expect("a seed");
    assert_eq!(run(&["random", "-m", &module, "--seed", seed], "").stdout, ran.stdout);
}

#[test]
fn shipped_messages_are_drawn_in_any_encoding() {
    for (schema, rules) in
        [("cam-1.4.1", "uper"), ("denm-1.3.1", "coer"), ("cpm-2.1.1", "uper"), ("spatem-2.1.1", "jer")]
    {
        let ran = run(&["random", "-s", schema, "-n", "5", "--seed", "3", "--to", rules], "");
        assert_eq!((ran.code, ran.stdout.lines().count()), (0, 5), "{}", ran.stderr);
        let back = run(&["convert", "-s", schema, "--from", rules, "--to", "jer", "--lines"], &ran.stdout);
        assert_eq!(back.code, 0, "{schema}: {}", back.stdout);
    }
}

#[test]
fn fixed_uniform_normal_and_weighted_values_are_drawn() {
    let file = r#"
[[component]]
path = "station"
value = 4711
[[component]]
path = "speed"
normal = { mean = 1400, sd = 100 }
[[component]]
path = "level"
uniform = { from = -1, to = 1.5 }
[[component]]
path = "kind"
values = ["car", "bus"]
weights = [3, 1]
"#;
    let values = drawn("random-draws", 400, file);
    assert!(values.iter().all(|value| value["station"] == 4711));
    let speeds: Vec<f64> = values.iter().map(|value| value["speed"].as_f64().unwrap()).collect();
    let mean = speeds.iter().sum::<f64>() / 400.0;
    let sd = (speeds.iter().map(|speed| (speed - mean).powi(2)).sum::<f64>() / 400.0).sqrt();
    // Standard errors of 5 and 3.5.
    assert!((mean - 1400.0).abs() < 25.0 && (sd - 100.0).abs() < 18.0, "{mean} {sd}");
    let levels: Vec<f64> = values.iter().map(|value| value["level"].as_f64().unwrap()).collect();
    assert!(levels.iter().all(|level| (-1.0..=1.5).contains(level)) && levels.iter().any(|level| *level > 1.0));
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    values.iter().for_each(|value| *kinds.entry(value["kind"].as_str().unwrap()).or_default() += 1);
    assert_eq!(kinds.keys().copied().collect::<Vec<_>>(), ["bus", "car"]);
    assert!((60..140).contains(&kinds["bus"]), "{kinds:?}");
}

#[test]
fn presence_lengths_alternatives_and_elements_are_drawn() {
    let file = r#"
[[component]]
path = "lane"
present = 0.75
uniform = { from = 2, to = 3 }
[[component]]
path = "name"
present = 1
value = "none"
[[component]]
path = "key"
length = 4
[[component]]
path = "points"
length = { values = [0, 3], weights = [1, 4] }
[[component]]
path = "points[]"
alternatives = { edge = 1, corner = 3 }
[[component]]
path = "points[].corner.turn"
uniform = { from = 90, to = 90 }
"#;
    let values = drawn("random-parts", 400, file);
    let lanes: Vec<&Json> = values.iter().filter_map(|value| value.get("lane")).collect();
    assert!(
        (260..340).contains(&lanes.len()) && lanes.iter().all(|lane| **lane == 2 || **lane == 3),
        "{}",
        lanes.len()
    );
    // A DEFAULT value is not sent.
    assert!(values.iter().all(|value| value.get("name").is_none()));
    assert!(values.iter().all(|value| value["key"].as_str().unwrap().len() == 8));
    let lists: Vec<&Vec<Json>> = values.iter().map(|value| value["points"].as_array().unwrap()).collect();
    assert!(lists.iter().all(|list| [0, 3].contains(&list.len())));
    assert!((280..360).contains(&lists.iter().filter(|list| list.len() == 3).count()));
    let points: Vec<&Json> = lists.iter().copied().flatten().collect();
    let corners: Vec<&Json> = points.iter().filter_map(|point| point.get("corner")).collect();
    assert!((0.65..0.85).contains(&(corners.len() as f64 / points.len() as f64)), "{}", corners.len());
    assert!(corners.iter().all(|corner| corner["turn"] == 90));
}

#[test]
fn an_addition_that_is_present_brings_those_before_it_and_its_group() {
    let values = drawn("random-additions", 60, "[[component]]\npath = \"third\"\npresent = 1\n");
    for value in &values {
        for name in ["first", "second", "third"] {
            assert!(value.get(name).is_some(), "no {name} in {value}");
        }
    }
    let values = drawn("random-no-additions", 60, "[[component]]\npath = \"first\"\npresent = 0\n");
    assert!(values.iter().all(|value| value.get("first").is_none() && value.get("second").is_none()));
}

#[test]
fn a_file_for_another_type_is_refused_with_line_and_column() {
    let entry = |text: &str| format!("# a comment\n[[component]]\n{text}\n");
    for (text, code, line, column, parts) in [
        ("path = \"sped\"\nvalue = 1", "distribution.path", 3, 8, &["sped", "did you mean `speed`?"][..]),
        ("path = \"points.edge\"\nvalue = 1", "distribution.path", 3, 8, &["points[]"]),
        ("path = \"points[].corner.turns\"\nvalue = 1", "distribution.path", 3, 8, &["points[].corner", "turn"]),
        ("path = \"speed.x\"\nvalue = 1", "distribution.path", 3, 8, &["INTEGER", "no parts"]),
        ("path = \"speed\"\nvalue = 20000", "distribution.value", 4, 9, &["speed", "20000", "16383"]),
        ("path = \"speed\"\nvalues = [1, \"fast\"]", "distribution.value", 4, 14, &["speed"]),
        ("path = \"speed\"\nvalues = [1, 2]\nweights = [1]", "distribution.value", 5, 11, &["2 values", "found 1"]),
        (
            "path = \"speed\"\nvalues = [1, 2]\nweights = [-1, 2]",
            "distribution.value",
            5,
            11,
            &["weights of 0 or more"],
        ),
        ("path = \"speed\"\nuniform = { from = 0, to = 16384 }", "distribution.value", 4, 11, &["16384"]),
        ("path = \"speed\"\nuniform = { from = 9, to = 3 }", "distribution.value", 4, 11, &["found 9 and 3"]),
        ("path = \"speed\"\nnormal = { mean = -5, sd = 3 }", "distribution.value", 4, 10, &["-5"]),
        ("path = \"speed\"\nnormal = { mean = 5, sd = -3 }", "distribution.value", 4, 10, &["-3"]),
        ("path = \"kind\"\nnormal = { mean = 5, sd = 3 }", "distribution.kind", 4, 10, &["ENUMERATED"]),
        ("path = \"speed\"\npresent = 0.5", "distribution.kind", 4, 11, &["always present"]),
        ("path = \"lane\"\npresent = 1.5", "distribution.value", 4, 11, &["1.5"]),
        ("path = \"points\"\nlength = 41", "distribution.value", 4, 10, &["0 to 40", "found 41"]),
        ("path = \"speed\"\nlength = 4", "distribution.kind", 4, 10, &["SEQUENCE OF"]),
        ("path = \"points[]\"\nalternatives = { edges = 1 }", "distribution.value", 4, 16, &["did you mean `edge`?"]),
        (
            "path = \"speed\"\nvalue = 1\nuniform = { from = 0, to = 1 }",
            "distribution.kind",
            5,
            11,
            &["one distribution"],
        ),
        ("path = \"speed\"", "distribution.kind", 2, 1, &["expected `value`"]),
        ("path = \"speed\"\nvalu = 1", "distribution.syntax", 4, 1, &["valu"]),
        ("value = 1", "distribution.syntax", 2, 1, &["path"]),
        ("path = ", "distribution.syntax", 3, 8, &[]),
    ] {
        let error = error("random-errors", &entry(text));
        let place = (error["code"].as_str(), error["line"].as_u64(), error["column"].as_u64());
        assert_eq!(place, (Some(code), Some(line), Some(column)), "{text}: {error}");
        let message = error["message"].as_str().unwrap();
        assert!(parts.iter().all(|part| message.contains(part)), "{text}: {message}");
        assert!(error["file"].as_str().unwrap().ends_with("d.toml"));
    }
}

#[test]
fn paths_twice_and_parts_of_whole_values_are_refused() {
    let twice = "[[component]]\npath = \"speed\"\nvalue = 1\n[[component]]\npath = \"speed\"\nvalue = 2\n";
    assert_eq!(error("random-twice", twice)["line"], 5);
    let whole = "[[component]]\npath = \"points\"\nvalue = []\n";
    let part = "[[component]]\npath = \"points[].edge\"\nvalue = 1\n";
    assert_eq!(error("random-whole", &format!("{whole}{part}"))["line"], 5);
    assert_eq!(error("random-whole", &format!("{part}{whole}"))["line"], 5);
}

#[test]
fn hostile_files_are_refused_and_nothing_else_happens() {
    let deep = format!("[[component]]\npath = \"{}\"\nvalue = 1", "points[].".repeat(10_000));
    let nested = format!("[[component]]\npath = \"speed\"\nvalue = {}{}", "[".repeat(5_000), "]".repeat(5_000));
    let long = "[[component]]\npath = \"points\"\nlength = 4000000000000";
    for text in ["[[component]", "component = 1", "[[component]]\npath = 3", "\u{0}", &deep, &nested, long, "[x]"] {
        assert_eq!(error("random-hostile", text)["exit"], 1);
    }
    let (module, path) = (file("random-binary", "probe.asn", MODULE), file("random-binary", "d.toml", b"\xff\xfe"));
    let ran = run(&["random", "-m", &module, "--distribution", &path], "");
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("UTF-8"), "{}", ran.stderr);
}

#[cfg(feature = "lab")]
#[test]
fn the_certificate_study_draws_certificates_by_a_file() {
    let out = support::folder("random-study").join("report");
    let study = |names: &[&str], path: &str| {
        let arguments = ["--quick", "--certificates", "12", "--seed", "5", "--distribution", path, "--out"];
        run(&[&["study"], names, &arguments[..], &[out.to_str().unwrap()]].concat(), "")
    };
    // A name of 30 letters: those that fit the paper have one.
    let name = "[[component]]\npath = \"subjectInfo.subjectName\"\nvalue = \"thirty letters in a long name..\"\n";
    let fits = file("random-study", "fits.toml", name);
    let ran = study(&["certificates"], &fits);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let recorded: Json =
        serde_json::from_str(&std::fs::read_to_string(out.join("certificates.json")).unwrap()).unwrap();
    let octets = |generator: &str| {
        let experiments = recorded["experiments"].as_array().unwrap().iter();
        let mut given = experiments.filter(|one| one["generator"] == generator && one["certificates"] == 12);
        let uper =
            given.next_back().unwrap()["rows"].as_array().unwrap().iter().find(|row| row["rules"] == "uper").unwrap();
        assert_eq!(uper["failures"], 0, "{uper}");
        uper["octets"]["mean"].as_f64().unwrap()
    };
    assert!(octets("given") > octets("fitted") + 20.0, "{} {}", octets("given"), octets("fitted"));
    assert!(recorded["batched"].as_array().unwrap().iter().any(|row| row["generator"] == "given"));

    // It is checked before anything is measured.
    let wrong = file("random-study", "wrong.toml", "[[component]]\npath = \"versoin\"\nvalue = 2\n");
    let ran = study(&["certificates"], &wrong);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("wrong.toml:2:8") && ran.stderr.contains("`version`"), "{}", ran.stderr);
    let ran = study(&["etsi-2014"], &fits);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("is for the study `certificates`"), "{}", ran.stderr);
}
