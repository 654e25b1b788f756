//! `roadwire sign`, `roadwire verify` and `roadwire capture --verify`.

#[path = "../../source/tests/support/shared.rs"]
mod shared;
mod support;

use std::collections::BTreeMap;

use roadwire_messages::Coer;
use roadwire_security::dot2::{Certificate, Curve, SecretKey, Signed, SignerForm, crl_schema as crl, schema};
use roadwire_security::{Encoded, SigningKey};
use serde_json::{Value as Json, json};
use support::{CAM_HEX, CAM_JER, DENM_HEX, file, run};

/// 2019-06-11T08:00:00Z, in seconds since 2004 (TAI).
const START: u32 = 487_324_805;
/// When the frames of these tests are recorded: 2019-06-11T08:14:02Z.
const RECORDED: u64 = (START as u64 + 842) * 1_000_000;

fn content(key: &SecretKey) -> schema::CertificateBase {
    let key = schema::VerificationKeyIndicator::VerificationKey(key.public().expect("a key"));
    let mut value = schema::CertificateBase { version: 3, ..Default::default() };
    value.to_be_signed.id = schema::CertificateId::None(());
    value.to_be_signed.verify_key_indicator = key;
    value.to_be_signed.validity_period = schema::ValidityPeriod { start: START, duration: schema::Duration::Hours(1) };
    value
}

/// Files of a root's certificate, and of a ticket for CAM and its key.
struct Files {
    root: String,
    ticket: String,
    key: String,
}

fn files(folder: &str, curve: Curve) -> Files {
    files_for(folder, curve, vec![schema::PsidSsp { psid: 36, ssp: None }])
}

/// The ticket has these permissions.
fn files_for(folder: &str, curve: Curve, permissions: Vec<schema::PsidSsp>) -> Files {
    let key = |number| SecretKey::from_bytes(curve, &vec![number; curve.octets()]).expect("a key");
    let mut root = content(&key(1));
    let all = schema::PsidGroupPermissions {
        subject_permissions: schema::SubjectPermissions::All(()),
        min_chain_length: 1,
        chain_length_range: 0,
        ee_type: schema::EndEntityType(schema::EndEntityType::APP),
    };
    root.to_be_signed.cert_issue_permissions = Some(vec![all]);
    let root = Certificate::sign(root, None, &key(1)).expect("a root");
    let mut ticket = content(&key(2));
    ticket.to_be_signed.app_permissions = Some(permissions);
    let ticket = Certificate::sign(ticket, Some(&root), &key(1)).expect("a ticket");
    Files {
        root: file(folder, "root.oer", root.octets()),
        ticket: file(folder, "ticket.oer", ticket.octets()),
        key: file(folder, "key", vec![2; curve.octets()]),
    }
}

fn signed(files: &Files, more: &[&str]) -> String {
    let time = RECORDED.to_string();
    let line = ["sign", "-s", "cam-1.4.1", "--key", &files.key, "--certificate", &files.ticket, "--generated", &time];
    let ran = run(&[&line[..], more].concat(), CAM_JER);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout.trim().to_owned()
}

#[test]
fn what_is_signed_is_valid() {
    for curve in Curve::ALL {
        let files = files(&format!("verify-{}", curve.name()), curve);
        let message = signed(&files, &[]);
        assert!(message.contains(CAM_HEX));
        let ran = run(&["verify"], &message);
        assert_eq!((ran.code, word(&ran.stdout)), (1, "signed"), "{}", ran.stderr);
        assert!(ran.stdout.contains("\n  chain: no: no trusted certificate was asked for\n"), "{}", ran.stdout);
        let ran = run(&["verify", "--accept", "signed"], &message);
        assert_eq!((ran.code, word(&ran.stdout)), (0, "signed"), "{}", ran.stderr);
        let ran = run(&["verify", "--trust", &files.root], &message);
        assert_eq!((ran.code, word(&ran.stdout)), (0, "valid"), "{}", ran.stderr);
        assert!(!ran.stdout.contains("  chain: "), "{}", ran.stdout);
        // By digest it takes the certificate.
        let message = signed(&files, &["--signer", "digest"]);
        let ran = run(&["verify"], &message);
        assert_eq!(ran.code, 1);
        assert!(ran.stdout.starts_with("unknown-signer: certificate "), "{}", ran.stdout);
        let ran = run(&["verify", "--certificate", &files.ticket, "--trust", &files.root], &message);
        assert_eq!((ran.code, word(&ran.stdout)), (0, "valid"));
    }
}

/// The verdict that `verify` prints.
fn word(printed: &str) -> &str {
    printed.lines().next().unwrap_or_default()
}

#[test]
fn a_verdict_to_accept_is_one_that_there_is() {
    let ran = run(&["verify", "--accept", "good"], "");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("signed"), "{}", ran.stderr);
}

