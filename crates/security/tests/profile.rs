//! The profile of TS 103 097, and fields that a receiver must understand.

mod chain;

use chain::*;
use roadwire_messages::ieee1609dot2_2022 as schema;
use roadwire_security::dot2::{Curve, ProfileChoice, Signed, SignerForm, check_signed};
use roadwire_security::{Contents, Fault, Report, Verdict, Violation};

const DENM: u64 = 37;

/// The report of a receiver that trusts the root, with this choice of profile.
fn judged(chain: &Chain, message: &Signed, profile: ProfileChoice, contents: &Contents) -> Report {
    let mut receiver = chain.receiver();
    receiver.add(chain.certificates[2].clone());
    receiver.set_profile(profile);
    receiver.verify_contents(message.octets(), contents, Some(NOW))
}

fn violations(report: &Report) -> Vec<Violation> {
    match &report.fault {
        Some(Fault::Violations(violations)) => violations.clone(),
        None => Vec::new(),
        Some(fault) => panic!("{fault}"),
    }
}

/// The violations that the profile finds in a message of this application. Without the profile
/// there must be none.
fn found(chain: &Chain, form: SignerForm, change: impl Fn(&mut schema::HeaderInfo)) -> Vec<Violation> {
    let message = chain.message(form, change);
    let without = judged(chain, &message, ProfileChoice::None, &Contents::unread());
    assert_eq!((without.verdict, without.fault), (Verdict::Valid, None));
    let by_application = judged(chain, &message, ProfileChoice::ByApplication, &Contents::unread());
    let etsi = judged(chain, &message, ProfileChoice::Etsi, &Contents::unread());
    assert_eq!(by_application, etsi);
    violations(&etsi)
}

fn place() -> schema::ThreeDLocation {
    schema::ThreeDLocation { latitude: 480_000_000, longitude: 110_000_000, elevation: 0 }
}

#[test]
fn generation_time_is_present() {
    assert_eq!(
        found(&Chain::plain(), SignerForm::Digest, |header| header.generation_time = None),
        [Violation::MissingHeaderField]
    );
}

#[test]
fn a_denm_is_signed_with_its_certificate() {
    let chain = Chain::plain();
    let denm = |form| {
        found(&chain, form, |header| {
            header.psid = DENM;
            header.generation_location = Some(place());
        })
    };
    assert_eq!(denm(SignerForm::Certificate), []);
    assert_eq!(denm(SignerForm::Digest), [Violation::Signer]);
}

/// Recorded stations send such DENMs.
#[test]
fn a_denm_without_a_place_is_noted() {
    let chain = Chain::plain();
    let denm = chain.message(SignerForm::Certificate, |header| header.psid = DENM);
    let noted = |profile| {
        let report = judged(&chain, &denm, profile, &Contents::unread());
        assert_eq!(report.verdict, Verdict::Valid);
        report.noted
    };
    assert_eq!(noted(ProfileChoice::Etsi), [Violation::MissingPlace]);
    assert_eq!(noted(ProfileChoice::None), []);
}

#[test]
fn header_fields_that_the_profile_lacks_are_absent() {
    let chain = Chain::plain();
    let learning = |header: &mut schema::HeaderInfo| header.p2pcd_learning_request = Some([1; 3]);
    assert_eq!(found(&chain, SignerForm::Digest, learning), [Violation::HeaderField]);
    let missing = |header: &mut schema::HeaderInfo| {
        header.missing_crl_identifier = Some(schema::MissingCrlIdentifier::default());
    };
    assert_eq!(found(&chain, SignerForm::Digest, missing), [Violation::HeaderField]);
    assert_eq!(found(&chain, SignerForm::Digest, |header| header.inline_p2pcd_request = Some(vec![[1; 3]])), []);
}

#[test]
fn both_requests_for_certificates_are_invalid_under_any_profile() {
    let chain = Chain::plain();
    let both = chain.message(SignerForm::Digest, |header| {
        header.p2pcd_learning_request = Some([1; 3]);
        header.inline_p2pcd_request = Some(vec![[1; 3]]);
    });
    let report = judged(&chain, &both, ProfileChoice::None, &Contents::unread());
    assert_eq!((report.verdict, violations(&report)), (Verdict::Invalid, vec![Violation::HeaderField]));
}

#[test]
fn a_signer_has_one_certificate() {
    let chain = Chain::plain();
    let [_, authority, ticket] = &chain.certificates;
    let tbs = chain.message(SignerForm::Digest, |_| {}).value().tbs_data.clone();
    let both = schema::SignerIdentifier::Certificate(vec![ticket.value().clone(), authority.value().clone()]);
    let message = Signed::sign_value(tbs, both, ticket, &chain.key).unwrap();
    let report = |profile| judged(&chain, &message, profile, &Contents::unread());
    assert_eq!(violations(&report(ProfileChoice::Etsi)), [Violation::Signer]);
    assert_eq!(report(ProfileChoice::None).verdict, Verdict::Valid);
}

