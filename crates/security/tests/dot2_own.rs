//! Messages and certificates of IEEE 1609.2 that are signed here are valid, if the signer may sign
//! them and each issuer may issue the certificate below it.

mod chain;

use chain::*;
use roadwire_messages::ieee1609dot2_2022 as schema;
use roadwire_security::dot2::{Certificate, Curve, SignerForm, Verifier};
use roadwire_security::{Fault, Verdict, Violation};

#[test]
fn what_is_signed_verifies_on_every_pair_of_curves() {
    for issuers in Curve::ALL {
        for own in Curve::ALL {
            let chain = Chain::new([issuers, issuers, own], |_, _| {});
            let mut receiver = chain.receiver();
            let digest = chain.message(SignerForm::Digest, |_| {});
            let early = receiver.verify(digest.octets(), Some(NOW));
            assert_eq!(early.verdict, Verdict::UnknownSigner, "{own:?}");
            let message = chain.message(SignerForm::Certificate, |_| {});
            for message in [message, digest] {
                let report = receiver.verify(message.octets(), Some(NOW));
                assert_eq!((report.verdict, report.fault), (Verdict::Valid, None), "{issuers:?} {own:?}");
                assert_eq!(report.signer, Some(chain.certificates[2].digest()));
                assert!(!report.is_altered_copy && report.noted.is_empty());
            }
        }
    }
}

#[test]
fn without_trust_a_message_is_signed_at_best() {
    let chain = Chain::plain();
    let late = chain.message(SignerForm::Certificate, |header| {
        header.psid = 38;
        header.generation_time = Some(NOW + 3_600_000_000);
    });
    let report = Verifier::new().verify(late.octets(), Some(NOW));
    let broken = vec![Violation::NotPermitted, Violation::GenerationTime, Violation::Clock];
    assert_eq!((report.verdict, report.fault), (Verdict::Invalid, Some(Fault::Violations(broken))));
    assert_eq!(report.noted, []);
    let right = chain.message(SignerForm::Certificate, |_| {});
    let report = Verifier::new().verify(right.octets(), Some(NOW));
    assert_eq!((report.verdict, report.fault), (Verdict::Signed, None));
    let mut verifier = Verifier::new();
    verifier.ask_for_trust();
    assert_eq!(verifier.verify(right.octets(), Some(NOW)).verdict, Verdict::Untrusted);
    assert_eq!(verifier.verify(late.octets(), Some(NOW)).verdict, Verdict::Invalid);
}

#[test]
fn chains_end_at_a_trusted_certificate() {
    let chain = Chain::plain();
    let [root, authority, _] = chain.certificates.clone();
    let message = chain.message(SignerForm::Certificate, |_| {});
    let verdict = |trusted: &Certificate, heard: Option<&Certificate>| {
        let mut verifier = Verifier::new();
        verifier.trust(trusted.clone()).unwrap();
        heard.map(|certificate| verifier.add(certificate.clone()));
        let report = verifier.verify(message.octets(), Some(NOW));
        (report.verdict, report.fault)
    };
    let unknown = |certificate: &Certificate| Some(Fault::UnknownCertificate { digest: certificate.digest() });
    assert_eq!(verdict(&root, Some(&authority)), (Verdict::Valid, None));
    assert_eq!(verdict(&authority, None), (Verdict::Valid, None));
    assert_eq!(verdict(&root, None), (Verdict::Untrusted, unknown(&authority)));
    // Another root.
    let other = Chain::new([Curve::BrainpoolP256r1; 3], |_, _| {}).certificates[0].clone();
    assert_eq!(verdict(&other, Some(&authority)), (Verdict::Untrusted, unknown(&root)));
    // A certificate that names an authority that did not issue it.
    let forged = Certificate::sign(ticket(&chain.key), Some(&authority), &key(Curve::NistP256, 9)).unwrap();
    let forged = Chain { certificates: [root, authority, forged], key: chain.key.clone() };
    let digest = forged.certificates[2].digest();
    let report = forged.report(|_| {});
    let fault = Fault::Certificate { digest, fault: Box::new(Fault::Signature) };
    assert_eq!((report.verdict, report.fault), (Verdict::Untrusted, Some(fault)));
}

