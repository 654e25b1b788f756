//! `roadwire bench`: one's own message in every encoding.
#![cfg(feature = "lab")]

mod support;

use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use support::{CAM_HEX, CAM_JER, Ran, file, folder, names, run};

/// A module of 20 lines.
const MODULE: &str = "\
Probe DEFINITIONS AUTOMATIC TAGS ::= BEGIN

Report ::= SEQUENCE {
    station   INTEGER (0..4294967295),
    time      INTEGER (0..65535),
    kind      ENUMERATED { car, lorry, bus, ... },
    speed     Speed,
    lane      INTEGER (1..14) OPTIONAL,
    points    SEQUENCE (SIZE (0..40)) OF Point,
    ...
}

Point ::= SEQUENCE {
    north     INTEGER (-131071..131072),
    east      INTEGER (-131071..131072)
}

Speed ::= INTEGER { standing(0), unavailable(16383) } (0..16383)

END
";

const VALUE: &str = r#"{"station": 4711, "time": 12000, "kind": "lorry", "speed": 1389, "lane": 2,
    "points": [{"north": 100, "east": -20}, {"north": 220, "east": -45}]}"#;

/// The module in a file, and the value in another.
fn files(test: &str) -> [String; 2] {
    [file(test, "probe.asn", MODULE), file(test, "report.json", VALUE)]
}

/// The objects of a run with `--json`, for these rules.
fn objects(arguments: &[&str], input: &str) -> Vec<Json> {
    let ran = run(&[&["bench", "--quick", "--json"], arguments].concat(), input);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn codec<'o>(object: &'o Json, engine: &str) -> &'o Json {
    let codecs = object["codecs"].as_array().expect("codecs");
    codecs.iter().find(|codec| codec["engine"] == engine).unwrap_or_else(|| panic!("no {engine}: {object}"))
}

#[track_caller]
fn refused(ran: &Ran, code: i32, parts: &[&str]) {
    assert_eq!(ran.code, code, "{}{}", ran.stdout, ran.stderr);
    for part in parts {
        assert!(ran.stderr.contains(part), "no `{part}` in {}", ran.stderr);
    }
}

#[test]
fn a_module_of_20_lines_and_a_value_have_their_answer_in_one_command() {
    assert_eq!(MODULE.lines().count(), 20);
    let [module, value] = files("bench-answer");
    let ran = run(&["bench", "-m", &module, &value], "");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines.len() <= 45, "{} lines:\n{}", lines.len(), ran.stdout);
    assert!(lines.iter().all(|line| line.chars().count() <= 160), "{}", ran.stdout);
    // The answers first.
    assert_eq!(lines[0], "Probe.Report, 1 value: which encoding?");
    let answers: Vec<&str> = lines[2..].iter().take_while(|line| !line.is_empty()).copied().collect();
    let needs = ["fewest octets", "on the channel", "least time", "both", "least memory"];
    assert_eq!(answers.iter().map(|line| line[2..18].trim_end()).collect::<Vec<_>>(), needs);
    // Two bits of presence, 69 of numbers and an item, six for how many points, and two points of
    // 36: 149 bits.
    assert!(answers[0].contains("uper 19;") && answers[0].contains("most"), "{}", ran.stdout);
    assert!(answers[2].contains("interpreter"), "{}", ran.stdout);
    for rules in ["uper", "aper", "oer", "ber", "xer", "jer", "protobuf", "exi-flat", "cbor"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("{rules} "))), "no {rules} in\n{}", ran.stdout);
    }
    // And the reasons for what is absent.
    assert!(ran.stdout.contains("give --source DIR, a checkout of roadwire; it needs cargo"), "{}", ran.stdout);
    assert!(ran.stdout.contains("No other implementation here confirms these octets"), "{}", ran.stdout);
    assert!(ran.stdout.contains("no encoding: ") && ran.stdout.contains("tls"), "{}", ran.stdout);
}

#[test]
fn lengths_and_bits_are_those_of_compare() {
    let rules = "uper,coer,der,xer,jer,exi,protobuf,cbor";
    let objects = objects(&["-s", "cam-1.4.1", "--rules", rules, "-"], CAM_JER);
    let compared = run(&["compare", "-s", "cam-1.4.1", "--json"], CAM_JER);
    let compared: Vec<Json> = compared.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), rules.split(',').count());
    for object in &objects {
        let row = compared.iter().find(|row| row["rules"] == object["rules"]).unwrap();
        assert_eq!(object["octets"].as_f64(), row["octets"].as_f64(), "{object}");
        for (cause, bits) in object["bits"].as_object().unwrap() {
            assert_eq!(bits.as_f64(), row[cause].as_f64(), "{cause} of {object}");
        }
    }
}

