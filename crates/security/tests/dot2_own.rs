//! Messages and certificates of IEEE 1609.2 that are signed here: they are valid, and forgeries of them are not.

use roadwire_messages::ieee1609dot2_2022 as schema;
use roadwire_security::dot2::{Certificate, Curve, SecretKey, Signed, SignerForm, Verifier};
use roadwire_security::{Fault, Report, Verdict, Violation};

/// 2022-06-01, in seconds since 2004 (TAI).
const START: u32 = 581_126_405;
/// A second of the first hour, in microseconds.
const NOW: u64 = (START as u64 + 1800) * 1_000_000;
const CAM: u64 = 36;

fn key(curve: Curve, number: u8) -> SecretKey {
    SecretKey::from_bytes(curve, &vec![number; curve.octets()]).unwrap()
}

fn content(key: &SecretKey) -> schema::CertificateBase {
    let validity_period = schema::ValidityPeriod { start: START, duration: schema::Duration::Hours(1) };
    let verify_key_indicator = schema::VerificationKeyIndicator::VerificationKey(key.public().unwrap());
    schema::CertificateBase {
        version: 3,
        to_be_signed: schema::ToBeSignedCertificate {
            id: schema::CertificateId::None(()),
            validity_period,
            verify_key_indicator,
            ..Default::default()
        },
        ..Default::default()
    }
}

/// Of an authority that may issue permissions for CAM that have the first bit, and for everything else.
fn authority(key: &SecretKey, least: i64) -> schema::CertificateBase {
    let range = schema::BitmapSspRange { ssp_value: octets(&[1, 0xff]), ssp_bitmask: octets(&[0xff, 0]) };
    let cam = schema::PsidSspRange { psid: CAM, ssp_range: Some(schema::SspRange::BitmapSspRange(range)) };
    let group = |subject_permissions| schema::PsidGroupPermissions {
        subject_permissions,
        min_chain_length: least,
        chain_length_range: 0,
        ee_type: schema::EndEntityType(schema::EndEntityType::APP),
    };
    let explicit = group(schema::SubjectPermissions::Explicit(vec![cam]));
    let mut certificate = content(key);
    certificate.to_be_signed.cert_issue_permissions = Some(vec![explicit, group(schema::SubjectPermissions::All(()))]);
    certificate
}

fn octets<const N: usize>(of: &[u8]) -> roadwire_wire::Octets<N> {
    let mut octets = roadwire_wire::Octets::default();
    of.iter().for_each(|octet| octets.0.try_push(*octet).unwrap());
    octets
}

fn ticket(key: &SecretKey) -> schema::CertificateBase {
    let mut certificate = content(key);
    certificate.to_be_signed.app_permissions = Some(vec![permission(CAM, &[1, 0x80]), permission(37, &[1, 0, 0])]);
    certificate
}

fn permission(psid: u64, ssp: &[u8]) -> schema::PsidSsp {
    schema::PsidSsp { psid, ssp: Some(schema::ServiceSpecificPermissions::BitmapSsp(octets(ssp))) }
}

/// A root, an authority and a ticket, with the ticket's key.
struct Chain {
    certificates: [Certificate; 3],
    key: SecretKey,
}

impl Chain {
    fn new(curves: [Curve; 3], change: impl Fn(usize, &mut schema::CertificateBase)) -> Chain {
        let keys: Vec<SecretKey> = (1..).zip(curves).map(|(number, curve)| key(curve, number)).collect();
        let mut values = [authority(&keys[0], 2), authority(&keys[1], 1), ticket(&keys[2])];
        values.iter_mut().enumerate().for_each(|(at, value)| change(at, value));
        let [root, authority, ticket] = values;
        let root = Certificate::sign(root, None, &keys[0]).unwrap();
        let authority = Certificate::sign(authority, Some(&root), &keys[0]).unwrap();
        let ticket = Certificate::sign(ticket, Some(&authority), &keys[1]).unwrap();
        Chain { certificates: [root, authority, ticket], key: keys[2].clone() }
    }

    fn plain() -> Chain {
        Chain::new([Curve::NistP256; 3], |_, _| {})
    }

    /// A receiver that trusts the root, and has heard of the authority.
    fn receiver(&self) -> Verifier {
        let [root, authority, _] = &self.certificates;
        let mut verifier = Verifier::new();
        verifier.trust(root.clone()).unwrap();
        verifier.add(authority.clone());
        verifier
    }

    fn message(&self, form: SignerForm, change: impl Fn(&mut schema::HeaderInfo)) -> Signed {
        let mut header = schema::HeaderInfo { psid: CAM, generation_time: Some(NOW), ..Default::default() };
        change(&mut header);
        Signed::sign(b"payload", header, &self.certificates[2], form, &self.key).unwrap()
    }

