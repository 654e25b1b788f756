//! Typical mistakes of new users, and their error messages.

mod support;

use support::{CAM_HEX, run};

#[track_caller]
fn refuses(arguments: &[&str], wanted: &[&str]) {
    let ran = run(arguments, "");
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.starts_with("roadwire: "), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
    for text in wanted {
        assert!(ran.stderr.contains(text), "`{text}` is not in: {}", ran.stderr);
    }
}

#[test]
fn nothing_at_all_shows_the_help_and_is_wrong_usage() {
    let ran = run(&[], "");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("Usage: roadwire"));
}

#[test]
fn every_command_has_help_with_an_example() {
    let ran = run(&["--help"], "");
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.contains("Exit codes: 0 done; 1"));
    let always = [
        "convert", "inspect", "airtime", "capture", "guess", "sign", "verify", "diff", "migrate", "check", "generate",
        "list",
    ];
    let laboratory = cfg!(feature = "lab").then_some("study");
    for command in always.into_iter().chain(laboratory) {
        let ran = run(&[command, "--help"], "");
        assert_eq!(ran.code, 0);
        assert!(ran.stdout.contains("Example"), "{command}: {}", ran.stdout);
        assert!(ran.stdout.contains(&format!("roadwire {command}")), "{command}: {}", ran.stdout);
    }
}

#[test]
fn unknown_commands_options_and_rules_are_named() {
    refuses(&["covert"], &["covert", "convert"]);
    refuses(&["list", "schemas", "--colour"], &["--colour"]);
    refuses(&["convert", "-s", "cam-1.4.1", "--from", "upper", "--to", "jer"], &["upper", "did you mean uper?"]);
    refuses(&["convert", "-s", "cam-1.4.1", "--from", "gser", "--to", "jer"], &["gser", "uper aper oer"]);
    refuses(&["convert", "-s", "cam-1.4.1", "--from", "UPER", "--to", "jer"], &["did you mean uper?"]);
    refuses(&["convert", "-s", "cam-1.4.1", "--from", "uper", "--to", "json"], &["did you mean jer?"]);
    refuses(&["compare", "-s", "cam-1.4.1", "--form", "uper"], &["'--from'"]);
}

#[test]
fn a_schema_is_needed_and_only_one_kind_of_it() {
    refuses(&["convert", "--from", "uper", "--to", "jer"], &["--schema", "--module"]);
    refuses(&["convert", "-s", "a", "-m", "b", "--from", "uper", "--to", "jer"], &["cannot be used with"]);
}

#[test]
fn an_unknown_schema_suggests_the_nearest() {
    let unknown = |name: &'static str| ["convert", "-s", name, "--from", "uper", "--to", "jer"];
    let list = "`roadwire list schemas` lists all; your own modules are read with -m FILE";
    let some = "did you mean `cam-1.3.0` or `cam-1.4.1` or `cam-2.1.1`?";
    refuses(&unknown("cam"), &["`cam`", some, list]);
    refuses(&unknown("denm1.3.1"), &["did you mean `denm-1.3.1`", list]);
    refuses(&unknown("road"), &[&format!("help: {list}")]);
}

#[test]
fn an_unknown_type_suggests_the_nearest() {
    let arguments = ["convert", "-s", "cam-1.4.1", "--from", "uper", "--to", "jer", "-t", "CamParamters"];
    refuses(&arguments, &["did you mean `CAM-PDU-Descriptions.CamParameters`?"]);
}

#[test]
fn an_unknown_type_tells_how_to_list_them() {
    refuses(&["inspect", "-s", "cam-1.4.1", "-t", "Cam", "--rules", "uper"], &["`Cam`", "list types"]);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    refuses(&["check", "no/such/file.asn"], &["no/such/file.asn", "cannot read"]);
    refuses(&["convert", "-s", "cam-1.4.1", "--from", "uper", "--to", "jer", "missing.hex"], &["missing.hex"]);
}

#[test]
fn options_that_mean_nothing_together_are_refused() {
    let convert = ["convert", "-s", "cam-1.4.1"];
    refuses(&[&convert[..], &["--from", "jer", "--to", "uper", "--in", "hex"]].concat(), &["--in", "jer is text"]);
    refuses(
        &[&convert[..], &["--from", "uper", "--to", "jer", "--output-format", "hex"]].concat(),
        &["--output-format"],
    );
    refuses(
        &[&convert[..], &["--from", "uper", "--to", "jer", "--lines", "--in", "bin"]].concat(),
        &["--lines", "hex"],
    );
}

#[test]
fn json_tells_wrong_usage_as_one_object() {
    for arguments in [&["--json", "convert"][..], &["convert", "-s", "x", "--from", "uper", "--to", "jer", "--json"]] {
        let ran = run(arguments, CAM_HEX);
        assert_eq!(ran.code, 2);
        let told: serde_json::Value = serde_json::from_str(&ran.stderr).expect("one object");
        assert_eq!(told["error"]["exit"], 2);
        assert!(told["error"]["message"].is_string());
    }
}

#[test]
fn lists_are_lines_of_columns_or_objects() {
    let ran = run(&["list", "schemas"], "");
    let papers = if cfg!(feature = "lab") { 5 } else { 0 };
    assert_eq!((ran.code, ran.stdout.lines().count()), (0, roadwire_messages::SCHEMAS.len() + papers));
    assert_eq!(ran.stdout.contains("certificate-2017"), papers > 0, "{}", ran.stdout);
    let widest = ran.stdout.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "{widest:?} columns: {}", ran.stdout);
    assert!(ran.stdout.contains("Ieee1609Dot2Data +1"), "{}", ran.stdout);
    let ran = run(&["list", "rules", "--json"], "");
    assert_eq!((ran.code, ran.stdout.lines().count()), (0, roadwire_layout::Rules::ALL.len()));
    let first: serde_json::Value = serde_json::from_str(ran.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(first["rules"], "uper");
    let ran = run(&["list", "types", "-s", "cam-1.4.1"], "");
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.contains("CAM-PDU-Descriptions.CamParameters"));
}