#[test]
fn verdicts_have_their_reasons() {
    let own = files("verify-reasons", Curve::BrainpoolP256r1);
    let others = files("verify-reasons-others", Curve::NistP256);
    let verdict = |arguments: &[&str], message: &str| {
        let ran = run(&[&["--json", "verify"][..], arguments].concat(), message);
        let line: Json = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{} {}", ran.stdout, ran.stderr));
        assert_eq!(ran.code, i32::from(line["verdict"] != "valid"));
        let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        (text("verdict"), text("reason"), text("noted"))
    };
    let message = signed(&own, &[]);
    let (is, reason, _) = verdict(&["--trust", &others.root], &message);
    assert_eq!(is, "untrusted");
    assert!(reason.ends_with("is not known"), "{reason}");
    let late = (RECORDED + 700_000_000).to_string();
    let expired = ("expired".to_owned(), "not made at the time when it was received".to_owned(), String::new());
    assert_eq!(verdict(&["--trust", &own.root, "--at", &late], &message), expired);
    let other = signed(&own, &["--psid", "37", "--location", "-10,20,4095"]);
    let rule = "an application that the signer has no permission for".to_owned();
    assert_eq!(verdict(&["--trust", &own.root], &other), ("invalid".into(), rule.clone(), String::new()));
    assert_eq!(verdict(&[], &other), ("invalid".into(), rule, String::new()));
    let forged = message.replace(CAM_HEX, &CAM_HEX.replace("0202", "0201"));
    let reason = "the signature does not verify".to_owned();
    assert_eq!(verdict(&[], &forged), ("invalid".into(), reason, String::new()));
    assert_eq!(verdict(&[], "0380020000").0, "unsupported");
}

#[test]
fn keys_and_certificates_that_do_not_fit_are_refused() {
    let own = files("verify-keys", Curve::NistP256);
    let sign = |key: &str, certificate: &str, more: &[&str]| {
        let line = ["sign", "-s", "cam-1.4.1", "--key", key, "--certificate", certificate];
        let ran = run(&[&line[..], more].concat(), CAM_JER);
        (ran.code, ran.stderr)
    };
    let other = file("verify-keys", "other", vec![3; 32]);
    let (code, told) = sign(&other, &own.ticket, &[]);
    assert_eq!(code, 1);
    assert!(told.contains("not the key of this certificate"), "{told}");
    let short = file("verify-keys", "short", vec![3; 31]);
    assert!(sign(&short, &own.ticket, &[]).1.contains("not a key on P-256, which is a number of 32 octets"));
    assert_eq!(sign(&own.key, &own.key, &[]).0, 1);
    assert_eq!(sign(&own.key, "nowhere.oer", &[]).0, 2);
    assert_eq!(sign(&own.key, &own.ticket, &["--location", "1,2"]).0, 2);
    let text = file("verify-keys", "root.hex", "8003");
    let ran = run(&["verify", "--trust", &text], "0380020000");
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("not a certificate that can be used"), "{}", ran.stderr);
}

/// A recording of an SHB of GeoNetworking, each with a secured message, on Ethernet.
fn pcap(messages: &[Vec<u8>]) -> Vec<u8> {
    let frame = |message: &Vec<u8>| [octets("ffffffffffff0001020304058947 12002802"), message.clone()].concat();
    frames(&messages.iter().map(frame).collect::<Vec<_>>())
}

/// A recording of frames on Ethernet.
fn frames(frames: &[Vec<u8>]) -> Vec<u8> {
    let mut recording = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0];
    recording.extend([[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0]].concat());
    for frame in frames {
        let length = (frame.len() as u32).to_le_bytes();
        recording.extend([1_560_240_842u32.to_le_bytes(), 0u32.to_le_bytes(), length, length].concat());
        recording.extend(frame);
    }
    recording
}

fn octets(hex: &str) -> Vec<u8> {
    let digits: String = hex.split_whitespace().collect();
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits")).collect()
}

fn verdicts(stdout: &str) -> Vec<String> {
    let lines = stdout.lines().map(|line| serde_json::from_str::<Json>(line).expect("an object on each line"));
    lines.map(|line| line["security"]["verdict"].as_str().unwrap_or("none").to_owned()).collect()
}

/// An SHB of GeoNetworking to a BTP port, with a message, from its common header on.
fn packet(port: u16, hex: &str) -> Vec<u8> {
    let head = format!(
        "20500200 {:04x} 0100 1400a1b2c3d4e5f6 84db8a10 1d4eecbc 09e4a254 800c 0384 00000000 {port:04x} 0000",
        hex.len() / 2 + 4
    );
    octets(&format!("{head} {hex}"))
}

/// A packet, signed with the ticket of these files for an application, at the time and with a
/// place.
fn signed_packet(files: &Files, psid: u64, form: SignerForm, packet: &[u8]) -> Vec<u8> {
    let read = |path: &str| std::fs::read(path).expect("a file");
    let ticket = Certificate::read(&read(&files.ticket)).expect("a ticket");
    let curve = ticket.own_key().expect("a key").expect("an explicit certificate").curve();
    let key = SecretKey::from_bytes(curve, &read(&files.key)).expect("a key");
    let place = schema::ThreeDLocation { latitude: 480_000_000, longitude: 110_000_000, elevation: 0 };
    let generation_location = Some(place).filter(|_| psid == 37);
    let header =
        schema::HeaderInfo { psid, generation_time: Some(RECORDED), generation_location, ..Default::default() };
    Signed::sign(packet, header, &ticket, form, &key).expect("a message").octets().to_vec()
}

