//! Certificates: their digests, their keys, and verification of one link of a chain (IEEE 1609.2
//! §6.4).

use std::borrow::Cow;
use std::ops::Range;

use roadwire_messages::ieee1609dot2_2022 as schema;

use super::canonical::{self, Key};
use super::curve::{Curve, Point, PublicKey, Signature};
use super::hash::Hash;
use super::spans::{self, Way};
use crate::{Fault, HashedId8};

const TO_BE_SIGNED: usize = 0;
const ENCRYPTION_KEY: usize = 1;
const KEY: usize = 2;
const WAYS: [Way; 3] = [&["toBeSigned"], &["toBeSigned", "encryptionKey"], &["toBeSigned", "verifyKeyIndicator"]];

/// A certificate with its octets.
///
/// A signature or a digest is of the canonical encoding, in which points of keys are compressed and
/// R of a signature has only its x coordinate (§6.4.3). Some issuers sign the octets as they send
/// them, so both are tried where they differ: they say the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Certificate {
    value: Box<schema::CertificateBase>,
    sent: Form,
    /// The canonical encoding, where it is another one.
    canonical: Option<Form>,
    /// The key of an explicit certificate; nothing of an implicit one.
    key: Result<Option<PublicKey>, Fault>,
}

/// An encoding, and where the part that is signed is in it.
#[derive(Debug, Clone, PartialEq)]
struct Form {
    octets: Vec<u8>,
    to_be_signed: Range<usize>,
}

/// The issuer of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Issuer {
    /// The certificate itself, which is a root.
    Itself,
    /// The certificate with this digest.
    Digest(HashedId8),
}

impl Certificate {
    /// Reads a certificate in COER, which must be all of `octets`.
    ///
    /// # Errors
    /// [`Fault::Encoding`] and [`Fault::TrailingOctets`]; [`Fault::Algorithm`] for an issuer's hash
    /// algorithm that is not known; [`Fault::Key`] for a key that is not a point on its curve, or
    /// of which only the x coordinate is given (`PublicVerificationKey`).
    pub fn read(octets: &[u8]) -> Result<Certificate, Fault> {
        let (certificate, length) = Certificate::read_first(octets)?;
        match octets.len() - length {
            0 => Ok(certificate),
            count => Err(Fault::TrailingOctets { count }),
        }
    }

    /// Reads the certificate that `octets` begin with, and returns how many of them it takes.
    ///
    /// # Errors
    /// As [`Certificate::read`].
    pub fn read_first(octets: &[u8]) -> Result<(Certificate, usize), Fault> {
        let (mut certificate, length) = Certificate::decode(octets)?;
        certificate.key = certificate.checked_key();
        if certificate.key == Err(Fault::Key) {
            return Err(Fault::Key);
        }
        Ok((certificate, length))
    }

    /// Reads a certificate that was read before: with this key of its own, whose points are not
    /// checked again.
    pub(super) fn read_again(octets: &[u8], key: Option<PublicKey>) -> Result<Certificate, Fault> {
        let (mut certificate, _) = Certificate::decode(octets)?;
        certificate.key = Ok(key);
        Ok(certificate)
    }

    /// Without its key.
    fn decode(octets: &[u8]) -> Result<(Certificate, usize), Fault> {
        let (value, length, parts) = spans::decode::<schema::CertificateBase>(octets, &WAYS)?;
        let octets = octets.get(..length).unwrap_or(octets).to_vec();
        let place = |way| parts.all(way).next().unwrap_or(0..0);
        let sent = Form { octets, to_be_signed: place(TO_BE_SIGNED) };
        let mut certificate = Certificate { value: Box::new(value), sent, canonical: None, key: Ok(None) };
        certificate.issuer_and_hash()?;
        certificate.canonical = certificate.made_canonical([place(ENCRYPTION_KEY), place(KEY)]);
        Ok((certificate, length))
    }

    /// The key of an explicit certificate, after a check of all points that have a compressed form.
    fn checked_key(&self) -> Result<Option<PublicKey>, Fault> {
        use schema::{CertificateType as T, VerificationKeyIndicator as V};
        let signed = &self.value.to_be_signed;
        if let Some((curve, point)) = signed.encryption_key.as_ref().and_then(canonical::of_encryption) {
            canonical::check_uncompressed(point, &[curve])?;
        }
        match (&self.value.type_, &signed.verify_key_indicator) {
            (T::Explicit, V::VerificationKey(key)) => PublicKey::of(key).map(Some),
            (_, V::VerificationKey(key)) => PublicKey::of(key).and(Err(Fault::Algorithm)),
            (kind, V::ReconstructionValue(value)) => {
                // The issuer's curve, which is one of the two.
                let point = Point::of_256(value).ok_or(Fault::Key)?;
                canonical::check_uncompressed(point, &[Curve::NistP256, Curve::BrainpoolP256r1])?;
                if *kind == T::Implicit { Ok(None) } else { Err(Fault::Algorithm) }
            }
            (_, V::UnknownAddition(_)) => Err(Fault::Algorithm),
        }
    }

