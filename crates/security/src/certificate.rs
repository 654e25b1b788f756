//! Certificates: their digests, and verification of their signatures.

use sha2::{Digest, Sha256};

use crate::{
    Attribute, Certificate, Encoded, Fault, HashedId8, Point, Signature, Signer, SigningKey, VerifyingKey, Violation,
    check_certificate, check_issued,
};

impl<C: Certificate> Encoded<C> {
    /// The certificate's digest: the last octets of the hash of its encoding, in which only the x
    /// coordinate of the signature's point R is used (clause 4.2.13).
    #[must_use]
    pub fn hashed_id8(&self) -> HashedId8 {
        self.digest_with(self.value.signature().ok())
    }

    /// That digest, and the digest with the order of the curve minus s in place of s of its
    /// signature: anybody can write it like that, and its issuer's signature verifies as before.
    pub(crate) fn equal_digests(&self) -> [HashedId8; 2] {
        let signature = self.value.signature().ok();
        let other = signature.as_ref().and_then(Signature::with_other_s);
        [signature.clone(), other.or(signature)].map(|signature| self.digest_with(signature))
    }

    fn digest_with(&self, signature: Option<Signature>) -> HashedId8 {
        let mut hash = Sha256::new();
        match signature {
            Some(signature) => {
                let before = self.unsigned(&signature);
                hash.update(&self.octets[..before]);
                // The algorithm and the type of R, both 0.
                hash.update([0, 0]);
                hash.update(signature.r.x());
                hash.update(signature.s);
            }
            None => hash.update(&self.octets),
        }
        let mut last = HashedId8::default();
        last.copy_from_slice(&hash.finalize()[24..]);
        last
    }

    /// The hash (SHA-256) of the signed data. It is the same for all valid forms of the signature
    /// (see [`Signature::is_canonical`]), while [`Encoded::hashed_id8`] is not: the order minus s
    /// in place of s gives the same certificate another digest. Lists of revoked certificates
    /// should use this hash.
    ///
    /// # Errors
    /// [`Fault::Unsigned`] and [`Fault::Algorithm`].
    pub fn certificate_hash(&self) -> Result<[u8; 32], Fault> {
        let signature = self.value.signature()?;
        Ok(Sha256::digest(&self.octets[..self.unsigned(&signature)]).into())
    }

    /// Verifies one link of a chain: the certificate names this issuer, the issuer may issue it,
    /// its signature was made by the issuer's key, and it complies with all rules
    /// ([`check_certificate`], [`check_issued`]). A signature need not have the canonical form. A
    /// root is its own issuer.
    ///
    /// This does not verify that the issuer itself is trusted:
    /// [`Trust::verify_certificate`](crate::Trust::verify_certificate) follows the chain up to a
    /// trusted root.
    ///
    /// # Errors
    /// A fault in either of them; [`Fault::Signer`], [`Fault::Signature`] and
    /// [`Fault::Violations`].
    pub fn verify_certificate(&self, issuer: &Encoded<C>) -> Result<(), Fault> {
        let mut found = self.verify_link(issuer)?;
        found.retain(|violation| *violation != Violation::SignatureForm);
        if found.is_empty() { Ok(()) } else { Err(Fault::Violations(found)) }
    }

    /// The rules that a certificate with a genuine signature of this issuer violates. An issuer
    /// that may not issue this kind is refused before anything is computed.
    pub(crate) fn verify_link(&self, issuer: &Encoded<C>) -> Result<Vec<Violation>, Fault> {
        is_of_its_version(&self.value)?;
        self.names(issuer)?;
        let mut found = check_issued(self, issuer);
        if found.contains(&Violation::IssuerType) {
            return Err(Fault::Violations(found));
        }
        let signature = self.value.signature()?;
        issuer.verification_key()?.verify(&self.octets[..self.unsigned(&signature)], &signature)?;
        found.extend(check_certificate(&self.value));
        Ok(found)
    }

    /// Checks that it names this issuer.
    pub(crate) fn names(&self, issuer: &Encoded<C>) -> Result<(), Fault> {
        let named = match self.value.signer() {
            Signer::Itself => self.octets == issuer.octets,
            other => issuer.is_named_by(&other),
        };
        if named { Ok(()) } else { Err(Fault::Signer) }
    }

    /// The certificates that this one contains, the last of which is its issuer's.
    ///
    /// # Errors
    /// As [`Encoded::write`].
    pub fn carried(&self) -> Result<Vec<Encoded<C>>, Fault> {
        carried(&self.value.signer())
    }

    /// Signs a certificate. The signer that it names is not checked.
    ///
    /// # Errors
    /// [`Fault::Encoding`]: a value outside its type, and an implicit certificate, which has no
    /// signature; [`Fault::Version`].
    pub fn sign_certificate(mut value: C, issuer: &SigningKey) -> Result<Encoded<C>, Fault> {
        is_of_its_version(&value)?;
        value.set_signature(Signature::NONE);
        let unsigned = Encoded::write(value)?;
        let signature = issuer.sign(&unsigned.octets[..unsigned.unsigned(&Signature::NONE)]);
        let mut value = unsigned.value;
        value.set_signature(signature);
        Encoded::write(value)
    }

    /// The key that verifies signatures of the certificate's subject.
    ///
    /// # Errors
    /// [`Fault::NoKey`], [`Fault::Algorithm`] and [`Fault::Key`].
    pub fn verification_key(&self) -> Result<VerifyingKey, Fault> {
        let key = self.value.attributes().into_iter().find_map(|attribute| match attribute {
            Attribute::VerificationKey(key) => Some(key),
            _ => None,
        });
        let point: Point = key.ok_or(Fault::NoKey)?.ok_or(Fault::Algorithm)?;
        VerifyingKey::new(&point)
    }

    pub(crate) fn is_named_by(&self, signer: &Signer<'_, C>) -> bool {
        match signer {
            Signer::Digest(digest) => *digest == self.hashed_id8(),
            Signer::Certificate(certificate) => **certificate == self.value,
            Signer::Chain(chain) => chain.last() == Some(&self.value),
            Signer::None | Signer::Itself | Signer::OtherDigest(_) | Signer::Unknown => false,
        }
    }

    /// How many octets there are before the signature.
    fn unsigned(&self, signature: &Signature) -> usize {
        self.octets.len().saturating_sub(signature.octets())
    }
}

pub(crate) fn carried<C: Certificate>(signer: &Signer<'_, C>) -> Result<Vec<Encoded<C>>, Fault> {
    match signer {
        Signer::Certificate(certificate) => Ok(vec![Encoded::write((*certificate).clone())?]),
        Signer::Chain(chain) => chain.iter().cloned().map(Encoded::write).collect(),
        _ => Ok(Vec::new()),
    }
}

fn is_of_its_version<C: Certificate>(certificate: &C) -> Result<(), Fault> {
    if certificate.version() == C::VERSION { Ok(()) } else { Err(Fault::Version { found: certificate.version() }) }
}
