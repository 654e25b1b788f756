//! Messages and certificates of IEEE 1609.2 that others signed, if present; they are test input and
//! not part of the project.

mod chain;
#[path = "../../source/tests/support/shared.rs"]
mod shared;

use std::collections::BTreeMap;
use std::io::Read as _;

use roadwire_security::dot2::{Certificate, Curve, Issuer, Signed, Signer, Verifier, schema};
use roadwire_security::{Fault, HashedId8, Verdict, Violation};
use serde_json::Value as Json;

fn hex(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// The security envelopes of a recording, without the basic header in front.
fn envelopes(recording: &str) -> Vec<Vec<u8>> {
    let Some(file) = shared::shared(&format!("captures/extracted/{recording}.jsonl.gz")) else { return Vec::new() };
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(file).unwrap()).read_to_string(&mut text).unwrap();
    let frames = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    frames.filter(|frame| frame["secured"] == true).map(|frame| hex(&frame["gn"].as_str().unwrap()[8..])).collect()
}

/// How many messages of a recording have which result: the name of the curve, or the fault.
fn results(recording: &str) -> BTreeMap<String, usize> {
    let mut known: BTreeMap<HashedId8, Certificate> = BTreeMap::new();
    let mut counts = BTreeMap::new();
    for octets in envelopes(recording) {
        let message = Signed::read(&octets).unwrap();
        assert!(octets.starts_with(message.octets()));
        let certificate = match message.signer().unwrap() {
            Signer::Digest(digest) => known.get(&digest).cloned(),
            Signer::Certificates(certificates) => {
                known.insert(certificates[0].digest(), certificates[0].clone());
                certificates.into_iter().next()
            }
            Signer::Itself => panic!("signed by itself"),
        };
        let result = certificate.map(|certificate| {
            let key = certificate.own_key().unwrap().unwrap();
            message.verify(&certificate, &key).map(|_| key.curve().name().to_owned())
        });
        let name = match result {
            None => "unknown".to_owned(),
            Some(result) => result.unwrap_or_else(|fault| fault.to_string()),
        };
        *counts.entry(name).or_insert(0) += 1;
    }
    counts
}

/// As many as Python's `cryptography` verifies.
#[test]
fn recorded_messages_are_signed_by_their_signers() {
    let (nist, brainpool) = (Curve::NistP256.name(), Curve::BrainpoolP256r1.name());
    for (recording, expected) in [
        ("boslx_CAM_Recording", vec![(nist, 9)]),
        ("karloss_test", vec![(nist, 94), ("unknown", 6)]),
        ("karloss_test4", vec![(nist, 150), (brainpool, 107)]),
        ("karloss_testmon4", vec![(nist, 210), (brainpool, 131)]),
        ("pmacoutinho_etsi-its-cam-secured", vec![(nist, 36)]),
        ("pmacoutinho_etsi-its-denm-secured", vec![(nist, 36)]),
    ] {
        let found = results(recording);
        let expected: BTreeMap<String, usize> =
            expected.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
        assert!(found.is_empty() || found == expected, "{recording}: {found:?}");
    }
}

/// One frame with forged forms of all stations' certificates, before all others: as issuers, or
/// passed on.
#[test]
fn a_forged_frame_before_a_recording_changes_no_verdict() {
    for recording in ["karloss_test", "karloss_test4"] {
        let all = envelopes(recording);
        let mut forged: Vec<schema::CertificateBase> = Vec::new();
        for octets in &all {
            if let Signer::Certificates(certificates) = Signed::read(octets).unwrap().signer().unwrap() {
                let one = chain::off_curve(&certificates[0]);
                if !forged.contains(&one) {
                    forged.push(one);
                }
            }
        }
        let verdicts = |before: &[Vec<u8>]| -> Vec<Verdict> {
            let mut receiver = Verifier::new();
            before.iter().for_each(|attack| drop(receiver.verify(attack, None)));
            all.iter().map(|octets| receiver.verify(octets, None).verdict).collect()
        };
        let expected = verdicts(&[]);
        let as_issuers: Vec<_> = forged.chunks(7).map(|some| chain::attack(some, None)).collect();
        let passed_on: Vec<_> = forged.iter().map(|one| chain::attack(&[], Some(one.clone()))).collect();
        assert!(verdicts(&as_issuers) == expected && verdicts(&passed_on) == expected, "{recording}");
    }
}

