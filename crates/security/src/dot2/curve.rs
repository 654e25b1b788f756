//! ECDSA on the four curves of IEEE 1609.2 §5.3.1, and the points of keys and signatures
//! (`EccP256CurvePoint`, `EccP384CurvePoint`).

use bp256::BrainpoolP256r1;
use bp384::BrainpoolP384r1;
use p256::NistP256;
use p256::elliptic_curve::bigint::{BitOps as _, Encoding as _};
use p256::elliptic_curve::group::Curve as _;
use p256::elliptic_curve::ops::{Invert as _, MulByGeneratorVartime as _, Reduce};
use p256::elliptic_curve::point::AffineCoordinates as _;
use p256::elliptic_curve::sec1::{FromSec1Point, ModulusSize, ToSec1Point};
use p256::elliptic_curve::{
    AffinePoint, Curve as EllipticCurve, CurveArithmetic, FieldBytes, FieldBytesSize, NonZeroScalar, ProjectivePoint,
    PublicKey as Key, Scalar,
};
use p384::NistP384;
use roadwire_messages::ieee1609dot2_2022 as schema;

use super::hash::Hash;
use crate::Fault;
use crate::checks::checked;

/// A curve that keys and signatures are on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Curve {
    /// P-256 of FIPS 186-4.
    NistP256,
    /// brainpoolP256r1 of RFC 5639.
    BrainpoolP256r1,
    /// brainpoolP384r1 of RFC 5639.
    BrainpoolP384r1,
    /// P-384 of FIPS 186-4.
    NistP384,
}

impl Curve {
    /// All of them.
    pub const ALL: [Curve; 4] = [Curve::NistP256, Curve::BrainpoolP256r1, Curve::BrainpoolP384r1, Curve::NistP384];

    /// How many octets a coordinate or a number takes: 32 or 48.
    #[must_use]
    pub const fn octets(self) -> usize {
        match self {
            Curve::NistP256 | Curve::BrainpoolP256r1 => 32,
            Curve::BrainpoolP384r1 | Curve::NistP384 => 48,
        }
    }

    /// Its name in the standards.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Curve::NistP256 => "P-256",
            Curve::BrainpoolP256r1 => "brainpoolP256r1",
            Curve::BrainpoolP384r1 => "brainpoolP384r1",
            Curve::NistP384 => "P-384",
        }
    }

    /// The hash that goes with it (§5.3.3): of certificates with a key on it, and of what such a
    /// key signs.
    #[must_use]
    pub const fn hash(self) -> Hash {
        match self {
            Curve::NistP256 | Curve::BrainpoolP256r1 => Hash::Sha256,
            Curve::BrainpoolP384r1 | Curve::NistP384 => Hash::Sha384,
        }
    }
}

