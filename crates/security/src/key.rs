//! Keys: ECDSA on P-256 with SHA-256, the only signature algorithm of these versions.

use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::signature::hazmat::{PrehashSigner as _, PrehashVerifier as _};
use p256::elliptic_curve::PrimeField as _;
use p256::elliptic_curve::ops::Reduce;
use p256::{FieldBytes, ProjectivePoint, Scalar};
use sha2::{Digest as _, Sha256};

use crate::checks::checked;
use crate::{Fault, Point, Signature};

/// A key that signs. Its number is erased from memory when it is dropped.
#[derive(Clone)]
pub struct SigningKey(p256::ecdsa::SigningKey);

impl zeroize::ZeroizeOnDrop for SigningKey {}

/// `p256` erases it: this does not compile where it does not.
const _: fn(&p256::ecdsa::SigningKey) -> &dyn zeroize::ZeroizeOnDrop = |key| key;

impl SigningKey {
    /// The key with this number, big-endian.
    ///
    /// # Errors
    /// [`Fault::Key`] for zero, and for numbers from the curve's order on.
    pub fn from_bytes(number: &[u8; 32]) -> Result<SigningKey, Fault> {
        p256::ecdsa::SigningKey::from_slice(number).map(SigningKey).map_err(|_| Fault::Key)
    }

    /// The public key that belongs to it, compressed.
    #[must_use]
    pub fn public(&self) -> Point {
        let point = self.0.verifying_key().to_sec1_point(true);
        let octets = point.as_bytes();
        let mut x = [0; 32];
        x.copy_from_slice(&octets[1..]);
        if octets[0] == 3 { Point::Odd(x) } else { Point::Even(x) }
    }

    /// The signature of the octets, in the canonical form. It is the same each time (RFC 6979): no
    /// random numbers are needed.
    #[must_use]
    pub fn sign(&self, octets: &[u8]) -> Signature {
        signature(self.0.sign(octets))
    }

    /// The same for the octets' hash (SHA-256).
    ///
    /// # Errors
    /// [`Fault::Key`] if the library refuses to sign.
    pub fn sign_hash(&self, hash: &[u8; 32]) -> Result<Signature, Fault> {
        self.0.sign_prehash(hash).map(signature).map_err(|_| Fault::Key)
    }

    pub(crate) fn scalar(&self) -> Scalar {
        **self.0.as_nonzero_scalar()
    }
}

/// Converts a signature to the canonical form.
fn signature(signature: p256::ecdsa::Signature) -> Signature {
    let (r, s) = signature.normalize_s().split_bytes();
    Signature { r: Point::XOnly(r.into()), s: s.into() }
}

impl Signature {
    /// The same with the order of the curve minus s in place of s, which verifies as well. Nothing
    /// if s is not a number below the order.
    pub(crate) fn with_other_s(&self) -> Option<Signature> {
        let s = Scalar::from_repr(self.s.into()).into_option()?;
        Some(Signature { r: self.r.clone(), s: (-s).to_bytes().into() })
    }
}

impl std::fmt::Debug for SigningKey {
    /// Shows only the public key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SigningKey({:?})", self.public())
    }
}

/// A key that verifies.
#[derive(Debug, Clone, PartialEq)]
pub struct VerifyingKey(p256::ecdsa::VerifyingKey);

impl VerifyingKey {
    /// The key at this point.
    ///
    /// # Errors
    /// [`Fault::Key`] if it is not on the curve, or has only an x coordinate.
    pub fn new(point: &Point) -> Result<VerifyingKey, Fault> {
        let mut octets = [0; 65];
        let (number, x, y) = match point {
            Point::XOnly(_) => return Err(Fault::Key),
            Point::Even(x) => (2, x, None),
            Point::Odd(x) => (3, x, None),
            Point::Uncompressed(x, y) => (4, x, Some(y)),
        };
        octets[0] = number;
        octets[1..33].copy_from_slice(x);
        let length = y.map_or(33, |y| {
            octets[33..].copy_from_slice(y);
            65
        });
        p256::ecdsa::VerifyingKey::from_sec1_bytes(&octets[..length]).map(VerifyingKey).map_err(|_| Fault::Key)
    }

    /// Verifies the signature of these octets. Only the x coordinate of the point R is used.
    ///
    /// # Errors
    /// [`Fault::Signature`].
    pub fn verify(&self, octets: &[u8], signature: &Signature) -> Result<(), Fault> {
        self.verify_hash(&Sha256::digest(octets).into(), signature)
    }

    /// The same for the octets' hash (SHA-256).
    ///
    /// # Errors
    /// [`Fault::Signature`].
    pub fn verify_hash(&self, hash: &[u8; 32], signature: &Signature) -> Result<(), Fault> {
        let (x, s) = (signature.r.x(), &signature.s);
        let key = self.0.to_sec1_point(true);
        let is_genuine = checked(&[b"P-256, x", key.as_bytes(), hash, x, s], || {
            // The coordinate of a point may be greater than or equal to the curve's order.
            let r = Scalar::reduce(&FieldBytes::from(*x)).to_bytes();
            let signature = p256::ecdsa::Signature::from_scalars(r, *s);
            signature.is_ok_and(|signature| self.0.verify_prehash(hash, &signature).is_ok())
        });
        if is_genuine { Ok(()) } else { Err(Fault::Signature) }
    }

    pub(crate) fn point(&self) -> ProjectivePoint {
        (*self.0.as_affine()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_coordinates_of_a_key_count() {
        for number in 1..5 {
            let key = SigningKey::from_bytes(&[number; 32]).unwrap();
            let point = key.0.verifying_key().to_sec1_point(false);
            let (x, y) = point.as_bytes()[1..].split_at(32);
            let (x, y): ([u8; 32], [u8; 32]) = (x.try_into().unwrap(), y.try_into().unwrap());
            let own = VerifyingKey::new(&key.public());
            assert!(own.is_ok());
            assert_eq!(VerifyingKey::new(&Point::Uncompressed(x, y)), own);
            let mut off_curve = y;
            off_curve[0] ^= 1;
            assert_eq!(VerifyingKey::new(&Point::Uncompressed(x, off_curve)), Err(Fault::Key));
            let odd = y[31] & 1 == 1;
            let other = VerifyingKey::new(&if odd { Point::Even(x) } else { Point::Odd(x) });
            assert!(other.is_ok() && other != own);
        }
    }
}
