//! Signed messages and the frames that they are in, for tests.

use roadwire_security::dot2::{Certificate, Curve, SecretKey, Signed, SignerForm, schema};

/// A GeoNetworking packet of one hop with a message to this BTP port.
pub(crate) fn packet(port: u16, message: &[u8]) -> Vec<u8> {
    let length = (message.len() as u16 + 4).to_be_bytes();
    // BTP-B after a header for one hop, without a flag, and one hop left.
    let common = [0x20, 0x50, 0, 0, length[0], length[1], 1, 0];
    let (position, media, port) = ([0; 24], [0; 4], port.to_be_bytes());
    [&common[..], &position, &media, &port, &[0, 0], message].concat()
}

/// A payload, signed for this application. The certificate is self-signed.
pub(crate) fn signed(psid: u64, payload: &[u8]) -> Vec<u8> {
    let (certificate, key) = holder(psid);
    let signed = Signed::sign(payload, header(psid), &certificate, SignerForm::Certificate, &key);
    signed.unwrap_or_else(|fault| panic!("{fault}")).octets().to_vec()
}

/// The hash of a payload that is elsewhere, signed by the same.
pub(crate) fn signed_elsewhere(psid: u64) -> Vec<u8> {
    let (certificate, key) = holder(psid);
    let hash = schema::HashedData::Sha256HashedData([7; 32]);
    let payload = schema::SignedDataPayload { ext_data_hash: Some(hash), ..Default::default() };
    let data = schema::ToBeSignedData { payload, header_info: header(psid) };
    let signer = schema::SignerIdentifier::Certificate(vec![certificate.value().clone()]);
    let signed = Signed::sign_value(data, signer, &certificate, &key);
    signed.unwrap_or_else(|fault| panic!("{fault}")).octets().to_vec()
}

fn header(psid: u64) -> schema::HeaderInfo {
    schema::HeaderInfo { psid, generation_time: Some(1), ..Default::default() }
}

fn holder(psid: u64) -> (Certificate, SecretKey) {
    let key = SecretKey::from_bytes(Curve::NistP256, &[7; 32]).unwrap_or_else(|fault| panic!("{fault}"));
    let public = key.public().unwrap_or_else(|fault| panic!("{fault}"));
    let mut content = schema::CertificateBase { version: 3, ..Default::default() };
    content.to_be_signed.id = schema::CertificateId::None(());
    content.to_be_signed.validity_period.duration = schema::Duration::Years(1);
    content.to_be_signed.verify_key_indicator = schema::VerificationKeyIndicator::VerificationKey(public);
    content.to_be_signed.app_permissions = Some(vec![schema::PsidSsp { psid, ssp: None }]);
    let certificate = Certificate::sign(content, None, &key);
    (certificate.unwrap_or_else(|fault| panic!("{fault}")), key)
}
