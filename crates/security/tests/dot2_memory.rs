//! Other senders cannot spoil a receiver's memory of messages of IEEE 1609.2.

mod chain;

use chain::*;
use roadwire_messages::ieee1609dot2_2022 as schema;
use roadwire_security::dot2::{Certificate, Curve, ProfileChoice, SecretKey, Signed, SignerForm, Verifier};
use roadwire_security::{Fault, HashedId8, Verdict};

#[test]
fn a_key_off_the_curve_is_refused_when_a_certificate_is_read() {
    let chain = Chain::plain();
    for certificate in &chain.certificates {
        assert_eq!(Certificate::read(&encoded(&off_curve(certificate))), Err(Fault::Key));
    }
}

#[test]
fn an_issuer_in_a_message_of_others_spoils_no_station() {
    let chain = Chain::plain();
    for receiver in [Verifier::new(), chain.receiver()] {
        let mut receiver = receiver;
        let attack = attack(&[off_curve(&chain.certificates[2])], None);
        assert_eq!(receiver.verify(&attack, Some(NOW)).verdict, Verdict::Invalid);
        let full = chain.message(SignerForm::Certificate, |_| {});
        let report = receiver.verify(full.octets(), Some(NOW));
        assert_eq!((report.fault, report.is_altered_copy), (None, false));
        for _ in 0..3 {
            assert_eq!(receiver.verify(&attack, Some(NOW)).verdict, Verdict::Invalid);
            let named = chain.message(SignerForm::Digest, |_| {});
            assert_eq!(receiver.verify(named.octets(), Some(NOW)).fault, None);
        }
    }
}

#[test]
fn a_requested_certificate_of_others_spoils_no_authority() {
    let chain = Chain::plain();
    let [root, authority, _] = &chain.certificates;
    let mut receiver = Verifier::new();
    receiver.trust(root.clone()).unwrap();
    receiver.verify(&attack(&[], Some(off_curve(authority))), Some(NOW));
    let message = chain.message(SignerForm::Certificate, |_| {});
    let missing = Fault::UnknownCertificate { digest: authority.digest() };
    assert_eq!(receiver.verify(message.octets(), Some(NOW)).fault, Some(missing));
    // The genuine one, which a stranger may pass on.
    receiver.verify(&attack(&[], Some(authority.value().clone())), Some(NOW));
    for form in [SignerForm::Certificate, SignerForm::Digest] {
        let report = receiver.verify(chain.message(form, |_| {}).octets(), Some(NOW));
        assert_eq!(report.fault, None, "{form:?}");
    }
    let message = chain.message(SignerForm::Certificate, |header| {
        header.requested_certificate = Some(off_curve(authority));
    });
    receiver.verify(message.octets(), Some(NOW));
    let report = receiver.verify(chain.message(SignerForm::Digest, |_| {}).octets(), Some(NOW));
    assert_eq!(report.fault, None);
}

/// Stations of an attacker's, and one message of each, signed by its digest.
fn invented(count: u8) -> Vec<(Certificate, Vec<u8>)> {
    let one = |number: u8| {
        let own = SecretKey::from_bytes(Curve::NistP256, &[number; 32]).unwrap();
        let certificate = Certificate::sign(ticket(&own), None, &own).unwrap();
        let header = schema::HeaderInfo { psid: CAM, generation_time: Some(NOW), ..Default::default() };
        let message = Signed::sign(b"payload", header, &certificate, SignerForm::Digest, &own).unwrap();
        (certificate, message.octets().to_vec())
    };
    (100..100 + count).map(one).collect()
}

