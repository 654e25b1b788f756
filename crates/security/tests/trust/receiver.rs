//! A `Verifier` and messages of TS 103 097 V1: parts of payloads, and revoked certificates.

use roadwire_security::{
    Attribute, Check, Contents, Encoded, Fault, Part, Permission, Report, Signer, SubjectType, Verdict, Verifier,
    Violation,
};

use crate::common::{First, Header, Second, Version};
use crate::forms::forms;
use crate::{Certificate, Content, MUNICH, cam, chain, key_of};

/// A receiver that trusts the root and the authority, or asks for no trust.
pub(crate) fn receiver<V: Version>(trusts: bool) -> Verifier {
    let mut receiver = Verifier::new();
    if trusts {
        receiver.trust(chain::<V>(SubjectType::RootCa)[0].octets()).unwrap();
        receiver.trust(chain::<V>(SubjectType::AuthorizationAuthority)[0].octets()).unwrap();
    }
    receiver
}

/// The octets of a message that the holder of the usual ticket signs.
fn signed<V: Version>(header: &Header, ticket: &Certificate<V>) -> Vec<u8> {
    let message = V::message(&Signer::Certificate(ticket.value()), header);
    Encoded::sign_message(message, &key_of(SubjectType::AuthorizationTicket)).unwrap().octets().to_vec()
}

fn violations(report: &Report) -> Vec<Violation> {
    match &report.fault {
        Some(Fault::Violations(found)) => found.clone(),
        None => Vec::new(),
        Some(fault) => panic!("{fault}"),
    }
}

/// The ticket's permissions are 01 02 for CAM, which allow an emergency container alone, and 03 for
/// DENM, whose version is not known.
fn parts_of_messages<V: Version>() {
    let ticket = &chain::<V>(SubjectType::AuthorizationTicket)[0];
    let denm = Header { its_aid: 37, place: Some(MUNICH), ..cam() };
    let of = Contents::of_application;
    let cases: [(&Header, Contents, &[Violation]); 9] = [
        (&cam(), of(36), &[]),
        (&cam(), of(36).with_part(Part::Emergency), &[]),
        (&cam(), of(36).with_part(Part::Rescue), &[Violation::Part]),
        (&cam(), of(36).with_part(Part::Emergency).with_part(Part::RightOfWay), &[Violation::Part]),
        (&cam(), of(36).with_part(Part::Emergency).followed_by_octets(), &[Violation::NotUnderstood]),
        (&cam(), of(37).with_part(Part::Cause(94)), &[Violation::Application, Violation::Part]),
        (&cam(), Contents::not_understood(), &[Violation::NotUnderstood]),
        (&denm, of(37), &[]),
        (&denm, of(37).with_part(Part::Cause(94)), &[Violation::PermissionsVersion]),
    ];
    for (trusts, best) in [(false, Verdict::Signed), (true, Verdict::Valid)] {
        for (header, contents, expected) in &cases {
            let case = format!("{}: {contents:?}", V::NAME);
            let octets = signed::<V>(header, ticket);
            let report = receiver::<V>(trusts).verify_contents(&octets, contents, None);
            let verdict = match expected {
                [] => best,
                [Violation::NotUnderstood | Violation::PermissionsVersion] => Verdict::Unsupported,
                _ => Verdict::Invalid,
            };
            assert_eq!((report.verdict, violations(&report)), (verdict, expected.to_vec()), "{case}");
            let ssp: &[u8] = if header.its_aid == 36 { &[1, 2] } else { &[3] };
            assert_eq!(report.permissions.as_deref(), Some(ssp), "{case}");
            let is_payload = expected.iter().all(|one| *one == Violation::PermissionsVersion);
            assert_eq!(report.checked.payload == Check::Yes, is_payload, "{case}");
        }
    }
}

#[test]
fn a_part_of_a_message_of_v1_needs_its_permission() {
    parts_of_messages::<First>();
    parts_of_messages::<Second>();
}

fn revoked<V: Version>() {
    let chain = chain::<V>(SubjectType::AuthorizationTicket);
    let octets = signed::<V>(&cam(), &chain[0]);
    let is_revoked = (Verdict::Invalid, vec![Violation::Revoked]);
    for (at, certificate) in chain.iter().enumerate() {
        let mut receiver = receiver::<V>(true);
        assert_eq!(receiver.verify(&octets, None).verdict, Verdict::Valid);
        receiver.revoke(certificate.hashed_id8());
        let report = receiver.verify(&octets, None);
        assert_eq!((report.verdict, violations(&report)), is_revoked, "{}: {at}", V::NAME);
    }
    // Without trust, the signer's alone is known.
    let mut receiver = Verifier::new();
    receiver.revoke(chain[1].hashed_id8());
    assert_eq!(receiver.verify(&octets, None).verdict, Verdict::Signed);
    receiver.revoke(chain[0].hashed_id8());
    let report = receiver.verify(&octets, None);
    assert_eq!((report.verdict, violations(&report)), is_revoked);
}

