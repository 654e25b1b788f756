//! Messages and certificates that are signed here: they are valid, and any change to them is
//! detected.

use roadwire_messages::{ts103097_1_1_1 as v1, ts103097_1_2_1 as v2};
use roadwire_security::{
    Certificate, Encoded, Fault, Place, Region, SecuredMessage, SigningKey, Trust, Verdict, Verifier, Violation,
    check_certificate, check_issued, check_message, check_signed,
};

fn key(number: u8) -> SigningKey {
    SigningKey::from_bytes(&[number; 32]).unwrap()
}

/// The certificates and the message of one version, in modules that differ little.
macro_rules! version {
    ($name:ident, $v:ident, $number:literal, $issuer:expr, $application:expr, $message:expr) => {
        mod $name {
            use super::*;

            pub(super) fn certificate(
                subject_type: $v::SubjectType,
                issuer: $v::IssuerInfo,
                subject: &SigningKey,
            ) -> $v::Certificate {
                let permission = |its_aid| $v::ItsAidSsp { its_aid, service_specific_permissions: Default::default() };
                let permissions = match subject_type {
                    $v::SubjectType::Authorization_ticket => {
                        $v::SubjectAttribute::Its_aid_ssp_list([permission(36), permission(37)].into_iter().collect())
                    }
                    _ => $v::SubjectAttribute::Its_aid_list([36, 37, 141].into_iter().collect()),
                };
                $v::Certificate {
                    version: $number,
                    signer_info: $issuer(issuer),
                    subject_info: $v::SubjectInfo { subject_type, subject_name: Default::default() },
                    subject_attributes: [
                        $v::SubjectAttribute::Verification_key(subject.public().into()),
                        $v::SubjectAttribute::Assurance_level([0x83]),
                        permissions,
                    ]
                    .into_iter()
                    .collect(),
                    validity_restrictions: [$v::ValidityRestriction::Time_start_and_end(
                        $v::ValidityRestrictionTime_start_and_end { start_validity: 100, end_validity: 200 },
                    )]
                    .into_iter()
                    .collect(),
                    signature: None,
                }
            }

            /// Certificates of a root, of an authority issued by it, and a ticket issued by the
            /// authority.
            pub(super) fn certificates() -> [Encoded<$v::Certificate>; 3] {
                let root = certificate($v::SubjectType::Root_ca, $v::IssuerInfo::Self_(()), &key(4));
                let root = Encoded::sign_certificate(root, &key(4)).unwrap();
                let digest = $v::IssuerInfo::Certificate_digest(root.hashed_id8());
                let authority = certificate($v::SubjectType::Authorization_authority, digest, &key(1));
                let authority = Encoded::sign_certificate(authority, &key(4)).unwrap();
                let digest = $v::IssuerInfo::Certificate_digest(authority.hashed_id8());
                let ticket = certificate($v::SubjectType::Authorization_ticket, digest, &key(2));
                [root, authority, Encoded::sign_certificate(ticket, &key(1)).unwrap()]
            }

            /// The trust of a receiver that has the certificates of the root and the authority, and
            /// the ticket.
            fn trust() -> Trust<$v::Certificate> {
                let [root, authority, ticket] = certificates();
                let mut trust = Trust::new();
                trust.add_root(root).unwrap();
                trust.add(authority).unwrap();
                trust.add(ticket).unwrap();
                trust
            }

            pub(super) fn message(signer: $v::SignerInfo) -> $v::SecuredMessage {
                let fields =
                    [$v::HeaderField::Signer_info(signer), $v::HeaderField::Generation_time(123_456_789), $application];
                let payload = $v::Payload::Signed(roadwire_wire::OctetString(vec![1, 2, 3, 4]));
                $message(fields, payload)
            }

            #[test]
            fn what_is_signed_verifies() {
                let [root, authority, ticket] = certificates();
                assert_eq!(root.verify_certificate(&root), Ok(()));
                assert_eq!(authority.verify_certificate(&root), Ok(()));
                assert_eq!(ticket.verify_certificate(&authority), Ok(()));
                assert_eq!(ticket.verify_certificate(&ticket), Err(Fault::Signer));
                assert_eq!(ticket.verify_certificate(&root), Err(Fault::Signer));
                for (certificate, issuer) in [(&root, &root), (&authority, &root), (&ticket, &authority)] {
                    assert_eq!(check_certificate(certificate.value()), []);
                    assert_eq!(check_issued(certificate, issuer), []);
                }
                let chain = vec![root.value().clone(), authority.value().clone(), ticket.value().clone()];
                let signers = [
                    ($v::SignerInfo::Certificate_digest(ticket.hashed_id8()), 0),
                    ($v::SignerInfo::Certificate(ticket.value().clone()), 1),
                    ($v::SignerInfo::Certificate_chain(chain), 3),
                ];
                let trust = trust();
                for (signer, count) in signers {
                    let message = Encoded::sign_message(message(signer), &key(2)).unwrap();
                    assert_eq!(check_message(message.value()), []);
                    assert_eq!(check_signed(&message, &ticket), []);
                    let verified = trust.verify(&message).unwrap();
                    assert_eq!(
                        verified.chain.iter().map(|one| &**one).collect::<Vec<_>>(),
                        [&ticket, &authority, &root]
                    );
                    assert_eq!((verified.its_aid, verified.permissions), (Some(36), Some(vec![])));
                    assert_eq!((verified.open_regions, verified.tolerated), (vec![], vec![]));
                    assert_eq!(message.certificates().unwrap().len(), count);
                    assert!(message.certificates().unwrap().last().is_none_or(|last| *last == ticket));
                    let received = Encoded::<$v::SecuredMessage>::read(message.octets()).unwrap();
                    assert_eq!(received, message);
                    // By another key.
                    let forged = Encoded::sign_message(message.into_value(), &key(3)).unwrap();
                    assert_eq!(trust.verify(&forged), Err(Fault::Signature));
                }
            }

            #[test]
            fn a_receiver_remembers_certificates() {
                let [root, authority, ticket] = certificates();
                let sign = |signer, number| Encoded::sign_message(message(signer), &key(number)).unwrap();
                let digest = sign($v::SignerInfo::Certificate_digest(ticket.hashed_id8()), 2);
                let whole = sign($v::SignerInfo::Certificate(ticket.value().clone()), 2);
                let forged = sign($v::SignerInfo::Certificate_digest(ticket.hashed_id8()), 3);
                let mut receiver = Verifier::new();
                for (message, verdict) in [
                    (&digest, Verdict::UnknownSigner),
                    (&whole, Verdict::Signed),
                    (&digest, Verdict::Signed),
                    (&forged, Verdict::Invalid),
                ] {
                    assert_eq!(receiver.verify(message.octets(), None).verdict, verdict);
                }
                assert_eq!(receiver.trust(root.octets()), Ok(1));
                assert_eq!(receiver.verify(whole.octets(), None).verdict, Verdict::Untrusted);
                assert_eq!(receiver.trust(authority.octets()), Ok(1));
                let report = receiver.verify(whole.octets(), None);
                assert_eq!(
                    (report.verdict, report.fault, report.signer),
                    (Verdict::Valid, None, Some(ticket.hashed_id8()))
                );
                let mut late = message($v::SignerInfo::Certificate(ticket.value().clone()));
                late.header_fields[1] = $v::HeaderField::Generation_time(201_000_000);
                let late = Encoded::sign_message(late, &key(2)).unwrap();
                assert_eq!(receiver.verify(late.octets(), None).verdict, Verdict::Expired);
            }

            /// In the signed octets as well as in the signature.
            #[test]
            fn a_flipped_bit_does_not_verify() {
                let [_, authority, ticket] = certificates();
                let (trust, public) = (trust(), ticket.verification_key().unwrap());
                for octets in flipped(ticket.octets()) {
                    let verified = Encoded::<$v::Certificate>::read(&octets)
                        .and_then(|certificate| certificate.verify_certificate(&authority));
                    assert!(verified.is_err(), "{octets:02X?}");
                }
                let signers = [
                    $v::SignerInfo::Certificate_digest(ticket.hashed_id8()),
                    $v::SignerInfo::Certificate(ticket.value().clone()),
                ];
                for signer in signers {
                    let message = Encoded::sign_message(message(signer), &key(2)).unwrap();
                    for octets in flipped(message.octets()) {
                        let message = Encoded::<$v::SecuredMessage>::read(&octets);
                        let verified = message.clone().and_then(|message| message.verify_signature(&public));
                        // The signer's name is also signed, so that the key alone does not suffice.
                        assert!(verified.is_err(), "{octets:02X?}");
                        let verified = message.and_then(|message| trust.verify(&message).map(drop));
                        assert!(verified.is_err(), "{octets:02X?}");
                    }
                }
            }

            /// Wherever it ends, and whatever follows.
            #[test]
            fn parts_are_refused() {
                let [_, _, ticket] = certificates();
                let signer = $v::SignerInfo::Certificate(ticket.value().clone());
                let message = Encoded::sign_message(message(signer), &key(2)).unwrap();
                let mut octets = message.octets().to_vec();
                for length in 0..octets.len() {
                    assert!(matches!(Encoded::<$v::SecuredMessage>::read(&octets[..length]), Err(Fault::Encoding(_))));
                }
                octets.extend([0, 0]);
                let read = Encoded::<$v::SecuredMessage>::read(&octets);
                assert_eq!(read.err(), Some(Fault::TrailingOctets { count: 2 }));
            }

            #[test]
            fn what_cannot_be_verified_is_told() {
                let [root, _, ticket] = certificates();
                let trust = trust();
                let digest = || $v::SignerInfo::Certificate_digest(ticket.hashed_id8());
                let sign =
                    |value| Encoded::sign_message(value, &key(2)).map(|message| trust.verify(&message).map(drop));
                let mut other = message(digest());
                other.protocol_version = 9;
                assert_eq!(sign(other), Err(Fault::Version { found: 9 }));
                let mut unsigned = message(digest());
                unsigned.trailer_fields.clear();
                let unsigned = Encoded::write(unsigned).unwrap();
                assert_eq!(trust.verify(&unsigned), Err(Fault::Unsigned));
                assert_eq!(sign(message($v::SignerInfo::Self_(()))), Ok(Err(Fault::Signer)));

                let with = |public: $v::PublicKey| {
                    let mut keyless = ticket.value().clone();
                    keyless.subject_attributes[0] = $v::SubjectAttribute::Verification_key(public);
                    let keyless = Encoded::sign_certificate(keyless, &key(1)).unwrap();
                    keyless.verification_key().err()
                };
                let x_only = $v::EccPoint::X_coordinate_only([5; 32]);
                assert_eq!(with($v::PublicKey::Ecdsa_nistp256_with_sha256(x_only)), Some(Fault::Key));
                // No point has this x coordinate: it is greater than the field's order.
                let nowhere = $v::EccPoint::Compressed_lsb_y_0([0xFF; 32]);
                assert_eq!(with($v::PublicKey::Ecdsa_nistp256_with_sha256(nowhere)), Some(Fault::Key));
                assert_eq!(with($v::PublicKey::Ecies_nistp256(Default::default())), Some(Fault::Algorithm));
                let mut keyless = root.into_value();
                keyless.subject_attributes.remove(0);
                let keyless = Encoded::sign_certificate(keyless, &key(1)).unwrap();
                assert_eq!(keyless.verify_certificate(&keyless), Err(Fault::NoKey));
            }

            #[test]
            fn rules_on_certificates() {
                let [_, authority, ticket] = certificates();
                let broken = |change: fn(&mut $v::Certificate)| {
                    let mut value = ticket.value().clone();
                    change(&mut value);
                    let mut found = check_certificate(&value);
                    // And with respect to the issuer, if its signature can be encoded.
                    found.extend(check_issued(&Encoded::write(value).unwrap(), &authority));
                    found
                };
                assert_eq!(broken(|_| ()), []);
                assert_eq!(broken(|value| value.subject_attributes.swap(0, 1)), [Violation::AttributeOrder]);
                assert_eq!(
                    broken(|value| value.subject_attributes.insert(1, value.subject_attributes[1].clone())),
                    [Violation::AttributeOrder]
                );
                assert_eq!(broken(|value| drop(value.subject_attributes.remove(0))), [Violation::MissingKey]);
                assert_eq!(broken(|value| drop(value.subject_attributes.remove(1))), [Violation::MissingAssurance]);
                assert_eq!(broken(|value| drop(value.subject_attributes.remove(2))), [Violation::Permissions]);
                assert_eq!(
                    broken(|value| value.subject_attributes[1] = $v::SubjectAttribute::Assurance_level([0xA0])),
                    [Violation::IssuerAssurance]
                );
                assert_eq!(
                    broken(|value| {
                        let $v::SubjectAttribute::Its_aid_ssp_list(list) = &mut value.subject_attributes[2] else {
                            return;
                        };
                        list[0].its_aid = 38;
                    }),
                    [Violation::IssuerPermissions]
                );
                assert_eq!(broken(|value| value.subject_info.subject_name.0.try_push(65).unwrap()), [Violation::Name]);
                assert_eq!(broken(|value| value.validity_restrictions.clear()), [Violation::Time]);
                assert_eq!(
                    broken(|value| value.validity_restrictions.insert(0, $v::ValidityRestriction::Time_end(150))),
                    [Violation::Time, Violation::IssuerPeriod]
                );
                assert_eq!(
                    broken(|value| {
                        value.validity_restrictions[0] = $v::ValidityRestriction::Time_start_and_duration(
                            $v::ValidityRestrictionTime_start_and_duration { start_validity: 150, duration: 51 },
                        );
                    }),
                    [Violation::IssuerPeriod]
                );
                assert_eq!(
                    broken(|value| {
                        value.validity_restrictions[0] = $v::ValidityRestriction::Time_start_and_duration(
                            $v::ValidityRestrictionTime_start_and_duration { start_validity: 150, duration: 0xA001 },
                        );
                    }),
                    [Violation::Period]
                );
                assert_eq!(
                    broken(|value| value.signer_info = $issuer($v::IssuerInfo::Self_(()))),
                    [Violation::SelfSigned]
                );
                assert_eq!(
                    broken(|value| {
                        let $v::SubjectAttribute::Its_aid_ssp_list(list) = &mut value.subject_attributes[2] else {
                            return;
                        };
                        list[1] = list[0].clone();
                    }),
                    [Violation::Permissions]
                );
                assert_eq!(
                    broken(|value| {
                        value.signature = Some($v::Signature::Ecdsa_nistp256_with_sha256($v::EcdsaSignature {
                            r: $v::EccPoint::Uncompressed(Default::default()),
                            s: [1; 32],
                        }));
                    }),
                    [Violation::Signature]
                );
                assert_eq!(
                    broken(|value| {
                        let point = $v::EccPoint::X_coordinate_only([9; 32]);
                        value.subject_attributes[0] =
                            $v::SubjectAttribute::Verification_key($v::PublicKey::Ecdsa_nistp256_with_sha256(point));
                    }),
                    [Violation::Key]
                );
            }

            #[test]
            fn rules_on_messages() {
                let [_, _, ticket] = certificates();
                let broken = |change: fn(&mut $v::SecuredMessage)| {
                    let signer = $v::SignerInfo::Certificate(ticket.value().clone());
                    let mut value = Encoded::sign_message(message(signer), &key(2)).unwrap().into_value();
                    change(&mut value);
                    check_message(&value)
                };
                assert_eq!(broken(|_| ()), []);
                assert_eq!(broken(|value| value.header_fields.swap(0, 1)), [Violation::HeaderFieldOrder]);
                assert_eq!(broken(|value| value.header_fields.swap(1, 2)), [Violation::HeaderFieldOrder]);
                assert_eq!(
                    broken(|value| value.header_fields.insert(1, value.header_fields[1].clone())),
                    [Violation::HeaderFieldOrder]
                );
                assert_eq!(broken(|value| drop(value.header_fields.remove(1))), [Violation::MissingHeaderField]);
                assert_eq!(
                    broken(|value| value.header_fields.insert(2, $v::HeaderField::Expiration(9))),
                    [Violation::HeaderField]
                );
                assert_eq!(
                    broken(|value| value.header_fields[0] = $v::HeaderField::Signer_info($v::SignerInfo::Self_(()))),
                    [Violation::Signer]
                );
                assert_eq!(broken(|value| value.trailer_fields.clear()), [Violation::Signature]);
                assert_eq!(
                    broken(|value| {
                        let $v::HeaderField::Signer_info($v::SignerInfo::Certificate(certificate)) =
                            &mut value.header_fields[0]
                        else {
                            return;
                        };
                        certificate.subject_info.subject_name.0.try_push(65).unwrap();
                    }),
                    [Violation::Name]
                );
            }
        }
    };
}

