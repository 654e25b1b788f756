//! The payload of a message compared with the application that it is signed for, and with the
//! signer's permissions.

mod chain;

use chain::*;
use roadwire_messages::ieee1609dot2_2022 as schema;
use roadwire_security::dot2::{Curve, SignerForm};
use roadwire_security::{Contents, Fault, Part, Report, Verdict, Violation};

const DENM: u64 = 37;

/// A ticket with permissions for several applications.
fn chain(ssp: &[u8]) -> Chain {
    Chain::new([Curve::NistP256; 3], |at, value| {
        if at == 2 {
            let others =
                [DENM, 137, 138, 139, 140, 141, 637, 638, 639, 540_802].map(|psid| permission(psid, &[1, 0, 0, 0]));
            value.to_be_signed.app_permissions = Some([vec![permission(CAM, ssp)], others.to_vec()].concat());
        } else {
            let all = schema::SubjectPermissions::All(());
            value.to_be_signed.cert_issue_permissions.as_mut().unwrap().remove(0);
            value.to_be_signed.cert_issue_permissions.as_mut().unwrap()[0].subject_permissions = all;
        }
    })
}

/// The report on a message of this application with these contents, of a receiver that trusts the
/// root, or no certificate.
fn report(chain: &Chain, trusts: bool, psid: u64, contents: &Contents) -> Report {
    let message = chain.message(SignerForm::Certificate, |header| {
        header.psid = psid;
        header.generation_location = Some(schema::ThreeDLocation::default());
    });
    let mut receiver = if trusts { chain.receiver() } else { roadwire_security::dot2::Verifier::new() };
    receiver.verify_contents(message.octets(), contents, Some(NOW))
}

fn violations(report: &Report) -> Vec<Violation> {
    match &report.fault {
        Some(Fault::Violations(violations)) => violations.clone(),
        None => report.noted.clone(),
        Some(fault) => panic!("{fault}"),
    }
}

const TYPES: [(u64, u8, u16); 10] = [
    (36, 2, 2001),
    (37, 1, 2002),
    (137, 4, 2004),
    (138, 5, 2003),
    (139, 6, 2006),
    (140, 9, 2007),
    (637, 10, 2008),
    (638, 16, 2018),
    (639, 14, 2009),
    (540_802, 13, 2013),
];

#[test]
fn a_message_type_is_valid_under_its_own_application_alone() {
    let chain = chain(&[1, 0, 0]);
    for (own, number, port) in TYPES {
        for (psid, ..) in TYPES.into_iter().chain([(141, 0, 0)]) {
            for contents in [
                Contents::of_application(own),
                Contents::of_application(psid).on_port(port),
                Contents::of_application(psid).with_message_id(number),
            ] {
                let report = report(&chain, true, psid, &contents);
                // A recorded traffic light sends SSEMs under the ITS-AID of SREM.
                let is_own = psid == own || (own, psid) == (637, 140);
                let expected = if is_own { vec![] } else { vec![Violation::Application] };
                assert_eq!(violations(&report), expected, "{psid} {contents:?}");
                assert_eq!(report.verdict, if is_own { Verdict::Valid } else { Verdict::Invalid });
            }
        }
    }
    // A port and a number that stand for no known application say nothing.
    let contents = Contents::of_application(36).on_port(9999).with_message_id(3);
    assert_eq!(report(&chain, true, 36, &contents).verdict, Verdict::Valid);
}

#[test]
fn a_payload_that_is_not_understood_is_not_valid_as_cam_or_denm() {
    let chain = chain(&[1, 0, 0]);
    for (psid, ..) in TYPES {
        let report = report(&chain, true, psid, &Contents::not_understood());
        let expected = if [36, 37].contains(&psid) { Verdict::Unsupported } else { Verdict::Valid };
        assert_eq!(report.verdict, expected, "{psid}");
        assert_eq!(violations(&report).contains(&Violation::NotUnderstood), expected == Verdict::Unsupported);
    }
    assert_eq!(report(&chain, true, 36, &Contents::unread()).verdict, Verdict::Valid);
}