/// Ten forgeries of a message: bits of the payload, the header, the certificate or digest, r and s;
/// the signature of another message; and r and s swapped.
fn forgeries(message: &Signed, other: &Signed) -> Vec<Vec<u8>> {
    const SIGNATURE: usize = 64;
    let octets = message.octets();
    let (length, signed) = (octets.len(), message.to_be_signed().len());
    // The version, the kind of content and the hash come before the signed part; the signer after
    // it.
    let signer = 3 + signed;
    let end = length - SIGNATURE - 2;
    let places = [3 + signed / 3, 3 + signed / 2, signer - 1, signer - 4, (signer + end) / 2, end - 1];
    let in_signature = [length - SIGNATURE + 5, length - 5];
    let mut all: Vec<Vec<u8>> = places
        .iter()
        .chain(&in_signature)
        .enumerate()
        .map(|(bit, place)| {
            let mut octets = octets.to_vec();
            octets[*place] ^= 1 << (bit % 8);
            octets
        })
        .collect();
    let (data, numbers) = octets.split_at(length - SIGNATURE);
    all.push([data, &other.octets()[other.octets().len() - SIGNATURE..]].concat());
    all.push([data, &numbers[32..], &numbers[..32]].concat());
    all
}

/// The order of the curve minus s in place of s.
fn with_negated_s(octets: &[u8], message: &Signed) -> Vec<u8> {
    let order = match message.value().signature {
        schema::Signature::EcdsaNistP256Signature(_) => {
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
        }
        _ => "a9fb57dba1eea9bc3e660a909d838d718c397aa3b561a6f7901e0e82974856a7",
    };
    let mut octets = octets[..message.octets().len()].to_vec();
    let start = octets.len() - 32;
    let mut borrow = 0;
    for (s, order) in octets[start..].iter_mut().zip(hex(order)).rev() {
        let difference = i16::from(order) - i16::from(*s) - borrow;
        borrow = i16::from(difference < 0);
        *s = difference.rem_euclid(256) as u8;
    }
    octets
}

#[test]
fn forgeries_of_recorded_messages_are_not_valid() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut altered = [0, 0];
    for recording in [
        "boslx_CAM_Recording",
        "karloss_test",
        "karloss_test4",
        "karloss_testmon4",
        "pmacoutinho_etsi-its-cam-secured",
        "pmacoutinho_etsi-its-denm-secured",
    ] {
        let mut receiver = Verifier::new();
        let all = envelopes(recording);
        for (at, octets) in all.iter().enumerate() {
            if receiver.verify(octets, None).verdict != Verdict::Signed {
                continue;
            }
            let message = Signed::read(octets).unwrap();
            let other = all.iter().cycle().skip(at + 1).map(|octets| Signed::read(octets).unwrap());
            let other = other.into_iter().find(|other| other.to_be_signed() != message.to_be_signed()).unwrap();
            for (number, forged) in forgeries(&message, &other).iter().enumerate() {
                let verdict = receiver.verify(forged, None).verdict;
                assert_ne!(verdict, Verdict::Signed, "{recording} {at} {number}");
                *counts.entry(verdict.name()).or_default() += 1;
            }
            let report = receiver.verify(&with_negated_s(octets, &message), None);
            altered[0] += usize::from(report.verdict == Verdict::Signed && report.is_altered_copy);
            altered[1] += usize::from(report.verdict == Verdict::Invalid);
        }
    }
    let expected = [("invalid", 7556), ("unknown-signer", 174)];
    assert!(counts.is_empty() || counts == BTreeMap::from(expected), "{counts:?}");
    // Marked as copies; the nine senders that send y of R as well sign for one s alone.
    assert!(counts.is_empty() || altered == [764, 9], "{altered:?}");
}

/// The certificates of ETSI's conformance tests, and the one that signs Europe's trust list.
fn certificates() -> Vec<(String, Certificate)> {
    let Some(folder) = shared::shared("captures/certificates") else { return Vec::new() };
    let mut files: Vec<_> = ["bc-java", "rasn"]
        .iter()
        .flat_map(|name| std::fs::read_dir(folder.join(name)).unwrap())
        .map(|file| file.unwrap().path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "oer"))
        // Europe's trust list, and one that nests too deep.
        .filter(|file| !file.to_str().unwrap().contains("CE4CF6C19BFED720"))
        .collect();
    files.sort();
    let read = |file: std::path::PathBuf| {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let octets = std::fs::read(&file).unwrap();
        let certificate = Certificate::read(&octets).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_eq!(certificate.octets(), octets);
        (name, certificate)
    };
    files.into_iter().map(read).collect()
}