#[test]
fn a_ticket_has_the_form_of_the_profile() {
    let of = |change: fn(&mut schema::ToBeSignedCertificate)| {
        let chain = Chain::new([Curve::NistP256; 3], |at, value| {
            if at == 2 {
                change(&mut value.to_be_signed);
            }
        });
        let found_in = |form| found(&chain, form, |_| {});
        assert_eq!(found_in(SignerForm::Digest), found_in(SignerForm::Certificate));
        found_in(SignerForm::Digest)
    };
    assert_eq!(of(|_| {}), []);
    assert_eq!(of(|ticket| ticket.id = schema::CertificateId::Name("car".try_into().unwrap())), [Violation::Name]);
    let linked = |ticket: &mut schema::ToBeSignedCertificate| {
        ticket.id = schema::CertificateId::LinkageData(schema::LinkageData::default());
    };
    assert_eq!(of(linked), [Violation::CertificateForm]);
    let binary = |ticket: &mut schema::ToBeSignedCertificate| {
        ticket.id = schema::CertificateId::BinaryId(octets(&[1, 2]));
    };
    assert_eq!(of(binary), [Violation::CertificateForm]);
    assert_eq!(of(|ticket| ticket.can_request_rollover = Some(())), [Violation::CertificateForm]);
    assert_eq!(of(|ticket| ticket.cert_request_permissions = Some(Vec::new())), [Violation::CertificateForm]);
    assert_eq!(of(|ticket| ticket.cert_issue_permissions = Some(Vec::new())), [Violation::Permissions]);
}

/// Lists of revoked certificates, requests and trust lists are signed by authorities, which have a
/// name and issue certificates.
#[test]
fn an_authority_signs_lists_and_requests() {
    let applications = [620, 621, 622, 623, 624, 625];
    let chain = Chain::new([Curve::NistP256; 3], |at, value| {
        if at == 2 {
            value.to_be_signed.id = schema::CertificateId::Name("authority".try_into().unwrap());
            value.to_be_signed.cert_issue_permissions = Some(Vec::new());
            value.to_be_signed.app_permissions = Some(applications.map(|psid| permission(psid, &[])).to_vec());
        }
    });
    for psid in applications {
        let message = chain.message(SignerForm::Certificate, |header| header.psid = psid);
        let report = judged(&chain, &message, ProfileChoice::Etsi, &Contents::unread());
        let by_authority = (622..=624).contains(&psid);
        let expected = if by_authority { vec![] } else { vec![Violation::Name, Violation::Permissions] };
        assert_eq!(violations(&report), expected, "{psid}");
    }
}

/// Applications of others are judged by the profile in GeoNetworking alone.
#[test]
fn the_profile_counts_in_geonetworking_for_all_applications() {
    let chain = Chain::new([Curve::NistP256; 3], |at, value| {
        if at == 2 {
            value.to_be_signed.app_permissions = Some(vec![permission(32, &[])]);
        }
    });
    let message = chain.message(SignerForm::Certificate, |header| {
        header.psid = 32;
        header.generation_time = None;
    });
    let of = |profile, contents: &Contents| violations(&judged(&chain, &message, profile, contents));
    assert_eq!(of(ProfileChoice::ByApplication, &Contents::unread()), []);
    let in_packet = Contents::unread().in_geonetworking();
    assert_eq!(of(ProfileChoice::ByApplication, &in_packet), [Violation::MissingHeaderField]);
    assert_eq!(of(ProfileChoice::Etsi, &Contents::unread()), [Violation::MissingHeaderField]);
    assert_eq!(of(ProfileChoice::None, &in_packet), []);
}

#[test]
fn octets_after_an_envelope_are_noted() {
    let chain = Chain::plain();
    let message = chain.message(SignerForm::Certificate, |_| {});
    let longer = [message.octets(), &[0; 24]].concat();
    let report = chain.receiver().verify(&longer, Some(NOW));
    assert_eq!((report.verdict, report.noted), (Verdict::Valid, vec![Violation::TrailingOctets]));
}

type Change = Box<dyn Fn(&mut schema::ToBeSignedCertificate)>;

fn unknown(index: u32) -> roadwire_wire::Unknown {
    roadwire_wire::Unknown { index, octets: vec![1, 0] }
}

