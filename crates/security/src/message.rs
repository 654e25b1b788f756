//! Secured messages: their signed data.

use sha2::{Digest as _, Sha256};

use crate::certificate::carried;
use crate::{Certificate, Encoded, Fault, Payload, SecuredMessage, Signature, SigningKey, VerifyingKey};

impl<M: SecuredMessage> Encoded<M> {
    /// Verifies that this key made the message's signature, and **nothing else**: not whose key it
    /// is, whether the holder may sign the message, or whether the message complies with any rule.
    /// [`Trust::verify`](crate::Trust::verify) checks everything.
    ///
    /// The signature is over all octets up to the type of the trailer field that holds it (clause
    /// 5.6). Only the x coordinate of the signature's point R is used.
    ///
    /// # Errors
    /// [`Fault::Version`]; [`Fault::Payload`] if the signed data is not all in the message;
    /// [`Fault::Unsigned`], [`Fault::Algorithm`] and [`Fault::Signature`].
    pub fn verify_signature(&self, key: &VerifyingKey) -> Result<(), Fault> {
        can_be_signed(&self.value)?;
        let signature = self.value.signature()?;
        key.verify(self.to_be_signed(&signature), &signature)
    }

    /// The hash (SHA-256) of the signed data, which includes the signer's name and the generation
    /// time: the key for a replay filter. It is the same for all six valid forms of the signature
    /// (see [`Signature::is_canonical`]), and if the signer signs the same content again. The
    /// octets of a message are not suitable as a key.
    ///
    /// # Errors
    /// [`Fault::Unsigned`] and [`Fault::Algorithm`].
    pub fn message_hash(&self) -> Result<[u8; 32], Fault> {
        let signature = self.value.signature()?;
        Ok(Sha256::digest(self.to_be_signed(&signature)).into())
    }

    /// The certificates that the message contains, the last of which is its signer's.
    ///
    /// # Errors
    /// As [`Encoded::write`].
    pub fn certificates(&self) -> Result<Vec<Encoded<M::Certificate>>, Fault> {
        carried(&self.value.signer())
    }

    /// Signs a message. The signer that it names is not checked.
    ///
    /// # Errors
    /// [`Fault::Encoding`]: a value outside its type; [`Fault::Version`] and [`Fault::Payload`].
    pub fn sign_message(mut value: M, key: &SigningKey) -> Result<Encoded<M>, Fault> {
        can_be_signed(&value)?;
        value.set_signature(Signature::NONE);
        let unsigned = Encoded::write(value)?;
        let signature = key.sign(unsigned.to_be_signed(&Signature::NONE));
        let mut value = unsigned.value;
        value.set_signature(signature);
        Encoded::write(value)
    }

    /// The trailer has one field, so nothing follows the signature.
    fn to_be_signed(&self, signature: &Signature) -> &[u8] {
        &self.octets[..self.octets.len().saturating_sub(signature.octets())]
    }
}

fn can_be_signed<M: SecuredMessage>(message: &M) -> Result<(), Fault> {
    if message.version() != M::Certificate::VERSION {
        return Err(Fault::Version { found: message.version() });
    }
    // Other kinds of payload are partly not hashed, or are not in the message.
    let all = message.payloads().into_iter().all(|payload| payload == Payload::Signed);
    if all { Ok(()) } else { Err(Fault::Payload) }
}
