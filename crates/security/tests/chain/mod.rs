//! A chain of certificates of IEEE 1609.2, and messages signed with it.
#![allow(dead_code, unreachable_pub, missing_docs)]

use roadwire_messages::{Coer, ieee1609dot2_2022 as schema};
use roadwire_security::Report;
use roadwire_security::dot2::{Certificate, Curve, SecretKey, Signed, SignerForm, Verifier};

/// 2022-06-01, in seconds since 2004 (TAI).
pub const START: u32 = 581_126_405;
/// A second of the first hour, in microseconds.
pub const NOW: u64 = (START as u64 + 1800) * 1_000_000;
pub const CAM: u64 = 36;

pub fn key(curve: Curve, number: u8) -> SecretKey {
    SecretKey::from_bytes(curve, &vec![number; curve.octets()]).unwrap()
}

pub fn content(key: &SecretKey) -> schema::CertificateBase {
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

/// Of an authority that may issue permissions for CAM that have the first bit, and for everything
/// else.
pub fn authority(key: &SecretKey, least: i64) -> schema::CertificateBase {
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

pub fn octets<const N: usize>(of: &[u8]) -> roadwire_wire::Octets<N> {
    let mut octets = roadwire_wire::Octets::default();
    of.iter().for_each(|octet| octets.0.try_push(*octet).unwrap());
    octets
}

pub fn ticket(key: &SecretKey) -> schema::CertificateBase {
    let mut certificate = content(key);
    certificate.to_be_signed.app_permissions = Some(vec![permission(CAM, &[1, 0x80]), permission(37, &[1, 0, 0])]);
    certificate
}

pub fn permission(psid: u64, ssp: &[u8]) -> schema::PsidSsp {
    schema::PsidSsp { psid, ssp: Some(schema::ServiceSpecificPermissions::BitmapSsp(octets(ssp))) }
}

/// A root, an authority and a ticket, with the ticket's key.
pub struct Chain {
    pub certificates: [Certificate; 3],
    pub key: SecretKey,
}

impl Chain {
    pub fn new(curves: [Curve; 3], change: impl Fn(usize, &mut schema::CertificateBase)) -> Chain {
        let keys: Vec<SecretKey> = (1..).zip(curves).map(|(number, curve)| key(curve, number)).collect();
        let mut values = [authority(&keys[0], 2), authority(&keys[1], 1), ticket(&keys[2])];
        values.iter_mut().enumerate().for_each(|(at, value)| change(at, value));
        let [root, authority, ticket] = values;
        let root = Certificate::sign(root, None, &keys[0]).unwrap();
        let authority = Certificate::sign(authority, Some(&root), &keys[0]).unwrap();
        let ticket = Certificate::sign(ticket, Some(&authority), &keys[1]).unwrap();
        Chain { certificates: [root, authority, ticket], key: keys[2].clone() }
    }

    pub fn plain() -> Chain {
        Chain::new([Curve::NistP256; 3], |_, _| {})
    }

    /// A receiver that trusts the root, and has heard of the authority.
    pub fn receiver(&self) -> Verifier {
        let [root, authority, _] = &self.certificates;
        let mut verifier = Verifier::new();
        verifier.trust(root.clone()).unwrap();
        verifier.add(authority.clone());
        verifier
    }

    pub fn message(&self, form: SignerForm, change: impl Fn(&mut schema::HeaderInfo)) -> Signed {
        let mut header = schema::HeaderInfo { psid: CAM, generation_time: Some(NOW), ..Default::default() };
        change(&mut header);
        Signed::sign(b"payload", header, &self.certificates[2], form, &self.key).unwrap()
    }

    /// A receiver's report on a message with the certificate.
    pub fn report(&self, change: impl Fn(&mut schema::HeaderInfo)) -> Report {
        let message = self.message(SignerForm::Certificate, change);
        self.receiver().verify(message.octets(), Some(NOW))
    }
}

pub fn encoded<M: roadwire_engine::Message<Coer>>(value: &M) -> Vec<u8> {
    value.encode_to_vec(100_000).unwrap()
}

/// The certificate with an uncompressed key of 256 bits with the same last bit of y that is not on
/// the curve: its canonical encoding would be that of the genuine one.
pub fn off_curve(certificate: &Certificate) -> schema::CertificateBase {
    use schema::{EccP256CurvePoint as Point, PublicVerificationKey as Key, VerificationKeyIndicator as Indicator};
    let mut value = certificate.value().clone();
    let Indicator::VerificationKey(Key::EcdsaNistP256(point) | Key::EcdsaBrainpoolP256r1(point)) =
        &mut value.to_be_signed.verify_key_indicator
    else {
        panic!("{:?}", value.to_be_signed.verify_key_indicator);
    };
    let (x, last) = match point {
        Point::Compressed_Y_0(x) => (*x, 0),
        Point::Compressed_Y_1(x) => (*x, 1),
        Point::UncompressedP256(both) => (both.x, both.y[31] & 1),
        other => panic!("{other:?}"),
    };
    let mut y = [0; 32];
    y[31] = last;
    *point = Point::UncompressedP256(schema::EccP256CurvePointUncompressedP256 { x, y });
    value
}

/// The octets of a message, signed by a stranger, with these certificates, some of which cannot be
/// read.
pub fn attack(above: &[schema::CertificateBase], requested: Option<schema::CertificateBase>) -> Vec<u8> {
    let own = key(Curve::NistP256, 99);
    let certificate = Certificate::sign(ticket(&own), None, &own).unwrap();
    let header = schema::HeaderInfo { psid: CAM, generation_time: Some(NOW), ..Default::default() };
    let plain = Signed::sign(b"attack", header, &certificate, SignerForm::Certificate, &own).unwrap();
    let mut value = plain.value().clone();
    let certificates = [&[certificate.value().clone()], above].concat();
    value.signer = schema::SignerIdentifier::Certificate(certificates);
    if let Some(requested) = requested {
        value.tbs_data.header_info.requested_certificate = Some(requested);
        let signed = Signed::sign_value(value.tbs_data, value.signer, &certificate, &own);
        return signed.unwrap().octets().to_vec();
    }
    let content = schema::Ieee1609Dot2Content::SignedData(value);
    encoded(&schema::Ieee1609Dot2Data { protocol_version: 3, content })
}

/// The order of P-256 minus this.
pub fn negated(s: &[u8; 32]) -> [u8; 32] {
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
