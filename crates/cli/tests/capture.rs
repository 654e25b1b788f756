//! `roadwire capture`: a record for each frame.

#[path = "../../source/tests/support/shared.rs"]
mod shared;
mod support;

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};
use support::{CAM_HEX, CAM_JER, extracted, file, folder, run};

/// A file in pcap with these frames on Ethernet.
fn pcap(frames: &[String]) -> Vec<u8> {
    let mut file = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0];
    file.extend([[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0]].concat());
    for frame in frames {
        let octets = octets(frame);
        let length = (octets.len() as u32).to_le_bytes();
        file.extend([1_560_240_842u32.to_le_bytes(), 123_456u32.to_le_bytes(), length, length].concat());
        file.extend(octets);
    }
    file
}

fn octets(hex: &str) -> Vec<u8> {
    let digits: String = hex.split(' ').collect();
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits")).collect()
}

const ETHERNET: &str = "ffffffffffff 000102030405 8947";
const SOURCE: &str = "1400a1b2c3d4e5f6 84db8a10 1d4eecbc 09e4a254 800c 0384";

/// An SHB with a message on a port.
fn shb(port: u16, message: &str) -> String {
    let length = message.len() / 2 + 4;
    format!("{ETHERNET} 11005001 20500200 {length:04x} 0100 {SOURCE} 00000000 {port:04x} 0000 {message}")
}

fn lines(stdout: &str) -> Vec<Json> {
    stdout.lines().map(|line| serde_json::from_str(line).expect("an object on each line")).collect()
}