/// Eight KiB of memory, whatever the number of messages. The station itself is not among them, nor
/// is one that was heard before forgotten.
#[test]
fn a_sender_adds_a_bounded_number_of_certificates_of_others() {
    let chain = Chain::plain();
    let mut receiver = Verifier::new();
    // The profile has one certificate in a message.
    receiver.set_profile(ProfileChoice::None);
    let full = chain.message(SignerForm::Certificate, |_| {});
    assert_eq!(receiver.verify(full.octets(), Some(NOW)).fault, None);
    let invented = invented(35);
    for few in invented.chunks(7) {
        let certificates: Vec<_> = few.iter().map(|(certificate, _)| certificate.value().clone()).collect();
        let attack = attack(&certificates, None);
        assert_eq!(receiver.verify(&attack, Some(NOW)).fault, None);
    }
    let is_known = |message: &[u8]| receiver.clone().verify(message, Some(NOW)).verdict != Verdict::UnknownSigner;
    let known = invented.iter().filter(|(_, message)| is_known(message)).count();
    assert!((3..=20).contains(&known), "{known}");
    assert!(is_known(chain.message(SignerForm::Digest, |_| {}).octets()));
    // Another sender has its own share, and a message of the holder's own needs none.
    let first_unknown = invented.iter().position(|(_, message)| !is_known(message)).unwrap();
    let (certificate, message) = &invented[first_unknown];
    let digest: HashedId8 = certificate.digest();
    let passed_on = chain.message(SignerForm::Certificate, |header| {
        header.requested_certificate = Some(certificate.value().clone());
    });
    receiver.verify(passed_on.octets(), Some(NOW));
    assert_eq!(receiver.verify(message, Some(NOW)).signer, Some(digest));
}

/// A certificate with many permissions takes many times its octets as a value.
#[test]
fn a_long_chain_in_a_message_is_read_as_far_as_it_can_count() {
    let chain = Chain::plain();
    let many = vec![off_curve(&chain.certificates[0]); 30];
    let own = key(Curve::NistP256, 98);
    let certificate = Certificate::sign(ticket(&own), None, &own).unwrap();
    let fillers = vec![certificate.value().clone(); 7];
    let mut receiver = Verifier::new();
    receiver.set_profile(ProfileChoice::None);
    assert_eq!(receiver.verify(&attack(&[fillers, many].concat(), None), Some(NOW)).fault, None);
}

/// The same of certificates that a sender passes on because another station asked for them.
#[test]
fn a_sender_passes_on_a_bounded_number_of_requested_certificates() {
    let chain = Chain::plain();
    for mut receiver in [Verifier::new(), chain.receiver()] {
        let invented = invented(35);
        for (certificate, _) in &invented {
            let message = chain.message(SignerForm::Certificate, |header| {
                header.requested_certificate = Some(certificate.value().clone());
            });
            assert_eq!(receiver.verify(message.octets(), Some(NOW)).fault, None);
        }
        let is_known = |message: &[u8]| receiver.clone().verify(message, Some(NOW)).verdict != Verdict::UnknownSigner;
        let known = invented.iter().filter(|(_, message)| is_known(message)).count();
        assert!((3..=20).contains(&known), "{known}");
    }
}

/// Values of long certificates take many times their octets.
#[test]
fn a_certificate_of_more_than_2048_octets_is_not_remembered() {
    for (permissions, is_remembered) in [(200, true), (400, false)] {
        let chain = Chain::new([Curve::NistP256; 3], |at, value| {
            if at == 2 {
                let many = (1000..1000 + permissions).map(|psid| permission(psid, &[1]));
                value.to_be_signed.app_permissions.as_mut().unwrap().extend(many);
            }
        });
        assert_eq!(chain.certificates[2].octets().len() <= 2048, is_remembered);
        let mut receiver = chain.receiver();
        let full = chain.message(SignerForm::Certificate, |_| {});
        assert_eq!(receiver.verify(full.octets(), Some(NOW)).verdict, Verdict::Valid);
        let named = chain.message(SignerForm::Digest, |_| {});
        let expected = if is_remembered { Verdict::Valid } else { Verdict::UnknownSigner };
        assert_eq!(receiver.verify(named.octets(), Some(NOW)).verdict, expected, "{permissions}");
    }
}