/// The rules on a message and its signer.
#[test]
fn a_signer_signs_what_it_may() {
    let chain = Chain::plain();
    let found = |change: &dyn Fn(&mut schema::HeaderInfo)| {
        let report = chain.report(change);
        let Some(Fault::Violations(violations)) = report.fault else { panic!("{report:?}") };
        (report.verdict, violations)
    };
    assert_eq!(found(&|header| header.psid = 38), (Verdict::Invalid, vec![Violation::NotPermitted]));
    let late = |header: &mut schema::HeaderInfo| header.generation_time = Some(NOW + 1801 * 1_000_000);
    assert_eq!(found(&late), (Verdict::Expired, vec![Violation::GenerationTime, Violation::Clock]));
    let early = |header: &mut schema::HeaderInfo| header.generation_time = Some(NOW - 601 * 1_000_000);
    assert_eq!(found(&early), (Verdict::Expired, vec![Violation::Clock]));
    let over = |header: &mut schema::HeaderInfo| header.expiry_time = Some(NOW);
    assert_eq!(found(&over), (Verdict::Expired, vec![Violation::Expiry]));
    assert_eq!(chain.report(|header| header.expiry_time = Some(NOW + 1)).verdict, Verdict::Valid);
    // An authority's certificate that was valid for a shorter time.
    let short = Chain::new([Curve::NistP256; 3], |at, value| {
        if at == 1 {
            value.to_be_signed.validity_period.duration = schema::Duration::Minutes(29);
        }
    });
    assert_eq!(short.report(|_| {}).verdict, Verdict::Expired);
}

/// A circle of one kilometre.
fn circle(latitude: i32) -> schema::GeographicRegion {
    let center = schema::TwoDLocation { latitude, longitude: 110_000_000 };
    schema::GeographicRegion::CircularRegion(schema::CircularRegion { center, radius: 1000 })
}

#[test]
fn regions_of_certificates() {
    let chain = |own: i32, issuers: i32| {
        Chain::new([Curve::NistP256; 3], move |at, value| {
            value.to_be_signed.region = [None, Some(circle(issuers)), Some(circle(own))][at].clone();
        })
    };
    let at = |latitude| {
        move |header: &mut schema::HeaderInfo| {
            let place = schema::ThreeDLocation { latitude, longitude: 110_000_000, elevation: 0 };
            header.generation_location = Some(place);
        }
    };
    let same = chain(480_000_000, 480_000_000);
    assert_eq!(same.report(at(480_000_000)).verdict, Verdict::Valid);
    let report = same.report(at(490_000_000));
    let fault = Fault::Violations(vec![Violation::GenerationPlace]);
    assert_eq!((report.verdict, report.fault), (Verdict::Invalid, Some(fault)));
    assert_eq!(chain(490_000_000, 480_000_000).report(at(490_000_000)).verdict, Verdict::Untrusted);
    let countries = |all: &[u16]| {
        let countries = all.iter().map(|country| schema::IdentifiedRegion::CountryOnly(*country));
        Some(schema::GeographicRegion::IdentifiedRegion(countries.collect()))
    };
    let verdict = |own: &[u16]| {
        let chain = Chain::new([Curve::NistP256; 3], |at, value| {
            value.to_be_signed.region = [None, countries(&[276, 40]), countries(own)][at].clone();
        });
        chain.report(|_| {}).verdict
    };
    assert_eq!([verdict(&[40]), verdict(&[40, 756])], [Verdict::Valid, Verdict::Untrusted]);
}