version!(
    first,
    v1,
    1,
    |issuer: v1::IssuerInfo| [issuer].into_iter().collect(),
    v1::HeaderField::Message_type(2),
    |fields: [v1::HeaderField; 3], payload| v1::SecuredMessage {
        protocol_version: 1,
        security_profile: 1,
        header_fields: fields.into_iter().collect(),
        payload_fields: [payload].into_iter().collect(),
        trailer_fields: Default::default(),
    }
);
version!(
    second,
    v2,
    2,
    |issuer: v2::IssuerInfo| issuer,
    v2::HeaderField::Its_aid(36),
    |fields: [v2::HeaderField; 3], payload| v2::SecuredMessage {
        protocol_version: 2,
        header_fields: fields.into_iter().collect(),
        payload_field: payload,
        trailer_fields: Default::default(),
    }
);

/// The octets with each of their bits flipped, one at a time; except the bit for y of the
/// signature's point R, which has no effect.
fn flipped(octets: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let type_of_r = octets.len() - 65;
    (0..octets.len() * 8).filter(move |bit| bit / 8 != type_of_r).map(|bit| {
        let mut flipped = octets.to_vec();
        flipped[bit / 8] ^= 0x80 >> (bit % 8);
        flipped
    })
}

/// It is not certain how a payload that is not in plain text is hashed.
#[test]
fn only_payload_in_the_clear_is_verified() {
    let [_, _, ticket] = second::certificates();
    let mut value = second::message(v2::SignerInfo::Certificate_digest(ticket.hashed_id8()));
    value.payload_field = v2::Payload::Signed_external(());
    assert_eq!(Encoded::sign_message(value.clone(), &key(2)).err(), Some(Fault::Payload));
    value.set_signature(ticket.value().signature().unwrap());
    let public = ticket.verification_key().unwrap();
    assert_eq!(Encoded::write(value).unwrap().verify_signature(&public), Err(Fault::Payload));
}