#[test]
fn air_time_is_that_of_the_command_of_this_name() {
    let object = &objects(&["-s", "cam-1.4.1", "--rules", "uper", "-"], CAM_JER)[0];
    let ran = run(&["airtime", "--octets", "41", "--security", "1609.2-digest", "--json"], "");
    let row: Json = serde_json::from_str(ran.stdout.trim()).unwrap();
    assert_eq!(object["air_us"].as_f64(), row["us"].as_f64());
    assert_eq!(object["stations"], row["stations"]);
}

#[test]
fn a_shipped_message_has_its_generated_code_and_other_implementations() {
    let objects = objects(&["-s", "cam-1.4.1", "--from", "uper", "--rules", "uper,coer", "-"], CAM_HEX);
    for object in &objects {
        for engine in ["roadwire-toed", "roadwire-interpreter"] {
            let codec = codec(object, engine);
            assert!(codec["absent"].is_null(), "{codec}");
            for way in ["encode", "decode"] {
                assert!(codec[way]["ns"].as_f64() > Some(0.0) && codec[way]["stack_octets"].is_number(), "{codec}");
            }
        }
        let heap = |engine| codec(object, engine)["decode"]["heap_octets"].as_f64();
        assert!(heap("roadwire-toed") == Some(0.0) && heap("roadwire-interpreter") > Some(0.0), "{object}");
    }
    let rasn = codec(&objects[0], "rasn");
    assert!(rasn["absent"].is_null(), "{rasn}");
    let by = codec(&objects[0], "roadwire-toed")["confirmed_by"].to_string();
    assert!(by.contains("rasn"), "{by}");
    // rasn has no COER of this version.
    assert!(codec(&objects[1], "rasn")["absent"].is_string());
}

