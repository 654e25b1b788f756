//! `roadwire guess`: what octets are.

#[path = "../../source/tests/support/shared.rs"]
mod shared;
mod support;

use serde_json::Value as Json;
use support::{CAM_HEX, CAM_JER, extracted, file, run};

/// The answers for each line.
fn answers(arguments: &[&str], input: &str) -> Vec<Vec<Json>> {
    let told = run(&[&["guess", "--json"], arguments].concat(), input);
    assert_eq!((told.code, told.stderr.as_str()), (0, ""));
    told.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_cam_is_named_with_reasons() {
    let found = answers(&[], CAM_HEX);
    let best = &found[0][0];
    assert_eq!((&best["schema"], &best["rules"]), (&"cam-1.4.1".into(), &"uper".into()));
    assert_eq!(best["type"], "CAM-PDU-Descriptions.CAM");
    assert!(best["score"].as_f64().unwrap() > 0.99);
    let why: Vec<_> = best["why"].as_array().unwrap().iter().map(|why| why.as_str().unwrap()).collect();
    assert_eq!(why[0], "all 41 octets used");
    assert!(why.contains(&"all constraints kept"), "{why:?}");
}

#[test]
fn people_see_columns() {
    let told = run(&["guess", "--rules", "uper"], CAM_HEX);
    let lines: Vec<Vec<&str>> = told.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["score", "schema", "type", "rules", "why"]);
    assert_eq!(lines[1][..4], ["1.000", "cam-1.4.1", "CAM-PDU-Descriptions.CAM", "uper"]);
}

#[test]
fn a_packet_is_named_with_what_is_inside() {
    // Basic header, common header with a payload of 45 octets, address, the rest of the position
    // vector, BTP.
    let zeros = "00".repeat(20);
    let packet = format!("11000501 20500280002d0100 1400010203040506 {zeros} 07d10000 {CAM_HEX}");
    let found = answers(&[], &packet);
    let best = &found[0][0];
    assert_eq!((&best["schema"], &best["type"]), (&"geonetworking-1".into(), &"shb".into()));
    assert!(best["why"].to_string().contains("inside is cam-1.4.1 in uper"), "{best}");
}

#[test]
fn text_is_read_as_it_stands() {
    let path = file("guess", "cam.json", CAM_JER);
    let found = answers(&[&path], "");
    assert_eq!((&found[0][0]["schema"], &found[0][0]["rules"]), (&"cam-1.4.1".into(), &"jer".into()));
}

#[test]
fn octets_of_nothing_are_said_to_be_nothing() {
    let told = run(&["guess", "--json"], format!("ffffffffffffffff\n{CAM_HEX}\n"));
    assert_eq!(told.code, 1);
    assert_eq!(told.stdout.lines().next(), Some("[]"));
    assert_eq!(told.stdout.lines().count(), 2);
}

/// A message with one value out of range is named with what it breaks; one that ends too soon, with
/// where it fails.
#[test]
fn message_that_no_schema_takes_has_its_nearest_schema() {
    let longitudinal = r#""longitudinalAccelerationValue": -3"#;
    let text = CAM_JER.replace(longitudinal, r#""longitudinalAccelerationValue": 196"#);
    assert_ne!(text, CAM_JER);
    let octets = run(&["convert", "-s", "cam-1.4.1", "--from", "jer", "--to", "uper", "--check", "encoding"], text);
    let best = &answers(&["--rules", "uper"], &octets.stdout)[0][0];
    assert_eq!((&best["schema"], &best["rules"]), (&"cam-1.4.1".into(), &"uper".into()));
    let broken = &best["violations"][0];
    assert_eq!((&broken["value"], &broken["code"]), (&196.into(), &"integer.range".into()), "{best}");
    let cut = run(&["guess", "--rules", "uper"], &CAM_HEX[..60]);
    assert_eq!(cut.code, 1);
    assert!(cut.stderr.contains("nearest: cam-"), "{}", cut.stderr);
    assert!(cut.stderr.contains("too soon, at bit"), "{}", cut.stderr);
}

/// The schema of each recorded message is found without its port.
#[test]
fn recorded_messages_are_named() {
    let Some(folder) = shared::shared("captures") else { return };
    let (mut tried, mut wrong) = (0, Vec::new());
    for entry in std::fs::read_dir(&folder).expect("the recordings") {
        let path = entry.expect("an entry").path();
        if !path.extension().is_some_and(|ending| ending == "pcap" || ending == "pcapng") {
            continue;
        }
        let messages = extracted(&path);
        let lines: Vec<&str> = messages.iter().map(|line| line["uper"].as_str().expect("hex")).collect();
        let found = run(&["guess", "--json"], lines.join("\n"));
        for (line, found) in messages.iter().zip(found.stdout.lines()) {
            tried += 1;
            let schema = match line["type"].as_str().expect("a type") {
                "CAM" => "cam-1.4.1",
                "CAMv1" => "cam-1.3.0",
                "DENM" => "denm-1.3.1",
                "MAPEM" => "mapem-2.1.1",
                "SPATEM" => "spatem-2.1.1",
                "SREM" => "srem-2.1.1",
                "SSEM" => "ssem-2.1.1",
                _ => "cpm-2.1.1",
            };
            let found: Json = serde_json::from_str(found).expect("JSON");
            // Octets that are the same in a later version may be named as that one first.
            let answers = found.as_array().expect("an array");
            let own = answers.iter().find(|one| one["schema"] == schema && one["rules"] == "uper");
            let is_first = |own: &Json| name(own) == name(&answers[0]) && own["score"].as_f64() > Some(0.5);
            if !own.is_some_and(is_first) {
                wrong.push(format!("{}: {} is {found}", path.display(), line["frame"]));
            }
        }
    }
    assert!(tried >= 2700, "{tried}");
    assert!(wrong.len() * 1000 <= tried, "{} of {tried}: {:#?}", wrong.len(), &wrong[..wrong.len().min(5)]);
}

/// The name of a type without its module, which is another one in release 2.
fn name(answer: &Json) -> Option<&str> {
    answer["type"].as_str().and_then(|name| name.rsplit('.').next())
}