#[test]
fn frames_have_verdicts() {
    let own = files("verify-frames", Curve::NistP256);
    let cam = packet(2001, CAM_HEX);
    let whole = signed_packet(&own, 36, SignerForm::Certificate, &cam);
    let digest = signed_packet(&own, 36, SignerForm::Digest, &cam);
    let mut forged = digest.clone();
    forged[20] ^= 1;
    let input = file("verify-frames", "a.pcap", pcap(&[digest.clone(), whole, digest, forged]));
    let ran = run(&["capture", &input, "--verify"], "");
    assert_eq!(verdicts(&ran.stdout), ["unknown-signer", "signed", "signed", "invalid"], "{}", ran.stderr);
    assert!(ran.stderr.contains("  verdicts  invalid 1, signed 2, unknown-signer 1\n"), "{}", ran.stderr);
    let line: Json = serde_json::from_str(ran.stdout.lines().nth(1).expect("a line")).expect("an object");
    let names: Vec<&String> = line["security"]["checked"].as_object().expect("an object").keys().collect();
    assert_eq!(names, ["chain", "payload", "permissions", "place", "profile", "time"]);
    assert_eq!(line["security"]["checked"]["permissions"], "yes", "{line}");
    for more in [&["--verify"][..], &["--trust", &own.root]] {
        let one = run(&[&["capture", &input, "-j", "1"], more].concat(), "");
        assert!(run(&[&["capture", &input, "-j", "3"], more].concat(), "") == one, "{more:?}: {}", one.stdout);
    }
    let ran = run(&["capture", &input], "");
    assert_eq!(verdicts(&ran.stdout), ["not-verified"; 4]);
    let ran = run(&["capture", &input, "--trust", &own.root], "");
    assert_eq!(verdicts(&ran.stdout)[1..], ["valid", "valid", "invalid"], "{}", ran.stdout);
    let others = files("verify-frames-others", Curve::NistP384);
    let ran = run(&["capture", &input, "--trust", &others.root], "");
    assert_eq!(verdicts(&ran.stdout)[1..], ["untrusted", "untrusted", "invalid"]);
    let ran = run(&["capture", &input, "--trust", &own.key], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
}

fn with_bits(psid: u64, bits: &[u8]) -> schema::PsidSsp {
    let mut octets = roadwire_wire::Octets::default();
    bits.iter().for_each(|octet| octets.0.try_push(*octet).expect("at most 31"));
    schema::PsidSsp { psid, ssp: Some(schema::ServiceSpecificPermissions::BitmapSsp(octets)) }
}

const PART: &str = "a part of a message that the signer has no permission for";

/// A CAM with an emergency container that asks for the right of way.
fn emergency() -> String {
    let mut value: Json = serde_json::from_str(CAM_JER).expect("a value");
    value["cam"]["camParameters"]["specialVehicleContainer"] =
        json!({"emergencyContainer": {"lightBarSirenInUse": "80", "emergencyPriority": "80"}});
    value.to_string()
}

#[test]
fn a_signer_sends_only_what_its_permissions_allow() {
    let verdicts = |folder: &str, permissions: Vec<schema::PsidSsp>, message: &str| {
        let own = files_for(&format!("verify-parts-{folder}"), Curve::NistP256, permissions);
        let time = RECORDED.to_string();
        let line = ["--key", &own.key, "--certificate", &own.ticket, "--generated", &time];
        let ran = run(&[&["sign", "-s", "cam-1.4.1"], &line[..]].concat(), message);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let alone = run(&["verify"], &ran.stdout).stdout;
        let trusted = run(&["verify", "--trust", &own.root, "--at", &time], &ran.stdout).stdout;
        (word(&alone).to_owned(), word(&trusted).to_owned())
    };
    let valid = ("signed".to_owned(), "valid".to_owned());
    let not = (format!("invalid: {PART}"), format!("invalid: {PART}"));
    let special = emergency();
    // Both bits are needed: of the container, and of the right of way.
    assert_eq!(verdicts("both", vec![with_bits(36, &[1, 2, 0x40])], &special), valid);
    assert_eq!(verdicts("one", vec![with_bits(36, &[1, 2, 0xbf])], &special), not);
    assert_eq!(verdicts("other", vec![with_bits(36, &[1, 0xfd, 0xff])], &special), not);
    assert_eq!(verdicts("short", vec![with_bits(36, &[1, 2])], &special), not);
    let without = schema::PsidSsp { psid: 36, ssp: None };
    assert_eq!(verdicts("none", vec![without.clone()], &special), not);
    assert_eq!(verdicts("none-needed", vec![without], CAM_JER), valid);
    // Of version 2 no bits are known.
    let unknown = "unsupported: service-specific permissions of an unknown version".to_owned();
    let open = (unknown.clone(), unknown);
    assert_eq!(verdicts("version", vec![with_bits(36, &[2, 0, 0])], &special), open);
    assert_eq!(verdicts("nothing", vec![with_bits(36, &[1, 0, 0])], CAM_JER), valid);
}

/// The payload of a frame is a packet; causes of DENMs; TS 103 097 V1.
#[test]
fn parts_of_messages_in_frames_count() {
    let uper = |schema: &str, value: &str| {
        let ran = run(&["convert", "-s", schema, "--from", "jer", "--to", "uper"], value);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout.trim().to_owned()
    };
    let denm = |cause: u8| {
        let ran = run(&["convert", "-s", "denm-1.3.1", "--from", "uper", "--to", "jer"], DENM_HEX);
        let mut value: Json = serde_json::from_str(&ran.stdout).expect("a value");
        let cause = json!({"causeCode": cause, "subCauseCode": 0});
        value["denm"]["situation"] = json!({"informationQuality": 1, "eventType": cause});
        uper("denm-1.3.1", &value.to_string())
    };
    // Stationary vehicles alone.
    let permissions = vec![with_bits(36, &[1, 0, 0]), with_bits(37, &[1, 0, 0, 0x20])];
    let own = files_for("verify-parts-frames", Curve::NistP256, permissions);
    let signed =
        |psid: u64, port: u16, hex: &str| signed_packet(&own, psid, SignerForm::Certificate, &packet(port, hex));
    let special = uper("cam-1.4.1", &emergency());
    let messages = [
        signed(36, 2001, CAM_HEX),
        signed(36, 2001, &special),
        signed(37, 2002, &denm(94)),
        signed(37, 2002, &denm(95)),
        // Impassability has no bit.
        signed(37, 2002, &denm(5)),
        // For another application, whose permissions allow no part of a CAM.
        signed(37, 2001, &special),
        message_of_v1(36, &packet(2001, CAM_HEX)),
        message_of_v1(36, &packet(2001, &special)),
    ];
    let input = file("verify-parts-frames", "a.pcap", pcap(&messages));
    let found = |arguments: &[&str], name: &str| -> Vec<bool> {
        let ran = run(&[&["capture", &input][..], arguments].concat(), "");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let line = |line: &str| serde_json::from_str::<Json>(line).expect("an object");
        let has = |line: Json| line["security"][name].as_str().unwrap_or_default().contains(PART);
        ran.stdout.lines().map(line).map(has).collect()
    };
    let expected = [false, true, false, true, false, true, false, true];
    assert_eq!(found(&["--verify"], "reason"), expected);
    assert_eq!(found(&["--trust", &own.root], "reason")[..6], expected[..6]);
    // It is known before a filter asks for it.
    let ran = run(&["capture", &input, "--trust", &own.root, "--where", "security.verdict == invalid"], "");
    assert_eq!(ran.stdout.lines().count(), 4, "{}", ran.stderr);
    for (message, expected) in messages.into_iter().zip(expected) {
        let file = file("verify-parts-frames", "message.bin", message);
        assert_eq!(run(&["verify", &file], "").stdout.contains(PART), expected);
    }
}

/// The forgeries of a review: a ticket for other applications alone signs a CAM; an octet after an
/// emergency vehicle's CAM hides it.
#[test]
fn a_cam_under_another_application_or_before_an_octet_is_not_valid() {
    let others = [37, 141, 638].map(|psid| with_bits(psid, &[1, 0, 0, 0])).to_vec();
    let own = files_for("verify-other-psid", Curve::NistP256, others);
    let plain = files_for("verify-octet", Curve::NistP256, vec![with_bits(36, &[1, 0, 0])]);
    let special = {
        let ran = run(&["convert", "-s", "cam-1.4.1", "--from", "jer", "--to", "uper"], emergency());
        ran.stdout.trim().to_owned()
    };
    let another = "a message or profile that does not belong to the application it is signed for";
    let mut cases = Vec::new();
    for psid in [37, 141, 638] {
        cases.push((&own, psid, CAM_HEX.to_owned(), "invalid", another));
        cases.push((&own, psid, format!("{CAM_HEX}00"), "invalid", another));
    }
    cases.push((&plain, 36, special.clone(), "invalid", PART));
    cases.push((&plain, 36, format!("{special}00"), "invalid", PART));
    cases.push((&plain, 36, format!("{CAM_HEX}00"), "unsupported", "not understood"));
    cases.push((&plain, 36, "ffff".to_owned(), "unsupported", "not understood"));
    cases.push((&plain, 36, CAM_HEX.to_owned(), "valid", ""));
    for (files, psid, hex, verdict, reason) in cases {
        let time = RECORDED.to_string();
        let in_packet = signed_packet(files, psid, SignerForm::Certificate, &packet(2001, &hex));
        for message in [&in_packet, &signed_packet(files, psid, SignerForm::Certificate, &octets(&hex))] {
            let path = file("verify-other-psid", "message.bin", message);
            let ran = run(&["verify", "--trust", &files.root, "--at", &time, &path], "");
            assert!(ran.stdout.starts_with(verdict), "{psid} {hex}: {}", ran.stdout);
            assert!(ran.stdout.contains(reason), "{psid} {hex}: {}", ran.stdout);
        }
        let input = file("verify-other-psid", "a.pcap", pcap(&[in_packet]));
        let ran = run(&["capture", &input, "--trust", &files.root], "");
        let line: Json = serde_json::from_str(ran.stdout.trim()).expect("an object");
        assert_eq!(line["security"]["verdict"], verdict, "{psid} {hex}");
        assert!(line["security"]["reason"].as_str().unwrap_or_default().contains(reason), "{line}");
    }
}

#[test]
fn the_profile_of_ts_103_097_counts_unless_it_is_switched_off() {
    let own = files("verify-profile", Curve::NistP256);
    let read = |path: &str| std::fs::read(path).expect("a file");
    let ticket = Certificate::read(&read(&own.ticket)).expect("a ticket");
    let key = SecretKey::from_bytes(Curve::NistP256, &read(&own.key)).expect("a key");
    let header = schema::HeaderInfo { psid: 36, ..Default::default() };
    let signed = Signed::sign(&packet(2001, CAM_HEX), header, &ticket, SignerForm::Certificate, &key);
    let message = signed.expect("a message").octets().to_vec();
    let path = file("verify-profile", "message.bin", &message);
    let input = file("verify-profile", "a.pcap", pcap(&[message]));
    for (more, expected) in
        [(&[][..], "invalid"), (&["--profile", "etsi"], "invalid"), (&["--profile", "none"], "valid")]
    {
        let ran = run(&[&["verify", "--trust", &own.root, &path], more].concat(), "");
        assert!(ran.stdout.starts_with(expected), "{more:?}: {}", ran.stdout);
        let ran = run(&[&["capture", "--trust", &own.root, &input], more].concat(), "");
        assert_eq!(verdicts(&ran.stdout), [expected], "{more:?}");
    }
}

/// `convert` refuses, by the constraints of the shipped schemas, the messages whose profile
/// `verify` calls broken.
#[test]
fn the_profile_is_that_of_the_shipped_schemas() {
    let own = files("verify-schemas", Curve::NistP256);
    let read = |path: &str| std::fs::read(path).expect("a file");
    let ticket = Certificate::read(&read(&own.ticket)).expect("a ticket");
    let root = Certificate::read(&read(&own.root)).expect("a root");
    let key = SecretKey::from_bytes(Curve::NistP256, &read(&own.key)).expect("a key");
    let message = |change: fn(&mut schema::HeaderInfo), certificates: &[&Certificate]| {
        let mut header = schema::HeaderInfo { psid: 36, generation_time: Some(RECORDED), ..Default::default() };
        change(&mut header);
        let plain = Signed::sign(&octets(CAM_HEX), header, &ticket, SignerForm::Digest, &key).expect("a message");
        let all = certificates.iter().map(|one| one.value().clone()).collect();
        let signer = schema::SignerIdentifier::Certificate(all);
        let signed = Signed::sign_value(plain.value().tbs_data.clone(), signer, &ticket, &key);
        signed.expect("a message").octets().to_vec()
    };
    let one: &[&Certificate] = &[&ticket];
    let cases = [
        (message(|_| {}, one), true),
        (message(|header| header.inline_p2pcd_request = Some(vec![[1; 3]]), one), true),
        (message(|header| header.generation_time = None, one), false),
        (message(|header| header.p2pcd_learning_request = Some([1; 3]), one), false),
        (message(|header| header.missing_crl_identifier = Some(Default::default()), one), false),
        (message(|_| {}, &[&ticket, &root]), false),
    ];
    for (at, (message, fits)) in cases.into_iter().enumerate() {
        let path = file("verify-schemas", "message.bin", &message);
        let ran = run(&["verify", "--trust", &own.root, &path], "");
        assert_eq!(ran.stdout.starts_with("valid"), fits, "{at}: {}", ran.stdout);
        for name in ["ts103097-1.3.1", "ts103097-2.1.1"] {
            let line = [
                "convert",
                "-s",
                name,
                "-t",
                "EtsiTs103097Data",
                "--from",
                "coer",
                "--to",
                "jer",
                "--check",
                "all",
                &path,
            ];
            let ran = run(&line, "");
            assert_eq!(ran.code == 0, fits, "{at} {name}: {}", ran.stderr);
        }
    }
}

#[test]
fn sign_warns_of_what_receivers_refuse() {
    let own = files("verify-warnings", Curve::NistP256);
    let time = RECORDED.to_string();
    let warnings = |json: bool, more: &[&str]| {
        let line = ["sign", "-s", "cam-1.4.1", "--key", &own.key, "--certificate", &own.ticket];
        let more = if more.contains(&"--generated") { more.to_vec() } else { [&["--generated", &time], more].concat() };
        let ran = run(&[if json { &["--json"][..] } else { &[] }, &line, &more].concat(), CAM_JER);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stderr
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |mode| std::fs::set_permissions(&own.key, std::fs::Permissions::from_mode(mode)).expect("a mode");
        mode(0o644);
        let told = warnings(false, &[]);
        assert!(told.contains("warning") && told.contains("others may read or write this key (mode 644)"), "{told}");
        let told: Json = serde_json::from_str(warnings(true, &[]).trim()).expect("an object");
        assert_eq!(told["warning"]["code"], "key.readable");
        mode(0o600);
    }
    assert_eq!(warnings(false, &[]), "");
    let told = warnings(false, &["--psid", "141"]);
    assert!(told.contains("receivers may refuse the message: an application that the signer has no permission for"));
    // The example of docs/errors.md.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&own.key, std::fs::Permissions::from_mode(0o644)).expect("a mode");
        let told = warnings(false, &["--psid", "141"]).replace(&own.key, "at.key").replace(&own.ticket, "at.oer");
        let page = include_str!("../../../docs/errors.md");
        assert_eq!(told.lines().filter(|line| page.contains(&format!("\n    {line}\n"))).count(), 2, "{told}");
        std::fs::set_permissions(&own.key, std::fs::Permissions::from_mode(0o600)).expect("a mode");
    }
    let late = (RECORDED + 86_400_000_000).to_string();
    let told: Json = serde_json::from_str(warnings(true, &["--generated", &late]).trim()).unwrap_or_default();
    assert_eq!(told["warning"]["code"], "sign.not-permitted");
}

