//! Who signs a message and how it is looked at by its receiver; and what is encrypted.

use aes::Aes128;
use ccm::Ccm;
use ccm::aead::{Aead, KeyInit};
use ccm::consts::{U12, U16};
use roadwire_engine::{Item, Limits, Listener};
use roadwire_layout::Layout;
use roadwire_security::{EncryptedKey, Fault, Point, Signature, SigningKey, VerifyingKey, implicit_key};
use roadwire_wire::Step;
use serde_json::Value;

use super::description::{Description, Signer};
use super::encoding::{Encoding, MESSAGE, Parts};
use super::material::{self, array, key, octets};
use super::{asn1, binary};
use crate::hex;

/// A signer: its key, and the certificates down to its own.
pub(super) struct Chain {
    /// The root's certificate is at home, and not among them.
    pub(super) certificates: Vec<Value>,
    /// What names the last certificate.
    pub(super) digest: [u8; 8],
    /// The key that belongs to it.
    pub(super) key: SigningKey,
}

/// A fault as text.
pub(super) fn fault(fault: Fault) -> String {
    fault.to_string()
}

/// The signer of a message.
pub(super) fn chain(parts: &Parts, of: &Description) -> Result<Chain, String> {
    let count = if let Signer::Chain(count) = of.signer { count } else { 1 };
    let mut chain = Chain { certificates: Vec::new(), digest: array("root"), key: key("root").map_err(fault)? };
    for at in 1..=count {
        let holder = if at == count { "signer".to_string() } else { format!("authority {at}") };
        let made = match parts.encoding {
            Encoding::Binary => binary::certificate,
            _ => asn1::certificate,
        };
        let (certificate, key) = made(parts, of.certificate, &holder, &chain)?;
        chain.digest = material::digest(&parts.encode("Certificate", &certificate)?);
        chain.certificates.push(certificate);
        chain.key = key;
    }
    Ok(chain)
}

/// What is encrypted, and for whom.
pub(super) struct Sealed {
    /// Whom, and the message's key for each.
    pub(super) recipients: Vec<([u8; 8], EncryptedKey)>,
    /// Used once.
    pub(super) nonce: [u8; 12],
    /// With the tag at its end, or, where there is no room for one, octets without a meaning.
    pub(super) ciphertext: Vec<u8>,
}

/// Octets of the tag of AES-CCM.
const TAG: usize = 16;

/// Encrypts what `plaintext` makes of as many octets as a ciphertext of `length` leaves room for.
pub(super) fn sealed(
    of: &Description,
    length: usize,
    plaintext: impl FnOnce(&[u8]) -> Result<Vec<u8>, String>,
) -> Result<Sealed, String> {
    let Signer::Recipients(count) = of.signer else { return Err(format!("{}: for nobody", of.name)) };
    let secret: [u8; 16] = array(&format!("{} key", of.name));
    let mut recipients = Vec::new();
    for at in 0..count {
        let once = key(&format!("{} once {at}", of.name)).map_err(fault)?;
        let holder = key(&format!("recipient {at}")).map_err(fault)?;
        let sealed = EncryptedKey::seal(&holder.public(), &once, &secret).map_err(fault)?;
        recipients.push((array(&format!("recipient {at}")), sealed));
    }
    let nonce = array(&format!("{} nonce", of.name));
    // In front of the octets: what they are, and how many.
    let ciphertext = match length.checked_sub(TAG + 2) {
        None => octets(&of.name, length),
        Some(rest) => {
            let data = if rest < 128 { rest } else { rest - 1 };
            cipher(&secret)
                .encrypt(&nonce.into(), plaintext(&octets(&of.name, data))?.as_slice())
                .map_err(|_| "not encrypted".to_string())?
        }
    };
    Ok(Sealed { recipients, nonce, ciphertext })
}

fn cipher(key: &[u8; 16]) -> Ccm<Aes128, U16, U12> {
    Ccm::new(key.into())
}