#[test]
fn polygons_of_certificates() {
    let corners = [(470_000_000, 100_000_000), (485_000_000, 110_000_000), (470_000_000, 120_000_000)];
    let corner = |(latitude, longitude)| schema::TwoDLocation { latitude, longitude };
    let polygon = || Some(schema::GeographicRegion::PolygonalRegion(corners.map(corner).into_iter().collect()));
    let report = |issuers: Option<schema::GeographicRegion>, own: schema::GeographicRegion, latitude: i32| {
        let chain = Chain::new([Curve::NistP256; 3], |at, value| {
            value.to_be_signed.region = [None, issuers.clone(), Some(own.clone())][at].clone();
        });
        let place = schema::ThreeDLocation { latitude, longitude: 110_000_000, elevation: 0 };
        chain.report(|header| header.generation_location = Some(place.clone()))
    };
    let verdict = |issuers, own, latitude| report(issuers, own, latitude).verdict;
    assert_eq!(verdict(None, polygon().unwrap(), 484_000_000), Verdict::Valid);
    let outside = report(None, polygon().unwrap(), 486_000_000);
    let fault = Fault::Violations(vec![Violation::GenerationPlace]);
    assert_eq!((outside.verdict, outside.fault), (Verdict::Invalid, Some(fault)));
    assert_eq!(verdict(polygon(), circle(480_000_000), 480_000_000), Verdict::Valid);
    assert_eq!(verdict(polygon(), circle(490_000_000), 490_000_000), Verdict::Untrusted);
}

/// Permissions that an issuer may give, and how far above the end of the chain it may stand.
#[test]
fn issuers_give_permissions_that_they_have() {
    let verdict = |change: &dyn Fn(usize, &mut schema::ToBeSignedCertificate)| {
        Chain::new([Curve::NistP256; 3], |at, value| change(at, &mut value.to_be_signed)).report(|_| {}).verdict
    };
    let permissions = |all: Vec<schema::PsidSsp>| {
        verdict(&move |at, value| {
            if at == 2 {
                value.app_permissions = Some(all.clone());
            }
        })
    };
    assert_eq!(permissions(vec![permission(CAM, &[1, 0x7f])]), Verdict::Valid);
    // Another version in the first octet, which the mask keeps.
    assert_eq!(permissions(vec![permission(CAM, &[2, 0x7f])]), Verdict::Untrusted);
    let opaque = schema::ServiceSpecificPermissions::Opaque(roadwire_wire::OctetString(vec![1, 0x7f]));
    assert_eq!(permissions(vec![schema::PsidSsp { psid: CAM, ssp: Some(opaque.clone()) }]), Verdict::Untrusted);
    assert_eq!(permissions(vec![schema::PsidSsp { psid: CAM, ssp: None }]), Verdict::Untrusted);
    let others = schema::PsidSsp { psid: 99, ssp: Some(opaque) };
    assert_eq!(permissions(vec![permission(CAM, &[1]), others]), Verdict::Valid);
    // An issuer without a range of permissions may give any.
    let without = |at: usize, value: &mut schema::ToBeSignedCertificate| {
        for group in value.cert_issue_permissions.iter_mut().flatten().filter(|_| at < 2) {
            if let schema::SubjectPermissions::Explicit(ranges) = &mut group.subject_permissions {
                ranges[0].ssp_range = None;
            }
        }
        if at == 2 {
            value.app_permissions = Some(vec![permission(CAM, &[2, 0x7f])]);
        }
    };
    assert_eq!(verdict(&without), Verdict::Valid);
    // Lengths: the root stands two certificates above the end, and the authority one.
    let length = |changed: usize, least: i64, range: i64| {
        verdict(&move |at, value| {
            for group in value.cert_issue_permissions.iter_mut().flatten().filter(|_| at == changed) {
                (group.min_chain_length, group.chain_length_range) = (least, range);
            }
        })
    };
    let (valid, untrusted) = (Verdict::Valid, Verdict::Untrusted);
    assert_eq!([length(0, 1, 1), length(0, 1, -1), length(0, 1, 0)], [valid, valid, untrusted]);
    assert_eq!([length(1, 1, 5), length(1, 0, 5), length(1, 2, -1)], [valid, untrusted, untrusted]);
    let enrolment = |at: usize, value: &mut schema::ToBeSignedCertificate| {
        for group in value.cert_issue_permissions.iter_mut().flatten().filter(|_| at == 1) {
            group.ee_type = schema::EndEntityType(schema::EndEntityType::ENROLL);
        }
    };
    assert_eq!(verdict(&enrolment), Verdict::Untrusted);
    let none = |at: usize, value: &mut schema::ToBeSignedCertificate| {
        if at == 1 {
            value.cert_issue_permissions = None;
            value.app_permissions = Some(Vec::new());
        }
    };
    assert_eq!(verdict(&none), Verdict::Untrusted);
}

