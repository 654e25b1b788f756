//! The sender: signers of messages, and encryption.

use aes::Aes128;
use ccm::Ccm;
use ccm::aead::{Aead, KeyInit};
use ccm::consts::{U12, U16};
use roadwire_security::{EncryptedKey, Fault, Point, Signature, SigningKey, issue_implicit};
use serde_json::Value;

use super::description::{Certificate, Description, Signer};
use super::encoding::Parts;
use super::material::{self, array, key, octets};

/// A signer: its key, and the certificates down to its own.
pub(super) struct Chain {
    /// The certificates; the receiver already has the root's.
    pub(super) certificates: Vec<Value>,
    /// The digest of the last certificate.
    pub(super) digest: [u8; 8],
    /// The key that belongs to it.
    pub(super) key: SigningKey,
}

/// A fault as text.
pub(super) fn fault(fault: Fault) -> String {
    fault.to_string()
}

/// The signer of a message.
pub(super) fn chain(form: &Form, parts: &Parts, of: &Description) -> Result<Chain, String> {
    let count = if let Signer::Chain(count) = of.signer { count } else { 1 };
    let mut chain = Chain { certificates: Vec::new(), digest: array("root"), key: key("root").map_err(fault)? };
    for at in 1..=count {
        let holder = if at == count { "signer".to_string() } else { format!("authority {at}") };
        let (certificate, key) = (form.certificate)(parts, of.certificate, &holder, &chain)?;
        chain.digest = material::digest(&parts.encode("Certificate", &certificate)?);
        chain.certificates.push(certificate);
        chain.key = key;
    }
    Ok(chain)
}

/// Encrypted data and its recipients.
pub(super) struct Sealed {
    /// The recipients, and the message's key for each.
    pub(super) recipients: Vec<([u8; 8], EncryptedKey)>,
    /// Used once.
    pub(super) nonce: [u8; 12],
    /// With the tag at its end, or, if the tag does not fit, arbitrary octets.
    pub(super) ciphertext: Vec<u8>,
}

/// Octets of the tag of AES-CCM.
pub(super) const TAG: usize = 16;

/// Encrypts a plaintext, which `plaintext` makes from as many octets as fit into a ciphertext of
/// `length` octets.
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
    // Before the octets: their type, and their number.
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

pub(super) fn cipher(key: &[u8; 16]) -> Ccm<Aes128, U16, U12> {
    Ccm::new(key.into())
}

/// The external part that is signed together with a partial payload, and sent separately.
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
    /// A signer identified by certificates.
    pub(super) chain: &'static str,
    /// A signer identified by a digest.
    pub(super) digest: &'static str,
    /// How many bits before a certificate's value belong to it, and are signed: version and type,
    /// in the binary format.
    pub(super) before: usize,
    /// Reads a certificate.
    pub(super) read: fn(&Value) -> Option<Read>,
    /// Reads a signature.
    pub(super) signature: fn(&Value) -> Option<Signature>,
    /// Reads the encrypted key for a recipient.
    pub(super) sealed: fn(&Value, usize) -> Option<SealedFor>,
}

/// The parts read from a certificate.
pub(super) struct Read {
    pub(super) issuer: [u8; 8],
    pub(super) key: Option<Point>,
    pub(super) signature: Option<Signature>,
    pub(super) reconstruction: Option<Point>,
}

/// The parts read from an encrypted message.
pub(super) struct SealedFor {
    pub(super) key: EncryptedKey,
    pub(super) nonce: [u8; 12],
    pub(super) ciphertext: Vec<u8>,
}

/// An implicit certificate of `own` made by `issuer`, from its point.
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
        // An error shows when the message is encoded.
        Ok(parts.encode("Certificate", &made).unwrap_or_default())
    });
    Ok((made, key.map_err(fault)?))
}