/// A point as a message has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Point<'a> {
    /// The x coordinate.
    XOnly(&'a [u8]),
    /// The x coordinate, and whether y is odd.
    Compressed(&'a [u8], bool),
    /// Both coordinates, x first.
    Uncompressed(&'a [u8], &'a [u8]),
}

impl<'a> Point<'a> {
    pub(super) fn x(self) -> &'a [u8] {
        match self {
            Point::XOnly(x) | Point::Compressed(x, _) | Point::Uncompressed(x, _) => x,
        }
    }

    /// As SEC 1 §2.3.3 writes it; nothing if y is not known.
    fn sec1(self) -> Option<Vec<u8>> {
        let (first, x, y) = match self {
            Point::XOnly(_) => return None,
            Point::Compressed(x, is_odd) => (2 + u8::from(is_odd), x, &[][..]),
            Point::Uncompressed(x, y) => (4, x, y),
        };
        Some([&[first], x, y].concat())
    }

    /// The same point with only the last bit of y. Only the x coordinate stays as it is.
    pub(super) fn compressed(self) -> Point<'a> {
        match self {
            Point::Uncompressed(x, y) => Point::Compressed(x, y.last().is_some_and(|last| last & 1 == 1)),
            point => point,
        }
    }

    pub(super) fn is_on(self, curve: Curve) -> bool {
        PublicKey::at(curve, self).is_ok()
    }

    /// Of a point of 256 bits; nothing of `fill`, which is none.
    pub(super) fn of_256(point: &'a schema::EccP256CurvePoint) -> Option<Point<'a>> {
        use schema::EccP256CurvePoint as P;
        Some(match point {
            P::XOnly(x) => Point::XOnly(x),
            P::Fill(()) => return None,
            P::Compressed_Y_0(x) => Point::Compressed(x, false),
            P::Compressed_Y_1(x) => Point::Compressed(x, true),
            P::UncompressedP256(both) => Point::Uncompressed(&both.x, &both.y),
        })
    }

    /// The same with 384 bits.
    pub(super) fn of_384(point: &'a schema::EccP384CurvePoint) -> Option<Point<'a>> {
        use schema::EccP384CurvePoint as P;
        Some(match point {
            P::XOnly(x) => Point::XOnly(x),
            P::Fill(()) => return None,
            P::Compressed_Y_0(x) => Point::Compressed(x, false),
            P::Compressed_Y_1(x) => Point::Compressed(x, true),
            P::UncompressedP384(both) => Point::Uncompressed(&both.x, &both.y),
        })
    }
}

/// A signature as a message has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Signature<'a> {
    pub(super) curve: Curve,
    pub(super) r: Point<'a>,
    /// Big-endian.
    pub(super) s: &'a [u8],
}

impl<'a> Signature<'a> {
    /// # Errors
    /// [`Fault::Algorithm`]: one of another algorithm; [`Fault::Signature`]: R is `fill`.
    pub(super) fn of(signature: &'a schema::Signature) -> Result<Signature<'a>, Fault> {
        use schema::Signature as S;
        let (curve, r, s) = match signature {
            S::EcdsaNistP256Signature(one) => (Curve::NistP256, Point::of_256(&one.r_sig), &one.s_sig[..]),
            S::EcdsaBrainpoolP256r1Signature(one) => {
                (Curve::BrainpoolP256r1, Point::of_256(&one.r_sig), &one.s_sig[..])
            }
            S::EcdsaBrainpoolP384r1Signature(one) => {
                (Curve::BrainpoolP384r1, Point::of_384(&one.r_sig), &one.s_sig[..])
            }
            S::EcdsaNistP384Signature(one) => (Curve::NistP384, Point::of_384(&one.r_sig), &one.s_sig[..]),
            S::UnknownAddition(_) => return Err(Fault::Algorithm),
        };
        Ok(Signature { curve, r: r.ok_or(Fault::Signature)?, s })
    }

    /// The order of the curve minus s, with which the signature verifies as well as with s. Nothing
    /// if s is not a number below the order.
    pub(super) fn other_s(&self) -> Option<Vec<u8>> {
        match self.curve {
            Curve::NistP256 => negated::<NistP256>(self.s),
            Curve::BrainpoolP256r1 => negated::<BrainpoolP256r1>(self.s),
            Curve::BrainpoolP384r1 => negated::<BrainpoolP384r1>(self.s),
            Curve::NistP384 => negated::<NistP384>(self.s),
        }
    }

    /// All of it but x.
    pub(super) fn form(&self) -> Vec<u8> {
        let (number, y): (u8, &[u8]) = match self.r {
            Point::XOnly(_) => (0, &[]),
            Point::Compressed(_, is_odd) => (2 + u8::from(is_odd), &[]),
            Point::Uncompressed(_, y) => (4, y),
        };
        [&[number], y, self.s].concat()
    }
}

/// A key that verifies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PublicKey(Any);

#[derive(Debug, Clone, Copy, PartialEq)]
enum Any {
    NistP256(Key<NistP256>),
    BrainpoolP256r1(Key<BrainpoolP256r1>),
    BrainpoolP384r1(Key<BrainpoolP384r1>),
    NistP384(Key<NistP384>),
}

impl PublicKey {
    /// The curve that it is on.
    #[must_use]
    pub fn curve(&self) -> Curve {
        match self.0 {
            Any::NistP256(_) => Curve::NistP256,
            Any::BrainpoolP256r1(_) => Curve::BrainpoolP256r1,
            Any::BrainpoolP384r1(_) => Curve::BrainpoolP384r1,
            Any::NistP384(_) => Curve::NistP384,
        }
    }