#[test]
fn a_record_has_all_layers_and_the_value() {
    let input = file("capture-layers", "a.pcap", pcap(&[shb(2001, CAM_HEX)]));
    let ran = run(&["capture", &input], "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let [line] = &lines(&ran.stdout)[..] else { panic!("{}", ran.stdout) };
    let mut line = line.clone();
    let value = line["message"].as_object_mut().and_then(|message| message.remove("value")).expect("a value");
    assert_eq!(value["header"], json!({"protocolVersion": 2, "messageID": 2, "stationID": 469_657}));
    let expected = json!({
        "file": input, "frame": 1, "time": "2019-06-11T08:14:02.123456Z", "link": "ethernet",
        "geonetworking": {
            "version": 1, "type": "shb",
            "source": {
                "address": "1400a1b2c3d4e5f6", "timestamp": 2_228_980_240u32, "latitude": 491_711_676,
                "longitude": 165_978_708, "speed": 12, "heading": 900, "accurate": true
            },
            "traffic_class": 2, "lifetime_ms": 1000, "hops": 1, "length": 4 + 8 + 28 + 4 + CAM_HEX.len() / 2
        },
        "btp": {"type": "b", "port": 2001, "info": 0},
        "message": {"schema": "cam-1.4.1", "type": "CAM-PDU-Descriptions.CAM", "rules": "uper", "octets": CAM_HEX},
    });
    assert_eq!(line, expected);
    assert_eq!(ran.stderr, "1 frame in 1 file\n  link      ethernet 1\n  packets   shb 1\n  messages  cam-1.4.1 1\n");
}

#[test]
fn an_area_and_a_security_envelope_have_their_fields() {
    let payload = format!("20410280 0006 0a00 0007 0000 {SOURCE} 00000001 fffffffe 01f4 0064 002d 0000 0bb8 0000 abcd");
    let length = octets(&payload).len();
    // 2017-01-01 and a second, behind five leap seconds.
    let header = "4001 24 0001752ada5c2f40 80 0102030405060708";
    let secured = format!("{ETHERNET} 12002802 0381 00 40 0380 {length:02x} {payload} {header} 80 80");
    let packet = octets(&secured).len() - octets(ETHERNET).len();
    let input = file("capture-area", "a.pcap", pcap(&[secured]));
    let ran = run(&["capture", &input], "");
    let [line] = &lines(&ran.stdout)[..] else { panic!("{}", ran.stdout) };
    let area = json!({"shape": "rectangle", "latitude": 1, "longitude": -2, "distance_a": 500, "distance_b": 100, "angle": 45});
    assert_eq!(line["geonetworking"]["area"], area);
    assert_eq!((&line["geonetworking"]["type"], &line["geonetworking"]["sequence"]), (&json!("gbc"), &json!(7)));
    assert_eq!(line["geonetworking"]["length"], json!(packet), "the packet with its envelope");
    let security = line["security"].as_object().expect("an object");
    let mut security = security.clone();
    assert!(security.remove("generated").is_some_and(|time| time.as_str().is_some_and(|time| time.ends_with('Z'))));
    assert_eq!(
        Json::from(security),
        json!({"format": "ts103097-1.3.1", "signer": "digest", "certificate": "0102030405060708", "psid": 36, "verdict": "not-verified"})
    );
    // No message that is shipped has this port.
    assert_eq!(line["message"], json!({"octets": "abcd"}));
    assert!(ran.stderr.contains("  security  ts103097-1.3.1 1\n  messages  unknown 1\n"), "{}", ran.stderr);
}

#[test]
fn what_is_not_understood_is_kept_up_to_there() {
    let cut = &CAM_HEX[..40];
    let frames = [shb(2001, cut), format!("{ETHERNET} 21005001"), "ffffffffffff 000102030405 0806 0001".into()];
    let input = file("capture-problems", "a.pcap", pcap(&frames));
    let ran = run(&["capture", &input], "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let all = lines(&ran.stdout);
    assert_eq!(all.len(), 3, "{}", ran.stdout);
    assert_eq!(all[0]["problem"]["code"], "input.truncated");
    assert_eq!(all[0]["message"], json!({"octets": cut}));
    assert!(all[0]["problem"]["at"].is_u64() && all[0]["problem"]["unit"] == "bit", "{}", all[0]);
    assert!(all[0]["problem"]["path"].as_str().is_some_and(|path| path.starts_with("cam.camParameters")), "{}", all[0]);
    let version = json!({
        "code": "geonetworking.version", "message": "unsupported GeoNetworking version; expected 0 or 1", "at": 14, "unit": "octet"
    });
    assert_eq!((&all[1]["problem"], &all[1]["link"]), (&version, &json!("ethernet")));
    assert_eq!((&all[2]["problem"]["code"], all[2].get("message")), (&json!("frame.protocol"), None));
    let counts = "  problems  frame.protocol 1, geonetworking.version 1, input.truncated 1\n";
    assert!(ran.stderr.ends_with(counts), "{}", ran.stderr);
}

/// One value out of range does not hide the others; the message counts as refused.
#[test]
fn message_that_breaks_constraints_has_its_value_and_violations() {
    let text = CAM_JER.replace(r#""longitudinalAccelerationValue": -3"#, r#""longitudinalAccelerationValue": 196"#);
    let to_uper = ["convert", "-s", "cam-1.4.1", "--from", "jer", "--to", "uper", "--check", "encoding"];
    let octets = run(&to_uper, &text).stdout.trim_end().to_owned();
    let input = file("capture-open", "a.pcap", pcap(&[shb(2001, CAM_HEX), shb(2001, &octets)]));
    let ran = run(&["capture", &input], "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let records = lines(&ran.stdout);
    assert!(records[0]["message"].get("violations").is_none(), "{}", records[0]);
    let message = &records[1]["message"];
    assert_eq!((&message["schema"], &message["octets"]), (&"cam-1.4.1".into(), &octets.as_str().into()));
    let parsed: Json = serde_json::from_str(&text).expect("JSON");
    assert_eq!(message["value"], parsed);
    let broken = message["violations"].as_array().expect("a list");
    assert_eq!(broken.len(), 1, "{message}");
    assert_eq!((&broken[0]["value"], &broken[0]["constraint"]), (&196.into(), &"(-160..161)".into()));
    assert_eq!(
        (&broken[0]["code"], &records[1]["problem"]["code"]),
        (&"integer.range".into(), &"integer.range".into())
    );
    assert_eq!(records[1]["problem"]["path"], broken[0]["path"]);
    assert!(ran.stderr.contains("refused"), "{}", ran.stderr);
}

#[test]
fn a_file_that_is_cut_off_gives_its_frames_and_is_refused() {
    let whole = pcap(&[shb(2001, CAM_HEX), shb(2001, CAM_HEX)]);
    let cut = file("capture-cut", "cut.pcap", &whole[..whole.len() - 1]);
    let other = file("capture-cut", "other.pcap", pcap(&[shb(2001, CAM_HEX)]));
    let ran = run(&["capture", &cut, &other], "");
    assert_eq!((ran.code, lines(&ran.stdout).len()), (1, 2), "{}", ran.stderr);
    assert!(ran.stderr.contains("cut.pcap: the file ends within a record at octet "), "{}", ran.stderr);
    assert!(ran.stderr.contains("2 frames in 2 files"), "{}", ran.stderr);
    let ran = run(&["--json", "capture", &cut], "");
    let told = lines(&ran.stderr);
    assert_eq!(told[0]["error"]["code"], "capture.truncated");
    assert_eq!(
        told[1],
        json!({
            "frames": 1, "files": 1,
            "counts": {"link": {"ethernet": 1}, "packets": {"shb": 1}, "messages": {"cam-1.4.1": 1}}
        })
    );
    // A file that is not a capture, and one that does not exist.
    let text = file("capture-cut", "text", b"hello");
    assert_eq!(run(&["capture", &text], "").code, 1);
    assert_eq!(run(&["capture", "nowhere.pcap"], "").code, 2);
}

#[test]
fn records_go_to_a_file_that_is_not_the_input() {
    let input = file("capture-output", "a.pcap", pcap(&[shb(2001, CAM_HEX)]));
    let output = folder("capture-output").join("a.jsonl").to_string_lossy().into_owned();
    let ran = run(&["capture", &input, "-o", &output], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert_eq!(lines(&std::fs::read_to_string(&output).expect("a file")).len(), 1);
    assert_eq!(run(&["capture", &input, "-o", &output], "").code, 2, "it is there");
    let ran = run(&["capture", &input, "-o", &input, "--force"], "");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("is both input and output"), "{}", ran.stderr);
}

#[test]
fn frames_come_from_stdin_gzipped_too() {
    let mut zipped = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let plain = pcap(&[shb(2001, CAM_HEX)]);
    std::io::Write::write_all(&mut zipped, &plain).expect("memory");
    for octets in [plain, zipped.finish().expect("memory")] {
        let ran = run(&["capture", "-"], octets);
        let all = lines(&ran.stdout);
        assert_eq!((ran.code, all.len(), &all[0]["file"]), (0, 1, &json!("stdin")), "{}", ran.stderr);
    }
}

fn frames(stdout: &str) -> Vec<u64> {
    lines(stdout).iter().map(|line| line["frame"].as_u64().expect("a number")).collect()
}

#[test]
fn where_takes_fields_of_headers_and_of_messages() {
    let beacon = format!("{ETHERNET} 11005001 00100000 0000 0100 {SOURCE}");
    let all = [shb(2001, CAM_HEX), shb(2001, &CAM_HEX[..40]), shb(2002, "abcd"), shb(9, "abcd"), beacon];
    let input = file("capture-where", "a.pcap", pcap(&all));
    for (filter, wanted) in [
        ("frame >= 2 && frame < 4", vec![2, 3]),
        ("geonetworking.type == beacon", vec![5]),
        ("geonetworking.source.speed == 12 && geonetworking.source.accurate == true", vec![1, 2, 3, 4, 5]),
        ("geonetworking.source.address == 1400A1b2c3d4e5f6 || btp.port > 2001.5", vec![3]),
        ("geonetworking.source.address == '1400a1b2c3d4e5f6' && time > 2019 && time < '2019-07'", vec![1, 2, 3, 4, 5]),
        ("!btp", vec![5]),
        ("message", vec![1, 2, 3, 4]),
        ("message && !message.value", vec![2, 3, 4]),
        ("message.octets == ABCD", vec![3, 4]),
        ("message.type == CAM", vec![1]),
        ("message.type == CAM-PDU-Descriptions.CAM && message.schema == cam-1.4.1 && message.rules == uper", vec![1]),
        ("message.type != CAM", vec![]),
        ("!(message.type == CAM)", vec![2, 3, 4, 5]),
        ("problem.code == input.truncated", vec![2, 3]),
        ("problem.code == input.truncated && message.octets != abcd", vec![2]),
        ("problem && btp.port == 2002", vec![3]),
        ("problem.at > 100 && problem.unit == bit", vec![2]),
        ("problem.at > 2000", vec![]),
        ("link == ethernet && link != link-type-147", vec![1, 2, 3, 4, 5]),
        ("message.value.header.stationID == 469657", vec![1]),
        ("message.value.header.stationID < 469657", vec![]),
        ("message.value.cam.camParameters.lowFrequencyContainer", vec![]),
        (
            "message.value.cam.camParameters.highFrequencyContainer.basicVehicleContainerHighFrequency.driveDirection \
             == forward",
            vec![1],
        ),
        ("message.value.cam.camParameters.basicContainer.referencePosition.latitude != unavailable", vec![1]),
        ("message.value.cam.camParameters.basicContainer.stationType == passengerCar", vec![1]),
    ] {
        let ran = run(&["capture", &input, "--where", filter], "");
        assert_eq!((ran.code, frames(&ran.stdout)), (0, wanted.clone()), "{filter}: {}", ran.stderr);
        let told = format!(" in 1 file, and {} that --where left out\n", 5 - wanted.len());
        assert_eq!(ran.stderr.contains(&told), wanted.len() < 5, "{filter}: {}", ran.stderr);
    }
    let ran = run(&["--json", "capture", &input, "--where", "frame == 1"], "");
    assert_eq!((&lines(&ran.stderr)[0]["frames"], &lines(&ran.stderr)[0]["left_out"]), (&json!(1), &json!(4)));
}

#[test]
fn where_refuses_what_no_record_has() {
    let input = file("capture-where-wrong", "a.pcap", pcap(&[shb(2001, CAM_HEX)]));
    for (filter, code, column, told) in [
        ("frame == ", "where.syntax", 10, "expected a number"),
        (
            "frame == 1 && geonetworking.sorce.speed > 1",
            "where.field",
            15,
            "no record has a field `geonetworking.sorce.speed`",
        ),
        ("message.value.cam.camParameter == 1", "where.field", 1, "no message has a field"),
        ("frame == one", "where.kind", 1, "`frame` is a number, and `one` is none"),
        ("geonetworking == 1", "where.kind", 1, "asked only whether it is there"),
        ("geonetworking.source.accurate > 1", "where.kind", 1, "is `true` or `false`"),
        ("message.value.cam == 1", "where.kind", 1, "is a SEQUENCE"),
        ("message.value.header.stationID == one", "where.kind", 1, "no name of one"),
        ("message.type == denm", "where.kind", 1, "`message.type` is never `denm`"),
        ("message.type == CAM-PDU.CAM", "where.kind", 1, "is never"),
        ("message.schema == cam", "where.kind", 1, "is never `cam`"),
        ("link == Ethernet", "where.kind", 1, "is never `Ethernet`"),
        ("geonetworking.type != sbh", "where.kind", 1, "is never `sbh`"),
        ("geonetworking.type > shb", "where.kind", 1, "not more or less"),
        ("btp && security.verdict == vaild", "where.kind", 8, "is never `vaild`"),
        ("security.verdict == valid", "where.kind", 1, "only of messages that are verified"),
        ("security.reason", "where.kind", 1, "only of messages that are verified"),
        ("problem.at > octet", "where.kind", 1, "`problem.at` is a number"),
        ("problem.unit == octets", "where.kind", 1, "is never `octets`"),
        ("time > yesterday", "where.kind", 1, "is a time"),
        ("message.octets == xyz", "where.kind", 1, "octets in hex"),
    ] {
        let ran = run(&["--json", "capture", &input, "--where", filter], "");
        let error = &lines(&ran.stderr)[0]["error"];
        assert_eq!(
            (ran.code, &error["code"], &error["column"]),
            (2, &json!(code), &json!(column)),
            "{filter}: {error}"
        );
        assert!(error["message"].as_str().is_some_and(|text| text.contains(told)), "{filter}: {error}");
    }
    let help = |filter: &str| run(&["capture", &input, "--where", filter], "").stderr;
    let found = help("geonetworking.sorce.speed > 1");
    assert!(found.contains("help: did you mean `geonetworking.source.speed`"), "{found}");
    for (filter, advice) in [
        ("message.type == denm", "did you mean `DENM`?"),
        ("message.type == DEMN", "did you mean `DENM`?"),
        ("message.schema == denm", "did you mean `denm-1.2.0` or `denm-1.3.1` or `denm-2.3.1`?"),
        ("link == Ethernet", "did you mean `ethernet`?"),
        ("security.verdict == vaild", "did you mean `valid`?"),
        ("security.verdict == valid", "add --verify"),
    ] {
        let found = help(filter);
        assert!(found.contains(&format!("help: {advice}")), "{filter}: {found}");
    }
    let found = help("message.value.cam.camParameter");
    assert!(found.contains("help: did you mean `message.value.cam.camParameters`"), "{found}");
}

/// Of a list, one element is enough, and with an index it is that one.
#[test]
fn where_takes_elements_of_lists() {
    let Some(folder) = shared::shared("captures") else { return };
    let input = folder.join("karloss_test.pcap").to_string_lossy().into_owned();
    let all = lines(&run(&["capture", &input], "").stdout);
    let is_denm = |line: &&Json| line["message"]["schema"] == "denm-1.3.1";
    let delta = |point: &Json| point["pathPosition"]["deltaLatitude"].as_i64();
    let points = |line: &Json| line["message"]["value"]["denm"]["location"]["traces"][0].as_array().cloned();
    let path = "message.value.denm.location.traces";
    for (filter, wanted) in [
        (format!("{path}.pathPosition.deltaLatitude > 0"), None),
        (format!("{path}[0][1].pathPosition.deltaLatitude > 0"), Some(1)),
    ] {
        let holds = |line: &&Json| {
            points(line).is_some_and(|points| {
                let mut at = points.iter().enumerate().filter(|(at, _)| wanted.is_none_or(|wanted| wanted == *at));
                at.any(|(_, point)| delta(point) > Some(0))
            })
        };
        let expected: Vec<u64> =
            all.iter().filter(is_denm).filter(holds).filter_map(|line| line["frame"].as_u64()).collect();
        let ran = run(&["capture", &input, "--where", &filter], "");
        assert_eq!((ran.code, frames(&ran.stdout)), (0, expected), "{filter}: {}", ran.stderr);
    }
}

#[cfg(feature = "columns")]
mod tables {
    use super::*;

    /// The cells of CSV without lists of several elements, by column.
    fn cells(text: &str) -> Vec<BTreeMap<String, String>> {
        let mut lines = text.lines().map(split);
        let head = lines.next().expect("a head");
        lines.map(|line| head.iter().cloned().zip(line).filter(|(_, cell)| !cell.is_empty()).collect()).collect()
    }

    fn split(line: &str) -> Vec<String> {
        let (mut cells, mut quoted) = (vec![String::new()], false);
        for character in line.chars() {
            match character {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                _ => cells.last_mut().expect("a cell").push(character),
            }
        }
        cells
    }

    #[test]
    fn csv_has_a_column_for_each_leaf_field() {
        let input = file("capture-csv", "a.pcap", pcap(&[shb(2001, CAM_HEX), shb(2001, CAM_HEX)]));
        let ran = run(&["capture", &input, "--to", "csv"], "");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let rows = cells(&ran.stdout);
        assert_eq!(rows.len(), 2);
        let line = &lines(&run(&["capture", &input], "").stdout)[1];
        for (column, value) in [
            ("frame", &line["frame"]),
            ("time", &line["time"]),
            ("geonetworking.source.latitude", &line["geonetworking"]["source"]["latitude"]),
            ("geonetworking.source.accurate", &line["geonetworking"]["source"]["accurate"]),
            ("btp.port", &line["btp"]["port"]),
            ("message.octets", &line["message"]["octets"]),
            ("message.value.header.stationID", &line["message"]["value"]["header"]["stationID"]),
        ] {
            let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            assert_eq!(rows[1].get(column), Some(&shown), "{column}");
        }
        // Absent parts are empty.
        assert!(!rows[1].keys().any(|name| name.starts_with("geonetworking.area")), "{:?}", rows[1]);
        assert!(!rows[1].keys().any(|name| name.contains("lowFrequencyContainer")), "{:?}", rows[1]);
    }

    #[test]
    fn several_message_types_are_several_files() {
        let input = file("capture-tables", "a.pcap", pcap(&[shb(2001, CAM_HEX), shb(9, "abcd"), shb(2001, "02")]));
        let ran = run(&["capture", &input, "--to", "csv"], "");
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains("each of which is a table"), "{}", ran.stderr);
        let folder = folder("capture-tables-out");
        let output = folder.join("a.csv").to_string_lossy().into_owned();
        let ran = run(&["capture", &input, "--to", "csv", "-o", &output], "");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let read = |name: &str| cells(&std::fs::read_to_string(folder.join(name)).expect(name));
        assert_eq!(read("a.cam-1.4.1.csv").len(), 1);
        let other = read("a.other.csv");
        assert_eq!(other.iter().map(|row| row["frame"].as_str()).collect::<Vec<_>>(), ["2", "3"]);
        assert_eq!((other[1]["problem.code"].as_str(), other[1]["message.octets"].as_str()), ("input.truncated", "02"));
        assert!(!folder.join("a.csv").exists());
        // One table is in the file itself.
        let output = folder.join("b.csv").to_string_lossy().into_owned();
        assert_eq!(run(&["capture", &input, "--to", "csv", "-o", &output, "--where", "message.value"], "").code, 0);
        assert_eq!(read("b.csv").len(), 1);
    }

    /// The name that was asked for is none of theirs, and no table has the name of an input.
    #[test]
    fn several_tables_leave_the_output_name_alone() {
        let input = file("capture-tables-alone", "a.pcap", pcap(&[shb(2001, CAM_HEX), shb(9, "abcd")]));
        let folder = folder("capture-tables-alone-out");
        let output = folder.join("a.csv").to_string_lossy().into_owned();
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect(name);
        std::fs::write(&output, "precious").expect("a file");
        std::fs::write(folder.join("a.other.csv"), "earlier").expect("a file");
        let ran = run(&["capture", &input, "--to", "csv", "-o", &output, "--force"], "");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert_eq!(support::names(&folder), ["a.cam-1.4.1.csv", "a.csv", "a.other.csv"]);
        assert_eq!((read("a.csv").as_str(), cells(&read("a.other.csv")).len()), ("precious", 1));

        let recording = std::fs::read(&input).expect("the recording");
        let input = folder.join("b.cam-1.4.1.pcap").to_string_lossy().into_owned();
        std::fs::write(&input, &recording).expect("a file");
        let output = folder.join("b.pcap").to_string_lossy().into_owned();
        let ran = run(&["capture", &input, "--to", "csv", "-o", &output, "--force"], "");
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains("both input and output"), "{}", ran.stderr);
        assert_eq!(std::fs::read(&input).expect("it is there"), recording);
    }

    /// Tables are the files of one run: none replaces its file if one of them cannot be written, or
    /// if a signal ends the run.
    #[cfg(unix)]
    #[test]
    fn tables_replace_their_files_together_or_not_at_all() {
        use std::io::Write as _;
        use std::process::Command;
        use std::time::Duration;

        const TABLES: [&str; 2] = ["all.cam-1.4.1.csv", "all.other.csv"];
        let unchanged = |folder: &std::path::Path, of: &str| {
            let texts = TABLES.map(|name| std::fs::read_to_string(folder.join(name)).expect(name));
            assert_eq!(texts, ["earlier", "earlier"], "{of}");
            assert!(support::names(folder).iter().all(|name| !name.starts_with(".roadwire")), "{of}");
        };
        let folder_of = |test: &str| {
            let folder = folder(test);
            TABLES.iter().for_each(|name| std::fs::write(folder.join(name), "earlier").expect("a file"));
            folder
        };
        for signal in support::ending_signals() {
            for format in ["csv", "parquet"] {
                let folder = folder_of(&format!("capture-tables-{format}-{signal}"));
                let out = folder.join("all.csv").display().to_string();
                let arguments = ["capture", "-", "--to", format, "--force", "-o", &out];
                let mut child = support::command(&arguments).spawn().expect("the command");
                let mut input = child.stdin.take().expect("a pipe");
                input.write_all(&pcap(&[shb(2001, CAM_HEX), shb(9, "abcd")])).expect("it reads");
                input.flush().expect("it reads");
                while support::names(&folder).len() < 4 {
                    assert!(child.try_wait().expect("a child").is_none(), "it has ended");
                    std::thread::sleep(Duration::from_millis(5));
                }
                let kill = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
                assert!(kill.expect("kill").success());
                assert_eq!(child.wait_with_output().expect("a child").status.code(), None, "{signal}");
                unchanged(&folder, &format!("{format} {signal}"));
            }
        }
        let folder = folder_of("capture-tables-full");
        std::fs::write(folder.join("a.pcap"), pcap(&[vec![shb(9, "abcd")], vec![shb(2001, CAM_HEX); 300]].concat()))
            .expect("a file");
        let line = "trap '' XFSZ; ulimit -f 8; \"$0\" capture a.pcap --to csv -o all.csv --force";
        let mut shell = Command::new("sh");
        shell.args(["-c", line, env!("CARGO_BIN_EXE_roadwire")]).current_dir(&folder);
        let ran = support::ran(shell.output().expect("a shell"));
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains("cannot write"), "{}", ran.stderr);
        unchanged(&folder, "full");
    }

    /// A type of the user's own that contains itself has no columns: its messages are octets, and
    /// others have theirs.
    #[test]
    fn a_recursive_type_is_octets_in_tables() {
        let text = "Tree DEFINITIONS AUTOMATIC TAGS ::= BEGIN Node ::= SEQUENCE { next Node OPTIONAL } END";
        let module = file("capture-recursive", "tree.asn", text);
        let input = file("capture-recursive", "a.pcap", pcap(&[shb(4711, "00"), shb(4711, "80")]));
        let ran = run(&["capture", &input, "-m", &module, "-t", "Node", "--to", "csv"], "");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let rows = cells(&ran.stdout);
        assert_eq!(rows.len(), 2, "{}", ran.stdout);
        assert_eq!((rows[0]["problem.code"].as_str(), rows[0]["message.octets"].as_str()), ("columns.recursive", "00"));
    }

    /// It leads to a file that is not there yet, and is no device.
    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_nowhere_has_room_for_several_tables() {
        let input = file("capture-link", "a.pcap", pcap(&[shb(2001, CAM_HEX), shb(9, "abcd")]));
        let folder = folder("capture-link-out");
        let link = folder.join("a.csv");
        std::os::unix::fs::symlink("new", &link).expect("a link");
        let ran = run(&["capture", &input, "--to", "csv", "-o", &link.to_string_lossy(), "--force"], "");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let read = |name: &str| cells(&std::fs::read_to_string(folder.join(name)).expect(name));
        assert_eq!((read("a.cam-1.4.1.csv").len(), read("a.other.csv").len()), (1, 1));
    }

    /// It has no name beside which the second table could be written, and is not renamed.
    #[cfg(unix)]
    #[test]
    fn a_fifo_has_room_for_one_table() {
        let input = file("capture-fifo", "a.pcap", pcap(&[shb(2001, CAM_HEX), shb(9, "abcd")]));
        let fifo = folder("capture-fifo-out").join("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
        let output = fifo.to_string_lossy().into_owned();
        let take = |arguments: &[&str]| {
            let reader = std::thread::spawn({
                let fifo = fifo.clone();
                move || std::fs::read_to_string(fifo).expect("what is written")
            });
            let ran = run(&[&["capture", &input, "--to", "csv", "-o", &output], arguments].concat(), "");
            (ran, reader.join().expect("it ends"))
        };
        let (ran, _) = take(&["--force"]);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains("each of which is a table"), "{}", ran.stderr);
        let (ran, read) = take(&["--where", "message.value"]);
        assert_eq!((ran.code, cells(&read).len()), (0, 1), "{}", ran.stderr);
        assert_eq!(std::fs::read_dir(fifo.parent().expect("a folder")).expect("its names").count(), 1);
    }

    /// Every leaf of a value in JSON is in its column, of each recorded message.
    #[test]
    fn columns_have_the_values_of_the_records() {
        let Some(captures) = shared::shared("captures") else { return };
        let folder = folder("capture-columns");
        let mut compared = 0;
        for name in ["karloss_test.pcap", "karloss_test4.pcap", "van3t_sample_trace.pcapng"] {
            let input = captures.join(name).to_string_lossy().into_owned();
            let output = folder.join(format!("{name}.csv")).to_string_lossy().into_owned();
            let ran = run(&["capture", &input, "--to", "csv", "-o", &output, "--force"], "");
            assert_eq!(ran.code, 0, "{}", ran.stderr);
            let mut rows = BTreeMap::new();
            for schema in [
                "cam-1.4.1",
                "denm-1.3.1",
                "mapem-2.1.1",
                "spatem-2.1.1",
                "srem-2.1.1",
                "ssem-2.1.1",
                "cpm-2.1.1",
                "other",
            ] {
                let table = folder.join(format!("{name}.{schema}.csv"));
                let found = std::fs::read_to_string(table).map(|text| cells(&text)).unwrap_or_default();
                rows.extend(found.into_iter().map(|row| (row["frame"].parse::<u64>().expect("a number"), row)));
            }
            for line in lines(&run(&["capture", &input], "").stdout) {
                let row = rows.remove(&line["frame"].as_u64().expect("a number")).expect("a row");
                // The content of open types is one level further down here.
                let schema = line["message"]["schema"].as_str().unwrap_or_default();
                let has_open_types = !matches!(schema, "" | "cam-1.4.1" | "denm-1.3.1");
                compared += leaves(&line, "", &row, has_open_types);
            }
            assert!(rows.is_empty(), "{rows:?}");
        }
        assert!(compared > 50_000, "{compared}");
    }

    /// Compares the scalars of an object with cells, and counts them.
    fn leaves(json: &Json, path: &str, row: &BTreeMap<String, String>, may_miss: bool) -> usize {
        let Json::Object(members) = json else {
            let Some(cell) = row.get(path) else {
                assert!(may_miss || json == "", "{path} {json} {row:?}");
                return 0;
            };
            match json {
                // The digits of octets are written in upper case in JER; in a cell of a list,
                // quotes cannot be distinguished from text here.
                Json::String(text) => assert!(text.eq_ignore_ascii_case(cell), "{path}: {text} {cell}"),
                Json::Null => assert_eq!(cell, "true", "{path}"),
                Json::Array(elements) => assert_eq!(elements.is_empty(), cell == "[]", "{path}"),
                other => assert_eq!(&other.to_string(), cell, "{path}"),
            }
            return 1;
        };
        let within = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        members.iter().map(|(name, member)| leaves(member, &within(name), row, may_miss)).sum()
    }

    /// A disk that is full is said once, whatever the format.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        let input = file("capture-full", "a.pcap", pcap(&[shb(2001, CAM_HEX)]));
        for format in ["jsonl", "csv", "parquet", "arrow"] {
            let ran = run(&["capture", &input, "--to", format, "-o", "/dev/full", "--force"], "");
            assert_eq!((ran.code, ran.stderr.matches("cannot write to").count()), (2, 1), "{format}: {}", ran.stderr);
        }
    }

    #[test]
    fn parquet_and_arrow_have_their_marks() {
        let input = file("capture-marks", "a.pcap", pcap(&[shb(2001, CAM_HEX)]));
        let folder = folder("capture-marks-out");
        for (format, head, tail) in [("parquet", &b"PAR1"[..], &b"PAR1"[..]), ("arrow", b"ARROW1", b"ARROW1")] {
            let output = folder.join(format).to_string_lossy().into_owned();
            let ran = run(&["capture", &input, "--to", format, "-o", &output], "");
            assert_eq!(ran.code, 0, "{}", ran.stderr);
            let octets = std::fs::read(&output).expect("a file");
            assert!(octets.starts_with(head) && octets.ends_with(tail), "{format}");
        }
    }
}

