//! The study's certificate in the binary format of TS 103 097 V1.2.1, from which it was derived:
//! the paper's row "Binary".
//!
//! A certificate is converted to the type of that format, and back, outside of the timed region.

use roadwire_layout::{RuleSet, Rules, Tls};
use roadwire_messages::ts103097_1_2_1 as v2;
use roadwire_papers::certificate_2017::{
    Certificate, Duration, EccPoint, EccPointUncompressed, EcdsaP256Signature, EncryptionKey, ITSList, ItsAidSsp,
    PublicKey, PublicKeyAlgorithm, SignatureEccPoint, SignerInfo, SubjectAttributes, SubjectInfo, SubjectType,
    SymmAlgorithm, TimeStartAndDuration, ValidityRestrictionTime, ValidityRestrictions,
};
use roadwire_wire::{Octets, Text};

use super::codec::{Batch, Codec, InMemory, decode, encode, is_straight};

/// The format's codec. It supports certificates of the fitted generator.
pub(super) struct Binary;

impl Codec for Binary {
    fn rules(&self) -> Rules {
        Tls::RULES
    }

    fn encode(&self, certificate: &Certificate, output: &mut [u8]) -> Result<(usize, u64), String> {
        encode::<Tls, _>(&to_binary(certificate).ok_or(NO_PLACE)?, output)
    }

    fn decode(&self, octets: &[u8], into: &mut Certificate) -> Result<u64, String> {
        let mut certificate = v2::Certificate::default();
        let time = decode::<Tls, _>(octets, &mut certificate)?;
        *into = from_binary(&certificate).ok_or(NO_PLACE)?;
        Ok(time)
    }

    fn batch<'c>(&'c self, certificates: &'c [Certificate]) -> Box<dyn Batch + 'c> {
        let messages: Vec<v2::Certificate> = certificates.iter().filter_map(to_binary).collect();
        Box::new(InMemory::<Tls, _>::new(messages.into()))
    }

    fn is_straight(&self, certificate: &Certificate, output: &mut [u8]) -> (bool, bool) {
        to_binary(certificate).map_or((false, false), |certificate| is_straight::<Tls, _>(&certificate, output))
    }
}

const NO_PLACE: &str = "one of the two types has no place for what the other has";

pub(super) fn to_binary(certificate: &Certificate) -> Option<v2::Certificate> {
    let SignerInfo::CertificateDigestSHA256(digest) = certificate.signer_info else { return None };
    let attributes = &certificate.subject_attributes;
    let ITSList::ItsAidSspList(list) = &attributes.its_list else { return None };
    let permission = |one: &ItsAidSsp| {
        let its_aid = u64::try_from(one.its_aid).ok()?;
        Some(v2::ItsAidSsp { its_aid, service_specific_permissions: one.service_specific_permissions.clone() })
    };
    let encryption_key = attributes.encryption_key.as_ref()?;
    let time = &certificate.validity_restrictions.time_of_validation;
    let ValidityRestrictionTime::TimeStartAndDuration(time) = time else { return None };
    let Duration::Hours(hours @ 0..=0x1fff) = time.duration else { return None };
    let period = v2::ValidityRestrictionTime_start_and_duration {
        start_validity: time.start_validity,
        duration: HOURS << 13 | hours,
    };
    Some(v2::Certificate {
        version: certificate.version,
        signer_info: v2::IssuerInfo::Certificate_digest(digest),
        subject_info: v2::SubjectInfo {
            subject_type: v2::SubjectType::Authorization_ticket,
            subject_name: Octets(certificate.subject_info.subject_name.as_bytes().try_into().ok()?),
        },
        subject_attributes: [
            v2::SubjectAttribute::Verification_key(key(&attributes.verification_key)?),
            v2::SubjectAttribute::Encryption_key(key(&encryption_key.public_key)?),
            v2::SubjectAttribute::Assurance_level(attributes.assurance_level),
            v2::SubjectAttribute::Its_aid_ssp_list(list.iter().map(permission).collect::<Option<_>>()?),
        ]
        .into_iter()
        .collect(),
        validity_restrictions: [v2::ValidityRestriction::Time_start_and_duration(period)].into_iter().collect(),
        signature: Some(v2::Signature::Ecdsa_nistp256_with_sha256(v2::EcdsaSignature {
            r: match certificate.signature.r {
                SignatureEccPoint::XCoordinateOnly(x) => v2::EccPoint::X_coordinate_only(x),
                SignatureEccPoint::Compressed_Y_0(x) => v2::EccPoint::Compressed_lsb_y_0(x),
                SignatureEccPoint::Compressed_Y_1(x) => v2::EccPoint::Compressed_lsb_y_1(x),
            },
            s: certificate.signature.s,
        })),
    })
}