    /// The key at this point, as SEC 1 §2.3.3 writes it: 2 or 3 and x, or 4, x and y.
    ///
    /// # Errors
    /// [`Fault::Key`] if it is not on the curve.
    pub fn from_sec1(curve: Curve, octets: &[u8]) -> Result<PublicKey, Fault> {
        let any = match curve {
            Curve::NistP256 => Key::from_sec1_bytes(octets).map(Any::NistP256),
            Curve::BrainpoolP256r1 => Key::from_sec1_bytes(octets).map(Any::BrainpoolP256r1),
            Curve::BrainpoolP384r1 => Key::from_sec1_bytes(octets).map(Any::BrainpoolP384r1),
            Curve::NistP384 => Key::from_sec1_bytes(octets).map(Any::NistP384),
        };
        any.map(PublicKey).map_err(|_| Fault::Key)
    }

    /// The key of an explicit certificate.
    ///
    /// # Errors
    /// [`Fault::Algorithm`]: one of another algorithm; [`Fault::Key`]: not a point on the curve, or
    /// only one coordinate.
    pub(super) fn of(key: &schema::PublicVerificationKey) -> Result<PublicKey, Fault> {
        use schema::PublicVerificationKey as K;
        let (curve, point) = match key {
            K::EcdsaNistP256(point) => (Curve::NistP256, Point::of_256(point)),
            K::EcdsaBrainpoolP256r1(point) => (Curve::BrainpoolP256r1, Point::of_256(point)),
            K::EcdsaBrainpoolP384r1(point) => (Curve::BrainpoolP384r1, Point::of_384(point)),
            K::EcdsaNistP384(point) => (Curve::NistP384, Point::of_384(point)),
            K::UnknownAddition(_) => return Err(Fault::Algorithm),
        };
        PublicKey::at(curve, point.ok_or(Fault::Key)?)
    }

    pub(super) fn at(curve: Curve, point: Point<'_>) -> Result<PublicKey, Fault> {
        PublicKey::from_sec1(curve, &point.sec1().ok_or(Fault::Key)?)
    }

    /// The key of the holder of an implicit certificate (SEC 4 §3.5, IEEE 1609.2 §5.3.2), of which
    /// this is the issuer's: the reconstruction value times the hash, and the issuer's key.
    ///
    /// # Errors
    /// [`Fault::Key`]: not a point on the issuer's curve, or the sum is none.
    pub(super) fn reconstructed(&self, value: Point<'_>, hash: &[u8]) -> Result<PublicKey, Fault> {
        let value = PublicKey::at(self.curve(), value)?;
        let any = match (self.0, value.0) {
            (Any::NistP256(issuer), Any::NistP256(value)) => sum(&issuer, &value, hash).map(Any::NistP256),
            (Any::BrainpoolP256r1(issuer), Any::BrainpoolP256r1(value)) => {
                sum(&issuer, &value, hash).map(Any::BrainpoolP256r1)
            }
            // Reconstruction values have 256 bits.
            _ => None,
        };
        any.map(PublicKey).ok_or(Fault::Key)
    }

