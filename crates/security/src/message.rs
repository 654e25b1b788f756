//! Secured messages: what is signed of them.

use sha2::{Digest as _, Sha256};

use crate::certificate::carried;
use crate::{Certificate, Encoded, Fault, Payload, SecuredMessage, Signature, SigningKey, VerifyingKey};

impl<M: SecuredMessage> Encoded<M> {
    /// Whether this key made the message's signature, and **nothing else**: not whose key it is, nor whether that one may sign the message, nor whether the message keeps any rule.
    /// [`Trust::verify`](crate::Trust::verify) does all of it.
    ///
    /// The signature is over all octets up to the type of the trailer field that holds it (clause 5.6). Of the signature's point R the x coordinate counts, whatever else is told of it.
    ///
    /// # Errors
    /// [`Fault::Version`]; [`Fault::Payload`] where what is signed is not all in the message; [`Fault::Unsigned`], [`Fault::Algorithm`] and [`Fault::Signature`].
    pub fn verify_signature(&self, key: &VerifyingKey) -> Result<(), Fault> {
        can_be_signed(&self.value)?;
        let signature = self.value.signature()?;
        key.verify(self.to_be_signed(&signature), &signature)
    }

    /// The hash (SHA-256) of what is signed, the signer's name and the generation time among it: the key for a replay filter, the same for all six forms of the signature that verify (see
    /// [`Signature::is_canonical`]), and for whatever the signer signs of the same content once more. The octets of a message are no such key.
    ///
    /// # Errors
    /// [`Fault::Unsigned`] and [`Fault::Algorithm`].
    pub fn message_hash(&self) -> Result<[u8; 32], Fault> {
        let signature = self.value.signature()?;
        Ok(Sha256::digest(self.to_be_signed(&signature)).into())
    }

    /// The certificates that the message brings along, the last of which is its signer's.
    ///
    /// # Errors
    /// As [`Encoded::write`].
    pub fn certificates(&self) -> Result<Vec<Encoded<M::Certificate>>, Fault> {
        carried(&self.value.signer())
    }

    /// Signs a message. What it says of its signer is not looked at.
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

    /// The trailer has one field, so that nothing comes behind the signature.
    fn to_be_signed(&self, signature: &Signature) -> &[u8] {
        &self.octets[..self.octets.len().saturating_sub(signature.octets())]
    }
}

fn can_be_signed<M: SecuredMessage>(message: &M) -> Result<(), Fault> {
    if message.version() != M::Certificate::VERSION {
        return Err(Fault::Version { found: message.version() });
    }
    // Of other payload some is left out when the message is hashed, or comes from elsewhere.
    let all = message.payloads().into_iter().all(|payload| payload == Payload::Signed);
    if all { Ok(()) } else { Err(Fault::Payload) }
}
