//! Who signs: a certificate and the key that belongs to it.

use std::fmt;

use super::{Certificate, Curve, PublicKey, SecretKey};
use crate::Fault;

/// Reads a signer's explicit certificate in COER and its key: a number, big-endian, of as many octets as the certificate's curve has.
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

/// Why nobody can sign with a certificate and a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignerFault {
    /// What is wrong with the certificate.
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