#[test]
fn the_mean_of_several_values_is_shown_and_lines_are_values() {
    let [module, _] = files("bench-lines");
    let lines = format!("{}\n\n{}\n", VALUE.replace('\n', ""), VALUE.replace('\n', "").replace(r#""lane": 2,"#, ""));
    let object = &objects(&["-m", &module, "--rules", "coer", "--lines", "-"], &lines)[0];
    // The lane is an octet.
    let [least, most] = ["octets_least", "octets_most"].map(|name| object[name].as_f64().unwrap());
    assert_eq!((most - least, object["values"].as_u64()), (1.0, Some(2)));
    assert_eq!(object["octets"].as_f64(), Some((least + most) / 2.0));
}

#[test]
fn the_folder_has_records_and_tables_with_an_index() {
    let [module, value] = files("bench-out");
    let out = folder("bench-out-folder");
    let arguments = ["bench", "--quick", "-m", &module, "--rules", "uper,jer", "--out", out.to_str().unwrap(), &value];
    let ran = run(&arguments, "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("wrote") && ran.stderr.contains("records.jsonl"), "{}", ran.stderr);
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    let index = read("files.csv");
    let listed: Vec<&str> = index.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    let mut files = names(&out);
    files.retain(|name| !["files.txt", "files.csv"].contains(&name.as_str()));
    assert_eq!(files.len(), listed.len());
    assert!(files.iter().all(|name| listed.contains(&name.as_str())), "{files:?} {listed:?}");
    assert_eq!(read("bench.txt"), ran.stdout);

    let sizes = read("sizes.csv");
    let rows: Vec<Vec<&str>> = sizes.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][..4], ["value", "source", "rules", "octets"]);
    assert_eq!(rows[1][2..4], ["uper", "19"]);
    assert!(rows[1..].iter().all(|row| row[3..].iter().all(|field| field.parse::<f64>().is_ok())), "{sizes}");
    let records: Vec<Json> = read("records.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(records.iter().all(|record| record["schema"] == "Probe" && record["message"] == "value-1"));
    assert!(records.iter().any(|record| record["engine"] == "roadwire-interpreter" && !record["cpu_ns"].is_null()));
    // A second run moves the first away.
    assert_eq!(run(&arguments, "").code, 0);
    assert!(out.join("earlier").is_dir());
}

#[test]
fn what_cannot_be_measured_is_refused_with_its_place() {
    let [module, value] = files("bench-refused");
    let bench = |more: &[&str], input: &str| run(&[&["bench", "-m", &module], more].concat(), input);
    let wrong = VALUE.replace("1389", "20000");
    refused(&bench(&["-"], &wrong), 1, &["speed", "20000", "16383"]);
    refused(&bench(&["-"], ""), 1, &["empty"]);
    refused(&bench(&["--lines", "-"], "\n"), 1, &["expected a value"]);
    let lines = format!("{}\n{}\n", VALUE.replace('\n', ""), wrong.replace('\n', ""));
    refused(&bench(&["--lines", "-"], &lines), 1, &["stdin:2", "speed"]);
    refused(&bench(&["--rules", "tls", &value], ""), 2, &["tls"]);
    refused(&bench(&["--rules", "morse", &value], ""), 2, &["morse"]);
    refused(&bench(&["-", "-"], VALUE), 2, &["stdin", "--lines"]);
    refused(
        &bench(&["--source", "/nowhere", &value], ""),
        2,
        &["/nowhere is not a checkout", "Cargo.toml", "git clone"],
    );
    refused(&bench(&["-t", "Reprot", &value], ""), 2, &["Report"]);
    refused(&bench(&["nowhere.json"], ""), 2, &["nowhere.json"]);
    refused(&run(&["bench", "-m", &module], ""), 2, &["VALUE"]);
    let ran = bench(&["--json", "-"], &wrong);
    let error: Json = serde_json::from_str(ran.stderr.trim()).unwrap();
    assert_eq!(error["error"]["path"], "speed");
}

#[test]
fn peers_of_a_module_of_ones_own_are_absent_with_the_reason() {
    let [module, value] = files("bench-peers");
    let ran = run(&["bench", "--quick", "-m", &module, "--rules", "uper", "--peers", "/nowhere", &value], "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("peers: other implementations have the messages of cam-1.3.0"), "{}", ran.stdout);
}

#[cfg(unix)]
#[test]
fn peers_that_are_asked_for_and_absent_are_named_with_the_reason() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder("bench-peers-absent");
    let peer = folder.join("none");
    std::fs::create_dir_all(&peer).unwrap();
    std::fs::write(peer.join("build"), "#!/bin/sh\necho it needs a compiler of 1984 >&2\nexit 3\n").unwrap();
    std::fs::set_permissions(peer.join("build"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let region = "allocation = \"\"\npresizing = \"\"\npopulation = \"\"\nvalidation = \"\"\n";
    let about = format!("name = \"old\"\norigin = \"here\"\nbuild = \"build\"\n[timed_region]\n{region}");
    std::fs::write(peer.join("peer.toml"), about).unwrap();
    let arguments =
        ["bench", "--quick", "-s", "cam-1.4.1", "--rules", "uper", "--peers", folder.to_str().unwrap(), "-"];
    let ran = run(&arguments, CAM_JER);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("absent: old: cannot be built here: it needs a compiler of 1984"), "{}", ran.stdout);
}

#[test]
fn values_without_bounds_numbers_alone_and_optional_ends_are_measured() {
    let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        Number ::= INTEGER  Text ::= UTF8String  Empty ::= SEQUENCE { } Nothing ::= NULL
        Tail ::= SEQUENCE { a INTEGER OPTIONAL, b INTEGER OPTIONAL, c UTF8String OPTIONAL }
        Any ::= CHOICE { yes BOOLEAN, list SEQUENCE OF Any } END";
    let module = file("bench-hostile", "m.asn", module);
    let deep = (0..20).fold(r#"{"yes":true}"#.to_owned(), |inner, _| format!(r#"{{"list":[{inner}]}}"#));
    for (name, value) in [
        ("Number", "123456789012345678901234567890"),
        ("Text", "\"\\u0001 \\\" \u{1f697}\""),
        ("Empty", "{}"),
        ("Nothing", "null"),
        ("Tail", r#"{"a": 1, "b": 2, "c": "x"}"#),
        ("Any", &deep),
    ] {
        let rules = "uper,coer,der,xer,jer,protobuf,exi,cbor";
        let ran = run(&["bench", "--quick", "-m", &module, "-t", name, "--rules", rules, "-"], value);
        assert_eq!(ran.code, 0, "{name}: {}{}", ran.stdout, ran.stderr);
    }
}

/// The checkout that this test is part of.
fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn generated_code_of_a_module_is_compiled_from_a_checkout() {
    let [module, value] = files("bench-source");
    let source = checkout();
    let objects = objects(&["-m", &module, "--rules", "uper,coer", "--source", source.to_str().unwrap(), &value], "");
    for object in &objects {
        let codec = codec(object, "roadwire-toed");
        assert!(codec["absent"].is_null(), "{codec}");
        for way in ["encode", "decode"] {
            let cost = &codec[way];
            assert!(cost["ns"].as_f64() > Some(0.0), "{codec}");
            assert!(cost["heap_octets"].is_number() && cost["stack_octets"].is_number(), "{codec}");
        }
        // In a program of its own, with optimisation.
        let ns = |engine: &str| codec_ns(object, engine);
        assert!(ns("roadwire-toed") < ns("roadwire-interpreter"), "{object}");
    }
}

fn codec_ns(object: &Json, engine: &str) -> Option<f64> {
    codec(object, engine)["encode"]["ns"].as_f64()
}