/// The kinds of their messages, and the schema of each.
const KINDS: [(&str, &str); 8] = [
    ("CAM", "cam-1.4.1"),
    ("CAMv1", "cam-1.3.0"),
    ("DENM", "denm-1.3.1"),
    ("MAPEM", "mapem-2.1.1"),
    ("SPATEM", "spatem-2.1.1"),
    ("SREM", "srem-2.1.1"),
    ("SSEM", "ssem-2.1.1"),
    ("other msgID 14 v2", "cpm-2.1.1"),
];

/// Every message of the recordings is of the schema that another program took it for, and has the
/// values that this one read.
#[test]
fn recorded_values_are_those_of_another_program() {
    let Some(folder) = shared::shared("captures") else { return };
    let schemas = BTreeMap::from(KINDS);
    let mut compared = BTreeMap::<String, [usize; 2]>::new();
    for name in shared::RECORDINGS {
        let path = folder.join(name);
        let ran = run(&["capture", &path.to_string_lossy()], "");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let records: BTreeMap<u64, Json> =
            lines(&ran.stdout).into_iter().map(|line| (line["frame"].as_u64().expect("a number"), line)).collect();
        for line in extracted(&path) {
            let record = &records[&line["frame"].as_u64().expect("a number")];
            let kind = line["type"].as_str().expect("a type");
            assert_eq!(record["message"]["octets"], line["uper"]);
            assert_eq!(record["message"]["schema"], schemas[kind], "{name} {}", record["frame"]);
            let counts = compared.entry(kind.to_owned()).or_default();
            counts[0] += 1;
            // Of many messages, it wrote only the octets.
            if let Some(value) = line.get("value") {
                assert!(same(&record["message"]["value"], value), "{name} {}:\n{record}\n{value}", record["frame"]);
                counts[1] += 1;
            }
        }
    }
    let counts = [
        ("CAM", [877, 870]),
        ("CAMv1", [36, 2]),
        ("DENM", [128, 110]),
        ("MAPEM", [341, 6]),
        ("SPATEM", [741, 395]),
        ("SREM", [31, 6]),
        ("SSEM", [51, 17]),
        ("other msgID 14 v2", [562, 0]),
    ];
    assert_eq!(compared, counts.map(|(kind, counts)| (kind.to_owned(), counts)).into());
}