/// Lengths that are longer than they need to be, and a vector that ends inside an element.
#[test]
fn only_canonical_encodings_are_read() {
    let [root, ..] = second::certificates();
    let octets = root.octets();
    // After version, signer, subject type and name: the length of the attributes.
    assert_eq!(octets[..4], [2, 0, 4, 0]);
    let mut longer = octets.to_vec();
    longer.splice(4..5, [0x80, octets[4]]);
    assert!(matches!(Encoded::<v2::Certificate>::read(&longer), Err(Fault::Encoding(_))));
    let mut inside = octets.to_vec();
    inside[4] -= 1;
    assert!(matches!(Encoded::<v2::Certificate>::read(&inside), Err(Fault::Encoding(_))));
}

#[test]
fn keys_are_numbers_below_the_order() {
    assert_eq!(SigningKey::from_bytes(&[0; 32]).err(), Some(Fault::Key));
    assert_eq!(SigningKey::from_bytes(&[0xFF; 32]).err(), Some(Fault::Key));
    assert!(!format!("{:?}", key(7)).contains("[7, 7, 7"));
}

fn place(latitude: i32, longitude: i32) -> Place {
    Place { latitude, longitude }
}

fn rectangle(north: i32, west: i32, south: i32, east: i32) -> Region {
    Region::Rectangles(vec![(place(north, west), place(south, east))])
}

