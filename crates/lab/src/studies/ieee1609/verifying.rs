//! The receiver: verification of signatures, and decryption.

use ccm::aead::Aead;
use roadwire_security::{VerifyingKey, implicit_key};
use serde_json::Value;

use super::description::Description;
use super::encoding::{Encoding, MESSAGE, Parts};
use super::material::{self, array, fixed, key};
use super::signing::{Form, SealedFor, TAG, chain, cipher, external, fault};
use super::spans::Spans;
use super::{asn1, binary};

/// Decrypts a message with a recipient's key; `None` if its ciphertext is too short for a tag.
///
/// # Errors
/// The first fault in the message.
pub fn opened(parts: &Parts, message: &[u8], recipient: usize) -> Result<Option<Vec<u8>>, String> {
    let message = parts.decode(MESSAGE, message)?;
    let sealed = (form(parts).sealed)(&message, recipient).ok_or("not an encrypted message")?;
    let SealedFor { key: sealed, nonce, ciphertext } = sealed;
    let secret = sealed.open(&key(&format!("recipient {recipient}")).map_err(fault)?).map_err(fault)?;
    if ciphertext.len() < TAG {
        return Ok(None);
    }
    let plain = cipher(&secret).decrypt(&nonce.into(), ciphertext.as_slice());
    plain.map(Some).map_err(|_| "the tag is another's".into())
}

/// Verifies a message with its signer's certificate, and each certificate with the one above, up to
/// the root. The signed data is taken from the message's octets.
///
/// # Errors
/// The first fault in the message.
pub fn verify(parts: &Parts, of: &Description, octets: &[u8]) -> Result<(), String> {
    let message = parts.decode(MESSAGE, octets)?;
    let spans = Spans::of(parts, octets)?;
    let form = form(parts);
    let data = form.signed.iter().map(|name| &message[form.content][*name]).find(|data| data.is_object());
    let data = data.ok_or("not signed")?;
    let signer = if parts.encoding == Encoding::UperP { &data["signer"]["signer"] } else { &data["signer"] };
    let carried: Vec<&Value> = match (&signer["certificate"], &signer[form.chain]) {
        (one @ Value::Object(_), _) => vec![one],
        (_, Value::Array(chain)) => chain.iter().collect(),
        _ => Vec::new(),
    };
    let mut digest: [u8; 8] = array("root");
    let mut own = VerifyingKey::new(&key("root").map_err(fault)?.public()).map_err(fault)?;
    if carried.is_empty() {
        let known = chain(form, parts, of)?;
        if fixed(&signer[form.digest]) != Some(known.digest) {
            return Err("an unknown signer".into());
        }
        own = VerifyingKey::new(&known.key.public()).map_err(fault)?;
    }
    for (certificate, (whole, unsigned)) in carried.iter().zip(&spans.certificates) {
        let is = (form.read)(certificate).ok_or("no such certificate")?;
        if is.issuer != digest {
            return Err("an unknown issuer".into());
        }
        let encoded = bits(octets, (whole.0 - form.before, whole.1));
        own = match (is.signature, is.reconstruction, is.key) {
            (Some(signature), None, Some(holders)) => {
                own.verify(&bits(octets, (unsigned.0 - form.before, unsigned.1)), &signature).map_err(fault)?;
                VerifyingKey::new(&holders).map_err(fault)?
            }
            (None, Some(point), None) => implicit_key(&point, &encoded, &own).map_err(fault)?,
            _ => return Err("no such certificate".into()),
        };
        digest = material::digest(&encoded);
    }
    let span = spans.message.ok_or("nothing is signed")?;
    let mut signed = bits(octets, span);
    if parts.encoding == Encoding::Binary {
        signed.insert(0, octets[1]);
        if octets[1] == 9 {
            signed.extend(external(of));
        }
    }
    own.verify(&signed, &(form.signature)(&data["signature"]).ok_or("no signature")?).map_err(fault)
}

/// How the encoding's schema makes and reads values.
pub(super) fn form(parts: &Parts) -> &'static Form {
    match parts.encoding {
        Encoding::Binary => &binary::FORM,
        _ => &asn1::FORM,
    }
}

/// Bits of a message, moved to an octet border: the signed data is a separate encoding.
fn bits(octets: &[u8], (from, to): (usize, usize)) -> Vec<u8> {
    let mut moved = vec![0u8; (to - from).div_ceil(8)];
    for (at, bit) in (from..to).enumerate() {
        moved[at / 8] |= (octets[bit / 8] >> (7 - bit % 8) & 1) << (7 - at % 8);
    }
    moved
}
