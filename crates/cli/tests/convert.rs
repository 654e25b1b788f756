//! `roadwire convert`.

mod support;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};

use support::{CAM_HEX, CAM_JER, DENM_HEX, command, file, folder, octets, ran, run};

const TO_JER: [&str; 7] = ["convert", "-s", "cam-1.4.1", "--from", "uper", "--to", "jer"];
const TO_UPER: [&str; 7] = ["convert", "-s", "cam-1.4.1", "--from", "jer", "--to", "uper"];

fn with<'a>(base: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [base, more].concat()
}

fn parsed(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn a_message_becomes_a_value_and_back() {
    let value = run(&TO_JER, CAM_HEX);
    assert_eq!((value.code, value.stderr.as_str()), (0, ""));
    assert_eq!(parsed(&value.stdout), parsed(CAM_JER));
    let message = run(&TO_UPER, &value.stdout);
    assert_eq!((message.code, message.stdout.trim_end()), (0, CAM_HEX));
}

#[test]
fn the_studied_and_the_deployed_versions_have_the_published_lengths() {
    let cam = run(&["convert", "-s", "cam-1.3.0", "--from", "jer", "--to", "uper"], CAM_JER);
    assert_eq!(
        cam.stdout.trim_end(),
        "020200072a996500005a582ef22e18030c223412c708426f900053c122b69302908a7413a9e30fed06"
    );
    for version in ["denm-1.2.0", "denm-1.3.1"] {
        let value = run(&["convert", "-s", version, "--from", "uper", "--to", "jer"], DENM_HEX);
        assert_eq!(value.code, 0, "{}", value.stderr);
        let mut value = parsed(&value.stdout);
        let to_uper = ["convert", "-s", version, "--from", "jer", "--to", "uper"];
        assert_eq!(run(&to_uper, value.to_string()).stdout.trim_end(), DENM_HEX);
        value["denm"]["management"]["validityDuration"] = 60.into();
        assert_eq!(run(&to_uper, value.to_string()).stdout.trim_end().len(), 2 * 43);
    }
}

#[test]
fn hex_may_be_upper_case_and_spaced() {
    let spaced: String =
        CAM_HEX.to_uppercase().as_bytes().chunks(2).map(|c| format!("{}{} \n", c[0] as char, c[1] as char)).collect();
    assert_eq!(parsed(&run(&TO_JER, spaced).stdout), parsed(CAM_JER));
}

#[test]
fn the_form_of_octets_is_detected_in_files() {
    for (name, content) in [
        ("cam.hex", CAM_HEX.as_bytes().to_vec()),
        ("cam.bin", octets(CAM_HEX)),
        ("cam.b64", run(&with(&TO_UPER, &["--output-format", "base64"]), CAM_JER).raw),
    ] {
        let path = file("detected", name, content);
        let ran = run(&with(&TO_JER, &[&path]), "");
        assert_eq!(ran.code, 0, "{name}: {}", ran.stderr);
        assert_eq!(parsed(&ran.stdout), parsed(CAM_JER), "{name}");
    }
}

#[test]
fn stdin_is_hex_unless_told_otherwise() {
    let binary = run(&TO_JER, octets(CAM_HEX));
    assert_eq!(binary.code, 1);
    assert!(
        binary.stderr.contains("not a hexadecimal digit") && binary.stderr.contains("--in bin"),
        "{}",
        binary.stderr
    );
    let told = run(&with(&TO_JER, &["--in", "bin"]), octets(CAM_HEX));
    assert_eq!(parsed(&told.stdout), parsed(CAM_JER));
}

#[test]
fn octets_may_be_written_as_they_are() {
    let ran = run(&with(&TO_UPER, &["--output-format", "bin"]), CAM_JER);
    assert_eq!((ran.code, ran.raw), (0, octets(CAM_HEX)));
}

#[test]
fn a_file_is_not_written_over_unless_forced() {
    let path = folder("overwrite").join("cam.uper");
    let name = path.to_str().unwrap();
    assert_eq!(run(&with(&TO_UPER, &["-o", name]), CAM_JER).code, 0);
    assert_eq!(std::fs::read(&path).unwrap(), octets(CAM_HEX));
    std::fs::write(&path, "mine").unwrap();
    let again = run(&with(&TO_UPER, &["-o", name]), CAM_JER);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("--force"), "{}", again.stderr);
    assert_eq!(std::fs::read(&path).unwrap(), b"mine");
    assert_eq!(run(&with(&TO_UPER, &["-o", name, "--force"]), CAM_JER).code, 0);
    assert_eq!(std::fs::read(&path).unwrap(), octets(CAM_HEX));
}