/// No recorded message is left to the interpreter, neither to be written in JER nor to be read from
/// it, but for texts of more than 16 KiB.
#[cfg(feature = "generated")]
#[test]
fn generated_code_takes_every_recorded_message() {
    use roadwire::{Rules, Schema, Transcoder};

    let Some(folder) = shared::shared("captures") else { return };
    let messages: Vec<Json> = shared::RECORDINGS.into_iter().flat_map(|name| extracted(&folder.join(name))).collect();
    let mut taken = BTreeMap::<&str, [usize; 3]>::new();
    for (kind, name) in KINDS {
        let schema = Schema::shipped(name).expect("a schema");
        let type_id = schema.find(None).expect("its message");
        let codec = |rules| schema.codec(type_id, rules).expect("a codec");
        let (uper, jer) = (codec(Rules::Uper), codec(Rules::Jer));
        let way = |from, to| Transcoder::shipped(name, None, from, to).expect("generated code");
        let (mut writer, mut reader) = (way(Rules::Uper, Rules::Jer), way(Rules::Jer, Rules::Uper));
        for message in messages.iter().filter(|message| message["type"] == kind) {
            let octets = octets(message["uper"].as_str().expect("digits"));
            let text = jer.encode(&uper.decode(&octets).expect("a value")).expect("text");
            let written = writer.convert(&octets).map(<[u8]>::to_vec);
            let read = reader.convert(&text).map(<[u8]>::to_vec);
            assert_eq!(read.is_none(), text.len() > 16 << 10, "{kind}: {}", message["uper"]);
            assert!(written.as_ref().is_none_or(|found| *found == text), "{kind}: {}", message["uper"]);
            let counts = taken.entry(kind).or_default();
            counts[0] += 1;
            counts[1] += usize::from(written.is_some());
            counts[2] += usize::from(read.is_some());
        }
    }
    let counts = [
        ("CAM", [877; 3]),
        ("CAMv1", [36; 3]),
        ("DENM", [128, 128, 116]),
        ("MAPEM", [341; 3]),
        ("SPATEM", [741; 3]),
        ("SREM", [31; 3]),
        ("SSEM", [51; 3]),
        ("other msgID 14 v2", [562; 3]),
    ];
    assert_eq!(taken, counts.into());
}

