//! Who may issue a certificate: `Verifier::verify_certificate`, for end entities and authorities
//! (IEEE 1609.2 §5.1.2 and §6.4).

mod chain;

use chain::*;
use roadwire_messages::ieee1609dot2_2022 as schema;
use roadwire_security::dot2::{Certificate, Curve, SecretKey, Verifier};
use roadwire_security::{Fault, Verdict, Violation};
use schema::{EndEntityType, PsidGroupPermissions as Group, SspRange, SubjectPermissions};

const APP: u8 = EndEntityType::APP;
const ENROLL: u8 = EndEntityType::ENROLL;

fn of_curve(number: u8) -> SecretKey {
    key(Curve::NistP256, number)
}

fn receiver(chain: &Chain) -> Verifier {
    let mut receiver = chain.receiver();
    receiver.add(chain.certificates[2].clone());
    receiver
}

fn group(ranges: Option<Vec<schema::PsidSspRange>>, least: i64, range: i64, ends: u8) -> Group {
    Group {
        subject_permissions: match ranges {
            Some(ranges) => SubjectPermissions::Explicit(ranges),
            None => SubjectPermissions::All(()),
        },
        min_chain_length: least,
        chain_length_range: range,
        ee_type: EndEntityType(ends),
    }
}

fn range(psid: u64, ssp_range: Option<SspRange>) -> schema::PsidSspRange {
    schema::PsidSspRange { psid, ssp_range }
}

fn bitmap(value: &[u8], mask: &[u8]) -> Option<SspRange> {
    let range = schema::BitmapSspRange { ssp_value: octets(value), ssp_bitmask: octets(mask) };
    Some(SspRange::BitmapSspRange(range))
}

fn opaque(all: &[&[u8]]) -> Option<SspRange> {
    Some(SspRange::Opaque(all.iter().map(|one| roadwire_wire::OctetString(one.to_vec())).collect()))
}

/// The violations of a certificate's chain.
fn found(receiver: &mut Verifier, certificate: &Certificate) -> Vec<Violation> {
    match receiver.verify_certificate(certificate.clone()) {
        Ok(_) => Vec::new(),
        Err(Fault::Certificate { fault, .. }) => match *fault {
            Fault::Violations(found) => found,
            fault => panic!("{fault}"),
        },
        Err(fault) => panic!("{fault}"),
    }
}

#[test]
fn a_ticket_issues_nothing() {
    let chain = Chain::plain();
    let mut receiver = receiver(&chain);
    let own = of_curve(9);
    let enrolment = || {
        let mut value = content(&own);
        value.to_be_signed.cert_request_permissions = Some(vec![group(None, 1, 0, APP)]);
        value
    };
    let both = || {
        let mut value = authority(&own, 1);
        value.to_be_signed.app_permissions = Some(vec![permission(CAM, &[1, 0x80])]);
        value
    };
    for value in [authority(&own, 1), authority(&own, 0), ticket(&own), enrolment(), both()] {
        let certificate = Certificate::sign(value, Some(&chain.certificates[2]), &chain.key).unwrap();
        let found = found(&mut receiver, &certificate);
        assert!(matches!(found[..], [Violation::IssuerPermissions] | [Violation::Permissions]), "{found:?}");
    }
    let numbers = [&of_curve(7), &of_curve(8)];
    let (implicit, _) =
        Certificate::issue_implicit(authority(&own, 1), &chain.certificates[2], &chain.key, numbers).unwrap();
    assert_eq!(found(&mut receiver, &implicit), [Violation::IssuerPermissions]);
}

#[test]
fn a_message_below_a_ticket_is_untrusted() {
    let chain = Chain::plain();
    let [root, authority, ticket_] = &chain.certificates;
    let own = of_curve(9);
    let ca = Certificate::sign(chain::authority(&own, 1), Some(ticket_), &chain.key).unwrap();
    let end = of_curve(10);
    let leaf = Certificate::sign(ticket(&end), Some(&ca), &own).unwrap();
    let below = Chain { certificates: [root.clone(), authority.clone(), leaf], key: end };
    let mut receiver = receiver(&chain);
    receiver.add(ca);
    let message = below.message(roadwire_security::dot2::SignerForm::Certificate, |_| {});
    assert_eq!(receiver.verify(message.octets(), Some(NOW)).verdict, Verdict::Untrusted);
}