#[test]
fn empty_input_is_refused_with_advice() {
    for arguments in [&TO_JER, &TO_UPER] {
        for input in ["", "\n \n"] {
            let ran = run(arguments, input);
            assert_eq!(ran.code, 1);
            assert!(ran.stderr.contains("the input is empty"), "{}", ran.stderr);
            assert_eq!(ran.stdout, "");
        }
    }
}

#[test]
fn a_message_of_no_octets_is_an_empty_line() {
    let folder = support::folder("convert-no-octets");
    let module = folder.join("null.asn");
    std::fs::write(&module, "M DEFINITIONS ::= BEGIN A ::= NULL END").unwrap();
    let module = ["-m", module.to_str().unwrap(), "-t", "A"];
    let to_jer = [&["convert", "--from", "oer", "--to", "jer"], &module[..]].concat();
    assert_eq!(run(&to_jer, "\n").stdout, "null\n");
    assert!(run(&to_jer, "").stderr.contains("the input is empty"));
    let lines = run(&with(&to_jer, &["--lines"]), "\n \n00\n");
    assert!(lines.stdout.starts_with("null\nnull\nerror: 1 octet follows") && lines.code == 1, "{}", lines.stdout);
    assert_eq!(run(&[&["inspect", "--rules", "oer"], &module[..]].concat(), "\n").code, 0);
    let back = [&["convert", "--from", "jer", "--to", "oer", "--lines"], &module[..]].concat();
    assert_eq!(run(&back, "null\n\n").stdout, "\nerror: the line is empty\n");
}

#[test]
fn a_message_cut_short_is_refused_wherever_it_is_cut() {
    for digits in (2..CAM_HEX.len()).step_by(2) {
        let ran = run(&TO_JER, &CAM_HEX[..digits]);
        assert_eq!(ran.code, 1, "{digits}");
        assert!(ran.stderr.contains("at bit"), "{digits}: {}", ran.stderr);
        assert_eq!(ran.stdout, "");
    }
    let last = run(&TO_JER, &CAM_HEX[..CAM_HEX.len() - 4]);
    assert!(last.stderr.contains("cam.camParameters.highFrequencyContainer"), "{}", last.stderr);
}

#[test]
fn octets_after_the_message_are_not_dropped_in_silence() {
    let ran = run(&TO_JER, format!("{CAM_HEX}00ff"));
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("2 octets follow"), "{}", ran.stderr);
}

#[test]
fn binary_garbage_is_refused_without_a_panic() {
    for seed in 1..200_u32 {
        let garbage: Vec<u8> =
            (0..seed * 3).map(|i| (i.wrapping_mul(seed).wrapping_mul(2_654_435_761) >> 11) as u8).collect();
        let ran = run(&["convert", "-s", "denm-1.3.1", "--from", "uper", "--to", "jer", "--in", "bin"], garbage);
        assert!(ran.code == 1 || ran.code == 0, "{}", ran.stderr);
    }
}

#[test]
fn a_value_out_of_range_is_refused_with_its_field_path() {
    let ran = run(&TO_UPER, CAM_JER.replace("\"vehicleWidth\": 18", "\"vehicleWidth\": 63"));
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    let path = "cam.camParameters.highFrequencyContainer.basicVehicleContainerHighFrequency.vehicleWidth";
    assert!(ran.stderr.contains(path) && ran.stderr.contains("63"), "{}", ran.stderr);
}

#[test]
fn all_values_out_of_range_are_told_at_once_even_if_nothing_is_encoded() {
    let wrong = CAM_JER
        .replace("\"vehicleWidth\": 18", "\"vehicleWidth\": 63")
        .replace("\"stationType\": 5", "\"stationType\": 256");
    let ran = run(&["convert", "-s", "cam-1.4.1", "--from", "jer", "--to", "jer"], wrong);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("stationType") && ran.stderr.contains("vehicleWidth"), "{}", ran.stderr);
}