/// A region or id of an unknown kind, in any certificate of the chain, with and without the
/// profile.
#[test]
fn a_critical_field_of_an_unknown_kind_is_invalid() {
    let region = |kind: schema::GeographicRegion| {
        move |value: &mut schema::ToBeSignedCertificate| value.region = Some(kind.clone())
    };
    let country = schema::IdentifiedRegion::UnknownAddition(unknown(0));
    let cases: Vec<(Violation, Change)> = vec![
        (Violation::UnknownRestriction, Box::new(region(schema::GeographicRegion::UnknownAddition(unknown(0))))),
        (
            Violation::UnknownRestriction,
            Box::new(region(schema::GeographicRegion::IdentifiedRegion(vec![
                schema::IdentifiedRegion::CountryOnly(276),
                country,
            ]))),
        ),
        (Violation::CriticalField, Box::new(|value| value.id = schema::CertificateId::UnknownAddition(unknown(0)))),
    ];
    for (violation, change) in cases {
        for level in 0..3 {
            let chain = Chain::new([Curve::NistP256; 3], |at, value| {
                if at == level {
                    change(&mut value.to_be_signed);
                }
            });
            for profile in [ProfileChoice::Etsi, ProfileChoice::None] {
                let message = chain.message(SignerForm::Certificate, |_| {});
                let report = judged(&chain, &message, profile, &Contents::unread());
                assert_eq!(report.verdict, Verdict::Invalid, "{violation:?} {level}");
                assert_eq!(violations(&report), [violation], "{level}");
            }
        }
    }
}

/// Without trust, where no chain refuses them.
#[test]
fn permissions_to_issue_or_request_of_an_unknown_kind_are_invalid() {
    type Permissions = Option<Vec<schema::PsidGroupPermissions>>;
    let places: [fn(&mut schema::ToBeSignedCertificate) -> &mut Permissions; 2] =
        [|value| &mut value.cert_issue_permissions, |value| &mut value.cert_request_permissions];
    for place in places {
        let verdict = |subject_permissions: &schema::SubjectPermissions| {
            let chain = Chain::new([Curve::NistP256; 3], |at, value| {
                if at == 2 {
                    *place(&mut value.to_be_signed) = Some(vec![schema::PsidGroupPermissions {
                        subject_permissions: subject_permissions.clone(),
                        min_chain_length: 1,
                        ..Default::default()
                    }]);
                }
            });
            let message = chain.message(SignerForm::Certificate, |_| {});
            let mut receiver = roadwire_security::dot2::Verifier::new();
            receiver.set_profile(ProfileChoice::None);
            let report = receiver.verify(message.octets(), Some(NOW));
            (report.verdict, violations(&report))
        };
        assert_eq!(verdict(&schema::SubjectPermissions::All(())), (Verdict::Signed, vec![]));
        let unknown = schema::SubjectPermissions::UnknownAddition(unknown(0));
        assert_eq!(verdict(&unknown), (Verdict::Invalid, vec![Violation::CriticalField]));
    }
}

#[test]
fn a_functional_type_is_invalid() {
    let chain = Chain::plain();
    let message = chain.message(SignerForm::Certificate, |header| header.pdu_functional_type = Some(1));
    let report = judged(&chain, &message, ProfileChoice::None, &Contents::unread());
    assert_eq!((report.verdict, violations(&report)), (Verdict::Invalid, vec![Violation::FunctionalType]));
}

/// Nothing says that an addition of a later version is critical.
#[test]
fn an_unknown_addition_is_noted() {
    let chain = Chain::plain();
    let in_header = chain.message(SignerForm::Certificate, |header| header.unknown.push(unknown(9)));
    let later = Chain::new([Curve::NistP256; 3], |at, value| {
        if at == 2 {
            value.to_be_signed.unknown.push(unknown(9));
        }
    });
    let in_certificate = later.message(SignerForm::Certificate, |_| {});
    for (chain, message) in [(&chain, in_header), (&later, in_certificate)] {
        let report = judged(chain, &message, ProfileChoice::Etsi, &Contents::unread());
        assert_eq!((report.verdict, report.noted), (Verdict::Valid, vec![Violation::UnknownAddition]));
    }
}

/// The warnings of the command when it signs.
#[test]
fn a_signer_learns_which_rules_its_message_breaks() {
    let chain = Chain::new([Curve::NistP256; 3], |at, value| {
        if at == 2 {
            let center = schema::TwoDLocation { latitude: 480_000_000, longitude: 110_000_000 };
            let circle = schema::CircularRegion { center, radius: 1000 };
            value.to_be_signed.region = Some(schema::GeographicRegion::CircularRegion(circle));
        }
    });
    let found = |form, change: fn(&mut schema::HeaderInfo)| {
        let message = chain.message(form, change);
        check_signed(&message, &chain.certificates[2], &Contents::unread(), ProfileChoice::ByApplication)
    };
    assert_eq!(found(SignerForm::Digest, |_| {}), []);
    assert_eq!(found(SignerForm::Digest, |header| header.psid = 141), [Violation::NotPermitted]);
    let late = |header: &mut schema::HeaderInfo| header.generation_time = Some(NOW + 3_600_000_000);
    assert_eq!(found(SignerForm::Digest, late), [Violation::GenerationTime]);
    let elsewhere = |header: &mut schema::HeaderInfo| {
        header.generation_location = Some(schema::ThreeDLocation { latitude: 0, ..place() });
    };
    assert_eq!(found(SignerForm::Digest, elsewhere), [Violation::GenerationPlace]);
    let denm = |header: &mut schema::HeaderInfo| header.psid = DENM;
    assert_eq!(found(SignerForm::Digest, denm), [Violation::Signer, Violation::MissingPlace]);
}
