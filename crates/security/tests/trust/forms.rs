//! The six forms of a signature that verify: one is canonical.

use roadwire_security::{Encoded, Fault, SecuredMessage, Signer, SubjectType, Verdict, Violation, check_certificate};

use crate::common::{First, Header, Second, Version, key};
use crate::receiver::receiver;
use crate::{cam, chain, key_of, trust};

/// The order of P-256.
#[rustfmt::skip]
const ORDER: [u8; 32] = [
    0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
];

fn order_less(s: &[u8; 32]) -> [u8; 32] {
    let (mut less, mut borrow) = ([0; 32], 0);
    for at in (0..32).rev() {
        let difference = i16::from(ORDER[at]) - i16::from(s[at]) - borrow;
        less[at] = difference.rem_euclid(256) as u8;
        borrow = i16::from(difference < 0);
    }
    less
}

/// Octets that end with a signature: the type of R, its x coordinate, and s. The first of the six
/// has the canonical form.
pub(crate) fn forms(octets: &[u8]) -> Vec<Vec<u8>> {
    let at = octets.len() - 65;
    assert_eq!(octets[at], 0);
    let mut less = octets.to_vec();
    let s: [u8; 32] = octets[at + 33..].try_into().unwrap();
    less[at + 33..].copy_from_slice(&order_less(&s));
    let with = |octets: &[u8], type_of_r| [&octets[..at], &[type_of_r], &octets[at + 1..]].concat();
    [octets, &less].iter().flat_map(|octets| [0, 2, 3].map(|type_of_r| with(octets, type_of_r))).collect()
}

fn six_forms<V: Version>() {
    let ticket = chain::<V>(SubjectType::AuthorizationTicket).remove(0);
    let mut trust = trust::<V>();
    let message = V::message(&Signer::Certificate(ticket.value()), &cam());
    let message = Encoded::sign_message(message, &key_of(SubjectType::AuthorizationTicket)).unwrap();
    let malleable = Fault::Violations(vec![Violation::SignatureForm]);
    for (at, octets) in forms(message.octets()).iter().enumerate() {
        let case = format!("{}, form {at}", V::NAME);
        let same = Encoded::<V::Message>::read(octets).unwrap();
        let canonical = at == 0;
        assert_eq!(same.value().signature().unwrap().is_canonical(), canonical, "{case}");
        let flagged = if canonical { vec![] } else { vec![Violation::SignatureForm] };
        assert_eq!(roadwire_security::check_message(same.value()), flagged, "{case}");
        // The same key for a replay filter.
        assert_eq!(same.message_hash(), message.message_hash(), "{case}");
        trust.tolerate(Violation::SignatureForm);
        let verified = trust.verify(&same).unwrap();
        assert_eq!((Ok(verified.hash), verified.tolerated), (message.message_hash(), flagged), "{case}");
        trust.refuse(Violation::SignatureForm);
        let verified = trust.verify(&same).map(drop);
        assert_eq!(verified, if canonical { Ok(()) } else { Err(malleable.clone()) }, "{case}");
    }
    trust.tolerate(Violation::SignatureForm);
    for (at, octets) in forms(ticket.octets()).iter().enumerate() {
        let case = format!("{}, certificate, form {at}", V::NAME);
        let same = Encoded::<V::Certificate>::read(octets).unwrap();
        let flagged = if at == 0 { vec![] } else { vec![Violation::SignatureForm] };
        assert_eq!(check_certificate(same.value()), flagged, "{case}");
        assert_eq!(trust.verify_certificate(&same).map(drop), Ok(()), "{case}");
        assert_eq!(same.certificate_hash(), ticket.certificate_hash(), "{case}");
        // Digests do not depend on the form of R, but on s.
        assert_eq!(same.hashed_id8() == ticket.hashed_id8(), at < 3, "{case}");
    }
    // A certificate is known by its octets: in another form, with the same digest, it is judged
    // anew.
    trust.add(ticket.clone()).unwrap();
    trust.refuse(Violation::SignatureForm);
    for (at, octets) in forms(ticket.octets()).iter().enumerate() {
        let same = Encoded::<V::Certificate>::read(octets).unwrap();
        let refused = Fault::Certificate { digest: same.hashed_id8(), fault: Box::new(malleable.clone()) };
        let expected = if at == 0 { Ok(()) } else { Err(refused) };
        assert_eq!(trust.verify_certificate(&same).map(drop), expected, "{}, known certificate, form {at}", V::NAME);
    }
    // Another message, and another certificate.
    let later = Header { times: vec![150_000_001], ..cam() };
    let later = V::message(&Signer::Certificate(ticket.value()), &later);
    let later = Encoded::sign_message(later, &key_of(SubjectType::AuthorizationTicket)).unwrap();
    assert_ne!(later.message_hash(), message.message_hash());
    let other = chain::<V>(SubjectType::EnrollmentCredential).remove(0);
    assert_ne!(other.certificate_hash(), ticket.certificate_hash());
}

/// Of the six valid octet strings for one message, one is canonical; filters see a single message.
#[test]
fn of_six_forms_of_a_signature_one_is_canonical() {
    six_forms::<First>();
    six_forms::<Second>();
}

/// Each form of a message but the one that was heard first is a copy.
fn copies<V: Version>() {
    let ticket = chain::<V>(SubjectType::AuthorizationTicket).remove(0);
    let sign = |header: &Header| {
        let message = V::message(&Signer::Certificate(ticket.value()), header);
        Encoded::sign_message(message, &key_of(SubjectType::AuthorizationTicket)).unwrap()
    };
    let (forms, later) = (forms(sign(&cam()).octets()), sign(&Header { times: vec![150_000_001], ..cam() }));
    for (trusts, verdict) in [(false, Verdict::Signed), (true, Verdict::Valid)] {
        for heard in 0..forms.len() {
            let mut receiver = receiver::<V>(trusts);
            assert!(!receiver.verify(&forms[heard], None).is_altered_copy);
            for (at, octets) in forms.iter().enumerate() {
                let case = format!("{}, form {at} after {heard}", V::NAME);
                let report = receiver.verify(octets, None);
                assert_eq!((report.verdict, report.is_altered_copy), (verdict, at != heard), "{case}");
                let noted = if at == 0 { vec![] } else { vec![Violation::SignatureForm] };
                assert_eq!(report.noted, noted, "{case}");
            }
            assert!(!receiver.verify(later.octets(), None).is_altered_copy, "another message");
        }
    }
}

#[test]
fn a_second_form_of_a_message_of_v1_is_an_altered_copy() {
    copies::<First>();
    copies::<Second>();
}

/// Signing gives an s of at most half the order.
#[test]
fn signatures_are_made_in_the_canonical_form() {
    for number in 1..50 {
        assert!(key(7).sign(&[number]).is_canonical());
    }
}