    /// Its content.
    #[must_use]
    pub fn value(&self) -> &schema::CertificateBase {
        &self.value
    }

    /// Its octets as they came.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.sent.octets
    }

    /// The digest that messages and certificates name it by: the last octets of the hash of its
    /// canonical encoding (§6.4.3), with the hash of its own key's curve.
    #[must_use]
    pub fn digest(&self) -> HashedId8 {
        self.digest_of(self.canonical.as_ref().unwrap_or(&self.sent))
    }

    /// The digest that lists of revoked certificates name it by: the last ten octets of the same
    /// hash (`HashedId10`).
    #[must_use]
    pub fn hashed_id10(&self) -> [u8; 10] {
        last_of(&self.own_hash().digest(&[&self.canonical.as_ref().unwrap_or(&self.sent).octets]))
    }

    /// That digest, and the digest with the order of the curve minus s in place of s of its
    /// signature: anybody can write it like that, and its issuer's signature verifies as before.
    pub(super) fn equal_ids(&self) -> Vec<[u8; 10]> {
        let octets = &self.canonical.as_ref().unwrap_or(&self.sent).octets;
        let other_s = self.value.signature.as_ref().and_then(|signature| Signature::of(signature).ok()?.other_s());
        let other = other_s.map(|s| {
            // The canonical encoding ends with s.
            let hash = self.own_hash().digest(&[&octets[..octets.len() - s.len()], &s]);
            last_of(&hash)
        });
        [Some(self.hashed_id10()), other].into_iter().flatten().collect()
    }

    /// The same of its octets as they came, where that is another one.
    pub(super) fn sent_digest(&self) -> Option<HashedId8> {
        self.canonical.is_some().then(|| self.digest_of(&self.sent))
    }

    fn digest_of(&self, form: &Form) -> HashedId8 {
        last_of(&self.own_hash().digest(&[&form.octets]))
    }

    /// The hash of the whole certificate: SHA-384 for a key of 384 bits, otherwise SHA-256
    /// (§6.4.3).
    fn own_hash(&self) -> Hash {
        use schema::{PublicVerificationKey as K, VerificationKeyIndicator as V};
        match &self.value.to_be_signed.verify_key_indicator {
            V::VerificationKey(K::EcdsaBrainpoolP384r1(_) | K::EcdsaNistP384(_)) => Hash::Sha384,
            _ => Hash::Sha256,
        }
    }

    /// Its encodings: the octets that a signature of the certificate's holder covers.
    pub(super) fn encodings(&self) -> impl Iterator<Item = &[u8]> {
        [Some(&self.sent), self.canonical.as_ref()].into_iter().flatten().map(|form| form.octets.as_slice())
    }

    /// Who issued it.
    #[must_use]
    pub fn issuer(&self) -> Issuer {
        // Other issuers are not read.
        self.issuer_and_hash().map_or(Issuer::Itself, |(issuer, _)| issuer)
    }

    fn issuer_and_hash(&self) -> Result<(Issuer, Hash), Fault> {
        use schema::IssuerIdentifier as I;
        match &self.value.issuer {
            I::Sha256AndDigest(digest) => Ok((Issuer::Digest(*digest), Hash::Sha256)),
            I::Sha384AndDigest(digest) => Ok((Issuer::Digest(*digest), Hash::Sha384)),
            I::Self_(algorithm) => Ok((Issuer::Itself, Hash::of(*algorithm).ok_or(Fault::Algorithm)?)),
            I::UnknownAddition(_) => Err(Fault::Algorithm),
        }
    }

    /// The key of an explicit certificate, which is in it; nothing for an implicit one, whose key
    /// is [reconstructed](Certificate::key_under) with the issuer's.
    ///
    /// # Errors
    /// [`Fault::Algorithm`]: a key of another algorithm.
    pub fn own_key(&self) -> Result<Option<PublicKey>, Fault> {
        self.key.clone()
    }

    /// Verifies one link of a chain, and **nothing else**: that this issuer, with this key, signed
    /// the certificate. Returns the certificate's key.
    ///
    /// An implicit certificate has no signature: its key is computed from the issuer's (§5.3.2, SEC
    /// 4 §3.5), and what the holder signs verifies with it only if the issuer made it.
    ///
    /// # Errors
    /// [`Fault::Signer`]: another issuer is named; [`Fault::Unsigned`], [`Fault::Algorithm`],
    /// [`Fault::Key`] and [`Fault::Signature`].
    pub fn key_under(&self, issuer: &Certificate, issuers_key: &PublicKey) -> Result<PublicKey, Fault> {
        let (named, hash) = self.issuer_and_hash()?;
        let issuers: Vec<&[u8]> = match named {
            Issuer::Itself if self == issuer => vec![&[]],
            Issuer::Digest(digest) if issuer.is_named(&digest) => issuer.encodings().collect(),
            _ => return Err(Fault::Signer),
        };
        let Some(key) = self.own_key()? else {
            return self.reconstructed(hash, issuers[issuers.len() - 1], issuers_key);
        };
        let signature = Signature::of(self.value.signature.as_ref().ok_or(Fault::Unsigned)?)?;
        // R's part beside x is not hashed: anyone who passes the certificate on may have changed
        // it.
        let signature = Signature { r: Point::XOnly(signature.r.x()), ..signature };
        let verified = self.signed_forms().any(|data| {
            issuers.iter().any(|issuer| issuers_key.verify(&hash.signed(&data, issuer), &signature).is_ok())
        });
        if verified { Ok(key) } else { Err(Fault::Signature) }
    }

    /// The key of an implicit certificate. Its canonical encoding and the issuer's are the ones
    /// that count: with others it comes out as another key.
    fn reconstructed(&self, hash: Hash, issuer: &[u8], issuers_key: &PublicKey) -> Result<PublicKey, Fault> {
        let schema::VerificationKeyIndicator::ReconstructionValue(value) =
            &self.value.to_be_signed.verify_key_indicator
        else {
            return Err(Fault::Algorithm);
        };
        let data = self.signed_forms().last().ok_or(Fault::Key)?;
        // The point of the canonical encoding. One on the other curve of 256 bits has the same, and
        // the same digest.
        let point = Point::of_256(value).ok_or(Fault::Key)?.compressed();
        issuers_key.reconstructed(point, &hash.signed(&data, issuer))
    }

    pub(super) fn is_named(&self, digest: &HashedId8) -> bool {
        self.digest() == *digest || self.sent_digest() == Some(*digest)
    }

    /// The octets that its issuer signed: as they came, and the canonical ones where these are
    /// others.
    pub(super) fn signed_forms(&self) -> impl Iterator<Item = Cow<'_, [u8]>> {
        let forms = [Some(&self.sent), self.canonical.as_ref()].into_iter().flatten();
        forms.map(|form| Cow::Borrowed(form.octets.get(form.to_be_signed.clone()).unwrap_or(&[])))
    }

    /// Whether R of its signature has more than its x coordinate. What that is, is not hashed.
    pub(super) fn has_r_in_another_form(&self) -> bool {
        self.value.signature.as_ref().and_then(canonical::x_only).is_some()
    }

    /// The canonical encoding, if it is another one. The places are those of the fields for the
    /// keys that encrypt and verify, each of which ends with a point.
    fn made_canonical(&self, [encryption, verification]: [Range<usize>; 2]) -> Option<Form> {
        let Form { octets, to_be_signed } = &self.sent;
        let signed = &self.value.to_be_signed;
        let encryption_point =
            signed.encryption_key.as_ref().and_then(canonical::of_encryption).map(|(_, point)| point);
        let keys = [
            Key { place: encryption, point: encryption_point },
            Key { place: verification, point: indicated(&signed.verify_key_indicator) },
        ];
        let signed = canonical::compressed(octets, to_be_signed.clone(), &keys);
        let signature = self.value.signature.as_ref().and_then(canonical::x_only);
        if signed.is_none() && signature.is_none() {
            return None;
        }
        let signed = signed.unwrap_or_else(|| octets[to_be_signed.clone()].to_vec());
        let signature = signature.unwrap_or_else(|| octets[to_be_signed.end..].to_vec());
        let whole = [&octets[..to_be_signed.start], &signed, &signature].concat();
        Some(Form { octets: whole, to_be_signed: to_be_signed.start..to_be_signed.start + signed.len() })
    }
}

/// The last octets of a hash.
fn last_of<const N: usize>(hash: &[u8]) -> [u8; N] {
    let mut last = [0; N];
    last.copy_from_slice(&hash[hash.len() - N..]);
    last
}

/// The point of a key that verifies, or of a reconstruction value.
fn indicated(indicator: &schema::VerificationKeyIndicator) -> Option<Point<'_>> {
    use schema::{PublicVerificationKey as K, VerificationKeyIndicator as V};
    match indicator {
        V::VerificationKey(K::EcdsaNistP256(point) | K::EcdsaBrainpoolP256r1(point)) => Point::of_256(point),
        V::VerificationKey(K::EcdsaBrainpoolP384r1(point) | K::EcdsaNistP384(point)) => Point::of_384(point),
        V::ReconstructionValue(point) => Point::of_256(point),
        V::VerificationKey(K::UnknownAddition(_)) | V::UnknownAddition(_) => None,
    }
}