/// These mix curves, and hash the signed part with the hash of the certificate's own key rather
/// than with the one of the issuer's name (`IssuerIdentifier`).
const MIXED: [&str; 5] =
    ["CERT_IUT_A_B3_AA", "CERT_IUT_A_B33_AT", "CERT_IUT_A_B3_AT", "CERT_IUT_A_B3_N_AT", "CERT_TS_B1_AT"];

#[test]
fn certificates_are_signed_by_their_issuers() {
    let all = certificates();
    let mut verified = 0;
    for (name, certificate) in &all {
        let issuer = match certificate.issuer() {
            Issuer::Itself => certificate,
            Issuer::Digest(digest) => {
                &all.iter().find(|(_, issuer)| issuer.digest() == digest).unwrap_or_else(|| panic!("{name}")).1
            }
        };
        let key = issuer.own_key().unwrap().unwrap();
        let found = certificate.key_under(issuer, &key);
        let expected = if MIXED.contains(&name.as_str()) { Err(Fault::Signature) } else { certificate.own_key() };
        assert_eq!(found.map(Some), expected, "{name}");
        verified += 1;
    }
    assert!(all.is_empty() || verified == 59, "{verified}");
}

/// Up to the two roots of ETSI's conformance tests. Some of its certificates have permissions that
/// their issuers may not give: reserved bits of CAM are set (C, D, E, CAM_BO), the version of
/// permissions is another one (RCV_02), the root's permission for 623 is for certificates that it
/// issues itself (EC), or for those that authorities issue (C3, CA, CC).
#[test]
fn chains_of_certificates_end_at_their_roots() {
    let all = certificates();
    let mut receiver = Verifier::new();
    for (name, certificate) in &all {
        if name.ends_with("_RCA") {
            receiver.trust(certificate.clone()).unwrap();
        } else {
            receiver.add(certificate.clone());
        }
    }
    let permissions = [
        "IUT_C_AT",
        "IUT_C_AT_8",
        "IUT_D_AT",
        "IUT_D_AT_8",
        "IUT_E_AT",
        "IUT_E_AT_8",
        "IUT_CAM_BO_02_AT",
        "IUT_CAM_BO_03_AT",
        "TS_CAM_BO_02_AT",
        "TS_CAM_BO_03_AT",
        "TS_AA_AUTHVAL_RCV_02_BI_02",
        "TS_A_EA_AA_AUTHVAL_RCV_02_BI_02",
        "TS_A_EC",
        "TS_EC_ENR_RCV_02_BI_01",
        "TS_EC_ENR_RCV_02_BI_02",
        "TS_EC_ENR_RCV_02_BI_03",
        "IUT_CA_AA",
        "IUT_CC_AA",
        "IUT_C3_AA",
    ];
    let regions = ["IUT_C3_AA", "IUT_CA3_AT"];
    let mut valid = 0;
    for (name, certificate) in &all {
        let short = name.trim_start_matches("CERT_");
        let mut violations = Vec::new();
        violations.extend(permissions.contains(&short).then_some(Violation::IssuerPermissions));
        violations.extend(regions.contains(&short).then_some(Violation::IssuerRegion));
        match receiver.verify_certificate(certificate.clone()) {
            Ok(issuers) => {
                assert!(violations.is_empty() && !MIXED.contains(&name.as_str()), "{name}");
                assert_eq!(issuers.is_empty(), certificate.issuer() == Issuer::Itself, "{name}");
                valid += 1;
            }
            Err(Fault::Certificate { fault, .. }) if MIXED.contains(&name.as_str()) => {
                assert_eq!(*fault, Fault::Signature, "{name}");
            }
            Err(Fault::Certificate { fault, .. }) => assert_eq!(*fault, Fault::Violations(violations), "{name}"),
            Err(fault) => {
                assert_eq!(fault, Fault::UntrustedRoot { digest: certificate.digest() }, "{name}");
                assert_eq!(short, "E7A4B2B045E7ACF9");
            }
        }
    }
    assert!(all.is_empty() || valid == 33, "{valid}");
}