/// What the holder of a key reads of an encrypted message: `None` where its ciphertext is too short for a tag.
///
/// # Errors
/// What is wrong with it.
pub fn opened(parts: &Parts, message: &[u8], recipient: usize) -> Result<Option<Vec<u8>>, String> {
    let message = parts.decode(MESSAGE, message)?;
    let missing = || "not an encrypted message".to_string();
    let (v, c, t, nonce, ciphertext) = if parts.encoding == Encoding::Binary {
        let data = &message["type"]["encrypted"];
        let key = &data["recipients"][recipient]["enc_key"];
        (
            binary_point(&key["v"]),
            &key["c"],
            &key["t"],
            &data["ciphertext"]["nonce"],
            &data["ciphertext"]["ccm_ciphertext"],
        )
    } else {
        let data = &message["content"]["encrypted"];
        let key = &data["recipients"][recipient]["cert"]["key"]["ecies"];
        let sealed = &data["ciphertext"]["aes128ccm"];
        (asn1_point(&key["v"]), &key["c"], &key["t"], &sealed["nonce"], &sealed["ccm"])
    };
    let sealed =
        EncryptedKey { v: v.ok_or_else(missing)?, c: fixed(c).ok_or_else(missing)?, t: fixed(t).ok_or_else(missing)? };
    let secret = sealed.open(&key(&format!("recipient {recipient}")).map_err(fault)?).map_err(fault)?;
    let (nonce, ciphertext) = (fixed::<12>(nonce).ok_or_else(missing)?, digits(ciphertext).ok_or_else(missing)?);
    if ciphertext.len() < TAG {
        return Ok(None);
    }
    let plain = cipher(&secret).decrypt(&nonce.into(), ciphertext.as_slice());
    plain.map(Some).map_err(|_| "the tag is another's".into())
}