    /// Verifies the signature of a hash. If the message has R's y coordinate, or says whether it is
    /// odd, that must be right as well.
    ///
    /// # Errors
    /// [`Fault::Algorithm`]: a signature on another curve; [`Fault::Signature`].
    pub(super) fn verify(&self, hash: &[u8], signature: &Signature<'_>) -> Result<(), Fault> {
        if signature.curve != self.curve() {
            return Err(Fault::Algorithm);
        }
        let (r, s) = (signature.r, signature.s);
        let (curve, key) = match &self.0 {
            Any::NistP256(key) => ("P-256", sec1(key)),
            Any::BrainpoolP256r1(key) => ("brainpoolP256r1", sec1(key)),
            Any::BrainpoolP384r1(key) => ("brainpoolP384r1", sec1(key)),
            Any::NistP384(key) => ("P-384", sec1(key)),
        };
        let parts = [curve.as_bytes(), &key, hash, r.x(), &signature.form()];
        let is_genuine = checked(&parts, || {
            let verified = match &self.0 {
                Any::NistP256(key) => verify(key, hash, r, s),
                Any::BrainpoolP256r1(key) => verify(key, hash, r, s),
                Any::BrainpoolP384r1(key) => verify(key, hash, r, s),
                Any::NistP384(key) => verify(key, hash, r, s),
            };
            verified == Some(true)
        });
        if is_genuine { Ok(()) } else { Err(Fault::Signature) }
    }
}

/// A key as SEC 1 §2.3.3 writes it.
fn sec1<C>(key: &Key<C>) -> Vec<u8>
where
    C: CurveArithmetic + EllipticCurve,
    AffinePoint<C>: FromSec1Point<C> + ToSec1Point<C>,
    FieldBytesSize<C>: ModulusSize,
{
    key.to_sec1_point(true).as_bytes().to_vec()
}

/// FIPS 186-4 §6.4: computes R from the hash and the numbers r and s, and compares it with the one
/// in the signature.
fn verify<C: CurveArithmetic>(key: &Key<C>, hash: &[u8], r: Point<'_>, s: &[u8]) -> Option<bool> {
    let s: NonZeroScalar<C> = NonZeroScalar::from_repr(FieldBytes::<C>::try_from(s).ok()?).into_option()?;
    // The coordinate of a point may be greater than or equal to the curve's order.
    let number: Scalar<C> = Reduce::reduce(&FieldBytes::<C>::try_from(r.x()).ok()?);
    let number: NonZeroScalar<C> = NonZeroScalar::new(number).into_option()?;
    let inverse = *s.invert_vartime();
    let (of_base, of_key) = (number_of_hash::<C>(hash) * inverse, *number * inverse);
    let base = ProjectivePoint::<C>::mul_by_generator_and_mul_add_vartime(&of_base, &of_key, &key.to_projective());
    let found = base.to_affine();
    let found_number: Scalar<C> = Reduce::reduce(&found.x());
    let is_told = match r {
        Point::XOnly(_) => true,
        Point::Compressed(_, is_odd) => bool::from(found.y_is_odd()) == is_odd,
        Point::Uncompressed(_, y) => found.y()[..] == *y,
    };
    Some(found_number == *number && is_told)
}

fn negated<C: CurveArithmetic>(s: &[u8]) -> Option<Vec<u8>> {
    let s: NonZeroScalar<C> = NonZeroScalar::from_repr(FieldBytes::<C>::try_from(s).ok()?).into_option()?;
    let other: FieldBytes<C> = (-*s).into();
    Some(other.to_vec())
}

/// The first bits of a hash, as many as the order has, as a number modulo the order (SEC 1 §4.1.4).
pub(super) fn number_of_hash<C: CurveArithmetic>(hash: &[u8]) -> Scalar<C> {
    let bits = C::ORDER.bits();
    let octets = bits.div_ceil(8) as usize;
    let first = hash.get(..octets).unwrap_or(hash);
    Reduce::reduce(&C::Uint::from_be_slice_truncated(first, bits))
}

fn sum<C>(issuer: &Key<C>, value: &Key<C>, hash: &[u8]) -> Option<Key<C>>
where
    C: CurveArithmetic + EllipticCurve,
    AffinePoint<C>: FromSec1Point<C> + ToSec1Point<C>,
    FieldBytesSize<C>: ModulusSize,
{
    let point = value.to_projective() * number_of_hash::<C>(hash) + issuer.to_projective();
    Key::from_affine(point.to_affine()).ok()
}
