//! The canonical encoding of hashed data (IEEE 1609.2 §6.1.2): points of keys are compressed, and R
//! of a certificate's signature has only its x coordinate (§6.4.3, and `ToBeSignedCertificate`,
//! `HeaderInfo` and `EcdsaP256Signature`).

use std::ops::Range;

use roadwire_messages::ieee1609dot2_2022 as schema;

use super::curve::{Curve, Point, Signature};
use crate::Fault;

/// The tag of the alternative `uncompressed…` of a point, and of the compressed ones.
const UNCOMPRESSED: u8 = 0x84;
const COMPRESSED: [u8; 2] = [0x82, 0x83];

/// A field that ends with a point.
#[derive(Debug)]
pub(super) struct Key<'v> {
    /// Its place in the octets.
    pub(super) place: Range<usize>,
    /// The point. Nothing where the field is absent, or has no point.
    pub(super) point: Option<Point<'v>>,
}

/// The octets at `place` with compressed points at the end of each of the fields `keys`, which are
/// in the order of their places. Nothing if none is uncompressed.
pub(super) fn compressed(octets: &[u8], place: Range<usize>, keys: &[Key<'_>]) -> Option<Vec<u8>> {
    let mut written = Vec::new();
    let mut from = place.start;
    for Key { place, point } in keys {
        let Some((kept, point)) = point.and_then(|point| compressed_end(octets.get(place.clone())?, point)) else {
            continue;
        };
        written.extend_from_slice(octets.get(from..place.start)?);
        written.extend_from_slice(&kept);
        written.extend_from_slice(&point);
        from = place.end;
    }
    if written.is_empty() {
        return None;
    }
    written.extend_from_slice(octets.get(from..place.end)?);
    Some(written)
}

/// The octets before the point at the end of a field, and the point, compressed. Nothing if it is
/// not uncompressed.
fn compressed_end(field: &[u8], point: Point<'_>) -> Option<(Vec<u8>, Vec<u8>)> {
    let Point::Uncompressed(x, y) = point else { return None };
    let (before, written) = field.split_at_checked(field.len().checked_sub(1 + x.len() + y.len())?)?;
    if written.first() != Some(&UNCOMPRESSED) {
        return None;
    }
    let mut before = before.to_vec();
    // A key of 384 bits is an extension addition, whose length is the octet before it.
    if x.len() == 48 {
        *before.last_mut()? = 1 + 48;
    }
    Some((before, [&[COMPRESSED[usize::from(y.last()? & 1)]], x].concat()))
}

/// The curve and the point of a key that encrypts. Nothing for an unknown algorithm.
pub(super) fn of_encryption(key: &schema::PublicEncryptionKey) -> Option<(Curve, Point<'_>)> {
    use schema::BasePublicEncryptionKey as K;
    match &key.public_key {
        K::EciesNistP256(point) => Some((Curve::NistP256, Point::of_256(point)?)),
        K::EciesBrainpoolP256r1(point) => Some((Curve::BrainpoolP256r1, Point::of_256(point)?)),
        K::UnknownAddition(_) => None,
    }
}

/// Refuses an uncompressed point that is on none of these curves: it has no compressed form, and
/// would be taken for the point with its x coordinate that is on the curve.
///
/// # Errors
/// [`Fault::Key`].
pub(super) fn check_uncompressed(point: Point<'_>, curves: &[Curve]) -> Result<(), Fault> {
    let is_sound = !matches!(point, Point::Uncompressed(..)) || curves.iter().any(|curve| point.is_on(*curve));
    if is_sound { Ok(()) } else { Err(Fault::Key) }
}

/// A certificate's signature of which R has only its x coordinate; nothing if it already is like
/// that.
pub(super) fn x_only(signature: &schema::Signature) -> Option<Vec<u8>> {
    const X_ONLY: u8 = 0x80;
    let Signature { curve, r, s } = Signature::of(signature).ok()?;
    if matches!(r, Point::XOnly(_)) {
        return None;
    }
    // The tag of the curve; with 384 bits a length: the alternative is an extension.
    let head: &[u8] = match curve {
        Curve::NistP256 => &[0x80],
        Curve::BrainpoolP256r1 => &[0x81],
        Curve::BrainpoolP384r1 => &[0x82, 97],
        Curve::NistP384 => &[0x83, 97],
    };
    Some([head, &[X_ONLY], r.x(), s].concat())
}