const DEGREE: i32 = 10_000_000;

#[test]
fn regions_within_regions() {
    let small = rectangle(20, 10, 10, 20);
    let large = rectangle(30, 0, 0, 30);
    let both = Region::Rectangles(vec![(place(30, 0), place(15, 30)), (place(15, 0), place(0, 30))]);
    assert_eq!(small.is_within(&large), Some(true));
    assert_eq!(large.is_within(&small), Some(false));
    assert_eq!(small.is_within(&both), None);
    assert_eq!(small.is_within(&Region::None), Some(true));
    assert_eq!(Region::None.is_within(&small), Some(false));
    assert_eq!(Region::Circle(place(0, 0), 5).is_within(&small), Some(false));
    let identified = |region, part| Region::Identified(0, region, part);
    assert_eq!(identified(276, 9).is_within(&identified(276, 0)), Some(true));
    assert_eq!(identified(276, 9).is_within(&identified(276, 8)), Some(false));
    assert_eq!(identified(276, 9).is_within(&identified(40, 0)), None);
    // Each side counts.
    for beyond in
        [rectangle(31, 10, 10, 20), rectangle(20, -1, 10, 20), rectangle(20, 10, -1, 20), rectangle(20, 10, 10, 31)]
    {
        assert_eq!(beyond.is_within(&large), Some(false), "{beyond:?}");
    }
}