/// Digits are upper or lower case there as they come, and a bit string whose size is extensible
/// stands there without its length, which X.697 has.
fn same(ours: &Json, theirs: &Json) -> bool {
    match (ours, theirs) {
        (Json::Object(ours), Json::Object(theirs)) => {
            ours.len() == theirs.len()
                && ours.iter().all(|(name, one)| theirs.get(name).is_some_and(|other| same(one, other)))
        }
        (Json::Array(ours), Json::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(one, other)| same(one, other))
        }
        (Json::String(ours), Json::String(theirs)) => ours.eq_ignore_ascii_case(theirs),
        (Json::Object(bits), Json::String(_)) => bits.contains_key("length") && same(&bits["value"], theirs),
        (ours, theirs) => ours == theirs,
    }
}

/// Two frames in the same second: 45 octets of BTP and CAM, 40 of GeoNetworking and 38 around them
/// are 123, which take 208 µs each.
#[test]
fn a_report_has_the_channel_load_of_each_second() {
    let frames = [shb(2001, CAM_HEX), shb(2001, CAM_HEX)];
    let path = file("capture-report", "a.pcap", pcap(&frames));
    let folder = folder("capture-reported");
    let folder = folder.to_str().expect("UTF-8");
    let ran = run(&["capture", &path, "--report", folder], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    let read = |name: &str| std::fs::read_to_string(std::path::Path::new(folder).join(name)).expect(name);
    let seconds = read("seconds.csv");
    let lines: Vec<Vec<&str>> = seconds.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines[0][..4], ["second", "CAM", "load", "load_uper"]);
    assert_eq!(lines[1][..4], ["0", "2", "0.000416", "0.000416"]);
    // 41 octets become 53 in COER (two symbols more), and 999 in JER.
    let of = |column: &str| lines[1][lines[0].iter().position(|one| *one == column).expect(column)].to_owned();
    assert_eq!(of("load_coer"), "0.000448");
    let page = read("index.html");
    assert!(page.contains("<td class=\"s\">CAM<td class=\"n\">2<td class=\"n\">123<td class=\"n\">1</tr>"), "{page}");
    assert!(read("stations.svg").contains("<svg") && read("load.svg").contains("uper, as it was"));
    // The file's name, and not where it is.
    assert!(page.contains("<h1>a.pcap</h1>"), "{page}");
    assert!(!page.contains("capture-report"), "{page}");

    let again = run(&["capture", &path, "--report", folder], "");
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("--force"), "{}", again.stderr);
    assert_eq!(run(&["capture", &path, "--report", folder, "--force"], "").code, 0);
    let records = run(&["capture", &path, "--report", folder, "--force", "--to", "jsonl"], "");
    assert_eq!(records.code, 2, "a format without a file for the records: {}", records.stderr);
    assert!(records.stderr.contains("add --output FILE, or leave --to off"), "{}", records.stderr);
}

