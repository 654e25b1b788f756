//! Who signs: a certificate and the key that belongs to it.

use std::fmt;

use super::{Certificate, Curve, PublicKey, SecretKey};
use crate::Fault;

/// Reads a signer's explicit certificate in COER and its key: a number, big-endian, of as many
/// octets as the certificate's curve has.
///
/// # Errors
/// The certificate cannot be used, or the key is not its own.
pub fn signer(certificate: &[u8], key: &[u8]) -> Result<(Certificate, SecretKey), SignerFault> {
    let certificate = Certificate::read(certificate).map_err(SignerFault::Certificate)?;
    let public = certificate.own_key().map_err(SignerFault::Certificate)?.ok_or(SignerFault::Implicit)?;
    let key = SecretKey::from_bytes(public.curve(), key).map_err(|_| SignerFault::Key(public.curve()))?;
    match PublicKey::from_sec1(key.curve(), &key.public_octets()) == Ok(public) {
        true => Ok((certificate, key)),
        false => Err(SignerFault::OtherKey),
    }
}

/// Why a certificate and a key cannot sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignerFault {
    /// A fault in the certificate.
    Certificate(Fault),
    /// The certificate is implicit: its key is known only with its issuer's.
    Implicit,
    /// The key is no number on the curve of the certificate.
    Key(Curve),
    /// The key is that of another certificate.
    OtherKey,
}

impl SignerFault {
    /// Whether the key is wrong, and not the certificate.
    #[must_use]
    pub const fn is_of_key(&self) -> bool {
        matches!(self, SignerFault::Key(_) | SignerFault::OtherKey)
    }
}

impl fmt::Display for SignerFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignerFault::Certificate(fault) => fault.fmt(f),
            SignerFault::Implicit => f.write_str("an implicit certificate"),
            SignerFault::Key(curve) => {
                write!(f, "not a key on {}, which is a number of {} octets", curve.name(), curve.octets())
            }
            SignerFault::OtherKey => f.write_str("not the key of this certificate"),
        }
    }
}

impl std::error::Error for SignerFault {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dot2::schema;

    fn content(key: &SecretKey) -> schema::CertificateBase {
        let mut content = schema::CertificateBase { version: 3, ..Default::default() };
        content.to_be_signed.id = schema::CertificateId::None(());
        let public = key.public().unwrap();
        content.to_be_signed.verify_key_indicator = schema::VerificationKeyIndicator::VerificationKey(public);
        content.to_be_signed.app_permissions = Some(vec![schema::PsidSsp { psid: 36, ssp: None }]);
        content
    }

    #[test]
    fn a_signer_has_the_key_of_its_certificate() {
        for curve in Curve::ALL {
            let number = |octet: u8| vec![octet; curve.octets()];
            let own = SecretKey::from_bytes(curve, &number(1)).unwrap();
            let certificate = Certificate::sign(content(&own), None, &own).unwrap();
            let found = |key: &[u8]| signer(certificate.octets(), key).map(|(found, key)| (found, key.public_octets()));
            assert_eq!(found(&number(1)), Ok((certificate.clone(), own.public_octets())));
            assert_eq!(found(&number(2)), Err(SignerFault::OtherKey));
            for wrong in [number(0), number(0xff), number(1)[1..].to_vec(), vec![]] {
                assert_eq!(found(&wrong), Err(SignerFault::Key(curve)), "{wrong:?}");
            }
        }
    }

    #[test]
    fn a_signer_with_an_implicit_certificate_is_refused() {
        let key = |octet: u8| SecretKey::from_bytes(Curve::NistP256, &[octet; 32]).unwrap();
        let issuer = Certificate::sign(content(&key(1)), None, &key(1)).unwrap();
        let numbers = [&key(2), &key(3)];
        let (implicit, _) = Certificate::issue_implicit(content(&key(4)), &issuer, &key(1), numbers).unwrap();
        assert_eq!(signer(implicit.octets(), &[4; 32]).map(drop), Err(SignerFault::Implicit));
        let fault = signer(b"not a certificate", &[4; 32]).map(drop);
        assert!(matches!(fault, Err(SignerFault::Certificate(Fault::Encoding(_)))), "{fault:?}");
    }
}