#[test]
fn keys_of_implicit_certificates_are_reconstructed() {
    for curve in [Curve::NistP256, Curve::BrainpoolP256r1] {
        let Chain { certificates: [root, authority, _], .. } = Chain::new([curve; 3], |_, _| {});
        let numbers = [&key(curve, 7), &key(curve, 8)];
        let value = ticket(&key(curve, 3));
        let (implicit, own) = Certificate::issue_implicit(value.clone(), &authority, &key(curve, 2), numbers).unwrap();
        let chain = Chain { certificates: [root.clone(), authority.clone(), implicit.clone()], key: own };
        assert_eq!(chain.report(|_| {}).verdict, Verdict::Valid);
        // Without the issuer's certificate its key is not known.
        let message = chain.message(SignerForm::Certificate, |_| {});
        let report = Verifier::new().verify(message.octets(), None);
        assert_eq!(report.fault, Some(Fault::UnknownCertificate { digest: authority.digest() }));
        // One that the authority did not make: the key that comes out is not the holder's.
        let (forged, own) = Certificate::issue_implicit(value, &authority, &key(curve, 9), numbers).unwrap();
        let chain = Chain { certificates: [root, authority, forged], key: own };
        assert_eq!(chain.report(|_| {}).verdict, Verdict::Invalid);
    }
}

/// Points that are not compressed, and R with both coordinates: digests and signatures are of the
/// canonical encoding, and a receiver takes either.
#[test]
fn certificates_are_named_by_their_canonical_encoding() {
    let chain = Chain::plain();
    let uncompressed = |at: usize, value: &mut schema::CertificateBase| {
        if at == 1 {
            // The generator of P-256, for encryption.
            let x = hex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296");
            let y = hex("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5");
            let point = schema::EccP256CurvePointUncompressedP256 { x, y };
            value.to_be_signed.encryption_key = Some(schema::PublicEncryptionKey {
                public_key: schema::BasePublicEncryptionKey::EciesNistP256(
                    schema::EccP256CurvePoint::UncompressedP256(point),
                ),
                ..Default::default()
            });
        }
    };
    let other = Chain::new([Curve::NistP256; 3], uncompressed);
    assert_eq!(other.report(|_| {}).verdict, Verdict::Valid);
    let long = &other.certificates[1];
    let mut short = long.value().clone();
    let Some(key) = &mut short.to_be_signed.encryption_key else { panic!() };
    let schema::BasePublicEncryptionKey::EciesNistP256(point) = &mut key.public_key else { panic!() };
    let schema::EccP256CurvePoint::UncompressedP256(both) = point else { panic!() };
    // y is odd.
    *point = schema::EccP256CurvePoint::Compressed_Y_1(both.x);
    let octets = roadwire_engine::Message::<roadwire_messages::Coer>::encode_to_vec(&short, 1000).unwrap();
    let short = Certificate::read(&octets).unwrap();
    assert_ne!(short.octets(), long.octets());
    assert_eq!(short.digest(), long.digest());
    assert_ne!(short.digest(), chain.certificates[1].digest());
    let root = &other.certificates[0];
    let roots_key = root.own_key().unwrap().unwrap();
    assert_eq!(short.key_under(root, &roots_key), long.key_under(root, &roots_key));
    assert!(short.key_under(root, &roots_key).is_ok());
}

fn hex(digits: &str) -> [u8; 32] {
    std::array::from_fn(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap())
}