#[test]
fn a_circle_within_a_circle() {
    let circle = |latitude, radius| Region::Circle(place(latitude, 0), radius);
    assert_eq!(circle(0, 5).is_within(&circle(0, 5)), Some(true));
    assert_eq!(circle(0, 5).is_within(&circle(0, 6)), Some(true));
    assert_eq!(circle(0, 6).is_within(&circle(0, 5)), Some(false));
    // A hundredth of a degree of latitude is about 1106 m at the equator.
    assert_eq!(circle(DEGREE / 100, 1000).is_within(&circle(0, 2110)), Some(true));
    assert_eq!(circle(DEGREE / 100, 1000).is_within(&circle(0, 2100)), Some(false));
}

/// A rectangle whose north is south of its south would numerically be within everything and contain
/// every region.
#[test]
fn a_rectangle_upside_down_is_no_region() {
    let large = rectangle(20, 0, 0, 20);
    let upside_down = rectangle(5, 5, 10, 15);
    assert!(large.is_valid() && !upside_down.is_valid());
    assert_eq!(upside_down.is_within(&large), Some(false));
    assert_eq!(rectangle(-90 * DEGREE, 5, 90 * DEGREE, 15).is_within(&large), Some(false));
    assert_eq!(upside_down.is_within(&upside_down), Some(false));
    assert_eq!(upside_down.is_within(&Region::None), Some(false));
    assert_eq!(large.is_within(&upside_down), Some(false));
    assert_eq!(upside_down.contains(&place(7, 7)), Some(false));
    // A line, and a place beyond the pole.
    assert!(!rectangle(10, 0, 10, 20).is_valid());
    assert!(!rectangle(20, 5, 10, 5).is_valid());
    assert!(!rectangle(91 * DEGREE, 0, 0, 20).is_valid());
    assert!(!Region::Circle(place(0, 181 * DEGREE), 5).is_valid());
    // A pole and the date line, and the numbers for an unknown latitude or longitude.
    assert!(place(90 * DEGREE, 180 * DEGREE).is_valid() && place(-90 * DEGREE, -180 * DEGREE).is_valid());
    assert!(!place(90 * DEGREE + 1, 0).is_valid() && !place(0, 180 * DEGREE + 1).is_valid());
    assert!(!Region::Polygon(vec![place(0, 0), place(0, 1)]).is_valid());
    assert!(Region::Polygon(vec![place(0, 0), place(0, 1), place(1, 1)]).is_valid());
    // One of several is enough.
    let mixed = Region::Rectangles(vec![(place(20, 0), place(0, 20)), (place(5, 5), place(10, 15))]);
    assert!(!mixed.is_valid());
}

