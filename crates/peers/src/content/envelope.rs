//! The security envelope, in the four cases of the studies and with each year's content: one
//! message, in the binary format of TS 103 097 V1.1.1 with a real signature, and the same content
//! as a value of the reconstructed ASN.1 module (`crates/papers/schemas/etsi-envelope-2015.asn`).
//!
//! The studies' certificate has a key, an assurance level and the permissions of CAM and DENM in
//! 2015, and none of these in 2014; it names its issuer by digest. The payload is empty: one of no
//! octets in the binary format, no payload at all in ASN.1; this matches the published lengths.

use roadwire_layout::Rules;
use roadwire_messages::ts103097_1_1_1 as v1;
use roadwire_notation::Notation;
use roadwire_security::{Encoded, Fault, SigningKey, VerifyingKey};
use roadwire_wire::{OctetString, Octets};
use serde_json::{Value, json};

use super::Schema;
use crate::hex;

/// The rules that the envelope in ASN.1 is encoded under. The papers print its lengths in PER, in
/// Protocol Buffers and in EXI by two schemas; strict EXI is added because they do not give their
/// options. For other rules no paper has a figure for an envelope, so `schemas.toml` does not
/// request codecs for them.
pub const RULES: [Rules; 6] =
    [Rules::Uper, Rules::Protobuf, Rules::Exi, Rules::ExiDefault, Rules::ExiMerged, Rules::ExiFlat];

/// The studies' cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// Profile 1 (CAM), with the signer's digest.
    CamDigest,
    /// Profile 1 (CAM), with the signer's certificate.
    CamCertificate,
    /// Profile 2 (DENM), with the signer's certificate.
    Denm,
    /// Profile 3 (other messages), with the signer's certificate.
    Generic,
}

/// The year of the content: the 2014 study's certificate has no attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the years of the studies")]
pub enum Year {
    Y2014,
    Y2015,
}

/// The envelope's certificate, its authority's and the root's.
///
/// # Errors
/// Does not happen: tests cover it.
pub fn certificates(year: Year) -> Result<[Encoded<v1::Certificate>; 3], Fault> {
    let root = authority(v1::SubjectType::Root_ca, v1::IssuerInfo::Self_(()), &roots_key()?);
    let root = Encoded::sign_certificate(root, &roots_key()?)?;
    let named = v1::IssuerInfo::Certificate_digest(root.hashed_id8());
    let issuer = authority(v1::SubjectType::Authorization_authority, named, &issuers_key()?);
    let issuer = Encoded::sign_certificate(issuer, &roots_key()?)?;
    let permission = |its_aid| v1::ItsAidSsp { its_aid, service_specific_permissions: Octets::default() };
    let attributes = [
        v1::SubjectAttribute::Verification_key(signers_key()?.public().into()),
        v1::SubjectAttribute::Assurance_level(ASSURANCE),
        v1::SubjectAttribute::Its_aid_ssp_list([permission(36), permission(37)].into_iter().collect()),
    ];
    let ticket = v1::Certificate {
        version: 1,
        signer_info: [v1::IssuerInfo::Certificate_digest(issuer.hashed_id8())].into_iter().collect(),
        subject_info: v1::SubjectInfo {
            subject_type: v1::SubjectType::Authorization_ticket,
            subject_name: Octets::default(),
        },
        subject_attributes: attributes.into_iter().filter(|_| year == Year::Y2015).collect(),
        validity_restrictions: [period()].into_iter().collect(),
        signature: None,
    };
    Ok([Encoded::sign_certificate(ticket, &issuers_key()?)?, issuer, root])
}

/// The certificate of a root or an authority, for the ticket's applications and period.
fn authority(subject_type: v1::SubjectType, signer: v1::IssuerInfo, key: &SigningKey) -> v1::Certificate {
    let attributes = [
        v1::SubjectAttribute::Verification_key(key.public().into()),
        v1::SubjectAttribute::Assurance_level(ASSURANCE),
        v1::SubjectAttribute::Its_aid_list([36, 37].into_iter().collect()),
    ];
    v1::Certificate {
        version: 1,
        signer_info: [signer].into_iter().collect(),
        subject_info: v1::SubjectInfo { subject_type, subject_name: Octets::default() },
        subject_attributes: attributes.into_iter().collect(),
        validity_restrictions: [period()].into_iter().collect(),
        signature: None,
    }
}