/// Whether a message is signed as its signer's certificate says, and that certificate by the one above, up to the root. What is signed are the message's own octets.
///
/// # Errors
/// What is wrong with it.
pub fn verify(parts: &Parts, of: &Description, octets: &[u8]) -> Result<(), String> {
    let message = parts.decode(MESSAGE, octets)?;
    let spans = Spans::of(parts, octets)?;
    let names = if parts.encoding == Encoding::Binary { &BINARY } else { &ASN1 };
    let data = names.signed.iter().map(|name| &message[names.content][*name]).find(|data| data.is_object());
    let data = data.ok_or("not signed")?;
    let signer = if parts.encoding == Encoding::UperP { &data["signer"]["signer"] } else { &data["signer"] };
    let carried: Vec<&Value> = match (&signer[names.certificate], &signer[names.chain]) {
        (one @ Value::Object(_), _) => vec![one],
        (_, Value::Array(chain)) => chain.iter().collect(),
        _ => Vec::new(),
    };
    let mut digest: [u8; 8] = array("root");
    let mut own = VerifyingKey::new(&key("root").map_err(fault)?.public()).map_err(fault)?;
    if carried.is_empty() {
        let known = chain(parts, of)?;
        if fixed(&signer[names.digest]) != Some(known.digest) {
            return Err("an unknown signer".into());
        }
        own = VerifyingKey::new(&known.key.public()).map_err(fault)?;
    }
    for (certificate, (whole, unsigned)) in carried.iter().zip(&spans.certificates) {
        let is = if parts.encoding == Encoding::Binary { read_binary(certificate) } else { read_asn1(certificate) };
        let is = is.ok_or("no such certificate")?;
        if is.issuer != digest {
            return Err("an unknown issuer".into());
        }
        // In the binary format the octet in front tells version and type, and belongs to it.
        let before = if parts.encoding == Encoding::Binary { 8 } else { 0 };
        let encoded = bits(octets, (whole.0 - before, whole.1));
        own = match (is.signature, is.reconstruction, is.key) {
            (Some(signature), None, Some(holders)) => {
                own.verify(&bits(octets, (unsigned.0 - before, unsigned.1)), &signature).map_err(fault)?;
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
    let read = if parts.encoding == Encoding::Binary { binary_signature } else { asn1_signature };
    own.verify(&signed, &read(&data["signature"]).ok_or("no signature")?).map_err(fault)
}

/// What a partial payload is signed together with, and travels elsewhere.
pub(super) fn external(of: &Description) -> Vec<u8> {
    octets(&format!("{} external", of.name), material::EXTERNAL)
}

/// What the parts are called.
struct Names {
    content: &'static str,
    signed: &'static [&'static str],
    certificate: &'static str,
    chain: &'static str,
    digest: &'static str,
}

const BINARY: Names = Names {
    content: "type",
    signed: &["signed", "signed_partial_payload"],
    certificate: "certificate",
    chain: "certificate_chain",
    digest: "certificate_digest_with_ecdsap256",
};
const ASN1: Names =
    Names { content: "content", signed: &["signed"], certificate: "certificate", chain: "chain", digest: "digestP256" };

/// What is read of a certificate.
struct Read {
    issuer: [u8; 8],
    key: Option<Point>,
    signature: Option<Signature>,
    reconstruction: Option<Point>,
}

fn read_binary(certificate: &Value) -> Option<Read> {
    let one = if certificate["explicit"].is_object() { &certificate["explicit"] } else { &certificate["implicit"] };
    let unsigned = &one["unsigned_certificate"];
    Some(Read {
        issuer: fixed(&unsigned["signer_id"])?,
        key: binary_point(&unsigned["verification_key"]["ecdsa_nistp256_with_sha256"]),
        signature: binary_signature(&one["signature"]),
        reconstruction: binary_point(&one["reconstruction_value"]),
    })
}

fn read_asn1(certificate: &Value) -> Option<Read> {
    let unsigned = &certificate["unsigned"];
    Some(Read {
        issuer: fixed(&unsigned["issuer"]["digest"])?,
        key: asn1_point(&unsigned["verificationKey"]["ecdsaNistP256"]),
        signature: asn1_signature(&certificate["material"]["signature"]),
        reconstruction: asn1_point(&certificate["material"]["reconstruction"]),
    })
}

fn binary_signature(value: &Value) -> Option<Signature> {
    Some(Signature { r: binary_point(&value["r"])?, s: fixed(&value["s"])? })
}

fn asn1_signature(value: &Value) -> Option<Signature> {
    let value = &value["ecdsaNistP256"];
    Some(Signature { r: asn1_point(&value["r"])?, s: fixed(&value["s"])? })
}

fn binary_point(value: &Value) -> Option<Point> {
    point(value, ["x_coordinate_only", "compressed_lsb_y_0", "compressed_lsb_y_1"])
}

fn asn1_point(value: &Value) -> Option<Point> {
    point(value, ["xOnly", "compressedY0", "compressedY1"])
}

fn point(value: &Value, names: [&str; 3]) -> Option<Point> {
    let makes: [fn([u8; 32]) -> Point; 3] = [Point::XOnly, Point::Even, Point::Odd];
    names.iter().zip(makes).find_map(|(name, make)| fixed(&value[*name]).map(make))
}

fn digits(value: &Value) -> Option<Vec<u8>> {
    hex::decode(value.as_str()?)
}

fn fixed<const N: usize>(value: &Value) -> Option<[u8; N]> {
    digits(value)?.try_into().ok()
}

/// Bits of a message, moved to an octet border: what is signed is an encoding of its own.
fn bits(octets: &[u8], (from, to): (usize, usize)) -> Vec<u8> {
    let mut moved = vec![0u8; (to - from).div_ceil(8)];
    for (at, bit) in (from..to).enumerate() {
        moved[at / 8] |= (octets[bit / 8] >> (7 - bit % 8) & 1) << (7 - at % 8);
    }
    moved
}

/// A stretch of bits: the first, and the one behind the last.
pub type Span = (usize, usize);

/// Where what is signed lies in a message.
#[derive(Default)]
pub struct Spans {
    /// What the message's signature covers.
    pub message: Option<Span>,
    /// Its certificates, and what of each its signature covers.
    pub certificates: Vec<(Span, Span)>,
    open: Vec<(Kind, usize)>,
    unsigned: Option<Span>,
    at: usize,
}

/// What begins and ends.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Message,
    Unsigned,
    /// Of which a part is [`Kind::Unsigned`].
    Certificate,
    Other,
}

impl Spans {
    /// Of a message's octets.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn of(parts: &Parts, octets: &[u8]) -> Result<Spans, String> {
        let mut spans = Spans::default();
        parts.listen(MESSAGE, octets, &Limits::for_input(octets), &mut spans)?;
        Ok(spans)
    }
}

impl Listener for Spans {
    fn enter(&mut self, step: Step<'_>) {
        let kind = match step {
            Step::Name("unsignedData" | "unsigned_data") => Kind::Message,
            Step::Name("unsigned" | "unsigned_certificate") => {
                if let Some(around) = self.open.last_mut() {
                    around.0 = Kind::Certificate;
                }
                Kind::Unsigned
            }
            _ => Kind::Other,
        };
        self.open.push((kind, self.at));
    }

    fn leave(&mut self) {
        match self.open.pop() {
            Some((Kind::Message, from)) => self.message = Some((from, self.at)),
            Some((Kind::Unsigned, from)) => self.unsigned = Some((from, self.at)),
            Some((Kind::Certificate, from)) => {
                self.certificates.extend(self.unsigned.take().map(|unsigned| ((from, self.at), unsigned)));
            }
            _ => {}
        }
    }

    fn item(&mut self, _: &Layout, item: &Item<'_>) {
        self.at = item.bit + item.bits;
    }
}