#[test]
fn a_rectangle_whose_west_is_beyond_its_east_crosses_the_date_line() {
    let fiji = rectangle(-12 * DEGREE, 176 * DEGREE, -21 * DEGREE, -178 * DEGREE);
    assert!(fiji.is_valid());
    for (longitude, inside) in
        [(177, true), (180, true), (-180, true), (-179, true), (175, false), (-177, false), (0, false)]
    {
        assert_eq!(fiji.contains(&place(-17 * DEGREE, longitude * DEGREE)), Some(inside), "{longitude}");
    }
    let within = |west, east| rectangle(-13 * DEGREE, west * DEGREE, -20 * DEGREE, east * DEGREE).is_within(&fiji);
    assert_eq!(within(177, -179), Some(true));
    assert_eq!(within(177, 180), Some(true));
    assert_eq!(within(-180, -179), Some(true));
    assert_eq!(within(175, -179), Some(false));
    assert_eq!(within(177, -177), Some(false));
    // The other way round the Earth.
    assert_eq!(within(-179, 177), Some(false));
    let everywhere = rectangle(90 * DEGREE, -180 * DEGREE, -90 * DEGREE, 180 * DEGREE);
    assert_eq!(fiji.is_within(&everywhere), Some(true));
    assert_eq!(everywhere.is_within(&fiji), Some(false));
    assert_eq!(everywhere.contains(&place(0, 180 * DEGREE)), Some(true));
}