/// A root, and an authority with these permissions to issue, which the root may give or not.
fn delegated(roots: Vec<Group>, own: Vec<Group>) -> bool {
    let keys = [of_curve(1), of_curve(2)];
    let mut root = authority(&keys[0], 2);
    root.to_be_signed.cert_issue_permissions = Some(roots);
    let root = Certificate::sign(root, None, &keys[0]).unwrap();
    let mut value = authority(&keys[1], 1);
    value.to_be_signed.cert_issue_permissions = Some(own);
    let certificate = Certificate::sign(value, Some(&root), &keys[0]).unwrap();
    let mut receiver = Verifier::new();
    receiver.trust(root).unwrap();
    found(&mut receiver, &certificate).is_empty()
}

#[test]
fn chain_lengths_go_down() {
    let lengths = |roots: [i64; 2], own: [i64; 2]| {
        let all = |[least, range]: [i64; 2]| vec![group(None, least, range, APP)];
        delegated(all(roots), all(own))
    };
    for (roots, own, is_right) in [
        ([2, 0], [1, 0], true),
        ([1, 0], [1, 0], false),
        ([1, 1], [1, 0], true),
        ([1, -1], [1, 0], true),
        ([1, -1], [7, -1], true),
        ([2, 0], [2, 0], false),
        ([3, 0], [1, 0], false),
        ([3, 0], [1, 1], true),
        ([3, 0], [1, -1], true),
        ([2, 1], [2, 0], true),
        ([2, 1], [3, 0], false),
        ([2, -2], [1, 0], false),
        ([2, 0], [1, -2], false),
        ([2, 0], [0, 1], false),
        ([0, 2], [1, 0], false),
    ] {
        assert_eq!(lengths(roots, own), is_right, "{roots:?} {own:?}");
    }
}

#[test]
fn kinds_of_end_entities_go_down() {
    let ends = |roots: u8, own: u8| delegated(vec![group(None, 2, 0, roots)], vec![group(None, 1, 0, own)]);
    assert!(ends(APP, APP) && ends(ENROLL, ENROLL) && ends(APP | ENROLL, APP) && ends(APP, APP | ENROLL));
    assert!(!ends(APP, ENROLL) && !ends(ENROLL, APP));
}

#[test]
fn ranges_of_permissions_go_down() {
    let given = |roots: Vec<schema::PsidSspRange>, own: Vec<schema::PsidSspRange>| {
        delegated(vec![group(Some(roots), 2, 0, APP)], vec![group(Some(own), 1, 0, APP)])
    };
    let one = |roots: Option<SspRange>, own: Option<SspRange>| given(vec![range(36, roots)], vec![range(36, own)]);
    let all = Some(SspRange::All(()));
    let wide = || bitmap(&[1, 0xff], &[0xff, 0]);
    for (roots, own, is_right) in [
        (None, None, true),
        (None, all.clone(), true),
        (all.clone(), None, true),
        (None, wide(), true),
        (None, opaque(&[&[1]]), true),
        (wide(), None, false),
        (wide(), all.clone(), false),
        (wide(), opaque(&[&[1, 0]]), false),
        (wide(), wide(), true),
        (wide(), bitmap(&[1, 0xff], &[0xff, 0xf0]), true),
        (wide(), bitmap(&[1, 0x0f], &[0xff, 0xff]), true),
        (wide(), bitmap(&[2, 0xff], &[0xff, 0]), false),
        (wide(), bitmap(&[1, 0xff], &[0x7f, 0]), false),
        (wide(), bitmap(&[1, 0xff], &[0xff]), false),
        (bitmap(&[1, 0xff], &[0xff]), wide(), false),
        (bitmap(&[1, 0xf0], &[0xff, 0x0f]), wide(), false),
        (bitmap(&[1, 0xf0], &[0xff, 0x0f]), bitmap(&[1], &[0xff]), false),
        (bitmap(&[1], &[0xff]), bitmap(&[1, 0xff], &[0xff, 0]), true),
        (opaque(&[&[1], &[2]]), opaque(&[&[2]]), true),
        (opaque(&[&[1], &[2]]), opaque(&[&[2], &[3]]), false),
        (opaque(&[&[1]]), None, false),
        (opaque(&[&[1]]), wide(), false),
    ] {
        assert_eq!(one(roots.clone(), own.clone()), is_right, "{roots:?} {own:?}");
    }
    assert!(given(vec![range(36, None), range(37, None)], vec![range(37, None)]));
    assert!(!given(vec![range(36, None)], vec![range(36, None), range(37, None)]));
    // 292 and 36 have the same last octet.
    assert!(!given(vec![range(292, None)], vec![range(36, None)]));
}

