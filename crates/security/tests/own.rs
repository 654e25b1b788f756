//! Messages and certificates that are signed here: they verify, and nothing that differs from them does.

use roadwire_messages::{ts103097_1_1_1 as v1, ts103097_1_2_1 as v2};
use roadwire_security::{
    Certificate, Encoded, Fault, Place, Region, SecuredMessage, SigningKey, Violation, check_certificate, check_issued,
    check_message,
};

fn key(number: u8) -> SigningKey {
    SigningKey::from_bytes(&[number; 32]).unwrap()
}

/// The certificates and the message of one version, by modules that differ in little.
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

            /// A root certificate, and a ticket that it issued.
            pub(super) fn certificates() -> [Encoded<$v::Certificate>; 2] {
                let root = certificate($v::SubjectType::Root_ca, $v::IssuerInfo::Self_(()), &key(1));
                let root = Encoded::sign_certificate(root, &key(1)).unwrap();
                let digest = $v::IssuerInfo::Certificate_digest(root.hashed_id8());
                let ticket = certificate($v::SubjectType::Authorization_ticket, digest, &key(2));
                [root, Encoded::sign_certificate(ticket, &key(1)).unwrap()]
            }

            pub(super) fn message(signer: $v::SignerInfo) -> $v::SecuredMessage {
                let fields =
                    [$v::HeaderField::Signer_info(signer), $v::HeaderField::Generation_time(123_456_789), $application];
                let payload = $v::Payload::Signed(roadwire_wire::OctetString(vec![1, 2, 3, 4]));
                $message(fields, payload)
            }

            #[test]
            fn what_is_signed_verifies() {
                let [root, ticket] = certificates();
                assert_eq!(root.verify_certificate(&root), Ok(()));
                assert_eq!(ticket.verify_certificate(&root), Ok(()));
                assert_eq!(ticket.verify_certificate(&ticket), Err(Fault::Signer));
                assert_eq!(check_certificate(root.value()), []);
                assert_eq!(check_certificate(ticket.value()), []);
                assert_eq!(check_issued(&ticket, &root), []);
                let signers = [
                    $v::SignerInfo::Certificate_digest(ticket.hashed_id8()),
                    $v::SignerInfo::Certificate(ticket.value().clone()),
                    $v::SignerInfo::Certificate_chain(vec![root.value().clone(), ticket.value().clone()]),
                ];
                for (at, signer) in signers.into_iter().enumerate() {
                    let message = Encoded::sign_message(message(signer), &key(2)).unwrap();
                    assert_eq!(check_message(message.value()), []);
                    assert_eq!(message.verify_message(&ticket), Ok(()));
                    assert_eq!(message.verify_message(&root), Err(Fault::Signer));
                    assert_eq!(message.certificates().unwrap().len(), at);
                    assert!(message.certificates().unwrap().last().is_none_or(|last| *last == ticket));
                    let received = Encoded::<$v::SecuredMessage>::read(message.octets()).unwrap();
                    assert_eq!(received, message);
                    // By another key.
                    let forged = Encoded::sign_message(message.into_value(), &key(3)).unwrap();
                    assert_eq!(forged.verify_message(&ticket), Err(Fault::Signature));
                }
            }

            /// In the octets that are signed as in the signature.
            #[test]
            fn a_flipped_bit_does_not_verify() {
                let [root, ticket] = certificates();
                for octets in flipped(ticket.octets()) {
                    let verified = Encoded::<$v::Certificate>::read(&octets)
                        .and_then(|certificate| certificate.verify_certificate(&root));
                    assert!(verified.is_err(), "{octets:02X?}");
                }
                let signers = [
                    $v::SignerInfo::Certificate_digest(ticket.hashed_id8()),
                    $v::SignerInfo::Certificate(ticket.value().clone()),
                ];
                for signer in signers {
                    let message = Encoded::sign_message(message(signer), &key(2)).unwrap();
                    for octets in flipped(message.octets()) {
                        let verified = Encoded::<$v::SecuredMessage>::read(&octets)
                            .and_then(|message| message.verify_message(&ticket));
                        assert!(verified.is_err(), "{octets:02X?}");
                    }
                }
            }

            /// Wherever it ends, and whatever follows.
            #[test]
            fn parts_are_refused() {
                let [_, ticket] = certificates();
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
                let [root, ticket] = certificates();
                let digest = || $v::SignerInfo::Certificate_digest(ticket.hashed_id8());
                let sign = |value| Encoded::sign_message(value, &key(2)).map(|message| message.verify_message(&ticket));
                let mut other = message(digest());
                other.protocol_version = 9;
                assert_eq!(sign(other), Err(Fault::Version { found: 9 }));
                let mut unsigned = message(digest());
                unsigned.trailer_fields.clear();
                let unsigned = Encoded::write(unsigned).unwrap();
                assert_eq!(unsigned.verify_message(&ticket), Err(Fault::Unsigned));
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
                let [root, ticket] = certificates();
                let broken = |change: fn(&mut $v::Certificate)| {
                    let mut value = ticket.value().clone();
                    change(&mut value);
                    let mut found = check_certificate(&value);
                    // And beside the issuer, where its signature has a place.
                    found.extend(check_issued(&Encoded::write(value).unwrap(), &root));
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
                assert_eq!(broken(|value| value.signer_info = $issuer($v::IssuerInfo::Self_(()))), [Violation::Signer]);
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
                let [_, ticket] = certificates();
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

/// The octets with each of their bits flipped, one at a time: but for what says which y the signature's point R has, on which nothing depends.
fn flipped(octets: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let type_of_r = octets.len() - 65;
    (0..octets.len() * 8).filter(move |bit| bit / 8 != type_of_r).map(|bit| {
        let mut flipped = octets.to_vec();
        flipped[bit / 8] ^= 0x80 >> (bit % 8);
        flipped
    })
}

/// What a payload that is not in the clear has in the hash is not known for certain.
#[test]
fn only_payload_in_the_clear_is_verified() {
    let [_, ticket] = second::certificates();
    let mut value = second::message(v2::SignerInfo::Certificate_digest(ticket.hashed_id8()));
    value.payload_field = v2::Payload::Signed_external(());
    assert_eq!(Encoded::sign_message(value.clone(), &key(2)).err(), Some(Fault::Payload));
    value.set_signature(ticket.value().signature().unwrap());
    assert_eq!(Encoded::write(value).unwrap().verify_message(&ticket), Err(Fault::Payload));
}

/// Lengths that are longer than they need to be, and a vector that ends inside an element.
#[test]
fn only_canonical_encodings_are_read() {
    let [root, _] = second::certificates();
    let octets = root.octets();
    // Behind version, signer, subject type and name: the length of the attributes.
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

#[test]
fn regions_within_regions() {
    let place = |latitude, longitude| Place { latitude, longitude };
    let rectangle = |north, west, south, east| (place(north, west), place(south, east));
    let small = Region::Rectangles(vec![rectangle(20, 10, 10, 20)]);
    let large = Region::Rectangles(vec![rectangle(30, 0, 0, 30)]);
    let both = Region::Rectangles(vec![rectangle(30, 0, 15, 30), rectangle(15, 0, 0, 30)]);
    assert_eq!(small.is_within(&large), Some(true));
    assert_eq!(large.is_within(&small), Some(false));
    assert_eq!(small.is_within(&both), None);
    assert_eq!(small.is_within(&Region::None), Some(true));
    assert_eq!(Region::None.is_within(&small), Some(false));
    assert_eq!(Region::Circle(place(0, 0), 5).is_within(&small), None);
    let identified = |region, part| Region::Identified(0, region, part);
    assert_eq!(identified(276, 9).is_within(&identified(276, 0)), Some(true));
    assert_eq!(identified(276, 9).is_within(&identified(276, 8)), Some(false));
    assert_eq!(identified(276, 9).is_within(&identified(40, 0)), None);
}