#[test]
fn places_in_regions() {
    let munich = place(481_362_000, 115_270_000);
    // The airport is 30.9 km away.
    let airport = place(483_537_000, 117_861_000);
    assert_eq!(Region::Circle(munich, 30_910).contains(&airport), Some(true));
    assert_eq!(Region::Circle(munich, 30_900).contains(&airport), Some(false));
    assert_eq!(Region::Circle(munich, 0).contains(&munich), Some(true));
    let around = rectangle(482_000_000, 115_000_000, 481_000_000, 116_000_000);
    assert_eq!(around.contains(&munich), Some(true));
    assert_eq!(around.contains(&airport), Some(false));
    // Borders are inside.
    assert_eq!(around.contains(&place(482_000_000, 116_000_000)), Some(true));
    assert_eq!(around.contains(&place(482_000_001, 116_000_000)), Some(false));
    let either = Region::Rectangles(vec![
        (place(1, 0), place(0, 1)),
        (place(482_000_000, 115_000_000), place(481_000_000, 116_000_000)),
    ]);
    assert_eq!(either.contains(&munich), Some(true));
    // An unknown place.
    let unknown = place(900_000_001, 1_800_000_001);
    assert_eq!(around.contains(&unknown), Some(false));
    assert_eq!(Region::None.contains(&unknown), Some(true));
    assert_eq!(Region::Identified(1, 150, 0).contains(&munich), None);
    assert_eq!(Region::Identified(1, 150, 0).contains(&unknown), Some(false));
}
