//! `roadwire inspect`: every bit is accounted for.

mod support;

use serde_json::Value;
use support::{CAM_HEX, DENM_HEX, file, run};

fn rows(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

/// Checks that rows follow each other without gap or overlap, and have the input's bits.
#[track_caller]
fn whole(rows: &[Value], hex: &str) {
    let bits: String = hex.chars().map(|c| format!("{:04b}", c.to_digit(16).unwrap())).collect();
    let mut next = 0;
    for row in rows {
        assert_eq!(row["bit"], next, "{row}");
        let count = row["count"].as_u64().unwrap() as usize;
        assert_eq!(row["bits"], bits[next..next + count], "{row}");
        next += count;
    }
    assert_eq!(next, bits.len());
}

const CAM: [&str; 6] = ["inspect", "--json", "-s", "cam-1.4.1", "--rules", "uper"];
const DENM: [&str; 6] = ["inspect", "--json", "-s", "denm-1.3.1", "--rules", "uper"];

#[test]
fn the_rows_cover_the_message_bit_by_bit() {
    // The CAM has 322 bits, the DENM 320.
    for (arguments, hex, last) in [(CAM, CAM_HEX, "padding"), (DENM, DENM_HEX, "value")] {
        let ran = run(&arguments, hex);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        let rows = rows(&ran.stdout);
        whole(&rows, hex);
        assert_eq!(rows.last().unwrap()["what"], last);
    }
}

#[test]
fn each_row_says_what_it_is_where_and_its_value() {
    let rows = rows(&run(&CAM, CAM_HEX).stdout);
    let find = |path: &str, what: &str| {
        rows.iter().find(|row| row["path"] == path && row["what"] == what).unwrap_or_else(|| panic!("{what} of {path}"))
    };
    assert_eq!(find("header.messageID", "value")["meaning"], "cam");
    assert_eq!(find("cam.generationDeltaTime", "value")["value"], 25856);
    assert_eq!(find("cam.camParameters", "extension")["value"], false);
    assert_eq!(find("cam.camParameters.lowFrequencyContainer", "presence")["value"], false);
    assert_eq!(
        find("cam.camParameters.highFrequencyContainer", "choice")["meaning"],
        "basicVehicleContainerHighFrequency"
    );
    let vehicle = "cam.camParameters.highFrequencyContainer.basicVehicleContainerHighFrequency";
    assert_eq!(find(&format!("{vehicle}.driveDirection"), "value")["value"], "forward");
    assert_eq!(find(&format!("{vehicle}.yawRate.yawRateValue"), "value")["value"], -150);
}

#[test]
fn the_text_has_a_head_and_aligned_columns() {
    let ran = run(&["inspect", "-s", "cam-1.4.1", "--rules", "uper"], CAM_HEX);
    assert_eq!(ran.code, 0);
    let mut lines = ran.stdout.lines();
    let head = lines.next().unwrap();
    let field = head.find("field").expect("a column of fields");
    assert!(head.contains("bits") && head.contains("what") && head.contains("value"));
    let first = lines.next().unwrap();
    assert_eq!(&first[field..], "header.protocolVersion");
    assert!(ran.stdout.contains("2 cam "), "named numbers are shown: {}", ran.stdout);
}

#[test]
fn broken_input_is_shown_up_to_the_error() {
    let cut = &CAM_HEX[..40];
    let ran = run(&CAM, cut);
    assert_eq!(ran.code, 1);
    let rows = rows(&ran.stdout);
    whole(&rows, cut);
    assert_eq!(rows.last().unwrap()["what"], "unread");
    let error: Value = serde_json::from_str(&ran.stderr).unwrap();
    assert_eq!(error["error"]["code"], "input.truncated");
    assert_eq!(error["error"]["bit"], rows.last().unwrap()["bit"]);

    let text = run(&["inspect", "-s", "cam-1.4.1", "--rules", "uper"], cut);
    assert_eq!(text.code, 1);
    assert!(text.stdout.contains("header.stationID"));
    assert!(text.stderr.starts_with("roadwire: stdin: "), "{}", text.stderr);
}

#[test]
fn octets_after_the_message_are_shown_and_refused() {
    let hex = format!("{CAM_HEX}beef");
    let ran = run(&CAM, &hex);
    assert_eq!(ran.code, 1);
    let rows = rows(&ran.stdout);
    whole(&rows, &hex);
    assert_eq!(rows.last().unwrap()["what"], "after");
}

#[test]
fn unknown_additions_and_lengths_are_accounted_for() {
    let old = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { b BOOLEAN, o OCTET STRING, s SEQUENCE OF INTEGER (0..3), ... } END";
    let new = old.replace("...", "..., x INTEGER (0..255), y BOOLEAN");
    let (old, new) = (file("additions", "old.asn", old), file("additions", "new.asn", new));
    let value = r#"{"b": true, "o": "ABCD", "s": [1, 2, 3], "x": 7, "y": true}"#;
    let hex = run(&["convert", "-m", &new, "--from", "jer", "--to", "uper"], value).stdout.trim_end().to_owned();
    let ran = run(&["inspect", "--json", "-m", &old, "--rules", "uper"], &hex);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let rows = rows(&ran.stdout);
    whole(&rows, &hex);
    let count = |what: &str| rows.iter().filter(|row| row["what"] == what).count();
    assert_eq!((count("unknown"), count("addition"), count("additions"), count("extension")), (2, 2, 1, 1));
}

#[test]
fn fragments_are_accounted_for_once() {
    let module =
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { ..., o OCTET STRING, l SEQUENCE OF BOOLEAN } END";
    let path = file("fragments", "m.asn", module);
    let value = serde_json::json!({ "o": "AB".repeat(20_000), "l": vec![true; 70_000] });
    let hex = run(&["convert", "-m", &path, "--from", "jer", "--to", "uper"], value.to_string()).stdout;
    let ran = run(&["inspect", "--json", "-m", &path, "--rules", "uper"], hex.trim_end());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let rows = rows(&ran.stdout);
    whole(&rows, hex.trim_end());
    assert!(rows.iter().any(|row| row["path"] == "o" && row["what"] == "value"));
}

#[test]
fn garbage_is_refused_without_a_panic_and_still_accounted_for() {
    for seed in 1..60_u32 {
        let hex: String = (0..seed * 2)
            .map(|i| format!("{:02x}", (i.wrapping_mul(seed).wrapping_mul(2_654_435_761) >> 9) as u8))
            .collect();
        let ran = run(&DENM, &hex);
        assert!(ran.code == 0 || ran.code == 1);
        whole(&rows(&ran.stdout), &hex);
    }
}

/// A value out of range does not end the list of bits; what is wrong follows it.
#[test]
fn message_with_value_out_of_range_is_shown_to_its_end() {
    let module = file(
        "inspect",
        "open.asn",
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { a INTEGER (-160..161), e ENUMERATED { x, y, z }, z BOOLEAN } END",
    );
    let base = ["inspect", "-m", module.as_str(), "--rules", "uper"];
    let shown = run(&[&base[..], &["--json"]].concat(), "b270");
    assert_eq!((shown.code, shown.stderr.as_str()), (0, ""));
    let mut rows = rows(&shown.stdout);
    let told = rows.pop().unwrap();
    whole(&rows, "b270");
    assert_eq!((&rows[0]["value"], &rows[1]["value"], &rows[2]["value"]), (&196.into(), &"(3)".into(), &true.into()));
    let found: Vec<_> =
        told["violations"].as_array().unwrap().iter().map(|one| (&one["path"], &one["at"], &one["value"])).collect();
    assert_eq!(found, [(&"a".into(), &0.into(), &196.into()), (&"e".into(), &9.into(), &3.into())]);
    let people = run(&base, "b270");
    assert_eq!(people.code, 0);
    assert_eq!(people.stderr.lines().count(), 2, "{}", people.stderr);
    assert_eq!(run(&[&base[..], &["--strict"]].concat(), "b270").code, 1);
    let all = run(&[&base[..], &["--check", "all"]].concat(), "b270");
    assert_eq!(all.code, 1);
    assert!(all.stdout.contains("unread") && all.stderr.contains("value 196 above 161"), "{}", all.stderr);
}