    /// What a receiver says of a message with the certificate.
    fn report(&self, change: impl Fn(&mut schema::HeaderInfo)) -> Report {
        let message = self.message(SignerForm::Certificate, change);
        self.receiver().verify(message.octets(), Some(NOW))
    }
}

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

/// Whichever bit of a message or of the certificate in it is changed. One bit is told: how R is written in the certificate's signature, which is not hashed.
#[test]
fn a_flipped_bit_is_never_valid() {
    for curve in [Curve::NistP256, Curve::BrainpoolP256r1, Curve::NistP384] {
        let chain = Chain::new([curve; 3], |_, _| {});
        for form in [SignerForm::Certificate, SignerForm::Digest] {
            let octets = chain.message(form, |_| {}).octets().to_vec();
            let mut receiver = Verifier::new();
            receiver.add(chain.certificates[2].clone());
            assert_eq!(receiver.verify(&octets, None).verdict, Verdict::Valid);
            let mut told = 0;
            let step = if curve == Curve::NistP256 { 1 } else { 7 };
            for bit in (0..octets.len() * 8).step_by(step) {
                let mut forged = octets.clone();
                forged[bit / 8] ^= 0x80 >> (bit % 8);
                let report = receiver.verify(&forged, None);
                let is_told = report.is_altered_copy && report.noted == [Violation::SignatureForm];
                assert!(report.verdict != Verdict::Valid || is_told, "{curve:?} {form:?} bit {bit}");
                told += u32::from(is_told);
            }
            assert_eq!(told, u32::from(step == 1 && form == SignerForm::Certificate), "{curve:?} {form:?}");
        }
    }
}

/// The message with another signature.
fn with_signature(message: &Signed, change: impl Fn(&mut schema::EcdsaP256Signature)) -> Vec<u8> {
    let mut octets = message.octets().to_vec();
    let schema::Signature::EcdsaNistP256Signature(mut signature) = message.value().signature.clone() else { panic!() };
    let point = |r: &schema::EccP256CurvePoint| match r {
        schema::EccP256CurvePoint::XOnly(x) => [&[0x80], &x[..]].concat(),
        schema::EccP256CurvePoint::Compressed_Y_0(x) => [&[0x82], &x[..]].concat(),
        schema::EccP256CurvePoint::Compressed_Y_1(x) => [&[0x83], &x[..]].concat(),
        _ => panic!(),
    };
    let length = octets.len() - point(&signature.r_sig).len() - 32;
    change(&mut signature);
    octets.truncate(length);
    octets.extend(point(&signature.r_sig));
    octets.extend(signature.s_sig);
    octets
}

fn x(r: &schema::EccP256CurvePoint) -> [u8; 32] {
    let schema::EccP256CurvePoint::XOnly(x) = r else { panic!() };
    *x
}

/// The order of P-256 minus this.
fn negated(s: &[u8; 32]) -> [u8; 32] {
    #[rustfmt::skip]
    const ORDER: [u8; 32] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ];
    let mut borrow = 0;
    let mut result = [0; 32];
    for at in (0..32).rev() {
        let difference = i16::from(ORDER[at]) - i16::from(s[at]) - borrow;
        borrow = i16::from(difference < 0);
        result[at] = difference.rem_euclid(256) as u8;
    }
    result
}

#[test]
fn numbers_of_signatures() {
    let chain = Chain::plain();
    let message = chain.message(SignerForm::Certificate, |_| {});
    let mut receiver = chain.receiver();
    let verdict = |receiver: &mut Verifier, octets: &[u8]| receiver.verify(octets, None).verdict;
    let swapped = with_signature(&message, |one| {
        let r = x(&one.r_sig);
        one.r_sig = schema::EccP256CurvePoint::XOnly(one.s_sig);
        one.s_sig = r;
    });
    assert_eq!(verdict(&mut receiver, &swapped), Verdict::Invalid);
    for (r, s) in [([0; 32], [0; 32]), ([0; 32], [1; 32]), ([1; 32], [0; 32]), ([0xff; 32], [0xff; 32])] {
        let trivial = with_signature(&message, |one| {
            one.r_sig = schema::EccP256CurvePoint::XOnly(r);
            one.s_sig = s;
        });
        assert_eq!(verdict(&mut receiver, &trivial), Verdict::Invalid, "{r:?} {s:?}");
    }
    let other = chain.message(SignerForm::Certificate, |header| header.generation_time = Some(NOW + 1));
    let schema::Signature::EcdsaNistP256Signature(others) = &other.value().signature else { panic!() };
    assert_eq!(verdict(&mut receiver, &with_signature(&message, |one| *one = others.clone())), Verdict::Invalid);
}

