//! `roadwire airtime`.

mod support;

use serde_json::Value as Json;
use support::{CAM_HEX, CAM_JER, file, run};

/// The rows as objects.
fn rows(arguments: &[&str], input: &str) -> Vec<Json> {
    let told = run(&[&["airtime"], arguments, &["--json"]].concat(), input);
    assert_eq!((told.code, told.stderr.as_str()), (0, ""));
    told.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// 41 + 4 + 28 + 8 + 4 + 8 + 30 octets are 123, 1006 bits, 21 symbols; an envelope with a digest
/// has 93 octets, one with a certificate 236.
#[test]
fn a_cam_in_three_envelopes() {
    let found = rows(&["-s", "cam-1.4.1", "--from", "uper", "--rules", "uper"], CAM_HEX);
    let columns = |row: &Json| ["message", "frame", "us", "stations"].map(|name| row[name].as_u64().unwrap());
    let wanted = [[41, 123, 208, 288], [41, 216, 336, 178], [41, 359, 528, 113]];
    assert_eq!(found.iter().map(columns).collect::<Vec<_>>(), wanted);
    let security: Vec<_> = found.iter().map(|row| row["security"].as_str().unwrap()).collect();
    assert_eq!(security, ["none", "1609.2-digest", "1609.2-certificate"]);
    for row in &found {
        let layers = row["layers"].as_array().unwrap();
        let sum: u64 = layers.iter().map(|layer| layer["octets"].as_u64().unwrap()).sum();
        assert_eq!(Some(sum), row["frame"].as_u64());
        assert!(layers.iter().all(|layer| !layer["clause"].as_str().unwrap().is_empty()));
    }
    // 178 octets with the packet's headers: 15 blocks, two of five subchannels; 0.6 * 5000 / (2 *
    // 10).
    assert_eq!(found[1]["lte"]["stations"], 150);
    assert_eq!(found[1]["nr"]["subchannels"], 2);
    assert_eq!(found[1]["dcc"]["state"], "Active 3");
}

#[test]
fn every_encoding_is_a_row_for_people() {
    let told = run(&["airtime", "-s", "cam-1.4.1", "--security", "none", &file("airtime", "cam.json", CAM_JER)], "");
    assert_eq!((told.code, told.stderr.as_str()), (0, ""));
    let rows: Vec<Vec<&str>> = told.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0][..4], ["rules", "security", "message", "btp"]);
    assert_eq!(rows[1], ["uper", "none", "41", "4", "40", "0", "38", "123", "208", "288", "300", "300"]);
    // A CAM has no encoding in the presentation language, and has one in all other rules.
    assert_eq!(rows.len(), roadwire_layout::Rules::ALL.len());
    let asked = run(&["airtime", "-s", "cam-1.4.1", "--rules", "tls"], CAM_JER);
    assert!(asked.code == 2 && asked.stderr.contains("no tls encoding"), "{}", asked.stderr);
}

/// The published pairs: as PSDU, 200 octets take 312 µs and 400 take 584. A message has 82 octets
/// less without an envelope.
#[test]
fn octets_alone_have_an_air_time() {
    let found = rows(&["--octets", "118", "--octets", "318", "--security", "none"], "");
    let times: Vec<_> = found.iter().map(|row| [row["frame"].as_u64().unwrap(), row["us"].as_u64().unwrap()]).collect();
    assert_eq!(times, [[200, 312], [400, 584]]);
    let faster = rows(&["--octets", "318", "--security", "none", "--rate", "12", "--hz", "5", "--limit", "0.3"], "");
    // 3222 bits are 34 symbols of 96: 312 µs; 0.3 s hold 192 times five of them.
    assert_eq!((faster[0]["us"].as_u64(), faster[0]["stations"].as_u64()), (Some(312), Some(192)));
    let wider = rows(&["--octets", "318", "--security", "none", "--transport", "area"], "");
    assert_eq!(wider[0]["frame"], 416);
}

#[test]
fn what_no_frame_holds_is_refused_or_told_in_its_row() {
    let told = run(&["airtime", "--octets", "2300"], "");
    assert!(told.code == 1 && told.stderr.contains("2300 octets do not fit"), "{}", told.stderr);
    let huge = run(&["airtime", "--octets", "4294967295"], "");
    assert_eq!(huge.code, 1, "{}", huge.stderr);
    let module = file("airtime", "long.asn", "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= OCTET STRING END");
    let value = format!("\"{}\"", "00".repeat(1500));
    let found = rows(&["-m", &module, "--rules", "uper,jer", "--security", "none"], &value);
    assert_eq!(found[0]["message"], 1502);
    assert!(found[1]["why"].as_str().unwrap().contains("do not fit"), "{}", found[1]);
}

#[test]
fn wrong_numbers_are_wrong_usage() {
    for (arguments, wanted) in [
        (&["--octets", "10", "--rate", "5"][..], "3, 4.5, 6"),
        (&["--octets", "10", "--hz", "0"], "0.1 to 100"),
        (&["--octets", "10", "--limit", "NaN"], "to 1"),
        (&["--octets", "10", "--security", "both"], "1609.2-digest"),
        (&["--octets", "10", "--rules", "uper"], "cannot be used with"),
        (&[], "--schema"),
    ] {
        let told = run(&[&["airtime"], arguments].concat(), "");
        assert!(told.code == 2 && told.stderr.contains(wanted), "{arguments:?}: {}", told.stderr);
    }
}
