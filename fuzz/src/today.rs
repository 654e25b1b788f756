//! Any octets as a secured message of IEEE 1609.2: valid messages must have been signed by a
//! permitted signer.

use std::sync::OnceLock;

use roadwire_security::Verdict;
use roadwire_security::dot2::{Certificate, Curve, SecretKey, Signed, SignerForm, Verifier, schema};

/// In seconds since 2004: the start of the certificates' hour.
const START: u32 = 568_080_005;
const NOW: u64 = (START as u64 + 60) * 1_000_000;

/// The octets are a message, and also a certificate.
pub fn message_of_today_verified(input: &[u8]) {
    static WORLD: OnceLock<World> = OnceLock::new();
    let world = WORLD.get_or_init(World::new);
    let report = world.receiver.clone().verify(input, Some(NOW));
    if report.verdict == Verdict::Valid {
        let message = Signed::read(input).expect("it was valid");
        let ours = world.messages.iter().any(|one| one.to_be_signed() == message.to_be_signed());
        assert!(ours, "a message that nobody signed: {message:?}");
    } else {
        assert!(report.fault.is_some(), "no reason: {report:?}");
    }
    let Ok((certificate, length)) = Certificate::read_first(input) else { return };
    assert!(certificate.octets() == &input[..length], "other octets");
    let keys = world.certificates.iter().filter_map(|issuer| Some((issuer, issuer.own_key().ok()??)));
    for (issuer, key) in keys {
        // The key of an implicit certificate comes out for any issuer that it names.
        if certificate.key_under(issuer, &key).is_ok() && certificate.value().signature.is_some() {
            let ours =
                world.certificates.iter().any(|one| one.value().to_be_signed == certificate.value().to_be_signed);
            assert!(ours, "a certificate that nobody issued: {certificate:?}");
        }
    }
}

/// Messages that are valid, by digest and by certificate, on all curves; and certificates.
pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let world = World::new();
    let certificates = world.certificates.iter().map(Certificate::octets);
    world.messages.iter().map(Signed::octets).chain(certificates).map(<[u8]>::to_vec).collect()
}

/// A receiver that knows some signers, and everything that they have signed.
struct World {
    receiver: Verifier,
    certificates: Vec<Certificate>,
    messages: Vec<Signed>,
}

impl World {
    fn new() -> World {
        let keys: Vec<SecretKey> = (1..).zip(Curve::ALL).map(|(number, curve)| key(curve, number)).collect();
        let all = schema::PsidGroupPermissions {
            subject_permissions: schema::SubjectPermissions::All(()),
            min_chain_length: 1,
            chain_length_range: 1,
            ee_type: schema::EndEntityType(schema::EndEntityType::APP),
        };
        let mut authority = content(&keys[0]);
        authority.to_be_signed.cert_issue_permissions = Some(vec![all]);
        let root = Certificate::sign(authority, None, &keys[0]).expect("a root");
        let ticket = |key: &SecretKey| {
            let mut ticket = content(key);
            ticket.to_be_signed.app_permissions = Some(vec![schema::PsidSsp { psid: 36, ssp: None }]);
            ticket
        };
        let sign = |key| Certificate::sign(ticket(key), Some(&root), &keys[0]).expect("a ticket");
        let mut signers: Vec<(Certificate, SecretKey)> = keys.iter().map(|key| (sign(key), key.clone())).collect();
        let numbers = [&key(Curve::NistP256, 8), &key(Curve::NistP256, 9)];
        let implicit = Certificate::issue_implicit(ticket(&keys[0]), &root, &keys[0], numbers);
        signers.push(implicit.expect("an implicit certificate"));
        let mut receiver = Verifier::new();
        receiver.trust(root.clone()).expect("a root");
        let (mut certificates, mut messages) = (vec![root], Vec::new());
        for (certificate, key) in &signers {
            receiver.add(certificate.clone());
            certificates.push(certificate.clone());
            for form in [SignerForm::Digest, SignerForm::Certificate] {
                let header = schema::HeaderInfo { psid: 36, generation_time: Some(NOW), ..Default::default() };
                let message = Signed::sign(b"payload", header, certificate, form, key).expect("a message");
                let report = receiver.clone().verify(message.octets(), Some(NOW));
                assert!(report.verdict == Verdict::Valid, "{report:?} of {message:?}");
                messages.push(message);
            }
        }
        World { receiver, certificates, messages }
    }
}

fn key(curve: Curve, number: u8) -> SecretKey {
    SecretKey::from_bytes(curve, &vec![number; curve.octets()]).expect("a key")
}

fn content(key: &SecretKey) -> schema::CertificateBase {
    let mut value = schema::CertificateBase { version: 3, ..Default::default() };
    value.to_be_signed.id = schema::CertificateId::None(());
    value.to_be_signed.validity_period = schema::ValidityPeriod { start: START, duration: schema::Duration::Hours(1) };
    let public = key.public().expect("a key");
    value.to_be_signed.verify_key_indicator = schema::VerificationKeyIndicator::VerificationKey(public);
    value
}