#[test]
fn members_that_an_extensible_type_does_not_know_are_refused_unless_lenient() {
    let newer = CAM_JER.replacen("\"basicContainer\": {", "\"basicContainer\": {\"newer\": 1,", 1);
    let ran = run(&TO_UPER, &newer);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("newer"), "{}", ran.stderr);
    let ran = run(&with(&TO_UPER, &["--lenient"]), &newer);
    assert_eq!((ran.code, ran.stdout.trim_end()), (0, CAM_HEX));
}

#[test]
fn broken_json_is_refused_with_its_place() {
    let ran = run(&TO_UPER, &CAM_JER[..CAM_JER.len() / 2]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("stdin:"), "{}", ran.stderr);
    let ran = run(&TO_UPER, CAM_JER.replace("vehicleWidth", "vehicleBreadth"));
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("vehicleBreadth"), "{}", ran.stderr);
}

#[test]
fn json_tells_a_refusal_as_an_object() {
    let ran = run(&with(&TO_JER, &["--json"]), &CAM_HEX[..40]);
    let error = &parsed(&ran.stderr)["error"];
    assert_eq!((&error["exit"], &error["code"]), (&1.into(), &"input.truncated".into()));
    assert!(error["bit"].is_u64() && error["path"].is_string(), "{error}");
}

#[test]
fn a_bad_line_becomes_an_error_in_its_place() {
    let ran = run(&with(&TO_JER, &["--lines"]), format!("{CAM_HEX}\r\nnonsense\n\n{}\n{CAM_HEX}", &CAM_HEX[..20]));
    assert_eq!(ran.code, 1);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(parsed(lines[0]), parsed(CAM_JER));
    for bad in &lines[1..4] {
        assert!(bad.starts_with("error: "), "{bad}");
    }
    assert_eq!(lines[4], lines[0]);
    assert!(ran.stderr.contains("3 of 5 lines refused, the first is line 2"), "{}", ran.stderr);
}

#[test]
fn lines_of_values_become_lines_of_hex() {
    let line = parsed(CAM_JER).to_string();
    let ran = run(&with(&TO_UPER, &["--lines"]), format!("{line}\n{line}\n"));
    assert_eq!((ran.code, ran.stdout), (0, format!("{CAM_HEX}\n{CAM_HEX}\n")));
}

#[test]
fn each_line_is_flushed_before_the_next_is_read() {
    let mut child = command(&with(&TO_JER, &["--lines"])).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        writeln!(stdin, "{CAM_HEX}").unwrap();
        let mut line = String::new();
        // Would wait forever if the line were held back.
        stdout.read_line(&mut line).unwrap();
        assert_eq!(parsed(&line), parsed(CAM_JER));
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = command(&with(&TO_JER, &["--lines"])).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || {
        for _ in 0..100_000 {
            if writeln!(stdin, "{CAM_HEX}").is_err() {
                return true;
            }
        }
        false
    });
    let mut first = [0; 1];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    let ended = ran(child.wait_with_output().unwrap());
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    assert!(feeder.join().unwrap(), "it went on reading after the pipe was closed");
}

#[test]
fn own_modules_need_no_type_where_there_is_one_pdu() {
    let path = file(
        "own",
        "m.asn",
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { b B, c BOOLEAN } B ::= INTEGER (0..7) END",
    );
    let ran = run(&["convert", "-m", &path, "--from", "jer", "--to", "uper"], r#"{"b": 5, "c": true}"#);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "b0\n"), "{}", ran.stderr);
    let ran = run(&["convert", "-m", &path, "-t", "M.B", "--from", "uper", "--to", "jer"], "60");
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "3\n"), "{}", ran.stderr);
    let path = file("own", "two.asn", "M DEFINITIONS ::= BEGIN A ::= NULL B ::= NULL END");
    let ran = run(&["convert", "-m", &path, "--from", "jer", "--to", "uper"], "null");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("M.A, M.B"), "{}", ran.stderr);
}