fn period() -> v1::ValidityRestriction {
    v1::ValidityRestriction::Time_start_and_end(v1::ValidityRestrictionTime_start_and_end {
        start_validity: VALID_FROM,
        end_validity: VALID_FROM + DAY,
    })
}

/// The key that signs the messages, which is not in the certificate of 2014.
///
/// # Errors
/// Does not happen: tests cover it.
pub fn verifying_key() -> Result<VerifyingKey, Fault> {
    VerifyingKey::new(&signers_key()?.public())
}

/// The message in the binary format, as the value of `ts103097-1.1.1`; null if it cannot be signed.
pub(super) fn binary(case: Case, year: Year) -> Value {
    let text = |message: &v1::SecuredMessage| notation(Schema::Envelope111).ok()?.write(message).ok();
    let text = signed(case, year).ok().and_then(|message| text(message.value()));
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

fn notation(schema: Schema) -> Result<Notation, String> {
    let (model, root) = schema.model()?;
    Notation::new(&model, root).map_err(|error| error.to_string())
}

/// The same content as the value of that year's message in ASN.1; null if there is none.
pub(super) fn asn1(case: Case, year: Year) -> Value {
    signed(case, year).ok().and_then(|message| content(message.value(), year).ok()).unwrap_or_default()
}

/// The message in the binary format, signed.
///
/// # Errors
/// Does not happen: tests cover it.
pub fn signed(case: Case, year: Year) -> Result<Encoded<v1::SecuredMessage>, Fault> {
    let [ticket, ..] = certificates(year)?;
    let signer = match case {
        Case::CamDigest => v1::SignerInfo::Certificate_digest(ticket.hashed_id8()),
        _ => v1::SignerInfo::Certificate(ticket.into_value()),
    };
    let (profile, message_type) = match case {
        Case::CamDigest | Case::CamCertificate => (1, Some(CAM)),
        Case::Denm => (2, Some(DENM)),
        Case::Generic => (3, None),
    };
    let mut fields = vec![v1::HeaderField::Signer_info(signer), v1::HeaderField::Generation_time(GENERATED)];
    if matches!(case, Case::Denm | Case::Generic) {
        fields.push(v1::HeaderField::Generation_location(v1::ThreeDLocation {
            latitude: 481_362_000,
            longitude: 115_270_000,
            // 529 m.
            elevation: 5290u16.to_be_bytes(),
        }));
    }
    fields.extend(message_type.map(v1::HeaderField::Message_type));
    let message = v1::SecuredMessage {
        protocol_version: 1,
        security_profile: profile,
        header_fields: fields.into_iter().collect(),
        payload_fields: [v1::Payload::Signed(OctetString::default())].into_iter().collect(),
        trailer_fields: Default::default(),
    };
    Encoded::sign_message(message, &signers_key()?)
}

/// The content of a message in the binary format, as a value of the ASN.1 module's message of that
/// year: same keys, digests and signatures.
///
/// # Errors
/// Something that the module's message of the studies cannot hold.
fn content(message: &v1::SecuredMessage, year: Year) -> Result<Value, String> {
    let mut header = json!({});
    for field in &message.header_fields {
        let (name, value) = match field {
            v1::HeaderField::Signer_info(v1::SignerInfo::Certificate_digest(digest)) => {
                ("signerInfo", json!({ "digest": octets(digest) }))
            }
            v1::HeaderField::Signer_info(v1::SignerInfo::Certificate(one)) => {
                ("signerInfo", json!({ "certificate": certificate(one)? }))
            }
            v1::HeaderField::Generation_time(time) => ("generationTime", octets(&time.to_be_bytes())),
            v1::HeaderField::Generation_location(place) => (
                "generationLocation",
                json!({
                    "latitude": place.latitude,
                    "longitude": place.longitude,
                    "elevation": u16::from_be_bytes(place.elevation)
                }),
            ),
            v1::HeaderField::Message_type(number) => ("messageType", json!(number)),
            other => return Err(format!("{other:?}")),
        };
        header[name] = value;
    }
    if year == Year::Y2014 && header.get("messageType").is_none() {
        // Mandatory there, whatever the profile.
        header["messageType"] = json!(0);
    }
    let [v1::TrailerField::Signature(trailer)] = message.trailer_fields.as_slice() else {
        return Err("no signature".into());
    };
    Ok(json!({
        "protocolVersion": message.protocol_version,
        "securityProfile": message.security_profile,
        "headerFields": header,
        "payloadFields": [],
        "trailerField": { "signature": signature(trailer)? }
    }))
}

fn certificate(certificate: &v1::Certificate) -> Result<Value, String> {
    let signer = certificate.signer_info.iter().map(|signer| match signer {
        v1::IssuerInfo::Certificate_digest(digest) => Ok(json!({ "digest": octets(digest) })),
        other => Err(format!("{other:?}")),
    });
    let attributes = certificate.subject_attributes.iter().map(|attribute| match attribute {
        v1::SubjectAttribute::Verification_key(v1::PublicKey::Ecdsa_nistp256_with_sha256(key)) => {
            Ok(json!({ "verificationKey": { "ecdsaNistp256WithSha256": point(key)? } }))
        }
        v1::SubjectAttribute::Assurance_level(level) => Ok(json!({ "assuranceLevel": octets(level) })),
        v1::SubjectAttribute::Its_aid_ssp_list(list) => {
            let one = |one: &v1::ItsAidSsp| json!({ "itsAid": one.its_aid, "ssp": octets(&one.service_specific_permissions.0) });
            Ok(json!({ "itsAidSspList": list.iter().map(one).collect::<Vec<_>>() }))
        }
        other => Err(format!("{other:?}")),
    });
    let restrictions = certificate.validity_restrictions.iter().map(|restriction| match restriction {
        v1::ValidityRestriction::Time_start_and_end(time) => {
            Ok(json!({ "timeStartAndEnd": { "start": time.start_validity, "end": time.end_validity } }))
        }
        other => Err(format!("{other:?}")),
    });
    // The reconstructed module pads names.
    let mut name = certificate.subject_info.subject_name.0.to_vec();
    name.resize(32, 0);
    Ok(json!({
        "version": certificate.version,
        "signerInfo": signer.collect::<Result<Vec<_>, String>>()?,
        "subjectInfo": { "subjectType": "authorizationTicket", "subjectName": octets(&name) },
        "subjectAttributes": attributes.collect::<Result<Vec<_>, String>>()?,
        "validityRestrictions": restrictions.collect::<Result<Vec<_>, String>>()?,
        "signature": signature(certificate.signature.as_ref().ok_or("no signature")?)?
    }))
}

fn signature(signature: &v1::Signature) -> Result<Value, String> {
    match signature {
        v1::Signature::Ecdsa_nistp256_with_sha256(signature) => {
            Ok(json!({ "ecdsaNistp256WithSha256": { "r": point(&signature.r)?, "s": octets(&signature.s) } }))
        }
        other => Err(format!("{other:?}")),
    }
}

fn point(point: &v1::EccPoint) -> Result<Value, String> {
    match point {
        v1::EccPoint::X_coordinate_only(x) => Ok(json!({ "xCoordinateOnly": octets(x) })),
        v1::EccPoint::Compressed_lsb_y_0(x) => Ok(json!({ "compressedLsbY0": octets(x) })),
        v1::EccPoint::Compressed_lsb_y_1(x) => Ok(json!({ "compressedLsbY1": octets(x) })),
        other => Err(format!("{other:?}")),
    }
}

fn octets(octets: &[u8]) -> Value {
    hex::encode(octets).to_uppercase().into()
}

/// 2014-05-15 12:00:00 UTC in microseconds since 2010-01-01, one leap second included.
const GENERATED: u64 = 137_851_201_000_000;
/// 2014-05-15 00:00:00 UTC in seconds since 2010-01-01, likewise.
const VALID_FROM: u32 = 137_808_001;
const DAY: u32 = 86_400;
const ASSURANCE: v1::SubjectAssurance = [0x83];

const DENM: u16 = 1;
const CAM: u16 = 2;

fn signers_key() -> Result<SigningKey, Fault> {
    SigningKey::from_bytes(&[0x14; 32])
}

fn issuers_key() -> Result<SigningKey, Fault> {
    SigningKey::from_bytes(&[0x15; 32])
}

fn roots_key() -> Result<SigningKey, Fault> {
    SigningKey::from_bytes(&[0x16; 32])
}