/// An unknown port, a message that ends too soon, and a frame of another protocol.
#[test]
fn a_report_says_why_frames_have_no_known_message() {
    let frames = [
        shb(2001, CAM_HEX),
        shb(2999, "0102"),
        shb(2001, &CAM_HEX[..40]),
        format!("{} 0001", &ETHERNET[..ETHERNET.len() - 5]),
    ];
    let path = file("capture-unknown", "a.pcap", pcap(&frames));
    let folder = folder("capture-unknown-report");
    let ran = run(&["capture", &path, "--report", folder.to_str().expect("UTF-8")], "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let page = std::fs::read_to_string(folder.join("index.html")).expect("a page");
    for part in
        ["a message of BTP port 2999 that is not known", "input.truncated", "href=\"#unknown\"", "id=\"stations\""]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
}

/// `drive10` is sorted before `drive2` by a shell.
#[test]
fn a_report_is_the_same_for_every_order_of_files() {
    let mut late = pcap(&[shb(2001, CAM_HEX), shb(9, "abcd")]);
    // A minute later: the seconds of each record come first in it.
    late[24..28].copy_from_slice(&1_560_240_902u32.to_le_bytes());
    let (early, late) =
        (file("report-order", "drive2.pcap", pcap(&[shb(2001, CAM_HEX)])), file("report-order", "drive10.pcap", late));
    let report = |files: [&String; 2], name: &str| {
        let folder = folder(&format!("report-order-{name}"));
        let ran = run(&["capture", files[0], files[1], "--report", folder.to_str().expect("UTF-8")], "");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let read = |name: &String| std::fs::read_to_string(folder.join(name)).expect("a file");
        support::names(&folder).iter().map(|name| (name.clone(), read(name))).collect::<Vec<_>>()
    };
    let all = report([&early, &late], "one");
    assert_eq!(all.len(), 6);
    let seconds = &all.iter().find(|(name, _)| name == "seconds.csv").expect("it is there").1;
    assert_eq!(seconds.lines().count(), 1 + 61);
    assert_eq!(all, report([&late, &early], "two"));
}

/// A frame with a wrong check sequence is shown, and its message is octets; `--checksum ignore`
/// decodes it. It counts in no report.
#[test]
fn a_frame_with_a_wrong_check_sequence_is_shown_like_any_other() {
    let head = |flags: &str| {
        format!("00000900 02000000 {flags} 88000000 ffffffffffff 000102030405 ffffffffffff 0000 2000 aaaa03000000 8947")
    };
    let packet = shb(2001, CAM_HEX).split_once("8947").map(|(_, packet)| packet.to_owned()).expect("a packet");
    let mut octets = pcap(&[format!("{} {packet} 00000000", head("10")), format!("{} {packet}", head("00"))]);
    octets[20] = 127;
    let path = file("capture-checksum", "a.pcap", octets);
    let ran = run(&["capture", &path, "--verify"], "");
    let all = lines(&ran.stdout);
    assert_eq!((ran.code, all.len()), (0, 2), "{}", ran.stderr);
    assert_eq!(all[0]["problem"]["code"], "frame.checksum", "{}", all[0]);
    assert_eq!((&all[0]["geonetworking"], &all[0]["btp"]), (&all[1]["geonetworking"], &all[1]["btp"]));
    assert_eq!(all[0]["message"], json!({ "octets": CAM_HEX }));
    assert_eq!(all[1]["message"]["schema"], "cam-1.4.1");

    let report = folder("capture-checksum-report");
    let ran =
        run(&["capture", &path, "--checksum", "ignore", "-o", "-", "--report", report.to_str().expect("UTF-8")], "");
    let all = lines(&ran.stdout);
    assert_eq!(all[0]["message"], all[1]["message"]);
    assert_eq!(all[0]["problem"]["code"], "frame.checksum");
    let page = std::fs::read_to_string(report.join("index.html")).expect("a page");
    assert!(
        page.contains("<p>1 frame in 1 second from") && page.contains("1 frame with a wrong check sequence"),
        "{page}"
    );
    assert!(page.contains("<td class=\"s\">CAM<td class=\"n\">1<td"), "{page}");
}

/// RFC 3339 has no year of five digits.
#[test]
fn a_time_without_a_date_is_left_out() {
    let section = "0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 1c000000";
    // Nothing but a resolution of one second.
    let interface = "01000000 20000000 01000000 00000000 09000100 00000000 00000000 20000000";
    let packet = "06000000 24000000 00000000 ffffff7f 00000000 04000000 04000000 00000000 24000000";
    let path = file("capture-year", "a.pcapng", octets(&[section, interface, packet].concat().replace(' ', "")));
    let ran = run(&["capture", &path], "");
    let all = lines(&ran.stdout);
    assert_eq!((ran.code, all.len()), (0, 1), "{}", ran.stderr);
    assert_eq!(all[0].get("time"), None, "{}", all[0]);
}

/// Damaged data is refused as a damaged recording is, after the frames before it.
#[test]
fn a_damaged_gzip_is_refused() {
    use std::io::Write as _;
    let mut zipped = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    zipped.write_all(&pcap(&[shb(2001, CAM_HEX)])).expect("memory");
    let mut octets = zipped.finish().expect("memory");
    let check = octets.len() - 8;
    octets[check] ^= 1;
    let path = file("capture-gzip", "a.pcap.gz", octets);
    let ran = run(&["capture", &path], "");
    assert_eq!((ran.code, ran.stdout.lines().count()), (1, 1), "{}", ran.stderr);
}

/// The port is a hint: a CAM on a port of no message, and one on that of DENM.
#[test]
fn a_message_on_another_port_is_named_by_its_octets() {
    for port in [4711, 2002] {
        let path = file(&format!("capture-port-{port}"), "a.pcap", pcap(&[shb(port, CAM_HEX)]));
        let ran = run(&["capture", &path], "");
        let all = lines(&ran.stdout);
        assert_eq!(
            (&all[0]["message"]["schema"], all[0].get("problem")),
            (&json!("cam-1.4.1"), None),
            "{}",
            ran.stdout
        );
        // A filter knows it as well.
        for filter in ["message.schema == cam-1.4.1", "message.type == CAM", "message.value.cam"] {
            let ran = run(&["capture", &path, "--where", filter], "");
            assert_eq!(frames(&ran.stdout), [1], "{filter}, port {port}");
        }
    }
}

/// Unknown octets are not guessed for ever, and are kept.
#[test]
fn what_nobody_can_name_is_kept_as_octets() {
    let frames = vec![shb(4711, "ffffffffffffffffffffffffffff"); 60];
    let path = file("capture-unnamed", "a.pcap", pcap(&frames));
    let ran = run(&["capture", &path], "");
    let all = lines(&ran.stdout);
    assert_eq!((ran.code, all.len()), (0, 60));
    assert!(all.iter().all(
        |one| one["message"]["octets"] == "ffffffffffffffffffffffffffff" && one["message"].get("schema").is_none()
    ));
}

/// A message of the user's own module is recognised on any port, and its errors are reported; all
/// other messages stay as they were.
#[test]
fn messages_of_own_modules_are_read() {
    let text = "Probe DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        Report ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL }
        Other ::= SEQUENCE { lane INTEGER (1..14) }
        END";
    let module = file("capture-own", "probe.asn", text);
    let path = file("capture-own", "a.pcap", pcap(&[shb(4711, "896040"), shb(2001, CAM_HEX), shb(4711, "8961e0")]));
    let ran = run(&["capture", &path, "-m", &module, "-t", "Report"], "");
    let all = lines(&ran.stdout);
    assert_eq!((ran.code, all.len()), (0, 3), "{}", ran.stderr);
    let message = &all[0]["message"];
    assert_eq!((&message["schema"], &message["type"]), (&json!("Probe"), &json!("Probe.Report")));
    assert_eq!(message["value"], json!({ "speed": 1200, "lane": 3 }));
    assert_eq!(all[1]["message"]["schema"], "cam-1.4.1");
    assert!(all[2]["problem"]["message"].as_str().is_some_and(|what| !what.is_empty()), "{}", ran.stdout);

    let fields = ["--where", "message.type == Report && message.value.speed > 1000"];
    let ran = run(&[&["capture", &path, "-m", &module, "-t", "Report"][..], &fields].concat(), "");
    assert_eq!(frames(&ran.stdout), [1], "{}", ran.stderr);

    let ran = run(&["capture", &path, "-m", &module], "");
    assert_eq!(ran.code, 2, "two types, and none is named: {}", ran.stderr);
    assert!(ran.stderr.contains("-t"), "{}", ran.stderr);
}
