//! Implicit certificates (SEC 4, ECQV): they have no signature, but a point from which the holder's
//! public key is reconstructed. A valid signature of the holder shows that the issuer made it.

use p256::elliptic_curve::ops::Reduce;
use p256::elliptic_curve::sec1::ToSec1Point as _;
use p256::{FieldBytes, ProjectivePoint, Scalar};
use sha2::{Digest, Sha256};

use crate::{Fault, Point, SigningKey, VerifyingKey};

/// Issues an implicit certificate, with a secret number of the issuer and one of the holder.
///
/// `certificate` makes the octets of the certificate from the reconstruction point.
///
/// # Errors
/// The error of `certificate`; [`Fault::Key`] if the numbers do not give a valid key, which does
/// not happen for random numbers.
pub fn issue_implicit(
    issuer: &SigningKey,
    issuers_number: &SigningKey,
    holders_number: &SigningKey,
    certificate: impl FnOnce(&Point) -> Result<Vec<u8>, Fault>,
) -> Result<SigningKey, Fault> {
    let point = ProjectivePoint::GENERATOR * (issuers_number.scalar() + holders_number.scalar());
    let e = hash(&certificate(&told(&point)?)?);
    // The issuer sends the first sum, and the holder adds the rest.
    let private = e * issuers_number.scalar() + issuer.scalar() + e * holders_number.scalar();
    SigningKey::from_bytes(&private.to_bytes().into())
}

/// The key of the holder of an implicit certificate with this reconstruction point and these
/// octets.
///
/// # Errors
/// [`Fault::Key`] if the point is not valid, or has only one coordinate.
pub fn implicit_key(point: &Point, certificate: &[u8], issuer: &VerifyingKey) -> Result<VerifyingKey, Fault> {
    let key = VerifyingKey::new(point)?.point() * hash(certificate) + issuer.point();
    VerifyingKey::new(&told(&key)?)
}

fn hash(octets: &[u8]) -> Scalar {
    let digest: [u8; 32] = Sha256::digest(octets).into();
    Scalar::reduce(&FieldBytes::from(digest))
}

/// A point, compressed.
pub(crate) fn told(point: &ProjectivePoint) -> Result<Point, Fault> {
    let encoded = point.to_affine().to_sec1_point(true);
    match *encoded.as_bytes() {
        [2, ref x @ ..] => Ok(Point::Even(x.try_into().map_err(|_| Fault::Key)?)),
        [3, ref x @ ..] => Ok(Point::Odd(x.try_into().map_err(|_| Fault::Key)?)),
        _ => Err(Fault::Key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_worked_out_is_the_holders() {
        let key = |number: u8| SigningKey::from_bytes(&[number; 32]).unwrap();
        let (issuer, mut octets, mut at) = (key(1), vec![3], None);
        let holder = issue_implicit(&issuer, &key(2), &key(3), |point| {
            octets.extend(point.x());
            at = Some(point.clone());
            Ok(octets.clone())
        })
        .unwrap();
        let (point, issuers) = (at.unwrap(), VerifyingKey::new(&issuer.public()).unwrap());
        let worked_out = implicit_key(&point, &octets, &issuers).unwrap();
        assert_eq!(worked_out, VerifyingKey::new(&holder.public()).unwrap());
        worked_out.verify(b"message", &holder.sign(b"message")).unwrap();
        octets[0] = 2;
        let other = implicit_key(&point, &octets, &issuers).unwrap();
        assert_eq!(other.verify(b"message", &holder.sign(b"message")), Err(Fault::Signature));
    }
}
