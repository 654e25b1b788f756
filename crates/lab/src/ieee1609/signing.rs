//! Who signs a message and how it is looked at by its receiver; and what is encrypted.

use aes::Aes128;
use ccm::Ccm;
use ccm::aead::{Aead, KeyInit};
use ccm::consts::{U12, U16};
use roadwire_engine::{Item, Limits, Listener};
use roadwire_layout::Layout;
use roadwire_security::{
    EncryptedKey, Fault, Point, Signature, SigningKey, VerifyingKey, implicit_key, issue_implicit,
};
use roadwire_wire::Step;
use serde_json::Value;

use super::description::{Certificate, Description, Signer};
use super::encoding::{Encoding, MESSAGE, Parts};
use super::material::{self, array, fixed, key, octets};
use super::{asn1, binary};

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
        let (certificate, key) = (Form::of(parts).certificate)(parts, of.certificate, &holder, &chain)?;
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
    let sealed = (Form::of(parts).sealed)(&message, recipient).ok_or("not an encrypted message")?;
    let SealedFor { key: sealed, nonce, ciphertext } = sealed;
    let secret = sealed.open(&key(&format!("recipient {recipient}")).map_err(fault)?).map_err(fault)?;
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
    let form = Form::of(parts);
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
        let known = chain(parts, of)?;
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

/// What a partial payload is signed together with, and travels elsewhere.
pub(super) fn external(of: &Description) -> Vec<u8> {
    octets(&format!("{} external", of.name), material::EXTERNAL)
}

/// The value of a certificate, and its holder's key.
pub(super) type Holder = (Value, SigningKey);

/// How a schema's values are made and read.
pub(super) struct Form {
    /// Makes a certificate that an issuer signs.
    pub(super) certificate: fn(&Parts, Certificate, &str, &Chain) -> Result<Holder, String>,
    /// The component that has the content.
    pub(super) content: &'static str,
    /// The contents that are signed.
    pub(super) signed: &'static [&'static str],
    /// A signer told by certificates.
    pub(super) chain: &'static str,
    /// A signer told by a digest.
    pub(super) digest: &'static str,
    /// How many bits in front of a certificate's value belong to it, and are signed with it: version and type, in the binary format.
    pub(super) before: usize,
    /// Reads a certificate.
    pub(super) read: fn(&Value) -> Option<Read>,
    /// Reads a signature.
    pub(super) signature: fn(&Value) -> Option<Signature>,
    /// Reads what a message has for a recipient.
    pub(super) sealed: fn(&Value, usize) -> Option<SealedFor>,
}

impl Form {
    fn of(parts: &Parts) -> &'static Form {
        match parts.encoding {
            Encoding::Binary => &binary::FORM,
            _ => &asn1::FORM,
        }
    }
}

/// What is read of a certificate.
pub(super) struct Read {
    pub(super) issuer: [u8; 8],
    pub(super) key: Option<Point>,
    pub(super) signature: Option<Signature>,
    pub(super) reconstruction: Option<Point>,
}

/// What is read of an encrypted message.
pub(super) struct SealedFor {
    pub(super) key: EncryptedKey,
    pub(super) nonce: [u8; 12],
    pub(super) ciphertext: Vec<u8>,
}

/// An implicit certificate of `own` that `issuer` makes, by the point that it has.
pub(super) fn implicit(
    parts: &Parts,
    (issuer, holder): (&Chain, &str),
    own: &SigningKey,
    value: impl Fn(&Point) -> Value,
) -> Result<Holder, String> {
    let mut made = Value::Null;
    let number = key(&format!("{holder} issuer's number")).map_err(fault)?;
    let key = issue_implicit(&issuer.key, &number, own, |at| {
        made = value(at);
        // What is wrong shows when the message is encoded.
        Ok(parts.encode("Certificate", &made).unwrap_or_default())
    });
    Ok((made, key.map_err(fault)?))
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