pub(super) fn from_binary(certificate: &v2::Certificate) -> Option<Certificate> {
    let v2::IssuerInfo::Certificate_digest(digest) = certificate.signer_info else { return None };
    let [
        v2::SubjectAttribute::Verification_key(verification_key),
        v2::SubjectAttribute::Encryption_key(encryption_key),
        v2::SubjectAttribute::Assurance_level(assurance_level),
        v2::SubjectAttribute::Its_aid_ssp_list(list),
    ] = certificate.subject_attributes.as_slice()
    else {
        return None;
    };
    let permission = |one: &v2::ItsAidSsp| {
        let its_aid = i64::try_from(one.its_aid).ok()?;
        Some(ItsAidSsp { its_aid, service_specific_permissions: one.service_specific_permissions.clone() })
    };
    let [v2::ValidityRestriction::Time_start_and_duration(time)] = certificate.validity_restrictions.as_slice() else {
        return None;
    };
    let Some(v2::Signature::Ecdsa_nistp256_with_sha256(signature)) = &certificate.signature else { return None };
    Some(Certificate {
        version: certificate.version,
        signer_info: SignerInfo::CertificateDigestSHA256(digest),
        subject_info: SubjectInfo {
            subject_type: SubjectType::AuthorizationTicket,
            subject_name: Text::from(std::str::from_utf8(&certificate.subject_info.subject_name.0).ok()?).ok()?,
        },
        subject_attributes: SubjectAttributes {
            verification_key: key_back(verification_key)?,
            encryption_key: Some(EncryptionKey {
                supported_symm_alg: SymmAlgorithm::Aes128Ccm,
                public_key: key_back(encryption_key)?,
            }),
            assurance_level: *assurance_level,
            its_list: ITSList::ItsAidSspList(list.iter().map(permission).collect::<Option<_>>()?),
            ..SubjectAttributes::default()
        },
        validity_restrictions: ValidityRestrictions {
            time_of_validation: ValidityRestrictionTime::TimeStartAndDuration(TimeStartAndDuration {
                start_validity: time.start_validity,
                duration: (time.duration >> 13 == HOURS).then_some(Duration::Hours(time.duration & 0x1fff))?,
            }),
            ..ValidityRestrictions::default()
        },
        signature: EcdsaP256Signature {
            r: match signature.r {
                v2::EccPoint::X_coordinate_only(x) => SignatureEccPoint::XCoordinateOnly(x),
                v2::EccPoint::Compressed_lsb_y_0(x) => SignatureEccPoint::Compressed_Y_0(x),
                v2::EccPoint::Compressed_lsb_y_1(x) => SignatureEccPoint::Compressed_Y_1(x),
                v2::EccPoint::Uncompressed(_) => return None,
            },
            s: signature.s,
        },
    })
}

/// The unit of a [`v2::Duration`] in its three high bits: the standard's third unit is 60 hours, in
/// place of hours.
const HOURS: u16 = 2;

fn key(key: &PublicKey) -> Option<v2::PublicKey> {
    let point = match &key.key {
        EccPoint::Compressed_Y_0(x) => v2::EccPoint::Compressed_lsb_y_0(*x),
        EccPoint::Compressed_Y_1(x) => v2::EccPoint::Compressed_lsb_y_1(*x),
        EccPoint::Uncompressed(both) => v2::EccPoint::Uncompressed(v2::EccPointUncompressed { x: both.x, y: both.y }),
    };
    Some(match key.algorithm {
        PublicKeyAlgorithm::EcdsaNistp256WithSha256 => v2::PublicKey::Ecdsa_nistp256_with_sha256(point),
        PublicKeyAlgorithm::EciesNistp256 => v2::PublicKey::Ecies_nistp256(v2::PublicKeyEcies_nistp256 {
            supported_symm_alg: v2::SymmetricAlgorithm::Aes_128_ccm,
            public_key: point,
        }),
        PublicKeyAlgorithm::UnknownAddition(_) => return None,
    })
}

fn key_back(key: &v2::PublicKey) -> Option<PublicKey> {
    let (algorithm, point) = match key {
        v2::PublicKey::Ecdsa_nistp256_with_sha256(point) => (PublicKeyAlgorithm::EcdsaNistp256WithSha256, point),
        v2::PublicKey::Ecies_nistp256(key) => (PublicKeyAlgorithm::EciesNistp256, &key.public_key),
        v2::PublicKey::UnknownAddition(_) => return None,
    };
    let key = match point {
        v2::EccPoint::Compressed_lsb_y_0(x) => EccPoint::Compressed_Y_0(*x),
        v2::EccPoint::Compressed_lsb_y_1(x) => EccPoint::Compressed_Y_1(*x),
        v2::EccPoint::Uncompressed(both) => EccPoint::Uncompressed(EccPointUncompressed { x: both.x, y: both.y }),
        v2::EccPoint::X_coordinate_only(_) => return None,
    };
    Some(PublicKey { algorithm, key })
}