/// A CAM of TS 103 097 V1.2.1, signed with the certificate that it has, which has a permission for
/// an application, and for none of its parts.
fn message_of_v1(permitted: u64, payload: &[u8]) -> Vec<u8> {
    use roadwire_messages::ts103097_1_2_1 as v2;
    let key = SigningKey::from_bytes(&[5; 32]).expect("a key");
    let subject_type = v2::SubjectType::Authorization_ticket;
    let ticket = v2::Certificate {
        version: 2,
        signer_info: v2::IssuerInfo::Certificate_digest([1; 8]),
        subject_info: v2::SubjectInfo { subject_type, ..Default::default() },
        subject_attributes: [
            v2::SubjectAttribute::Verification_key(key.public().into()),
            v2::SubjectAttribute::Its_aid_ssp_list(
                [v2::ItsAidSsp { its_aid: permitted, ..Default::default() }].into_iter().collect(),
            ),
        ]
        .into_iter()
        .collect(),
        ..Default::default()
    };
    let ticket = Encoded::sign_certificate(ticket, &key).expect("a certificate");
    let fields = [
        v2::HeaderField::Signer_info(v2::SignerInfo::Certificate(ticket.into_value())),
        v2::HeaderField::Generation_time(RECORDED),
        v2::HeaderField::Its_aid(36),
    ];
    let header_fields = fields.into_iter().collect();
    let payload_field = v2::Payload::Signed(roadwire_wire::OctetString(payload.to_vec()));
    let message = v2::SecuredMessage { protocol_version: 2, header_fields, payload_field, ..Default::default() };
    Encoded::sign_message(message, &key).expect("a message").octets().to_vec()
}

