//! Rules for messages and certificates in addition to valid encodings and signatures: those of
//! clauses 5 to 7 on content.

mod certificate;
mod message;
mod signer;

pub use certificate::{check_certificate, check_issued};
pub(crate) use message::check_envelope;
pub use message::check_message;
pub use signer::check_signed;
pub(crate) use signer::check_signer;

use crate::{Fault, Point, Signature, Violation};

/// The form of a signature.
fn check_signature(signature: Result<Signature, Fault>) -> Option<Violation> {
    match signature {
        Ok(signature) if matches!(signature.r, Point::Uncompressed(..)) => Some(Violation::Signature),
        Ok(signature) if !signature.is_canonical() => Some(Violation::SignatureForm),
        Ok(_) => None,
        Err(_) => Some(Violation::Signature),
    }
}
