//! Messages and certificates signed by others, if present; they are test input and not part of the
//! project.

#[path = "../../source/tests/support/shared.rs"]
mod shared;

use roadwire_messages::{ts103097_1_1_1 as v1, ts103097_1_2_1 as v2};
use roadwire_security::{
    Certificate, Encoded, Fault, SecuredMessage, Signature, Signer, SubjectType, Trust, Violation, check_certificate,
    check_issued, check_message, check_signed,
};
use serde_json::Value as Json;

/// Name, octets, and digest if there is one; empty if the file is missing.
fn vectors(file: &str) -> Vec<(String, Vec<u8>, Json)> {
    let Some(text) = shared::shared_text(&format!("vectors/envelope/{file}")) else { return Vec::new() };
    let list: Vec<Json> = serde_json::from_str(&text).unwrap();
    list.into_iter().map(|one| (one["name"].to_string(), hex(one["hex"].as_str().unwrap()), one)).collect()
}

fn hex(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// All certificates of a file, each of which has the digest on file and is issued by one of the
/// others, or by one that it contains, up to a root.
fn certificates<C: Certificate>(file: &str, at_least: usize) {
    let all = vectors(file);
    assert!(all.is_empty() || all.len() >= at_least, "{file}: {}", all.len());
    let read: Vec<Encoded<C>> = all.iter().map(|(_, octets, _)| Encoded::read(octets).unwrap()).collect();
    let mut trust = Trust::new();
    for ((name, octets, facts), certificate) in all.iter().zip(&read) {
        assert_eq!(certificate.octets(), octets, "{name}");
        assert_eq!(certificate.hashed_id8().to_vec(), hex(facts["hashedid8"].as_str().unwrap()), "{name}");
        let carried = certificate.carried().unwrap();
        let (issuers, others): (Vec<_>, Vec<_>) = read
            .iter()
            .chain(&carried)
            .partition(|issuer| certificate.verify_certificate(issuer) != Err(Fault::Signer));
        assert!(!issuers.is_empty(), "{name} names none");
        // The authorization ticket lists its applications without permissions.
        let broken = if name.contains("ticket") && C::VERSION == 1 { vec![Violation::Permissions] } else { vec![] };
        for issuer in &issuers {
            assert_eq!(check_issued(certificate, issuer), [], "{name}");
            let verified = certificate.verify_certificate(issuer);
            let refused = Fault::Violations(broken.clone());
            assert_eq!(verified, if broken.is_empty() { Ok(()) } else { Err(refused) }, "{name}");
        }
        let signed = certificate.value().signature().unwrap();
        assert_eq!(facts["tbs_octets"], octets.len() - 66, "{name}: {signed:?}");
        assert!(!others.is_empty(), "{name}");

        // The same up to the root, if a rule is tolerated.
        broken.into_iter().for_each(|violation| trust.tolerate(violation));
        let root = certificate.value().subject_type() == SubjectType::RootCa;
        let certificate = certificate.clone();
        let added = if root { trust.add_root(certificate) } else { trust.add(certificate) };
        assert!(added.is_ok(), "{name}: {added:?}");
    }
}

#[test]
fn certificates_are_signed_by_their_issuers() {
    certificates::<v1::Certificate>("ts103097-v1.1.1-certs.json", 5);
    certificates::<v2::Certificate>("ts103097-v1.2.1-certs-ts103096-3.json", 5);
}

#[test]
fn messages_are_signed_by_the_certificates_that_they_carry() {
    let all = vectors("ts103097-v1.1.1-messages.json");
    assert!(all.is_empty() || all.len() >= 3);
    for (name, octets, facts) in all {
        let message = Encoded::<v1::SecuredMessage>::read(&octets).unwrap();
        let certificates = message.certificates().unwrap();
        let [certificate] = certificates.as_slice() else { panic!("{name}: {certificates:?}") };
        assert_eq!(certificate.octets().len() as u64, facts["cert_len"].as_u64().unwrap(), "{name}");
        assert_eq!(certificate.hashed_id8().to_vec(), hex(facts["cert_hashedid8"].as_str().unwrap()), "{name}");
        assert_eq!(message.verify_signature(&certificate.verification_key().unwrap()), Ok(()), "{name}");
        // Its issuer's certificate is not available.
        let Signer::Digest(digest) = certificate.value().signer() else { panic!("{name}") };
        let verified = Trust::new().verify(&message).map(drop);
        assert_eq!(verified, Err(Fault::UnknownCertificate { digest }), "{name}");
    }
}

/// Their certificates are genuine, and so nothing but the signature is wrong with them.
#[test]
fn messages_that_were_edited_do_not_verify() {
    for (name, octets, _) in vectors("ts103097-v1.2.1-messages-parse-only.json") {
        let message = Encoded::<v2::SecuredMessage>::read(&octets).unwrap();
        let certificates = message.certificates().unwrap();
        let key = certificates[0].verification_key().unwrap();
        assert_eq!(message.verify_signature(&key), Err(Fault::Signature), "{name}");
    }
    for (name, octets, _) in vectors("ts103097-v1.1.1-messages-dummy-sig.json") {
        let message = Encoded::<v1::SecuredMessage>::read(&octets).unwrap();
        let certificates = message.certificates().unwrap();
        // One of the three does have a signature: it is a copy of the first signed one.
        let keys = certificates.iter().map(|certificate| certificate.verification_key().unwrap());
        let verified = keys.map(|key| message.verify_signature(&key));
        assert!(verified.eq(if octets.len() == 362 { vec![Ok(())] } else { vec![] }), "{name}");
    }
}

/// Their violations of the rules on content: two implementations ignore one rule each, and neither
/// checks the form of signatures, which the standard leaves open.
#[test]
fn rules_on_content() {
    let flagged = |signature: Signature| (!signature.is_canonical()).then_some(Violation::SignatureForm);
    for (name, octets, _) in vectors("ts103097-v1.1.1-certs.json") {
        let certificate = Encoded::<v1::Certificate>::read(&octets).unwrap();
        let mut expected: Vec<_> = flagged(certificate.value().signature().unwrap()).into_iter().collect();
        // The authorization ticket lists its applications without permissions.
        expected.extend(name.contains("ticket").then_some(Violation::Permissions));
        assert_eq!(check_certificate(certificate.value()), expected, "{name}");
    }
    for (name, octets, _) in vectors("ts103097-v1.2.1-certs-ts103096-3.json") {
        let certificate = Encoded::<v2::Certificate>::read(&octets).unwrap();
        let expected: Vec<_> = flagged(certificate.value().signature().unwrap()).into_iter().collect();
        assert_eq!(check_certificate(certificate.value()), expected, "{name}");
    }
    for (name, octets, _) in vectors("ts103097-v1.1.1-messages.json") {
        let message = Encoded::<v1::SecuredMessage>::read(&octets).unwrap();
        let [certificate] = message.certificates().unwrap().try_into().unwrap();
        let of_message = flagged(message.value().signature().unwrap());
        let mut expected: Vec<_> = of_message.into_iter().collect();
        expected.extend(flagged(certificate.value().signature().unwrap()));
        // The certificates' encryption keys claim the signature algorithm.
        expected.push(Violation::Key);
        assert_eq!(check_message(message.value()), expected, "{name}");
        // They list applications 16512 and 16513, which test networks used before CAM got 36.
        expected.push(Violation::NotPermitted);
        assert_eq!(check_signed(&message, &certificate), expected, "{name}");
    }
}
