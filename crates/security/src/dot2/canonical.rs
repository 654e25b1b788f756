//! The canonical encoding of what is hashed (IEEE 1609.2 §6.1.2): points of keys are compressed, and R of a certificate's signature has only its x coordinate (§6.4.3, and `ToBeSignedCertificate`, `HeaderInfo` and `EcdsaP256Signature`).

use std::ops::Range;

use roadwire_messages::ieee1609dot2_2022 as schema;

use super::curve::{Curve, Point, Signature};

/// The tag of the alternative `uncompressed…` of a point, and of the compressed ones.
const UNCOMPRESSED: u8 = 0x84;
const COMPRESSED: [u8; 2] = [0x82, 0x83];

/// The octets at `place` with compressed points at the end of each of the fields at `keys` (places in `octets`, in order; an empty one is no field). Nothing if all are compressed.
pub(super) fn compressed(octets: &[u8], place: Range<usize>, keys: &[Range<usize>]) -> Option<Vec<u8>> {
    let mut written = Vec::new();
    let mut from = place.start;
    for key in keys.iter().filter(|key| !key.is_empty()) {
        let field = octets.get(key.clone())?;
        let Some((kept, point)) = compressed_end(field) else { continue };
        written.extend_from_slice(octets.get(from..key.start)?);
        written.extend_from_slice(&kept);
        written.extend_from_slice(&point);
        from = key.end;
    }
    if written.is_empty() {
        return None;
    }
    written.extend_from_slice(octets.get(from..place.end)?);
    Some(written)
}

/// What is in front of the point at the end of a field, and the point, compressed. Nothing if there is no uncompressed one.
fn compressed_end(field: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    for octets in [32, 48] {
        let Some(start) = field.len().checked_sub(1 + 2 * octets) else { continue };
        let (before, point) = field.split_at(start);
        // Tags in front: of the choice of a key, its kind or an algorithm's number, and for 384 bits the length of an open type.
        let has_length = octets == 48;
        if point[0] != UNCOMPRESSED || before.len() != 2 + usize::from(has_length) {
            continue;
        }
        let mut before = before.to_vec();
        if has_length {
            before[2] = 1 + octets as u8;
        }
        let is_odd = usize::from(point[2 * octets] & 1);
        return Some((before, [&[COMPRESSED[is_odd]], &point[1..=octets]].concat()));
    }
    None
}

/// A certificate's signature of which R has only its x coordinate; nothing if it already is like that.
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