#[test]
fn a_line_that_fails_says_which_line_it_is() {
    let path = file("lines-place", "in.hex", format!("{CAM_HEX}\nzz\n"));
    let ran = run(&["convert", "-s", "cam-1.4.1", "--from", "uper", "--to", "jer", "--lines", &path], "");
    assert_eq!(ran.code, 1);
    assert_eq!(ran.stdout.lines().last(), Some("error: 2:1: `z` is not a hexadecimal digit"));
}

#[test]
fn lines_are_not_written_over_the_file_that_they_are_read_from() {
    let path = file("lines-same", "in.hex", format!("{CAM_HEX}\n"));
    let arguments = ["convert", "-s", "cam-1.4.1", "--from", "uper", "--to", "jer", "--lines", "--force"];
    let ran = run(&[&arguments[..], &[&path, "-o", &path]].concat(), "");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("both input and output"), "{}", ran.stderr);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{CAM_HEX}\n"));
}

#[test]
fn a_type_in_the_wrong_case_is_suggested() {
    let ran = run(&["convert", "-s", "cam-1.4.1", "-t", "Cam", "--from", "uper", "--to", "jer"], CAM_HEX);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("did you mean `CAM-PDU-Descriptions.CAM`?"), "{}", ran.stderr);
}

#[test]
fn strict_takes_the_canonical_encoding_alone() {
    let strict = with(&TO_JER, &["--strict"]);
    assert_eq!(run(&strict, CAM_HEX).code, 0);
    // The last octet's bits beyond the message are not zero.
    let other = format!("{}1", &CAM_HEX[..CAM_HEX.len() - 1]);
    assert_eq!(run(&TO_JER, &other).code, 0);
    let refused = run(&strict, &other);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("not the canonical encoding"), "{}", refused.stderr);
}

#[test]
fn xml_for_people_is_on_lines_and_is_read_again() {
    let to_xer = ["convert", "-s", "cam-1.4.1", "--from", "jer", "--to", "xer"];
    let plain = run(&to_xer, CAM_JER);
    let pretty = run(&with(&to_xer, &["--pretty"]), CAM_JER);
    assert_eq!((pretty.code, pretty.stderr.as_str()), (0, ""));
    let lines: Vec<&str> = pretty.stdout.lines().collect();
    assert!(lines.len() > 20 && lines[0] == "<CAM>" && lines[1] == "  <header>", "{}", pretty.stdout);
    assert_eq!(lines.iter().map(|line| line.trim_start()).collect::<String>(), plain.stdout.trim_end());
    let back = run(&["convert", "-s", "cam-1.4.1", "--from", "xer", "--to", "uper"], &pretty.stdout);
    assert_eq!(back.stdout.trim_end(), CAM_HEX);
    let wrong = run(&["convert", "-s", "cam-1.4.1", "--from", "jer", "--to", "cxer", "--pretty"], CAM_JER);
    assert!(wrong.code != 0 && wrong.stderr.contains("cxer has none of"), "{}", wrong.stderr);
}

#[test]
fn a_real_beyond_a_double_is_refused_in_every_text() {
    let path = support::file(
        "convert-real",
        "m.asn",
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= REAL B ::= [XER:DECIMAL] REAL END",
    );
    let convert = |from: &str, name: &str, text: &str| {
        run(&["convert", "-m", &path, "-t", name, "--from", from, "--to", "jer"], text)
    };
    let huge = "9".repeat(400);
    for number in ["999999999999999999.5E99999999999", "1E400", "-1.8E308", "1E-99999999999999999999", "-1E-400", &huge]
    {
        for (from, text) in
            [("xer", format!("<A>{number}</A>")), ("exer", format!("<A>{number}</A>")), ("jer", number.into())]
        {
            let ran = convert(from, "A", &text);
            assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{from}: {number}");
            assert!(ran.stderr.contains("beyond the range of a double"), "{}", ran.stderr);
        }
    }
    let ran = convert("exer", "B", &format!("<B>{huge}</B>"));
    assert!(ran.code == 1 && ran.stderr.contains("beyond the range of a double"), "{}", ran.stderr);
    for (number, value) in [
        ("1.7976931348623157E308", "1.7976931348623157e308"),
        ("5E-324", "5"),
        ("0.000E-99999999999999999999", "0"),
        ("0E99999999999999999999", "0"),
        ("-0", "\"-0\""),
        ("<PLUS-INFINITY/>", "\"INF\""),
    ] {
        let ran = convert("xer", "A", &format!("<A>{number}</A>"));
        assert!(ran.code == 0 && ran.stdout.starts_with(value), "{number}: {}{}", ran.stdout, ran.stderr);
    }
}

