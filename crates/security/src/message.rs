//! Secured messages: who signed them.

use crate::certificate::carried;
use crate::{Certificate, Encoded, Fault, Payload, SecuredMessage, Signature, SigningKey, VerifyingKey};

impl<M: SecuredMessage> Encoded<M> {
    /// Whether the certificate's key made the message's signature, and the message names that certificate. The signature is over all octets up to the type of the trailer field that holds it
    /// (clause 5.6). Of the signature's point R the x coordinate counts, whatever else is told of it. Whether the certificate is to be trusted is for [`Encoded::verify_certificate`], whether it may sign such a message for
    /// [`check_message`](crate::check_message).
    ///
    /// # Errors
    /// What is wrong with either of them; [`Fault::Payload`] where what is signed is not all in the message; [`Fault::Signer`] and [`Fault::Signature`].
    pub fn verify_message(&self, certificate: &Encoded<M::Certificate>) -> Result<(), Fault> {
        can_be_signed(&self.value)?;
        if !certificate.is_named_by(&self.value.signer()) {
            return Err(Fault::Signer);
        }
        self.verify_signature(&certificate.verification_key()?)
    }

    /// Whether this key made the message's signature, whoever the message says that signed it.
    ///
    /// # Errors
    /// As [`Encoded::verify_message`], but for [`Fault::Signer`].
    pub fn verify_signature(&self, key: &VerifyingKey) -> Result<(), Fault> {
        can_be_signed(&self.value)?;
        let signature = self.value.signature()?;
        key.verify(self.to_be_signed(&signature), &signature)
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
