//! The canonical encoding of what is hashed (IEEE 1609.2 §6.1.2): points of keys are compressed, and R of a certificate's signature has only its x coordinate (§6.4.3, and `ToBeSignedCertificate`, `HeaderInfo` and `EcdsaP256Signature`).

use std::ops::Range;

use roadwire_messages::ieee1609dot2_2022::{EccP256CurvePoint, EccP384CurvePoint, Signature};

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
pub(super) fn x_only(signature: &Signature) -> Option<Vec<u8>> {
    const X_ONLY: u8 = 0x80;
    let (head, r, s): (&[u8], _, &[u8]) = match signature {
        Signature::EcdsaNistP256Signature(one) => (&[0x80], x_of_256(&one.r_sig)?, &one.s_sig),
        Signature::EcdsaBrainpoolP256r1Signature(one) => (&[0x81], x_of_256(&one.r_sig)?, &one.s_sig),
        Signature::EcdsaBrainpoolP384r1Signature(one) => (&[0x82, 97], x_of_384(&one.r_sig)?, &one.s_sig),
        Signature::EcdsaNistP384Signature(one) => (&[0x83, 97], x_of_384(&one.r_sig)?, &one.s_sig),
        Signature::UnknownAddition(_) => return None,
    };
    Some([head, &[X_ONLY], r, s].concat())
}

fn x_of_256(point: &EccP256CurvePoint) -> Option<&[u8]> {
    match point {
        EccP256CurvePoint::Compressed_Y_0(x) | EccP256CurvePoint::Compressed_Y_1(x) => Some(x),
        EccP256CurvePoint::UncompressedP256(both) => Some(&both.x),
        EccP256CurvePoint::XOnly(_) | EccP256CurvePoint::Fill(()) => None,
    }
}

fn x_of_384(point: &EccP384CurvePoint) -> Option<&[u8]> {
    match point {
        EccP384CurvePoint::Compressed_Y_0(x) | EccP384CurvePoint::Compressed_Y_1(x) => Some(x),
        EccP384CurvePoint::UncompressedP384(both) => Some(&both.x),
        EccP384CurvePoint::XOnly(_) | EccP384CurvePoint::Fill(()) => None,
    }
}