/// Constraints that are not PER-visible, and types without them with the same encodings.
const NARROW: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a OCTET STRING (SIZE(1|4)), b VisibleString (\"on\"|\"off\"), \
    c INTEGER (0..10 EXCEPT 5), d BOOLEAN (TRUE), e ENUMERATED {x,y,z} (x|z), f UTF8String (PATTERN \"a*\"), h SEQUENCE (SIZE(0|3)) OF NULL } END";
const WIDE: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a OCTET STRING (SIZE(1..4)), b VisibleString, \
    c INTEGER (0..10), d BOOLEAN, e ENUMERATED {x,y,z}, f UTF8String, h SEQUENCE (SIZE(0..3)) OF NULL } END";

#[test]
fn values_that_break_a_constraint_that_per_does_not_see_are_refused() {
    let narrow = file("constraints", "narrow.asn", NARROW);
    let wide = file("constraints", "wide.asn", WIDE);
    let good = r#"{"a":"01","b":"on","c":4,"d":true,"e":"x","f":"aa","h":[]}"#;
    let bad = r#"{"a":"0102","b":"xyz","c":5,"d":false,"e":"y","f":"zzz","h":[null]}"#;
    for rules in [
        "uper",
        "aper",
        "oer",
        "coer",
        "ber",
        "der",
        "cer",
        "xer",
        "cxer",
        "exer",
        "jer",
        "protobuf",
        "exi",
        "exi-split",
    ] {
        let encode = |module: &str, value: &str| {
            run(&["convert", "-m", module, "-t", "T", "--from", "jer", "--to", rules], value)
        };
        let octets = encode(&narrow, good);
        assert_eq!(octets.code, 0, "{rules}: {}", octets.stderr);
        assert_eq!(octets.stdout, encode(&wide, good).stdout, "{rules}");
        let refused = encode(&narrow, bad);
        assert_eq!((refused.code, refused.stdout.as_str()), (1, ""), "{rules}");
        assert!(refused.stderr.contains("the value breaks the constraint (SIZE(1|4)) in a"), "{}", refused.stderr);

        // From text it is refused, and from octets it is listed, or refused with --strict.
        let octets = encode(&wide, bad).stdout.trim_end().to_owned();
        let decode = |more: &[&str]| {
            run(&with(&["convert", "-m", &narrow, "-t", "T", "--from", rules, "--to", "jer", "--json"], more), &octets)
        };
        let strict: &[&str] = if rules == "jer" { &[] } else { &["--strict"] };
        for ran in [decode(&["--check", "all"]), decode(strict)] {
            assert_eq!(ran.code, 1, "{rules}");
            assert_eq!(parsed(&ran.stderr)["error"]["code"], "constraint.value", "{rules}: {}", ran.stderr);
        }
        let ran = decode(&[]);
        if ["xer", "cxer", "exer", "jer"].contains(&rules) {
            assert_eq!(parsed(&ran.stderr)["error"]["code"], "constraint.value", "{rules}: {}", ran.stderr);
        } else {
            assert_eq!((ran.code, parsed(&ran.stdout)), (0, parsed(bad)), "{rules}");
            let told = &parsed(&ran.stderr)["violations"];
            assert_eq!((&told[0]["path"], &told[0]["code"]), (&"a".into(), &"constraint.value".into()), "{rules}");
        }
        let ran = decode(&["--check", "none"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{rules}");
    }
    let each = [
        ("a", "0102", "(SIZE(1|4)) in a"),
        ("b", "xyz", "(\"on\"|\"off\") in b"),
        ("e", "y", "(x|z) in e"),
        ("f", "zzz", "(PATTERN \"a*\") in f"),
    ];
    for (name, value, wanted) in each {
        let mut message = parsed(good);
        message[name] = value.into();
        let ran = run(&["convert", "-m", &narrow, "-t", "T", "--from", "jer", "--to", "der"], message.to_string());
        assert_eq!(ran.code, 1);
        assert!(ran.stderr.contains(wanted), "{}", ran.stderr);
    }
    let compared = run(
        &["compare", "-m", &narrow, "-t", "T", "--from", "der"],
        run(&["convert", "-m", &wide, "-t", "T", "--from", "jer", "--to", "der"], bad).stdout,
    );
    assert_eq!(compared.code, 1);
    assert!(compared.stderr.contains("breaks the constraint"), "{}", compared.stderr);
}

/// One value out of range does not hide the others; what is wrong goes to stderr.
#[test]
fn octets_that_break_constraints_are_converted_and_violations_are_listed() {
    let module = file(
        "convert",
        "open.asn",
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { a INTEGER (-160..161), e ENUMERATED { x, y, z }, z BOOLEAN } END",
    );
    let base = ["convert", "-m", module.as_str(), "--from", "uper", "--to", "jer"];
    // 196 and the spare item 3; nothing is wrong; octets follow the message.
    let lines = "b270\n0050\nb27000\n";
    let ran = run(&with(&base, &["--lines"]), lines);
    assert_eq!(ran.code, 1);
    let out: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(out[0], r#"{"a":196,"e":"...(3)","z":true}"#);
    assert_eq!(out[1], r#"{"a":-160,"e":"z","z":true}"#);
    assert!(out[2].starts_with("error: value 196 above 161"), "{out:?}");
    let told: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(told[0], "roadwire: stdin:1: violation: value 196 above 161 (range -160..161), at bit 0, in a");
    assert_eq!(
        told[1],
        "roadwire: stdin:1: violation: expected the number of an item of the enumeration, found 3, at bit 9, in e"
    );
    let ran = run(&with(&base, &["--json"]), "b270");
    assert_eq!(ran.code, 0);
    let first = &parsed(&ran.stderr)["violations"][0];
    assert_eq!(first["path"], "a");
    assert_eq!((&first["at"], &first["value"]), (&0.into(), &196.into()));
    assert_eq!((&first["constraint"], &first["code"]), (&"(-160..161)".into(), &"integer.range".into()));
    // Octets for octets: where there is room.
    let same = run(&["convert", "-m", &module, "--from", "uper", "--to", "uper"], "b270");
    assert_eq!((same.code, same.stdout.trim_end()), (0, "b270"));
    assert!(same.stderr.contains("violation"), "{}", same.stderr);
    for more in [&["--strict"][..], &["--check", "all"]] {
        assert_eq!(run(&with(&base, more), "b270").code, 1);
    }
    // A person's text is refused, unless it is asked for.
    let back = ["convert", "-m", module.as_str(), "--from", "jer", "--to", "uper"];
    let text = out[0];
    assert_eq!(run(&back, text).code, 1);
    let sent = run(&with(&back, &["--check", "encoding"]), text);
    assert_eq!((sent.code, sent.stdout.trim_end()), (0, "b270"), "{}", sent.stderr);
}

/// A value is a line: ends of lines in strings are references.
#[test]
fn line_feeds_of_strings_do_not_end_lines_of_xer() {
    let module =
        file("convert", "lines.asn", "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { s UTF8String } END");
    let convert = |from: &str, to: &str, input: &str| {
        run(&["convert", "-m", &module, "--from", from, "--to", to, "--lines"], input)
    };
    let text = "{\"s\":\"a\\nb\\r\"}\n{\"s\":\"c\"}\n";
    for rules in ["xer", "exer"] {
        let xer = convert("jer", rules, text);
        assert_eq!(xer.stdout.lines().count(), 2, "{rules}: {}", xer.stdout);
        assert!(xer.stdout.contains("a&#10;b&#13;"), "{}", xer.stdout);
        assert_eq!(convert(rules, "jer", &xer.stdout).stdout, text);
    }
    // Canonical XER has no such references (X.693 §9): the value has no line.
    let cxer = convert("jer", "cxer", text);
    assert_eq!((cxer.code, cxer.stdout.lines().count()), (1, 2), "{}", cxer.stdout);
    assert!(cxer.stdout.starts_with("error: "), "{}", cxer.stdout);
}