#[test]
fn octets_after_a_message_do_not_hide_its_parts() {
    let chain = chain(&[1, 0, 0]);
    let emergency = Contents::of_application(36).with_part(Part::Emergency);
    assert_eq!(violations(&report(&chain, true, 36, &emergency)), [Violation::Part]);
    let followed = report(&chain, true, 36, &emergency.followed_by_octets());
    assert_eq!(followed.verdict, Verdict::Invalid);
    assert!(violations(&followed).contains(&Violation::Part));
    let plain = Contents::of_application(36).followed_by_octets();
    assert_eq!(report(&chain, true, 36, &plain).verdict, Verdict::Unsupported);
}

#[test]
fn parts_under_permissions_of_an_unknown_version_are_not_valid() {
    for ssp in [&[2, 0, 0][..], &[0xff], &[0, 0xff, 0xff]] {
        let chain = chain(ssp);
        let emergency = Contents::of_application(36).with_part(Part::Emergency);
        let report_of = |contents: &Contents| report(&chain, true, 36, contents);
        assert_eq!(report_of(&emergency).verdict, Verdict::Unsupported, "{ssp:?}");
        assert_eq!(violations(&report_of(&emergency)), [Violation::PermissionsVersion]);
        assert_eq!(report_of(&Contents::of_application(36)).verdict, Verdict::Valid, "no part needs a bit");
    }
}

/// A later version of the standard may have permissions in another form.
#[test]
fn parts_under_permissions_of_an_unknown_form_are_not_valid() {
    let unknown = roadwire_wire::Unknown { index: 1, octets: vec![1, 0] };
    let chain = Chain::new([Curve::NistP256; 3], |at, value| match at {
        2 => {
            let ssp = Some(schema::ServiceSpecificPermissions::UnknownAddition(unknown.clone()));
            value.to_be_signed.app_permissions = Some(vec![schema::PsidSsp { psid: CAM, ssp }]);
        }
        _ => {
            let groups = value.to_be_signed.cert_issue_permissions.as_mut().unwrap();
            groups.remove(0);
        }
    });
    let cam = Contents::of_application(36);
    let plain = report(&chain, true, 36, &cam);
    assert_eq!((plain.verdict, plain.permissions), (Verdict::Valid, None));
    let emergency = report(&chain, true, 36, &cam.with_part(Part::Emergency));
    assert_eq!(emergency.verdict, Verdict::Unsupported);
    assert_eq!(violations(&emergency), [Violation::PermissionsVersion]);
}

/// Another decoder takes a shorter message from the same octets.
#[test]
fn parts_that_any_decoder_reads_need_a_permission() {
    let chain = chain(&[1, 2, 0]);
    let [plain, allowed, forbidden] = [vec![], vec![Part::Emergency], vec![Part::Rescue]]
        .map(|parts| parts.into_iter().fold(Contents::of_application(36), Contents::with_part));
    let found =
        |one: &Contents, other: &Contents| violations(&report(&chain, true, 36, &one.clone().and(other.clone())));
    assert_eq!(found(&plain, &allowed), []);
    assert_eq!(found(&plain, &forbidden), [Violation::Part]);
    assert_eq!(found(&forbidden, &plain), [Violation::Part]);
    assert_eq!(found(&plain, &Contents::of_application(37)), [Violation::Application]);
}

#[test]
fn permissions_count_without_trust() {
    let chain = chain(&[1, 0, 0]);
    let emergency = Contents::of_application(36).with_part(Part::Emergency);
    assert!(violations(&report(&chain, false, 36, &emergency)).contains(&Violation::Part));
    assert!(violations(&report(&chain, false, 141, &Contents::of_application(36))).contains(&Violation::Application));
}

#[test]
fn psid_of_a_short_message_is_that_of_its_envelope() {
    let chain = chain(&[1, 0, 0]);
    for trusts in [true, false] {
        for (psid, header, is_its_own) in [(141, 141, true), (141, 36, false), (140, 140, true), (140, 637, false)] {
            for contents in [Contents::unread(), Contents::not_understood()] {
                let report = report(&chain, trusts, psid, &contents.in_short_message(header));
                let found = violations(&report).contains(&Violation::Application);
                assert_eq!((report.verdict == Verdict::Invalid, found), (!is_its_own, !is_its_own), "{psid} {header}");
            }
        }
    }
}
