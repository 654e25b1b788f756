//! Certificates: what names them, who signed them.

use sha2::{Digest, Sha256};

use crate::{Attribute, Certificate, Encoded, Fault, HashedId8, Point, Signature, Signer, SigningKey, VerifyingKey};

impl<C: Certificate> Encoded<C> {
    /// What names the certificate: the last octets of the hash of its encoding, in which of the signature's point R the x coordinate alone counts (clause 4.2.13).
    #[must_use]
    pub fn hashed_id8(&self) -> HashedId8 {
        let mut hash = Sha256::new();
        match self.value.signature() {
            Ok(signature) => {
                let before = self.unsigned(&signature);
                hash.update(&self.octets[..before]);
                // The algorithm and the type of R, both 0.
                hash.update([0, 0]);
                hash.update(signature.r.x());
                hash.update(signature.s);
            }
            Err(_) => hash.update(&self.octets),
        }
        let mut last = HashedId8::default();
        last.copy_from_slice(&hash.finalize()[24..]);
        last
    }

    /// Whether the issuer's key made the certificate's signature, over all octets before it, and the certificate names that issuer. A certificate that signs itself is its own issuer. Whether the issuer
    /// may do so is for [`check_issued`](crate::check_issued).
    ///
    /// # Errors
    /// What is wrong with either of them; [`Fault::Signer`] and [`Fault::Signature`].
    pub fn verify_certificate(&self, issuer: &Encoded<C>) -> Result<(), Fault> {
        is_of_its_version(&self.value)?;
        let named = match self.value.signer() {
            Signer::Itself => self.octets == issuer.octets,
            other => issuer.is_named_by(&other),
        };
        if !named {
            return Err(Fault::Signer);
        }
        let signature = self.value.signature()?;
        issuer.verification_key()?.verify(&self.octets[..self.unsigned(&signature)], &signature)
    }

    /// The certificates that this one brings along, the last of which is its issuer's.
    ///
    /// # Errors
    /// As [`Encoded::write`].
    pub fn carried(&self) -> Result<Vec<Encoded<C>>, Fault> {
        carried(&self.value.signer())
    }

    /// Signs a certificate. What it says of its signer is not looked at.
    ///
    /// # Errors
    /// [`Fault::Encoding`]: a value outside its type, and an implicit certificate, which has no signature; [`Fault::Version`].
    pub fn sign_certificate(mut value: C, issuer: &SigningKey) -> Result<Encoded<C>, Fault> {
        is_of_its_version(&value)?;
        value.set_signature(Signature::NONE);
        let unsigned = Encoded::write(value)?;
        let signature = issuer.sign(&unsigned.octets[..unsigned.unsigned(&Signature::NONE)]);
        let mut value = unsigned.value;
        value.set_signature(signature);
        Encoded::write(value)
    }

    /// The key that verifies what the certificate's subject signs.
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