/// The standard has no canonical form of signatures: the signer's own is as valid. A copy of a message that was heard is told.
#[test]
fn a_signature_in_another_form_is_told() {
    let chain = Chain::plain();
    let message = chain.message(SignerForm::Certificate, |_| {});
    let altered = with_signature(&message, |one| one.s_sig = negated(&one.s_sig));
    let mut receiver = chain.receiver();
    for (octets, is_altered) in [(message.octets(), false), (&altered, true), (message.octets(), false)] {
        let report = receiver.verify(octets, None);
        assert_eq!((report.verdict, report.is_altered_copy), (Verdict::Valid, is_altered));
    }
    // With the point R told, only one of s and the order minus s is right.
    let forms = |s: &dyn Fn(&[u8; 32]) -> [u8; 32]| {
        let even = with_signature(&message, |one| {
            one.s_sig = s(&one.s_sig);
            one.r_sig = schema::EccP256CurvePoint::Compressed_Y_0(x(&one.r_sig));
        });
        let odd = with_signature(&message, |one| {
            one.s_sig = s(&one.s_sig);
            one.r_sig = schema::EccP256CurvePoint::Compressed_Y_1(x(&one.r_sig));
        });
        [even, odd].map(|octets| chain.receiver().verify(&octets, None).verdict)
    };
    let (plain, negated) = (forms(&|s| *s), forms(&negated));
    assert!(plain.contains(&Verdict::Valid) && plain.contains(&Verdict::Invalid), "{plain:?}");
    assert_eq!(negated, [plain[1], plain[0]]);
}

#[test]
fn signatures_alone_are_verified_without_trust() {
    let chain = Chain::plain();
    let late = chain.message(SignerForm::Certificate, |header| {
        header.psid = 38;
        header.generation_time = Some(NOW + 3_600_000_000);
    });
    let report = Verifier::new().verify(late.octets(), Some(NOW));
    assert_eq!(report.verdict, Verdict::Valid);
    assert_eq!(report.noted, [Violation::NotPermitted, Violation::GenerationTime, Violation::Clock]);
    let mut verifier = Verifier::new();
    verifier.ask_for_trust();
    assert_eq!(verifier.verify(late.octets(), Some(NOW)).verdict, Verdict::Untrusted);
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

/// Points that are not compressed, and R with both coordinates: digests and signatures are of the canonical encoding, and a receiver takes either.
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

/// Whoever passes a certificate on can write R of its signature in another way. That is told, and does no harm to messages that name it by its digest.
#[test]
fn a_certificate_in_another_form_is_told() {
    let chain = Chain::plain();
    let message = chain.message(SignerForm::Certificate, |_| {});
    let own = chain.certificates[2].octets();
    let place = message.octets().windows(own.len()).position(|octets| octets == own).unwrap();
    // R, s, and in front of them how R is written.
    let form = place + own.len() - 65;
    for written in [0x82, 0x83] {
        let mut altered = message.octets().to_vec();
        assert_eq!(std::mem::replace(&mut altered[form], written), 0x80);
        let mut receiver = chain.receiver();
        let report = receiver.verify(&altered, Some(NOW));
        assert_eq!((report.verdict, report.noted), (Verdict::Valid, vec![Violation::SignatureForm]));
        let digest = chain.message(SignerForm::Digest, |_| {});
        assert_eq!(receiver.verify(digest.octets(), Some(NOW)).verdict, Verdict::Valid);
        let report = receiver.verify(message.octets(), Some(NOW));
        assert_eq!((report.verdict, report.is_altered_copy), (Verdict::Valid, true));
    }
}

fn hex(digits: &str) -> [u8; 32] {
    std::array::from_fn(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap())
}

#[test]
fn what_is_no_signed_message_is_told() {
    let verdict = |octets: &[u8]| {
        let report = Verifier::new().verify(octets, None);
        (report.verdict, report.fault)
    };
    assert_eq!(verdict(&[3, 0x80, 1, 0]), (Verdict::Unsupported, Some(Fault::Unsigned)));
    assert_eq!(verdict(&[]).0, Verdict::Invalid);
    let chain = Chain::plain();
    let message = chain.message(SignerForm::Certificate, |_| {});
    for length in 0..message.octets().len() {
        assert!(matches!(verdict(&message.octets()[..length]).1, Some(Fault::Encoding(_))), "{length}");
    }
    // What follows does not belong to it.
    let longer = [message.octets(), &[1, 2, 3]].concat();
    assert_eq!(verdict(&longer), (Verdict::Valid, None));
    let tbs = message.value().tbs_data.clone();
    let own = schema::SignerIdentifier::Self_(());
    let itself = Signed::sign_value(tbs, own, &chain.certificates[2], &chain.key).unwrap();
    assert_eq!(verdict(itself.octets()), (Verdict::Unsupported, Some(Fault::Algorithm)));
}