#[test]
fn messages_of_v1_have_verdicts() {
    let message = message_of_v1(37, &[]);
    let mut forged = message.clone();
    *forged.last_mut().expect("octets") ^= 1;
    let input = file("verify-v1", "a.pcap", pcap(&[message.clone(), forged]));
    let ran = run(&["capture", &input, "--verify"], "");
    assert_eq!(verdicts(&ran.stdout), ["invalid", "invalid"], "{}", ran.stdout);
    assert!(ran.stdout.contains(r#""format":"ts103097-1.2.1""#), "{}", ran.stdout);
    let own = files("verify-v1", Curve::NistP256);
    let ran = run(&["capture", &input, "--trust", &own.root], "");
    // The ticket has no permission for CAM, from any issuer.
    assert_eq!(verdicts(&ran.stdout), ["invalid", "invalid"], "{}", ran.stdout);
    let file = file("verify-v1", "message.bin", message);
    let ran = run(&["verify", &file], "");
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.starts_with("invalid: an application that the signer has no permission for"), "{}", ran.stdout);
}

/// As many as Python's `cryptography` verifies; the frames with a wrong check sequence are not
/// counted.
#[test]
fn recorded_messages_are_valid() {
    let Some(folder) = shared::shared("captures") else { return };
    for (name, expected) in [
        ("boslx_CAM_Recording.pcapng", json!({"signed": 9})),
        ("karloss_test.pcap", json!({"signed": 94, "unknown-signer": 6})),
        ("karloss_test4.pcap", json!({"signed": 257})),
        ("karloss_testmon4.pcap", json!({"signed": 341})),
        // A beacon is also signed; it is not among the frames that were extracted.
        ("pmacoutinho_etsi-its-cam-secured.pcapng", json!({"signed": 37})),
        ("pmacoutinho_etsi-its-cam-unsecured.pcapng", json!({})),
        ("pmacoutinho_etsi-its-denm-secured.pcapng", json!({"signed": 36})),
    ] {
        let ran = run(&["capture", "--verify", &folder.join(name).to_string_lossy()], "");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        verdicts(&ran.stdout).into_iter().for_each(|verdict| *counts.entry(verdict).or_default() += 1);
        counts.remove("none");
        // Of frames with a wrong check sequence.
        counts.remove("not-verified");
        assert_eq!(json!(counts), expected, "{name}");
        // 64 of them have causes that need a bit. All keep the profile, and have the type of their
        // application.
        let lines = ran.stdout.lines().map(|line| serde_json::from_str::<Json>(line).expect("an object"));
        for line in lines {
            let noted = line["security"]["noted"].as_str().unwrap_or_default();
            let rules = [
                "that does not belong to the application",
                "not understood",
                "unknown version",
                "header field",
                "a signer that",
                "that the profile",
                "with a name",
                "functional type",
                "restriction or region",
                "must be understood",
            ];
            assert!(!rules.iter().any(|rule| noted.contains(rule)), "{name} {}: {noted}", line["frame"]);
        }
    }
}

/// Files of a root, of a ticket that names the root's lists of revoked certificates, and of such a
/// list that has the ticket.
struct Revocable {
    files: Files,
    ticket: Certificate,
    list: String,
    /// A list of the same signer that has the root instead.
    other: String,
}

fn revocable(folder: &str) -> Revocable {
    use crl::{CracaType, CrlContents, CrlSsp, HashBasedRevocationInfo, ToBeSignedHashIdCrl, TypeSpecificCrlContents};
    let own = files(folder, Curve::NistP256);
    let root = Certificate::read(&std::fs::read(&own.root).expect("a file")).expect("a root");
    let key = |number| SecretKey::from_bytes(Curve::NistP256, &[number; 32]).expect("a key");
    let mut ticket = content(&key(2));
    ticket.to_be_signed.app_permissions = Some(vec![schema::PsidSsp { psid: 36, ssp: None }]);
    ticket.to_be_signed.craca_id.copy_from_slice(&root.digest()[5..]);
    let ticket = Certificate::sign(ticket, Some(&root), &key(1)).expect("a ticket");
    // Who signs lists of the root.
    let ssp = CrlSsp { version: 1, associated_craca: CracaType::IssuerIsCraca, crls: vec![0], ..Default::default() };
    let ssp = schema::ServiceSpecificPermissions::Opaque(roadwire_wire::OctetString(encoded(&ssp)));
    let mut signer = content(&key(3));
    signer.to_be_signed.app_permissions = Some(vec![schema::PsidSsp { psid: 256, ssp: Some(ssp) }]);
    let signer = Certificate::sign(signer, Some(&root), &key(1)).expect("a signer");
    let list = |revoked: &[&Certificate]| {
        let entry = |one: &&Certificate| HashBasedRevocationInfo { id: one.hashed_id10(), ..Default::default() };
        let entries = revoked.iter().map(entry).collect();
        let contents = CrlContents {
            version: 1,
            crl_craca: root.digest(),
            issue_date: START + 60,
            next_crl: START + 3600,
            type_specific: TypeSpecificCrlContents::FullHashCrl(ToBeSignedHashIdCrl { entries, ..Default::default() }),
            ..Default::default()
        };
        let header = schema::HeaderInfo { psid: 256, ..Default::default() };
        let signed = Signed::sign(&encoded(&contents), header, &signer, SignerForm::Certificate, &key(3));
        signed.expect("a list").octets().to_vec()
    };
    let files = Files { ticket: file(folder, "revocable.oer", ticket.octets()), ..own };
    let [list, other] = [("list.oer", list(&[&ticket])), ("other.oer", list(&[&root]))]
        .map(|(name, octets)| file(folder, name, octets));
    Revocable { files, ticket, list, other }
}

fn encoded<M: roadwire_engine::Message<Coer>>(value: &M) -> Vec<u8> {
    value.encode_to_vec(10_000).expect("octets")
}

#[test]
fn revoked_certificate_makes_its_messages_invalid() {
    let Revocable { files, ticket, list, other } = revocable("verify-revoked");
    let message = signed_packet(&files, 36, SignerForm::Certificate, &packet(2001, CAM_HEX));
    let path = file("verify-revoked", "message.bin", &message);
    let input = file("verify-revoked", "a.pcap", pcap(&[message]));
    let hex = |octets: &[u8]| octets.iter().map(|octet| format!("{octet:02x}")).collect::<String>();
    let (short, long) = (hex(&ticket.digest()), hex(&ticket.hashed_id10()));
    let trusted = ["--trust", &files.root];
    let cases: [(&[&str], &[&str], &str); 7] = [
        (&trusted, &[], "valid"),
        (&trusted, &["--crl", &list], "invalid"),
        (&trusted, &["--crl", &other, "--crl", &list], "invalid"),
        (&trusted, &["--crl", &other], "valid"),
        (&trusted, &["--revoke", &short], "invalid"),
        (&[], &["--revoke", "0011223344556677", "--revoke", &long], "invalid"),
        (&[], &["--revoke", "0011223344556677"], "signed"),
    ];
    for (trust, more, verdict) in cases {
        let ran = run(&[&["verify", &path][..], trust, more].concat(), "");
        assert_eq!(
            (ran.code, word(&ran.stdout).split(':').next()),
            (i32::from(verdict != "valid"), Some(verdict)),
            "{more:?}: {}{}",
            ran.stdout,
            ran.stderr
        );
        assert_eq!(ran.stdout.contains("a certificate that is revoked"), verdict == "invalid", "{}", ran.stdout);
        // Without --verify.
        let ran = run(&[&["capture", &input][..], trust, more].concat(), "");
        assert_eq!(verdicts(&ran.stdout), [verdict], "{more:?}: {}", ran.stderr);
    }
}

#[test]
fn list_of_revoked_certificates_that_cannot_be_used_is_refused() {
    let Revocable { files, list, .. } = revocable("verify-lists");
    let octets = std::fs::read(&list).expect("a file");
    let path = |name: &str, octets: &[u8]| file("verify-lists", name, octets);
    let message = signed_packet(&files, 36, SignerForm::Certificate, &packet(2001, CAM_HEX));
    let (message, input) = (path("message.bin", &message), path("a.pcap", &pcap(&[message])));
    let mut flipped = octets.clone();
    *flipped.last_mut().expect("octets") ^= 1;
    let other_root = {
        let key = SecretKey::from_bytes(Curve::NistP256, &[9; 32]).expect("a key");
        let mut root = content(&key);
        root.to_be_signed.app_permissions = Some(vec![schema::PsidSsp { psid: 36, ssp: None }]);
        path("other-root.oer", Certificate::sign(root, None, &key).expect("a root").octets())
    };
    let cases = [
        (&files.root, path("flipped.oer", &flipped), "crl", "the signature does not verify"),
        (&files.root, path("none.oer", b""), "input.empty", ""),
        (&files.root, path("behind.oer", &[&octets[..], &[0]].concat()), "crl", "1 octets follow"),
        (&files.root, files.ticket.clone(), "crl", "TS 102 941"),
        (&other_root, list.clone(), "crl", "trust a certificate above the list's signer"),
        (&files.root, message.clone(), "crl", "that does not belong to the application"),
        (&files.root, "nowhere.oer".to_owned(), "file.io", ""),
    ];
    for (root, crl, code, told) in cases {
        for line in [["verify", message.as_str()], ["capture", input.as_str()]] {
            let ran = run(&[&["--json"], &line[..], &["--trust", root, "--crl", &crl]].concat(), "");
            let error: Json = serde_json::from_str(ran.stderr.lines().next().unwrap_or("")).expect("an object");
            let name = crl.rsplit('/').next().unwrap_or_default();
            assert_eq!(
                (error["error"]["code"].as_str(), ran.stdout.as_str()),
                (Some(code), ""),
                "{name}: {}",
                ran.stderr
            );
            assert!(ran.stderr.contains(name) && ran.stderr.contains(told), "{name}: {}", ran.stderr);
        }
    }
    // Wrong usage: no trust, and no digest.
    let usage: [(&[&str], &str); 4] = [
        (&["--crl", &list], "--trust"),
        (&["--revoke", "001122"], "expected 16 hexadecimal digits (HashedId8) or 20 (HashedId10), found \"001122\""),
        (&["--revoke", "001122334455667g"], "001122334455667g"),
        (&["--revoke", ""], "expected 16"),
    ];
    for (more, told) in usage {
        for line in [["verify", message.as_str()], ["capture", input.as_str()]] {
            let ran = run(&[&line[..], more].concat(), "");
            assert!(ran.code == 2 && ran.stderr.contains(told), "{more:?}: {}", ran.stderr);
        }
    }
}

#[test]
fn psid_of_a_short_message_is_that_of_its_envelope() {
    let permissions = [0x20, 0x21].map(|psid| schema::PsidSsp { psid, ssp: None });
    let own = files_for("verify-wsmp", Curve::NistP256, permissions.to_vec());
    let message = signed_packet(&own, 0x20, SignerForm::Certificate, b"a short message");
    let frame = |psid: u8| {
        let length = 0x8000 | message.len() as u16;
        let head = octets(&format!("ffffffffffff00010203040588dc 03 00 {psid:02x} {length:04x}"));
        [head, message.clone()].concat()
    };
    let input = file("verify-wsmp", "a.pcap", frames(&[frame(0x20), frame(0x21)]));
    let ran = run(&["capture", &input, "--trust", &own.root], "");
    assert_eq!(verdicts(&ran.stdout), ["valid", "invalid"], "{}", ran.stdout);
    assert!(
        ran.stdout.contains(r#""wsmp":{"psid":33}"#) && ran.stdout.contains("that does not belong to the application"),
        "{}",
        ran.stdout
    );
}
