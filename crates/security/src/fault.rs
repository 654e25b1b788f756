//! What can be wrong with something that is to be signed or verified.

use std::fmt;

use roadwire_wire::Error;

use crate::{HashedId8, Violation};

/// Why something is not verified, or cannot be signed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// It is not an encoding, or not the canonical one; or the value has none.
    Encoding(Error<'static>),
    /// Octets follow it.
    TrailingOctets {
        /// How many.
        count: usize,
    },
    /// It says to be of another version of the format.
    Version {
        /// The version that it has.
        found: u8,
    },
    /// There is no signature: in a message, not exactly one trailer field, that with the signature; an implicit certificate.
    Unsigned,
    /// A signature or a key of an algorithm that is not ECDSA on P-256 with SHA-256.
    Algorithm,
    /// Payload that is not there or not in the clear: what is signed of it does not lie in the message.
    Payload,
    /// The certificate that is to be verified with has no key for it.
    NoKey,
    /// A key that is no point on the curve, or of which only one coordinate is told.
    Key,
    /// Another signer is named than the one that is to be verified with.
    Signer,
    /// The signature is not that of these octets by this key.
    Signature,
    /// No certificate with this digest is trusted. Who has it can be asked for it.
    UnknownCertificate {
        /// The digest.
        digest: HashedId8,
    },
    /// A certificate that signs itself, and is none of the roots that are trusted.
    UntrustedRoot {
        /// Its digest.
        digest: HashedId8,
    },
    /// Rules that are not kept.
    Violations(Vec<Violation>),
    /// What is wrong with a certificate of the chain.
    Certificate {
        /// Its digest.
        digest: HashedId8,
        /// What is wrong with it.
        fault: Box<Fault>,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Encoding(error) => write!(f, "{error}"),
            Fault::TrailingOctets { count } => write!(f, "{count} octets follow"),
            Fault::Version { found } => write!(f, "the version is {found}"),
            Fault::Unsigned => f.write_str("not signed"),
            Fault::Algorithm => f.write_str("the algorithm is not ECDSA on P-256 with SHA-256"),
            Fault::Payload => f.write_str("the payload does not lie in the clear in the message"),
            Fault::NoKey => f.write_str("the signer's certificate has no verification key"),
            Fault::Key => f.write_str("the key is no point on the curve"),
            Fault::Signer => f.write_str("another signer is named"),
            Fault::Signature => f.write_str("the signature does not verify"),
            Fault::UnknownCertificate { digest } => write!(f, "certificate {} is not known", Digest(digest)),
            Fault::UntrustedRoot { digest } => write!(f, "root certificate {} is not trusted", Digest(digest)),
            Fault::Violations(violations) => {
                for (at, violation) in violations.iter().enumerate() {
                    write!(f, "{}{violation}", if at == 0 { "" } else { "; " })?;
                }
                Ok(())
            }
            Fault::Certificate { digest, fault } => write!(f, "certificate {}: {fault}", Digest(digest)),
        }
    }
}

impl std::error::Error for Fault {}

struct Digest<'d>(&'d HashedId8);

impl fmt::Display for Digest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|octet| write!(f, "{octet:02X}"))
    }
}

impl From<Error<'static>> for Fault {
    fn from(error: Error<'static>) -> Fault {
        Fault::Encoding(error)
    }
}