#[test]
fn all_other_applications_are_those_that_no_group_lists() {
    let rest = |least| group(None, least, 0, APP);
    let listed = |least, ssp| group(Some(vec![range(36, ssp)]), least, 0, APP);
    let narrow = || bitmap(&[1, 0], &[0xff, 0xff]);
    assert!(delegated(vec![rest(2)], vec![listed(1, None)]));
    assert!(!delegated(vec![listed(2, narrow()), rest(2)], vec![listed(1, None)]));
    assert!(delegated(vec![listed(2, narrow()), rest(2)], vec![listed(1, narrow()), rest(1)]));
    assert!(!delegated(vec![listed(2, None)], vec![rest(1)]));
    assert!(!delegated(vec![rest(2), rest(2)], vec![rest(1)]), "the root has two groups for all others");
    assert!(!delegated(vec![rest(2)], vec![rest(1), rest(1)]));
}

#[test]
fn permissions_to_request_are_an_issuers_to_give() {
    let keys = [of_curve(1), of_curve(2), of_curve(3)];
    let requests = |issuers: Vec<Group>, own: Vec<Group>| {
        let mut root = authority(&keys[0], 2);
        root.to_be_signed.cert_issue_permissions = Some(vec![group(None, 1, -1, APP | ENROLL)]);
        let root = Certificate::sign(root, None, &keys[0]).unwrap();
        let mut value = authority(&keys[1], 1);
        value.to_be_signed.cert_issue_permissions = Some(issuers);
        let issuer = Certificate::sign(value, Some(&root), &keys[0]).unwrap();
        let mut value = content(&keys[2]);
        value.to_be_signed.cert_request_permissions = Some(own);
        let certificate = Certificate::sign(value, Some(&issuer), &keys[1]).unwrap();
        let mut receiver = Verifier::new();
        receiver.trust(root).unwrap();
        receiver.add(issuer);
        found(&mut receiver, &certificate)
    };
    let of = |psid, least, ends| vec![group(Some(vec![range(psid, None)]), least, 0, ends)];
    assert_eq!(requests(of(36, 1, ENROLL), of(36, 1, APP)), []);
    assert_eq!(requests(of(36, 1, ENROLL), of(36, 0, APP)), [], "a length of 0 is for requests");
    assert_eq!(requests(of(36, 1, APP), of(36, 1, APP)), [Violation::IssuerPermissions]);
    assert_eq!(requests(of(36, 2, ENROLL), of(36, 1, APP)), [Violation::IssuerPermissions]);
    assert_eq!(requests(of(37, 1, ENROLL), of(36, 1, APP)), [Violation::IssuerPermissions]);
    let all = || vec![group(None, 1, 0, ENROLL)];
    assert_eq!(requests(all(), of(36, 1, APP)), []);
    assert_eq!(requests(all(), all()), []);
    assert_eq!(requests(of(36, 1, ENROLL), all()), [Violation::IssuerPermissions]);
    let two = [all(), all()].concat();
    assert_eq!(requests(all(), two), [Violation::Permissions]);
}

#[test]
fn an_application_is_listed_once() {
    let chain = Chain::new([Curve::NistP256; 3], |at, value| {
        if at == 2 {
            let twice = vec![permission(CAM, &[1, 0x80]), permission(37, &[1]), permission(CAM, &[1, 0])];
            value.to_be_signed.app_permissions = Some(twice);
        }
    });
    assert_eq!(found(&mut receiver(&chain), &chain.certificates[2]), [Violation::Permissions]);
    assert_ne!(chain.report(|_| {}).verdict, Verdict::Valid);
}
