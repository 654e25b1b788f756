//! Signed messages (IEEE 1609.2 §6.3.4).

use std::ops::Range;

use roadwire_messages::ieee1609dot2_2022 as schema;

use super::canonical::{self, Key};
use super::certificate::Certificate;
use super::curve::{PublicKey, Signature};
use super::hash::Hash;
use super::spans::{self, Way};
use crate::{Fault, HashedId8};

const TO_BE_SIGNED: usize = 0;
const ENCRYPTION_KEY: usize = 1;
const CERTIFICATE: usize = 2;
const REQUESTED: usize = 3;
const WAYS: [Way; 4] = [
    &["content", "signedData", "tbsData"],
    &["content", "signedData", "tbsData", "headerInfo", "encryptionKey"],
    &["content", "signedData", "signer", "certificate", "*"],
    &["content", "signedData", "tbsData", "headerInfo", "requestedCertificate"],
];

/// The most certificates of a chain; of more in a message, the first ones count.
pub(super) const LONGEST: usize = 8;

/// A signed message with its octets.
#[derive(Debug, Clone, PartialEq)]
pub struct Signed {
    value: Box<schema::SecuredMessage>,
    octets: Vec<u8>,
    to_be_signed: Range<usize>,
    /// The canonical encoding of the signed part, where it differs.
    canonical: Option<Vec<u8>>,
    certificates: Vec<Range<usize>>,
    requested: Option<Range<usize>>,
}

/// Who signed a message.
#[derive(Debug, Clone, PartialEq)]
pub enum Signer {
    /// The holder of the certificate with this digest.
    Digest(HashedId8),
    /// The holder of the first of these certificates, each of which is issued by the next one: the
    /// first eight of those in the message.
    Certificates(Vec<Certificate>),
    /// The message itself has the key.
    Itself,
}

impl Signed {
    /// Reads the message that `octets` begin with.
    ///
    /// # Errors
    /// [`Fault::Encoding`]; [`Fault::Unsigned`]: it is not signed; [`Fault::Payload`]: it is
    /// encrypted, or the signed part is not all in it; [`Fault::Key`]: an uncompressed key in its
    /// header that is not a point on the curve.
    pub fn read(octets: &[u8]) -> Result<Signed, Fault> {
        use schema::Ieee1609Dot2Content as Content;
        let (data, length, parts) = spans::decode::<schema::Ieee1609Dot2Data>(octets, &WAYS)?;
        let value = match data.content {
            Content::SignedData(signed) => Box::new(signed),
            Content::EncryptedData(_) => return Err(Fault::Payload),
            _ => return Err(Fault::Unsigned),
        };
        // Something that a later version of the standard has: the hash of a payload elsewhere may
        // belong to the signed part.
        if !value.tbs_data.payload.unknown.as_slice().is_empty() {
            return Err(Fault::Payload);
        }
        let to_be_signed = parts.all(TO_BE_SIGNED).next().ok_or(Fault::Unsigned)?;
        let key = match &value.tbs_data.header_info.encryption_key {
            Some(schema::EncryptionKey::Public(key)) => canonical::of_encryption(key),
            _ => None,
        };
        if let Some((curve, point)) = key {
            canonical::check_uncompressed(point, &[curve])?;
        }
        let place = parts.all(ENCRYPTION_KEY).next().unwrap_or(0..0);
        let keys = [Key { place, point: key.map(|(_, point)| point) }];
        Ok(Signed {
            canonical: canonical::compressed(octets, to_be_signed.clone(), &keys),
            certificates: parts.all(CERTIFICATE).collect(),
            requested: parts.all(REQUESTED).next(),
            octets: octets.get(..length).unwrap_or(octets).to_vec(),
            to_be_signed,
            value,
        })
    }

    /// Its content.
    #[must_use]
    pub fn value(&self) -> &schema::SecuredMessage {
        &self.value
    }

    /// Its octets as they came, without those after it.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// The octets of the signed part.
    #[must_use]
    pub fn to_be_signed(&self) -> &[u8] {
        self.octets.get(self.to_be_signed.clone()).unwrap_or(&[])
    }

    /// The same in its canonical encoding.
    pub(super) fn canonical_to_be_signed(&self) -> &[u8] {
        self.canonical.as_deref().unwrap_or(self.to_be_signed())
    }

    /// Who signed it.
    ///
    /// # Errors
    /// [`Fault::Signer`]: in an unknown way, or not a certificate; a fault in a certificate.
    pub fn signer(&self) -> Result<Signer, Fault> {
        match &self.value.signer {
            schema::SignerIdentifier::Digest(digest) => Ok(Signer::Digest(*digest)),
            schema::SignerIdentifier::Certificate(_) if self.certificates.is_empty() => Err(Fault::Signer),
            schema::SignerIdentifier::Certificate(_) => {
                let one = |place: &Range<usize>| Certificate::read(self.octets.get(place.clone()).unwrap_or(&[]));
                let first = self.certificates.iter().take(LONGEST);
                Ok(Signer::Certificates(first.map(one).collect::<Result<_, _>>()?))
            }
            schema::SignerIdentifier::Self_(()) => Ok(Signer::Itself),
            schema::SignerIdentifier::UnknownAddition(_) => Err(Fault::Signer),
        }
    }

    /// The certificate of an authority that the sender passes on, because another station asked for
    /// it (§8).
    ///
    /// # Errors
    /// A fault in the certificate.
    pub fn requested_certificate(&self) -> Result<Option<Certificate>, Fault> {
        self.requested.clone().map(|place| Certificate::read(self.octets.get(place).unwrap_or(&[]))).transpose()
    }

    /// Verifies that the holder of this certificate, with this key, signed the message,
    /// and **nothing else**: not whether the holder may, nor who issued the certificate.
    ///
    /// Returns the hash that was signed, and the signature.
    ///
    /// # Errors
    /// [`Fault::Algorithm`] and [`Fault::Signature`].
    pub(super) fn verified(
        &self,
        certificate: &Certificate,
        key: &PublicKey,
    ) -> Result<(Vec<u8>, Signature<'_>), Fault> {
        let hash = Hash::of(self.value.hash_id).ok_or(Fault::Algorithm)?;
        let signature = Signature::of(&self.value.signature)?;
        let mut fault = Fault::Signature;
        for data in [Some(self.to_be_signed()), self.canonical.as_deref()].into_iter().flatten() {
            for signer in certificate.encodings() {
                let signed = hash.signed(data, signer);
                match key.verify(&signed, &signature) {
                    Ok(()) => return Ok((signed, signature)),
                    Err(found) => fault = found,
                }
            }
        }
        Err(fault)
    }

    /// Verifies that the holder of this certificate, with this key, signed the message,
    /// and **nothing else**: not whether the holder may, nor who issued the certificate.
    /// [`Verifier`](super::Verifier) checks more.
    ///
    /// # Errors
    /// [`Fault::Algorithm`] and [`Fault::Signature`].
    pub fn verify(&self, certificate: &Certificate, key: &PublicKey) -> Result<(), Fault> {
        self.verified(certificate, key).map(|_| ())
    }
}