/// The holder of a revoked certificate writes its signature in another form, which its issuer's key
/// verifies as well.
fn revoked_in_another_form<V: Version>() {
    let ticket = &chain::<V>(SubjectType::AuthorizationTicket)[0];
    for octets in forms(ticket.octets()) {
        let other = Encoded::read(&octets).unwrap();
        for trusts in [true, false] {
            let mut receiver = receiver::<V>(trusts);
            let message = signed::<V>(&cam(), &other);
            assert_eq!(receiver.verify(&message, None).fault, None);
            receiver.revoke(ticket.hashed_id8());
            assert_eq!(violations(&receiver.verify(&message, None)), [Violation::Revoked], "{}", V::NAME);
        }
        // Nor does a missing chain hide it.
        let mut nobody = Verifier::new();
        nobody.trust(todays::root().octets()).unwrap();
        nobody.revoke(ticket.hashed_id8());
        assert_eq!(violations(&nobody.verify(&signed::<V>(&cam(), &other), None)), [Violation::Revoked]);
    }
}

#[test]
fn a_revoked_certificate_of_v1_is_revoked_in_every_form() {
    revoked_in_another_form::<First>();
    revoked_in_another_form::<Second>();
}

#[test]
fn a_revoked_certificate_of_v1_is_in_no_valid_chain() {
    revoked::<First>();
    revoked::<Second>();
}

fn memory<V: Version>() {
    let [_, authority, _] = chain::<V>(SubjectType::AuthorizationTicket).try_into().unwrap();
    let own = key_of(SubjectType::AuthorizationTicket);
    for (count, is_remembered) in [(40, true), (80, false)] {
        let others = (1000..1000 + count).map(|aid| Permission { aid, ssp: vec![0; 28] });
        let all = [Permission { aid: 36, ssp: vec![1, 2] }].into_iter().chain(others).collect();
        let content =
            Content { listed: Some(Attribute::Permissions(all)), ..Content::of(SubjectType::AuthorizationTicket) };
        let by = Signer::Digest(authority.hashed_id8());
        let ticket = content.sign::<V>(&by, &own, &key_of(SubjectType::AuthorizationAuthority));
        assert_eq!(ticket.octets().len() <= 2048, is_remembered);
        let mut receiver = Verifier::new();
        assert_eq!(receiver.verify(&signed::<V>(&cam(), &ticket), None).verdict, Verdict::Signed);
        let named = V::message(&Signer::Digest(ticket.hashed_id8()), &cam());
        let named = Encoded::sign_message(named, &own).unwrap();
        let expected = if is_remembered { Verdict::Signed } else { Verdict::UnknownSigner };
        assert_eq!(receiver.verify(named.octets(), None).verdict, expected, "{}: {count}", V::NAME);
    }
}

#[test]
fn a_certificate_of_v1_of_more_than_2048_octets_is_not_remembered() {
    memory::<First>();
    memory::<Second>();
}

/// A root of either version, and of today, asks messages of all versions for trust.
#[test]
fn a_trusted_root_asks_messages_of_all_versions_for_trust() {
    let first = signed::<First>(&cam(), &chain::<First>(SubjectType::AuthorizationTicket)[0]);
    let second = signed::<Second>(&cam(), &chain::<Second>(SubjectType::AuthorizationTicket)[0]);
    let roots = [
        chain::<First>(SubjectType::RootCa)[0].octets().to_vec(),
        chain::<Second>(SubjectType::RootCa)[0].octets().to_vec(),
        todays::root().octets().to_vec(),
    ];
    let today = todays::message().octets().to_vec();
    for message in [&first, &second, &today] {
        assert_eq!(Verifier::new().verify(message, None).verdict, Verdict::Signed);
        for root in &roots {
            let mut receiver = Verifier::new();
            receiver.trust(root).unwrap();
            assert_eq!(receiver.verify(message, None).verdict, Verdict::Untrusted);
        }
    }
}

/// A root and a message of IEEE 1609.2, which is not signed below it.
mod todays {
    use roadwire_security::dot2::{Certificate, Curve, SecretKey, Signed, SignerForm, schema};

    fn self_signed(number: u8) -> (Certificate, SecretKey) {
        let key = SecretKey::from_bytes(Curve::NistP256, &[number; 32]).unwrap();
        let mut content = schema::CertificateBase { version: 3, ..Default::default() };
        content.to_be_signed.id = schema::CertificateId::None(());
        content.to_be_signed.verify_key_indicator =
            schema::VerificationKeyIndicator::VerificationKey(key.public().unwrap());
        content.to_be_signed.app_permissions = Some(vec![schema::PsidSsp { psid: 36, ssp: None }]);
        (Certificate::sign(content, None, &key).unwrap(), key)
    }

    pub(super) fn root() -> Certificate {
        self_signed(1).0
    }

    pub(super) fn message() -> Signed {
        let (own, key) = self_signed(2);
        let header = schema::HeaderInfo { psid: 36, generation_time: Some(1), ..Default::default() };
        Signed::sign(b"payload", header, &own, SignerForm::Certificate, &key).unwrap()
    }
}
