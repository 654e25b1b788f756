//! Messages and certificates of IEEE 1609.2 that others signed, if present; they are test input and not part of the project.

#[path = "../../source/tests/support/shared.rs"]
mod shared;

use std::collections::BTreeMap;
use std::io::Read as _;

use roadwire_security::dot2::{Certificate, Curve, Issuer, Signed, Signer};
use roadwire_security::{Fault, HashedId8};
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

/// Five of them mix curves, and hash the signed part with the hash of the certificate's own key rather than with the one that the issuer's name tells (IEEE 1609.2 §6.4.7).
#[test]
fn certificates_are_signed_by_their_issuers() {
    let mixed = ["CERT_IUT_A_B3_AA", "CERT_IUT_A_B33_AT", "CERT_IUT_A_B3_AT", "CERT_IUT_A_B3_N_AT", "CERT_TS_B1_AT"];
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
        let expected = if mixed.contains(&name.as_str()) { Err(Fault::Signature) } else { certificate.own_key() };
        assert_eq!(found.map(Some), expected, "{name}");
        verified += 1;
    }
    assert!(all.is_empty() || verified == 59, "{verified}");
}
